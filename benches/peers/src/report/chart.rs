//! The chart: bars on a logarithmic scale, for one map, readable on light and
//! dark backgrounds.

use super::rows::{BUILD, EDIT, GROUP, ORDER, Row};
use super::{MapResult, Report};
use crate::engines::Card;

const WIDTH: f64 = 760.0;
/// The left and right ends of the bars.
const LEFT: f64 = 190.0;
const RIGHT: f64 = 650.0;
const BAR: f64 = 12.0;
const PITCH: f64 = 17.0;
/// The space of the title and the legend, and of the title of a panel.
const TOP: f64 = 62.0;
const HEAD: f64 = 34.0;

const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#1f2328}\
.title{font-size:15px;font-weight:600}.panel{font-weight:600}.end{text-anchor:end}\
.own{fill:#0969da}.crate{fill:#8c959f}.plain{fill:#c69026}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}\
.own{fill:#4493f8}.crate{fill:#7d8590}.plain{fill:#d29922}}";

/// The panels, each with the factor from its unit to milliseconds.
const PANELS: [(&Row, f64); 4] = [(&ORDER, 1.0), (&GROUP, 1.0), (&BUILD, 1.0), (&EDIT, 1e-3)];

/// Draws the chart of the first map of a game, or else of the first map.
pub fn draw(report: &Report) -> String {
    let mut games = report.maps.iter().filter(|map| !map.title.contains('²'));
    let Some(map) = games.next().or(report.maps.first()) else {
        return String::new();
    };
    let (name, width, height) = (&map.title, map.width, map.height);
    let title = format!("{name} ({width}×{height}): times, less is better");
    let mut body = text("title", 12.0, 22.0, &title);
    let legend = [
        ("own", "flowtiles"),
        ("crate", "other crates"),
        ("plain", "plain methods"),
    ];
    for ((class, words), place) in legend.into_iter().zip(0_u8..) {
        let left = 12.0 + 120.0 * f64::from(place);
        body += &bar(class, left, 36.0, BAR);
        body += &text("", left + 16.0, 46.0, words);
    }
    let mut top = TOP;
    for (row, scale) in PANELS {
        body += &panel(map, row, scale, &mut top);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" width=\"{WIDTH}\" \
         height=\"{top}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

/// Draws one panel at `top`, and moves it below.
fn panel(map: &MapResult, row: &Row, scale: f64, top: &mut f64) -> String {
    let value = |(card, figures): &(&'static Card, _)| {
        let millis = row.value(map, figures)? * scale;
        Some((*card, row.about(figures), millis))
    };
    let bars: Vec<_> = map.engines.iter().filter_map(value).collect();
    let ends = |pick: fn(f64, f64) -> f64| bars.iter().map(|bar| bar.2).reduce(pick);
    let Some((lowest, highest)) = ends(f64::min).zip(ends(f64::max)) else {
        return String::new();
    };
    // The scale begins below the shortest bar, so that the bar is visible.
    let (first, last) = ((lowest / 3.0).log10(), highest.log10());
    let mut body = text("panel", 12.0, *top + 20.0, row.title);
    *top += HEAD;
    for (card, about, millis) in bars {
        let class = match (card.key, card.package) {
            ("flowtiles", _) => "own",
            (_, Some(_)) => "crate",
            (_, None) => "plain",
        };
        let long = (RIGHT - LEFT) * (millis.log10() - first) / (last - first);
        let words = format!("{about}{}", duration(millis));
        body += &text("end", LEFT - 8.0, *top + 10.0, card.title);
        body += &bar(class, LEFT, *top, long);
        body += &text("", LEFT + long + 6.0, *top + 10.0, &words);
        *top += PITCH;
    }
    *top += PITCH;
    body
}

fn text(class: &str, x: f64, y: f64, words: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>\n")
}

fn bar(class: &str, x: f64, y: f64, long: f64) -> String {
    format!(
        "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{long:.1}\" height=\"{BAR}\" \
         rx=\"2\"/>\n"
    )
}

/// Formats milliseconds in a suitable unit.
fn duration(millis: f64) -> String {
    let (number, unit) = match millis {
        1e3.. => (millis / 1e3, "s"),
        1.0.. => (millis, "ms"),
        1e-3.. => (millis * 1e3, "µs"),
        _ => (millis * 1e6, "ns"),
    };
    let digits = usize::from(number < 10.0);
    format!("{number:.digits$} {unit}")
}
