//! The demo's measurements.

use std::time::Duration;

use flowtiles::FlowWorld;
use flowtiles_country::numbers::thousandths;

use crate::json::object;

/// Everything the demo measures, in the order in which it is printed.
pub struct DemoFigures {
    pub seed: u64,
    pub width: u32,
    pub height: u32,
    pub sectors: usize,
    pub portals: usize,
    pub edges: usize,
    pub build_ms: f64,
    pub budget_cells: u64,
    pub orders: OrderFigures,
    pub sectors_loaded: usize,
    pub ways: Excess,
    pub march: Marched,
    pub bridge: Option<Bridge>,
    pub memory: Memory,
    pub twins: Option<Twins>,
    /// Where the picture was written; null if nowhere.
    pub picture: Option<String>,
    /// The whole demo.
    pub seconds: f64,
}

object!(DemoFigures:
    seed width height sectors portals edges build_ms budget_cells orders sectors_loaded
    ways march bridge memory twins picture seconds);

/// Orders, from the call to the last direction.
#[derive(Default)]
pub struct OrderFigures {
    pub count: usize,
    pub units: usize,
    /// The slowest call.
    pub call_us: f64,
    /// Ticks until all directions were ready.
    pub ticks: u32,
    /// The time of these ticks together, and of the longest.
    pub ready_us: f64,
    pub longest_tick_us: f64,
}

object!(OrderFigures:
    count units call_us ticks ready_us longest_tick_us);

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
#[derive(Default)]
pub struct Excess {
    pub compared: usize,
    pub mean_percent: f64,
    pub p95_percent: f64,
    pub max_percent: f64,
}

object!(Excess:
    compared mean_percent p95_percent max_percent);

impl Excess {
    /// Computes it from ratios to the cheapest path.
    pub fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        let percent = |ratio: f64| thousandths((ratio - 1.0) * 100.0);
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

/// The march: ticks, units, and what was read.
#[derive(Default)]
pub struct Marched {
    pub ticks: u32,
    pub arrived: usize,
    pub cut_off: usize,
    pub illegal_steps: usize,
    pub longest_tick_us: f64,
    pub samples: u64,
    pub sample_ns: f64,
}

object!(Marched:
    ticks arrived cut_off illegal_steps longest_tick_us samples sample_ns);

/// What the fall of a bridge took, until every order was replanned.
pub struct Bridge {
    pub tick: u32,
    pub cells: u64,
    pub sectors_changed: usize,
    pub sectors_rebuilt: usize,
    pub orders_replanned: usize,
    pub edit_us: f64,
    pub replan_ticks: u32,
    pub replan_us: f64,
    pub longest_tick_us: f64,
    pub units_on_it: usize,
    pub units_out: usize,
}

object!(Bridge:
    tick cells sectors_changed sectors_rebuilt orders_replanned edit_us replan_ticks
    replan_us longest_tick_us units_on_it units_out);

/// Hashes of the same world from other runs.
pub struct Twins {
    pub one_thread: String,
    pub two_threads: String,
    pub loaded: String,
    pub save_bytes: usize,
}

object!(Twins:
    one_thread two_threads loaded save_bytes);

#[derive(Default)]
pub struct Memory {
    pub cost_bytes: usize,
    pub graph_bytes: usize,
    pub order_bytes: usize,
    pub order_bytes_after: usize,
}

object!(Memory:
    cost_bytes graph_bytes order_bytes order_bytes_after);

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
            build_ms: thousandths(build.as_secs_f64() * 1e3),
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

    /// Records the memory left when the orders are gone.
    pub fn note_freed(&mut self, world: &FlowWorld) {
        self.memory.order_bytes_after = world.inspect().stats().order_bytes;
    }
}

/// Microseconds, rounded.
pub fn micros(time: Duration) -> f64 {
    thousandths(time.as_secs_f64() * 1e6)
}
