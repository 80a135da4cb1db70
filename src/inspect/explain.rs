//! Why an order's sample at a cell is what it is.

use super::fields::sector_of;
use super::subject::{costs, inside};
use crate::cost::{Cost, LinkId};
use crate::grid::{Cell, Direction, Sector};
use crate::order::Order;
use crate::portal::PortalId;
use crate::world::{FlowWorld, Inspection, OrderStage, Sample};

/// The sample of an order at a cell, and the reasons for it; `Display` writes
/// it as a few lines of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The cell in question.
    pub cell: Cell,
    /// The cost of the cell; `None` off the map.
    pub cost: Option<Cost>,
    /// The number of the cell's island; `None` for walls and off the map.
    pub island: Option<u32>,
    /// The cell's sector.
    pub sector: Sector,
    /// Whether the order has loaded this sector.
    pub is_loaded: bool,
    /// The stage of the order.
    pub stage: OrderStage,
    /// Whether an edit affects the order and the order has not been planned
    /// again since.
    pub is_stale: bool,
    /// The first of the order's goal cells.
    pub goal: Cell,
    /// The cost of the path from the cell to the goal, over loaded sectors, in
    /// fifths of an open straight step; `None` if no loaded path exists.
    pub cost_to_go: Option<u64>,
    /// The order's sample at the cell.
    pub sample: Sample,
    /// The reason for it.
    pub answer: Answer,
}

/// The reason for the sample of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// The cell is not on the map.
    OffMap,
    /// The cell is a goal.
    Arrived,
    /// The straight line to the goal is free.
    InSight {
        /// The visible goal.
        goal: Cell,
        /// The next cell for a unit that moves from cell to cell.
        next: Cell,
    },
    /// The order's field leads on.
    AlongField {
        /// The next cell.
        next: Cell,
        /// The place where the path leaves the sector; `None` if it ends
        /// inside.
        exit: Option<Exit>,
        /// The end of the path; `None` while the path is incomplete.
        end: Option<Cell>,
    },
    /// A link is entered here.
    IntoLink {
        /// The link.
        link: LinkId,
        /// The cell to which it leads from here; `None` if it is gone.
        next: Option<Cell>,
        /// The end of the path; `None` while the path is incomplete.
        end: Option<Cell>,
    },
    /// The unit stands in a wall and goes straight to the nearest open cell
    /// from which the goal can be reached.
    OutOfWall {
        /// The next cell.
        next: Cell,
    },
    /// The directions are being computed: more ticks are needed.
    Waiting,
    /// The goal can be reached, but the order has not loaded this cell's
    /// sector.
    OffRoute,
    /// The goal is on another island.
    OtherIsland {
        /// The number of the goal's island; `None` if the goal is a wall.
        goal: Option<u32>,
        /// The reachable cell nearest to the goal.
        nearest: Option<Cell>,
    },
    /// The unit stands in a wall, and no path leads out of it to the goal.
    ShutIn,
}

/// The place where a path leaves a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Exit {
    /// The last cell inside.
    pub from: Cell,
    /// The first cell beyond.
    pub to: Cell,
    /// The sector beyond.
    pub into: Sector,
    /// The portal through which the step leads; `None` for a diagonal step over
    /// the corner where four sectors meet, which belongs to no portal.
    pub portal: Option<PortalId>,
}

/// Explains an order's sample at a cell. This is for people, not for every
/// frame of a game: it walks the path to its end.
///
/// # Panics
/// If the order belongs to another world.
#[must_use]
pub fn explain(world: &FlowWorld, order: &Order, cell: Cell) -> Explanation {
    let sample = world.sample(order, cell);
    let (sector, layer) = (sector_of(cell), order.goal().layer());
    Explanation {
        cell,
        cost: costs(world, layer).get(cell),
        island: inside(world, layer).island(cell),
        sector,
        is_loaded: world.inspect().is_loaded(order, sector),
        stage: world.inspect().watch(order).stage(),
        is_stale: world.inspect().is_stale(order),
        goal: order.goal().cell(),
        cost_to_go: world.cost_to_go(order, cell),
        sample,
        answer: answer(world, order, cell, sample),
    }
}

fn answer(world: &FlowWorld, order: &Order, cell: Cell, sample: Sample) -> Answer {
    let layer = order.goal().layer();
    let Some(cost) = costs(world, layer).get(cell) else {
        return Answer::OffMap;
    };
    match sample {
        Sample::Arrived => Answer::Arrived,
        Sample::Go(direction) if cost.is_wall() => Answer::OutOfWall {
            next: cell.step(direction),
        },
        Sample::Go(direction) => match world.sees_goal(order, cell) {
            Some(goal) => Answer::InSight {
                goal,
                next: cell.step(direction),
            },
            None => along_field(world, order, cell, direction),
        },
        Sample::Link(link) => Answer::IntoLink {
            link,
            next: world.link(link).and_then(|link| link.end_of(cell)),
            end: world.destination(order, cell),
        },
        Sample::Waiting => Answer::Waiting,
        Sample::OffRoute => Answer::OffRoute,
        Sample::Unreachable if cost.is_wall() => Answer::ShutIn,
        Sample::Unreachable => {
            let goal = order.goal().cell();
            Answer::OtherIsland {
                goal: inside(world, layer).island(goal),
                nearest: world
                    .layer(layer)
                    .and_then(|view| view.nearest_reachable(cell, goal)),
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

/// Returns where the path from a cell leaves the cell's sector.
fn exit(world: &FlowWorld, order: &Order, cell: Cell) -> Option<Exit> {
    let sector = sector_of(cell);
    let mut from = cell;
    loop {
        let to = from.step(world.sample(order, from).direction()?);
        let into = sector_of(to);
        if into != sector {
            let inside = inside(world, order.goal().layer());
            let portal = portal_between(inside, sector, into, from);
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

/// Returns the portal between two sectors whose window contains this cell.
fn portal_between(
    inside: Inspection<'_>,
    sector: Sector,
    into: Sector,
    cell: Cell,
) -> Option<PortalId> {
    inside
        .portal_graph()
        .portals_of(sector)
        .find(|portal| portal.sectors.contains(&into) && portal.contains(cell))
        .map(|portal| portal.id)
}
