//! Which units are near a place, between two steps.
//!
//! A step sorts the units by their positions before it moves them. It notes how
//! far the farthest came, so a search looks that much farther around and tests
//! what it finds. Units that were added or placed since are *loose*: they are
//! tested one by one, and found where they are now. Those that sleep are found at
//! their stored positions.

use crate::steer::neighbours::Index;
use crate::steer::units::{IdSet, Roster, Unit};
use crate::vector::{Vector, difference, dot, greater};

const ROUNDING: f32 = 0.1;

#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    pub(crate) index: Index,
    ids: Vec<u32>,
    /// The farthest that a unit has come since it was sorted, along an axis.
    came: f32,
    widest: f32,
    loose: IdSet,
}

impl Finder {
    /// Takes over the ids of the units as the index has sorted them; `widest` is the largest
    /// radius, and `came` the farthest that one moved along an axis.
    pub(crate) fn note_step(&mut self, sorted: impl Iterator<Item = u32>, widest: f32, came: f32) {
        self.ids.clear();
        self.ids.extend(sorted);
        self.came = came * 1.001 + ROUNDING;
        self.widest = widest;
        self.loose.clear();
    }

    /// Notes that a unit was added, placed or made wider.
    pub(crate) fn loosen(&mut self, unit: &Unit) {
        self.loose.insert(unit.id);
        self.widest = greater(self.widest, unit.radius);
    }

    pub(crate) fn forget(&mut self, id: u32) {
        self.loose.remove(id);
    }

    /// At least the largest radius.
    pub(crate) const fn widest(&self) -> f32 {
        self.widest
    }

    /// Calls `visit` with each unit between two corners, and with some around.
    /// Returns whether these are all units.
    pub(crate) fn visit<'a>(
        &self,
        roster: &'a Roster,
        low: Vector,
        high: Vector,
        mut visit: impl FnMut(&'a Unit),
    ) -> bool {
        let low = low.map(|at| at - self.came);
        let high = high.map(|at| at + self.came);
        let mut visited = 0;
        let mut visit = |unit| {
            visited += 1;
            visit(unit);
        };
        let woken = roster.awake().woken();
        let is_loose = |id| self.loose.contains(id);
        let is_woken = |id| woken.is_some_and(|woken| woken.contains(id));
        for span in self.index.between(low, high) {
            self.ids[span]
                .iter()
                .filter(|&&id| !is_loose(id) && !is_woken(id) && !roster.is_asleep(id))
                .filter_map(|&id| roster.get(id))
                .for_each(&mut visit);
        }
        roster.of(&self.loose).for_each(&mut visit);
        if let Some(woken) = woken {
            let woken = roster.of(woken).filter(|unit| !is_loose(unit.id));
            woken.for_each(&mut visit);
        }
        roster.awake().visit_sleepers(low, high, |id| {
            if let Some(unit) = roster.get(id) {
                visit(unit);
            }
        });
        visited == roster.units().len()
    }

    /// Whether a circle overlaps none of the units that count at this place.
    pub(crate) fn is_alone(
        &self,
        roster: &Roster,
        position: Vector,
        radius: f32,
        counts: impl Fn(&Unit) -> bool,
    ) -> bool {
        let reach = radius + self.widest;
        let low = position.map(|at| at - reach);
        let high = position.map(|at| at + reach);
        let mut is_alone = true;
        self.visit(roster, low, high, |unit| {
            let way = difference(unit.position, position);
            let room = radius + unit.radius;
            is_alone &= dot(way, way) >= room * room || !counts(unit);
        });
        is_alone
    }
}
