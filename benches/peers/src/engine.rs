//! The operations that the course requires of an engine.

use std::time::{Duration, Instant};

use flowtiles::Cell;

use crate::ground::Ground;

/// The number of units of a group that were served.
pub struct Served {
    /// The units tried before the time was up.
    pub tried: usize,
    /// The units that got an answer.
    pub answered: usize,
}

/// One engine with its settings, on one map.
///
/// The callers time the methods, except for [`build`](Self::build), which must
/// exclude the construction of the engine's own map from its time.
pub trait Engine: Sized {
    /// What an order leaves with the unit.
    type Order;
    /// What a unit must know to look up its direction.
    type Probe;
    /// Whether building and editing use several threads.
    const THREADS: bool = false;
    /// Whether the engine is ready after an edit. If not, edits are not timed.
    const EDITS: bool = true;

    /// Prepares the engine for orders. The construction of its own map of costs
    /// is not timed; everything after it is.
    fn build(ground: &Ground) -> Result<(Self, Duration), String>;

    /// Frees what ended orders held. Called between orders, and not timed.
    fn tidy(&mut self) {}

    /// Gives a unit an order: everything up to its first step.
    fn order(&mut self, from: Cell, to: Cell) -> Option<Self::Order>;

    /// Returns the path that the unit then takes.
    fn walk(&self, order: &Self::Order, from: Cell, to: Cell) -> Result<Vec<Cell>, String>;

    /// Gives one cell another cost and prepares the engine again.
    fn edit(&mut self, cell: Cell, cost: u8);

    /// Orders many units to one goal. Stops between units at the time `until`.
    fn group(&mut self, goal: Cell, units: &[Cell], until: Instant) -> Served {
        one_by_one(units, until, |unit| self.order(unit, goal).is_some())
    }

    /// Builds the tiles of an order's sectors again, each on its own; returns
    /// their number and the time. Only for engines with sectors.
    fn rebuild(&mut self, _order: &Self::Order) -> Option<(usize, Duration)> {
        None
    }

    /// Returns what units on this path would look up. Only for engines with
    /// fields.
    fn probes(&self, _order: &Self::Order, _way: &[Cell]) -> Vec<Self::Probe> {
        Vec::new()
    }

    /// Looks up a direction, from a cell to a step.
    fn look_up(&self, _order: &Self::Order, _probe: &Self::Probe) -> u32 {
        0
    }

    /// Looks up a direction, from a position.
    fn look_up_position(&self, _order: &Self::Order, _probe: &Self::Probe) -> u32 {
        0
    }
}

/// Serves one unit after the other, as long as there is time.
pub fn one_by_one(units: &[Cell], until: Instant, mut serve: impl FnMut(Cell) -> bool) -> Served {
    let mut served = Served {
        tried: 0,
        answered: 0,
    };
    for &unit in units {
        if Instant::now() >= until {
            break;
        }
        served.tried += 1;
        served.answered += usize::from(serve(unit));
    }
    served
}

/// The place of a unit, as a cell and as a position.
pub struct Spot {
    pub cell: Cell,
    pub position: [f32; 2],
}

/// Returns the cells of a path, with the positions of their middles.
pub fn spots(way: &[Cell]) -> Vec<Spot> {
    let spot = |&cell: &Cell| Spot {
        cell,
        position: [cell.x as f32 + 0.5, cell.y as f32 + 0.5],
    };
    way.iter().map(spot).collect()
}
