//! The measurements on a very large map.

use std::time::Duration;

use flowtiles::FlowWorld;
use serde::Serialize;

/// All measurements, in the order in which they are taken.
#[derive(Default, Serialize)]
pub struct BigFigures {
    pub(super) machine: String,
    pub(super) rustc: String,
    pub(super) revision: String,
    pub(super) side: u32,
    pub(super) seed: u64,
    /// Where the costs are: `drawn` on demand, `kept` in memory, `mapped` from a
    /// file.
    pub(super) costs: &'static str,
    pub(super) cells: u64,
    pub(super) sectors: usize,
    pub(super) read_ms: f64,
    pub(super) build_ms: f64,
    pub(super) portals: usize,
    pub(super) islands: usize,
    pub(super) cost_bytes: usize,
    pub(super) graph_bytes: usize,
    /// Costs and graph.
    pub(super) bytes_per_cell: f64,
    pub(super) near: Journey,
    pub(super) far: Journey,
    pub(super) edits: EditFigures,
    pub(super) replan: Replan,
    pub(super) save_bytes: usize,
    pub(super) save_ms: f64,
    /// Peak memory of the process; null where the system does not report it.
    pub(super) peak_bytes: Option<usize>,
}

/// An order, from the call to the last direction.
#[derive(Default, Serialize)]
pub struct Journey {
    pub(super) call_us: f64,
    /// Ticks until all directions were ready, and their time.
    pub(super) ticks: u32,
    pub(super) ms: f64,
    pub(super) longest_tick_ms: f64,
    /// The tick after which a unit had a first direction.
    pub(super) first_tick: Option<u32>,
    pub(super) cells_worked: u64,
    pub(super) sectors_loaded: usize,
    pub(super) bytes: usize,
    /// Memory that is kept for later orders.
    pub(super) scratch_bytes: usize,
    /// Steps of the unit that walked; 0 if none did.
    pub(super) steps: usize,
    pub(super) sample_ns: f64,
}

/// One-cell edits, back and forth, with the far order living.
#[derive(Default, Serialize)]
pub struct EditFigures {
    pub(super) count: usize,
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    pub(super) longest_us: f64,
    /// The most pockets walked by one edit to find out what it cuts off.
    pub(super) walked_most: usize,
}

impl EditFigures {
    pub fn of(mut micros: Vec<f64>, walked_most: usize) -> Self {
        micros.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let place = (micros.len() * percent).div_ceil(100).max(1) - 1;
            micros.get(place).copied().unwrap_or(0.0)
        };
        Self {
            count: micros.len(),
            median_us: at(50),
            p99_us: at(99),
            longest_us: at(100),
            walked_most,
        }
    }
}

/// The replanning after a wall across the far order's path.
#[derive(Default, Serialize)]
pub struct Replan {
    pub(super) cells: u64,
    pub(super) edit_us: f64,
    pub(super) ticks: u32,
    pub(super) ms: f64,
    pub(super) longest_tick_ms: f64,
}

impl BigFigures {
    /// Returns the figures of a square map that is not built yet.
    pub fn new(side: u32, seed: u64) -> Self {
        Self {
            side,
            seed,
            cells: u64::from(side).pow(2),
            ..Self::default()
        }
    }

    pub fn note_world(&mut self, world: &FlowWorld) {
        let stats = world.inspect().stats();
        self.sectors = stats.sectors;
        self.portals = stats.portals;
        self.islands = stats.islands;
        self.cost_bytes = stats.cost_bytes;
        self.graph_bytes = stats.graph_bytes;
        self.bytes_per_cell = (stats.cost_bytes + stats.graph_bytes) as f64 / self.cells as f64;
    }
}

/// A time in milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
