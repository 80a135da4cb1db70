//! Reads, many orders at once, orders with links, storms of edits, and saves.

use std::hint::black_box;
use std::time::{Duration, Instant};

use flowtiles::graph::PortalGraph;
use flowtiles::{Budget, Cell, FlowWorld, Link, Sample};
use flowtiles_country::random::Random;

use super::changes::toggles;
use super::ground::{Ground, free, order, order_all, refused};
use super::sheet::Column;
use super::times::Times;
use crate::support::failure::Failure;

/// The work of a tick: what a game would give the engine in one frame.
const BUDGET: Budget = Budget::cells(20_000);
/// Reads timed at once.
const READS: usize = 1 << 13;
/// Links of the map with links, each from one cell to one other, and the price of one:
/// that of ten straight steps.
const LINKS: usize = 200;
const PRICE: u32 = 50;
/// Orders at once, without edits and in a storm, the edits of a storm's tick, and the
/// orders of a save.
const ORDERS: usize = 500;
const STORM_ORDERS: usize = 200;
const STORM_EDITS: usize = 1000;
const SAVED_ORDERS: usize = 50;

/// Measures all of it.
pub fn measure(ground: &mut Ground, column: &mut Column) -> Result<(), Failure> {
    storm(ground, column)?;
    at_once(ground, column)?;
    saves(ground, column)?;
    links(ground, column)?;
    reads(ground, column)
}

/// Times ticks with a thousand edits each, beside building all from the costs.
fn storm(ground: &Ground, column: &mut Column) -> Result<(), Failure> {
    let pairs = ground.pairs(71, STORM_ORDERS);
    let mut random = Random::new(72);
    let mut ticks = Vec::new();
    for _ in 0..ground.effort.pick(10, 2) {
        let toggles = toggles(ground, &mut random, STORM_EDITS);
        // Every second tick undoes the one before.
        for way in [0, 1] {
            ticks.push(toggles.iter().map(|both| both[way]).collect::<Vec<_>>());
        }
    }
    let [mut tick, mut anew] = [Times::default(), Times::default()];
    for _ in 0..ground.effort.rounds() {
        let costs = ground.costs.clone();
        let (mut world, orders) = anew.time(0, || {
            let mut world = FlowWorld::new(costs);
            order_all(&mut world, &pairs).map(|orders| (world, orders))
        })?;
        for (job, edits) in ticks.iter().enumerate() {
            tick.time(job, || {
                // Every cell was drawn on the map.
                world.edit_all(edits).ok();
                world.tick(BUDGET)
            });
        }
        drop(orders);
        if *world.inspect().portal_graph() != PortalGraph::new(&ground.costs) {
            return Err(ground.wrong("after a storm of edits the graph is not that of the costs"));
        }
    }
    column.put("storm tick, × building all", anew.median() / tick.median());
    column.put("storm tick, ms", tick.median() * 1e3);
    Ok(())
}

/// Times five hundred orders at once, until each has a direction and until all are done.
fn at_once(ground: &mut Ground, column: &mut Column) -> Result<(), Failure> {
    let pairs = ground.pairs(81, ORDERS);
    let world = &mut ground.world;
    let [mut first, mut all] = [Times::default(), Times::default()];
    for _ in 0..ground.effort.rounds() {
        let begin = Instant::now();
        let given = pairs
            .iter()
            .map(|&(start, goal)| world.order(goal, &[start]));
        let given = given.collect::<Result<Vec<_>, _>>().map_err(refused)?;
        // Only the engine is timed, not the reads between ticks.
        let mut time = begin.elapsed();
        let mut waits: Vec<Option<Duration>> = vec![None; given.len()];
        let mut is_done = false;
        while !is_done {
            let begin = Instant::now();
            is_done = world.tick(BUDGET).waiting == 0;
            time += begin.elapsed();
            for ((wait, order), &(start, goal)) in waits.iter_mut().zip(&given).zip(&pairs) {
                if start == goal || world.sample(order, start).direction().is_some() {
                    wait.get_or_insert(time);
                }
            }
        }
        free(world, given);
        for (job, wait) in waits.into_iter().enumerate() {
            let unled = || Failure::Wrong(format!("one of {ORDERS} orders leads no unit"));
            first.note(job, wait.ok_or_else(unled)?);
        }
        all.note(0, time);
    }
    let share = 100.0 * first.median() / all.median();
    column.put("500 orders: half have directions, %", share);
    column.put("500 orders: all tiles, ms", all.median() * 1e3);
    Ok(())
}

/// Times a save with orders, and its load, which derives the graph and the fields anew.
fn saves(ground: &mut Ground, column: &mut Column) -> Result<(), Failure> {
    let pairs = ground.pairs(91, SAVED_ORDERS);
    let orders = order_all(&mut ground.world, &pairs)?;
    let [mut save, mut load] = [Times::default(), Times::default()];
    for _ in 0..2 * ground.effort.rounds() {
        let bytes = save.time(0, || ground.world.save());
        let loaded = load.time(0, || FlowWorld::load(black_box(&bytes)));
        let (mut loaded, claims) = loaded.map_err(refused)?;
        while loaded.tick(Budget::UNLIMITED).waiting > 0 {}
        if loaded.state_hash() != ground.world.state_hash() {
            return Err(ground.wrong("a loaded world differs from the saved one"));
        }
        drop(claims);
    }
    free(&mut ground.world, orders);
    // Cells, not bytes: a map that packs well does not seem slow.
    let rate = |times: &Times| ground.area() / 1e6 / times.median();
    column.put("saved, million cells a s", rate(&save));
    column.put("loaded, million cells a s", rate(&load));
    Ok(())
}

/// Times cold orders on the map with links, beside the same orders without.
fn links(ground: &mut Ground, column: &mut Column) -> Result<(), Failure> {
    let mut linked = FlowWorld::new(ground.costs.clone());
    for (from, to) in ground.pairs(53, LINKS) {
        if from != to {
            let link = Link::new(from, to).with_price(PRICE);
            linked.add_link(link).map_err(refused)?;
        }
    }
    let pairs = ground.pairs(54, ground.effort.pick(40, 3));
    let mut medians = [0.0; 2];
    for (world, median) in [&mut linked, &mut ground.world]
        .into_iter()
        .zip(&mut medians)
    {
        let mut times = Times::default();
        for _ in 0..ground.effort.rounds() {
            for (job, &(start, goal)) in pairs.iter().enumerate() {
                let given = times.time(job, || order(world, black_box(goal), &[start]))?;
                black_box(world.sample(&given, start));
                free(world, given);
            }
        }
        *median = times.median();
    }
    let [with, without] = medians;
    column.put("order with 200 links, in orders", with / without);
    column.put("order with 200 links, µs", with * 1e6);
    Ok(())
}

/// Times reads of one order by units that stand together, as a formation does.
fn reads(ground: &mut Ground, column: &mut Column) -> Result<(), Failure> {
    let (start, goal) = ground.pairs(71, 1)[0];
    let given = order(&mut ground.world, goal, &[start])?;
    let world = &ground.world;
    // A unit in a wall is led out of it, which is another question.
    let cells = ground.all().cells();
    let led = cells.filter(|&cell| {
        let sample = world.sample(&given, cell);
        let goes = matches!(sample, Sample::Go(_));
        goes && world.reachable(cell, goal)
    });
    let led: Vec<Cell> = led.take(READS).collect();
    if led.is_empty() {
        return Err(ground.wrong(format!("the order from {start} to {goal} leads no unit")));
    }
    let units: Vec<Cell> = led.into_iter().cycle().take(READS).collect();
    let mut times = Times::default();
    for _ in 0..8 * ground.effort.rounds() {
        times.time(0, || {
            for &unit in black_box(&units) {
                black_box(world.sample(&given, unit));
            }
        });
    }
    column.put("a unit's read, ns", times.median() / READS as f64 * 1e9);
    free(&mut ground.world, given);
    Ok(())
}
