//! `flowtiles sim`: armies on the march, scene by scene.
//!
//! ```text
//!   scene ─▶ run ─▶ gauges ─▶ figures ─▶ text, JSON
//!   map       │     arrivals, bodies, crowd,
//!   bands     │     journeys, targets
//!             ╰───▶ film ─▶ GIF, PNG
//! ```
//!
//! A crowd scene is run three ways and compared: as asked, by plain steering, and each group
//! alone.

mod compare;
mod crowd;
mod film;
mod gauges;
mod journeys;
mod measures;
mod overlay;
mod run;
mod targets;
mod trajectories;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use flowtiles_country::whole_file::{check_place, write_whole};
use flowtiles_scenes::suggestion::did_you_mean;
use flowtiles_scenes::{Entry, Method, SCENES, SceneOptions, crowd_set};

use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::map_file::read_bytes;
use crate::support::numbers::{count, whole};
use crate::support::output::{progress, write_json};
use crate::support::threads::THREADS_MAX;
use crate::support::viewport::check_ending;
use compare::{Job, from_seeds, text};
use film::Film;
use overlay::{CrowdDrawing, CrowdLayer};
use run::{RunOptions, whole as whole_map};
use trajectories::Trajectories;

/// March units through a scene and measure it; without a scene, list them
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("pictures").multiple(true).requires("scene")))]
pub struct Arguments {
    /// Which scene: a name of the list, or a scene file (NAME.toml)
    scene: Option<String>,
    /// End after N ticks
    #[arg(long, value_name = "N", requires = "scene", value_parser = whole(0, u32::MAX),
        allow_hyphen_values = true)]
    ticks: Option<u32>,
    /// Seed of everything that is drawn at random
    #[arg(long, value_name = "N", default_value_t = 8, requires = "scene",
        value_parser = whole(0, u64::MAX), allow_hyphen_values = true)]
    seed: u64,
    /// Step on N threads; the result is the same
    #[arg(long, value_name = "N", default_value = "1", requires = "scene",
        value_parser = count(THREADS_MAX))]
    threads: NonZeroUsize,
    /// Lay one of the crowd's fields over the pictures of a crowd scene
    #[arg(long, value_enum, requires = "pictures")]
    layer: Option<CrowdLayer>,
    /// Whose speed, discomfort or potential the layer shows, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, requires = "layer")]
    group: usize,
    /// Pixels across the pictures, about [default: 800]; never less than one a
    /// cell, and one a cell where a country is drawn
    #[arg(long, value_name = "N", requires = "pictures",
        value_parser = whole(100_u16, 4000))]
    wide: Option<u16>,
    /// Steer a crowd scene another way
    #[arg(long, requires = "scene", value_parser = PossibleValuesParser::new(["plain", "crowd"])
        .map(|name| if name == "plain" { Method::Plain } else { Method::Crowd }))]
    method: Option<Method>,
    /// Run a crowd scene from N seeds, and print the medians
    #[arg(long, value_name = "N", requires = "scene",
        conflicts_with_all = ["gif", "png"], value_parser = count(10_000))]
    seeds: Option<NonZeroUsize>,
    /// Run a crowd scene by its method only, without the comparisons
    #[arg(long, requires = "scene")]
    only: bool,
    /// Units of each band, in `crowd-pass`
    #[arg(long, value_name = "N", requires = "scene", value_parser = whole(1_u32, 10_000))]
    units: Option<u32>,
    /// Set a parameter of the crowd: `length`, `sparse`, `interval`, …
    #[arg(long, value_name = "NAME=VALUE", requires = "scene")]
    set: Vec<String>,
    /// Print one JSON object and nothing else
    #[arg(long, requires = "scene")]
    json: bool,
    /// Write an animation
    #[arg(long, value_name = "FILE", group = "pictures")]
    gif: Option<PathBuf>,
    /// Write where each unit is in each tick, in metres, as PedPy and JuPedSim read it
    #[arg(long, value_name = "FILE", requires = "scene",
        conflicts_with_all = ["gif", "png", "seeds"])]
    trajectories: Option<PathBuf>,
    /// Write a picture of the end, with the trails
    #[arg(long, value_name = "FILE", group = "pictures")]
    png: Option<PathBuf>,
}

/// Pixels across a picture, about.
const WIDE: u16 = 800;
/// The most cells of a scene that is drawn.
const PICTURED_MAX: u64 = 1 << 24;
/// The name of all crowd scenes but the largest.
const ALL_CROWDS: &str = "crowd-all";

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Some(name) = &arguments.scene else {
        for entry in SCENES.iter() {
            writeln!(out, "{:18} {}", entry.name, entry.said().about)?;
        }
        let about = "all crowd scenes but crowd-armies, in a table";
        writeln!(out, "{ALL_CROWDS:18} {about}")?;
        return Ok(());
    };
    let pictures = [&arguments.gif, &arguments.png];
    for (path, kind) in pictures.into_iter().zip(["gif", "png"]) {
        let Some(path) = path else { continue };
        check_ending(path, &[kind])?;
        written(path, check_place(path))?;
    }
    let opened;
    let entries: Vec<&Entry> = if name == ALL_CROWDS {
        crowd_set().collect()
    } else if let Some(entry) = SCENES.iter().find(|entry| entry.name == *name) {
        vec![entry]
    } else {
        opened = read(name)?;
        vec![&opened]
    };
    check_options(arguments, name, entries[0])?;
    let options = RunOptions {
        ticks: arguments.ticks,
        threads: arguments.threads,
    };
    let tuning = |entry: &Entry| entry.said().tuning.with(&arguments.set);
    let asked = SceneOptions {
        seed: arguments.seed,
        method: arguments.method.unwrap_or(Method::Crowd),
        units: arguments.units.map(|units| units as usize),
        tuning: Some(tuning(entries[0]).map_err(Failure::Input)?),
    };
    let job = Job {
        entry: entries[0],
        asked,
        options,
        only: arguments.only,
    };
    let figures = if name == ALL_CROWDS || arguments.seeds.is_some() {
        let seeds = arguments.seeds.map_or(1, NonZeroUsize::get);
        let seeded = |entry, number: usize| Job {
            entry,
            asked: SceneOptions {
                seed: arguments.seed.wrapping_add(number as u64),
                tuning: tuning(entry).ok(),
                ..asked
            },
            options: options.on_one_thread(),
            ..job
        };
        let jobs = entries
            .iter()
            .flat_map(|entry| (0..seeds).map(move |number| (*entry, number)));
        let jobs: Vec<Job<'_>> = jobs.map(|(entry, number)| seeded(entry, number)).collect();
        let mut scenes = from_seeds(&jobs, seeds, options.threads.get())?;
        if name == ALL_CROWDS {
            Figures::default()
                .with("seeds", seeds, "")
                .with("scenes", scenes, "")
        } else {
            scenes.remove(0)
        }
    } else {
        filmed(arguments, &job)?
    };
    if arguments.json {
        write_json(&figures, out)?;
    } else {
        write!(out, "{}", text(&figures))?;
    }
    Ok(())
}

/// Reads a scene's file.
fn read(name: &str) -> Result<Entry, Failure> {
    let path = Path::new(name);
    if path.extension().is_none_or(|end| end != "toml") && !path.is_file() {
        let names = SCENES.iter().map(|entry| &*entry.name).chain([ALL_CROWDS]);
        return Err(Failure::Input(format!(
            "there is no scene `{name}`{}: `flowtiles sim` lists them",
            did_you_mean(name, names)
        )));
    }
    let text = String::from_utf8(read_bytes(path)?)
        .map_err(|_| Failure::in_file(path, "is not a text file: name a scene file"))?;
    Entry::read(name, &text).map_err(Failure::Input)
}

/// Refuses options that do not apply to the scene.
fn check_options(arguments: &Arguments, name: &str, entry: &Entry) -> Result<(), Failure> {
    let files = [&arguments.gif, &arguments.png, &arguments.trajectories];
    let is_written = files.iter().any(|path| path.is_some());
    if name == ALL_CROWDS && (is_written || arguments.units.is_some()) {
        return Err(Failure::Input(format!(
            "{ALL_CROWDS} takes no --gif, --png, --trajectories or --units: name one scene"
        )));
    }
    let for_crowds = [
        ("--method", arguments.method.is_some()),
        ("--seeds", arguments.seeds.is_some()),
        ("--only", arguments.only),
        ("--set", !arguments.set.is_empty()),
        ("--layer", arguments.layer.is_some()),
    ];
    let given = for_crowds.iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = given
        && !entry.said().crowd
    {
        return Err(Failure::Input(format!(
            "{option} is for the scenes whose names begin with `crowd-` and files that say \
             `crowd = true`: `{name}` is not one of them"
        )));
    }
    if arguments.units.is_some() && !entry.is_sized() {
        return Err(Failure::Input(format!(
            "--units is for `crowd-pass`: `{name}` has a fixed number"
        )));
    }
    Ok(())
}

/// Runs a scene, and films it where that is asked for.
fn filmed(arguments: &Arguments, job: &Job<'_>) -> Result<Figures, Failure> {
    if let Some(path) = &arguments.trajectories {
        let mut trajectories = Trajectories::default();
        let figures = job.run(Some(&mut trajectories))?;
        let written = write_whole(path, trajectories.text.as_bytes());
        written.map_err(|error| Failure::unwritten(path, &error))?;
        return Ok(figures);
    }
    if arguments.gif.is_none() && arguments.png.is_none() {
        return job.run(None);
    }
    let scene = job.entry.scene(&job.asked).map_err(Failure::Input)?;
    let group = arguments.group;
    if group >= scene.bands.len() {
        return Err(Failure::Input(format!(
            "there is no --group {group}: the scene's last group is {}",
            scene.bands.len() - 1
        )));
    }
    let (width, height) = (scene.costs.width(), scene.costs.height());
    if u64::from(width) * u64::from(height) > PICTURED_MAX {
        return Err(Failure::Input(format!(
            "a scene of {width}×{height} cells is too large for --png and --gif: leave them out"
        )));
    }
    let bar = progress(0, "{bar:40} tick {pos} of {len}");
    let (view, ticks) = if scene.land.is_some() {
        (whole_map(&scene), job.options.ticks.unwrap_or(scene.ticks))
    } else {
        job.options.scout(&scene)?
    };
    bar.set_length(ticks.into());
    let words = [job.entry.name.clone(), job.entry.said().about.clone()];
    let mut film = Film::new(&scene, words, view, arguments.wide.unwrap_or(WIDE));
    film.bar = bar;
    film.is_moving = arguments.gif.is_some();
    film.overlay = arguments.layer.map(|layer| CrowdDrawing::new(layer, group));
    let figures = job.run(Some(&mut film))?;
    film.bar.finish_and_clear();
    if let Some(path) = &arguments.png {
        written(path, film.still().write(path))?;
    }
    if let Some(path) = &arguments.gif {
        let bytes = film.to_gif();
        written(path, bytes.and_then(|bytes| write_whole(path, &bytes)))?;
    }
    Ok(figures)
}

fn written(path: &Path, result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| {
        let fault = format_args!("the picture cannot be written ({error}): name another file");
        Failure::in_file(path, fault)
    })
}
