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
//! job once. `instructions --time [JOB …]` prints nanoseconds instead, also where no
//! counter runs, such as in a browser's engine.

mod maps;

use std::hint::black_box;
use std::time::Instant;

use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit, FastMarching};
use flowtiles::graph::PortalGraph;
use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Quality, Sample, Sector};

/// The number of cells along a side of the map sections that most jobs use.
const SIDE: u32 = 300;

/// What a job does each time, after its preparations.
type Job = Box<dyn FnMut()>;
/// Makes those preparations.
type Prepare = fn() -> Job;

const JOBS: [(&str, Prepare); 24] = [
    ("sector-clear", || rebuild(open())),
    ("sector-walls", || rebuild(cut(&maps::walls()))),
    ("sector-costs", || rebuild(cut(&maps::terrain()))),
    ("build-open", || build(open())),
    ("build-rooms", || build(cut(&maps::rooms()))),
    ("build-walls", || build(cut(&maps::walls()))),
    ("build-roads", || build(cut(&maps::roads()))),
    ("route-open", || route(open())),
    ("route-rooms", || route(cut(&maps::rooms()))),
    ("order-open", || order(open(), Quality::Corridor)),
    ("order-rooms", || {
        order(cut(&maps::rooms()), Quality::Corridor)
    }),
    ("order-roads", || {
        order(cut(&maps::roads()), Quality::Corridor)
    }),
    ("everywhere-rooms", || {
        order(cut(&maps::rooms()), Quality::Everywhere)
    }),
    ("stray-rooms", stray),
    ("sample-rooms", sample),
    ("edit-rooms", edit),
    ("marching", marching),
    ("crowd-solve", solve),
    ("four-armies", four_armies),
    ("march-10000", march),
    ("army-open", || on_the_march(MARCH, 0, 60)),
    ("army-rocks", || on_the_march(MARCH, 160, 60)),
    ("army-jam", || on_the_march(MEETING, 160, 110)),
    ("base-10000", base),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--list"] => JOBS.iter().for_each(|(name, _)| println!("{name}")),
        ["--time", names @ ..] => {
            let wanted = |name| names.is_empty() || names.contains(&name);
            let jobs = JOBS.into_iter().filter(|(name, _)| wanted(name));
            jobs.for_each(|(name, job)| println!("{name:<18} {:>12.0}", nanoseconds(&mut job())));
        }
        [name, times] if !name.starts_with('-') => {
            let found = JOBS.into_iter().find(|(job, _)| job == name);
            let (_, job) = found.unwrap_or_else(|| panic!("there is no job `{name}`"));
            let mut job = job();
            (0..times.parse().expect("a number of times")).for_each(|_: usize| job());
        }
        _ => JOBS.into_iter().for_each(|(_, job)| job()()),
    }
}

/// The least time that a job takes, of twenty rounds of some milliseconds each.
fn nanoseconds(job: &mut Job) -> f64 {
    let mut round = |times: u32| {
        let start = Instant::now();
        (0..times).for_each(|_| job());
        start.elapsed().as_nanos() as f64 / f64::from(times)
    };
    // A browser's engine compiles once more what it has run often.
    let begin = Instant::now();
    while begin.elapsed().as_millis() < 200 {
        round(1);
    }
    let times = (5e6 / round(1)).ceil() as u32;
    let rounds = (0..20).map(|_| round(times));
    rounds.fold(f64::INFINITY, f64::min)
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

fn rebuild(map: CostMap) -> Job {
    // The integration borrows its world, for as long as the job may run.
    let world = Box::leak(Box::new(FlowWorld::new(map)));
    let goal = Goal::at(ends(world)[0]).with_quality(Quality::Everywhere);
    let order = world.order(goal, &[]).expect("it is open");
    world.tick(Budget::UNLIMITED);
    let mut integration = world.inspect().integration(&order);
    Box::new(move || assert!(integration.rebuild(black_box(Sector::new(15, 15)))))
}

fn build(map: CostMap) -> Job {
    Box::new(move || drop(black_box(PortalGraph::new(&map))))
}

fn route(map: CostMap) -> Job {
    let world = FlowWorld::new(map);
    let [from, to] = ends(&world);
    let found = move || black_box(world.find_route(from, to)).is_ok_and(|route| route.is_some());
    Box::new(move || assert!(found()))
}

fn order(map: CostMap, quality: Quality) -> Job {
    let mut world = FlowWorld::new(map);
    let [from, to] = ends(&world);
    Box::new(move || {
        let goal = Goal::at(to).with_quality(quality);
        let order = world.order(goal, &[from]).expect("they are joined");
        world.tick(Budget::UNLIMITED);
        assert!(world.sample(&order, from).direction().is_some());
        drop(order);
        world.tick(Budget::cells(1));
    })
}

/// Strays: one unit after another leaves a path, each at another place.
fn stray() -> Job {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let [from, to] = ends(&world);
    let fresh = move |world: &mut FlowWorld| {
        let order = world.order(to, &[from]).expect("they are joined");
        world.tick(Budget::UNLIMITED);
        order
    };
    let mut order = fresh(&mut world);
    let mut time = 0;
    Box::new(move || {
        let first = 20 + 40 * (time % 5);
        time += 1;
        let mut cells = (0..40).map(|i| Cell::new(first + i, first + 70));
        let is_off = |&cell: &Cell| world.sample(&order, cell) == Sample::OffRoute;
        let Some(cell) = cells.find(is_off) else {
            order = fresh(&mut world);
            return;
        };
        world.cover(&order, cell).expect("on the map");
        world.tick(Budget::UNLIMITED);
        assert!(world.sample(&order, cell).direction().is_some());
    })
}

/// A thousand units read their directions.
fn sample() -> Job {
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
    Box::new(move || {
        world.sample_many(&order, black_box(&units), &mut samples);
        assert_eq!(black_box(&samples).len(), units.len());
    })
}

/// The solver runs over costs that change smoothly and differ by side.
fn marching() -> Job {
    let cost = |cell: Cell| {
        let wave = |at: i32| (at % 90 - 45).abs() as f32 / 45.0;
        let costs = [1, 2, 3, 4].map(|side| 1.0 + wave(cell.x * side + cell.y * (5 - side)));
        Some(costs)
    };
    let mut marching = FastMarching::new(SIDE, SIDE, cost).expect("costs above 0");
    let far = Cell::new(SIDE as i32 - 1, SIDE as i32 - 1);
    Box::new(move || {
        marching.solve(black_box(&[(Cell::new(0, 0), 0.0)]));
        assert!(marching.potential(far).is_some());
    })
}

/// A round of solves for two groups of 100 that meet in a room.
fn solve() -> Job {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let ends = ends(&world);
    let orders = [0, 1].map(|at: usize| world.order(ends[at], &[ends[1 - at]]));
    let orders = orders.map(|order| order.expect("they are joined"));
    world.tick(Budget::UNLIMITED);
    let mut crowd = Crowd::new(CrowdSettings::default()).expect("the defaults");
    Box::new(move || {
        let streams = orders.each_ref().map(|order| {
            let joined = crowd.join(&world, order, &Conduct::default(), 4.0);
            joined.expect("a good conduct")
        });
        let walker = |at: usize| CrowdUnit {
            position: [140.5 + (at % 20) as f32, 145.5 + (at / 20) as f32],
            velocity: [if at < 100 { 2.0 } else { -2.0 }, 0.0],
            stream: Some(streams[at / 100]),
            stands: false,
        };
        let walkers: Vec<CrowdUnit> = (0..200).map(walker).collect();
        crowd.begin(&world, black_box(&walkers));
        while crowd.solve_stage(&world).is_some() {}
        assert!(crowd.stats().solved > 0);
    })
}

/// Ten steps of four armies of 1,000 units each, which meet in the middle of a map.
fn four_armies() -> Job {
    let (mut world, mut army) = armies([[60, 150], [240, 150], [150, 60], [150, 240]], 1_000);
    Box::new(move || (0..10).for_each(|_| step(&mut world, &mut army)))
}

/// Ten steps of a base of 10,000 units that hold, and of ten that go through it.
fn base() -> Job {
    let mut world = FlowWorld::new(open());
    let mut army = Army::default();
    let order = world.order(Cell::new(290, 105), &[Cell::new(40, 105)]);
    let through = Target::Order(order.expect("a way"));
    for (target, count, corner) in [
        (Target::Hold, 10_000, [60.5, 60.5]),
        (through, 10, [40.5, 105.0]),
    ] {
        let group = army.add_group(target, Reading::Ahead).expect("a target");
        for at in 0..count {
            let off = [at % 100, at / 100].map(|at| at as f32 * 0.9);
            let place = [corner[0] + off[0], corner[1] + off[1]];
            let id = army.units().len() as u32;
            army.add(Unit::new(id, group, place)).expect("a new unit");
        }
    }
    (0..200).for_each(|_| step(&mut world, &mut army));
    Box::new(move || (0..10).for_each(|_| step(&mut world, &mut army)))
}

/// A step of 10,000 units on the march among walls, whose orders are done.
fn march() -> Job {
    let (world, army) = armies([[40, 40], [260, 260], [260, 40], [40, 260]], 2_500);
    steps_after(world, army, 5)
}

/// Where two groups start: far apart, or soon face to face.
const MARCH: [f32; 2] = [2.0, 480.0];
const MEETING: [f32; 2] = [227.0, 300.0];

/// A step of two groups of 5,000 units that go to each other's side of a field with rocks, after
/// some steps.
fn on_the_march(begin: [f32; 2], rocks: i32, before: usize) -> Job {
    let mut map = CostMap::open(600, 400).expect("within the limit");
    for at in 0..rocks {
        let (x, y) = (70 + at * 37 % 450, 20 + at * 53 % 350);
        map.edit(CellRect::new(x, y, 4, 3), Cost::WALL)
            .expect("on the map");
    }
    let mut world = FlowWorld::new(map);
    let mut settings = Settings::default();
    settings.cohesion = 0.1;
    let mut army = Army::new(settings).expect("good settings");
    let goals = [Cell::new(580, 200), Cell::new(20, 200)];
    for (from, goal) in begin.into_iter().zip(goals) {
        let order = world.order(goal, &[Cell::new(10, 200)]).expect("a way");
        let added = army.add_group(Target::Order(order), Reading::Ahead);
        let group = added.expect("a target");
        for at in 0..5_000 {
            let off = [at % 70, at / 70].map(|at| at as f32 * 0.9);
            let id = army.units().len() as u32;
            let unit = Unit::new(id, group, [from + off[0], 10.0 + off[1]]);
            army.add(unit).expect("a new unit");
        }
    }
    army.put_out_of_walls(&world);
    steps_after(world, army, before)
}

/// A step of an army after some steps, and after its orders are done.
fn steps_after(mut world: FlowWorld, mut army: Army, before: usize) -> Job {
    for _ in 0..before {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    world.tick(Budget::UNLIMITED);
    Box::new(move || army.step(black_box(&world), 0.05))
}

fn step(world: &mut FlowWorld, army: &mut Army) {
    world.tick(Budget::cells(20_000));
    army.step(world, 0.05);
    army.cover_strays(world);
    assert!(!army.is_settled());
}

/// Four armies, of which the first two change places, and the other two.
fn armies(ends: [[i32; 2]; 4], units: u32) -> (FlowWorld, Army) {
    let mut world = FlowWorld::new(cut(&maps::walls()));
    let mut army = Army::default();
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
        for at in 0..units {
            let off = [at % 32, at / 32].map(|at| at as f32 * 0.8 - 12.8);
            let place = [ends[from].x as f32 + off[0], ends[from].y as f32 + off[1]];
            let id = army.units().len() as u32;
            army.add(Unit::new(id, group, place)).expect("a new unit");
        }
    }
    army.put_out_of_walls(&world);
    (world, army)
}

/// A wall in the middle of a room is built and removed.
fn edit() -> Job {
    let mut world = FlowWorld::new(cut(&maps::rooms()));
    let cell = Cell::new(155, 155);
    Box::new(move || {
        for cost in [Cost::WALL, Cost::OPEN] {
            assert_eq!(world.edit(cell, cost).expect("on the map").cells, 1);
        }
    })
}
