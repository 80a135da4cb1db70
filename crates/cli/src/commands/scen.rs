//! `flowtiles scen`: orders and walks every entry of a scenario file.

mod figures;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use flowtiles::{Budget, Cell, CostMap, FlowWorld};
use flowtiles_country::referee::Referee;
use flowtiles_country::walk::walk;
use flowtiles_formats::{MapReader, ScenarioEntry, Terrain};

use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::map_file::{load, scenario};
use crate::support::numbers::whole;
use crate::support::output::progress;
use figures::{Outcome, Tally};

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
    let entries = scenario(&arguments.scenario, &costs)?;
    for entry in &entries {
        check(entry, &costs).map_err(|fault| Failure::in_file(&arguments.scenario, fault))?;
    }
    let referee = Referee::new(&costs);
    let mut world = FlowWorld::new(costs);
    let chosen: Vec<&ScenarioEntry> = entries.iter().step_by(arguments.every as usize).collect();
    let bar = progress(
        chosen.len() as u64,
        "{bar:40} {pos} of {len} entries, {eta} left",
    );
    let mut tally = Tally::default();
    for entry in chosen {
        tally.add(entry, run_entry(&mut world, &referee, entry));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let name = arguments
        .map
        .file_name()
        .unwrap_or(arguments.map.as_os_str());
    let figures = Figures::default()
        .with("map", &*name.to_string_lossy(), "")
        .with("width", world.costs().width(), "cells")
        .with("height", world.costs().height(), "cells");
    Ok(tally.report(figures).write(arguments.json, out)?)
}

/// Checks that paths may lead between the ends of the entry.
fn check(entry: &ScenarioEntry, costs: &CostMap) -> Result<(), String> {
    if entry.says_unreachable() {
        return Ok(());
    }
    for (what, cell) in [("start", entry.start), ("goal", entry.goal)] {
        if is_wall(costs, cell) {
            return Err(format!(
                "line {}: the {what} {cell} is a wall on this map: \
                 give the two files that belong together, or leave the line out",
                entry.line
            ));
        }
    }
    Ok(())
}

fn is_wall(costs: &CostMap, cell: Cell) -> bool {
    costs.get(cell).is_none_or(|cost| cost.is_wall())
}

/// Orders one unit from start to goal, walks it there, and frees the order; `None` if the
/// order is refused.
fn run_entry(world: &mut FlowWorld, referee: &Referee, entry: &ScenarioEntry) -> Option<Outcome> {
    let (start, goal) = (entry.start, entry.goal);
    // A unit in a wall would be led out of it; the file asks for no path.
    if is_wall(world.costs(), start) && !world.reachable(start, goal) {
        return None;
    }
    let begin = Instant::now();
    let order = world.order(goal, &[start]).ok()?;
    world.tick(Budget::UNLIMITED);
    std::hint::black_box(world.sample(&order, start));
    let time = begin.elapsed();
    let sectors = world.inspect().loaded(&order).len();
    let walk = walk(world, referee, &order, start);
    drop(order);
    world.tick(Budget::UNLIMITED);
    Some(Outcome {
        time,
        sectors,
        walk,
    })
}
