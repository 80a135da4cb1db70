//! Armies whose groups read the crowd.

use flowtiles::crowd::CrowdSettings;
use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{Army, GroupId, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld};

use crate::crowd::{Draw, configure, drawn_map, in_wall, on_threads};
use crate::draws::draws;

const STARTS: [CellRect; 3] = [
    CellRect::new(2, 12, 8, 16),
    CellRect::new(50, 12, 8, 16),
    CellRect::new(22, 2, 16, 6),
];
const GOALS: [Cell; 3] = [Cell::new(54, 20), Cell::new(6, 20), Cell::new(30, 35)];

struct Scene {
    world: FlowWorld,
    army: Army,
    groups: Vec<GroupId>,
}

/// Returns groups that cross each other on a drawn map.
fn scene(seed: u32, groups: usize, each: u32, reading: Reading) -> Scene {
    let mut draw = Draw::new(seed);
    let mut map = drawn_map(&mut draw, 60, 40, 5);
    for area in STARTS {
        map.edit(area, Cost::OPEN).unwrap();
    }
    for goal in GOALS {
        map.edit(CellRect::new(goal.x - 4, goal.y - 4, 9, 9), Cost::OPEN)
            .unwrap();
    }
    let mut world = FlowWorld::new(map);
    let mut army = Army::default();
    let mut ids = Vec::new();
    for group in 0..groups {
        let (area, goal) = (STARTS[group], GOALS[group]);
        let start = Cell::new(area.x + 1, area.y + 1);
        let order = world.order(goal, &[start]).expect("open ground");
        let id = army.add_group(Target::Order(order), reading).unwrap();
        ids.push(id);
        for at in 0..each {
            let column = (at % area.width) as f32 + draw.float(0.4, 0.6);
            let row = (at / area.width) as f32 * 1.2 + draw.float(0.4, 0.6);
            let place = [area.x as f32 + column, area.y as f32 + row];
            army.add(Unit::new(group as u32 * 1_000 + at, id, place))
                .unwrap();
        }
    }
    world.tick(Budget::UNLIMITED);
    Scene {
        world,
        army,
        groups: ids,
    }
}

impl Scene {
    fn step(&mut self) {
        let progress = self.world.tick(Budget::UNLIMITED);
        self.army.step(&self.world, 0.05);
        if progress.waiting == 0 {
            self.army.cover_strays(&mut self.world);
        }
        for unit in self.army.units() {
            assert!(
                !in_wall(self.world.costs(), unit.position, unit.radius),
                "{unit:?} in a wall"
            );
        }
    }
}

#[test]
fn crossing_groups_arrive_and_never_enter_a_wall() {
    for seed in 0..2 * draws() as u32 {
        let groups = 2 + seed as usize % 2;
        let mut scene = scene(seed, groups, 40, Reading::Crowd);
        let (mut ticks, mut deepest, mut total) = (0, 0.0f32, 0.0);
        while !scene.army.is_settled() {
            scene.step();
            deepest = deepest.max(scene.army.deepest_overlap());
            total += scene.army.deepest_overlap();
            ticks += 1;
            assert!(ticks < 1_500, "still on the way");
        }
        let stats = scene.army.crowd().expect("they read it").stats();
        println!(
            "seed {seed}: {ticks} ticks, overlaps at most {deepest:.3}, {:.3} in the mean; {} rounds",
            total / ticks as f32,
            stats.rounds
        );
        assert!(stats.rounds > 50);
        // The circles have a radius of 0.3.
        assert!(deepest < 0.25 && total / (ticks as f32) < 0.08, "{deepest}");
    }
}

#[test]
fn reading_of_a_group_may_change_during_its_march() {
    let readings = [
        Reading::Ahead,
        Reading::Crowd,
        Reading::Bilinear,
        Reading::Crowd,
    ];
    for (seed, readings) in [
        (1, &readings[..]),
        (2, &readings[1..3]),
        (3, &readings[..2]),
    ] {
        let mut scene = scene(seed, 2, 40, readings[0]);
        let mut ticks = 0;
        while !scene.army.is_settled() {
            if ticks % 40 == 0 {
                let reading = readings[(ticks / 40).min(readings.len() - 1)];
                for &group in &scene.groups {
                    configure(&mut scene.army, &scene.world, group, |it| {
                        it.reading = reading
                    })
                    .unwrap();
                }
            }
            scene.step();
            let reads = readings[(ticks / 40).min(readings.len() - 1)] == Reading::Crowd;
            let on_way = ticks % 40 == 5 && reads && ticks < 60;
            if on_way {
                assert!(scene.army.stream(scene.groups[0]).is_some());
            }
            if !reads {
                assert_eq!(scene.army.stream(scene.groups[0]), None);
            }
            ticks += 1;
            assert!(ticks < 1_500, "still on the way");
        }
    }
}

#[test]
fn a_crowd_that_no_group_reads_holds_nothing() {
    let mut scene = scene(4, 2, 30, Reading::Crowd);
    for _ in 0..10 {
        scene.step();
    }
    let held = |scene: &Scene| scene.army.crowd().expect("a crowd").stats();
    assert!(held(&scene).streams == 2 && held(&scene).sectors > 0);
    for &group in &scene.groups {
        configure(&mut scene.army, &scene.world, group, |it| {
            it.reading = Reading::Ahead
        })
        .unwrap();
    }
    scene.step();
    assert!(held(&scene).streams == 0 && held(&scene).bytes == 0);
    configure(&mut scene.army, &scene.world, scene.groups[0], |it| {
        it.reading = Reading::Crowd
    })
    .unwrap();
    scene.step();
    assert!(held(&scene).streams == 1 && held(&scene).sectors > 0);
}

#[test]
fn changed_crowd_settings_keep_painted_discomfort() {
    let mut scene = scene(5, 1, 60, Reading::Crowd);
    let (stream, at) = (
        |scene: &Scene| scene.army.stream(scene.groups[0]),
        [6.5, 20.5],
    );
    let (area, strength) = (CellRect::new(2, 12, 8, 16), 4.0);
    let painted = scene.army.crowd_mut().paint(&scene.world, area, strength);
    painted.expect("on the map");
    for resolution in [2, 3, 1] {
        let mut settings = CrowdSettings::default();
        settings.resolution = resolution;
        scene
            .army
            .set_crowd_settings(settings)
            .expect("good settings");
        scene.step();
        let crowd = scene.army.crowd().expect("a crowd");
        assert_eq!(crowd.settings().resolution, resolution);
        let stream = stream(&scene).expect("units on the way");
        let discomfort = crowd.discomfort(&scene.world, stream, at);
        assert!(discomfort >= Some(strength), "{discomfort:?}");
    }
}

#[test]
fn neither_threads_nor_the_order_of_units_matter() {
    let run = |threads: usize, cells_per_step: u64, backward: bool| {
        let mut scene = scene(7, 2, 60, Reading::Crowd);
        let mut settings = CrowdSettings::default();
        settings.cells_per_step = cells_per_step;
        scene.army.set_crowd_settings(settings).unwrap();
        let mut army = std::mem::take(&mut scene.army);
        if backward {
            let mut units = army.units().to_vec();
            units.reverse();
            for unit in &units {
                army.remove(unit.id);
            }
            for unit in units {
                army.add(unit).unwrap();
            }
        }
        scene.army = army;
        let mut hashes = Vec::new();
        for tick in 0..120 {
            match tick {
                40 => drop(
                    scene
                        .world
                        .edit(CellRect::new(30, 10, 1, 14), Cost::WALL)
                        .unwrap(),
                ),
                80 => drop(
                    scene
                        .world
                        .edit(CellRect::new(30, 14, 1, 4), Cost::OPEN)
                        .unwrap(),
                ),
                _ => {}
            }
            if tick == 40 {
                let (army, world) = (&mut scene.army, &scene.world);
                army.put_out_of_walls(world);
                let units = army.units().iter();
                assert!(
                    units
                        .clone()
                        .all(|unit| is_clear(world.costs(), unit.position, 0.3))
                );
            }
            on_threads(threads, || scene.step());
            if tick % 10 == 9 {
                hashes.push(scene.army.state_hash());
            }
        }
        hashes
    };
    // With solves that finish in one step, and with solves that take several.
    for cells in [200_000, 2_500] {
        let one = run(1, cells, false);
        for (threads, backward) in [(2, false), (8, false), (2, true)] {
            assert_eq!(
                one,
                run(threads, cells, backward),
                "{threads} threads, {cells}"
            );
        }
        let mut kinds = one.clone();
        kinds.dedup();
        assert_eq!(kinds.len(), one.len(), "every step shows in the hash");
    }
    assert_ne!(
        run(1, 200_000, false),
        run(1, 2_500, false),
        "slices are slices"
    );
}
