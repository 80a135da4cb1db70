//! The rows of the tables: the figures of every engine on a map.

use flowtiles_peers::numbers::{mean, percentile};

use super::MapResult;
use crate::figures::Figures;

/// One figure of an engine on a map.
pub struct Row {
    pub title: &'static str,
    /// The name in data files.
    pub key: &'static str,
    pub unit: &'static str,
}

pub const BUILD: Row = row("build", "build_ms", "ms");
pub const ORDER: Row = row("one cold order, median", "order_median_ms", "ms");
pub const GROUP: Row = row("1000 units to one goal", "group_ms", "ms");
pub const EDIT: Row = row("one-cell edit, median", "edit_median_us", "µs");
pub const MEAN: Row = row("length / optimum, mean", "length_mean", "");
pub const MAX: Row = row("length / optimum, max", "length_max", "");

/// All rows.
pub const ROWS: &[Row] = &[
    BUILD,
    row("memory, costs and graph", "memory_mib", "MiB"),
    ORDER,
    row("one cold order, p95", "order_p95_ms", "ms"),
    GROUP,
    EDIT,
    row("one sector rebuilt", "rebuild_us", "µs"),
    row("look-up from a cell", "look_up_ns", "ns"),
    row("look-up from a position", "position_look_up_ns", "ns"),
    MEAN,
    row("length / optimum, p95", "length_p95", ""),
    MAX,
];

const fn row(title: &'static str, key: &'static str, unit: &'static str) -> Row {
    Row { title, key, unit }
}

impl Row {
    /// Returns the figure, in its unit.
    pub fn value(&self, map: &MapResult, figures: &Figures) -> Option<f64> {
        let stretch = || figures.stretch(&map.optima);
        Some(match self.key {
            "build_ms" => percentile(&figures.builds, 50)? / 1e3,
            "memory_mib" => figures.bytes? / f64::from(1 << 20),
            "order_median_ms" => percentile(&figures.orders, 50)? / 1e3,
            "order_p95_ms" => percentile(&figures.orders, 95)? / 1e3,
            "group_ms" => figures.group()? / 1e3,
            "edit_median_us" => percentile(&figures.edits, 50)?,
            "rebuild_us" => percentile(&figures.rebuilds, 50)?,
            "look_up_ns" => percentile(&figures.look_ups, 50)?,
            "position_look_up_ns" => percentile(&figures.position_look_ups, 50)?,
            "length_mean" => mean(&stretch())?,
            "length_p95" => percentile(&stretch(), 95)?,
            "length_max" => percentile(&stretch(), 100)?,
            other => unreachable!("no row is called {other}"),
        })
    }

    /// Formats a figure.
    pub fn write(&self, map: &MapResult, figures: &Figures) -> String {
        match self.value(map, figures) {
            None => "–".into(),
            Some(value) if self.unit.is_empty() => format!("{value:.4}"),
            Some(value) => format!("{}{}", self.about(figures), rounded(value)),
        }
    }

    /// Returns the sign of an estimate, if the figure is one.
    pub fn about(&self, figures: &Figures) -> &'static str {
        if self.key == GROUP.key && figures.group_is_estimated() {
            "≈ "
        } else {
            ""
        }
    }
}

/// Formats a number with about three digits.
pub fn rounded(value: f64) -> String {
    match value {
        100.0.. => grouped(value.round() as u64),
        10.0.. => format!("{value:.1}"),
        0.1.. => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// Formats a number with a comma before every group of three digits.
fn grouped(number: u64) -> String {
    match number {
        ..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded() {
        assert_eq!(rounded(1_234_567.0), "1,234,567");
        assert_eq!(rounded(12.34), "12.3");
        assert_eq!(rounded(0.01234), "0.0123");
    }
}
