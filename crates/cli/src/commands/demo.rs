//! The demo: a drawn country, three armies on their way home, and a bridge
//! that falls while they march.
//!
//! ```text
//!   landscape ─▶ world ─▶ armies ─▶ survey ─▶ march ─▶ figures, picture
//!                build    orders    ways      ticks
//! ```
//!
//! Every figure is measured in the run that prints it.

mod fall;
mod figures;
mod march;
mod painting;
mod replays;
mod report;
mod survey;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flowtiles::{Budget, FlowWorld, Order, Sector};
use flowtiles_country::armies::{self, Army};
use flowtiles_country::landscape::Landscape;
use flowtiles_country::picture::Picture;
use flowtiles_country::random::Random;
use flowtiles_country::whole_file::check_place;
use indicatif::ProgressBar;

use crate::support::failure::Failure;
use crate::support::numbers::whole;
use crate::support::output::{progress, write_json};
use crate::support::terminal;
use crate::support::viewport::check_ending;
use figures::{DemoFigures, OrderFigures};

/// The picture's file, unless another is given.
const PICTURE: &str = "flowtiles-demo.png";
/// The work of a tick: what a game would give the engine in one frame.
const BUDGET: u64 = 20_000;
/// The seed of the country, unless another is given.
const SEED: u64 = 8;

/// Options of the demo, which runs when no command is given
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(long, value_name = "N", value_parser = whole(0, u64::MAX), help = format!("Draw another country [default: {SEED}]"))]
    seed: Option<u64>,
    /// Where to write the picture [default: flowtiles-demo.png here]
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The first of these options that is given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--seed", self.seed.is_some()),
            ("--picture", self.picture.is_some()),
            ("--json", self.json),
        ];
        given
            .into_iter()
            .find_map(|(option, is_given)| is_given.then_some(option))
    }
}

/// Runs the demo.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let begin = Instant::now();
    let seed = arguments.seed.unwrap_or(SEED);
    if let Some(path) = &arguments.picture {
        check_ending(path, &["png"])?;
        check_place(path).map_err(|error| no_picture(path, &error))?;
    }
    let bar = progress(0, "{spinner} {msg}");
    bar.enable_steady_tick(Duration::from_millis(80));
    bar.set_message("drawing a country");
    let land = Landscape::draw(seed);
    let costs = land
        .costs()
        .map_err(|error| Failure::Input(error.to_string()))?;
    let replay_costs = costs.clone();
    bar.set_message("building the portal graph");
    let (mut world, build) = timed(|| FlowWorld::new(costs));
    let armies = armies::muster(&land, &world, &mut Random::new(!seed));
    let mut figures = DemoFigures::new(seed, &world, build, BUDGET);

    bar.set_message("ordering the armies home");
    let orders = order(&mut world, &armies, &mut figures.orders)?;
    figures.note_loaded(&world);
    let loaded = loaded_by(&world, &orders);
    bar.set_message("comparing every path with a whole-map Dijkstra");
    let survey = survey::survey(&mut world, &land, &armies, &orders);
    figures.ways = survey.excess;

    bar.set_message("marching");
    let march = march::march(&mut world, &armies, &orders, survey.fall, BUDGET, &bar);
    figures.note_march(&march);
    let reloaded = loaded_by(&world, &orders);
    drop(orders);
    world.tick(Budget::cells(1));
    figures.note_freed(&world);

    bar.set_message("replaying on one thread, on two, and through a save");
    let replays = replays::compare(&replay_costs, &armies, survey.fall, BUDGET)?;
    figures.twins = Some(replays);

    bar.set_message("painting");
    let painting = painting::DemoPicture {
        land: &land,
        armies: &armies,
        loaded: [&loaded, &reloaded],
        march: &march,
        fallen: survey.fall.map(|fall| fall.deck),
    };
    let picture = painting.paint();
    figures.picture = write_picture(&picture, arguments.picture.as_deref(), &bar)?;
    figures.seconds = begin.elapsed().as_secs_f64();
    bar.finish_and_clear();
    print(arguments, &picture, &figures, out)
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
        orders.push(order.map_err(|error| Failure::Input(error.to_string()))?);
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
fn write_picture(
    picture: &Picture,
    wanted: Option<&Path>,
    bar: &ProgressBar,
) -> Result<Option<String>, Failure> {
    let path = wanted.unwrap_or(Path::new(PICTURE));
    match (picture.write(path), wanted) {
        (Ok(()), _) => Ok(Some(path.display().to_string())),
        (Err(error), Some(path)) => Err(no_picture(path, &error)),
        (Err(error), None) => {
            let note = format!(
                "flowtiles: no picture, since {PICTURE} cannot be written here ({error}): \
                 name a file with --picture FILE"
            );
            bar.suspend(|| eprintln!("{note}"));
            Ok(None)
        }
    }
}

fn no_picture(path: &Path, error: &std::io::Error) -> Failure {
    Failure::in_file(
        path,
        format_args!("the picture cannot be written ({error}): name another file"),
    )
}

fn print(
    arguments: &Arguments,
    picture: &Picture,
    figures: &DemoFigures,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if arguments.json {
        write_json(figures, out)?;
        return Ok(());
    }
    if console::colors_enabled() {
        let (_, columns) = console::Term::stdout().size();
        write!(
            out,
            "{}",
            terminal::half_blocks(picture, i32::from(columns).min(120))
        )?;
    }
    write!(out, "{figures}")?;
    Ok(())
}
