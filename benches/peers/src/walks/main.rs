//! Compares the walk of a unit of flowtiles with the shortest way at any angle. What that is, two
//! referees say who share no code: the crate polyanya, on a navigation mesh of the open cells, and
//! `any_angle` of our own, on the corners of walls. Where they do not agree, the run fails.
//! See `README.md` beside this package's manifest.

mod mesh;

use std::process::ExitCode;
use std::time::Duration;

use flowtiles::steer::{Army, Reading, Unit, UnitState};
use flowtiles::{Budget, Cell, FlowWorld, Order};
use flowtiles_country::any_angle::AnyAngle;
use flowtiles_peers::numbers::{mean, percentile};
use flowtiles_peers::task::Task;
use flowtiles_peers::{clock, machine, maps, markdown};
use glam::{DVec2, Vec2};

const USAGE: &str = "\
usage: walks [OPTION]...

  --map NAME    open, maze, random20, caves, or a Moving AI .map file; may be given again
                (default: all four drawn maps)
  --write FILE  write the figures into a Markdown page, between its markers";

/// The parts of the page.
const PARTS: [&str; 2] = ["walks-run", "walks"];
/// The share of a length by which the referees may differ: polyanya computes in single precision.
const TOLERANCE: f64 = 1e-5;
/// The seconds of a step.
const STEP: f32 = 0.05;
/// A walk that takes this many times as long as it may at best is ended.
const LATE: f64 = 5.0;

/// The figures of a map. Times are in microseconds.
#[derive(Default)]
struct Figures {
    polygons: usize,
    /// The largest difference between the referees, as a share of the length.
    difference: f64,
    /// By how many percent each walk is longer than polyanya's way.
    over: Vec<f64>,
    ways: Vec<f64>,
    orders: Vec<f64>,
    faults: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Measures on every map and writes the results; faults are an error, after that.
fn compare(arguments: &[String]) -> Result<(), String> {
    let (mut names, mut page) = (Vec::new(), None);
    for option in arguments.chunks(2) {
        match option {
            [name, value] if name == "--map" => names.push(value.as_str()),
            [name, value] if name == "--write" => page = Some(value),
            _ => return Err(USAGE.into()),
        }
    }
    if names.is_empty() {
        names = maps::DRAWN.to_vec();
        // On ground of several costs the shortest way is not the best.
        names.retain(|name| *name != "hills");
    }
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for name in names {
        let figures = measure(&Task::new(name)?)?;
        let title = maps::title(name);
        let found = figures.faults.iter();
        faults.extend(found.map(|fault| format!("{title}: {fault}")));
        rows.push((title, figures.row()));
    }
    let [own, other] = ["flowtiles", "polyanya"].map(machine::version);
    let run = format!("{}; flowtiles {own}, polyanya {other}.", machine::line());
    let table = markdown::table(&Figures::COLUMNS.map(String::from), rows);
    println!("{run}\n\n{table}");
    if let Some(path) = page {
        let fault = |error: &dyn std::fmt::Display| format!("{path}: {error}");
        let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
        let mut parts = PARTS.into_iter().zip([&run, &table]);
        let text = parts.try_fold(text, |text, (name, part)| {
            markdown::renewed(&text, name, part)
        });
        let written = std::fs::write(path, text.map_err(|error| fault(&error))?);
        written.map_err(|error| fault(&error))?;
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(faults.join("\n"))
}

/// Asks for the ways of all pairs of a map, and walks them.
fn measure(task: &Task) -> Result<Figures, String> {
    if task.ground.is_weighted() {
        return Err("walks are compared on ground of one cost only".into());
    }
    let costs = task.ground.cost_map()?;
    let mesh = mesh::of(&task.ground).map_err(|error| error.to_string())?;
    let corners = AnyAngle::new(&costs);
    let mut world = FlowWorld::new(costs);
    let mut figures = Figures {
        polygons: mesh.layers[0].polygons.len(),
        ..Figures::default()
    };
    for &(start, goal) in &task.pairs {
        let ends = [start, goal].map(|cell| Vec2::from(cell.centre()));
        let (way, time) = clock::on_thread(|| mesh.path(ends[0], ends[1]));
        figures.ways.push(micros(time));
        let lengths = (
            way.map(|way| f64::from(way.length)),
            corners.length(start, goal, f64::INFINITY),
        );
        let (Some(best), Some(other)) = lengths else {
            let fault = format!("from {start} to {goal} the referees say {lengths:?}");
            figures.faults.push(fault);
            continue;
        };
        let difference = (best / other - 1.0).abs();
        figures.difference = figures.difference.max(difference);
        if difference > TOLERANCE {
            let fault = format!("from {start} to {goal} the referees say {best} and {other}");
            figures.faults.push(fault);
        }
        let (order, time) = clock::on_thread(|| order(&mut world, start, goal));
        figures.orders.push(micros(time));
        match walk(&mut world, order?, [start, goal], best)? {
            Some(length) => figures.over.push(100.0 * (length / best - 1.0)),
            None => figures
                .faults
                .push(format!("no unit from {start} to {goal} arrives")),
        }
    }
    Ok(figures)
}

/// Gives an order and reads its path, so that the work is that of a search for a whole way.
fn order(world: &mut FlowWorld, start: Cell, goal: Cell) -> Result<Order, String> {
    let order = world.order(goal, &[start]);
    let order = order.map_err(|error| error.to_string())?;
    world.tick(Budget::UNLIMITED);
    let mut cell = start;
    while let Some(direction) = world.sample(&order, cell).direction() {
        cell = cell.step(direction);
    }
    if cell == goal {
        return Ok(order);
    }
    Err(format!("the order from {start} to {goal} ends at {cell}"))
}

/// Lets one unit walk, and returns the length of its walk and of what then still lies between it
/// and the goal; `None` if it does not arrive.
fn walk(
    world: &mut FlowWorld,
    order: Order,
    [start, goal]: [Cell; 2],
    best: f64,
) -> Result<Option<f64>, String> {
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead);
    let group = group.map_err(|error| error.to_string())?;
    let unit = Unit::new(0, group, start.centre()).with_radius(0.3);
    let most = LATE * best / f64::from(unit.speed * STEP);
    army.add(unit).map_err(|error| error.to_string())?;
    let place = |at: [f32; 2]| DVec2::from(at.map(f64::from));
    let mut at = place(start.centre());
    let (mut length, mut steps) = (0.0, 0.0);
    while !army.is_settled() && steps < most {
        army.tick(world, Budget::UNLIMITED, STEP);
        let next = place(army.units()[0].position);
        length += at.distance(next);
        at = next;
        steps += 1.0;
    }
    let is_there = army.units()[0].state == UnitState::Arrived;
    // The next order finds nothing of this one.
    drop(army);
    world.tick(Budget::cells(1));
    Ok(is_there.then(|| length + at.distance(place(goal.centre()))))
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl Figures {
    const COLUMNS: [&str; 8] = [
        "walks",
        "longer, mean, %",
        "p95, %",
        "worst, %",
        "referees differ by",
        "polygons",
        "polyanya: a way, µs",
        "flowtiles: an order, µs",
    ];

    /// Returns the cells of its row.
    fn row(&self) -> Vec<String> {
        let over = [mean(&self.over)].into_iter();
        let over = over.chain([95, 100].map(|percent| percentile(&self.over, percent)));
        let times = [&self.ways, &self.orders].map(|times| percentile(times, 50));
        let shown = |value: Option<f64>, digits: usize| {
            value.map_or("–".into(), |value| format!("{value:.digits$}"))
        };
        let mut cells = vec![self.over.len().to_string()];
        cells.extend(over.map(|value| shown(value, 2)));
        cells.push(format!("{:.1e}", self.difference));
        cells.push(self.polygons.to_string());
        cells.extend(times.map(|value| shown(value, 1)));
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_each_part() {
        let page = include_str!("../../../../docs/benchmarks.md");
        for name in PARTS {
            assert!(markdown::renewed(page, name, "").is_ok(), "{name}");
        }
    }
}
