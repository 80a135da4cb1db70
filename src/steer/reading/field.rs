//! From a field of cells to a direction at a position.
//!
//! A field has one of eight directions in each cell. A unit stands somewhere in
//! a cell, between four cell middles:
//!
//! ```text
//!   a ─ ─ ─ b     nearest     the direction of a
//!   │  •    │     bilinear    the mean of the four, weighted by nearness
//!   │       │     lowest      the direction to one of the four: one that does not
//!   c ─ ─ ─ d                 lead to another of them, closest to the heading
//! ```
//!
//! A cell counts only if the step rule lets a unit step to it from the cell
//! under the unit, so nothing is blended across a wall; and only if it has a
//! direction, so cells that are not loaded do not count.

use crate::arrays::array_of;
use crate::grid::{Cell, Direction};
use crate::kernel::{step_price, weight};
use crate::order::Order;
use crate::sight::SightGround;
use crate::steer::walls::{GroupLayer, LayerGround};
use crate::vector::{NONE, Vector, cell_of, difference, dot, greater, sum, times, unit};
use crate::world::{FlowWorld, Sample, Sampler};

const EQUAL: f32 = 1e-3;
/// The weight of the present heading against the field's direction.
const HEADING: f32 = 0.3;

/// How an army's units read their direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// [`nearest`]: one of eight directions. The cheapest.
    Nearest,
    /// [`bilinear`]: smooth turns; may hesitate where the directions of
    /// neighbours diverge.
    Bilinear,
    /// [`lowest_of_four`]: the direction to one of four cells, without
    /// hesitation.
    LowestOfFour,
    /// Toward the farthest cell down the field in line of sight, found over a
    /// few ticks and remembered: straight lines, around corners. The right
    /// choice for marching units.
    #[default]
    Ahead,
    /// The field of the [`crowd`](crate::crowd), where there is one: around
    /// jams, in lanes, through another door. Elsewhere like
    /// [`Ahead`](Self::Ahead).
    #[cfg(feature = "crowd")]
    Crowd,
}

impl Reading {
    /// Whether units look ahead along the flow field.
    pub(crate) const fn looks_ahead(self) -> bool {
        !matches!(self, Self::Nearest | Self::Bilinear | Self::LowestOfFour)
    }

    /// Whether units go as the crowd leads them.
    pub(crate) const fn is_crowd(self) -> bool {
        #[cfg(feature = "crowd")]
        return matches!(self, Self::Crowd);
        #[cfg(not(feature = "crowd"))]
        false
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Field<'w> {
    pub(crate) world: &'w FlowWorld,
    pub(crate) order: &'w Order,
    pub(super) sampler: Sampler<'w>,
    /// The ground of the order's movement layer.
    pub(crate) ground: LayerGround<'w>,
}

impl<'w> Field<'w> {
    /// Returns the field of an order for a few questions.
    #[track_caller]
    pub(crate) fn new(world: &'w FlowWorld, order: &'w Order) -> Self {
        let ground = GroupLayer::of(world, order.goal().layer()).ground;
        Self::on(world, order, ground)
    }

    /// Returns the field of an order, whose ground is known.
    #[track_caller]
    pub(crate) fn on(world: &'w FlowWorld, order: &'w Order, ground: LayerGround<'w>) -> Self {
        Self {
            world,
            order,
            sampler: world.sampler(order),
            ground,
        }
    }

    #[inline]
    pub(crate) fn sample(&self, cell: Cell) -> Sample {
        self.sampler.sample(cell)
    }

    pub(super) fn price(&self, cell: Cell, step: Direction) -> Option<u32> {
        step_price(self.ground.costs, cell, step)
    }

    /// Returns the price of a step that the field leads along.
    pub(super) fn toll(&self, cell: Cell, step: Direction) -> Option<u32> {
        let cost = self.ground.cost(cell)?;
        Some(u32::from(cost.value()) * weight(step))
    }

    pub(super) fn is_open(&self, x: i32, y: i32) -> bool {
        !self.ground.is_wall(Cell::new(x, y))
    }

    fn says(&self, cell: Cell, position: Vector) -> Option<Vector> {
        match self.sample(cell) {
            Sample::Go(direction) => Some(direction.unit_vector()),
            Sample::Arrived | Sample::Link(_) => Some(unit(difference(cell.centre(), position))),
            _ => None,
        }
    }

    /// The answer of [`nearest`].
    pub(super) fn nearest(&self, position: Vector) -> Option<Vector> {
        self.says(cell_of(position), position)
    }

    /// The answer of [`bilinear`].
    pub(crate) fn bilinear(&self, position: Vector) -> Option<Vector> {
        let underfoot = self.nearest(position)?;
        let mut blend = NONE;
        for (cell, weight) in self.four_around(position).into_iter().flatten() {
            if let Some(says) = self.says(cell, position) {
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

    /// The answer of [`lowest_of_four`].
    pub(crate) fn lowest_of_four(
        &self,
        position: Vector,
        heading: Vector,
        id: u32,
    ) -> Option<Vector> {
        let underfoot = self.nearest(position)?;
        let four = self.four_around(position);
        let among = |cell: Cell| four.iter().flatten().any(|&(other, _)| other == cell);
        // The directions to the lowest cells, each with its score.
        let mut ways: [(f32, Vector); 4] = [(f32::MIN, NONE); 4];
        let mut count = 0;
        let heading = unit(heading);
        for &(cell, weight) in four.iter().flatten() {
            let leads_among = match self.sample(cell) {
                Sample::Go(direction) => among(cell.step(direction)),
                Sample::Arrived | Sample::Link(_) => false,
                _ => true,
            };
            if let Some(says) = self.says(cell, position).filter(|_| !leads_among) {
                // Through the cell, to the border where its direction leaves it.
                let out = sum(cell.centre(), times(says, 0.5));
                let way = match unit(difference(out, position)) {
                    NONE => says,
                    way => way,
                };
                ways[count] = (weight + HEADING * dot(way, heading), way);
                count += 1;
            }
        }
        let ways = &ways[..count];
        let best = ways
            .iter()
            .fold(f32::MIN, |best, &(score, _)| greater(score, best));
        let equal = || ways.iter().filter(|(score, _)| best - score < EQUAL);
        match equal().count() {
            0 => Some(underfoot),
            ties => equal().nth(id as usize % ties).map(|&(_, way)| way),
        }
    }

    /// Returns the four cells whose middles are nearest, row by row, with their
    /// weights; `None` for cells that the step rule does not join to the cell
    /// under the position.
    fn four_around(&self, position: Vector) -> [Option<(Cell, f32)>; 4] {
        let home = cell_of(position);
        // The north-west cell of the four.
        let corner = cell_of([position[0] - 0.5, position[1] - 0.5]);
        let base = corner.centre();
        let (right, down) = (position[0] - base[0], position[1] - base[1]);
        let weights = [
            (1.0 - right) * (1.0 - down),
            right * (1.0 - down),
            (1.0 - right) * down,
            right * down,
        ];
        array_of(|at| {
            let cell = Cell::new(corner.x + (at as i32 & 1), corner.y + (at as i32 >> 1));
            joined(self, home, cell).then_some((cell, weights[at]))
        })
    }
}

/// Returns the direction of the cell under a position, as a vector of length 1;
/// `None` where the cell has none.
///
/// In a wall it points to the way out.
///
/// # Panics
/// If the order belongs to another world.
#[must_use]
#[track_caller]
pub fn nearest(world: &FlowWorld, order: &Order, position: [f32; 2]) -> Option<[f32; 2]> {
    Field::new(world, order).nearest(position)
}

/// Returns the mean of the directions of the four nearest cells, weighted by
/// how near their middles are. Where they cancel out, returns the direction of
/// the cell under the position.
///
/// # Panics
/// If the order belongs to another world.
#[must_use]
#[track_caller]
pub fn bilinear(world: &FlowWorld, order: &Order, position: [f32; 2]) -> Option<[f32; 2]> {
    Field::new(world, order).bilinear(position)
}

/// Returns the direction toward the lowest of the four nearest cells: of those
/// that do not lead to another of the four, the one that is nearest to the
/// position and to the heading. Among equally good cells the id decides, so
/// that units alternate.
///
/// For fields that diverge before an obstacle: a unit keeps to the side on
/// which it began, and a crowd goes around on both sides.
///
/// # Panics
/// If the order belongs to another world.
#[must_use]
#[track_caller]
pub fn lowest_of_four(
    world: &FlowWorld,
    order: &Order,
    position: [f32; 2],
    heading: [f32; 2],
    id: u32,
) -> Option<[f32; 2]> {
    Field::new(world, order).lowest_of_four(position, heading, id)
}

/// Whether two cells are the same, or side by side and joined by the step rule.
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
