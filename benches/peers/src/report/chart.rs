//! The chart: bars on a logarithmic scale, for one map, readable on light and
//! dark backgrounds.

use std::fmt::Write;

use super::rows::row;
use super::{MapResult, Report};

const WIDTH: f64 = 760.0;
/// The left and right ends of the bars.
const LEFT: f64 = 190.0;
const RIGHT: f64 = 650.0;
const BAR: f64 = 12.0;
const PITCH: f64 = 17.0;
/// The space above and below the bars of a panel.
const HEAD: f64 = 34.0;
const FOOT: f64 = 26.0;

const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#1f2328}\
.title{font-size:15px;font-weight:600}.panel{font-weight:600}\
.faint{fill:#59636e;font-size:11px}.end{text-anchor:end}.middle{text-anchor:middle}\
.own{fill:#0969da}.crate{fill:#8c959f}.plain{fill:#c69026}\
line{stroke:#59636e;stroke-opacity:.3}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.faint{fill:#9198a1}\
.own{fill:#4493f8}.crate{fill:#7d8590}.plain{fill:#d29922}line{stroke:#9198a1}}";

/// The panels: key of the row, title, and factor to milliseconds.
const PANELS: [(&str, &str, f64); 4] = [
    ("order_median_ms", "One cold order, median", 1.0),
    ("group_ms", "1000 units to one goal", 1.0),
    ("build_ms", "Build", 1.0),
    ("edit_median_us", "One-cell edit, median", 1e-3),
];

/// Draws the chart of the first map of a game, or else of the first map.
pub fn draw(report: &Report) -> String {
    let mut maps = report.maps.iter();
    let game = maps.find(|map| !map.title.contains('²'));
    let Some(map) = game.or(report.maps.first()) else {
        return String::new();
    };
    let mut body = String::new();
    let mut top = 62.0;
    for (key, title, scale) in PANELS {
        top = panel(&mut body, map, top, (key, title, scale));
    }
    let legend = [
        ("own", "flowtiles"),
        ("crate", "other crates"),
        ("plain", "plain methods"),
    ];
    let mut keys = String::new();
    for (at, (class, words)) in legend.iter().enumerate() {
        let x = 12.0 + 120.0 * at as f64;
        let _ = writeln!(
            keys,
            "<rect class=\"{class}\" x=\"{x}\" y=\"36\" width=\"11\" height=\"11\" rx=\"2\"/>\
             <text class=\"faint\" x=\"{}\" y=\"46\">{words}</text>",
            x + 16.0
        );
    }
    let title = format!(
        "{} ({}×{}): times, less is better",
        map.title, map.width, map.height
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" width=\"{WIDTH}\" \
         height=\"{top}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <text class=\"title\" x=\"12\" y=\"22\">{title}</text>\n{keys}{body}</svg>\n"
    )
}

/// Draws one panel below `top`; returns its lower end.
fn panel(body: &mut String, map: &MapResult, top: f64, what: (&str, &str, f64)) -> f64 {
    let (key, title, scale) = what;
    let row = row(key);
    let mut bars = Vec::new();
    for (card, figures) in &map.engines {
        if let Some(value) = (row.value)(map, figures) {
            let about = key == "group_ms" && figures.group_is_estimated();
            bars.push((*card, value * scale, about));
        }
    }
    let lowest = bars.iter().map(|bar| bar.1).fold(f64::INFINITY, f64::min);
    let highest = bars.iter().map(|bar| bar.1).fold(0.0, f64::max);
    if bars.is_empty() || lowest <= 0.0 {
        return top;
    }
    // The scale begins a decade below the shortest bar, so that the bar is
    // visible.
    let (first, last) = ((lowest / 1.5).log10().floor(), highest.log10().ceil());
    let across =
        |value: f64| LEFT + (RIGHT - LEFT) * (value.log10() - first) / (last - first).max(1.0);
    let _ = writeln!(
        body,
        "<text class=\"panel\" x=\"12\" y=\"{}\">{title}</text>",
        top + 20.0
    );
    let bottom = top + HEAD + PITCH * bars.len() as f64;
    for decade in first as i32..=last as i32 {
        let x = across(10_f64.powi(decade));
        let _ = writeln!(
            body,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{bottom:.1}\"/>\
             <text class=\"faint middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            top + HEAD - 4.0,
            bottom + 13.0,
            duration(10_f64.powi(decade))
        );
    }
    for (at, (card, value, about)) in bars.iter().enumerate() {
        let y = top + HEAD + PITCH * at as f64;
        let class = match (card.key, card.package) {
            ("flowtiles", _) => "own",
            (_, Some(_)) => "crate",
            (_, None) => "plain",
        };
        let about = if *about { "≈ " } else { "" };
        let _ = writeln!(
            body,
            "<text class=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>\
             <rect class=\"{class}\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{about}{}</text>",
            LEFT - 8.0,
            y + 10.0,
            card.title,
            across(*value) - LEFT,
            across(*value) + 6.0,
            y + 10.0,
            duration(*value)
        );
    }
    bottom + FOOT
}

/// Formats milliseconds in a suitable unit.
fn duration(millis: f64) -> String {
    let (number, unit) = match millis {
        millis if millis >= 1e3 => (millis / 1e3, "s"),
        millis if millis >= 1.0 => (millis, "ms"),
        millis if millis >= 1e-3 => (millis * 1e3, "µs"),
        millis => (millis * 1e6, "ns"),
    };
    let digits = match number {
        number if number >= 10.0 || number.fract().abs() < 1e-6 => 0,
        _ => 1,
    };
    format!("{number:.digits$} {unit}")
}
