//! The demo's measurements.

use std::time::Duration;

use flowtiles::FlowWorld;
use serde::Serialize;

use super::march::{FallFigures, March};

/// Everything the demo measures, in the order in which it is printed.
#[derive(Serialize)]
pub struct DemoFigures {
    pub(super) seed: u64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) sectors: usize,
    pub(super) portals: usize,
    pub(super) edges: usize,
    pub(super) build_ms: f64,
    pub(super) budget_cells: u64,
    pub(super) orders: OrderFigures,
    pub(super) sectors_loaded: usize,
    pub(super) ways: Excess,
    pub(super) march: Marched,
    pub(super) bridge: Option<Bridge>,
    pub(super) memory: Memory,
    pub(super) twins: Option<Twins>,
    /// Where the picture was written; null if nowhere.
    pub(super) picture: Option<String>,
    /// The whole demo.
    pub(super) seconds: f64,
}

/// Orders, from the call to the last direction.
#[derive(Default, Serialize)]
pub struct OrderFigures {
    pub(super) count: usize,
    pub(super) units: usize,
    /// The slowest call.
    pub(super) call_us: f64,
    /// Ticks until all directions were ready.
    pub(super) ticks: u32,
    /// The time of these ticks together, and of the longest.
    pub(super) ready_us: f64,
    pub(super) longest_tick_us: f64,
}

impl OrderFigures {
    /// Counts one order.
    pub fn note_order(&mut self, units: usize, call: Duration) {
        self.count += 1;
        self.units += units;
        self.call_us = self.call_us.max(micros(call));
    }

    /// Counts one tick.
    pub fn note_tick(&mut self, time: Duration) {
        self.ticks += 1;
        self.ready_us += micros(time);
        self.longest_tick_us = self.longest_tick_us.max(micros(time));
    }
}

/// How much dearer paths are than the cheapest on the whole map, in percent.
#[derive(Default, Serialize)]
pub struct Excess {
    pub(super) compared: usize,
    pub(super) mean_percent: f64,
    pub(super) p95_percent: f64,
    pub(super) max_percent: f64,
}

impl Excess {
    /// Computes it from ratios to the cheapest path.
    pub fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        let percent = |ratio: f64| tidy((ratio - 1.0) * 100.0);
        let rank = |percent: usize| {
            let place = (ratios.len() * percent).div_ceil(100).max(1) - 1;
            ratios.get(place).copied().unwrap_or(1.0)
        };
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        Self {
            compared: ratios.len(),
            mean_percent: percent(mean),
            p95_percent: percent(rank(95)),
            max_percent: percent(rank(100)),
        }
    }
}

#[derive(Default, Serialize)]
pub(super) struct Marched {
    pub(super) ticks: u32,
    pub(super) arrived: usize,
    pub(super) cut_off: usize,
    pub(super) illegal_steps: usize,
    pub(super) longest_tick_us: f64,
    pub(super) samples: u64,
    pub(super) sample_ns: f64,
}

#[derive(Serialize)]
pub(super) struct Bridge {
    pub(super) tick: u32,
    pub(super) cells: u64,
    pub(super) sectors_changed: usize,
    pub(super) sectors_rebuilt: usize,
    pub(super) orders_replanned: usize,
    pub(super) edit_us: f64,
    pub(super) replan_ticks: u32,
    pub(super) replan_us: f64,
    pub(super) longest_tick_us: f64,
    pub(super) units_on_it: usize,
    pub(super) units_out: usize,
}

/// Hashes of the same world from other runs.
#[derive(Serialize)]
pub(super) struct Twins {
    pub(super) one_thread: String,
    pub(super) two_threads: String,
    pub(super) loaded: String,
    pub(super) save_bytes: usize,
}

#[derive(Default, Serialize)]
pub(super) struct Memory {
    pub(super) cost_bytes: usize,
    pub(super) graph_bytes: usize,
    pub(super) order_bytes: usize,
    pub(super) order_bytes_after: usize,
}

impl DemoFigures {
    /// Returns the figures after the build.
    pub fn new(seed: u64, world: &FlowWorld, build: Duration, budget_cells: u64) -> Self {
        let stats = world.inspect().stats();
        Self {
            seed,
            width: world.costs().width(),
            height: world.costs().height(),
            sectors: stats.sectors,
            portals: stats.portals,
            edges: stats.edges,
            build_ms: tidy(build.as_secs_f64() * 1e3),
            budget_cells,
            orders: OrderFigures::default(),
            sectors_loaded: 0,
            ways: Excess::default(),
            march: Marched::default(),
            bridge: None,
            memory: Memory {
                cost_bytes: stats.cost_bytes,
                graph_bytes: stats.graph_bytes,
                ..Memory::default()
            },
            twins: None,
            picture: None,
            seconds: 0.0,
        }
    }

    /// Records what is loaded once all directions are ready.
    pub fn note_loaded(&mut self, world: &FlowWorld) {
        let stats = world.inspect().stats();
        self.sectors_loaded = stats.sectors_loaded;
        self.memory.order_bytes = stats.order_bytes;
    }

    /// Records the march.
    pub fn note_march(&mut self, march: &March) {
        self.march = Marched {
            ticks: march.ticks,
            arrived: march.arrived,
            cut_off: march.cut_off,
            illegal_steps: march.illegal,
            longest_tick_us: micros(march.longest_tick),
            samples: march.samples,
            sample_ns: tidy(march.sampling.as_secs_f64() * 1e9 / march.samples.max(1) as f64),
        };
        self.bridge = march.fall.as_ref().map(Bridge::of);
    }

    /// Records the memory left when the orders are gone.
    pub fn note_freed(&mut self, world: &FlowWorld) {
        self.memory.order_bytes_after = world.inspect().stats().order_bytes;
    }
}

impl Bridge {
    fn of(fall: &FallFigures) -> Self {
        Self {
            tick: fall.tick,
            cells: fall.report.cells,
            sectors_changed: fall.report.sectors,
            sectors_rebuilt: fall.report.rebuilt,
            orders_replanned: fall.report.orders,
            edit_us: micros(fall.edit),
            replan_ticks: fall.ticks + 1,
            replan_us: micros(fall.replanning),
            longest_tick_us: micros(fall.longest_tick),
            units_on_it: fall.on_bridge,
            units_out: fall.out,
        }
    }
}

fn micros(time: Duration) -> f64 {
    tidy(time.as_secs_f64() * 1e6)
}

/// Rounds to three digits after the point; more would only be noise.
fn tidy(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
