//! Armies: drawn ones march, meet, jam, form, fight and settle; the numbers stand for all
//! positions, velocities and states, bit by bit.

use flowtiles::inspect::Digest;
use flowtiles::steer::{
    Army, Chase, GroupId, GroupSettings, Pace, Reading, Settings, Shape, Target, Unit,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement, Teams};

use crate::crowd::{Draw, drawn_map};

/// The time of a step, in seconds.
const SECONDS: f32 = 0.05;

/// A world, an army, and what happens to both.
struct Scene {
    world: FlowWorld,
    army: Army,
    /// Walls that are built and taken away, by step.
    edits: Vec<(u32, CellRect, Cost)>,
    steps: u32,
}

impl Scene {
    fn new(map: CostMap, settings: Settings, steps: u32) -> Self {
        Self {
            world: FlowWorld::new(map),
            army: Army::new(settings).unwrap(),
            edits: Vec::new(),
            steps,
        }
    }

    fn configure(&mut self, group: GroupId, change: impl FnOnce(&mut GroupSettings)) {
        let mut settings = *self.army.settings(group).expect("a group");
        change(&mut settings);
        let given = self.army.configure(group, settings, &self.world);
        given.expect("settings that can be");
    }

    /// Adds a group that marches to a goal.
    fn march(&mut self, goal: impl Into<Goal>, starts: &[Cell], reading: Reading) -> GroupId {
        let order = self.world.order(goal, starts).expect("open ground");
        let added = self.army.add_group(Target::Order(order), reading);
        added.expect("few groups")
    }

    /// Adds units in rows of a width, with drawn radii and speeds.
    fn muster(&mut self, group: GroupId, count: u32, corner: [f32; 2], row: u32, draw: &mut Draw) {
        for at in 0..count {
            let off = [(at % row) as f32, (at / row) as f32];
            let place = [corner[0] + off[0] * 0.9, corner[1] + off[1] * 0.9];
            let id = self.army.units().len() as u32;
            let unit = Unit::new(id, group, place)
                .with_radius(draw.float(0.15, 0.45))
                .with_speed(draw.float(2.0, 5.0));
            self.army.add(unit).expect("a new unit");
        }
    }

    /// Runs the scene; returns the digest of all that was seen of it.
    fn run(mut self) -> u64 {
        let mut digest = Digest::new();
        self.army.put_out_of_walls(&self.world);
        for step in 0..self.steps {
            for &(_, area, cost) in self.edits.iter().filter(|edit| edit.0 == step) {
                self.world.edit(area, cost).expect("on the map");
                if step % 2 == 0 {
                    self.army.put_out_of_walls(&self.world);
                }
            }
            self.world.tick(Budget::cells(20_000));
            self.army.step(&self.world, SECONDS);
            self.army.cover_strays(&mut self.world);
            digest.number(self.army.events().len() as u64);
            for unit in self.army.units() {
                let [x, y] = unit.position.map(f32::to_bits);
                digest.number(u64::from(x) | u64::from(y) << 32);
                let [x, y] = unit.velocity.map(f32::to_bits);
                digest.number(u64::from(x) | u64::from(y) << 32);
                digest.number(unit.state as u64);
            }
        }
        digest.number(self.army.deepest_overlap().to_bits().into());
        digest.finish()
    }
}

/// Two groups that meet head on, among blocks of walls if there are any.
fn meeting(seed: u32, walls: u32, count: u32, steps: u32) -> Scene {
    let mut draw = Draw::new(seed);
    let map = drawn_map(&mut draw, 90, 60, walls);
    let mut settings = Settings::default();
    settings.cohesion = 0.1;
    let mut scene = Scene::new(map, settings, steps);
    for x in [4, 40, 48, 84] {
        let area = CellRect::new(x, 29, 2, 2);
        scene.world.edit(area, Cost::OPEN).expect("on the map");
    }
    let ends = [Cell::new(4, 29), Cell::new(84, 29)];
    for (at, left) in [(0, 48.0), (1, 22.0)] {
        let group = scene.march(ends[at], &[ends[1 - at]], Reading::Ahead);
        scene.muster(group, count / 2, [left, 12.0], 20, &mut draw);
    }
    scene
}

/// A crowd before a door that is two cells wide, with edits.
fn door(reading: Reading) -> Scene {
    let mut draw = Draw::new(31);
    let mut map = CostMap::open(70, 50).expect("a small map");
    for (area, cost) in [
        (CellRect::new(34, 0, 2, 50), Cost::WALL),
        (CellRect::new(34, 24, 2, 2), Cost::OPEN),
        (CellRect::new(10, 30, 9, 9), Cost::new(3).expect("not 0")),
    ] {
        map.edit(area, cost).expect("on the map");
    }
    let mut scene = Scene::new(map, Settings::default(), 400);
    for (goal, left) in [(Cell::new(60, 25), 5.0), (Cell::new(8, 40), 44.0)] {
        let start = Cell::new(left as i32, 20);
        let group = scene.march(goal, &[start], reading);
        scene.muster(group, 220, [left, 14.0], 16, &mut draw);
    }
    scene.edits = vec![
        (150, CellRect::new(20, 18, 2, 12), Cost::WALL),
        (211, CellRect::new(34, 10, 2, 3), Cost::OPEN),
        (300, CellRect::new(20, 18, 2, 12), Cost::OPEN),
    ];
    scene
}

/// Bodies of one to four cells' width, each on its layer.
fn layers() -> Scene {
    let mut draw = Draw::new(5);
    let mut map = CostMap::open(120, 80).expect("a small map");
    for at in 0..24 {
        let (x, y) = (30 + at * 37 % 60, 5 + at * 53 % 66);
        map.edit(CellRect::new(x, y, 4, 3), Cost::WALL)
            .expect("on the map");
    }
    let mut scene = Scene::new(map, Settings::default(), 300);
    for width in 1..=4_u8 {
        let size = Movement::new().with_size(width).expect("a small body");
        let layer = scene.world.add_layer(size).expect("few layers");
        let y = 8 + 18 * (i32::from(width) - 1);
        let ends = [Cell::new(12, y), Cell::new(108, 74 - y)];
        let goal = Goal::at(ends[1]).on(layer);
        let group = scene.march(goal, &ends[..1], Reading::Ahead);
        for at in 0..30_u32 {
            let radius = f32::from(width) / 2.0 - draw.float(0.05, 0.2);
            let step = f32::from(width) + 0.1;
            let off = [(at % 5) as f32 * step, (at / 5) as f32 * step];
            let id = scene.army.units().len() as u32;
            let place = [3.0 + off[0], y as f32 - 5.0 + off[1]];
            let unit = Unit::new(id, group, place).with_radius(radius);
            scene.army.add(unit).expect("a new unit");
        }
    }
    scene
}

/// One group for each reading, formation and target.
fn mixed() -> Scene {
    let mut draw = Draw::new(77);
    let mut map = drawn_map(&mut draw, 100, 70, 6);
    for at in 0..40 {
        let cost = Cost::new(2 + at as u8 % 5).expect("not 0");
        let area = CellRect::new(at * 29 % 90, at * 17 % 60, 6, 5);
        map.edit(area, cost).expect("on the map");
    }
    let mut settings = Settings::default();
    settings.alignment = 0.3;
    settings.range = 2.2;
    settings.patience = 1.0;
    let mut scene = Scene::new(map, settings, 300);
    let ends = [Cell::new(6, 35), Cell::new(92, 35), Cell::new(50, 64)];
    for end in ends {
        let area = CellRect::new(end.x - 1, end.y - 1, 3, 3);
        scene.world.edit(area, Cost::OPEN).expect("on the map");
    }
    let readings = [
        Reading::Nearest,
        Reading::Bilinear,
        Reading::LowestOfFour,
        Reading::Ahead,
    ];
    for (at, reading) in readings.into_iter().enumerate() {
        let goal = Goal::at(ends[at % 3]).or_at(ends[(at + 1) % 3], 10);
        let group = scene.march(goal, &ends, reading);
        scene.muster(group, 45, [20.0 + 14.0 * at as f32, 25.0], 9, &mut draw);
    }
    let formed = scene.march(ends[1], &ends, Reading::Ahead);
    scene.muster(formed, 24, [8.0, 8.0], 6, &mut draw);
    scene.configure(formed, |settings| settings.pace = Pace::Slowest);
    scene.world.tick(Budget::UNLIMITED);
    let form = scene.army.form(formed, Shape::Box, 1.2, &scene.world);
    form.expect("a group");
    let first = formed.index() as u32;
    let targets = [
        Target::Stand,
        Target::Hold,
        Target::Point([30.5, 20.5]),
        Target::Follow(first + 3),
        Target::Flock,
    ];
    for (at, target) in targets.into_iter().enumerate() {
        let added = scene.army.add_group(target, Reading::Ahead);
        let place = [15.0 + 12.0 * at as f32, 45.0];
        scene.muster(added.expect("few groups"), 20, place, 5, &mut draw);
    }
    scene.edits = vec![(120, CellRect::new(40, 30, 3, 9), Cost::WALL)];
    scene
}

/// Raiders that meet a camp and its guards, prey that flees from its hunters, and aircraft
/// above all of them.
fn errands() -> Scene {
    let mut draw = Draw::new(41);
    let map = drawn_map(&mut draw, 110, 70, 5);
    let mut scene = Scene::new(map, Settings::default(), 300);
    let ends = [Cell::new(6, 35), Cell::new(100, 35)];
    for end in ends {
        let area = CellRect::new(end.x - 1, end.y - 1, 3, 3);
        scene.world.edit(area, Cost::OPEN).expect("on the map");
    }
    let raid = scene.world.order(ends[1], &ends).expect("open ground");
    let chase = Chase::default().with_sight(14.0).with_range(1.5);
    let far = chase.with_leash(200.0);
    let from = None;
    let targets = [
        Target::AttackMove(raid, chase),
        Target::Hold,
        Target::Flee { from, safe: 30.0 },
    ];
    let mut first = 0;
    for (team, target) in targets.into_iter().enumerate() {
        let added = scene.army.add_group(target, Reading::Ahead);
        let group = added.expect("few groups");
        let foes = Teams::from_bits([0b0010, 0b0001, 0b1000][team]);
        scene.configure(group, |settings| {
            (settings.team, settings.foes) = (team as u8, foes);
        });
        let corner = [[8.0, 25.0], [55.0, 20.0], [60.0, 45.0]][team];
        first = scene.army.units().len() as u32;
        scene.muster(group, [80, 30, 20][team], corner, 10, &mut draw);
    }
    let hunters = scene
        .army
        .add_group(Target::Pursue(first, far), Reading::Ahead);
    let hunters = hunters.expect("few groups");
    scene.configure(hunters, |settings| settings.team = 3);
    scene.muster(hunters, 20, [45.0, 50.0], 5, &mut draw);
    let planes = scene.march(ends[0], &ends, Reading::Ahead);
    scene.configure(planes, |settings| settings.planes = 0b10);
    scene.muster(planes, 60, [85.0, 28.0], 8, &mut draw);
    scene.edits = vec![(140, CellRect::new(50, 30, 3, 9), Cost::WALL)];
    scene
}

/// Units that settle around one goal and come to rest.
fn settling() -> Scene {
    let mut draw = Draw::new(9);
    let map = CostMap::open(40, 40).expect("a small map");
    let mut scene = Scene::new(map, Settings::default(), 500);
    let group = scene.march(Cell::new(30, 30), &[Cell::new(6, 6)], Reading::Ahead);
    scene.muster(group, 150, [3.0, 3.0], 12, &mut draw);
    scene
}

type Make = fn() -> Scene;

#[test]
fn armies_come_to_the_recorded_numbers() {
    let mut games: Vec<(&str, Make)> = vec![
        ("open", || meeting(1, 0, 300, 250)),
        ("rocks", || meeting(2, 9, 400, 300)),
        ("jam", || meeting(3, 22, 700, 300)),
        ("door", || door(Reading::Ahead)),
        ("layers", layers),
        ("mixed", mixed),
        ("errands", errands),
        ("settling", settling),
    ];
    #[cfg(feature = "crowd")]
    games.push(("crowd", || door(Reading::Crowd)));
    crate::assert_recorded("armies", include_str!("armies.txt"), &games, |scene| {
        scene().run()
    });
}
