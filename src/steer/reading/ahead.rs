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
//! Where a corner ends the sight, the aim *leans* beyond the middle of its cell, up to where the
//! line touches the corner, like a string pulled tight. There it stays as far from dear ground
//! as from walls.
//!
//! Where no path costs less than the straight way to the goal, the goal itself is
//! tried: in each new cell if the field leads there at the same cost, and now and
//! then if it goes around something that the line may pass.
//!
//! Where costs change, a diagonal step from beside the middle of a cell may brush ground that is
//! dearer than at both of its ends. Then the aim is the corner through which the step leads.
//!
//! Sight ends where the ground has another cost than the cell under the unit: a
//! straight line through a swamp is no short cut, and the field already avoids
//! it. Where costs change from cell to cell, a unit goes from cell middle to
//! cell middle.

use super::field::Field;
use super::sight::{clearance, fine};
use super::ties::own_way;
use super::turn::{CHECK, Turn};
use crate::cost::Cost;
use crate::grid::{Cell, Direction};
use crate::sight::{FINE, Sight, SightGround, middle};
use crate::steer::walls::LayerGround;
use crate::vector::{Vector, cell_of};

/// Steps of a look, from the present aim on.
const STEPS: usize = 16;
/// After how many steps a look asks whether it still sees.
const REACHES: [usize; 4] = [2, 4, 8, STEPS];
/// The greatest distance of an aim, in cells.
const FAR: i32 = 1600;
/// An aim within this many cells is looked at in each new cell, by a unit that is alone in each
/// step; and it leans.
const CLOSE: i32 = 24;
/// Parts of a step in which an aim leans.
pub(crate) const LEAN_PARTS: i32 = 16;
/// The lean of an aim just inside its cell, at the corner by which a diagonal step enters it.
const CORNER: i32 = 1 - LEAN_PARTS / 2;
/// Turns between two looks for the goal; a check of the aim is due each time.
const GOAL: u32 = 2 * CHECK;

pub(crate) struct Viewer {
    pub(crate) position: Vector,
    pub(crate) radius: f32,
    pub(crate) id: u32,
    pub(crate) turn: Turn,
    /// Whether no others are around it, which would push it aside.
    pub(crate) is_alone: bool,
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
    /// How far beyond the middle of the cell the aim lies, toward the next one, in
    /// sixteenths: as far as the sight reaches past the corner that ends it.
    pub(crate) lean: [i8; 2],
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
            lean: [0; 2],
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
            is_alone,
        } = *viewer;
        let here = cell_of(position);
        let moved = here != self.from;
        let checks = turn.is_every(CHECK);
        // What no others push aside goes closely around corners, for which it looks all the time.
        let is_due = checks || (moved || is_alone) && near(here, self.cell, CLOSE);
        if self.stuck && !is_due {
            return;
        }
        let eyes = Eyes::new(field.ground, position, radius, here);
        // An aim on other ground, or at the corner before it, has not been seen.
        let was_seen = || eyes.suits(self.cell) && !self.is_at_corner();
        if self.stuck && !checks && !moved && !was_seen() {
            return;
        }
        let looks = turn.is_every(GOAL);
        if (moved || looks)
            && let Some(goal) = field.sampler.only_goal()
            && self.cell != goal
            && near(here, goal, FAR)
            && let Some(detour) = field.sampler.detour(here)
            && (detour == 0 || looks)
            && eyes.see(goal)
        {
            *self = Self {
                cell: goal,
                from: here,
                stuck: true,
                step: None,
                lean: [0; 2],
            };
            return;
        }
        self.from = here;
        if self.cell == here || (checks && !eyes.see(self.cell)) {
            self.cell = here;
            self.step = None;
        }
        // What is near may be hidden where what is far is not: now and then that is tried first.
        let reaches = if checks { &[STEPS] } else { &REACHES[..] };
        self.stuck = !self.advance(field, &eyes, id, reaches);
    }

    /// Whether the aim is the corner through which a diagonal step enters its cell.
    fn is_at_corner(&self) -> bool {
        self.step.is_some_and(|step| self.lean == corner_lean(step))
    }

    /// Keeps the aim where the field has no direction, as long as the aim is in
    /// sight and in another cell: a straight line may lead past the loaded sectors.
    pub(crate) fn keep(
        &mut self,
        ground: LayerGround<'_>,
        position: Vector,
        radius: f32,
        turn: Turn,
    ) {
        let here = cell_of(position);
        let checks = turn.is_every(CHECK);
        let is_hidden = || !Eyes::new(ground, position, radius, here).see(self.cell);
        if self.cell == here || checks && is_hidden() {
            self.cell = here;
            self.lean = [0; 2];
        }
    }

    /// Moves the aim forward as far as the unit can see. Returns false if the
    /// aim stayed, or if not all of this look's steps were in sight.
    fn advance(&mut self, field: &Field<'_>, eyes: &Eyes<'_>, id: u32, reaches: &[usize]) -> bool {
        let mut row = [self.cell; STEPS + 1];
        let mut steps = [None; STEPS + 1];
        steps[0] = self.step;
        // The next step from the unit's own cell is always good: nothing lies between the unit
        // and the middle of that cell, and the cost-to-go there is lower, so the unit makes
        // progress on any ground.
        let least = usize::from(row[0] == eyes.home);
        let (mut seen, mut walked, mut ends) = (0, 0, false);
        // Twice as far each time, until the sight ends.
        for &reach in reaches {
            while walked < reach
                && let Some(direction) = onward(field, row[walked], steps[walked], id)
            {
                let next = row[walked].step(direction);
                let first = row[walked] == eyes.home;
                if !first && (!near(eyes.home, next, FAR) || !eyes.suits(next)) {
                    break;
                }
                walked += 1;
                (row[walked], steps[walked]) = (next, Some(direction));
            }
            if walked > least && !eyes.see(row[walked]) {
                ends = true;
                seen = last_seen(seen.max(least), walked, |at| eyes.see(row[at]));
                break;
            }
            seen = walked;
            if walked < reach {
                break;
            }
        }
        self.cell = row[seen];
        self.step = steps[seen];
        self.lean = [0; 2];
        if ends
            && near(eyes.home, self.cell, CLOSE)
            && eyes.suits(self.cell)
            && let Some(direction) = steps[seen + 1]
        {
            let (dx, dy) = direction.offset();
            let lean = |part: usize| [dx, dy].map(|along| (along * part as i32) as i8);
            let is_seen = |part: usize| {
                let to = point(self.cell, lean(part));
                eyes.sight.wary(&eyes.ground, eyes.from, to)
            };
            self.lean = lean(last_seen(0, LEAN_PARTS as usize, is_seen));
        }
        if seen == 1
            && least == 1
            && let Some(direction) = steps[1]
            && direction.is_diagonal()
            && self.lean == [0; 2]
            && !eyes.go_freely(self.cell)
        {
            // Through the corner: beside it, dearer ground than at both ends begins.
            self.lean = corner_lean(direction);
        }
        seen > 0 && !ends
    }

    /// Returns the point toward which a unit goes; `None` without an aim.
    pub(crate) fn target(&self, position: Vector) -> Option<Vector> {
        (self.cell != cell_of(position) || self.lean != [0; 2])
            .then(|| point(self.cell, self.lean).map(|at| at as f32 / FINE as f32))
    }

    pub(crate) fn hash_words(&self) -> [u32; 6] {
        let Self {
            cell,
            from,
            stuck,
            step,
            lean,
        } = *self;
        let bits = |value: i32| value as u32;
        [
            bits(cell.x),
            bits(cell.y),
            bits(from.x),
            bits(from.y),
            u32::from(stuck) | u32::from(u16::from_le_bytes(lean.map(i8::cast_unsigned))) << 16,
            step.map_or(8, |step| step as u32),
        ]
    }
}

/// Returns the direction in which a unit goes on from a cell, after a step.
fn onward(field: &Field<'_>, cell: Cell, step: Option<Direction>, id: u32) -> Option<Direction> {
    let says = field.sample(cell).direction()?;
    // A tie is possible only where the direction changes.
    let goes_on = step == Some(says);
    Some(if goes_on {
        says
    } else {
        own_way(field, cell, says, id)
    })
}

/// Returns the lean of an aim at the corner by which a diagonal step enters its cell.
fn corner_lean(step: Direction) -> [i8; 2] {
    let (dx, dy) = step.offset();
    [dx, dy].map(|along| (along * CORNER) as i8)
}

/// Returns the last number from `seen` on, below `blind`, that is in sight, if sight ends once.
fn last_seen(mut seen: usize, mut blind: usize, see: impl Fn(usize) -> bool) -> usize {
    while blind > seen + 1 {
        let at = seen.midpoint(blind);
        if see(at) {
            seen = at;
        } else {
            blind = at;
        }
    }
    seen
}

/// Returns the point that leans from the middle of a cell, in the units of a [`Sight`].
fn point(cell: Cell, lean: [i8; 2]) -> [i32; 2] {
    let middle = middle(cell);
    [0, 1].map(|axis| middle[axis] + i32::from(lean[axis]) * (FINE / LEAN_PARTS))
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
        let clearance = clearance(radius);
        let highest = ground.cost(home).unwrap_or(Cost::OPEN);
        Self {
            ground,
            home,
            from: position.map(fine),
            sight: Sight { clearance, highest },
        }
    }

    fn see(&self, cell: Cell) -> bool {
        self.suits(cell) && self.sight.over(&self.ground, self.from, middle(cell))
    }

    /// Whether the line to the middle of a cell crosses no ground that costs more than at both
    /// ends.
    fn go_freely(&self, cell: Cell) -> bool {
        let there = self.ground.cost(cell).unwrap_or(Cost::WALL);
        let sight = Sight {
            clearance: 0,
            highest: self.sight.highest.max(there),
        };
        sight.over(&self.ground, self.from, middle(cell))
    }

    /// Whether a cell's cost equals that of the cell under the unit.
    fn suits(&self, cell: Cell) -> bool {
        self.ground.cost(cell) == Some(self.sight.highest)
    }
}
