//! A marching formation.
//!
//! An *anchor* follows the field like a unit, without being one. Every unit has
//! a slot, a place relative to the anchor and its heading, and goes there. The
//! farther the units lag behind, the slower the anchor and the faster they
//! walk, so the formation closes up. A slot in a wall or behind one is drawn in
//! toward the anchor, so the formation folds at a pass and unfolds behind it.

use crate::grid::Cell;
use crate::steer::reading::{Clock, Field, Lookahead, Viewer, sees};
use crate::steer::walls::{LayerGround, is_clear_on, nearest_clear_on, slide_on};
use crate::vector::{
    NONE, Vector, difference, distance, dot, greater, right_of, sum, times, turned, unit,
};

const WIDTH: f32 = 0.3;
/// How fast the heading turns toward the direction of the path, in a 20th of a second.
const TURN: f32 = 0.12;
/// The parts of a slot's distance from the anchor at which a place is tried,
/// farthest first.
const PARTS: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];

/// The slot of a unit that joins a formation, until the next step gives it one.
pub(crate) const NO_SLOT: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct March {
    pub(crate) slots: Vec<Vector>,
    pub(crate) spacing: f32,
    pub(crate) anchor: Vector,
    pub(crate) heading: Vector,
    pub(crate) aim: Lookahead,
    pub(crate) home: bool,
}

/// The slots of a formation that units may join in.
pub(crate) struct FreeSlots<'a> {
    slots: &'a mut Vec<Vector>,
    spacing: f32,
    /// How far to the right any slot is.
    widest: f32,
    is_taken: Vec<bool>,
    next: usize,
}

impl FreeSlots<'_> {
    /// Returns the next free slot, and makes one if there is none.
    pub(crate) fn take(&mut self) -> u32 {
        while self.is_taken.get(self.next) == Some(&true) {
            self.next += 1;
        }
        if self.next == self.slots.len() {
            let behind = self.behind();
            self.widest = greater(self.widest, behind[1]);
            self.slots.push(behind);
        }
        self.next += 1;
        self.next as u32 - 1
    }

    /// Returns the place beside the last slot; or the left end of a new rank, if the last
    /// rank is as wide as the widest.
    fn behind(&self) -> Vector {
        let [x, y] = self.slots.last().copied().unwrap_or(NONE);
        let beside = y + self.spacing;
        if beside <= self.widest + 0.5 * self.spacing {
            [x, beside]
        } else {
            [x - self.spacing, -self.widest]
        }
    }
}

impl March {
    pub(crate) fn new(slots: Vec<Vector>, spacing: f32, anchor: Vector, heading: Vector) -> Self {
        Self {
            slots,
            spacing,
            anchor,
            heading,
            aim: Lookahead::none(anchor),
            home: false,
        }
    }

    pub(crate) const fn is_home(&self) -> bool {
        self.home
    }

    pub(crate) const fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Returns the slots in which none of these units is: first those that they have
    /// left, then new ones behind the last.
    pub(crate) fn free_slots(&mut self, taken: impl Iterator<Item = u32>) -> FreeSlots<'_> {
        let mut is_taken = vec![false; self.slots.len()];
        for slot in taken {
            if let Some(is_taken) = is_taken.get_mut(slot as usize) {
                *is_taken = true;
            }
        }
        FreeSlots {
            spacing: self.spacing,
            widest: self.slots.iter().map(|slot| slot[1]).fold(0.0, greater),
            slots: &mut self.slots,
            is_taken,
            next: 0,
        }
    }

    /// Keeps the places of these units alone, given as place and unit. Returns the new
    /// numbers of those places by unit.
    pub(crate) fn keep(&mut self, mut taken: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        taken.retain(|&(slot, _)| (slot as usize) < self.slots.len());
        // The last place stays the last: units that join stand beside it.
        taken.sort_unstable();
        let slots = taken.iter().map(|&(slot, _)| self.slots[slot as usize]);
        self.slots = slots.collect();
        taken.into_iter().map(|(_, id)| id).zip(0..).collect()
    }

    /// Makes the formation march around the middle of its places, where one of these units
    /// is, if it is a part of a larger one and its middle is elsewhere.
    pub(crate) fn center(&mut self, units: impl Iterator<Item = Vector>) {
        let part = 1.0 / self.slots.len() as f32;
        let all = self.slots.iter();
        let middle = all.fold(NONE, |middle, &slot| sum(middle, times(slot, part)));
        if dot(middle, middle) <= self.spacing * self.spacing {
            return;
        }
        let place = sum(self.anchor, turned(middle, self.heading));
        let far = |unit: &Vector| distance(*unit, place);
        // The place itself may be in a wall.
        if let Some(nearest) = units.min_by(|one, two| far(one).total_cmp(&far(two))) {
            self.anchor = nearest;
            for slot in &mut self.slots {
                *slot = difference(*slot, middle);
            }
        }
    }

    pub(crate) fn set_out(&mut self) {
        self.home = false;
        self.aim = Lookahead::none(self.anchor);
    }

    /// Moves the anchor; `lag` is the units' mean distance from their places.
    /// `goal` is the goal cell to which the anchor goes, if it is known.
    pub(crate) fn step(
        &mut self,
        field: &Field<'_>,
        goal: Option<Cell>,
        lag: f32,
        far: f32,
        (seconds, clock): (f32, Clock),
    ) {
        if self.home {
            return;
        }
        if !is_clear_on(field.ground, self.anchor, WIDTH) {
            // A wall was built there, or a unit stands there that is slimmer.
            let beside = nearest_clear_on(field.ground, self.anchor, WIDTH);
            self.anchor = beside.unwrap_or(self.anchor);
        }
        let viewer = Viewer {
            position: self.anchor,
            radius: WIDTH,
            id: 0,
            turn: clock.turn(0),
            is_alone: false,
        };
        self.aim.look(field, &viewer);
        let end = goal.map_or([f32::MAX; 2], Cell::centre);
        let left = goal.map_or(f32::MAX, |_| distance(end, self.anchor));
        let target = self.aim.target(self.anchor);
        let way = match target {
            Some(target) => unit(difference(target, self.anchor)),
            None if left < 1.0 => unit(difference(end, self.anchor)),
            None => field.bilinear(self.anchor).unwrap_or(NONE),
        };
        if way == NONE && left > far {
            return;
        }
        let pace = (1.0 - (lag - self.spacing) / (4.0 * self.spacing)).clamp(0.05, 1.0);
        if left <= far * pace {
            self.anchor = end;
            self.home = true;
            return;
        }
        let turn = unit(sum(self.heading, times(way, TURN * (20.0 * seconds))));
        // The directions are opposite and cancel out: it turns to the right.
        self.heading = if turn == NONE {
            right_of(self.heading)
        } else {
            turn
        };
        self.anchor = slide_on(field.ground, self.anchor, times(way, far * pace), WIDTH);
    }

    /// Returns the present place of a slot, for a unit of this radius.
    pub(crate) fn position_of(&self, ground: LayerGround<'_>, slot: u32, radius: f32) -> Vector {
        let slot = self.slots.get(slot as usize).copied().unwrap_or(NONE);
        let out = turned(slot, self.heading);
        let places = PARTS.map(|part| sum(self.anchor, times(out, part)));
        places
            .into_iter()
            .find(|&place| {
                is_clear_on(ground, place, radius) && sees(ground, self.anchor, place, radius)
            })
            .unwrap_or(self.anchor)
    }

    /// Returns a position in the formation's own frame: x forward, y to the
    /// right.
    pub(crate) fn frame(anchor: Vector, heading: Vector, position: Vector) -> Vector {
        let off = difference(position, anchor);
        [dot(off, heading), dot(off, right_of(heading))]
    }
}
