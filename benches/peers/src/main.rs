//! Compares flowtiles, other pathfinding crates and plain methods on the same
//! maps and tasks. See `README.md` beside this package's manifest.

mod child;
mod counting;
mod course;
mod engine;
mod engines;
mod figures;
mod options;
mod plain;
mod report;

use std::process::ExitCode;
use std::time::Duration;

use flowtiles_peers::{ground, maps, task};
use options::Options;
use report::{MapResult, Report};
use task::Task;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((flag, rest)) if flag == child::FLAG => child::run(rest),
        _ => Options::parse(&arguments).and_then(|options| compare(&options)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Runs every engine on every map and writes the results.
fn compare(options: &Options) -> Result<(), String> {
    let mut report = Report::begin(options.seconds);
    for map in &options.maps {
        let task = Task::new(map)?;
        eprintln!("{}: the shortest ways", maps::title(map));
        let optima = plain::optima(&task.ground, &task.pairs);
        let mut result = MapResult::new(map, &task, optima);
        let limit = Duration::from_secs(options.seconds);
        for card in &options.engines {
            eprintln!("{}: {}", result.title, card.title);
            let figures = child::measure(card.key, map, limit)?;
            result.engines.push((card, figures));
            // The first engine needs little time. It runs again after each of
            // the others, so that no single moment of the machine decides.
            let first = options.engines[0];
            if card.key != first.key && first.key == "flowtiles" {
                let again = child::measure(first.key, map, limit)?;
                result.engines[0].1.pool(again);
            }
        }
        print!("{}", result.text());
        report.maps.push(result);
    }
    print!("{}", report.ratios());
    if let Some(path) = &options.json {
        let written = std::fs::write(path, format!("{:#}\n", report.json()));
        written.map_err(|error| format!("{path}: {error}"))?;
    }
    if let Some(path) = &options.page {
        let written = report.write(path.as_ref());
        written.map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}
