//! Why an order says to a unit at a cell what it says.

use super::fields::sector_of;
use crate::cost::Cost;
use crate::grid::{Cell, Direction, Sector};
use crate::order::Order;
use crate::portal::PortalId;
use crate::world::{FlowWorld, OrderStage, Sample};

/// What an order says to a unit at a cell, and why; its `Display` says it in a
/// few lines of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The cell that was asked about.
    pub cell: Cell,
    /// What a step out of it costs; `None` off the map.
    pub cost: Option<Cost>,
    /// The number of its island; `None` for walls and off the map.
    pub island: Option<u32>,
    /// Its sector.
    pub sector: Sector,
    /// Whether the order has loaded that sector.
    pub is_loaded: bool,
    /// How far the order has come.
    pub stage: OrderStage,
    /// Whether an edit concerns the order and it has not been planned anew since.
    pub is_stale: bool,
    /// The cell that the goal asks for first.
    pub goal: Cell,
    /// The price of the way from the cell to the goal, over loaded sectors, in
    /// fifths of an open straight step; `None` where no way is loaded.
    pub cost_to_go: Option<u64>,
    /// What the order says there.
    pub sample: Sample,
    /// Why.
    pub answer: Answer,
}

/// Why an order says what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// The cell is not on the map.
    OffMap,
    /// The cell is a goal.
    Arrived,
    /// The straight way to the goal is free.
    InSight {
        /// The goal that is seen.
        goal: Cell,
        /// The next cell for a unit that moves from cell to cell.
        next: Cell,
    },
    /// The order's field leads on.
    AlongField {
        /// The next cell.
        next: Cell,
        /// Where the way leaves the sector; `None` where it ends inside.
        exit: Option<Exit>,
        /// Where the way ends; `None` while it is broken off.
        end: Option<Cell>,
    },
    /// The unit stands in a wall and is led straight to the nearest open cell
    /// from which the goal can be reached.
    OutOfWall {
        /// The next cell.
        next: Cell,
    },
    /// The field is not there yet, but the way out of the sector is known.
    FirstDirection {
        /// The next cell.
        next: Cell,
    },
    /// The directions are being made: more ticks are needed.
    Waiting,
    /// The goal can be reached, but the order does not serve this cell.
    OffRoute,
    /// The goal is on another island.
    OtherIsland {
        /// The number of the goal's island; `None` if the goal is a wall.
        goal: Option<u32>,
        /// The cell nearest to the goal that can be reached.
        nearest: Option<Cell>,
    },
    /// The unit stands in a wall, and no way leads out of it to the goal.
    ShutIn,
}

/// Where a way leaves a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exit {
    /// The last cell inside.
    pub from: Cell,
    /// The first cell beyond.
    pub to: Cell,
    /// The sector beyond.
    pub into: Sector,
    /// The portal that the step leads through; `None` for a diagonal step over
    /// the corner where four sectors meet, which is no portal's.
    pub portal: Option<PortalId>,
}

/// Explains what an order says to a unit at a cell. For people, not for every
/// frame of a game: it walks the way to its end.
///
/// # Panics
/// If the order is another world's.
#[must_use]
pub fn explain(world: &FlowWorld, order: &Order, cell: Cell) -> Explanation {
    let sample = world.sample(order, cell);
    let sector = sector_of(cell);
    Explanation {
        cell,
        cost: world.costs().get(cell),
        island: world.island(cell),
        sector,
        is_loaded: world.is_loaded(order, sector),
        stage: world.watch(order).stage(),
        is_stale: world.is_stale(order),
        goal: world.goal(order).cell(),
        cost_to_go: world.cost_to_go(order, cell),
        sample,
        answer: answer(world, order, cell, sample),
    }
}

fn answer(world: &FlowWorld, order: &Order, cell: Cell, sample: Sample) -> Answer {
    let Some(cost) = world.costs().get(cell) else {
        return Answer::OffMap;
    };
    match sample {
        Sample::Arrived => Answer::Arrived,
        Sample::Go(direction) if cost.is_wall() => Answer::OutOfWall {
            next: cell.step(direction),
        },
        Sample::Go(direction) => along_field(world, order, cell, direction),
        Sample::InSight(direction) => match world.goal_in_sight(order) {
            Some(goal) => Answer::InSight {
                goal,
                next: cell.step(direction),
            },
            None => along_field(world, order, cell, direction),
        },
        Sample::Toward(direction) => Answer::FirstDirection {
            next: cell.step(direction),
        },
        Sample::Waiting => Answer::Waiting,
        Sample::OffRoute => Answer::OffRoute,
        Sample::Unreachable if cost.is_wall() => Answer::ShutIn,
        Sample::Unreachable => {
            let goal = world.goal(order).cell();
            Answer::OtherIsland {
                goal: world.island(goal),
                nearest: world.nearest_reachable(cell, goal),
            }
        }
    }
}

fn along_field(world: &FlowWorld, order: &Order, cell: Cell, direction: Direction) -> Answer {
    Answer::AlongField {
        next: cell.step(direction),
        exit: exit(world, order, cell),
        end: world.destination(order, cell),
    }
}

/// Where the way from a cell leaves the cell's sector.
fn exit(world: &FlowWorld, order: &Order, cell: Cell) -> Option<Exit> {
    let sector = sector_of(cell);
    let mut from = cell;
    loop {
        let to = from.step(world.sample(order, from).direction()?);
        let into = sector_of(to);
        if into != sector {
            let portal = portal_between(world, sector, into, from);
            return Some(Exit {
                from,
                to,
                into,
                portal,
            });
        }
        from = to;
    }
}

/// The portal between two sectors with this cell in its window.
fn portal_between(world: &FlowWorld, sector: Sector, into: Sector, cell: Cell) -> Option<PortalId> {
    let mut portals = world.portal_graph().portals_of(sector);
    let found = portals.find(|portal| portal.sectors.contains(&into) && portal.contains(cell));
    found.map(|portal| portal.id)
}
