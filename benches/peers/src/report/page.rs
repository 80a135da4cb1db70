//! The Markdown page. The figures stand between two markers; the rest of the page
//! is kept.

use std::fmt::Write;

use super::machine::version;
use super::rows::{ROWS, Row, outcome, row, times};
use super::{MapResult, Report, notes};
use crate::engines::ALL;
use crate::figures::Figures;
use crate::task::UNITS;

const BEGIN: &str = "<!-- begin: written by benches/peers, do not edit -->\n";
const END: &str = "<!-- end: written by benches/peers -->\n";
const NEW: &str = "# Benchmarks\n\n";

/// The engine of the same method, with which most ratios compare.
const RIVAL: &str = "sector_fields";

const RULES: &str = "\
Every engine gets the same maps, pairs, units and edits, drawn from fixed seeds. \
Each engine and map runs in a process of its own; a panic ends that one and is \
counted. All are built with Cargo's release profile and no further flags. An \
engine that is slower than its time allows answers only the first part of the \
pairs, which is a fair sample of them. flowtiles finishes early and runs again after \
each of the others; all its times count.

Times are processor times, so that other jobs on the machine do not count. Where a \
crate works on several threads (build and edit of bevy_northstar and \
hierarchical_pathfinding), the time of all threads is divided by the number of cores, \
which is a lower bound. Other jobs still cost cache and clock rate, and the machine \
was busy, so **trust the ratios more than the figures**, and neither beyond two digits.

- **build**: from costs in the engine's own form to ready for the first order.
- **memory**: bytes allocated by then, costs included, counted by the allocator.
- **one cold order**: one unit, one far goal, nothing prepared but the build.
- **1000 units to one goal**: units all over the map; everything until each of them \
could take its first step.
- **one-cell edit**: a cell becomes a wall, or opens again, and the engine is ready \
again; no orders are alive.
- **one sector rebuilt**: integration and directions of one loaded 10×10 sector.
- **look-up**: the direction of a unit somewhere on one of up to twelve live orders (of \
the one live field for whole-map fields).
- **length / optimum**: cost of the path walked divided by that of the shortest: \
1 and √2 times the cost of the cell left, by a Dijkstra over the whole map that \
shares no code with any engine. A diagonal step needs both cells beside it open.
";

const APART: &str = "\
- **A path is not a field.** bevy_northstar, hierarchical_pathfinding, \
grid_pathfinding and the flat A* give one unit its path. flowtiles and \
bevy_flowfield_tiles_plugin give directions for every cell of the sectors on the \
route, so that a unit pushed aside, or a second unit, needs nothing new. For one unit \
that is never pushed, this work is wasted.
- **Refined and coarse.** bevy_northstar is measured with refined paths, its default. \
Its coarse paths are quicker and longer.
- **The first step and the whole path.** hierarchical_pathfinding returns a path that \
is refined while it is walked; only its first step is in the time.
- **Another rule.** hierarchical_pathfinding and grid_pathfinding let diagonal steps \
pass walls, and bevy_flowfield_tiles_plugin's fields do so too, so their paths may use \
gaps that are closed to the others. grid_pathfinding's length may lie below 1 for \
that reason.
- **Diagonal steps for the price of straight ones.** bevy_northstar and \
hierarchical_pathfinding count both alike, and pay in length as it is judged here.
- **Frames.** bevy_flowfield_tiles_plugin works on tasks that its systems poll once a \
frame. Here its functions are called one after the other, which is the least that it \
could take.
- **Live orders.** An edit that touches live orders makes flowtiles replan them; \
the others leave it to the game to ask again. Edits are measured without any.
- **Whole-map fields** are optimal and hold one goal in as much memory as the map; an \
edit requires a new field, which costs as much as an order.
";

/// Returns the page with these figures between its markers.
pub fn renewed(page: &str, report: &Report) -> Result<String, String> {
    let part = format!("{BEGIN}\n{}\n{END}", measured(report));
    if page.is_empty() {
        return Ok(format!("{NEW}{part}"));
    }
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{part}{after}"))
}

fn missing() -> String {
    format!("the page has no markers: put these two lines where the figures belong:\n{BEGIN}{END}")
}

fn measured(report: &Report) -> String {
    let mut text = String::new();
    text.push_str("## How it was measured\n\n");
    how(&mut text, report);
    text.push_str("\n## Ratios\n\n");
    against_rival(&mut text, report);
    text.push_str("\n![Times of all engines on one map, on a logarithmic scale](benchmarks.svg)\n");
    let words = "The other's figure divided by that of flowtiles; after it, by how much the \
                 other's paths exceed the optimum on average.";
    let title = "One cold order, median";
    against_all(&mut text, report, title, words, row("order_median_ms"));
    let words = format!(
        "The other's figure divided by that of flowtiles. ≈ where fewer than {UNITS} units \
         were served in time, and the rest is extrapolated."
    );
    against_all(
        &mut text,
        report,
        "1000 units to one goal",
        &words,
        row("group_ms"),
    );
    text.push_str("\n## Figures\n");
    for map in &report.maps {
        figures(&mut text, map);
    }
    text.push_str("\n## What went wrong\n\n");
    for fault in notes::faults(report) {
        let _ = writeln!(text, "- {fault}");
    }
    let _ = write!(text, "\n## What cannot be compared\n\n{APART}");
    text
}

fn how(text: &mut String, report: &Report) {
    let machine = &report.machine;
    let _ = writeln!(
        text,
        "{}, {} cores, {}, {}; {} s for each engine and map.\n\n{RULES}",
        machine.processor, machine.cores, machine.rustc, machine.date, report.seconds
    );
    text.push_str("| here | package | how it was set up |\n| --- | --- | --- |\n");
    for card in ALL {
        let package = card.package.map_or("–".into(), |package| {
            format!("{package} {}", version(package))
        });
        let (title, setting) = (card.title, card.setting);
        let _ = writeln!(text, "| {title} | {package} | {setting} |");
    }
    text.push_str("\n| map | size | open | pairs |\n| --- | --- | --: | --: |\n");
    for map in &report.maps {
        let _ = writeln!(
            text,
            "| {} | {}×{} | {:.0} % | {} |",
            map.title,
            map.width,
            map.height,
            map.open * 100.0,
            map.pairs
        );
    }
    text.push_str(
        "\nOpen, hills (ground of cost 1 to 20), maze (corridors of 3, some loops) and random \
         20 % walls are drawn from seeds; the others are \
         [Moving AI](https://movingai.com/benchmarks/) maps (N. R. Sturtevant, *Benchmarks for \
         Grid-Based Pathfinding*, 2012). Pairs lie at least half a side apart.\n",
    );
}

fn heading(text: &mut String, first: &str, columns: impl Iterator<Item = String>) {
    let _ = write!(text, "| {first} |");
    let mut rule = String::from("| --- |");
    for column in columns {
        let _ = write!(text, " {column} |");
        rule.push_str(" --: |");
    }
    let _ = writeln!(text, "\n{rule}");
}

fn map_titles(report: &Report) -> impl Iterator<Item = String> {
    report.maps.iter().map(|map| map.title.clone())
}

fn against_rival(text: &mut String, report: &Report) {
    let package = crate::engines::find(RIVAL).and_then(|card| card.package);
    let package = package.expect("it is a crate of its own");
    let _ = writeln!(
        text,
        "### The same method: {package} {}\n\nFigure of {package} divided by that of \
         flowtiles; the last two rows are lengths.\n",
        version(package)
    );
    heading(text, "", map_titles(report));
    for row in ROWS.iter().filter(|row| !row.unit.is_empty()) {
        let _ = write!(text, "| {} |", row.title);
        for map in &report.maps {
            let ratio = ratio(map, RIVAL, row);
            let estimated = map.of(RIVAL).is_some_and(Figures::group_is_estimated);
            let about = if row.key == "group_ms" && estimated {
                "≈ "
            } else {
                ""
            };
            let cell = ratio.map_or("–".into(), |ratio| format!("{about}{}", times(ratio)));
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    for (key, name) in [("flowtiles", "flowtiles"), (RIVAL, package)] {
        let _ = write!(text, "| length / optimum, {name}: mean, max |");
        for map in &report.maps {
            let cell = map.of(key).map_or("–".into(), |figures| {
                let write = |key: &str| row(key).write(map, figures);
                format!("{}, {}", write("length_mean"), write("length_max"))
            });
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
}

/// Returns the figure of another engine divided by that of flowtiles.
fn ratio(map: &MapResult, other: &str, row: &Row) -> Option<f64> {
    let other = (row.value)(map, map.of(other)?)?;
    let own = (row.value)(map, map.of("flowtiles")?)?;
    Some(other / own)
}

fn against_all(text: &mut String, report: &Report, title: &str, words: &str, by: &Row) {
    let _ = writeln!(text, "\n### {title}\n\n{words}\n");
    heading(text, "", map_titles(report));
    for card in &ALL[1..] {
        let _ = write!(text, "| {} |", card.title);
        for map in &report.maps {
            let cell = ratio(map, card.key, by).map_or("–".into(), |ratio| {
                let figures = map.of(card.key).expect("it has a figure");
                let length = (row("length_mean").value)(map, figures);
                match (by.key, length) {
                    ("order_median_ms", Some(length)) => format!("{} ({length:.3})", times(ratio)),
                    _ if figures.group_is_estimated() => format!("≈ {}", times(ratio)),
                    _ => times(ratio),
                }
            });
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
}

fn figures(text: &mut String, map: &MapResult) {
    let _ = writeln!(text, "\n### {}\n", map.title);
    let titles = map.engines.iter().map(|(card, _)| card.title.to_owned());
    heading(text, "", titles);
    for row in ROWS {
        let unit = if row.unit.is_empty() {
            String::new()
        } else {
            format!(", {}", row.unit)
        };
        let _ = write!(text, "| {}{unit} |", row.title);
        for (_, figures) in &map.engines {
            let _ = write!(text, " {} |", row.write(map, figures));
        }
        text.push('\n');
    }
    text.push_str("| orders asked · failed · that cut a corner |");
    for (_, figures) in &map.engines {
        let _ = write!(text, " {} |", outcome(figures));
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_written_parts_survive() {
        let report = Report::begin(1);
        let page = format!("before\n{BEGIN}old\n{END}after\n");
        let new = renewed(&page, &report).unwrap();
        assert!(new.starts_with("before\n") && new.ends_with("after\n"));
        assert!(!new.contains("old\n"));
        assert_eq!(renewed(&new, &report).unwrap(), new);
        assert!(renewed("no markers", &report).is_err());
    }
}
