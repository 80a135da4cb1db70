//! The rows of the tables: the figures of every engine on a map.

use super::MapResult;
use crate::figures::{Figures, mean, percentile};

/// One figure of an engine on a map.
pub struct Row {
    pub title: &'static str,
    /// The name in data files.
    pub key: &'static str,
    pub value: fn(&MapResult, &Figures) -> Option<f64>,
    pub unit: &'static str,
}

/// All rows.
pub const ROWS: &[Row] = &[
    Row {
        title: "build",
        key: "build_ms",
        value: |_, figures| Some(percentile(&figures.builds, 50)? / 1e3),
        unit: "ms",
    },
    Row {
        title: "memory, costs and graph",
        key: "memory_mib",
        value: |_, figures| Some(figures.bytes? / f64::from(1 << 20)),
        unit: "MiB",
    },
    Row {
        title: "one cold order, median",
        key: "order_median_ms",
        value: |_, figures| Some(percentile(&figures.orders, 50)? / 1e3),
        unit: "ms",
    },
    Row {
        title: "one cold order, p95",
        key: "order_p95_ms",
        value: |_, figures| Some(percentile(&figures.orders, 95)? / 1e3),
        unit: "ms",
    },
    Row {
        title: "1000 units to one goal",
        key: "group_ms",
        value: |_, figures| Some(figures.group()? / 1e3),
        unit: "ms",
    },
    Row {
        title: "one-cell edit, median",
        key: "edit_median_us",
        value: |_, figures| percentile(&figures.edits, 50),
        unit: "µs",
    },
    Row {
        title: "one sector rebuilt",
        key: "rebuild_us",
        value: |_, figures| percentile(&figures.rebuilds, 50),
        unit: "µs",
    },
    Row {
        title: "look-up from a cell",
        key: "look_up_ns",
        value: |_, figures| percentile(&figures.look_ups, 50),
        unit: "ns",
    },
    Row {
        title: "look-up from a position",
        key: "position_look_up_ns",
        value: |_, figures| percentile(&figures.position_look_ups, 50),
        unit: "ns",
    },
    Row {
        title: "length / optimum, mean",
        key: "length_mean",
        value: |map, figures| mean(&figures.stretch(&map.optima)),
        unit: "",
    },
    Row {
        title: "length / optimum, p95",
        key: "length_p95",
        value: |map, figures| percentile(&figures.stretch(&map.optima), 95),
        unit: "",
    },
    Row {
        title: "length / optimum, max",
        key: "length_max",
        value: |map, figures| percentile(&figures.stretch(&map.optima), 100),
        unit: "",
    },
];

/// Returns the row with this key.
pub fn row(key: &str) -> &'static Row {
    ROWS.iter()
        .find(|row| row.key == key)
        .expect("only keys of the table are asked for")
}

impl Row {
    /// Formats a figure.
    pub fn write(&self, map: &MapResult, figures: &Figures) -> String {
        let Some(value) = (self.value)(map, figures) else {
            return "–".into();
        };
        let about = if self.key == "group_ms" && figures.group_is_estimated() {
            "≈ "
        } else {
            ""
        };
        if self.unit.is_empty() {
            format!("{value:.4}")
        } else {
            format!("{about}{}", rounded(value))
        }
    }
}

/// Formats a number with about three digits.
pub fn rounded(value: f64) -> String {
    match value {
        value if value >= 100.0 => grouped(value.round() as u64),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// Formats a number with a comma before every group of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a ratio.
pub fn times(ratio: f64) -> String {
    format!("{}×", rounded(ratio))
}

/// Describes how many orders were given, failed, and led past a corner.
pub fn outcome(figures: &Figures) -> String {
    if let Some(reason) = &figures.refused {
        return format!("does not run: {reason}");
    }
    let asked = figures.asked();
    let failed = figures.failures.len();
    format!("{asked} · {failed} · {}", figures.corner_cutters())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded() {
        assert_eq!(rounded(1_234_567.0), "1,234,567");
        assert_eq!(rounded(12.34), "12.3");
        assert_eq!(rounded(0.01234), "0.0123");
        assert_eq!(times(500.4), "500×");
    }
}
