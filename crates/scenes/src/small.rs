//! The small scenes: 25×14 cells, each for one behaviour.

use flowtiles::steer::{Reading, Settings, Shape};
use flowtiles::{Cell, CellRect, Cost, CostMap};

use crate::aim::Aim;
use crate::random::Random;
use crate::scene::{Band, Incident, Recruit, Scene, block, walled};
use crate::usage::Kinds;

const WIDTH: u32 = 25;
const HEIGHT: u32 = 14;

fn open() -> CostMap {
    walled(WIDTH, HEIGHT, &[])
}

/// The settings with one force alone.
fn alone() -> Settings {
    let mut settings = Settings::default();
    settings.follow = 1.0;
    settings.separation = 0.0;
    settings.alignment = 0.0;
    settings.cohesion = 0.0;
    settings.avoidance = 0.0;
    settings.pushes = 0;
    settings
}

fn sized(mut recruits: Vec<Recruit>, radius: f32) -> Vec<Recruit> {
    for recruit in &mut recruits {
        recruit.radius = radius;
    }
    recruits
}

fn goal(x: i32, y: i32) -> Aim {
    Aim::Goal(Cell::new(x, y))
}

pub fn seek(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut draw = |until: i32| random.below(until * 100) as f32 / 100.0;
    let recruits = (0..5).map(|_| Recruit::at([1.0 + draw(8), 1.0 + draw(12)]));
    let band = Band::new(0, Aim::Point([20.0, 7.0]), recruits.collect());
    let mut scene = Scene::new(open(), vec![band]);
    scene.settings = alone();
    scene.settings.force = 5.0;
    scene.ticks = 200;
    scene
}

pub fn flock(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut draw = |from: i32, until: i32| random.between(from * 100, until * 100) as f32 / 100.0;
    let recruits = (0..7).map(|_| Recruit {
        velocity: [draw(0, 3), draw(-2, 3)],
        ..Recruit::at([draw(4, 9), draw(4, 9)])
    });
    let mut scene = Scene::new(open(), vec![Band::new(0, Aim::Nowhere, recruits.collect())]);
    scene.settings = alone();
    scene.settings.force = 5.0;
    scene.settings.range = 2.0;
    scene.settings.room = 1.4;
    scene.settings.separation = 2.0;
    scene.settings.cohesion = 0.2;
    scene.settings.alignment = 0.5;
    scene.ticks = 200;
    scene
}

/// Twelve units in column 0, and thirty rocks that leave them a path.
fn rocks(seed: u64, more: &[CellRect], reading: Reading) -> Scene {
    let mut random = Random::new(seed);
    let mut costs = walled(WIDTH, HEIGHT, more);
    let mut put = 0;
    while put < 30 {
        let cell = Cell::new(random.between(2, 22), random.below(HEIGHT as i32));
        let mut tried = costs.clone();
        tried.edit(cell, Cost::WALL).expect("a cell of the map");
        if holds_together(&tried) {
            costs = tried;
            put += 1;
        }
    }
    let mut band = Band::new(0, goal(23, 7), block(1, 12, [0.5, 1.5], 1.0));
    band.reading = reading;
    let mut scene = Scene::new(costs, vec![band]);
    scene.settings.force = 20.0;
    scene
}

/// Whether all open cells are one island.
fn holds_together(costs: &CostMap) -> bool {
    flowtiles::FlowWorld::new(costs.clone())
        .inspect()
        .stats()
        .islands
        == 1
}

pub fn flow_basic(seed: u64) -> Scene {
    rocks(seed, &[], Reading::Bilinear)
}

pub fn flow_corners(seed: u64) -> Scene {
    rocks(seed, &[CellRect::new(21, 5, 1, 5)], Reading::LowestOfFour)
}

pub fn physics(_: u64) -> Scene {
    let units = sized(block(3, 36, [1.5, 1.5], 1.0), 0.2);
    let walls = [CellRect::new(10, 0, 1, 5), CellRect::new(10, 9, 1, 5)];
    let mut scene = Scene::new(
        walled(WIDTH, HEIGHT, &walls),
        vec![Band::new(0, goal(19, 7), units)],
    );
    scene.settings.separation = 1.0;
    scene.settings.alignment = 0.9;
    scene.settings.cohesion = 0.05;
    scene.incidents = vec![(60, Incident::Send(0, Aim::Goal(Cell::new(20, 3))))];
    scene
}

pub fn soft_physics(_: u64) -> Scene {
    let units = sized(block(3, 36, [1.5, 1.5], 1.0), 0.23);
    let mut scene = Scene::new(
        walled(WIDTH, HEIGHT, &[CellRect::new(10, 4, 2, 6)]),
        vec![Band::new(0, goal(20, 7), units)],
    );
    scene.settings.room = 0.34;
    scene.settings.range = 2.0;
    scene.settings.separation = 1.2;
    scene.settings.alignment = 0.3;
    scene.settings.cohesion = 0.05;
    scene.settings.pushes = 1;
    scene
}

pub fn crossing_seek(_: u64) -> Scene {
    let bands = vec![
        Band::new(
            0,
            Aim::Point([24.5, 7.0]),
            sized(block(3, 36, [1.5, 1.5], 1.0), 0.23),
        ),
        Band::new(
            1,
            Aim::Point([0.5, 7.0]),
            sized(block(3, 36, [21.5, 1.5], 1.0), 0.23),
        ),
    ];
    let mut scene = Scene::new(open(), bands);
    scene.settings = alone();
    scene.settings.separation = 1.0;
    scene.settings.pushes = 2;
    scene.ticks = 240;
    scene
}

/// Two groups head on, with avoidance.
fn meeting(one: Vec<Recruit>, two: Vec<Recruit>) -> Scene {
    let bands = vec![
        Band::new(0, goal(22, 7), one),
        Band::new(1, goal(2, 7), two),
    ];
    let mut scene = Scene::new(open(), bands);
    scene.settings.force = 50.0;
    scene
}

pub fn avoid_middle(_: u64) -> Scene {
    meeting(block(3, 12, [2.5, 5.5], 1.0), block(1, 1, [22.5, 7.0], 1.0))
}

pub fn avoid_top(_: u64) -> Scene {
    meeting(block(3, 12, [2.5, 5.5], 1.0), block(1, 1, [22.5, 5.5], 1.0))
}

pub fn avoid_small(_: u64) -> Scene {
    meeting(block(3, 9, [2.5, 6.0], 1.0), block(3, 9, [20.5, 6.0], 1.0))
}

pub fn avoid_large(_: u64) -> Scene {
    meeting(
        block(3, 36, [1.5, 1.5], 1.0),
        block(3, 36, [21.5, 1.5], 1.0),
    )
}

pub fn crossing_grid(_: u64) -> Scene {
    let mut bands = vec![
        Band::new(0, goal(21, 7), block(5, 25, [1.5, 5.0], 1.0)),
        Band::new(1, goal(12, 11), block(5, 25, [10.5, 0.6], 1.0)),
    ];
    for band in &mut bands {
        band.formation = Some((Shape::Box, 1.0));
    }
    let mut scene = Scene::new(open(), bands);
    scene.settings.force = 50.0;
    scene.settings.avoidance = 10.0;
    scene
}

pub fn line_of_sight(_: u64) -> Scene {
    let walls = [
        CellRect::new(7, 0, 1, 6),
        CellRect::new(12, 6, 1, 8),
        CellRect::new(17, 2, 3, 3),
    ];
    let band = Band::new(0, goal(22, 3), block(3, 18, [1.5, 2.0], 1.0));
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &walls), vec![band]);
    scene.settings.force = 50.0;
    scene.settings.separation = 2.0;
    scene.settings.alignment = 0.5;
    scene.settings.cohesion = 0.2;
    scene.settings.follow = 2.0;
    scene
}

pub fn sizes(_: u64) -> Scene {
    let radii = [0.15, 0.2, 0.3, 0.45];
    let mut recruits = block(6, 48, [1.5, 2.5], 1.1);
    for (at, recruit) in recruits.iter_mut().enumerate() {
        recruit.radius = radii[at * 7 % 4];
        recruit.speed = 5.0 - 4.0 * recruit.radius;
    }
    let walls = [CellRect::new(11, 0, 1, 6), CellRect::new(11, 8, 1, 6)];
    let band = Band::new(0, goal(19, 6), recruits);
    let mut scene = Scene::new(walled(WIDTH, HEIGHT, &walls), vec![band]);
    scene.kinds = Some(Kinds::Radii);
    scene
}
