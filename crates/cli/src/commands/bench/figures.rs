//! The figures of a run, as they are printed, saved and read back.

use serde::{Deserialize, Serialize};

/// A measured number. In a file it is the number alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Figure {
    value: f64,
    spread: f64,
}

impl Figure {
    /// Creates a figure from a number and the spread of the rounds: 0.1 is a
    /// tenth of the number.
    pub fn new(value: f64, spread: f64) -> Self {
        Self {
            value: rounded(value),
            spread,
        }
    }

    /// Creates a figure that is counted and not timed: equal in all rounds.
    pub fn counted(value: f64) -> Self {
        Self::new(value, 0.0)
    }

    /// The number.
    pub const fn value(self) -> f64 {
        self.value
    }

    /// Returns the spread of the rounds, as a share of the number; 0 for a number
    /// that was read from a file.
    pub const fn spread(self) -> f64 {
        self.spread
    }
}

/// Rounds to as many digits as a measurement is precise.
fn rounded(value: f64) -> f64 {
    let digits = if value.abs() < 1.0 { 1e4 } else { 1e2 };
    (value * digits).round() / digits
}

impl From<Figure> for f64 {
    fn from(figure: Figure) -> Self {
        figure.value
    }
}

impl TryFrom<f64> for Figure {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if value.is_finite() && value >= 0.0 {
            Ok(Self::counted(value))
        } else {
            Err(format!("{value} is no measurement: none is below 0"))
        }
    }
}

/// One run on one machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub machine: String,
    pub rustc: String,
    pub revision: String,
    pub maps: Vec<MapFigures>,
    /// On no map; `None` if it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crowd: Option<ContinuumFigures>,
    /// One entry for each kind of ground; none if it was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quality: Vec<QualityFigures>,
}

/// The prices of plain orders' paths divided by those of the cheapest paths, on one
/// kind of ground. Files hold them, but runs are not compared by them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualityFigures {
    pub ground: String,
    pub orders: usize,
    pub mean: f64,
    pub p95: f64,
    pub worst: f64,
    /// The share of orders of more than 1.05 times the cheapest price.
    pub over_percent: f64,
    /// The mean number of sectors that an order loads.
    pub sectors: f64,
    /// Bytes of the graph and the level above it.
    pub bytes_per_cell: f64,
    /// The median of a cold order.
    pub order_us: f64,
}

/// The measurements on one map.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFigures {
    pub map: String,
    pub width: u32,
    pub height: u32,
    pub build_ms: Figure,
    pub build_2_threads_ms: Figure,
    pub bytes_per_cell: Figure,
    pub edit_us: To99,
    pub building_us: To99,
    #[serde(default)]
    pub layers: LayerFigures,
    /// The largest open square at each cell of the map.
    #[serde(default)]
    pub clearance_ms: Figure,
    #[serde(default)]
    pub links_200: LinkFigures,
    pub sector_ns: SectorFigures,
    pub route_us: Figure,
    pub petgraph_astar_us: Figure,
    pub pathfinding_astar_us: Figure,
    pub order_us: To95,
    pub exact_us: To95,
    pub field_ms: Figure,
    pub dijkstra_heap_ms: Figure,
    pub dijkstra_bucket_ms: Figure,
    pub thousand_units_ms: Figure,
    pub lookup_ns: Figure,
    pub lookup_scattered_ns: Figure,
    pub edit_storm: StormFigures,
    pub orders_500: CrowdFigures,
    pub save_mb_s: Figure,
    pub load_mb_s: Figure,
    /// Printed with the figures, but not saved.
    #[serde(skip)]
    pub aside: Aside,
}

/// Figures of the text report that files do not hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aside {
    /// Bytes of costs alone, a cell.
    pub cost_bytes_per_cell: f64,
    /// The mean of (price of an order's path / price of the best path).
    pub order_ratio: f64,
    /// The worst of the same.
    pub order_ratio_worst: f64,
}

/// Many times of one kind: half are at most the first, 99 of 100 the second.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct To99 {
    pub median: Figure,
    pub p99: Figure,
}

/// Many times of one kind: half are at most the first, 95 of 100 the second.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct To95 {
    pub median: Figure,
    pub p95: Figure,
}

/// Movement layers beside the ground's.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerFigures {
    /// A second layer like the ground's.
    pub derive_ms: Figure,
    /// A layer of bodies three cells wide.
    pub derive_wide_ms: Figure,
    pub bytes_per_cell: Figure,
    /// A one-cell edit of a world with six layers, five of them derived.
    pub edit_six_us: Figure,
    /// A round of the congestion record with 20,000 units, when no level changes.
    pub note_us: Figure,
    /// The same when levels change, 64 at most, and a layer that heeds congestion follows.
    pub congest_us: Figure,
}

/// A cold order on a map with two hundred teleporters.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkFigures {
    pub order_us: Figure,
    /// The same orders without links.
    pub without_us: Figure,
}

/// A sector rebuild on three kinds of ground, by the engine and by the
/// textbook.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectorFigures {
    pub clear: Figure,
    pub walls: Figure,
    pub costs: Figure,
    pub textbook_clear: Figure,
    pub textbook_walls: Figure,
    pub textbook_costs: Figure,
}

/// Ticks with a thousand edits each and two hundred orders alive.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StormFigures {
    pub longest_ms: Figure,
    pub median_ms: Figure,
    /// The work of a tick in cells.
    pub cells: Figure,
    /// The graph and all orders derived again from the costs.
    pub anew_ms: Figure,
}

/// Five hundred orders at once.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrowdFigures {
    /// Until an order has a first direction: the median of all.
    pub first_ms: Figure,
    /// Until none has work left.
    pub all_ms: Figure,
    pub bytes: Figure,
}

/// The cost of crowds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContinuumFigures {
    /// Marching, a cell.
    pub marching_ns: MarchingFigures,
    /// A whole solve, a field cell and group.
    pub solve_ns: SolveFigures,
    /// A tick with 10,000 units in four groups.
    pub tick_ms: TickFigures,
}

/// Marching over four kinds of fields.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarchingFigures {
    /// The same cost everywhere.
    pub uniform: Figure,
    /// Costs that change smoothly, others to each side.
    pub smooth: Figure,
    /// The same among walls.
    pub obstacles: Figure,
    /// A drawn cost for each cell and side.
    pub noise: Figure,
}

/// A solve by its stages.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveFigures {
    /// Which sectors, density, flow and prediction.
    pub begin: Figure,
    pub costs: Figure,
    pub rim: Figure,
    /// Marching.
    pub wave: Figure,
    /// Directions.
    pub directions: Figure,
    pub whole: Figure,
}

/// The mean of two ticks, one of which begins a round of solves: the crowd's
/// fields, and the motion of the units.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TickFigures {
    pub fields: Figure,
    pub motion: Figure,
    pub fields_2_threads: Figure,
    pub motion_2_threads: Figure,
    /// The same crowd on a map of 4000².
    pub fields_large_map: Figure,
    pub motion_large_map: Figure,
}

impl ContinuumFigures {
    /// Returns every figure with its name in a file and its unit.
    pub fn all(&self) -> Vec<(&'static str, &'static str, Figure)> {
        let Self {
            marching_ns: marching,
            solve_ns: solve,
            tick_ms: tick,
        } = self;
        vec![
            ("marching_ns.uniform", "ns", marching.uniform),
            ("marching_ns.smooth", "ns", marching.smooth),
            ("marching_ns.obstacles", "ns", marching.obstacles),
            ("marching_ns.noise", "ns", marching.noise),
            ("solve_ns.begin", "ns", solve.begin),
            ("solve_ns.costs", "ns", solve.costs),
            ("solve_ns.rim", "ns", solve.rim),
            ("solve_ns.wave", "ns", solve.wave),
            ("solve_ns.directions", "ns", solve.directions),
            ("solve_ns.whole", "ns", solve.whole),
            ("tick_ms.fields", "ms", tick.fields),
            ("tick_ms.motion", "ms", tick.motion),
            ("tick_ms.fields_2_threads", "ms", tick.fields_2_threads),
            ("tick_ms.motion_2_threads", "ms", tick.motion_2_threads),
            ("tick_ms.fields_large_map", "ms", tick.fields_large_map),
            ("tick_ms.motion_large_map", "ms", tick.motion_large_map),
        ]
    }
}

impl MapFigures {
    /// Returns every figure with its name in a file and its unit.
    pub fn all(&self) -> Vec<(&'static str, &'static str, Figure)> {
        let (sector, layers) = (&self.sector_ns, &self.layers);
        let (storm, crowd) = (&self.edit_storm, &self.orders_500);
        vec![
            ("build_ms", "ms", self.build_ms),
            ("build_2_threads_ms", "ms", self.build_2_threads_ms),
            ("bytes_per_cell", "B", self.bytes_per_cell),
            ("edit_us.median", "µs", self.edit_us.median),
            ("edit_us.p99", "µs", self.edit_us.p99),
            ("building_us.median", "µs", self.building_us.median),
            ("building_us.p99", "µs", self.building_us.p99),
            ("layers.derive_ms", "ms", layers.derive_ms),
            ("layers.derive_wide_ms", "ms", layers.derive_wide_ms),
            ("layers.bytes_per_cell", "B", layers.bytes_per_cell),
            ("layers.edit_six_us", "µs", layers.edit_six_us),
            ("layers.note_us", "µs", layers.note_us),
            ("layers.congest_us", "µs", layers.congest_us),
            ("clearance_ms", "ms", self.clearance_ms),
            ("links_200.order_us", "µs", self.links_200.order_us),
            ("links_200.without_us", "µs", self.links_200.without_us),
            ("sector_ns.clear", "ns", sector.clear),
            ("sector_ns.walls", "ns", sector.walls),
            ("sector_ns.costs", "ns", sector.costs),
            ("sector_ns.textbook_clear", "ns", sector.textbook_clear),
            ("sector_ns.textbook_walls", "ns", sector.textbook_walls),
            ("sector_ns.textbook_costs", "ns", sector.textbook_costs),
            ("route_us", "µs", self.route_us),
            ("petgraph_astar_us", "µs", self.petgraph_astar_us),
            ("pathfinding_astar_us", "µs", self.pathfinding_astar_us),
            ("order_us.median", "µs", self.order_us.median),
            ("order_us.p95", "µs", self.order_us.p95),
            ("exact_us.median", "µs", self.exact_us.median),
            ("exact_us.p95", "µs", self.exact_us.p95),
            ("field_ms", "ms", self.field_ms),
            ("dijkstra_heap_ms", "ms", self.dijkstra_heap_ms),
            ("dijkstra_bucket_ms", "ms", self.dijkstra_bucket_ms),
            ("thousand_units_ms", "ms", self.thousand_units_ms),
            ("lookup_ns", "ns", self.lookup_ns),
            ("lookup_scattered_ns", "ns", self.lookup_scattered_ns),
            ("edit_storm.longest_ms", "ms", storm.longest_ms),
            ("edit_storm.median_ms", "ms", storm.median_ms),
            ("edit_storm.cells", "cells", storm.cells),
            ("edit_storm.anew_ms", "ms", storm.anew_ms),
            ("orders_500.first_ms", "ms", crowd.first_ms),
            ("orders_500.all_ms", "ms", crowd.all_ms),
            ("orders_500.bytes", "B", crowd.bytes),
            ("save_mb_s", "MB/s", self.save_mb_s),
            ("load_mb_s", "MB/s", self.load_mb_s),
        ]
    }
}
