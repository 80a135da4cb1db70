//! Armies whose groups read the crowd.

use flowtiles::crowd::CrowdSettings;
use flowtiles::steer::{Army, GroupId, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld};

use crate::crowd::{Draw, configure, drawn_map, in_wall};
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
