//! The figures as text: ratios first, then the figures behind them.

use std::fmt;

use super::figures::{ContinuumFigures, Figure, MapFigures, QualityFigures, Run};

/// Width of the left column and of one for a map.
const LEFT: usize = 54;
const COLUMN: usize = 11;

/// A comparison with a rival: its name, and the figures of the engine and of the
/// rival in the same unit.
type Rival = (&'static str, fn(&MapFigures) -> (Figure, Figure));

const RIVALS: [Rival; 18] = [
    ("sector rebuild, clear: the textbook kernel", |map| {
        (map.sector_ns.clear, map.sector_ns.textbook_clear)
    }),
    ("sector rebuild, 20 % walls: the textbook kernel", |map| {
        (map.sector_ns.walls, map.sector_ns.textbook_walls)
    }),
    (
        "sector rebuild, costs 1 to 20: the textbook kernel",
        |map| (map.sector_ns.costs, map.sector_ns.textbook_costs),
    ),
    ("route: A* of petgraph on the same graph", |map| {
        (map.route_us, map.petgraph_astar_us)
    }),
    ("route: A* of pathfinding on the same graph", |map| {
        (map.route_us, map.pathfinding_astar_us)
    }),
    ("cold order: Dijkstra over the map, heap", |map| {
        (map.order_us.median, micros(map.dijkstra_heap_ms))
    }),
    ("cold order: Dijkstra over the map, buckets", |map| {
        (map.order_us.median, micros(map.dijkstra_bucket_ms))
    }),
    ("exact order: Dijkstra over the map, heap", |map| {
        (map.exact_us.median, micros(map.dijkstra_heap_ms))
    }),
    ("exact order: Dijkstra over the map, buckets", |map| {
        (map.exact_us.median, micros(map.dijkstra_bucket_ms))
    }),
    ("thousand units: Dijkstra over the map, buckets", |map| {
        (map.thousand_units_ms, map.dijkstra_bucket_ms)
    }),
    ("whole-map field: Dijkstra over the map, heap", |map| {
        (map.field_ms, map.dijkstra_heap_ms)
    }),
    ("whole-map field: Dijkstra over the map, buckets", |map| {
        (map.field_ms, map.dijkstra_bucket_ms)
    }),
    ("build on two threads: on one", |map| {
        (map.build_2_threads_ms, map.build_ms)
    }),
    ("one-cell edit: rebuilding the graph", |map| {
        (map.edit_us.median, micros(map.build_ms))
    }),
    ("second movement layer: building the world", |map| {
        (map.layers.derive_ms, map.build_ms)
    }),
    ("edit with six layers: with one", |map| {
        (map.layers.edit_six_us, map.edit_us.median)
    }),
    ("cold order with 200 teleporters: without", |map| {
        (map.links_200.order_us, map.links_200.without_us)
    }),
    ("tick of 1,000 edits, 200 orders: all rebuilt", |map| {
        (map.edit_storm.median_ms, map.edit_storm.anew_ms)
    }),
];

/// The meaning of each figure of a file, in words.
const WORDS: [(&str, &str); 44] = [
    ("build_ms", "build, ms"),
    ("build_2_threads_ms", "build on two threads, ms"),
    ("bytes_per_cell", "memory, costs and graph, bytes a cell"),
    ("edit_us.median", "one-cell edit, µs"),
    ("edit_us.p99", "one-cell edit, p99, µs"),
    ("building_us.median", "8×8 building placed or removed, µs"),
    ("building_us.p99", "8×8 building, p99, µs"),
    ("layers.derive_ms", "second movement layer, ms"),
    ("layers.derive_wide_ms", "  of bodies three cells wide, ms"),
    ("layers.bytes_per_cell", "  memory, bytes a cell"),
    ("layers.edit_six_us", "one-cell edit with six layers, µs"),
    ("layers.note_us", "noting 20,000 units for congestion, µs"),
    (
        "layers.congest_us",
        "  with up to 64 levels that change, µs",
    ),
    ("clearance_ms", "clearance of the whole map, ms"),
    ("links_200.order_us", "cold order with 200 teleporters, µs"),
    ("links_200.without_us", "  the same orders without, µs"),
    ("sector_ns.clear", "sector rebuild, clear, ns"),
    ("sector_ns.walls", "sector rebuild, 20 % walls, ns"),
    ("sector_ns.costs", "sector rebuild, costs 1 to 20, ns"),
    ("sector_ns.textbook_clear", "  textbook kernel, clear, ns"),
    (
        "sector_ns.textbook_walls",
        "  textbook kernel, 20 % walls, ns",
    ),
    (
        "sector_ns.textbook_costs",
        "  textbook kernel, costs 1 to 20, ns",
    ),
    ("route_us", "route between far cells, µs"),
    ("petgraph_astar_us", "  A* of petgraph, µs"),
    ("pathfinding_astar_us", "  A* of pathfinding, µs"),
    ("order_us.median", "cold order to first direction, µs"),
    ("order_us.p95", "cold order, p95, µs"),
    ("exact_us.median", "exact order to first direction, µs"),
    ("exact_us.p95", "exact order, p95, µs"),
    ("field_ms", "whole-map field, ms"),
    ("dijkstra_heap_ms", "  Dijkstra over the map, heap, ms"),
    ("dijkstra_bucket_ms", "  Dijkstra over the map, buckets, ms"),
    ("thousand_units_ms", "thousand units to one goal, ms"),
    ("lookup_ns", "look-up, units together, ns"),
    (
        "lookup_scattered_ns",
        "look-up, scattered over 16 goals, ns",
    ),
    (
        "edit_storm.longest_ms",
        "1,000 edits a tick, 200 orders: longest tick, ms",
    ),
    ("edit_storm.median_ms", "  median tick, ms"),
    ("edit_storm.cells", "  cells worked in a tick"),
    ("edit_storm.anew_ms", "  graph and orders rebuilt, ms"),
    (
        "orders_500.first_ms",
        "500 orders at once: to a first direction, ms",
    ),
    ("orders_500.all_ms", "  to all tiles, ms"),
    ("orders_500.bytes", "  bytes"),
    ("save_mb_s", "save, million cells a second"),
    ("load_mb_s", "load, million cells a second"),
];

/// The meaning of each figure of crowds, in words.
const CROWD_WORDS: [&str; 16] = [
    "marching, 256² cells of one cost, ns a cell",
    "  smooth costs, others to each side",
    "  the same among walls",
    "  drawn costs",
    "solve: density, flow, prediction, ns a group-cell",
    "  costs",
    "  rim",
    "  marching",
    "  directions",
    "  whole",
    "tick, 10,000 units in four groups: fields, ms",
    "  motion",
    "  fields, on two threads",
    "  motion, on two threads",
    "  fields, on a map of 4000² and not 500²",
    "  motion, on a map of 4000²",
];

/// Writes the figures of crowds and their ratios.
fn crowd(f: &mut fmt::Formatter<'_>, crowd: &ContinuumFigures) -> fmt::Result {
    writeln!(f, "Crowds")?;
    let mut line = |words: &str, value: String| {
        writeln!(f, "{:<LEFT$} {value:>COLUMN$}", format!("  {words}"))
    };
    for ((_, _, figure), words) in crowd.all().into_iter().zip(CROWD_WORDS) {
        line(words, number(figure.value()))?;
    }
    let tick = crowd.tick_ms;
    let sum = |fields: Figure, motion: Figure| fields.value() + motion.value();
    let one = sum(tick.fields, tick.motion);
    let two = sum(tick.fields_2_threads, tick.motion_2_threads);
    let large = sum(tick.fields_large_map, tick.motion_large_map);
    line("ticks a second on one thread", number(1e3 / one))?;
    line("  on two", times(one / two))?;
    line(
        "  share of the fields",
        format!("{:.0} %", 100.0 * tick.fields.value() / one),
    )?;
    line(
        "  a tick on the large map, in ticks on the small",
        times(large / one),
    )
}

fn micros(millis: Figure) -> Figure {
    Figure::new(millis.value() * 1e3, millis.spread())
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |map: &MapFigures| shortened(&map.map);
        if self.maps.is_empty() {
            self.crowd
                .iter()
                .try_for_each(|figures| crowd(f, figures))?;
            quality(f, &self.quality)?;
            return self.host(f);
        }
        row(f, "How many times as fast as", &self.maps, names)?;
        for (what, rival) in RIVALS {
            let times = |map: &MapFigures| {
                let (engine, rival) = rival(map);
                times(rival.value() / engine.value())
            };
            row(f, &format!("  {what}"), &self.maps, times)?;
        }
        row(
            f,
            "Price of a cold order's path over the best",
            &self.maps,
            |_| String::new(),
        )?;
        let mean = |map: &MapFigures| format!("{:.5}", map.aside.order_ratio);
        row(f, "  mean", &self.maps, mean)?;
        let worst = |map: &MapFigures| format!("{:.5}", map.aside.order_ratio_worst);
        row(f, "  worst", &self.maps, worst)?;
        row(f, "Medians where nothing else is said", &self.maps, |map| {
            format!("{}×{}", map.width, map.height)
        })?;
        for (at, (name, words)) in WORDS.into_iter().enumerate() {
            let value = |map: &MapFigures| number(map.all()[at].2.value());
            row(f, &format!("  {words}"), &self.maps, value)?;
            if name == "bytes_per_cell" {
                let costs = |map: &MapFigures| number(map.aside.cost_bytes_per_cell);
                row(f, "  memory, costs alone, bytes a cell", &self.maps, costs)?;
            }
        }
        self.crowd
            .iter()
            .try_for_each(|figures| crowd(f, figures))?;
        quality(f, &self.quality)?;
        self.host(f)
    }
}

/// The quality of paths: a line for each kind of ground.
fn quality(f: &mut fmt::Formatter<'_>, all: &[QualityFigures]) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(
        f,
        "{:<26} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>8}",
        "Price of a path over the best",
        "orders",
        "mean",
        "p95",
        "worst",
        "over 5 %",
        "sectors",
        "B/cell",
        "order, µs"
    )?;
    for figures in all {
        writeln!(
            f,
            "  {:<27} {:>7} {:>8.5} {:>8.4} {:>8.3} {:>6.2} % {:>8.1} {:>7.2} {:>9.0}",
            figures.ground,
            figures.orders,
            figures.mean,
            figures.p95,
            figures.worst,
            figures.over_percent,
            figures.sectors,
            figures.bytes_per_cell,
            figures.order_us
        )?;
    }
    Ok(())
}

impl Run {
    fn host(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}; {}; revision {}",
            self.machine, self.rustc, self.revision
        )
    }
}

/// A line with a value for each map.
fn row(
    f: &mut fmt::Formatter<'_>,
    left: &str,
    maps: &[MapFigures],
    value: impl Fn(&MapFigures) -> String,
) -> fmt::Result {
    let mut line = format!("{left:<LEFT$}");
    for map in maps {
        line.push_str(&format!(" {:>COLUMN$}", value(map)));
    }
    writeln!(f, "{}", line.trim_end())
}

/// A name that fits its column.
fn shortened(name: &str) -> String {
    let name = name.strip_suffix(".map").unwrap_or(name);
    if name.chars().count() <= COLUMN {
        return name.to_owned();
    }
    let head: String = name.chars().take(COLUMN - 1).collect();
    format!("{head}…")
}

fn times(ratio: f64) -> String {
    if ratio.is_finite() {
        format!("{}×", number(ratio))
    } else {
        "–".to_owned()
    }
}

/// Three digits or so.
fn number(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_its_words() {
        let map: MapFigures = serde_json::from_value(blank()).expect("all keys");
        let names: Vec<&str> = map.all().into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, WORDS.map(|(name, _)| name));
        assert_eq!(ContinuumFigures::default().all().len(), CROWD_WORDS.len());
        assert_eq!(shortened("Berlin_1_1024.map"), "Berlin_1_1…");
        assert_eq!(shortened("maze.map"), "maze");
        assert_eq!((number(1.234), number(12.34), number(1234.4)), {
            ("1.23".to_owned(), "12.3".to_owned(), "1234".to_owned())
        });
        assert_eq!(times(f64::INFINITY), "–");
    }

    fn blank() -> serde_json::Value {
        let mut object = serde_json::json!({"map": "m", "width": 1, "height": 1});
        for (name, _) in WORDS {
            match name.split_once('.') {
                Some((group, name)) => object[group][name] = 1.into(),
                None => object[name] = 1.into(),
            }
        }
        object
    }
}
