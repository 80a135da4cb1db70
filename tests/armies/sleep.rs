//! Units that sleep: what a game sees is what it would see if all were looked at.

use std::collections::BTreeSet;

use flowtiles::steer::{
    Army, Chase, GroupId, Pace, Reading, Sending, Settings, Shape, Target, Turning, Unit,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Movement, Teams};

use super::fewer::{Calls, play};
use crate::crowd::{Draw, add_rows, configure, drawn_map, on_threads, set_layer};
use crate::draws::draws;

const SIDE: u32 = 64;

/// A base of units that hold, stand or have arrived, and a few that go among them.
struct Base {
    draw: Draw,
    calls: Calls,
    world: FlowWorld,
    army: Army,
    groups: Vec<GroupId>,
    /// A layer that is surcharged.
    layer: LayerId,
    next: u32,
}

impl Base {
    fn new(seed: u32, calls: Calls) -> Self {
        let mut draw = Draw::new(seed);
        let walls = [0, 4][seed as usize % 2];
        let mut world = FlowWorld::new(drawn_map(&mut draw, SIDE, SIDE, walls));
        let wide = Movement::new().with_size(2).unwrap();
        world.add_layer(wide).unwrap();
        let layer = world.add_layer(Movement::new()).unwrap();
        let mut settings = Settings::default();
        (settings.patience, settings.pushes) = (0.6, [5, 1, 3][seed as usize % 3]);
        let mut base = Self {
            draw,
            calls,
            world,
            army: Army::new(settings).unwrap(),
            groups: Vec::new(),
            layer,
            next: 0,
        };
        for target in [Target::Hold, Target::Stand, Target::Hold] {
            base.groups
                .push(base.army.add_group(target, Reading::Ahead).unwrap());
        }
        let order = base
            .world
            .order(Goal::at(Cell::new(40, 40)).on(layer), &[Cell::new(9, 9)])
            .unwrap();
        for reading in [Reading::Ahead, Reading::Bilinear] {
            let group = base.army.add_group(order.clone(), reading).unwrap();
            base.groups.push(group);
        }
        // Some are large enough for several threads.
        let count = [240, 640][seed as usize % 2];
        for at in 0..count {
            base.add(at % 40 / 13);
        }
        base
    }

    fn place(&mut self) -> [f32; 2] {
        [0; 2].map(|_| self.draw.float(2.0, SIDE as f32 - 2.0))
    }

    fn add(&mut self, group: usize) {
        // Mostly in a clump, where units touch.
        let place = match self.draw.below(4) {
            0 => self.place(),
            _ => [0; 2].map(|_| self.draw.float(12.0, 26.0)),
        };
        // Ids come in no order.
        let id = self.next * 37 % 4_093;
        let radius = [0.3, 0.3, 0.45, 0.2][self.draw.below(4) as usize];
        let unit = Unit::new(id, self.groups[group], place).with_radius(radius);
        self.next += u32::from(self.army.add(unit).is_ok());
    }

    fn any(&mut self) -> Option<u32> {
        let count = self.army.units().len() as u32;
        let at = self.draw.below(count.max(1));
        self.army.units().get(at as usize).map(|unit| unit.id)
    }

    /// Draws what a game does between two steps: mostly nothing.
    fn call(&mut self) {
        let Some(id) = self.any() else {
            return;
        };
        let (place, group) = (self.place(), self.draw.below(5) as usize);
        let cell = Cell::new(place[0] as i32, place[1] as i32);
        let kind = self.draw.below(500);
        self.calls.note(&(kind, id, place, group));
        match kind {
            0 => self.army.set_position(id, place).unwrap(),
            1 => self.army.set_radius(id, self.draw.float(0.1, 0.5)).unwrap(),
            2 => self.army.set_speed(id, self.draw.float(1.0, 5.0)).unwrap(),
            3 => self.army.set_group(id, self.groups[group]).unwrap(),
            4 => drop(self.army.remove(id)),
            5 => self.add(group),
            6 => self.army.retain(|unit| unit.id % 97 != id % 97),
            7 => {
                let cost = [Cost::WALL, Cost::OPEN][self.draw.below(2) as usize];
                self.world
                    .edit(CellRect::new(cell.x, cell.y, 2, 1), cost)
                    .unwrap();
                self.army.put_out_of_walls(&self.world);
            }
            8 => {
                // A cell that an edit has closed is no goal.
                let goal = Goal::at(cell).on(self.layer);
                if let Ok(order) = self.world.order(goal, &[Cell::new(20, 20)]) {
                    self.army.send(self.groups[group], order).unwrap();
                }
            }
            9 => self.army.send(self.groups[group], Target::Hold).unwrap(),
            10 => self
                .army
                .send(self.groups[group], Target::Point(place))
                .unwrap(),
            11 => self.army.send(self.groups[group], Target::Stand).unwrap(),
            12 => self
                .army
                .send(self.groups[group], Target::Follow(id))
                .unwrap(),
            13 => {
                let pace = [Pace::Own, Pace::Slowest][self.draw.below(2) as usize];
                configure(&mut self.army, &self.world, self.groups[group], |it| {
                    it.pace = pace
                })
                .unwrap();
            }
            15 => configure(&mut self.army, &self.world, self.groups[1], |it| {
                it.pace = Pace::Slowest
            })
            .unwrap(),
            16 => self.army.set_weight(id, self.draw.float(0.1, 9.0)).unwrap(),
            17 => {
                let (rate, on_the_spot) = (self.draw.float(0.0, 4.0), id % 2 == 0);
                self.army
                    .set_turning(id, Turning { rate, on_the_spot })
                    .unwrap();
            }
            18 => {
                let layer = self.army.settings(self.groups[group]).unwrap().layer;
                let goal = Goal::at(cell).on(layer);
                if let Ok(order) = self.world.order(goal, &[Cell::new(20, 20)]) {
                    let attack = Target::AttackMove(order, Chase::default());
                    self.army.send(self.groups[group], attack).unwrap();
                }
            }
            19 => {
                let (team, foes) = (self.draw.below(2) as u8, self.draw.below(4) as u8);
                let foes = Teams::from_bits(foes);
                configure(&mut self.army, &self.world, self.groups[group], |it| {
                    (it.team, it.foes) = (team, foes)
                })
                .unwrap();
            }
            20 => {
                let shape = [Shape::Box, Shape::Line][self.draw.below(2) as usize];
                self.army
                    .form(self.groups[group], shape, 1.0, &self.world)
                    .unwrap();
            }
            21 => drop(self.army.split([id]).unwrap()),
            22 | 23 => {
                let mut how = Sending::default();
                how.together = id % 4 > 0;
                how.attack = (id % 3 == 0).then(Chase::default);
                how.formation = (id % 5 == 0).then_some((Shape::Box, 1.0));
                how.queued = id % 7 == 0;
                let groups = [group, (group + 1) % 5].map(|at| self.groups[at]);
                // A cell that an edit has closed is no goal.
                let _ = self.army.send_all(&mut self.world, &groups, cell, how);
            }
            24 => {
                let pace = Pace::Shared(self.draw.below(2));
                configure(&mut self.army, &self.world, self.groups[group], |it| {
                    it.pace = pace
                })
                .unwrap();
            }
            25 | 26 => {
                let layer = LayerId::from_number(id as u16 % 2);
                let group = self.groups[group];
                // One that follows an order stays on its layer.
                let _ = set_layer(&mut self.army, &mut self.world, group, layer);
            }
            14 => configure(&mut self.army, &self.world, self.groups[group], |it| {
                it.planes = 1 + self.draw.below(3) as u8
            })
            .unwrap(),
            // Up to the highest cost, below which the ground changes too.
            27..30 => {
                let amount = [0, 9, 255][self.draw.below(3) as usize];
                let area = CellRect::new(8, 8, 24, 24);
                self.world.surcharge(self.layer, &[(area, amount)]).unwrap();
            }
            30..33 => {
                let cost = [1, 100, 254][self.draw.below(3) as usize];
                let area = CellRect::new(10, 10, 20, 20);
                self.world.edit(area, Cost::new(cost).unwrap()).unwrap();
            }
            _ => {}
        }
    }

    fn tick(&mut self, tick: u32) {
        if tick >= 100 && self.calls.begin(&mut self.draw) {
            self.call();
            self.calls.end(&mut self.draw);
        }
        let seconds = if self.draw.below(200) == 0 { 0.1 } else { 0.05 };
        self.army
            .tick(&mut self.world, Budget::cells(3_000), seconds);
    }

    /// Returns the ids that queries find around a place, by themselves and by a scan of all.
    fn found(&mut self) -> [Vec<u32>; 2] {
        let point = self.place();
        let square = |unit: &Unit| {
            let [x, y] = [0, 1].map(|axis| unit.position[axis] - point[axis]);
            x * x + y * y
        };
        let ids = |units: Vec<&Unit>| units.iter().map(|unit| unit.id).collect();
        let near = self.army.units().iter().filter(|unit| square(unit) <= 25.0);
        let near: BTreeSet<u32> = near.map(|unit| unit.id).collect();
        [
            ids(self.army.units_within(point, 5.0)),
            near.into_iter().collect(),
        ]
    }
}

/// Compares a base whose units sleep with one that is kept awake. Returns how often one slept,
/// and in how many steps most did.
fn play_both(seed: u32, calls: &Calls) -> [usize; 2] {
    let (mut asleep, mut parts) = (0, 0);
    let [mut one, mut other] = [(); 2].map(|()| Base::new(seed, calls.clone()));
    for tick in 0..600 {
        other.army.keep_awake();
        on_threads(1 + (seed as usize & 1), || one.tick(tick));
        other.tick(tick);
        let hashes = [&one, &other].map(|base| base.army.state_hash());
        assert_eq!(hashes[0], hashes[1], "seed {seed}, tick {tick}");
        let events = [&one, &other].map(|base| base.army.events());
        assert_eq!(events[0], events[1], "seed {seed}, tick {tick}");
        assert_eq!(one.army.is_settled(), other.army.is_settled());
        if tick % 100 == 99 {
            assert_eq!(one.army.save(), other.army.save());
        }
        let [found, wanted] = one.found();
        other.found();
        assert_eq!(found, wanted, "seed {seed}, tick {tick}");
        let (units, kept) = (one.army.units(), &other.army);
        let sleepers = units.iter().filter(|unit| one.army.is_asleep(unit.id));
        let count = sleepers.count();
        assert!(!units.iter().any(|unit| kept.is_asleep(unit.id)));
        asleep += count;
        parts += usize::from(count * 2 > units.len());
    }
    [asleep, parts]
}

#[test]
fn army_with_sleeping_units_equals_one_kept_awake() {
    let (mut asleep, mut parts) = (0, 0);
    for seed in 0..draws() as u32 {
        let [slept, most] = play(|calls| play_both(seed, &calls));
        (asleep, parts) = (asleep + slept, parts + most);
    }
    // It means something only if many sleep while others go.
    assert!(
        asleep > 30_000 && parts > 30,
        "{asleep} slept, {parts} steps in part"
    );
}

/// An army that stands but may not rest yet, since its units still look for foes.
#[test]
fn a_step_may_have_no_unit_to_look_at() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let order = world.order(Cell::new(30, 30), &[Cell::new(5, 5)]).unwrap();
    let mut army = Army::default();
    let attack = Target::AttackMove(order, Chase::default());
    let group = army.add_group(attack, Reading::Ahead).unwrap();
    add_rows(&mut army, group, 0..300, 20, [20.5, 20.5], 0.9);
    let mut alone = 0;
    for _ in 0..900 {
        on_threads(2, || army.tick(&mut world, Budget::UNLIMITED, 0.05));
        alone += u32::from(army.units().iter().all(|unit| army.is_asleep(unit.id)));
    }
    assert!(alone > 20, "all slept after {alone} steps");
    // One that is gone leaves a note, but no unit is near.
    army.set_position(299, [55.5, 5.5]).unwrap();
    army.send(group, Target::Hold).unwrap();
    for _ in 0..200 {
        on_threads(2, || army.tick(&mut world, Budget::UNLIMITED, 0.05));
    }
    army.remove(299).unwrap();
    on_threads(2, || army.tick(&mut world, Budget::UNLIMITED, 0.05));
    assert_eq!(army.units_within([4.5, 5.5], -1.0).len(), 0);
}

/// A pace that is set while a group sleeps counts from the next step on.
#[test]
fn a_pace_set_for_sleepers_counts_at_once() {
    let world = FlowWorld::new(CostMap::open(60, 20).unwrap());
    let mut armies = [(); 2].map(|()| {
        let mut army = Army::default();
        let stands = army.add_group(Target::Stand, Reading::Ahead).unwrap();
        for id in 0..60 {
            let place = [20.5 + (id % 10) as f32 * 0.8, 7.5 + (id / 10) as f32 * 0.8];
            let speed = if id % 2 == 0 { 1.0 } else { 4.0 };
            army.add(Unit::new(id, stands, place).with_speed(speed))
                .unwrap();
        }
        let passes = army
            .add_group(Target::Point([55.5, 9.5]), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(99, passes, [2.5, 9.5])).unwrap();
        (army, stands)
    });
    let mut slept = 0;
    for tick in 0..200 {
        for (at, (army, stands)) in armies.iter_mut().enumerate() {
            if at == 1 {
                army.keep_awake();
            }
            if tick > 80 {
                let pace = [Pace::Own, Pace::Slowest, Pace::Shared(0)][tick / 7 % 3];
                configure(army, &world, *stands, |it| it.pace = pace).unwrap();
            }
            army.step(&world, 0.05);
        }
        let [(one, _), (other, _)] = &armies;
        assert_eq!(one.state_hash(), other.state_hash(), "tick {tick}");
        slept += one
            .units()
            .iter()
            .filter(|unit| one.is_asleep(unit.id))
            .count();
    }
    assert!(slept > 1_000, "{slept}");
}

/// Units that went to sleep on hard ground wake when it is made easy, though another call looked at
/// it first.
#[test]
fn sleepers_wake_on_new_ground_seen_by_another_call() {
    let mut map = CostMap::open(20, 20).unwrap();
    map.edit(CellRect::new(0, 0, 20, 20), Cost::new(90).unwrap())
        .unwrap();
    let mut world = FlowWorld::new(map);
    let mut army = Army::default();
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    for id in 0..16 {
        let [x, y] = [id % 4, id / 4].map(|at| 9.0 + 0.62 * at as f32);
        army.add(Unit::new(id, group, [x, y])).unwrap();
    }
    for _ in 0..400 {
        army.step(&world, 0.05);
    }
    assert!(army.units().iter().all(|unit| army.is_asleep(unit.id)));
    world.edit(CellRect::new(0, 0, 20, 20), Cost::OPEN).unwrap();
    let mut awake = army.clone();
    awake.keep_awake();
    army.put_out_of_walls(&world);
    let before = army.state_hash();
    for _ in 0..20 {
        army.step(&world, 0.05);
        awake.step(&world, 0.05);
    }
    assert_eq!(army.state_hash(), awake.state_hash());
    assert_ne!(army.state_hash(), before);
    assert!(
        army.units()
            .iter()
            .zip(awake.units())
            .all(|(one, other)| one == other)
    );
}
