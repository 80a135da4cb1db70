//! The findings, as text and as JSON.

use std::io::{self, Write};

use clap::ValueEnum;
use flowtiles::Cell;
use serde_json::{Value, json};

use super::islands::Island;
use crate::support::output::write_json;

/// The kinds of findings, as `--allow` and the object name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Islands other than the largest
    Pockets,
    /// Places that are one cell wide
    Chokes,
    /// Passages between sectors that are too narrow
    Passages,
    /// Spawn points that cannot reach the others
    Spawns,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Pockets => "pockets",
            Self::Chokes => "chokes",
            Self::Passages => "narrow passages",
            Self::Spawns => "spawn points cut off",
        }
    }
}

/// The findings of one kind.
pub struct Findings {
    kind: Kind,
    count: usize,
    /// The first of them as text, and as an object.
    listed: Vec<(String, Value)>,
}

impl Findings {
    /// Up to `list` findings are listed, each as `describe` gives it: a sentence, and an object with
    /// its cell added.
    pub fn new<T>(
        kind: Kind,
        all: &[T],
        list: usize,
        describe: impl Fn(&T) -> (String, Cell, Value),
    ) -> Self {
        let listed = all.iter().take(list).map(|finding| {
            let (text, cell, mut object) = describe(finding);
            object["cell"] = json!([cell.x, cell.y]);
            (text, object)
        });
        Self {
            kind,
            count: all.len(),
            listed: listed.collect(),
        }
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let count = console::style(self.count);
        let count = if self.count > 0 {
            count.yellow().bold()
        } else {
            count.green()
        };
        writeln!(out, "{}: {count}", self.kind.name())?;
        for (text, _) in &self.listed {
            writeln!(out, "  {text}")?;
        }
        match self.count - self.listed.len() {
            0 => Ok(()),
            // With a list of 0 the counts suffice.
            _ if self.listed.is_empty() => Ok(()),
            more => writeln!(out, "  … and {more} more: --list N shows more"),
        }
    }
}

/// All findings on a map.
pub struct CheckReport {
    pub width: u32,
    pub height: u32,
    pub open: usize,
    pub mainland: Option<Island>,
    pub findings: Vec<Findings>,
}

impl CheckReport {
    /// Returns the findings of kinds that are not allowed, in a few words.
    pub fn found(&self, allowed: &[Kind]) -> Vec<String> {
        let findings = self.findings.iter();
        let found = findings.filter(|one| one.count > 0 && !allowed.contains(&one.kind));
        let found = found.map(|one| format!("{} ({})", one.kind.name(), one.count));
        let no_cell = self.mainland.is_none().then(|| "no open cell".to_owned());
        found.chain(no_cell).collect()
    }

    /// Writes a line for each kind, and the findings that are listed.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let (width, height, open) = (self.width, self.height, self.open);
        writeln!(out, "map: {width}×{height} cells, {open} open")?;
        match self.mainland {
            Some(Island { cell, cells, .. }) => {
                writeln!(out, "mainland: {}, with {cell}", counted(cells))?;
            }
            None => writeln!(out, "mainland: none, all is wall")?,
        }
        self.findings.iter().try_for_each(|one| one.write_text(out))
    }

    /// Writes one object.
    pub fn write_json(&self, found: &[String], out: &mut impl Write) -> io::Result<()> {
        let mainland = self
            .mainland
            .map(|island| json!({ "cell": [island.cell.x, island.cell.y], "cells": island.cells }));
        let mut object = json!({
            "width": self.width,
            "height": self.height,
            "open": self.open,
            "found": found,
            "mainland": mainland,
            "passages": null,
            "spawns": { "count": 0, "list": [] },
        });
        for findings in &self.findings {
            let kind = findings.kind.to_possible_value();
            let list: Vec<&Value> = findings.listed.iter().map(|(_, object)| object).collect();
            object[kind.as_ref().map_or("", |kind| kind.get_name())] =
                json!({ "count": findings.count, "list": list });
        }
        write_json(&object, out)
    }
}

/// A number of cells in words.
pub fn counted(cells: u32) -> String {
    match cells {
        1 => "1 cell".to_owned(),
        cells => format!("{cells} cells"),
    }
}
