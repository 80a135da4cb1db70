//! One order on a very large map: ticked until its directions are ready, then walked.

use std::time::{Duration, Instant};

use flowtiles::{Budget, Cell, FlowWorld, Order, Sample};

use crate::support::failure::Failure;
use crate::support::figures::Figures;

/// The work of a tick, as in the demo.
pub const BUDGET: u64 = 20_000;

/// A time in milliseconds.
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Ticks until no order waits, and measures the ticks; `see` gets the world after each tick.
pub fn until_ready(
    world: &mut FlowWorld,
    figures: &mut Figures,
    mut see: impl FnMut(&FlowWorld, u32),
) {
    let begin = Instant::now();
    let (mut ticks, mut cells) = (0_u32, 0);
    let mut is_ready = false;
    while !is_ready {
        let tick = Instant::now();
        let progress = world.tick(Budget::cells(BUDGET));
        figures.raise("longest_tick_ms", millis(tick.elapsed()), "ms");
        is_ready = progress.waiting == 0;
        cells += progress.cells;
        ticks += 1;
        see(world, ticks);
    }
    figures.set("ms", millis(begin.elapsed()), "ms");
    figures.set("ticks", ticks, "");
    figures.set("cells_worked", cells, "");
}

/// Orders units to a goal, and ticks until all their directions are ready.
pub fn order(
    world: &mut FlowWorld,
    units: &[Cell],
    goal: Cell,
) -> Result<(Order, Figures), Failure> {
    let before = world.inspect().stats().order_bytes;
    let begin = Instant::now();
    let order = world.order(goal, units);
    let order = order.map_err(|error| Failure::Input(error.to_string()))?;
    let mut figures = Figures::default().with("call_us", millis(begin.elapsed()) * 1e3, "µs");
    let mut first_tick = None;
    until_ready(world, &mut figures, |world, tick| {
        if first_tick.is_none() && world.sample(&order, units[0]).direction().is_some() {
            first_tick = Some(tick);
        }
    });
    let stats = world.inspect().stats();
    let figures = figures
        .with("first_tick", first_tick, "")
        .with("sectors_loaded", world.inspect().loaded(&order).len(), "")
        .with("bytes", stats.order_bytes - before, "B")
        .with("scratch_bytes", stats.scratch_bytes, "B");
    Ok((order, figures))
}

/// Walks a unit all the way, and times its reads.
pub fn walk(
    world: &mut FlowWorld,
    order: &Order,
    unit: Cell,
    goal: Cell,
    figures: &mut Figures,
) -> Result<(), Failure> {
    let side = world.costs().width() as usize;
    let mut way = vec![unit];
    loop {
        let here = way[way.len() - 1];
        match world.sample(order, here) {
            Sample::Go(direction) => way.push(here.step(direction)),
            Sample::Arrived if here == goal => break,
            other => {
                let fault = format!("a unit at {here} on its way to {goal} got {other:?}");
                return Err(Failure::Wrong(fault));
            }
        }
        let is_open = |cell| world.costs().get(cell).is_some_and(|cost| !cost.is_wall());
        let next = way[way.len() - 1];
        let beside = [Cell::new(here.x, next.y), Cell::new(next.x, here.y)];
        if !is_open(next) || !beside.into_iter().all(is_open) {
            let fault =
                format!("the step from {here} to {next} leads into a wall or cuts its corner");
            return Err(Failure::Wrong(fault));
        }
        if way.len() > side * side {
            return Err(Failure::Wrong("a unit walks in circles".into()));
        }
    }
    figures.set("steps", way.len() - 1, "");
    let mut samples = Vec::new();
    let begin = Instant::now();
    world.sample_many(order, &way, &mut samples);
    let nanos = millis(begin.elapsed()) * 1e6 / way.len() as f64;
    figures.set("sample_ns", nanos, "ns");
    Ok(())
}
