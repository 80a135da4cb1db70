//! The number of instructions that the engine's jobs take.
//!
//! Unlike times, instruction counts are the same in every run, however busy the
//! machine, so they can be compared with recorded figures. This program does
//! one job a given number of times, on fixed inputs:
//!
//! ```text
//! instructions JOB TIMES
//! ```
//!
//! `.ci/instructions` runs it under callgrind with two numbers of times; the
//! difference is the cost of the job itself. Without arguments it does every
//! job once.

mod maps;

use std::hint::black_box;

use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, Marching, Walker};
use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{
    Budget, Cell, Cost, CostMap, FlowWorld, Goal, PortalGraph, Quality, Sample, Sector,
};

/// The number of cells along a side of the map sections that most jobs use.
const SIDE: u32 = 300;

/// A job, done the given number of times.
type Job = fn(usize);

const JOBS: [(&str, Job); 19] = [
    ("sector-clear", |times| rebuild(open(), times)),
    ("sector-walls", |times| rebuild(cut(&maps::walls()), times)),
    ("sector-costs", |times| {
        rebuild(cut(&maps::terrain()), times)
    }),
    ("build-open", |times| build(&open(), times)),
    ("build-rooms", |times| build(&cut(&maps::rooms()), times)),
    ("build-walls", |times| build(&cut(&maps::walls()), times)),
    ("build-roads", |times| build(&cut(&maps::roads()), times)),
    ("route-open", |times| route(open(), times)),
    ("route-rooms", |times| route(cut(&maps::rooms()), times)),
    ("order-open", |times| {
        order(open(), Quality::Corridor, times)
    }),
    ("order-rooms", |times| {
        order(cut(&maps::rooms()), Quality::Corridor, times)
    }),
    ("order-roads", |times| {
        order(cut(&maps::roads()), Quality::Corridor, times)
    }),
    ("everywhere-rooms", |times| {
        order(cut(&maps::rooms()), Quality::Everywhere, times)
    }),
    ("stray-rooms", stray),
    ("sample-rooms", sample),
    ("edit-rooms", edit),
    ("marching", marching),
    ("crowd-solve", solve),
    ("four-armies", four_armies),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [name, times] if !name.starts_with('-') => {
            let found = JOBS.into_iter().find(|(job, _)| job == name);
            let (_, job) = found.unwrap_or_else(|| panic!("there is no job `{name}`"));
            job(times.parse().expect("a number of times"));
        }
        [list] if list == "--list" => JOBS.iter().for_each(|(name, _)| println!("{name}")),
        _ => JOBS.into_iter().for_each(|(_, job)| job(1)),
    }
}

fn open() -> CostMap {
    CostMap::open(SIDE, SIDE).expect("within the limit")
}

/// Returns the north-west part of a map.
fn cut(map: &CostMap) -> CostMap {
    let cells = (0..SIDE as i32).flat_map(|y| (0..SIDE as i32).map(move |x| Cell::new(x, y)));
    let costs: Vec<u8> = cells
        .map(|cell| map.get(cell).expect("on the map").value())
        .collect();
    CostMap::from_rows(SIDE, SIDE, &costs).expect("no cost is 0")
}

/// Returns two cells far apart that can reach each other.
fn ends(world: &FlowWorld) -> [Cell; 2] {
    let first = |mut cells: Vec<Cell>| {
        let centre = Cell::new(SIDE as i32 / 2, SIDE as i32 / 2 + 1);
        cells.retain(|&cell| world.reachable(cell, centre) || cell == centre);
        cells[0]
    };
    let along = |from: i32, step: i32| {
        let cells = (0..40).map(|i| Cell::new(from + step * i, from + step * i));
        first(cells.collect())
    };
    [along(3, 1), along(SIDE as i32 - 4, -1)]
}

fn rebuild(map: CostMap, times: usize) {
    let mut world = FlowWorld::new(map);
    let goal = Goal::at(ends(&world)[0]).with_quality(Quality::Everywhere);
    let order = world.order(goal, &[]).expect("it is open");
    world.tick(Budget::UNLIMITED);
    let mut integration = world.inspect().integration(&order);
    for _ in 0..times {
        assert!(integration.rebuild(black_box(Sector::new(15, 15))));
    }
}

fn build(map: &CostMap, times: usize) {
    for _ in 0..times {
        black_box(PortalGraph::new(map));
    }
}

fn route(map: CostMap, times: usize) {
    let world = FlowWorld::new(map);
    let [from, to] = ends(&world);
    for _ in 0..times {
        assert!(black_box(world.find_route(from, to)).is_ok_and(|route| route.is_some()));
    }
}

fn order(map: CostMap, quality: Quality, times: usize) {
    let mut world = FlowWorld::new(map);
    let [from, to] = ends(&world);
    for _ in 0..times {
        let goal = Goal::at(to).with_quality(quality);
        let order = world.order(goal, &[from]).expect("they are joined");
        world.tick(Budget::UNLIMITED);
        assert!(world.sample(&order, from).direction().is_some());
        drop(order);
        world.tick(Budget::cells(1));
    }
}

/// Strays: one unit after another leaves a path, each at another place.
fn stray(times: usize) {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let [from, to] = ends(&world);
    let order = world.order(to, &[from]).expect("they are joined");
    world.tick(Budget::UNLIMITED);
    for time in 0..times as i32 {
        let cells = (0..40).map(|i| Cell::new(20 + 40 * (time % 5) + i, 90 + 40 * (time % 5)));
        let strays = |cell: &Cell| world.sample(&order, *cell) == Sample::OffRoute;
        let cell = cells.into_iter().find(strays).expect("ground off the way");
        world.cover(&order, cell).expect("on the map");
        world.tick(Budget::UNLIMITED);
        assert!(world.sample(&order, cell).direction().is_some());
    }
}

/// A thousand units read their directions.
fn sample(times: usize) {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let [from, to] = ends(&world);
    let order = world.order(to, &[from]).expect("they are joined");
    world.tick(Budget::UNLIMITED);
    let mut way = vec![from];
    while let Some(direction) = world.sample(&order, way[way.len() - 1]).direction() {
        way.push(way[way.len() - 1].step(direction));
    }
    let units: Vec<Cell> = way.iter().cycle().step_by(7).take(1000).copied().collect();
    let mut samples = Vec::new();
    for _ in 0..times {
        world.sample_many(&order, black_box(&units), &mut samples);
        assert_eq!(black_box(&samples).len(), units.len());
    }
}

/// The solver runs over costs that change smoothly and differ by side.
fn marching(times: usize) {
    let cost = |cell: Cell| {
        let wave = |at: i32| (at % 90 - 45).abs() as f32 / 45.0;
        let costs = [1, 2, 3, 4].map(|side| 1.0 + wave(cell.x * side + cell.y * (5 - side)));
        Some(costs)
    };
    let mut marching = Marching::new(SIDE, SIDE, cost).expect("costs above 0");
    let far = Cell::new(SIDE as i32 - 1, SIDE as i32 - 1);
    for _ in 0..times {
        marching.solve(black_box(&[(Cell::new(0, 0), 0.0)]));
        assert!(marching.potential(far).is_some());
    }
}

/// A round of solves for two groups of 100 that meet in a room.
fn solve(times: usize) {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let ends = ends(&world);
    let orders = [0, 1].map(|at: usize| world.order(ends[at], &[ends[1 - at]]));
    let orders = orders.map(|order| order.expect("they are joined"));
    world.tick(Budget::UNLIMITED);
    let mut crowd = Crowd::new(CrowdSettings::default()).expect("the defaults");
    for _ in 0..times {
        let streams = orders.each_ref().map(|order| {
            let joined = crowd.join(&world, order, &Conduct::default(), 4.0);
            joined.expect("a good conduct")
        });
        let walker = |at: usize| Walker {
            position: [140.5 + (at % 20) as f32, 145.5 + (at / 20) as f32],
            velocity: [if at < 100 { 2.0 } else { -2.0 }, 0.0],
            stream: Some(streams[at / 100]),
            stands: false,
        };
        let walkers: Vec<Walker> = (0..200).map(walker).collect();
        crowd.begin(&world, black_box(&walkers));
        while crowd.solve_stage(&world).is_some() {}
    }
    assert!(crowd.stats().solved > 0);
}

/// Ten steps of four armies of 1,000 units each, which meet in the middle of a map.
fn four_armies(times: usize) {
    let mut world = FlowWorld::new(cut(&maps::walls()));
    let mut army = Army::default();
    let ends = [[60, 150], [240, 150], [150, 60], [150, 240]];
    let ends = ends.map(|[x, y]| {
        let cells = (0..40).map(|at| Cell::new(x + at % 7, y + at / 7));
        let centre = self::ends(&world)[0];
        let mut open = cells.filter(|&cell| world.reachable(cell, centre));
        open.next().expect("open ground")
    });
    for (from, to) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
        let order = world
            .order(ends[to], &[ends[from]])
            .expect("they are joined");
        let added = army.add_group(Target::Order(order), Reading::Ahead);
        let group = added.expect("a target");
        for at in 0..1_000 {
            let off = [at % 32, at / 32].map(|at| at as f32 * 0.8 - 12.8);
            let place = [ends[from].x as f32 + off[0], ends[from].y as f32 + off[1]];
            let id = army.units().len() as u32;
            army.add(Unit::new(id, group, place)).expect("a new unit");
        }
    }
    army.put_out_of_walls(&world);
    for _ in 0..10 * times {
        world.tick(Budget::cells(20_000));
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    assert!(!army.is_settled());
}

/// A wall in the middle of a room is built and removed.
fn edit(times: usize) {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let cell = Cell::new(155, 155);
    for _ in 0..times {
        for cost in [Cost::WALL, Cost::OPEN] {
            assert_eq!(world.edit(cell, cost).expect("on the map").cells, 1);
        }
    }
}
