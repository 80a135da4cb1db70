//! Better than eight directions: toward the farthest cell down the field that
//! lies in a straight line of sight.
//!
//! ```text
//!   → → ↘ . . . #      The unit looks along the arrows for as long as it can
//!   . . . ↘ # . #      see the cell that they lead to, and goes straight there.
//!   u . . . ↓ . .      What it found is kept as its *aim*, so that each tick
//!   . # # # ↘ → → g    has only the next few arrows to follow.
//! ```
//!
//! Where the field says that the goal is in sight, the goal is the aim, and no
//! line is walked to see whether it still is.
//!
//! Sight ends where the ground is another than underfoot: a straight line
//! through a swamp is no short cut, and the field knew. On ground that changes
//! from cell to cell a unit goes by the middles of the cells.

use crate::cost::{Cost, CostMap};
use crate::grid::{Cell, Direction};
use crate::sight::{FINE, Sight};
use crate::world::Sample;

use super::reading::Field;
use super::ties::own_way;
use crate::vector::{Vector, cell_of, middle_of};

/// Steps that an aim moves on in one look.
const STEPS: usize = 8;
/// How far away an aim may be, in cells along either axis.
const FAR: i32 = 48;
/// How far away a goal may be to be looked for directly.
const GOAL_FAR: i32 = 320;
/// Looks between two doubts of an aim, and between two looks for the goal.
const SELDOM: u32 = 16;
const SELDOMER: u32 = 32;

/// Who looks ahead.
pub(super) struct Viewer {
    pub(super) position: Vector,
    pub(super) radius: f32,
    /// Ties are broken by it.
    pub(super) id: u32,
    /// A number that differs between units and grows by one each tick: it
    /// spreads the dear looks over time.
    pub(super) turn: u32,
}

/// What a unit that reads ahead remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lookahead {
    /// The cell that it goes toward; its own while it has none.
    pub(super) cell: Cell,
    /// The cell in which it last looked.
    from: Cell,
    /// Nothing farther was found there.
    stuck: bool,
    /// The last step on the way to the aim.
    step: Option<Direction>,
}

impl Lookahead {
    /// That of a unit which has not looked yet.
    pub(super) fn none(position: Vector) -> Self {
        let here = cell_of(position);
        Self {
            cell: here,
            from: here,
            stuck: false,
            step: None,
        }
    }

    /// Looks once more, from where the field says `sample`.
    pub(super) fn look(&mut self, field: &Field<'_>, sample: Sample, viewer: &Viewer, goal: Cell) {
        let Viewer {
            position,
            radius,
            id,
            turn,
        } = *viewer;
        let costs = field.world.costs();
        let here = cell_of(position);
        let moved = here != self.from;
        let doubt = turn.is_multiple_of(SELDOM);
        let open = matches!(sample, Sample::InSight(_));
        let seen = || field.world.goal_in_sight(field.order);
        let goal = if open { seen().unwrap_or(goal) } else { goal };
        if open && self.cell == goal {
            // Nothing can have come in between.
            self.from = here;
            return;
        }
        let goalward = open && moved || turn.is_multiple_of(SELDOMER);
        if !moved && self.stuck && !doubt && !goalward {
            return;
        }
        let eyes = Eyes::new(costs, position, radius, here);
        if goalward && self.cell != goal && near(here, goal, GOAL_FAR) && eyes.see(goal) {
            *self = Self {
                cell: goal,
                from: here,
                stuck: true,
                step: None,
            };
            return;
        }
        if !moved && self.stuck && !doubt {
            return;
        }
        self.from = here;
        if self.cell == here || (doubt && !eyes.see(self.cell)) {
            self.cell = here;
            self.step = None;
        }
        self.stuck = !self.advance(field, &eyes, id);
    }

    /// Keeps to the aim where the field says nothing, as long as it is in
    /// sight: a straight line may lead past what is loaded.
    pub(super) fn hold(&mut self, costs: &CostMap, position: Vector, radius: f32, turn: u32) {
        let here = cell_of(position);
        let doubt = turn.is_multiple_of(SELDOM);
        if doubt && !Eyes::new(costs, position, radius, here).see(self.cell) {
            self.cell = here;
        }
    }

    /// Moves the aim on as far as can be seen; false if it stayed, or if there
    /// is more to see than one look takes in.
    fn advance(&mut self, field: &Field<'_>, eyes: &Eyes<'_>, id: u32) -> bool {
        let mut row = [self.cell; STEPS + 1];
        let mut steps = [None; STEPS + 1];
        steps[0] = self.step;
        let mut seen = 0;
        for at in 0..STEPS {
            let Some(mut direction) = field.sample(row[at]).direction() else {
                break;
            };
            // Where ways part, the field turns.
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
        // The farthest first, then ever nearer. The next step is always good:
        // to its middle nothing is in the way, and from there the cost-to-go
        // is lower, so on any ground a unit gets on.
        let whole = seen;
        let least = usize::from(row[0] == eyes.home && seen > 0);
        while seen > least && !eyes.see(row[seen]) {
            seen = if seen > 2 { seen / 2 } else { seen - 1 };
        }
        (self.cell, self.step) = (row[seen], steps[seen]);
        seen > 0 && seen == whole
    }

    /// Where to go from a position; `None` without an aim.
    pub(super) fn target(&self, position: Vector) -> Option<Vector> {
        (self.cell != cell_of(position)).then(|| middle_of(self.cell))
    }

    /// What a state hash takes in.
    pub(super) fn words(&self) -> [u32; 6] {
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

/// A unit's view from where it stands.
struct Eyes<'w> {
    costs: &'w CostMap,
    home: Cell,
    from: [i32; 2],
    sight: Sight,
}

impl<'w> Eyes<'w> {
    fn new(costs: &'w CostMap, position: Vector, radius: f32, home: Cell) -> Self {
        let fine = |at: f32| (at * FINE as f32) as i32;
        // A little more than the radius, so that corners are not scraped; but
        // less than half a cell, or the field's own steps would not be seen.
        let wanted = fine(radius) + FINE / 16;
        let clearance = if radius < 0.5 {
            wanted.min(FINE / 2 - 1)
        } else {
            wanted
        };
        let highest = costs.get(home).unwrap_or(Cost::OPEN);
        Self {
            costs,
            home,
            from: position.map(fine),
            sight: Sight { clearance, highest },
        }
    }

    fn see(&self, cell: Cell) -> bool {
        let middle = |at: i32| at * FINE + FINE / 2;
        let to = [middle(cell.x), middle(cell.y)];
        self.suits(cell) && self.sight.along(self.costs, self.from, to)
    }

    /// Whether a cell's ground is that underfoot.
    fn suits(&self, cell: Cell) -> bool {
        self.costs.get(cell) == Some(self.sight.highest)
    }
}
