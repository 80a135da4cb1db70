//! `flowtiles bench`: the engine and its rivals, checked and timed.
//!
//! ```text
//!   continuum    ─▶ crowds, on fields and ground of their own
//!   maps, --map ─▶ subject ─▶ prepare: draw the work, check every answer
//!                             rounds:  build, edits, sectors, routes, orders,
//!                                      fields, look-ups, storms, crowds,
//!                                      saves ─▶ figures
//!   figures ─▶ report (text), baseline (files, what moved)
//! ```
//!
//! The engine and its rivals run alternately in the same process, on the same
//! maps. Answers are checked before anything is timed. A round covers all maps,
//! so the rounds of one map are spread over the whole run and show how steady
//! the machine was. The printed figures are medians over all rounds.

mod astar;
mod baseline;
mod continuum;
mod crowd;
mod dijkstra;
mod edits;
mod effort;
mod fields;
mod figures;
mod layers;
mod links;
mod lookups;
mod orders;
mod prepared;
mod quality;
mod report;
mod routes;
mod saves;
mod sectors;
mod storm;
mod subject;
mod textbook;
mod times;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use flowtiles::Cost;
use flowtiles::format::{MapReader, Terrain};
use indicatif::{ProgressBar, ProgressStyle};

use crate::support::failure::Failure;
use crate::support::host;
use crate::support::map_file::load;
use crate::support::maps;
use crate::support::numbers::whole;
use crate::support::suggestion::did_you_mean;
use baseline::Comparison;
use continuum::Continuum;
use effort::Effort;
use figures::{QualityFigures, Run};
use prepared::Prepared;
use quality::QualityEffort;
use subject::{MIN_SIDE, Subject};

/// The name of the measurements of crowds.
const CROWD: &str = "crowd";
/// The name of the measurements of the quality of paths.
const QUALITY: &str = "quality";
/// Side of the maps that the command draws, and of those of a quick run.
const SIDE: u32 = 1000;
const QUICK_SIDE: u32 = 120;

/// Measure the engine and its rivals: a sector, a route, an
/// order, a field, an edit, a look-up, a storm of edits, a crowd of orders, a
/// save, and Continuum Crowds
#[derive(clap::Args)]
pub struct Arguments {
    /// Measure on this Moving AI `.map` file too (`.`, `G` and `S` open at
    /// cost 1, the rest closed); may be given again
    #[arg(long = "map", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Measure the quality of paths on this Moving AI `.map` file of weighted
    /// terrain too (letters A to P at costs 5 to 20); may be given again
    #[arg(long, value_name = "FILE")]
    weighted: Vec<PathBuf>,
    /// Measure on the maps of these names only: open, rooms, caves, maze,
    /// random, terrain, roads, or the name of a file given with --map; or `crowd`,
    /// which is measured on ground of its own; or `quality`, the prices of
    /// paths on ground of many kinds and on all files given
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// Print what changed since the run that this file was saved from (with
    /// --json on stderr)
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the figures to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Cells along a side of the maps that are drawn [default: 1000, with
    /// --quick 120]
    #[arg(long, value_name = "N", value_parser = whole(MIN_SIDE, 4000))]
    size: Option<u32>,
    /// Do a little of everything, in seconds: checks that all works, not how
    /// fast it is
    #[arg(long)]
    quick: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    // Bad arguments are refused before the long work begins.
    let baseline = arguments.baseline.as_deref();
    let baseline = baseline
        .map(|path| baseline::read(path).map(|run| (path, run)))
        .transpose()?;
    if let Some(path) = &arguments.save {
        baseline::check_place(path)?;
    }
    let subjects = subjects(arguments)?;
    let effort = if arguments.quick {
        Effort::QUICK
    } else {
        Effort::FULL
    };
    let bar = progress_bar((subjects.len() + 1) * (effort.rounds + 1));
    let mut run = Run {
        machine: host::machine(),
        rustc: host::rustc(),
        revision: host::revision(),
        maps: Vec::new(),
        crowd: None,
        quality: quality(arguments)?,
    };
    let mut prepared = Vec::new();
    for subject in subjects {
        bar.set_message(format!("checking answers on {}", subject.name()));
        prepared.push(Prepared::new(subject, &effort)?);
        bar.inc(1);
    }
    let mut crowd = match is_wanted(arguments, CROWD) {
        true if arguments.quick => Some(Continuum::new(continuum::ContinuumEffort::QUICK)?),
        true => Some(Continuum::new(continuum::ContinuumEffort::FULL)?),
        false => None,
    };
    bar.set_message("measuring");
    for _ in 0..effort.rounds {
        if let Some(crowd) = &mut crowd {
            crowd.round()?;
        }
        for map in &mut prepared {
            map.round()?;
            bar.inc(1);
        }
    }
    run.maps = prepared.iter().map(Prepared::figures).collect();
    run.crowd = crowd.as_ref().map(Continuum::figures);
    bar.finish_and_clear();
    if let Some(path) = &arguments.save {
        baseline::save(path, &run)?;
    }
    let comparison = baseline.map(|(path, before)| Comparison::new(path, &before, &run));
    if arguments.json {
        serde_json::to_writer(&mut *out, &run).map_err(std::io::Error::from)?;
        writeln!(out)?;
        if let Some(comparison) = comparison {
            eprint!("{comparison}");
        }
        return Ok(());
    }
    write!(out, "{run}")?;
    if let Some(comparison) = comparison {
        write!(out, "{comparison}")?;
    }
    Ok(())
}

/// Whether a subject is measured.
fn is_wanted(arguments: &Arguments, name: &str) -> bool {
    arguments.only.is_empty() || arguments.only.iter().any(|other| other == name)
}

/// The maps to measure on.
fn subjects(arguments: &Arguments) -> Result<Vec<Subject>, Failure> {
    let files: Vec<String> = arguments.files.iter().map(|path| name(path)).collect();
    let known = |name: &String| {
        maps::NAMES.contains(&&**name)
            || files.contains(name)
            || [CROWD, QUALITY].contains(&&**name)
    };
    if let Some(unknown) = arguments.only.iter().find(|name| !known(name)) {
        let names = files.iter().map(|file| &**file);
        let names = maps::NAMES.into_iter().chain(names);
        let suggested = did_you_mean(unknown, names.chain([CROWD, QUALITY]));
        return Err(Failure::Input(format!(
            "there is no map `{unknown}`{suggested}: the names are {}, those of files given with --map, \
             {CROWD} and {QUALITY}",
            maps::NAMES.join(", ")
        )));
    }
    let wanted = |name: &str| is_wanted(arguments, name);
    let side = if arguments.quick { QUICK_SIDE } else { SIDE };
    let side = arguments.size.unwrap_or(side) as i32;
    let mut subjects = Vec::new();
    for map in maps::NAMES.into_iter().filter(|map| wanted(map)) {
        if let Some(costs) = maps::draw(map, side) {
            let costs = costs.map_err(|error| Failure::Input(error.to_string()))?;
            subjects.push(Subject::new(map.to_owned(), costs));
        }
    }
    for (path, file) in arguments.files.iter().zip(files) {
        if wanted(&file) {
            let reader = MapReader::new().with_kinds(Terrain::benchmark());
            let costs = load(&reader, path)?.costs;
            subjects.push(Subject::new(file, costs));
        }
    }
    Ok(subjects)
}

/// The quality of paths, if it is wanted.
fn quality(arguments: &Arguments) -> Result<Vec<QualityFigures>, Failure> {
    if !is_wanted(arguments, QUALITY) {
        return Ok(Vec::new());
    }
    let weighted = (b'A'..=b'P').fold(Terrain::empty(), |terrain, letter| {
        let cost = Cost::new(5 + letter - b'A').unwrap_or(Cost::OPEN);
        terrain.with(letter, cost)
    });
    let kinds = [
        (&arguments.files, Terrain::benchmark()),
        (&arguments.weighted, weighted),
    ];
    let mut files = Vec::new();
    for (paths, terrain) in kinds {
        let reader = MapReader::new().with_kinds(terrain);
        for path in paths {
            files.push((name(path), load(&reader, path)?.costs));
        }
    }
    let effort = if arguments.quick {
        QualityEffort::QUICK
    } else {
        QualityEffort::FULL
    };
    quality::measure(&effort, files)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Shows the progress; silent where stderr is no terminal.
fn progress_bar(turns: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len}, {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(turns as u64).with_style(style)
}
