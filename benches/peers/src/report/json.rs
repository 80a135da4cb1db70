//! All figures as one JSON object.

use std::fmt::Write;

use super::rows::ROWS;
use super::{MapResult, Report, machine};
use crate::engines::Card;
use crate::figures::Figures;

/// Returns the whole run as JSON.
pub fn whole(report: &Report) -> String {
    let machine = &report.machine;
    let maps: Vec<String> = report.maps.iter().map(map).collect();
    format!(
        "{{\"processor\":{},\"cores\":{},\"rustc\":{},\"date\":{},\"limit_s\":{},\"maps\":[{}\n]}}\n",
        quoted(&machine.processor),
        machine.cores,
        quoted(&machine.rustc),
        quoted(&machine.date),
        report.seconds,
        maps.join(",")
    )
}

fn map(map: &MapResult) -> String {
    let engines = map.engines.iter();
    let engines: Vec<String> = engines
        .map(|(card, figures)| engine(map, card, figures))
        .collect();
    format!(
        "\n {{\"map\":{},\"width\":{},\"height\":{},\"open\":{:.4},\"pairs\":{},\"engines\":[{}]}}",
        quoted(&map.title),
        map.width,
        map.height,
        map.open,
        map.pairs,
        engines.join(",")
    )
}

fn engine(map: &MapResult, card: &Card, figures: &Figures) -> String {
    let mut text = format!("\n  {{\"engine\":{}", quoted(card.key));
    if let Some(package) = card.package {
        let _ = write!(text, ",\"version\":{}", quoted(machine::version(package)));
    }
    for row in ROWS {
        let value = (row.value)(map, figures);
        let value = value.map_or("null".into(), |value| format!("{value:.6}"));
        let _ = write!(text, ",\"{}\":{value}", row.key);
    }
    let _ = write!(
        text,
        ",\"group_estimated\":{},\"asked\":{},\"failed\":{},\"corner_cutters\":{},\"panics\":{},\"finished\":{}",
        figures.group_is_estimated(),
        figures.asked(),
        figures.failures.len(),
        figures.corner_cutters(),
        figures.panics.len(),
        figures.done
    );
    if let Some(reason) = &figures.refused {
        let _ = write!(text, ",\"does_not_run\":{}", quoted(reason));
    }
    text.push('}');
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => quoted.push(' '),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
