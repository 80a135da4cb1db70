//! The time that ticks take: the figures of the page.

use std::time::Duration;

use flowtiles::FlowWorld;

/// How long the ticks since the last figures took, and what they did.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    pub ticks: u32,
    pub world: Duration,
    pub army: Duration,
    pub cells: u64,
    pub waiting: usize,
}

impl Spent {
    /// Returns the figures for the page's counters, in the order of
    /// `docs/inspector.md`. The counts of ticks restart.
    pub fn figures(&mut self, world: &FlowWorld, units: usize, arrived: usize) -> [f64; 12] {
        let stats = world.inspect().stats();
        let spent = std::mem::take(self);
        self.waiting = spent.waiting;
        let ticks = f64::from(spent.ticks.max(1));
        [
            spent.world.as_secs_f64() * 1e6 / ticks,
            spent.army.as_secs_f64() * 1e6 / ticks,
            spent.cells as f64 / ticks,
            spent.waiting as f64,
            stats.tiles as f64,
            stats.sectors_loaded as f64,
            stats.order_bytes as f64,
            stats.graph_bytes as f64,
            units as f64,
            arrived as f64,
            stats.portals as f64,
            stats.islands as f64,
        ]
    }
}
