//! `flowtiles bench big`: time and memory on a very large map.
//!
//! ```text
//!   country ─▶ costs ─▶ world ─▶ orders ─▶ walk ─▶ edits ─▶ save ─▶ figures
//!   (drawn,    read     build    far, near
//!    nowhere
//!    in memory)
//! ```
//!
//! Every answer is checked on the way: units arrive, and no step goes against
//! the rule.

mod country;
mod journey;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use flowtiles::build::CostSource;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Order};
use flowtiles_country::random::Random;
use flowtiles_mapped::MappedCosts;

use crate::support::failure::Failure;
use crate::support::figures::Figures;
use crate::support::host;
use crate::support::memory::peak_bytes;
use crate::support::numbers::{rank, whole};
use crate::support::output::progress;
use country::LargeCountry;
use journey::{BUDGET, millis, until_ready};

/// Sectors between two looks at the progress bar.
const PIECE: usize = 4_000;
/// The number of timed one-cell edits.
const EDITS: usize = 2_000;
/// The units of an order, on a square of 8×8 cells.
const SQUAD: i32 = 8;
/// How far a near order goes.
const NEAR: i32 = 500;
/// Smaller maps have no room for these orders and edits.
const MIN_SIDE: u32 = 200;

/// Build a very large map, order across it, edit it, and measure each step
///
/// The country is drawn sector by sector from a seed and read again whenever
/// the engine needs it, as a game's own source of costs would be. Sides of
/// 16,000 cells take about a minute.
#[derive(clap::Args)]
pub struct Arguments {
    /// Cells along a side of the map
    #[arg(long, value_name = "N", default_value_t = 16_000, value_parser = whole(MIN_SIDE, flowtiles::MAX_SIDE))]
    side: u32,
    /// Draw another country
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    /// Keep all costs in memory, instead of reading them when they are needed
    #[arg(long)]
    keep: bool,
    /// Write the country to this file first, and read it from there, mapped
    /// into memory
    #[arg(long, value_name = "FILE", conflicts_with = "keep")]
    mapped: Option<PathBuf>,
}

/// Measures all of it.
pub fn run(arguments: &Arguments) -> Result<Figures, Failure> {
    let kind = match (arguments.keep, &arguments.mapped) {
        (true, _) => "kept",
        (_, Some(_)) => "mapped",
        _ => "drawn",
    };
    let mut figures = Figures::default()
        .with("machine", host::machine(), "")
        .with("rustc", host::rustc(), "")
        .with("revision", host::revision(), "")
        .with("side", arguments.side, "cells")
        .with("seed", arguments.seed, "")
        .with("costs", kind, "")
        .with("cells", u64::from(arguments.side).pow(2), "");
    let country = LargeCountry::new(arguments.side, arguments.seed);
    let costs = read(arguments, &country, &mut figures)?;
    let mut world = build(costs, &mut figures);

    let bar = progress(0, "{spinner} {msg}");
    bar.enable_steady_tick(Duration::from_millis(80));
    bar.set_message("finding open ground");
    let side = arguments.side as i32;
    let corner = |x: i32, y: i32| squad(&world, Cell::new(x, y));
    let [home, far] = [
        corner(side / 20, side / 20),
        corner(side - side / 20, side - side / 20),
    ];
    let near = corner(side / 20 + NEAR.min(side / 2), side / 20);
    let (Some(home), Some(far), Some(near)) = (home, far, near) else {
        return Err(Failure::Input(
            "the drawn country has no open ground where the units are to go: take another --seed"
                .into(),
        ));
    };

    bar.set_message("ordering across a corner of the map");
    let (order, near) = journey::order(&mut world, &home, near[0])?;
    drop(order);
    world.tick(Budget::cells(1));
    bar.set_message("ordering across the whole map");
    let (order, mut journey) = journey::order(&mut world, &home, far[0])?;
    bar.set_message("walking");
    journey::walk(&mut world, &order, home[0], far[0], &mut journey)?;
    let stats = world.inspect().stats();
    let bytes = (stats.cost_bytes + stats.graph_bytes) as f64;
    let mut figures = figures
        .with("sectors", stats.sectors, "")
        .with("portals", stats.portals, "")
        .with("islands", stats.islands, "")
        .with("cost_bytes", stats.cost_bytes, "B")
        .with("graph_bytes", stats.graph_bytes, "B")
        .with(
            "bytes_per_cell",
            bytes / f64::from(arguments.side).powi(2),
            "",
        )
        .with("near", near, "")
        .with("far", journey, "");

    bar.set_message("editing");
    figures.set("edits", edits(&mut world, arguments.seed), "");
    figures.set("replan", replan(&mut world, &order, home[0])?, "");
    bar.set_message("saving");
    let begin = Instant::now();
    figures.set("save_bytes", world.save().len(), "B");
    figures.set("save_ms", millis(begin.elapsed()), "ms");
    bar.finish_and_clear();
    figures.set("peak_bytes", peak_bytes(), "B");
    Ok(figures)
}

/// Reads the country once, as costs over it or as costs of their own.
fn read(
    arguments: &Arguments,
    country: &LargeCountry,
    figures: &mut Figures,
) -> Result<CostMap, Failure> {
    let sectors = u64::from(arguments.side.div_ceil(10)).pow(2);
    let bar = progress(sectors, "{bar:40} {pos} of {len} sectors read");
    let begin = Instant::now();
    let costs = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let side = arguments.side;
            let drawn = |sector| country.sector(sector);
            let costs = if arguments.keep {
                CostMap::from_sectors(side, side, drawn)
            } else if let Some(path) = &arguments.mapped {
                // Read twice: once for the file, and then from it.
                flowtiles_mapped::write(path, side, side, drawn).map_err(|e| e.to_string())?;
                CostMap::from_source(MappedCosts::open(path).map_err(|e| e.to_string())?)
            } else {
                CostMap::from_source(country.clone())
            };
            costs.map_err(|error| error.to_string())
        });
        while !reader.is_finished() {
            bar.set_position(country.reads());
            std::thread::sleep(Duration::from_millis(20));
        }
        reader
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    figures.set("read_ms", millis(begin.elapsed()), "ms");
    bar.finish_and_clear();
    costs.map_err(Failure::Input)
}

/// Builds the world piece by piece, and shows how far it is.
fn build(costs: CostMap, figures: &mut Figures) -> FlowWorld {
    let begin = Instant::now();
    let mut build = FlowWorld::build(costs);
    let bar = progress(
        build.progress().total as u64,
        "{bar:40} {percent} % built, {eta} to go",
    );
    while !build.progress().is_done() {
        let progress = build.advance(PIECE);
        bar.set_position(progress.done as u64);
    }
    let world = build.finish();
    figures.set("build_ms", millis(begin.elapsed()), "ms");
    bar.finish_and_clear();
    world
}

/// The open cells of a square near `place` from which most of the map can be
/// reached.
fn squad(world: &FlowWorld, place: Cell) -> Option<Vec<Cell>> {
    let side = world.costs().width() as i32;
    let heart = Cell::new(side / 2, side / 2);
    let spots = |centre: Cell, reach: i32| {
        (-reach..reach).flat_map(move |y| {
            (-reach..reach).map(move |x| Cell::new(centre.x + 10 * x, centre.y + 10 * y))
        })
    };
    let hub = spots(heart, 20).find(|&cell| {
        let mut beside = spots(cell, 5);
        world.reachable(cell, cell)
            && beside.all(|other| world.costs().get(other) == Some(Cost::OPEN))
    })?;
    let corner = spots(place, 30).find(|&cell| world.reachable(hub, cell))?;
    let cells =
        (0..SQUAD).flat_map(|y| (0..SQUAD).map(move |x| Cell::new(corner.x + x, corner.y + y)));
    Some(cells.filter(|&cell| world.reachable(hub, cell)).collect())
}

/// Turns drawn cells into walls and back, one at a time.
fn edits(world: &mut FlowWorld, seed: u64) -> Figures {
    let mut random = Random::new(!seed);
    let side = world.costs().width() as i32;
    let mut micros = Vec::new();
    let mut walked = 0;
    while micros.len() < 2 * EDITS {
        let cell = Cell::new(random.below(side), random.below(side));
        let Some(before) = world.costs().get(cell).filter(|cost| !cost.is_wall()) else {
            continue;
        };
        for cost in [Cost::WALL, before] {
            let begin = Instant::now();
            let report = world.edit(cell, cost);
            micros.push(millis(begin.elapsed()) * 1e3);
            walked = walked.max(report.map_or(0, |report| report.walked));
        }
    }
    let count = micros.len();
    let mut time = |percent| rank(&mut micros, percent);
    Figures::default()
        .with("count", count, "")
        .with("median_us", time(50), "µs")
        .with("p99_us", time(99), "µs")
        .with("longest_us", time(100), "µs")
        .with("walked_most", walked, "pockets")
}

/// Puts a wall across the far order's path, and measures the replanning.
fn replan(world: &mut FlowWorld, order: &Order, unit: Cell) -> Result<Figures, Failure> {
    while world.tick(Budget::cells(BUDGET)).waiting > 0 {}
    let mut way = unit;
    for _ in 0..100 {
        if let Some(direction) = world.sample(order, way).direction() {
            way = way.step(direction);
        }
    }
    let side = world.costs().width();
    let left = (way.x - 40).clamp(0, side as i32 - 80);
    let wall = CellRect::new(left, way.y, 80, 1);
    let begin = Instant::now();
    let report = world.edit(wall, Cost::WALL);
    let edit_us = millis(begin.elapsed()) * 1e3;
    let report = report.map_err(|error| Failure::Wrong(error.to_string()))?;
    let mut figures =
        Figures::default()
            .with("edit_us", edit_us, "µs")
            .with("cells", report.cells, "");
    until_ready(world, &mut figures, |_, _| {});
    Ok(figures)
}
