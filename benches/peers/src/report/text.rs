//! Tables for the terminal.

use std::fmt::Write;

use super::rows::{ROWS, outcome, row, times};
use super::{MapResult, Report, notes};

const FIRST: usize = 28;

/// Returns the table of all engines on one map.
pub fn table(map: &MapResult) -> String {
    let mut text = format!(
        "\n{} ({}×{}, {:.0} % open, {} pairs)\n",
        map.title,
        map.width,
        map.height,
        map.open * 100.0,
        map.pairs
    );
    line(
        &mut text,
        "",
        map.engines.iter().map(|(card, _)| card.key.to_owned()),
    );
    for row in ROWS {
        let title = format!("{} {}", row.title, row.unit);
        let cells = map.engines.iter();
        line(
            &mut text,
            &title,
            cells.map(|(_, figures)| row.write(map, figures)),
        );
    }
    let cells = map.engines.iter();
    line(
        &mut text,
        "asked · failed · cut corner",
        cells.map(|(_, figures)| outcome(figures)),
    );
    text
}

fn line(text: &mut String, first: &str, cells: impl Iterator<Item = String>) {
    let _ = write!(text, "{first:<FIRST$}");
    for cell in cells {
        let _ = write!(text, " {cell:>15}");
    }
    text.push('\n');
}

/// Returns the factors by which flowtiles is ahead of each other engine.
pub fn ratios(report: &Report) -> String {
    let mut text = String::from("\nThe other's figure divided by that of flowtiles\n");
    for key in [
        "build_ms",
        "memory_mib",
        "order_median_ms",
        "order_p95_ms",
        "group_ms",
        "edit_median_us",
        "rebuild_us",
        "look_up_ns",
        "position_look_up_ns",
    ] {
        let row = row(key);
        let _ = writeln!(text, "{}:", row.title);
        for map in &report.maps {
            let own = map.of("flowtiles").and_then(|own| (row.value)(map, own));
            let _ = write!(text, "  {:<20}", map.title);
            for (card, figures) in map.engines.iter().skip(1) {
                if let (Some(own), Some(other)) = (own, (row.value)(map, figures)) {
                    let _ = write!(text, " {} {}", card.key, times(other / own));
                }
            }
            text.push('\n');
        }
    }
    for fault in notes::faults(report) {
        let _ = writeln!(text, "{fault}");
    }
    text
}
