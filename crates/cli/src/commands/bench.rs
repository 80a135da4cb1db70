//! `flowtiles bench`: single operations beside other methods, the quality of paths, the
//! walks of units, and a very large map.
//!
//! ```text
//!   sectors, on ground of their own        ─┐
//!   maps, --map ─▶ routes, orders, edits    ├─▶ Run: tables in Markdown, or JSON
//!   quality, on ground of many kinds        │
//!   walks, on ground of many kinds         ─┘
//!   big                                    ───▶ figures
//!   walk                                   ───▶ figures and a picture
//! ```
//!
//! Answers are checked, each job is repeated some rounds, and its least time counts.
//! Baselines and comparisons are criterion's: `cargo bench -p flowtiles-benches`.

mod big;
mod dijkstra;
mod edits;
mod ground;
mod orders;
mod quality;
mod routes;
mod sectors;
mod sheet;
mod times;
mod walk;
mod walks;

use std::io::Write;
use std::path::PathBuf;

use flowtiles::{Cost, CostMap};
use flowtiles_formats::{MapReader, Terrain};

use crate::support::failure::Failure;
use crate::support::host;
use crate::support::map_file::load;
use crate::support::numbers::whole;
use crate::support::output::{progress, write_json};
use flowtiles_scenes::maps;
use flowtiles_scenes::suggestion::did_you_mean;
use ground::{Effort, Ground, MIN_SIDE};
use sheet::{Column, Run};
use walks::Walks;

/// The name of the measurements of the quality of paths.
const QUALITY: &str = "quality";
/// The name of the measurements of units' walks.
const WALKS: &str = "walks";
/// Side of the maps that the command draws, and of those of a quick run.
const SIDE: u32 = 1000;
const QUICK_SIDE: u32 = 120;

/// Measure sectors, routes, orders and edits beside textbook and library code, the
/// quality of paths, the walks of units, or a very large map. To compare with an earlier version:
/// `cargo bench -p flowtiles-benches --bench NAME -- --save-baseline before`, then
/// `--baseline before`
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    job: Option<Job>,
    /// Measure on this Moving AI `.map` file too (`.`, `G` and `S` open at
    /// cost 1, the rest closed); may be given again
    #[arg(long = "map", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Measure the quality of paths and the walks of units on this Moving AI
    /// `.map` file of weighted terrain too (letters A to P at costs 5 to 20);
    /// may be given again
    #[arg(long, value_name = "FILE")]
    weighted: Vec<PathBuf>,
    /// Measure on the maps of these names only: open, rooms, caves, maze,
    /// random, terrain, roads, or the name of a file given with --map; or
    /// `quality`, the prices of paths on ground of many kinds and on all files
    /// given; or `walks`, the lengths of units' walks beside the shortest ways,
    /// on the same
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Print one JSON object and nothing else
    #[arg(long, global = true)]
    json: bool,
    /// Cells along a side of the maps that are drawn [default: 1000, with
    /// --quick 120]
    #[arg(long, value_name = "N", value_parser = whole(MIN_SIDE, 4000))]
    size: Option<u32>,
    /// Do a little of everything, in seconds: checks that all works, not how
    /// fast it is
    #[arg(long)]
    quick: bool,
}

#[derive(clap::Subcommand)]
enum Job {
    Big(big::Arguments),
    Walk(Box<walk::Arguments>),
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    match &arguments.job {
        Some(Job::Big(big)) => return Ok(big::run(big)?.write(arguments.json, out)?),
        Some(Job::Walk(walk)) => return walk::run(walk, out),
        None => {}
    }
    let effort = Effort {
        is_quick: arguments.quick,
    };
    let mut files = read(&arguments.files, Terrain::benchmark())?;
    let weighted = (b'A'..=b'P').fold(Terrain::empty(), |terrain, letter| {
        let cost = Cost::new(5 + letter - b'A').unwrap_or(Cost::OPEN);
        terrain.with(letter, cost)
    });
    let weighted = read(&arguments.weighted, weighted)?;
    check_names(&arguments.only, &files)?;
    let is_wanted =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let side = if arguments.quick { QUICK_SIDE } else { SIDE };
    let side = arguments.size.unwrap_or(side) as i32;
    // Bad maps are refused before the long work begins.
    let mut grounds = Vec::new();
    for name in maps::NAMES.into_iter().filter(|name| is_wanted(name)) {
        if let Some(costs) = maps::draw(name, side) {
            let costs = costs.map_err(|error| Failure::Input(error.to_string()))?;
            grounds.push(Ground::new(name.to_owned(), costs, effort)?);
        }
    }
    for (name, costs) in files.iter().filter(|(name, _)| is_wanted(name)) {
        grounds.push(Ground::new(name.clone(), costs.clone(), effort)?);
    }
    let bar = progress(grounds.len() as u64 + 2, "{bar:40} {pos} of {len}");
    bar.tick();
    let mut run = Run {
        machine: host::machine(),
        rustc: host::rustc(),
        revision: host::revision(),
        sectors: Vec::new(),
        maps: Vec::new(),
        quality: Vec::new(),
        walks: Walks::default(),
    };
    files.extend(weighted);
    if is_wanted(QUALITY) {
        run.quality = quality::measure(effort, &files)?;
    }
    bar.inc(1);
    if is_wanted(WALKS) {
        run.walks = walks::measure(effort, &files)?;
    }
    bar.inc(1);
    if !grounds.is_empty() {
        run.sectors = sectors::measure(effort)?;
    }
    for mut ground in grounds {
        let mut column = Column::new(&ground.name);
        routes::measure(&ground, &mut column)?;
        orders::measure(&mut ground, &mut column)?;
        edits::measure(&ground, &mut column);
        run.maps.push(column);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.json {
        write_json(&run, out)?;
    } else {
        write!(out, "{run}")?;
    }
    Ok(())
}

/// Reads map files, each with its name.
fn read(paths: &[PathBuf], terrain: Terrain) -> Result<Vec<(String, CostMap)>, Failure> {
    let reader = MapReader::new().with_kinds(terrain);
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok((
            name.to_string_lossy().into_owned(),
            load(&reader, path)?.costs,
        ))
    };
    paths.iter().map(read).collect()
}

/// Refuses names that are neither a drawn map's nor a file's.
fn check_names(only: &[String], files: &[(String, CostMap)]) -> Result<(), Failure> {
    let files = files.iter().map(|(name, _)| &**name);
    let known: Vec<&str> = maps::NAMES
        .into_iter()
        .chain(files)
        .chain([QUALITY, WALKS])
        .collect();
    let Some(unknown) = only.iter().find(|name| !known.contains(&&***name)) else {
        return Ok(());
    };
    let suggested = did_you_mean(unknown, known);
    Err(Failure::Input(format!(
        "there is no map `{unknown}`{suggested}: the names are {}, those of files given with \
         --map, {QUALITY} and {WALKS}",
        maps::NAMES.join(", ")
    )))
}
