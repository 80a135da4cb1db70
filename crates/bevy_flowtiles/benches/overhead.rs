//! What the plugin costs: a tick of an app compared with the same tick of a plain loop.
//!
//! Two battles of 10,000 units are played twice each, by turns: by a headless app, whose
//! update is one fixed step, with transforms written and events read, and by a loop over the
//! army and its world alone. In one battle all are on the march, and every tenth tick a
//! hundred of them are sent elsewhere; in the other all stand. Both come to the same state
//! hash, tick by tick.
//!
//! `--test` plays a few ticks only, for the hashes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_flowtiles::flowtiles::steer::{Army, Reading, Unit};
use bevy_flowtiles::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

const UNITS: u32 = 10_000;
const SECONDS: f64 = 0.05;
const BUDGET: Budget = Budget::cells(8_000);
const FAR: Cell = Cell::new(700, 60);
const ELSEWHERE: Cell = Cell::new(700, 240);
/// Ticks before those that are timed, in which the order's field is made and units fall asleep.
const WARM_UP: usize = 60;

fn main() {
    let asked = |option| std::env::args().any(|argument| argument == option);
    let is_test = asked("--test") || !asked("--bench");
    let ticks = if is_test { 20 } else { 300 };
    println!("{UNITS} units, medians of {ticks} ticks");
    measure("on the march", true, ticks);
    measure("standing", false, ticks);
}

/// Plays one battle in both ways, and prints the times of a tick.
fn measure(name: &str, marching: bool, ticks: usize) {
    let (mut app, units) = app();
    let mut plain = Plain::new();
    if marching {
        write(&mut app, FlowOrder::send(units.clone(), FAR));
        plain.send(0..UNITS, FAR);
    }
    let mut times = [Vec::new(), Vec::new()];
    for tick in 0..WARM_UP + ticks {
        let is_timed = tick >= WARM_UP;
        let begin = Instant::now();
        if marching && is_timed && tick.is_multiple_of(10) {
            let some = selection(tick);
            let some = units[some.start as usize..some.end as usize].to_vec();
            write(&mut app, FlowOrder::send(some, ELSEWHERE));
        }
        update(&mut app);
        let middle = Instant::now();
        if marching && is_timed && tick.is_multiple_of(10) {
            plain.send(selection(tick), ELSEWHERE);
        }
        plain.tick();
        let end = Instant::now();
        if is_timed {
            times[0].push(middle - begin);
            times[1].push(end - middle);
        }
        if tick.is_multiple_of(20) || tick + 1 == WARM_UP + ticks {
            assert_eq!(hash(&app), plain.hash(), "{name}, tick {tick}");
        }
    }
    let told = app.world().resource::<Told>().0;
    assert_eq!(told, plain.told, "{name}: events");
    let refused = app.world().resource::<Messages<FlowRefused>>();
    assert!(refused.is_empty(), "{name}: an order was refused");
    let moving = plain
        .army
        .units()
        .iter()
        .filter(|unit| unit.velocity != [0.0; 2]);
    let moving = moving.count();
    assert!(
        if marching {
            moving > 9_000
        } else {
            moving == 0
        },
        "{name}: {moving} move"
    );
    let [app, plain] = times.map(median);
    let ratio = app / plain;
    println!(
        "{name:<14} app {app:>8.1} µs, plain loop {plain:>8.1} µs: {ratio:.3} times, {:.1} µs more",
        app - plain
    );
}

/// Returns the units that are sent elsewhere in a tick.
fn selection(tick: usize) -> std::ops::Range<u32> {
    let first = (tick * 10) as u32 % UNITS;
    first..first + 100
}

/// Returns the median in microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// Returns open ground with pillars on it.
fn map() -> FlowWorld {
    let mut map = CostMap::open(800, 300).expect("a size that fits");
    for (x, y) in (0..30).flat_map(|y| (0..60).map(move |x| (x, y))) {
        let pillar = CellRect::new(120 + x * 9 + y % 2 * 4, y * 10, 2, 2);
        map.edit(pillar, Cost::WALL).expect("on the map");
    }
    FlowWorld::new(map)
}

/// Returns where a unit begins.
fn place(unit: u32) -> [f32; 2] {
    [unit % 100, unit / 100].map(|at| 5.5 + at as f32 * 0.9)
}

#[derive(Resource, Default)]
struct Told(usize);

/// Returns an app in which each update is one fixed step, and its units.
fn app() -> (App, Vec<Entity>) {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        FlowtilesPlugin::in_schedule(FixedUpdate).with_budget(BUDGET),
    ))
    .insert_resource(Time::<Fixed>::from_seconds(SECONDS))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .insert_resource(FlowMap::new(map()))
    .init_resource::<Told>()
    .add_systems(
        Update,
        |mut events: MessageReader<FlowEvent>, mut told: ResMut<Told>| {
            told.0 += events.read().map(black_box).count();
        },
    );
    // The clock of a first update stands.
    app.update();
    let plane = app.world().resource::<FlowPlane>().clone();
    let units = (0..UNITS).map(|unit| {
        let place = Transform::from_translation(plane.to_scene(place(unit), 0.0));
        (FlowUnit::new(0.35, 4.0), place)
    });
    let units = units.collect::<Vec<_>>();
    let units = app.world_mut().spawn_batch(units).collect();
    (app, units)
}

fn write(app: &mut App, order: FlowOrder) {
    app.world_mut().write_message(order);
}

#[inline(never)]
fn update(app: &mut App) {
    app.update();
}

fn hash(app: &App) -> [u64; 2] {
    let world = app.world();
    let (map, army) = (world.resource::<FlowMap>(), world.resource::<FlowArmy>());
    [map.state_hash(), army.state_hash()]
}

/// What games do by hand.
struct Plain {
    map: FlowWorld,
    army: Army,
    told: usize,
}

impl Plain {
    fn new() -> Self {
        let mut army = Army::default();
        let group = army
            .add_group(Target::Stand, Reading::Ahead)
            .expect("a target");
        for id in 0..UNITS {
            let unit = Unit::new(id, group, place(id));
            let unit = unit.with_radius(0.35).with_speed(4.0);
            army.add(unit).expect("a new unit");
        }
        let (map, told) = (map(), 0);
        Self { map, army, told }
    }

    fn send(&mut self, units: std::ops::Range<u32>, goal: Cell) {
        let groups = self.army.split(units).expect("units of the army");
        self.army
            .send_all(&mut self.map, &groups, goal, Sending::default())
            .expect("a way");
    }

    #[inline(never)]
    fn tick(&mut self) {
        self.army.tick(&mut self.map, BUDGET, SECONDS as f32);
        self.told += self.army.events().iter().map(black_box).count();
    }

    fn hash(&self) -> [u64; 2] {
        [self.map.state_hash(), self.army.state_hash()]
    }
}
