//! One order on a very large map: ticked until its directions are ready, then
//! walked.

use std::time::Instant;

use flowtiles::{Budget, Cell, FlowWorld, Order, Sample};

use super::figures::{Journey, millis};
use crate::support::failure::Failure;

/// The work of a tick, as in the demo.
pub const BUDGET: u64 = 20_000;

/// Orders units to a goal, and ticks until all their directions are ready.
pub fn order(
    world: &mut FlowWorld,
    units: &[Cell],
    goal: Cell,
) -> Result<(Order, Journey), Failure> {
    let before = world.inspect().stats().order_bytes;
    let begin = Instant::now();
    let order = world.order(goal, units);
    let order = order.map_err(|error| Failure::Input(error.to_string()))?;
    let mut journey = Journey {
        call_us: millis(begin.elapsed()) * 1e3,
        ..Journey::default()
    };
    let begin = Instant::now();
    loop {
        let tick = Instant::now();
        let progress = world.tick(Budget::cells(BUDGET));
        journey.longest_tick_ms = journey.longest_tick_ms.max(millis(tick.elapsed()));
        journey.ticks += 1;
        journey.cells_worked += progress.cells;
        if journey.first_tick.is_none() && world.sample(&order, units[0]).direction().is_some() {
            journey.first_tick = Some(journey.ticks);
        }
        if progress.waiting == 0 {
            break;
        }
    }
    journey.ms = millis(begin.elapsed());
    journey.sectors_loaded = world.inspect().loaded(&order).len();
    let stats = world.inspect().stats();
    journey.bytes = stats.order_bytes - before;
    journey.scratch_bytes = stats.scratch_bytes;
    Ok((order, journey))
}

/// Walks a unit all the way, and times its reads.
pub fn walk(
    world: &mut FlowWorld,
    order: &Order,
    unit: Cell,
    goal: Cell,
    journey: &mut Journey,
) -> Result<(), Failure> {
    let side = world.costs().width() as usize;
    let mut way = vec![unit];
    loop {
        let here = way[way.len() - 1];
        match world.sample(order, here) {
            Sample::Go(direction) | Sample::InSight(direction) => way.push(here.step(direction)),
            Sample::Arrived if here == goal => break,
            other => {
                let told = format!("a unit at {here} on its way to {goal} got {other:?}");
                return Err(Failure::Wrong(told));
            }
        }
        let open = |cell| world.costs().get(cell).is_some_and(|cost| !cost.is_wall());
        let next = way[way.len() - 1];
        if !open(next) || !open(Cell::new(here.x, next.y)) || !open(Cell::new(next.x, here.y)) {
            return Err(Failure::Wrong(format!(
                "the step {here} to {next} goes into a wall"
            )));
        }
        if way.len() > side * side {
            return Err(Failure::Wrong("a unit walks in circles".into()));
        }
    }
    journey.steps = way.len() - 1;
    let mut samples = Vec::new();
    let begin = Instant::now();
    world.sample_many(order, &way, &mut samples);
    journey.sample_ns = millis(begin.elapsed()) * 1e6 / way.len() as f64;
    Ok(())
}
