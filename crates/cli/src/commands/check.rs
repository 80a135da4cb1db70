//! `flowtiles check`: possible faults of a map, for tools and builds.
//!
//! ```text
//!   map ─▶ ground ─▶ islands, chokes       one depth-first walk
//!       └▶ portal graph ─▶ passages        with --size
//!   spawn points ──▶ islands ─▶ spawns     with --spawn, --scen, or in the map
//! ```

mod ground;
mod islands;
mod kind;
mod passages;
mod report;
mod spawns;

use std::io::Write;
use std::path::PathBuf;

use flowtiles::{Cell, CostMap};

use crate::support::failure::Failure;
use crate::support::map_file::{self, MapFile};
use crate::support::numbers::whole;
use ground::OpenCells;
use kind::Kind;
use report::CheckReport;
use spawns::Pair;

/// The most cells that are checked at once: the walk keeps 14 bytes for each.
const MAX_CELLS: u64 = 1 << 26;

/// Look for possible faults of a map: pockets, one-cell chokes, narrow passages,
/// spawn points that cannot reach each other. Exit code 0 if nothing was found, 1
/// if something was found, 2 for bad input
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    map: MapFile,
    /// Find passages between sectors that are narrower than N cells
    #[arg(long, value_name = "N", value_parser = whole(1_u32, 1000))]
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
    let pairs = pairs(arguments, &costs)?;
    let ground = OpenCells::new(&costs);
    let (islands, chokes) = islands::find(&ground);
    let mut points = arguments.spawn.clone();
    points.extend(loaded.spawns);
    let report = CheckReport {
        width,
        height,
        open: ground.open_cells(),
        pockets: islands.pockets(arguments.min_pocket),
        mainland: islands.mainland(),
        spawns: spawns::find(&islands, &ground, &points, &pairs),
        spawn_points: points.len() + pairs.len(),
        chokes: islands::runs(&ground, chokes, arguments.min_cut),
        passages: arguments.size.map(|size| passages::find(costs, size)),
    };
    let list = usize::try_from(arguments.list).unwrap_or(usize::MAX);
    let found = report.found(&arguments.allow);
    if arguments.json {
        report.write_json(&found, list, out)?;
    } else {
        report.write_text(list, out)?;
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

/// Returns the starts and goals that the scenario requires to be connected.
fn pairs(arguments: &Arguments, costs: &CostMap) -> Result<Vec<Pair>, Failure> {
    let Some(path) = &arguments.scen else {
        return Ok(Vec::new());
    };
    let entries = map_file::scenario(path)?;
    let (width, height) = (costs.width(), costs.height());
    if let Some(entry) = entries
        .iter()
        .find(|entry| (entry.width, entry.height) != (width, height))
    {
        let (line, found_width, found_height) = (entry.line, entry.width, entry.height);
        let fault = format_args!(
            "line {line}: the entry is for a map of {found_width}×{found_height} cells, the map \
             given has {width}×{height}: give the two files that belong together"
        )
        .to_string();
        return Err(Failure::in_file(path, fault));
    }
    let reachable = entries.iter().filter(|entry| !entry.says_unreachable());
    Ok(reachable
        .map(|entry| Pair {
            line: entry.line,
            start: entry.start,
            goal: entry.goal,
        })
        .collect())
}
