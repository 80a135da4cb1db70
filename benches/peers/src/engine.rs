//! What the course asks of an engine.

use std::time::{Duration, Instant};

use flowtiles::Cell;

use crate::ground::Ground;

/// How many units of a group were served.
pub struct Served {
    /// Units that were worked on before the time was up.
    pub tried: usize,
    /// Units that got an answer.
    pub answered: usize,
}

/// One engine with its settings, on one map.
///
/// Methods are timed by whoever calls them, but for [`build`](Self::build),
/// which must keep the making of the engine's own map out of its time.
pub trait Engine: Sized {
    /// What an order leaves with the unit.
    type Order;
    /// What a unit must know to look its direction up.
    type Probe;
    /// Whether building and editing use several threads.
    const THREADS: bool = false;
    /// Whether an edit leaves the engine ready. If not, it is not timed.
    const EDITS: bool = true;

    /// Makes the engine ready for orders: from its own map of costs, which is
    /// not timed, to the first order.
    fn build(ground: &Ground) -> Result<(Self, Duration), String>;

    /// Frees what ended orders held. Called between orders, and not timed.
    fn tidy(&mut self) {}

    /// Sends a unit on its way: everything up to its first step.
    fn order(&mut self, from: Cell, to: Cell) -> Option<Self::Order>;

    /// The way the unit then goes.
    fn walk(&self, order: &Self::Order, from: Cell, to: Cell) -> Result<Vec<Cell>, String>;

    /// Gives one cell another cost and makes the engine ready again.
    fn edit(&mut self, cell: Cell, cost: u8);

    /// Sends many units to one goal. Stops between units when `until` comes.
    fn group(&mut self, goal: Cell, units: &[Cell], until: Instant) -> Served {
        one_by_one(units, until, |unit| self.order(unit, goal).is_some())
    }

    /// Builds the tiles of an order's sectors once more, each on its own; says
    /// how many and how long. Only for engines that have sectors.
    fn rebuild(&mut self, _order: &Self::Order) -> Option<(usize, Duration)> {
        None
    }

    /// What units on this way would look up. Only for engines with fields.
    fn probes(&self, _order: &Self::Order, _way: &[Cell]) -> Vec<Self::Probe> {
        Vec::new()
    }

    /// Looks a direction up, from a cell to a step.
    fn look_up(&self, _order: &Self::Order, _probe: &Self::Probe) -> u32 {
        0
    }

    /// The same, from a position.
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

/// Where a unit is, in two ways.
pub struct Spot {
    pub cell: Cell,
    pub position: [f32; 2],
}

/// The cells of a way, with the positions of their middles.
pub fn spots(way: &[Cell]) -> Vec<Spot> {
    let spot = |&cell: &Cell| Spot {
        cell,
        position: [cell.x as f32 + 0.5, cell.y as f32 + 0.5],
    };
    way.iter().map(spot).collect()
}
