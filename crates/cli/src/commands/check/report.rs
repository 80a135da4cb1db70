//! The findings, as text and as JSON.

use std::fmt;
use std::io::{self, Write};

use flowtiles::Cell;
use serde_json::{Value, json};

use super::islands::{ChokeRun, Island};
use super::kind::Kind;
use super::passages::Passage;
use super::spawns::SpawnFault;

/// All findings on a map.
pub struct CheckReport {
    pub width: u32,
    pub height: u32,
    pub open: u32,
    pub mainland: Option<Island>,
    pub pockets: Vec<Island>,
    pub chokes: Vec<ChokeRun>,
    /// `None` if no size was given.
    pub passages: Option<Vec<Passage>>,
    pub spawn_points: usize,
    pub spawns: Vec<(Cell, SpawnFault)>,
}

impl CheckReport {
    /// Returns the findings of kinds that are not allowed, in a few words.
    pub fn found(&self, allowed: &[Kind]) -> Vec<String> {
        let passages = self.passages.as_ref().map_or(0, Vec::len);
        let counts = [
            (Kind::Pockets, self.pockets.len(), "pockets"),
            (Kind::Chokes, self.chokes.len(), "chokes"),
            (Kind::Passages, passages, "narrow passages"),
            (Kind::Spawns, self.spawns.len(), "spawn points cut off"),
        ];
        let mut found: Vec<String> = counts
            .into_iter()
            .filter(|(kind, count, _)| *count > 0 && !allowed.contains(kind))
            .map(|(_, count, name)| format!("{name} ({count})"))
            .collect();
        if self.mainland.is_none() {
            found.push("no open cell".to_owned());
        }
        found
    }

    /// Writes a line for each kind, and up to `list` findings of it.
    pub fn write_text(&self, list: usize, out: &mut impl Write) -> io::Result<()> {
        let (width, height, open) = (self.width, self.height, self.open);
        writeln!(out, "map: {width}×{height} cells, {open} open")?;
        match self.mainland {
            Some(Island { cell, cells }) => {
                writeln!(out, "mainland: {}, with {cell}", counted(cells))?;
            }
            None => writeln!(out, "mainland: none, all is wall")?,
        }
        let pockets = self.pockets.iter();
        let pockets = pockets.map(|at| format!("{}, with {}", counted(at.cells), at.cell));
        write_list("pockets", pockets, list, out)?;
        let chokes = self.chokes.iter().map(|run| {
            let side_by_side = match run.cells {
                1 => String::new(),
                cells if run.cut == 0 => format!(", as have {} side by side", cells - 1),
                cells => format!(", the worst of {cells} side by side"),
            };
            match run.cut {
                0 => format!("{} has another way around it{side_by_side}", run.cell),
                cut => format!("{} cuts off {}{side_by_side}", run.cell, counted(cut)),
            }
        });
        write_list("chokes", chokes, list, out)?;
        if let Some(passages) = &self.passages {
            let passages = passages.iter().map(|passage| {
                let Passage {
                    cell,
                    width,
                    portal,
                } = passage;
                format!("{cell} is {width} wide, portal {portal}")
            });
            write_list("narrow passages", passages, list, out)?;
        }
        if self.spawn_points > 0 {
            let spawns = self.spawns.iter();
            let spawns = spawns.map(|(cell, fault)| format!("{cell} {fault}"));
            write_list("spawn points cut off", spawns, list, out)?;
        }
        Ok(())
    }

    /// Writes one object, with up to `list` findings of each kind.
    pub fn write_json(
        &self,
        found: &[String],
        list: usize,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let pair = |cell: Cell| json!([cell.x, cell.y]);
        let island = |at: &Island| json!({ "cell": pair(at.cell), "cells": at.cells });
        let choke = |run: &ChokeRun| json!({ "cell": pair(run.cell), "cut": run.cut, "side_by_side": run.cells });
        let passage = |at: &Passage| json!({ "cell": pair(at.cell), "width": at.width, "portal": at.portal.to_string() });
        let spawn = |(cell, fault): &(Cell, SpawnFault)| json!({ "cell": pair(*cell), "fault": fault.to_string() });
        let object = json!({
            "width": self.width,
            "height": self.height,
            "open": self.open,
            "found": found,
            "mainland": self.mainland.as_ref().map(island),
            "pockets": listed(&self.pockets, list, island),
            "chokes": listed(&self.chokes, list, choke),
            "passages": self.passages.as_ref().map(|all| listed(all, list, passage)),
            "spawns": listed(&self.spawns, list, spawn),
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)
    }
}

fn counted(cells: u32) -> String {
    match cells {
        1 => "1 cell".to_owned(),
        cells => format!("{cells} cells"),
    }
}

/// Returns the number of findings, and the first of them.
fn listed<T>(all: &[T], list: usize, value: impl Fn(&T) -> Value) -> Value {
    let first: Vec<Value> = all.iter().take(list).map(value).collect();
    json!({ "count": all.len(), "list": first })
}

fn write_list(
    name: &str,
    findings: impl ExactSizeIterator<Item = String>,
    list: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = findings.len();
    writeln!(out, "{name}: {count}")?;
    for finding in findings.take(list) {
        writeln!(out, "  {finding}")?;
    }
    match count.saturating_sub(list) {
        0 => Ok(()),
        // With a list of 0 the counts suffice.
        _ if list == 0 => Ok(()),
        more => writeln!(out, "  … and {more} more: --list N tells more"),
    }
}

impl fmt::Display for SpawnFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap => f.write_str("is off the map"),
            Self::InWall => f.write_str("is in a wall"),
            Self::CutOffFrom(cell) => write!(f, "cannot reach {cell}, on whose island most are"),
            Self::Goal { goal, line } => {
                write!(
                    f,
                    "cannot reach its goal {goal} (line {line} of the scenario)"
                )
            }
        }
    }
}
