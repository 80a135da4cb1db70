//! `flowtiles check`: possible faults of a map, for tools and builds.
//!
//! ```text
//!   map ─▶ islands, chokes              one depth-first walk
//!       └▶ portal graph ─▶ passages     with --size
//!   spawn points, islands ─▶ spawns     with --spawn, --scen, or in the map
//! ```

mod islands;
mod passages;
mod report;
mod spawns;

use std::io::Write;
use std::path::PathBuf;

use flowtiles::{Cell, MAX_SIZE};
use serde_json::json;

use crate::support::failure::Failure;
use crate::support::map_file::{self, MapFile};
use crate::support::numbers::whole;
use islands::Islands;
use report::{CheckReport, Findings, Kind, counted};

/// The most cells that are checked at once: the walk keeps 24 bytes for each.
const MAX_CELLS: u64 = 1 << 26;

/// Look for possible faults of a map: pockets, one-cell chokes, narrow passages,
/// spawn points that cannot reach each other. Exit code 0 if nothing was found, 1
/// if something was found, 2 for bad input
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    map: MapFile,
    /// Find passages between sectors that are narrower than N cells, the width of the widest
    /// bodies
    #[arg(long, value_name = "N", value_parser = width)]
    size: Option<u32>,
    /// A spawn point; may be given again. Objects in a layer `spawn` of a Tiled
    /// map are spawn points as well
    #[arg(long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true)]
    spawn: Vec<Cell>,
    /// A Moving AI scenario: the start of each entry must reach its goal
    #[arg(long, value_name = "FILE")]
    scen: Option<PathBuf>,
    /// Find only chokes whose closing cuts off N cells or more; with 1, those that
    /// have no other way around them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0, u32::MAX))]
    min_cut: u32,
    /// Find only pockets of N cells or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, u32::MAX))]
    min_pocket: u32,
    /// Report findings of a kind, but exit with 0 despite them
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_enum)]
    allow: Vec<Kind>,
    /// How many findings of each kind to list one by one
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(0, u64::MAX))]
    list: u64,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// Reads the width of bodies.
fn width(text: &str) -> Result<u32, String> {
    let read = whole(1, MAX_SIZE.into())(text);
    read.map_err(|what| format!("{what}: the widths that bodies can have"))
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let loaded = arguments.map.load()?;
    let costs = loaded.costs;
    let (width, height) = (costs.width(), costs.height());
    if u64::from(width) * u64::from(height) > MAX_CELLS {
        let fault = format_args!(
            "{width}×{height} cells are over the {MAX_CELLS} that are checked at once: \
             cut the map into several"
        );
        return Err(Failure::in_file(&arguments.map.map, fault));
    }
    let scenario = arguments.scen.as_deref();
    let entries = scenario.map(|path| map_file::scenario(path, &costs));
    let entries = entries.transpose()?.unwrap_or_default();
    let mut points = arguments.spawn.clone();
    points.extend(loaded.spawns);
    let list = usize::try_from(arguments.list).unwrap_or(usize::MAX);
    let islands = Islands::new(&costs);
    let mut report = CheckReport {
        width,
        height,
        open: islands.open_cells(),
        mainland: islands.mainland(),
        findings: vec![
            pockets(&islands, arguments.min_pocket, list),
            chokes(&islands, arguments.min_cut, list),
        ],
    };
    let is_asked = !points.is_empty() || !entries.is_empty();
    let spawns = is_asked.then(|| spawns::find(&islands, &points, &entries));
    let passages = arguments.size.map(|size| passages::find(costs, size));
    report.findings.extend(passages.map(|found| {
        Findings::new(Kind::Passages, &found, list, |at| {
            let (cell, width, portal) = (at.cell, at.width, at.portal.to_string());
            let text = format!("{cell} is {width} wide, portal {portal}");
            (text, cell, json!({ "width": width, "portal": portal }))
        })
    }));
    report.findings.extend(spawns.map(|found| {
        Findings::new(Kind::Spawns, &found, list, |(cell, fault)| {
            (format!("{cell} {fault}"), *cell, json!({ "fault": fault }))
        })
    }));
    let found = report.found(&arguments.allow);
    if arguments.json {
        report.write_json(&found, out)?;
    } else {
        report.write_text(out)?;
    }
    out.flush()?;
    if found.is_empty() {
        Ok(())
    } else {
        let path = arguments.map.map.display();
        Err(Failure::Found(format!(
            "{path}: found {}",
            found.join(", ")
        )))
    }
}

fn pockets(islands: &Islands<'_>, least: u32, list: usize) -> Findings {
    Findings::new(Kind::Pockets, &islands.pockets(least), list, |at| {
        let text = format!("{}, with {}", counted(at.cells), at.cell);
        (text, at.cell, json!({ "cells": at.cells }))
    })
}

fn chokes(islands: &Islands<'_>, least: u32, list: usize) -> Findings {
    Findings::new(Kind::Chokes, &islands.choke_runs(least), list, |run| {
        let (cell, cut, cells) = (run.cell, run.cut, run.cells);
        let text = match (cut, cells) {
            (0, 1) => format!("{cell} has another way around it"),
            (0, _) => format!(
                "{cell} has another way around it, as have {} side by side",
                cells - 1
            ),
            (_, 1) => format!("{cell} cuts off {}", counted(cut)),
            _ => format!(
                "{cell} cuts off {}, the worst of {cells} side by side",
                counted(cut)
            ),
        };
        (text, cell, json!({ "cut": cut, "side_by_side": cells }))
    })
}
