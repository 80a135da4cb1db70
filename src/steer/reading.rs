//! From a field of cells to a direction at a position.
//!
//! A field says one of eight directions a cell. A unit stands somewhere in a
//! cell, between four cell middles:
//!
//! ```text
//!   a ─ ─ ─ b     nearest     what a says
//!   │  •    │     bilinear    the four, weighed by nearness
//!   │       │     lowest      the one that no other of the four is led to from,
//!   c ─ ─ ─ d                 and among such the one nearest to the heading
//! ```
//!
//! A cell has a say only if a unit may step to it from the cell underfoot, so
//! nothing is blended across a wall; and only if it says a direction, so
//! nothing is blended in from where no tile is loaded.

use crate::grid::{Cell, Direction};
use crate::kernel::step_price;
use crate::order::Order;
use crate::world::{FlowWorld, Sample};

use crate::vector::{NONE, Vector, cell_of, difference, dot, middle_of, sum, times, unit};

/// Scores closer than this count as equal.
const EQUAL: f32 = 1e-3;
/// How much the present heading counts against what the field says.
const HEADING: f32 = 0.3;

/// How an army's units read their direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// [`nearest`]: one of eight directions. The cheapest.
    Nearest,
    /// [`bilinear`]: smooth turns; may hesitate where neighbours part.
    Bilinear,
    /// [`lowest_of_four`]: one of eight, but without hesitation.
    LowestOfFour,
    /// Toward the farthest cell down the field in a straight line of sight,
    /// found a few steps a tick and remembered: straight ways, round corners.
    /// What marching units want.
    #[default]
    Ahead,
    /// The field of the [`crowd`](crate::crowd), where there is one: round jams,
    /// in lanes, through the other door. Elsewhere as [`Ahead`](Self::Ahead).
    #[cfg(feature = "crowd")]
    Crowd,
}

impl Reading {
    /// Whether units look ahead along the plain field.
    pub(super) const fn looks_ahead(self) -> bool {
        !matches!(self, Self::Nearest | Self::Bilinear | Self::LowestOfFour)
    }
}

/// One order's field, as a unit reads it.
#[derive(Clone, Copy)]
pub(super) struct Field<'w> {
    pub(super) world: &'w FlowWorld,
    pub(super) order: &'w Order,
}

impl Field<'_> {
    pub(super) fn sample(&self, cell: Cell) -> Sample {
        match self.world.sample(self.order, cell) {
            // Rather a good step now than the best later.
            Sample::Toward(direction) => Sample::Go(direction),
            sample => sample,
        }
    }

    /// What the step rule asks for a step.
    pub(super) fn price(&self, cell: Cell, step: Direction) -> Option<u32> {
        step_price(self.world.costs(), cell, step)
    }

    pub(super) fn is_open(&self, x: i32, y: i32) -> bool {
        let cost = self.world.costs().get(Cell::new(x, y));
        cost.is_some_and(|cost| !cost.is_wall())
    }

    /// What a cell says to a unit at a position.
    fn says(&self, cell: Cell, position: Vector) -> Option<Vector> {
        match self.sample(cell) {
            Sample::Go(direction) | Sample::InSight(direction) => Some(direction.unit_vector()),
            Sample::Arrived => Some(unit(difference(middle_of(cell), position))),
            _ => None,
        }
    }
}

/// What the cell underfoot says, as a vector of length 1; `None` where it says
/// no direction.
///
/// In a wall it is the way out.
///
/// # Panics
/// If the order is another world's.
#[must_use]
pub fn nearest(world: &FlowWorld, order: &Order, position: [f32; 2]) -> Option<[f32; 2]> {
    Field { world, order }.says(cell_of(position), position)
}

/// What the four nearest cells say, weighed by how near their middles are.
/// Where they cancel out, what the cell underfoot says.
///
/// # Panics
/// If the order is another world's.
#[must_use]
pub fn bilinear(world: &FlowWorld, order: &Order, position: [f32; 2]) -> Option<[f32; 2]> {
    let field = Field { world, order };
    let underfoot = field.says(cell_of(position), position)?;
    let mut blend = NONE;
    for (cell, weight) in four_around(&field, position).into_iter().flatten() {
        if let Some(says) = field.says(cell, position) {
            blend = sum(blend, times(says, weight));
        }
    }
    let blended = unit(blend);
    Some(if dot(blend, blend) < 0.01 {
        underfoot
    } else {
        blended
    })
}

/// The way by the lowest of the four nearest cells: of those that do not lead to
/// another of the four, the one that is nearest, and nearest to the heading.
/// Among equals every other unit takes the other, by its id.
///
/// For fields that part left of an obstacle: a unit keeps to the side that it
/// has begun with, and a crowd goes round on both.
///
/// # Panics
/// If the order is another world's.
#[must_use]
pub fn lowest_of_four(
    world: &FlowWorld,
    order: &Order,
    position: [f32; 2],
    heading: [f32; 2],
    id: u32,
) -> Option<[f32; 2]> {
    let field = Field { world, order };
    let home = cell_of(position);
    let underfoot = field.says(home, position)?;
    let four = four_around(&field, position);
    let among = |cell: Cell| four.iter().flatten().any(|&(other, _)| other == cell);
    // The ways to the lowest cells, each with how well it suits.
    let mut ways: [(f32, Vector); 4] = [(f32::MIN, NONE); 4];
    let mut count = 0;
    let heading = unit(heading);
    for &(cell, weight) in four.iter().flatten() {
        let leads_among = match field.sample(cell) {
            Sample::Go(direction) | Sample::InSight(direction) => among(cell.step(direction)),
            Sample::Arrived => false,
            _ => true,
        };
        if let Some(says) = field.says(cell, position).filter(|_| !leads_among) {
            // Through the cell, toward where it is left.
            let out = sum(middle_of(cell), times(says, 0.5));
            let way = unit(difference(out, position));
            let way = if way == NONE { says } else { way };
            ways[count] = (weight + HEADING * dot(way, heading), way);
            count += 1;
        }
    }
    let best = ways[..count].iter().fold(
        f32::MIN,
        |best, &(score, _)| {
            if score > best { score } else { best }
        },
    );
    let equal = || {
        ways[..count]
            .iter()
            .filter(|(score, _)| best - score < EQUAL)
    };
    match equal().count() {
        0 => Some(underfoot),
        ties => equal().nth(id as usize % ties).map(|&(_, way)| way),
    }
}

/// The four cells whose middles are nearest, row by row, with their weights;
/// `None` for those that the step rule does not join to the cell underfoot.
fn four_around(field: &Field<'_>, position: Vector) -> [Option<(Cell, f32)>; 4] {
    let home = cell_of(position);
    // The north-west of the four.
    let corner = cell_of([position[0] - 0.5, position[1] - 0.5]);
    let base = middle_of(corner);
    let (right, down) = (position[0] - base[0], position[1] - base[1]);
    let weights = [
        (1.0 - right) * (1.0 - down),
        right * (1.0 - down),
        (1.0 - right) * down,
        right * down,
    ];
    std::array::from_fn(|at| {
        let cell = Cell::new(corner.x + (at as i32 & 1), corner.y + (at as i32 >> 1));
        joined(field, home, cell).then_some((cell, weights[at]))
    })
}

/// Whether the step rule joins two cells that are the same or side by side.
fn joined(field: &Field<'_>, home: Cell, cell: Cell) -> bool {
    let (dx, dy) = (cell.x - home.x, cell.y - home.y);
    match Direction::toward(dx, dy) {
        None => true,
        Some(direction) => {
            field.is_open(cell.x, cell.y)
                && (!direction.is_diagonal()
                    || (field.is_open(home.x + dx, home.y) && field.is_open(home.x, home.y + dy)))
        }
    }
}
