//! Reading ahead: toward the farthest cell down the field that lies in line of
//! sight, in more than eight directions.
//!
//! ```text
//!   → → ↘ . . . #      The unit follows the arrows for as long as it can see
//!   . . . ↘ # . #      the cell that they lead to, and goes straight there.
//!   u . . . ↓ . .      The found cell is kept as its *aim*, so that each tick
//!   . # # # ↘ → → g    has only the next few arrows to follow.
//! ```
//!
//! Where no path costs less than the straight way to the goal, the goal itself is
//! tried: in each new cell if the field leads there at the same cost, and now and
//! then if it goes around something that the line may pass.
//!
//! Sight ends where the ground has another cost than the cell under the unit: a
//! straight line through a swamp is no short cut, and the field already avoids
//! it. Where costs change from cell to cell, a unit goes from cell middle to
//! cell middle.

use super::field::Field;
use super::sight::fine;
use super::ties::own_way;
use super::turn::{CHECK, Turn};
use crate::cost::Cost;
use crate::grid::{Cell, Direction};
use crate::sight::{FINE, Sight, SightGround};
use crate::steer::walls::LayerGround;
use crate::vector::{Vector, cell_of};

const STEPS: usize = 8;
const FAR: i32 = 48;
/// The greatest distance at which the goal itself is tried, in cells.
const GOAL_FAR: i32 = 320;
/// Turns between two looks for the goal; a check of the aim is due each time.
const GOAL: u32 = 2 * CHECK;

pub(crate) struct Viewer {
    pub(crate) position: Vector,
    pub(crate) radius: f32,
    pub(crate) id: u32,
    pub(crate) turn: Turn,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lookahead {
    /// The cell toward which it goes; its own cell if it has no aim.
    pub(crate) cell: Cell,
    /// The cell in which it last looked.
    pub(crate) from: Cell,
    /// Whether the last look from there found nothing farther.
    pub(crate) stuck: bool,
    /// The last step of the path to the aim.
    pub(crate) step: Option<Direction>,
}

impl Lookahead {
    /// Returns the memory of a unit that has not looked yet.
    pub(crate) fn none(position: Vector) -> Self {
        let here = cell_of(position);
        Self {
            cell: here,
            from: here,
            stuck: false,
            step: None,
        }
    }

    /// Whether the last look left it without an aim.
    pub(crate) fn is_none(&self) -> bool {
        self.cell == self.from
    }

    /// Updates the aim, from a cell with a direction.
    pub(crate) fn look(&mut self, field: &Field<'_>, viewer: &Viewer) {
        let Viewer {
            position,
            radius,
            id,
            turn,
        } = *viewer;
        let here = cell_of(position);
        let moved = here != self.from;
        let checks = turn.is_every(CHECK);
        if !moved && self.stuck && !checks {
            return;
        }
        let eyes = Eyes::new(field.ground, position, radius, here);
        let looks = turn.is_every(GOAL);
        if (moved || looks)
            && let Some((goal, is_level)) = field.world.straight_goal(field.order, here)
            && (is_level || looks)
            && self.cell != goal
            && near(here, goal, GOAL_FAR)
            && eyes.see(goal)
        {
            *self = Self {
                cell: goal,
                from: here,
                stuck: true,
                step: None,
            };
            return;
        }
        self.from = here;
        if self.cell == here || (checks && !eyes.see(self.cell)) {
            self.cell = here;
            self.step = None;
        }
        self.stuck = !self.advance(field, &eyes, id);
    }

    /// Keeps the aim where the field has no direction, as long as the aim is in
    /// sight: a straight line may lead past the loaded sectors.
    pub(crate) fn keep(
        &mut self,
        ground: LayerGround<'_>,
        position: Vector,
        radius: f32,
        turn: Turn,
    ) {
        let here = cell_of(position);
        let checks = turn.is_every(CHECK);
        if checks && !Eyes::new(ground, position, radius, here).see(self.cell) {
            self.cell = here;
        }
    }

    /// Moves the aim forward as far as the unit can see. Returns false if the
    /// aim stayed, or if not all of this look's steps were in sight.
    fn advance(&mut self, field: &Field<'_>, eyes: &Eyes<'_>, id: u32) -> bool {
        let mut row = [self.cell; STEPS + 1];
        let mut steps = [None; STEPS + 1];
        steps[0] = self.step;
        let mut seen = 0;
        for at in 0..STEPS {
            let Some(mut direction) = field.sample(row[at]).direction() else {
                break;
            };
            // A tie is possible only where the direction changes.
            if steps[at] != Some(direction) {
                direction = own_way(field, row[at], direction, id);
            }
            steps[at + 1] = Some(direction);
            let next = row[at].step(direction);
            let first = row[at] == eyes.home;
            if !first && (!near(eyes.home, next, FAR) || !eyes.suits(next)) {
                break;
            }
            row[at + 1] = next;
            seen = at + 1;
        }
        // Tries the farthest cell first, then closer ones. The next step from
        // the unit's own cell is always good: nothing lies between the unit and
        // the middle of that cell, and the cost-to-go there is lower, so the
        // unit makes progress on any ground.
        let whole = seen;
        let least = usize::from(row[0] == eyes.home && seen > 0);
        while seen > least && !eyes.see(row[seen]) {
            seen = if seen > 2 { seen / 2 } else { seen - 1 };
        }
        self.cell = row[seen];
        self.step = steps[seen];
        seen > 0 && seen == whole
    }

    /// Returns the point toward which a unit goes; `None` without an aim.
    pub(crate) fn target(&self, position: Vector) -> Option<Vector> {
        (self.cell != cell_of(position)).then(|| self.cell.centre())
    }

    pub(crate) fn hash_words(&self) -> [u32; 6] {
        let Self {
            cell,
            from,
            stuck,
            step,
        } = *self;
        let bits = |value: i32| value as u32;
        [
            bits(cell.x),
            bits(cell.y),
            bits(from.x),
            bits(from.y),
            stuck.into(),
            step.map_or(8, |step| step as u32),
        ]
    }
}

fn near(one: Cell, two: Cell, cells: i32) -> bool {
    (one.x - two.x).abs() <= cells && (one.y - two.y).abs() <= cells
}

/// A unit's view from its position.
struct Eyes<'w> {
    ground: LayerGround<'w>,
    home: Cell,
    from: [i32; 2],
    sight: Sight,
}

impl<'w> Eyes<'w> {
    fn new(ground: LayerGround<'w>, position: Vector, radius: f32, home: Cell) -> Self {
        // Slightly more than the radius, so that corners are not scraped; but
        // less than half a cell, or the field's own steps would be out of
        // sight.
        let wanted = fine(radius) + FINE / 16;
        let clearance = if radius < 0.5 {
            wanted.min(FINE / 2 - 1)
        } else {
            wanted
        };
        let highest = ground.cost(home).unwrap_or(Cost::OPEN);
        Self {
            ground,
            home,
            from: position.map(fine),
            sight: Sight { clearance, highest },
        }
    }

    fn see(&self, cell: Cell) -> bool {
        let middle = |at: i32| at * FINE + FINE / 2;
        let to = [middle(cell.x), middle(cell.y)];
        self.suits(cell) && self.sight.over(&self.ground, self.from, to)
    }

    /// Whether a cell's cost equals that of the cell under the unit.
    fn suits(&self, cell: Cell) -> bool {
        self.ground.cost(cell) == Some(self.sight.highest)
    }
}
