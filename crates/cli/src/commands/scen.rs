//! `flowtiles scen`: orders and walks every entry of a scenario file.

mod figures;
mod outcome;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use flowtiles::{Budget, Cell, CostMap, FlowWorld};
use flowtiles_country::referee::Referee;
use flowtiles_country::walk::{End, walk};
use flowtiles_formats::{MapReader, ScenarioEntry, Terrain};

use crate::support::failure::Failure;
use crate::support::map_file::{load, scenario};
use crate::support::numbers::whole;
use crate::support::output::progress;
use figures::ScenarioFigures;
use outcome::{Answer, Outcome};

/// Run a Moving AI scenario: order every entry, walk it cell by cell, and
/// compare the length with the published one
#[derive(clap::Args)]
pub struct Arguments {
    /// A map file; of a Moving AI `.map` the letters `.`, `G` and `S` are open
    /// at cost 1 and the rest closed, as the published lengths mean it
    map: PathBuf,
    /// Its `.scen` file
    scenario: PathBuf,
    /// Run only every N-th entry
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, u32::MAX))]
    every: u32,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let reader = MapReader::new().with_kinds(Terrain::benchmark());
    let costs = load(&reader, &arguments.map)?.costs;
    let entries = scenario(&arguments.scenario)?;
    for entry in &entries {
        check(entry, &costs).map_err(|fault| {
            let place = format_args!("line {}: {fault}", entry.line).to_string();
            Failure::in_file(&arguments.scenario, place)
        })?;
    }
    let referee = Referee::new(&costs);
    let mut world = FlowWorld::new(costs);
    let chosen: Vec<&ScenarioEntry> = entries.iter().step_by(arguments.every as usize).collect();
    let bar = progress(
        chosen.len() as u64,
        "{bar:40} {pos} of {len} entries, {eta} left",
    );
    let mut figures = ScenarioFigures::new(name(&arguments.map), world.costs());
    for entry in chosen {
        let outcome = run_entry(&mut world, &referee, entry);
        figures.add(entry, &outcome);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(figures.report().write(arguments.json, out)?)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Checks that the entry fits this map.
fn check(entry: &ScenarioEntry, costs: &CostMap) -> Result<(), String> {
    let (width, height) = (costs.width(), costs.height());
    if (entry.width, entry.height) != (width, height) {
        return Err(format!(
            "the entry is for a map of {}×{} cells ({}), the map given has {width}×{height}: \
             give the two files that belong together",
            entry.width,
            entry.height,
            entry.map_name(),
        ));
    }
    if entry.says_unreachable() {
        return Ok(());
    }
    for (what, cell) in [("start", entry.start), ("goal", entry.goal)] {
        if is_wall(costs, cell) {
            return Err(format!(
                "the {what} {cell} is a wall on this map: \
                 give the two files that belong together, or leave the line out"
            ));
        }
    }
    Ok(())
}

fn is_wall(costs: &CostMap, cell: Cell) -> bool {
    costs.get(cell).is_none_or(|cost| cost.is_wall())
}

/// Orders one unit from start to goal, walks it there, and frees the order.
fn run_entry(world: &mut FlowWorld, referee: &Referee, entry: &ScenarioEntry) -> Outcome {
    let (start, goal) = (entry.start, entry.goal);
    let refused = Outcome {
        answer: Answer::Unreachable,
        order_time: None,
        sectors: 0,
    };
    // A unit in a wall would be led out of it; the file asks for no path.
    if is_wall(world.costs(), start) && !world.reachable(start, goal) {
        return refused;
    }
    let begin = Instant::now();
    let Ok(order) = world.order(goal, &[start]) else {
        return refused;
    };
    world.tick(Budget::UNLIMITED);
    let first = world.sample(&order, start);
    let order_time = begin.elapsed();
    std::hint::black_box(first);
    let sectors = world.inspect().loaded(&order).len();
    let walked = walk(world, referee, &order, start);
    drop(order);
    world.tick(Budget::UNLIMITED);
    let answer = match walked.end {
        End::Arrived if walked.cells.last() == Some(&goal) => Answer::Reached(walked),
        End::Unreachable => Answer::Unreachable,
        End::Arrived | End::Lost => Answer::Lost(walked),
    };
    Outcome {
        answer,
        order_time: Some(order_time),
        sectors,
    }
}
