//! `flowtiles sim`: armies on the march, scene by scene.
//!
//! ```text
//!   catalogue ─▶ scene ─▶ run ─▶ record ─▶ figures
//!                 map       │ judge,         text, JSON
//!                 bands     │ watch, targets
//!                           ╰▶ film ─▶ GIF, PNG
//! ```
//!
//! A crowd scene is run three ways and compared: as asked, by plain steering,
//! and each group alone.

mod compare;
mod crowd_figures;
mod figures;
mod film;
mod measure;
mod overlay;
mod run;
mod sheet;
mod target_figures;
mod target_tracker;
mod usage;
mod watcher;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::support::failure::Failure;
use crate::support::map_file::read_bytes;
use crate::support::numbers::{count, whole};
use crate::support::output::write_json;
use crate::support::threads::{THREADS_MAX, on_threads};
use crate::support::viewport::ending;
use crate::support::whole_file::{check_place, write_whole};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use compare::{Beside, TrialPlan};
use crowd_figures::{CrowdSceneFigures, CrowdSeeds};
use figures::{Crossings, SceneFigures};
use film::{Film, FilmLook};
use flowtiles_scenes::suggestion::did_you_mean;
use flowtiles_scenes::{Entry, Method, SCENES, Scene, SceneOptions, crowd_set};
use overlay::{CrowdLayer, CrowdView};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use run::{Record, SceneRun};

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
    /// Write a sheet of small pictures of a crowd scene after --ticks ticks
    /// (60): as given, and with one parameter of the crowd changed in each;
    /// below each the seconds until all are at their goal, and the lane order
    #[arg(long, value_name = "FILE", requires = "scene",
        conflicts_with_all = ["gif", "png", "seeds", "json"])]
    sheet: Option<PathBuf>,
    /// Write a picture of the end, with the trails
    #[arg(long, value_name = "FILE", group = "pictures")]
    png: Option<PathBuf>,
}

/// The name of all crowd scenes but the largest.
const ALL_CROWDS: &str = "crowd-all";

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Some(name) = &arguments.scene else {
        for entry in SCENES.iter() {
            writeln!(out, "{:18} {}", entry.name, entry.said().about)?;
        }
        writeln!(
            out,
            "{ALL_CROWDS:18} all crowd scenes but crowd-armies, in a table"
        )?;
        return Ok(());
    };
    let pictures = [&arguments.gif, &arguments.png, &arguments.sheet];
    for (path, kind) in pictures.into_iter().zip(["gif", "png", "png"]) {
        let Some(path) = path else { continue };
        ending(path, &[kind])?;
        check_place(path).map_err(|error| no_picture(path, &error))?;
    }
    if name == ALL_CROWDS {
        return run_set(arguments, out);
    }
    match SCENES.iter().find(|entry| entry.name == *name) {
        Some(entry) => run_entry(arguments, entry, out),
        None => run_entry(arguments, &opened(name)?, out),
    }
}

/// Reads a scene's file.
fn opened(name: &str) -> Result<Entry, Failure> {
    let path = Path::new(name);
    if path.extension().is_none_or(|end| end != "toml") && !path.is_file() {
        let names = SCENES.iter().map(|entry| &*entry.name).chain([ALL_CROWDS]);
        return Err(Failure::Input(format!(
            "there is no scene `{name}`{}: `flowtiles sim` lists them",
            did_you_mean(name, names)
        )));
    }
    let text = String::from_utf8(read_bytes(path)?)
        .map_err(|_| Failure::in_file(path, "is no text: name a scene file"))?;
    Entry::read(name, &text).map_err(Failure::Input)
}

fn run_entry(arguments: &Arguments, entry: &Entry, out: &mut impl Write) -> Result<(), Failure> {
    check_options(arguments, entry)?;
    if let Some(path) = &arguments.sheet {
        return write_sheet(arguments, entry, path);
    }
    match arguments.seeds {
        Some(_) => {
            let figures = trials(arguments, &[entry])?;
            figures
                .iter()
                .try_for_each(|figures| print(arguments, figures, out))
        }
        None if entry.said().crowd => run_crowd(arguments, entry, out),
        None => {
            let scene = scene(entry, &asked(arguments, entry)?)?;
            let record = filmed(arguments, &scene)?;
            let crossings = crossings(arguments, scene, &record)?;
            let seed = arguments.seed;
            let figures = SceneFigures::new(&entry.name, seed, &record, crossings);
            print(arguments, &figures, out)
        }
    }
}

/// Refuses options that do not apply to the scene.
fn check_options(arguments: &Arguments, entry: &Entry) -> Result<(), Failure> {
    let for_crowds = [
        ("--method", arguments.method.is_some()),
        ("--seeds", arguments.seeds.is_some()),
        ("--only", arguments.only),
        ("--set", !arguments.set.is_empty()),
        ("--layer", arguments.layer.is_some()),
        ("--sheet", arguments.sheet.is_some()),
    ];
    for (option, given) in for_crowds {
        if given && !entry.said().crowd {
            return Err(Failure::Input(format!(
                "{option} is for the scenes whose names begin with `crowd-` and files that say \
                 `crowd = true`, and `{}` is none",
                entry.name
            )));
        }
    }
    if arguments.units.is_some() && !entry.is_sized() {
        return Err(Failure::Input(format!(
            "--units is for `crowd-pass`: `{}` has a fixed number",
            entry.name
        )));
    }
    Ok(())
}

fn asked(arguments: &Arguments, entry: &Entry) -> Result<SceneOptions, Failure> {
    let tuning = entry.said().tuning.with(&arguments.set);
    Ok(SceneOptions {
        seed: arguments.seed,
        method: arguments.method.unwrap_or(Method::Crowd),
        units: arguments.units.map(|units| units as usize),
        tuning: Some(tuning.map_err(Failure::Input)?),
    })
}

fn scene(entry: &Entry, asked: &SceneOptions) -> Result<Scene, Failure> {
    entry.scene(asked).map_err(Failure::Input)
}

fn course<'a>(arguments: &Arguments, entry: &'a Entry, threads: NonZeroUsize) -> TrialPlan<'a> {
    TrialPlan {
        entry,
        beside: if arguments.only {
            Beside::Nothing
        } else {
            Beside::All
        },
        threads,
        ticks: arguments.ticks,
    }
}

/// Runs a crowd scene from one seed.
fn run_crowd(arguments: &Arguments, entry: &Entry, out: &mut impl Write) -> Result<(), Failure> {
    let asked = asked(arguments, entry)?;
    let own = filmed(arguments, &scene(entry, &asked)?)?;
    let trial = course(arguments, entry, arguments.threads).beside(&asked, own)?;
    print(arguments, &CrowdSceneFigures::new(&entry.name, &trial), out)
}

/// Runs crowd scenes from several seeds, spread over the threads.
fn trials(arguments: &Arguments, entries: &[&Entry]) -> Result<Vec<CrowdSeeds>, Failure> {
    let count = arguments.seeds.map_or(1, NonZeroUsize::get) as u64;
    let seeds = (0..count).map(|number| arguments.seed.wrapping_add(number));
    let jobs: Vec<(&Entry, u64)> = entries
        .iter()
        .flat_map(|entry| seeds.clone().map(move |seed| (*entry, seed)))
        .collect();
    let one = |(entry, seed): &(&Entry, u64)| -> Result<CrowdSceneFigures, Failure> {
        let asked = SceneOptions {
            seed: *seed,
            ..asked(arguments, entry)?
        };
        let trial = course(arguments, entry, NonZeroUsize::MIN).trial(&asked)?;
        Ok(CrowdSceneFigures::new(&entry.name, &trial))
    };
    let threads = arguments.threads.get();
    let runs: Result<Vec<CrowdSceneFigures>, Failure> =
        on_threads(threads, || jobs.par_iter().map(one).collect())?;
    let runs = runs?;
    let by_scene = runs.chunks(count as usize);
    Ok(by_scene
        .map(|runs| CrowdSeeds::new(runs.to_vec()))
        .collect())
}

/// Runs all crowd scenes but the largest.
fn run_set(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let pictures = [&arguments.gif, &arguments.png, &arguments.sheet];
    if pictures.iter().any(|path| path.is_some()) || arguments.units.is_some() {
        return Err(Failure::Input(format!(
            "{ALL_CROWDS} takes no --gif, --png, --sheet or --units: name one scene"
        )));
    }
    let entries: Vec<&Entry> = crowd_set().collect();
    let figures = trials(arguments, &entries)?;
    if arguments.json {
        #[derive(serde::Serialize)]
        struct Set {
            seeds: usize,
            scenes: Vec<CrowdSeeds>,
        }
        let seeds = arguments.seeds.map_or(1, NonZeroUsize::get);
        write_json(
            &Set {
                seeds,
                scenes: figures,
            },
            out,
        )?;
        return Ok(());
    }
    write!(out, "{}", CrowdSeeds::HEADING)?;
    for figures in &figures {
        write!(out, "{}", figures.lines())?;
    }
    Ok(())
}

/// Runs a scene, and films it where that is asked for.
fn filmed(arguments: &Arguments, scene: &Scene) -> Result<Record, Failure> {
    on_threads(arguments.threads.get(), || film(arguments, scene))?
}

fn film(arguments: &Arguments, scene: &Scene) -> Result<Record, Failure> {
    let mut run = SceneRun::new(scene)?;
    let filmed = arguments.gif.is_some() || arguments.png.is_some();
    let look = FilmLook {
        view: view(arguments, scene)?,
        wide: arguments.wide.map_or(FilmLook::default().wide, i32::from),
    };
    let mut film = filmed.then(|| Film::new(scene, arguments.gif.is_some(), look));
    let ticks = arguments.ticks.unwrap_or(scene.ticks);
    while run.goes_on(ticks) {
        run.step()?;
        if let Some(film) = &mut film {
            film.shoot(&run);
        }
    }
    if let Some(film) = &mut film {
        film.finish(&run);
        write_film(arguments, film)?;
    }
    Ok(run.finish())
}

/// Runs a scene with congestion without it too, and compares who crosses where.
fn crossings(
    arguments: &Arguments,
    mut scene: Scene,
    with: &Record,
) -> Result<Option<Crossings>, Failure> {
    if !scene.notes_jams {
        return Ok(None);
    }
    scene.notes_jams = false;
    let ticks = arguments.ticks.unwrap_or(scene.ticks);
    let without = on_threads(arguments.threads.get(), || -> Result<Record, Failure> {
        let mut run = SceneRun::new(&scene)?;
        while run.goes_on(ticks) {
            run.step()?;
        }
        Ok(run.finish())
    })??;
    Ok(Some(Crossings::new(with, &without)))
}

/// What is laid over the pictures.
fn view(arguments: &Arguments, scene: &Scene) -> Result<Option<CrowdView>, Failure> {
    let group = arguments.group;
    if group >= scene.bands.len() {
        return Err(Failure::Input(format!(
            "there is no --group {group}: the scene's last group is {}",
            scene.bands.len() - 1
        )));
    }
    Ok(arguments.layer.map(|layer| CrowdView { layer, group }))
}

/// Prints figures, as text or as JSON.
fn print<T>(arguments: &Arguments, figures: &T, out: &mut impl Write) -> Result<(), Failure>
where
    T: std::fmt::Display + serde::Serialize,
{
    if arguments.json {
        write_json(figures, out)?;
        return Ok(());
    }
    write!(out, "{figures}")?;
    Ok(())
}

fn write_film(arguments: &Arguments, film: &Film) -> Result<(), Failure> {
    if let Some(path) = &arguments.png {
        let written = film.still().write(path);
        written.map_err(|error| no_picture(path, &error))?;
    }
    if let Some(path) = &arguments.gif {
        let written = film.to_gif().and_then(|bytes| write_whole(path, &bytes));
        written.map_err(|error| no_picture(path, &error))?;
    }
    Ok(())
}

/// The tick that a sheet shows.
const SHEET_TICK: u32 = 60;

fn write_sheet(arguments: &Arguments, entry: &Entry, path: &Path) -> Result<(), Failure> {
    let asked = asked(arguments, entry)?;
    let tick = arguments.ticks.unwrap_or(SHEET_TICK);
    let sheet = sheet::sheet(entry, &asked, &arguments.set, tick, arguments.threads)?;
    let written = sheet.write(path);
    written.map_err(|error| no_picture(path, &error))
}

fn no_picture(path: &Path, error: &std::io::Error) -> Failure {
    Failure::in_file(
        path,
        format_args!("the picture cannot be written ({error}): name another file"),
    )
}
