//! The drawn battle: in each tick, calls of every kind are drawn for an army and its world,
//! and all that can be seen is held equal to a plain model.
//!
//! Each battle is fought three times with the same calls, and must come to the same bits:
//!
//! ```text
//!   on one, all awake   ───────┬─ bound to the loaded world ─────────────────▶
//!   on two threads      ───────┴─ saved and loaded with it  ─────────────────▶
//!   on eight threads    ──┬─────┴─ bound ────────────────────┬───────────────▶
//!                         └─ fork and clone go on            └─ again
//! ```

mod calls;
mod plain;

use std::collections::{BTreeMap, BTreeSet};

use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{Army, ArmyEvent, GroupId, Settings, Unit, UnitState};
use flowtiles::{
    Budget, Cell, CellRect, Cost, FlowWorld, GateId, LayerId, LinkId, Movement, Order, StampId,
    Teams,
};

use super::fewer::{Calls, play};
use crate::crowd::{Draw, drawn_map, on_threads};
use crate::draws::draws;
use plain::{Mark, Plain, PlainGround};

/// The size of the map.
const WIDTH: u32 = 66;
const HEIGHT: u32 = 48;
/// The push rounds of a step, and the most that one moves a unit.
const PUSHES: f32 = 5.0 * 0.25;

/// What kind of battle it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Mixed,
    /// So many units that each of several threads gets a part.
    Mass,
    /// Few calls and no orders, so that the army comes to rest between them.
    Calm,
    /// Groups read the crowd.
    Crowded,
}

struct Battle {
    kind: Kind,
    draw: Draw,
    calls: Calls,
    world: FlowWorld,
    army: Army,
    plain: Plain,
    layers: Vec<LayerId>,
    gates: Vec<GateId>,
    links: Vec<LinkId>,
    stamps: Vec<StampId>,
    blocked: Vec<Cell>,
    /// Claims of the game itself.
    claims: Vec<Order>,
    /// How often what is worth seeing was seen.
    seen: BTreeMap<&'static str, u32>,
}

/// A unit before a step.
struct Before {
    position: [f32; 2],
    state: UnitState,
    layer: LayerId,
    is_clear: bool,
}

impl Battle {
    fn new(seed: u32, calls: Calls) -> Self {
        let kinds = [Kind::Mixed, Kind::Mass, Kind::Calm, Kind::Crowded];
        let kind = kinds[seed as usize % 4];
        let mut draw = Draw::new(seed);
        let mut map = drawn_map(&mut draw, WIDTH, HEIGHT, 2);
        map.edit(CellRect::new(32, 0, 2, HEIGHT), Cost::WALL)
            .unwrap();
        for door in 0..3 {
            let door = CellRect::new(32, 4 + door * 16, 2, 1 + draw.below(5));
            map.edit(door, Cost::OPEN).unwrap();
        }
        let mut world = FlowWorld::new(map);
        let mut layers = vec![LayerId::GROUND];
        for movement in [
            Movement::new().with_size(2).unwrap(),
            Movement::new().with_size(3).unwrap(),
            Movement::new().with_cost(Cost::WALL, Cost::OPEN),
            Movement::new(),
        ] {
            layers.push(world.add_layer(movement).unwrap());
        }
        layers.extend([0, 1].map(|at| layers[at].for_team(1).unwrap()));
        for &layer in &layers {
            world.derive_layer(layer).unwrap();
        }
        let (gate, _) = world
            .add_gate(CellRect::new(32, 20, 2, 4), Teams::ALL)
            .unwrap();
        let mut settings = Settings::default();
        (settings.patience, settings.cohesion) = (0.6, 0.1 * (seed % 2) as f32);
        let mut battle = Self {
            kind,
            draw,
            calls,
            world,
            army: Army::new(settings).unwrap(),
            plain: Plain::default(),
            layers,
            gates: vec![gate],
            links: Vec::new(),
            stamps: Vec::new(),
            blocked: Vec::new(),
            claims: Vec::new(),
            seen: BTreeMap::new(),
        };
        let jammed = battle.layers[4];
        let told = battle
            .army
            .set_jam_costs(&mut battle.world, jammed, [2, 4, 8, 16]);
        told.unwrap();
        battle.add_link();
        for _ in 0..4 {
            battle.add_group();
            let count = if kind == Kind::Mass { 160 } else { 12 };
            battle.add_units(count);
        }
        battle
    }

    fn place(&mut self) -> [f32; 2] {
        let [width, height] = [WIDTH, HEIGHT].map(|side| side as f32 + 1.0);
        [self.draw.float(-1.0, width), self.draw.float(-1.0, height)]
    }

    /// Draws a place, often near a unit.
    fn place_near(&mut self) -> [f32; 2] {
        let (place, at) = (self.place(), self.draw.below(100) as usize);
        let off = [self.draw.float(-8.0, 8.0), self.draw.float(-8.0, 8.0)];
        match self.army.units().get(at) {
            Some(unit) => [0, 1].map(|axis| unit.position[axis] + off[axis]),
            None => place,
        }
    }

    /// Draws a cell of the map, often near a unit.
    fn cell(&mut self) -> Cell {
        let [x, y] = self.place_near();
        let [right, bottom] = [WIDTH, HEIGHT].map(|side| side as f32 - 1.0);
        Cell::new(x.clamp(0.0, right) as i32, y.clamp(0.0, bottom) as i32)
    }

    fn note(&mut self, what: &'static str, times: usize) {
        *self.seen.entry(what).or_default() += times as u32;
    }

    /// Draws calls, moves everything on by a tick, and checks what has become of it.
    fn tick(&mut self, tick: u32) {
        let calls = match self.kind {
            Kind::Calm => u32::from(self.draw.below(15) == 0),
            _ => self.draw.below(8) / 5,
        };
        for _ in 0..calls {
            self.call_next(tick);
        }
        self.plain.check(&self.army);
        let before = self.look();
        self.check_queries();
        let seconds = match self.draw.below(30) {
            0 => 0.0,
            1 => 0.3,
            _ => 0.1,
        };
        let budget = 300 + u64::from(self.draw.below(6_000));
        self.world.tick(Budget::cells(budget));
        self.army.step(&self.world, seconds);
        self.check_events(&before);
        self.check_ways(&before, seconds);
        self.plain.check(&self.army);
        assert!(self.army.units().is_sorted_by_key(|unit| unit.id));
        self.check_queries();
        self.army.cover_strays(&mut self.world);
    }

    fn call_next(&mut self, tick: u32) {
        if !self.calls.begin(&mut self.draw) {
            return;
        }
        let before = self.seen.clone();
        self.calls
            .note(&(tick, "a call that panics, or that there is nothing for"));
        self.call();
        self.calls.end(&mut self.draw);
        let times = |(&what, &times): (&&'static str, &u32)| {
            (before.get(what) != Some(&times)).then_some(what)
        };
        let made: Vec<&str> = self.seen.iter().filter_map(times).collect();
        if !made.is_empty() {
            self.calls.note(&(tick, made));
        }
    }

    /// The ground of a unit's layer.
    fn ground(&self, unit: &Unit) -> PlainGround<'_> {
        PlainGround::of(&self.world, self.plain.groups[&unit.group].layer)
    }

    fn look(&self) -> BTreeMap<u32, Before> {
        let look = |unit: &Unit| {
            let before = Before {
                position: unit.position,
                state: unit.state,
                layer: self.plain.groups[&unit.group].layer,
                is_clear: !self.ground(unit).is_hit(unit, 2e-4),
            };
            (unit.id, before)
        };
        self.army.units().iter().map(look).collect()
    }

    /// Checks the events of a step: each says what has become of its unit or group, and
    /// comes once.
    fn check_events(&mut self, before: &BTreeMap<u32, Before>) {
        let (events, mut told, mut onward) = (self.army.events().to_vec(), BTreeSet::new(), 0);
        for &event in &events {
            match event {
                ArmyEvent::Arrived { unit } => {
                    let plain = self.plain.units.get_mut(&unit).unwrap();
                    // On an attack, a unit comes back from a chase.
                    let attacks =
                        matches!(self.plain.groups[&plain.group].target, Mark::Attack(..));
                    assert!(!plain.has_arrived || attacks, "{unit} arrives twice");
                    plain.has_arrived = true;
                    told.insert(unit);
                    self.note("arrived", 1);
                }
                ArmyEvent::GroupArrived { group }
                    if matches!(self.plain.groups[&group].target, Mark::Flee(_)) =>
                {
                    self.end_errand(group);
                    onward += 1;
                    self.note("escaped", 1);
                }
                ArmyEvent::Lost { group, unit } => {
                    let target = self.plain.groups[&group].target;
                    assert_eq!(target, Mark::Pursue(unit));
                    self.end_errand(group);
                    onward += 1;
                    self.note("lost", 1);
                }
                ArmyEvent::Reached { group, unit } => {
                    let target = self.plain.groups[&group].target;
                    assert_eq!(target, Mark::Pursue(unit));
                    self.note("reached", 1);
                }
                ArmyEvent::GroupArrived { group } => {
                    let states: Vec<UnitState> =
                        self.army.members(group).map(|unit| unit.state).collect();
                    let plain = self.plain.groups.get_mut(&group).unwrap();
                    assert!(!plain.announced, "{group} arrives twice");
                    plain.announced = true;
                    if let Some(next) = plain.next_target() {
                        self.plain.aim(group, next);
                        onward += 1;
                    } else {
                        assert!(!states.contains(&UnitState::Marching));
                        assert!(states.contains(&UnitState::Arrived));
                    }
                    self.note("whole groups", 1);
                }
                ArmyEvent::Unreachable { unit } => {
                    assert_ne!(before[&unit].state, UnitState::Unreachable, "{unit}");
                    told.insert(unit);
                    self.note("cut off", 1);
                }
                ArmyEvent::Stuck { unit, level } => {
                    assert!((1..=3).contains(&level) && before.contains_key(&unit));
                    self.note("stuck", 1);
                }
                ArmyEvent::TooWide { unit } => {
                    assert!(self.army.get(unit).unwrap().radius > 0.5);
                    assert!(events.contains(&ArmyEvent::Stuck { unit, level: 1 }));
                }
                ArmyEvent::Entered { unit, link } => {
                    assert!(self.links.contains(&link));
                    let group = self.plain.units[&unit].group;
                    self.plain.groups.get_mut(&group).unwrap().is_formed = false;
                    self.note("entered", 1);
                }
                _ => panic!("another event: {event:?}"),
            }
        }
        self.note("onward", onward);
        for unit in self
            .army
            .units()
            .iter()
            .filter(|unit| !told.contains(&unit.id))
        {
            let was = before[&unit.id].state;
            let is_told = unit.state == UnitState::Marching || unit.state == was;
            assert!(is_told || onward > 0, "{unit:?} was {was:?}");
        }
    }

    /// Sends a group on that has lost its quarry or escaped.
    fn end_errand(&mut self, group: GroupId) {
        let plain = self.plain.groups.get_mut(&group).unwrap();
        let next = plain.next_target().unwrap_or(Mark::Stand);
        self.plain.aim(group, next);
    }

    /// Checks where units have come: no farther than they can, and through no wall.
    fn check_ways(&self, before: &BTreeMap<u32, Before>, seconds: f32) {
        let through_link = |id: u32| {
            let is_it =
                |event: &ArmyEvent| matches!(*event, ArmyEvent::Entered { unit, .. } if unit == id);
            self.army.events().iter().any(is_it)
        };
        for unit in self.army.units() {
            let was = &before[&unit.id];
            let ground = PlainGround::of(&self.world, was.layer);
            let numbers = [unit.position, unit.velocity];
            assert!(
                numbers.iter().flatten().all(|at| at.is_finite()),
                "{unit:?}"
            );
            let [x, y] = [0, 1].map(|axis| unit.position[axis] - was.position[axis]);
            if through_link(unit.id) {
                assert!(!ground.is_hit(unit, -1e-3), "{unit:?}");
                continue;
            }
            let most = unit.speed * 1.4 * seconds + PUSHES + 0.01;
            assert!(x.hypot(y) <= most, "{unit:?} was at {:?}", was.position);
            if was.is_clear {
                assert!(
                    !ground.is_hit(unit, -1e-3),
                    "{unit:?} was at {:?}",
                    was.position
                );
                let is_joined = ground.joins(was.position, unit.position);
                assert!(is_joined, "{unit:?} was at {:?}", was.position);
            }
        }
    }

    /// Compares queries with a scan of all units.
    fn check_queries(&mut self) {
        let (point, corner) = (self.place(), self.place());
        let reach = [0.0, 0.5, 3.0, 12.0, 90.0][self.draw.below(5) as usize];
        let (radius, odd) = (self.draw.float(0.0, 1.5), self.draw.below(5));
        let army = &self.army;
        let square = |unit: &Unit| {
            let [x, y] = [0, 1].map(|axis| unit.position[axis] - point[axis]);
            x * x + y * y
        };
        let mut units: Vec<&Unit> = army.units().iter().collect();
        units.sort_by_key(|unit| unit.id);
        let ids = |units: Vec<&Unit>| units.iter().map(|unit| unit.id).collect::<Vec<_>>();
        let filtered = |is_in: &dyn Fn(&Unit) -> bool| {
            ids(units.iter().filter(|unit| is_in(unit)).copied().collect())
        };
        let within = filtered(&|unit| square(unit) <= reach * reach);
        assert_eq!(ids(army.units_within(point, reach)), within);
        let inside = filtered(&|unit| {
            (0..2).all(|axis| {
                let (one, two) = (point[axis], corner[axis]);
                (one.min(two)..=one.max(two)).contains(&unit.position[axis])
            })
        });
        assert_eq!(ids(army.units_in(corner, point)), inside);
        let will_do = |unit: &Unit| unit.id % 5 == odd;
        let some = units.iter().filter(|unit| will_do(unit));
        // The first of those at one distance has the lowest id.
        let nearest = some.min_by(|one, two| square(one).total_cmp(&square(two)));
        let found = army.nearest_unit(point, will_do);
        assert_eq!(found.map(|unit| unit.id), nearest.map(|unit| unit.id));
        let on_ground = army.groups().find(|&group| {
            let layer = army.settings(group).map(|set| set.layer);
            layer == Some(LayerId::GROUND)
        });
        let mut has_room = false;
        if let Some(group) = on_ground {
            let planes = |group| army.settings(group).map_or(0, |set| set.planes);
            let is_alone = units.iter().all(|unit| {
                let room = radius + unit.radius;
                planes(unit.group) & planes(group) == 0 || square(unit) >= room * room
            });
            has_room = is_alone && is_clear(self.world.costs(), point, radius);
            assert_eq!(
                army.has_room(&self.world, group, point, radius),
                Ok(has_room)
            );
        }
        for (&group, plain) in &self.plain.groups {
            let overlaps = units.iter().any(|unit| {
                let room = radius + unit.radius;
                let planes = self.plain.groups[&unit.group].planes;
                planes & plain.planes != 0 && square(unit) < room * room
            });
            let is_free = army.has_room(&self.world, group, point, radius);
            assert!(!overlaps || is_free == Ok(false), "{group}");
            if plain.layer == LayerId::GROUND {
                let is_clear = is_clear(self.world.costs(), point, radius);
                assert_eq!(is_free, Ok(is_clear && !overlaps), "{group}");
            }
        }
        let is_settled = units.iter().all(|unit| unit.state != UnitState::Marching);
        assert_eq!(army.is_settled(), is_settled);
        let found = within.len() + inside.len() + usize::from(has_room);
        self.note("found", found);
    }

    /// Looks for the deepest overlap of all pairs.
    fn check_overlap(&self) {
        let units = self.army.units();
        let mut deepest = 0.0_f32;
        for (at, one) in units.iter().enumerate() {
            for two in &units[at + 1..] {
                let [x, y] = [0, 1].map(|axis| one.position[axis] - two.position[axis]);
                let away = (x * x + y * y).sqrt();
                let planes = [one, two].map(|unit| self.plain.groups[&unit.group].planes);
                if planes[0] & planes[1] == 0 {
                    continue;
                }
                deepest = deepest.max(one.radius + two.radius - away);
            }
        }
        assert!((self.army.deepest_overlap() - deepest).abs() < 1e-5);
    }

    /// Goes on with a loaded world. The army is saved and loaded too, or bound to it.
    fn load(&mut self, saves_army: bool) {
        let (world, claims) = FlowWorld::load(&self.world.save()).unwrap();
        if saves_army || self.kind == Kind::Crowded {
            let bytes = self.army.save();
            let loaded = Army::load(&bytes, &world).unwrap();
            assert_eq!(loaded.save(), bytes);
            if self.kind != Kind::Crowded {
                assert_eq!(loaded.state_hash(), self.army.state_hash());
            }
            self.army = loaded;
        } else {
            self.army.bind(&world).unwrap();
        }
        self.move_to(world, claims);
    }

    /// Goes on with a fork of the world and a clone of the army.
    fn fork(&mut self) {
        let (world, claims) = self.world.fork();
        let mut army = self.army.clone();
        assert_eq!(army.state_hash(), self.army.state_hash());
        army.bind(&world).unwrap();
        self.army = army;
        self.move_to(world, claims);
    }

    fn move_to(&mut self, world: FlowWorld, claims: Vec<Order>) {
        for claim in &mut self.claims {
            *claim = world.order_with_number(claim.number()).unwrap();
        }
        drop(claims);
        self.world = world;
    }

    /// Returns the mark of a group's target.
    fn mark_of(&self, group: flowtiles::steer::GroupId) -> Mark {
        Mark::of(self.army.target(group).unwrap())
    }
}

/// Fights the battle of a seed in three ways at once; returns what was seen.
fn fight(seed: u32, ticks: u32, calls: &Calls) -> BTreeMap<&'static str, u32> {
    let mut battles = [1, 2, 8].map(|threads| (Battle::new(seed, calls.clone()), threads));
    let mut when = Draw::new(seed + 1_000);
    for tick in 0..ticks {
        let (loads, forks) = (when.below(40) == 0, when.below(30) == 0);
        let hashes = battles.each_mut().map(|(battle, threads)| {
            if *threads == 1 {
                battle.army.keep_awake();
            }
            on_threads(*threads, || battle.tick(tick));
            if loads {
                battle.load(*threads == 2);
            }
            if forks && *threads == 8 {
                battle.fork();
            }
            let world = (tick % 4 == 0).then(|| battle.world.state_hash());
            (battle.army.state_hash(), world)
        });
        assert_eq!([hashes[0]; 3], hashes, "seed {seed}, tick {tick}");
        if tick % 16 == 0 {
            battles[0].0.check_overlap();
        }
    }
    let [(battle, _), ..] = battles;
    battle.seen
}

fn fight_all(seeds: std::ops::Range<u32>, ticks: u32) {
    let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
    for seed in seeds {
        for (what, times) in play(|calls| fight(seed, ticks, &calls)) {
            *seen.entry(what).or_default() += times;
        }
    }
    println!("{seen:?}");
    let all = seen.len() >= 50 && seen.values().all(|&times| times > 0);
    assert!(all, "too little was seen: {seen:?}");
}

#[test]
fn a_drawn_battle_goes_as_a_plain_model_says() {
    fight_all(0..(2 * draws() as u32).min(8), 400);
}

#[test]
#[ignore = "minutes: many seeds"]
fn many_long_drawn_battles_go_as_a_plain_model_says() {
    fight_all(100..160, 600);
}
