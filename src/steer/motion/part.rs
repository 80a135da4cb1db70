//! The part of an army that a step looks at: the units that are awake, and what is around
//! them.
//!
//! ```text
//!   · · · ○ ○ ○ · ·     ●  awake                    decides, moves
//!   · ○ ○ ◍ ◍ ○ ○ ·     ◍  near one                 decides anew
//!   · ○ ◍ ● ● ◍ ○ ·     ○  may touch such a one     may be pushed
//!   · ○ ○ ◍ ◍ ○ ○ ·     ·  may touch one of those   is only seen
//! ```
//!
//! If one that may only be pushed was pushed, the step is made again with as many rings of
//! them as there are rounds of pushes: no push comes farther.

use std::collections::BTreeMap;

use crate::steer::groups::Groups;
use crate::steer::units::{Roster, Unit, UnitState};
use crate::vector::{Vector, floor, greater, lesser};

/// What a step does with a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// It is there for others to see; it sleeps on.
    #[default]
    Seen,
    /// It may be pushed, but wants what it wanted before.
    Pushed,
    /// It decides.
    Decides,
}

/// How far units see and feel each other in a step, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distances {
    /// The distance within which a unit on its way sees others.
    pub(super) sight: f32,
    /// The distance within which two units may come to touch in the step.
    pub(super) contact: f32,
}

/// The indices of the units that a partial step visits.
#[derive(Default)]
pub(super) struct Part {
    members: Vec<(u32, Role)>,
    /// The role of each unit of the roster, once it was found; all `None` between two
    /// choices.
    roles: Vec<Option<Role>>,
}

/// What is added to distances, for rounding.
const SLACK: f32 = 0.01;
/// The side of the squares whose units are taken together.
const SQUARE: f32 = 4.0;
/// A part with more than this share of all units costs as much as all of them.
const MOST_SHARE: usize = 2;
/// Nor is more than this many times each unit looked for.
const MOST_VISITS: usize = 2;

impl Part {
    /// The units, by index.
    pub(super) fn members(&self) -> &[(u32, Role)] {
        &self.members
    }

    /// Chooses the units around those that are awake, with some rings of units that may be
    /// pushed. Returns whether they are few enough to be worth it.
    pub(super) fn choose(
        &mut self,
        roster: &Roster,
        groups: &Groups,
        far: Distances,
        rings: usize,
    ) -> bool {
        let count = roster.units().len();
        self.members.clear();
        let Some(awake) = roster.awake().stirring() else {
            return false;
        };
        if awake.len() > count / MOST_SHARE {
            return false;
        }
        self.roles.resize(count, None);
        let decided_at = |unit: &Unit| match unit.state {
            UnitState::Arrived => far.contact,
            _ => far.sight,
        };
        let stands = groups.all().iter().any(|group| group.target.stands());
        let decided = if stands { far.sight } else { far.contact };
        let pushed = decided + rings as f32 * (far.contact + SLACK);
        let seen = greater(pushed + far.contact, decided + far.sight);
        let mut visited = 0;
        for square in squares(roster, awake) {
            square.visit(roster, seen + SLACK, |index, unit, away| {
                visited += 1;
                let role = if away <= decided_at(unit) + SLACK {
                    Role::Decides
                } else if away <= pushed + SLACK {
                    Role::Pushed
                } else {
                    Role::Seen
                };
                let known = &mut self.roles[index];
                if known.is_none() {
                    self.members.push((index as u32, role));
                }
                *known = (*known).max(Some(role));
            });
            // Squares that see far overlap: then all is as cheap.
            if visited > MOST_VISITS * count {
                break;
            }
        }
        let is_cut = visited > MOST_VISITS * count;
        for (index, role) in &mut self.members {
            *role = self.roles[*index as usize].take().unwrap_or_default();
        }
        let awake = awake.iter().filter_map(|&(id, _)| roster.index(id));
        self.members
            .extend(awake.map(|index| (index as u32, Role::Decides)));
        self.members.sort_unstable();
        self.members.dedup();
        !is_cut && self.members.len() <= count / MOST_SHARE
    }
}

/// The corners of a rectangle around places of units.
struct Square {
    low: Vector,
    high: Vector,
}

/// Returns the places at which units are awake, and those that they have left, by squares.
fn squares(roster: &Roster, awake: &[(u32, Vector)]) -> impl Iterator<Item = Square> {
    let mut squares: BTreeMap<[i32; 2], Square> = BTreeMap::new();
    for &(id, before) in awake {
        let now = roster.get(id).map(|unit| unit.position);
        for place in [Some(before), now].into_iter().flatten() {
            let key = place.map(|at| floor(at / SQUARE));
            let known = squares.entry(key).or_insert(Square {
                low: place,
                high: place,
            });
            known.low = [0, 1].map(|axis| lesser(known.low[axis], place[axis]));
            known.high = [0, 1].map(|axis| greater(known.high[axis], place[axis]));
        }
    }
    squares.into_values()
}

impl Square {
    /// Calls `visit` with each sleeper within `far` of the square, along both axes, and
    /// with how far away it is.
    fn visit(&self, roster: &Roster, far: f32, mut visit: impl FnMut(usize, &Unit, f32)) {
        let low = self.low.map(|at| at - far);
        let high = self.high.map(|at| at + far);
        roster.awake().visit_sleepers(low, high, |id| {
            let Some(index) = roster.index(id) else {
                return;
            };
            let unit = &roster.units()[index];
            let mut away = 0.0;
            for axis in 0..2 {
                let at = unit.position[axis];
                away = greater(away, greater(self.low[axis] - at, at - self.high[axis]));
            }
            if away <= far {
                visit(index, unit, away);
            }
        });
    }
}
