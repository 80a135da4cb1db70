//! The tables of the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use flowtiles_peers::machine::version;
use flowtiles_peers::markdown::{self, table};

use super::rows::{GROUP, MAX, MEAN, ORDER, ROWS, Row, rounded};
use super::{MapResult, Report};
use crate::engines::{self, ALL};
use crate::figures::Figures;

/// The engine of the same method, with which most ratios compare.
const RIVAL: &str = "sector_fields";

/// Returns the page with the tables of this run.
pub fn renewed(page: &str, report: &Report) -> Result<String, String> {
    let each = |table: fn(&MapResult) -> String| report.maps.iter().map(table).collect();
    let parts = [
        ("machine", machine(report)),
        ("maps", maps(report)),
        ("figures", each(figures)),
        ("faults", each(faults)),
    ];
    let mut page = page.to_owned();
    for (name, part) in parts.into_iter().chain(ratios(report)) {
        page = markdown::renewed(&page, name, &part)?;
    }
    Ok(page)
}

/// Returns the tables that compare flowtiles with the others.
pub fn ratios(report: &Report) -> [(&'static str, String); 3] {
    [
        ("rival", against_rival(report)),
        ("orders", against_all(report, &ORDER)),
        ("groups", against_all(report, &GROUP)),
    ]
}

fn machine(report: &Report) -> String {
    let (machine, seconds) = (&report.machine, report.seconds);
    let mut packages: Vec<&str> = ALL.iter().filter_map(|card| card.package).collect();
    packages.dedup();
    let packages = packages
        .iter()
        .map(|name| format!("{name} {}", version(name)));
    let packages = packages.collect::<Vec<_>>().join(", ");
    format!("{machine}; {seconds} s for each engine and map; {packages}.")
}

/// Writes a table with a column for each map.
fn by_map(report: &Report, rows: impl IntoIterator<Item = (String, Vec<String>)>) -> String {
    let titles = report.maps.iter().map(|map| map.title.clone());
    table(&titles.collect::<Vec<_>>(), rows)
}

/// Returns what `cell` says about each map.
fn across(report: &Report, cell: impl Fn(&MapResult) -> Option<String>) -> Vec<String> {
    let cells = report.maps.iter().map(cell);
    cells.map(|cell| cell.unwrap_or("–".into())).collect()
}

fn maps(report: &Report) -> String {
    let columns = ["size", "open", "pairs"].map(str::to_owned);
    let row = |map: &MapResult| {
        let size = format!("{}×{}", map.width, map.height);
        let open = format!("{:.0} %", map.open * 100.0);
        (map.title.clone(), vec![size, open, map.pairs.to_string()])
    };
    table(&columns, report.maps.iter().map(row))
}

/// Returns the figure of another engine divided by that of flowtiles.
fn ratio(map: &MapResult, other: &str, row: &Row) -> Option<String> {
    let figures = map.of(other)?;
    let own = row.value(map, map.of("flowtiles")?)?;
    let ratio = row.value(map, figures)? / own;
    Some(format!("{}{}×", row.about(figures), rounded(ratio)))
}

fn against_rival(report: &Report) -> String {
    let package = engines::find(RIVAL).and_then(|card| card.package);
    let ratios = ROWS.iter().filter(|row| !row.unit.is_empty()).map(|row| {
        let cells = across(report, |map| ratio(map, RIVAL, row));
        (row.title.to_owned(), cells)
    });
    let lengths = [("flowtiles", Some("flowtiles")), (RIVAL, package)];
    let lengths = lengths.map(|(key, name)| {
        let title = format!("length / optimum, {}: mean, max", name.unwrap_or(key));
        let cells = across(report, |map| {
            let figures = map.of(key)?;
            let [mean, max] = [&MEAN, &MAX].map(|row| row.write(map, figures));
            Some(format!("{mean}, {max}"))
        });
        (title, cells)
    });
    by_map(report, ratios.chain(lengths))
}

/// Orders have the mean length of their paths beside them.
fn against_all(report: &Report, row: &Row) -> String {
    let rows = ALL[1..].iter().map(|card| {
        let cells = across(report, |map| {
            let ratio = ratio(map, card.key, row)?;
            let length = MEAN.value(map, map.of(card.key)?);
            let length = length.filter(|_| row.key == ORDER.key);
            Some(match length {
                Some(mean) => format!("{ratio} ({mean:.3})"),
                None => ratio,
            })
        });
        (card.title.to_owned(), cells)
    });
    by_map(report, rows)
}

/// Writes all figures on a map.
pub fn figures(map: &MapResult) -> String {
    let cells = |cell: &dyn Fn(&Figures) -> String| {
        let each = map.engines.iter().map(|(_, figures)| cell(figures));
        each.collect::<Vec<_>>()
    };
    let rows = ROWS.iter().map(|row| {
        let title = format!("{}, {}", row.title, row.unit);
        let title = title.trim_end_matches(", ").to_owned();
        (title, cells(&|figures| row.write(map, figures)))
    });
    let outcome = cells(&|figures| match &figures.refused {
        Some(reason) => format!("does not run: {reason}"),
        None => format!(
            "{} · {} · {}",
            figures.asked(),
            figures.failures.len(),
            figures.corner_cutters()
        ),
    });
    let outcome = (
        "orders asked · failed · that cut a corner".to_owned(),
        outcome,
    );
    let titles = map.engines.iter().map(|(card, _)| card.title.to_owned());
    let table = table(&titles.collect::<Vec<_>>(), rows.chain([outcome]));
    format!("### {}\n\n{table}\n", map.title)
}

/// Writes a line for each engine with a fault.
pub fn faults(map: &MapResult) -> String {
    let mut text = String::new();
    for (card, figures) in &map.engines {
        let faults = faults_of(figures);
        if !faults.is_empty() {
            let (map, engine) = (&map.title, card.title);
            _ = writeln!(text, "- {map}: {engine}: {}.", faults.join("; "));
        }
    }
    text
}

fn faults_of(figures: &Figures) -> Vec<String> {
    let mut parts = Vec::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in &figures.failures {
        *reasons.entry(reason).or_default() += 1;
    }
    let asked = figures.asked();
    for (reason, count) in reasons {
        parts.push(format!("{count} of {asked} orders {reason}"));
    }
    let (cutters, ways) = (figures.corner_cutters(), figures.ways.len());
    if cutters > 0 {
        parts.push(format!("{cutters} of {ways} paths cut a corner"));
    }
    if let Some(panic) = figures.panics.first() {
        let count = figures.panics.len();
        parts.push(format!("panics: {count}, the first “{panic}”"));
    }
    if let Some(group) = figures.groups.first().filter(|group| group.missed > 0) {
        let (missed, tried) = (group.missed, group.tried);
        parts.push(format!(
            "{missed} of {tried} units of the group got no path"
        ));
    }
    if figures.cut_off {
        parts.push("was ended because it took too long".into());
    } else if !figures.done && figures.refused.is_none() {
        parts.push("did not finish".into());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles_peers::markdown::END;

    #[test]
    fn words_of_the_page_survive() {
        let page = include_str!("../../../../docs/benchmarks.md");
        let new = renewed(page, &Report::begin(1)).unwrap();
        let words = |page: &str| {
            let parts = page.split("<!-- begin ");
            let parts = parts.map(|part| part.rsplit(END).next().unwrap().to_owned());
            parts.collect::<Vec<_>>()
        };
        assert_eq!(words(&new), words(page));
        assert!(renewed("no markers", &Report::begin(1)).is_err());
    }
}
