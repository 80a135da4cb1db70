//! The faults of the engines, counted and in words.

use std::collections::BTreeMap;

use super::{MapResult, Report};
use crate::engines::Card;
use crate::figures::Figures;

/// Returns one line for each engine and map with a fault.
pub fn faults(report: &Report) -> Vec<String> {
    let each = |map: &MapResult| -> Vec<String> {
        let lines = map.engines.iter();
        lines
            .filter_map(|(card, figures)| Some(format!("{}: {}", map.title, fault(card, figures)?)))
            .collect()
    };
    report.maps.iter().flat_map(each).collect()
}

fn fault(card: &Card, figures: &Figures) -> Option<String> {
    let mut parts = Vec::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in &figures.failures {
        *reasons.entry(reason).or_default() += 1;
    }
    let asked = figures.asked();
    for (reason, count) in reasons {
        parts.push(format!("{count} of {asked} orders {reason}"));
    }
    let cutters = figures.corner_cutters();
    if cutters > 0 {
        let ways = figures.ways.len();
        parts.push(format!("{cutters} of {ways} paths cut a corner"));
    }
    if let Some(panic) = figures.panics.first() {
        let count = figures.panics.len();
        parts.push(format!("panics: {count}, the first “{panic}”"));
    }
    let missed = figures.groups.first().map_or(0, |group| group.missed);
    if missed > 0 {
        let tried = figures.groups[0].tried;
        parts.push(format!(
            "{missed} of {tried} units of the group got no path"
        ));
    }
    if figures.cut_off {
        parts.push("was ended because it took too long".into());
    } else if !figures.done && figures.refused.is_none() {
        parts.push("did not finish".into());
    }
    (!parts.is_empty()).then(|| format!("{}: {}.", card.title, parts.join("; ")))
}
