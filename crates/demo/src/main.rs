//! The demo: a drawn country, three armies on their way home, and a bridge
//! that falls while they march.
//!
//! ```text
//!   landscape ─▶ world ─▶ armies ─▶ survey ─▶ march ─▶ figures, picture
//!                build    orders    ways      ticks
//! ```
//!
//! Every figure is measured in the run that prints it.

mod failure;
mod figures;
mod json;
mod march;
mod options;
mod painting;
mod replays;
mod report;
mod survey;
mod terminal;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use flowtiles::{Budget, FlowWorld, Order, Sector};
use flowtiles_country::armies::{self, Army};
use flowtiles_country::landscape::Landscape;
use flowtiles_country::picture::Picture;
use flowtiles_country::random::Random;
use flowtiles_country::whole_file::check_place;

use failure::{Failure, note};
use figures::{DemoFigures, OrderFigures};
use json::Json;
use options::{HELP, Options};

/// The picture's file, unless another is given.
const PICTURE: &str = "flowtiles-demo.png";
/// The work of a tick: what a game would give the engine in one frame.
const BUDGET: u64 = 20_000;

fn main() -> ExitCode {
    let options = Options::read(std::env::args_os().skip(1));
    let answer = options.and_then(|options| match options {
        Some(options) => run(&options),
        None => Ok(HELP.to_owned()),
    });
    let printed = answer.and_then(|answer| print(&answer));
    printed.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}

/// Writes the answer on stdout.
fn print(answer: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
    match written {
        // The reader closed the pipe, which is no failure.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::input(format_args!(
            "the answer could not be written: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Runs the demo, and returns what it prints.
fn run(options: &Options) -> Result<String, Failure> {
    let begin = Instant::now();
    if let Some(path) = &options.picture {
        check_place(path).map_err(|error| no_picture(path, &error))?;
    }
    progress("drawing a country");
    let land = Landscape::draw(options.seed);
    let costs = land.costs().map_err(Failure::input)?;
    let replay_costs = costs.clone();
    progress("building the portal graph");
    let (mut world, build) = timed(|| FlowWorld::new(costs));
    let armies = armies::muster(&land, &world, &mut Random::new(!options.seed));
    let mut figures = DemoFigures::new(options.seed, &world, build, BUDGET);

    progress("ordering the armies home");
    let orders = order(&mut world, &armies, &mut figures.orders)?;
    figures.note_loaded(&world);
    let loaded = loaded_by(&world, &orders);
    progress("comparing every path with a whole-map Dijkstra");
    let survey = survey::survey(&mut world, &land, &armies, &orders);
    figures.ways = survey.excess;

    progress("marching");
    let march = march::march(&mut world, &armies, &orders, survey.fall, BUDGET);
    figures.march = march.figures;
    figures.bridge = march.bridge;
    let reloaded = loaded_by(&world, &orders);
    drop(orders);
    world.tick(Budget::cells(1));
    figures.note_freed(&world);

    progress("replaying on one thread, on two, and through a save");
    let replays = replays::compare(&replay_costs, &armies, survey.fall, BUDGET)?;
    figures.twins = Some(replays);

    progress("painting");
    let painting = painting::DemoPicture {
        land: &land,
        armies: &armies,
        loaded: [&loaded, &reloaded],
        trails: &march.trails,
        fallen: survey.fall.map(|fall| fall.deck),
    };
    let picture = painting.paint();
    figures.picture = write_picture(&picture, options.picture.as_deref())?;
    figures.seconds = begin.elapsed().as_secs_f64();
    Ok(answer(options, &picture, &figures))
}

/// Prints what is being done, on a terminal.
fn progress(doing: &str) {
    if io::stderr().is_terminal() {
        eprintln!("{doing}");
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed())
}

/// Orders each army home, and ticks until the directions are ready.
fn order(
    world: &mut FlowWorld,
    armies: &[Army],
    figures: &mut OrderFigures,
) -> Result<Vec<Order>, Failure> {
    let mut orders = Vec::new();
    for army in armies {
        let (order, time) = timed(|| world.order(army.home, &army.units));
        // An army is mustered only where its home can be reached.
        orders.push(order.map_err(Failure::input)?);
        figures.note_order(army.units.len(), time);
    }
    loop {
        let (progress, time) = timed(|| world.tick(Budget::cells(BUDGET)));
        figures.note_tick(time);
        if progress.waiting == 0 {
            return Ok(orders);
        }
    }
}

fn loaded_by(world: &FlowWorld, orders: &[Order]) -> Vec<Vec<Sector>> {
    orders
        .iter()
        .map(|order| world.inspect().loaded(order))
        .collect()
}

/// Writes the picture. If no file was given and the folder cannot be written, a
/// note says so, and the demo still prints its figures.
fn write_picture(picture: &Picture, wanted: Option<&Path>) -> Result<Option<String>, Failure> {
    let path = wanted.unwrap_or(Path::new(PICTURE));
    match (picture.write(path), wanted) {
        (Ok(()), _) => Ok(Some(path.display().to_string())),
        (Err(error), Some(path)) => Err(no_picture(path, &error)),
        (Err(error), None) => {
            note(&format!(
                "no picture, since {PICTURE} cannot be written here ({error}): \
                 name a file with --picture FILE"
            ));
            Ok(None)
        }
    }
}

fn no_picture(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format_args!(
        "{}: the picture cannot be written ({error}): name another file",
        path.display()
    ))
}

/// The figures, in a terminal below the picture.
fn answer(options: &Options, picture: &Picture, figures: &DemoFigures) -> String {
    if options.json {
        return figures.json() + "\n";
    }
    let mut answer = String::new();
    if console::colors_enabled() {
        let (_, columns) = console::Term::stdout().size();
        answer = terminal::half_blocks(picture, i32::from(columns).min(120));
    }
    answer + &figures.to_string()
}
