//! Saves of armies: what is loaded goes on as what was saved, and what is
//! no save is refused.

use crate::draws::draws;
use flowtiles::inspect::Digest;
use flowtiles::steer::{
    Army, ArmyEvent, ArmyLoadError, Chase, GroupId, Pace, Reading, Settings, Shape, Target, Unit,
    UnitState,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Order, Teams};

use super::fewer::{Calls, play};
use crate::crowd::{Draw, configure, drawn_map, on_threads};

/// A game with drawn inputs, which are the same for the same seed whatever is
/// saved meanwhile.
struct Battle {
    draw: Draw,
    calls: Calls,
    world: FlowWorld,
    army: Army,
    next: u32,
}

const READINGS: [Reading; 4] = [
    Reading::Ahead,
    Reading::Nearest,
    Reading::Bilinear,
    Reading::LowestOfFour,
];

impl Battle {
    fn new(seed: u32, calls: Calls) -> Self {
        let mut draw = Draw::new(seed);
        let world = FlowWorld::new(drawn_map(&mut draw, 70, 50, 6));
        let mut settings = Settings::default();
        settings.patience = [1.0, 1.01][seed as usize % 2];
        let army = Army::new(settings).unwrap();
        let mut battle = Self {
            draw,
            calls,
            world,
            army,
            next: 0,
        };
        for _ in 0..4 {
            battle.muster();
        }
        battle
    }

    fn group(&mut self) -> Option<GroupId> {
        let count = self.army.groups().count() as u32;
        let at = self.draw.below(count.max(1)) as usize;
        self.army.groups().nth(at)
    }

    fn place(&mut self) -> [f32; 2] {
        [self.draw.float(1.0, 69.0), self.draw.float(1.0, 49.0)]
    }

    fn target(&mut self) -> Target {
        let place = self.place();
        let cell = |[x, y]: [f32; 2]| Cell::new(x as i32, y as i32);
        let goal = Goal::at(cell(place)).or_nearest();
        match self.draw.below(12) {
            0 => Target::Stand,
            1 => Target::Flock,
            2 | 9 => Target::Point(place),
            10 => Target::Hold,
            11 => Target::Follow(self.draw.below(self.next + 1)),
            kind => {
                let other = cell(self.place());
                let goal = if kind == 3 {
                    goal.or_at(other, 0)
                } else {
                    goal
                };
                let order = self.world.order(goal, &[]);
                order.map_or(Target::Stand, Target::Order)
            }
        }
    }

    fn muster(&mut self) {
        let target = self.target();
        let reading = READINGS[self.draw.below(4) as usize];
        let group = self.army.add_group(target, reading).unwrap();
        let corner = self.place();
        for at in 0..self.draw.below(25) {
            let place = [
                corner[0] + (at % 5) as f32 * 0.7,
                corner[1] + (at / 5) as f32 * 0.7,
            ];
            let unit = Unit::new(self.next, group, place);
            let (radius, speed) = (self.draw.float(0.15, 0.45), self.draw.float(1.0, 6.0));
            self.army
                .add(unit.with_radius(radius).with_speed(speed))
                .unwrap();
            self.next += 1 + self.draw.below(3);
        }
    }

    /// Draws an input.
    fn call(&mut self) {
        let id = self.draw.below(self.next + 1);
        let (group, place) = (self.group(), self.place());
        let kind = self.draw.below(40);
        self.calls.note(&(kind, group, id, place));
        match (kind, group) {
            (0 | 1, _) => self.muster(),
            (2..6, Some(group)) => {
                let target = self.target();
                self.army.send(group, target).unwrap();
            }
            (6, Some(group)) => drop(self.army.remove_group(group)),
            (7..12, Some(group)) => {
                for id in id..id + 5 {
                    let _ = self.army.set_group(id, group);
                }
            }
            (12, Some(group)) => {
                let shape = [Shape::Line, Shape::Wedge][self.draw.below(2) as usize];
                self.army.form(group, shape, 1.0, &self.world).unwrap();
            }
            (13, Some(group)) => self.army.disband(group).unwrap(),
            (23..28, Some(group)) => {
                let target = self.target();
                self.army.queue(group, target).unwrap();
            }
            (28, Some(group)) => {
                let targets = [self.target(), self.target()];
                // Some are endless.
                let _ = self.army.patrol(group, targets);
            }
            (29, Some(group)) => {
                let pace = [Pace::Own, Pace::Slowest][self.draw.below(2) as usize];
                configure(&mut self.army, &self.world, group, |it| it.pace = pace).unwrap();
            }
            (30..33, Some(group)) => {
                let keep = self.draw.below(4) > 0;
                configure(&mut self.army, &self.world, group, |it| {
                    it.keeps_width = keep
                })
                .unwrap();
            }
            (14..17, _) => drop(self.army.remove(id)),
            (17, _) => drop(self.army.set_position(id, place)),
            (18, _) => drop(self.army.set_speed(id, place[0] / 10.0)),
            (19, _) => drop(self.army.set_radius(id, place[1] / 150.0)),
            (20..23, _) => {
                let cost = [Cost::WALL, Cost::OPEN, Cost::new(4).unwrap()];
                let cost = cost[self.draw.below(3) as usize];
                let area = CellRect::new(place[0] as i32, place[1] as i32, 1, 1);
                self.world.edit(area, cost).unwrap();
                if self.draw.below(2) == 0 {
                    self.army.put_out_of_walls(&self.world);
                }
            }
            _ => {}
        }
    }

    /// Makes the next call, and moves everything on by a tick.
    fn tick(&mut self) {
        if self.calls.begin(&mut self.draw) {
            self.call();
            self.calls.end(&mut self.draw);
        }
        let budget = 200 + u64::from(self.draw.below(3_000));
        self.world.tick(Budget::cells(budget));
        self.army.step(&self.world, 0.05);
        self.army.cover_strays(&mut self.world);
    }

    /// Loads the world. The army is saved and loaded too, or goes on as it is.
    fn load(&mut self, saves_army: bool) {
        let bytes = self.army.save();
        let (world, claims) = FlowWorld::load(&self.world.save()).unwrap();
        if saves_army {
            let loaded = Army::load(&bytes, &world).unwrap();
            assert_eq!(loaded.state_hash(), self.army.state_hash());
            assert_eq!(loaded.deepest_overlap(), self.army.deepest_overlap());
            assert_eq!(loaded.save(), bytes);
            assert!(loaded.events().is_empty());
            let units = loaded.units();
            assert!(units.is_sorted_by_key(|unit| unit.id));
            assert!(
                units
                    .iter()
                    .all(|unit| self.army.get(unit.id) == Some(unit))
            );
            self.army = loaded;
        } else {
            self.army.bind(&world).unwrap();
        }
        drop(claims);
        self.world = world;
    }

    fn hashes(&self) -> [u64; 2] {
        [self.army.state_hash(), self.world.state_hash()]
    }
}

/// Fights a battle with loads of every kind. Returns the number of loads and of arrivals.
fn fight(seed: u32, calls: &Calls) -> [usize; 2] {
    let (mut loads, mut arrived) = (0, 0);
    let mut battles = [(false, 1), (true, 1), (true, 2), (true, 8)]
        .map(|(saves_army, threads)| (Battle::new(seed, calls.clone()), saves_army, threads));
    let mut when = Draw::new(seed + 50);
    let loads_at = [(); 8].map(|()| when.below(250));
    for tick in 0..250 {
        let all = battles.each_mut().map(|(battle, saves_army, threads)| {
            on_threads(*threads, || battle.tick());
            if loads_at.contains(&tick) {
                battle.load(*saves_army);
                loads += 1;
            }
            (battle.hashes(), battle.army.events().to_vec())
        });
        let told = &all[0];
        // Just after a load there are no events.
        for other in &all[1..] {
            assert_eq!(other.0, told.0, "seed {seed}, tick {tick}");
            assert!(other.1 == told.1 || other.1.is_empty());
        }
        let is_arrival = |event: &&ArmyEvent| matches!(event, ArmyEvent::Arrived { .. });
        arrived += told.1.iter().filter(is_arrival).count();
    }
    [loads, arrived]
}

#[test]
fn loaded_army_goes_on_as_one_bound_to_its_world() {
    let (mut loads, mut arrived) = (0, 0);
    for seed in 0..(2 * draws() as u32).min(14) {
        let [made, came] = play(|calls| fight(seed, &calls));
        (loads, arrived) = (loads + made, arrived + came);
    }
    assert!(loads > 30 && arrived > 5, "{loads} and {arrived}");
}

#[test]
fn nobody_sets_out_again_and_no_event_comes_twice() {
    let mut world = FlowWorld::new(CostMap::open(60, 30).unwrap());
    let order = world.order(Cell::new(40, 15), &[Cell::new(5, 15)]).unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    for id in 0..30 {
        let place = [3.5 + (id % 6) as f32 * 0.8, 13.5 + (id / 6) as f32 * 0.8];
        army.add(Unit::new(id, group, place)).unwrap();
    }
    let (mut told, mut whole, mut loads) = (Vec::new(), 0, 0);
    for tick in 0..400 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
        for event in army.events() {
            match *event {
                ArmyEvent::Arrived { unit } => told.push(unit),
                ArmyEvent::GroupArrived { .. } => whole += 1,
                _ => {}
            }
        }
        if tick % 9 == 0 {
            let (loaded, claims) = FlowWorld::load(&world.save()).unwrap();
            let before: Vec<UnitState> = army.units().iter().map(|unit| unit.state).collect();
            army = Army::load(&army.save(), &loaded).unwrap();
            assert!(army.units().iter().map(|unit| unit.state).eq(before));
            drop(claims);
            world = loaded;
            loads += 1;
        }
    }
    told.sort_unstable();
    assert_eq!(told, (0..30).collect::<Vec<_>>());
    assert_eq!((whole, loads), (1, 45));
}

/// A quick run changes every third byte.
fn every() -> usize {
    if draws() < 3 { 3 } else { 1 }
}

/// A small army with one of everything.
fn small() -> (FlowWorld, Army, Order) {
    let (mut world, mut army, order) = plain_small();
    let wide = army.add_group(order.clone(), Reading::Ahead).unwrap();
    configure(&mut army, &world, wide, |it| it.keeps_width = true).unwrap();
    configure(&mut army, &world, wide, |it| it.pace = Pace::Shared(7)).unwrap();
    for id in 0..3 {
        army.add(Unit::new(1000 + id, wide, [2.5 + id as f32, 7.5]))
            .unwrap();
    }
    let chase = Chase::default();
    let errands = [
        Target::Pursue(300, chase),
        Target::AttackMove(order.clone(), chase),
        Target::Flee {
            from: Some(0),
            safe: 9.0,
        },
    ];
    for (at, target) in (0..).zip(errands) {
        let group = army.add_group(target, Reading::Ahead).unwrap();
        configure(&mut army, &world, group, |it| {
            (it.team, it.foes) = (1, Teams::NONE.with(0))
        })
        .unwrap();
        army.add(Unit::new(2000 + at, group, [9.5 + at as f32, 19.5]))
            .unwrap();
    }
    for _ in 0..9 {
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    (world, army, order)
}

/// The army of the kept save.
fn plain_small() -> (FlowWorld, Army, Order) {
    let mut world = FlowWorld::new(CostMap::open(40, 30).unwrap());
    let order = world.order(Cell::new(30, 15), &[Cell::new(5, 15)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let mut army = Army::default();
    let gone = army.add_group(Target::Flock, Reading::Nearest).unwrap();
    let group = army.add_group(order.clone(), Reading::Ahead).unwrap();
    let _ = army.add_group(Target::Point([3.0, 4.0]), Reading::Bilinear);
    army.remove_group(gone).unwrap();
    army.queue(group, Target::Follow(300)).unwrap();
    army.queue(group, Target::Hold).unwrap();
    for id in 0..3 {
        army.add(Unit::new(id * 300, group, [5.5 + id as f32, 15.5]))
            .unwrap();
    }
    army.form(group, Shape::Line, 1.0, &world).unwrap();
    for _ in 0..3 {
        army.step(&world, 0.05);
    }
    (world, army, order)
}

/// The save of `plain_small` that an earlier build wrote. It is never changed: as long as the
/// format has version 1, it must load.
fn kept() -> Vec<u8> {
    let hex = include_str!("saves/version-1.hex");
    let digits: Vec<char> = hex.chars().filter(|digit| !digit.is_whitespace()).collect();
    let pairs = digits.chunks_exact(2).map(String::from_iter);
    pairs
        .map(|pair| u8::from_str_radix(&pair, 16).unwrap())
        .collect()
}

#[test]
fn kept_save_loads_and_goes_on_bit_for_bit() {
    let (world, mut army, _order) = plain_small();
    let mut loaded = Army::load(&kept(), &world).unwrap();
    assert_eq!(loaded.save(), kept());
    for _ in 0..60 {
        for army in [&mut army, &mut loaded] {
            army.step(&world, 0.05);
        }
        assert_eq!(loaded.state_hash(), army.state_hash());
    }
}

#[test]
fn every_cut_and_every_flipped_byte_is_refused() {
    let (world, army, _order) = small();
    let bytes = army.save();
    for end in 0..bytes.len() {
        assert!(Army::load(&bytes[..end], &world).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut other = bytes.clone();
            other[at] ^= 1 << bit;
            assert!(
                Army::load(&other, &world).is_err(),
                "bit {bit} of byte {at}"
            );
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let refused = Army::load(&longer, &world).unwrap_err();
    assert!(matches!(refused, ArmyLoadError::Length { .. }), "{refused}");
}

/// Writes the digest of changed bytes anew.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let mut digest = Digest::new();
    digest.bytes(&bytes[..end]);
    bytes[end..].copy_from_slice(&digest.finish().to_le_bytes());
    bytes
}

#[test]
fn forged_army_with_valid_digest_loads_or_is_refused() {
    let (mut world, army, _order) = small();
    let bytes = army.save();
    let (mut refused, mut loaded) = (0, 0);
    for at in (20..bytes.len() - 8).step_by(every()) {
        for change in [1, 2, 0x40, 0x80, 0xFF] {
            let mut other = bytes.clone();
            other[at] ^= change;
            let other = sealed(other);
            match Army::load(&other, &world) {
                Err(error) => {
                    refused += 1;
                    let text = error.to_string();
                    let names = ["byte ", "order ", "layer "];
                    assert!(names.iter().any(|name| text.contains(name)), "{text}");
                }
                Ok(mut army) => {
                    loaded += 1;
                    assert_eq!(army.save(), other, "byte {at}");
                    // Whatever it holds, it moves without harm.
                    for _ in 0..3 {
                        army.step(&world, 0.05);
                        army.cover_strays(&mut world);
                    }
                    let _ = army.nearest_unit([9.0, 9.0], |_| true);
                    army.put_out_of_walls(&world);
                    let _ = (army.state_hash(), army.save());
                }
            }
        }
    }
    assert!(refused > 70 && loaded > 70, "{refused} and {loaded}");
    // Counts that nothing stands behind take no memory.
    for at in 20..bytes.len() - 8 {
        let mut other = bytes[..at].to_vec();
        other.extend([0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0, 0, 0, 0]);
        let length = (other.len() - 28) as u64;
        other[12..20].copy_from_slice(&length.to_le_bytes());
        assert!(Army::load(&sealed(other), &world).is_err());
    }
}

#[test]
fn numbers_of_a_loaded_army_never_overflow_a_step() {
    let (mut world, army, _order) = small();
    let bytes = army.save();
    let (mut refused, mut loaded) = (0, 0);
    for at in (20..bytes.len() - 12).step_by(every()) {
        for value in [3e38_f32, -3e38, 1e12, -1e12, 1e-42] {
            let mut other = bytes.clone();
            other[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let Ok(mut army) = Army::load(&sealed(other), &world) else {
                refused += 1;
                continue;
            };
            loaded += 1;
            for _ in 0..33 {
                army.step(&world, 0.05);
                army.cover_strays(&mut world);
            }
            for unit in army.units() {
                let numbers = [unit.position, unit.velocity];
                let is_finite = numbers.iter().flatten().all(|at| at.is_finite());
                assert!(is_finite, "{value} at byte {at}: {unit:?}");
            }
            let again = Army::load(&army.save(), &world);
            assert!(again.is_ok(), "{value} at byte {at}: {:?}", again.err());
        }
    }
    assert!(refused > 70 && loaded > 70, "{refused} and {loaded}");
}

#[test]
fn loaded_army_needs_the_world_saved_with_it() {
    let (world, mut army, order) = small();
    let bytes = army.save();
    let empty = FlowWorld::new(CostMap::open(40, 30).unwrap());
    let refused = Army::load(&bytes, &empty).unwrap_err();
    let number = order.number();
    assert_eq!(refused, ArmyLoadError::NoOrder { number });
    assert_eq!(army.bind(&empty), Err(refused));
    let mut other = FlowWorld::new(CostMap::open(40, 30).unwrap());
    let elsewhere = other.order(Cell::new(3, 3), &[]).unwrap();
    assert_eq!(elsewhere.number(), number);
    let refused = Army::load(&bytes, &other).unwrap_err();
    assert!(
        matches!(refused, ArmyLoadError::OtherOrder { .. }),
        "{refused}"
    );
    assert!(Army::load(&bytes, &world).is_ok());
    assert!(matches!(
        Army::load(&world.save(), &world),
        Err(ArmyLoadError::NotASave)
    ));
    // A step on the old world, since binding failed.
    army.step(&world, 0.05);
}

#[test]
fn a_clone_goes_on_as_its_original() {
    let mut battle = Battle::new(3, Calls::default());
    for _ in 0..60 {
        battle.tick();
    }
    let mut clone = battle.army.clone();
    assert_eq!(clone.save(), battle.army.save());
    for at in 0..40 {
        let near = |army: &Army| army.nearest_unit([at as f32, 9.0], |_| true).copied();
        assert_eq!(near(&clone), near(&battle.army));
        for army in [&mut clone, &mut battle.army] {
            army.step(&battle.world, 0.05);
        }
        assert_eq!(clone.state_hash(), battle.army.state_hash());
        assert_eq!(clone.events(), battle.army.events());
    }
}

/// An army that reads the crowd, with everything that a game can give it.
#[cfg(feature = "crowd")]
fn crowded() -> (FlowWorld, Army) {
    use flowtiles::crowd::{Conduct, CrowdSettings, Danger, Heights};
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let goals = [Cell::new(50, 20), Cell::new(8, 20)];
    let mut army = Army::default();
    let mut settings = CrowdSettings::default();
    settings.interval = 0.2;
    army.set_crowd_settings(settings).unwrap();
    for (side, goal) in (0..).zip(goals) {
        let order = world.order(goal, &[goals[1 - side as usize]]).unwrap();
        let group = army.add_group(order, Reading::Crowd).unwrap();
        for id in 0..60 {
            let place = [
                [6.0, 46.0][side as usize] + (id % 8) as f32,
                15.0 + (id / 8) as f32,
            ];
            army.add(Unit::new(id * 2 + side, group, place)).unwrap();
        }
        let mut conduct = Conduct::default();
        conduct.discomfort = 2.0 * side as f32;
        configure(&mut army, &world, group, |it| it.conduct = conduct).unwrap();
    }
    let crowd = army.crowd_mut();
    crowd
        .paint(&world, CellRect::new(25, 5, 7, 9), 3.0)
        .unwrap();
    let danger = Danger {
        position: [30.0, 25.0],
        radius: 4.0,
        strength: 2.0,
    };
    crowd.set_dangers(&[danger]).unwrap();
    let levels: Vec<u8> = (0..2_400).map(|at| (at % 60 / 6) as u8).collect();
    let heights = Heights::from_bytes(60, 40, levels, 0.25).unwrap();
    crowd.set_heights(&world, heights).unwrap();
    (world, army)
}

#[cfg(feature = "crowd")]
#[test]
fn armies_in_a_crowd_stay_equal_if_all_are_loaded() {
    let (mut world, mut army) = crowded();
    for _ in 0..30 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
    }
    let (bytes, army_bytes) = (world.save(), army.save());
    let mut loaded = [1, 2, 8].map(|threads| {
        let (world, claims) = FlowWorld::load(&bytes).unwrap();
        let army = Army::load(&army_bytes, &world).unwrap();
        drop(claims);
        assert_eq!(army.save(), army_bytes);
        (world, army, threads)
    });
    for _ in 0..60 {
        let hashes = loaded.each_mut().map(|(world, army, threads)| {
            on_threads(*threads, || {
                world.tick(Budget::UNLIMITED);
                army.step(world, 0.05);
                army.cover_strays(world);
                army.state_hash()
            })
        });
        assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
    }
    // What the game gave is there, and leads the units.
    let (_, army, _) = &loaded[0];
    let crowd = army.crowd().unwrap();
    assert!(crowd.stats().streams > 0);
    assert_eq!(crowd.settings().interval, 0.2);
    let mut plain = army.clone();
    plain.crowd_mut().remove_heights();
    assert_ne!(plain.save(), army.save());
}

#[cfg(feature = "crowd")]
#[test]
fn a_clone_takes_its_crowd_along() {
    let (mut world, mut army) = crowded();
    for _ in 0..30 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
    }
    let mut clone = army.clone();
    for _ in 0..30 {
        army.step(&world, 0.05);
        clone.step(&world, 0.05);
        assert_eq!(clone.state_hash(), army.state_hash());
    }
}

/// Moves a game on without any input.
fn go_on(world: &mut FlowWorld, army: &mut Army) -> [u64; 2] {
    world.tick(Budget::cells(700));
    army.step(world, 0.05);
    army.cover_strays(world);
    [army.state_hash(), world.state_hash()]
}

/// Compares a game with its fork for some ticks; both go on from here.
fn compare_with_fork(world: &mut FlowWorld, army: &mut Army, ticks: u32) {
    let (mut other_world, claims) = world.fork();
    let mut other_army = army.clone();
    other_army.bind(&other_world).unwrap();
    drop(claims);
    for tick in 0..ticks {
        let told = go_on(world, army);
        assert_eq!(go_on(&mut other_world, &mut other_army), told, "{tick}");
        assert_eq!(other_army.events(), army.events());
    }
}

#[test]
fn forked_world_with_a_cloned_army_goes_on_the_same() {
    for seed in 0..4 {
        let mut battle = Battle::new(seed, Calls::default());
        for tick in 0..120 {
            battle.tick();
            if tick % 30 == 29 {
                compare_with_fork(&mut battle.world, &mut battle.army, 25);
            }
        }
    }
}

#[cfg(feature = "crowd")]
#[test]
fn a_fork_takes_the_crowd_along() {
    let (mut world, mut army) = crowded();
    for _ in 0..3 {
        for _ in 0..10 {
            go_on(&mut world, &mut army);
        }
        compare_with_fork(&mut world, &mut army, 20);
    }
}
