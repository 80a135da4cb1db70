//! Battles in headless apps, with the schedules of a real one.

use std::time::Duration;

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_flowtiles::flowtiles::steer::{Army, Reading, Unit};
use bevy_flowtiles::flowtiles::{Movement, Teams};
use bevy_flowtiles::prelude::*;
use bevy_flowtiles::{Battle, load, rollback, save, snapshot};
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

#[path = "battles/classes.rs"]
mod classes;
#[path = "battles/drives.rs"]
mod drives;
#[path = "battles/levels.rs"]
mod levels;
#[path = "battles/obstacles.rs"]
mod obstacles;
#[path = "battles/peers.rs"]
mod peers;
#[path = "battles/rollbacks.rs"]
mod rollbacks;
#[path = "battles/sights.rs"]
mod sights;

const SECONDS: f64 = 0.05;
const BUDGET: Budget = Budget::cells(4_000);

/// Ground with walls across it that leave gaps.
fn map() -> FlowWorld {
    let mut map = CostMap::open(300, 200).unwrap();
    for (x, gap) in [(100, 20), (150, 160), (200, 90)] {
        map.edit(CellRect::new(x, 0, 2, 200), Cost::WALL).unwrap();
        map.edit(CellRect::new(x, gap, 2, 12), Cost::OPEN).unwrap();
    }
    FlowWorld::new(map)
}

/// An app in which each update is one fixed step.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        FlowtilesPlugin::in_schedule(FixedUpdate).with_budget(BUDGET),
    ))
    .insert_resource(Time::<Fixed>::from_seconds(SECONDS))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .insert_resource(FlowMap::new(map()));
    // The clock of a first update stands.
    app.update();
    app
}

fn spawn(app: &mut App, place: [f32; 2]) -> Entity {
    spawn_as(app, FlowUnit::new(0.35, 4.0), place)
}

fn spawn_as(app: &mut App, unit: FlowUnit, place: [f32; 2]) -> Entity {
    let place = app.world().resource::<FlowPlane>().to_scene(place, 0.0);
    app.world_mut()
        .spawn((unit, Transform::from_translation(place)))
        .id()
}

fn write(app: &mut App, order: FlowOrder) {
    app.world_mut()
        .resource_mut::<Messages<FlowOrder>>()
        .write(order);
}

fn hash(app: &App) -> [u64; 2] {
    let world = app.world();
    let (map, army) = (world.resource::<FlowMap>(), world.resource::<FlowArmy>());
    [map.state_hash(), army.state_hash()]
}

fn id(app: &App, entity: Entity) -> u32 {
    app.world().get::<FlowUnit>(entity).unwrap().id()
}

/// What games do by hand.
struct Plain {
    map: FlowWorld,
    army: Army,
}

impl Plain {
    fn new() -> Self {
        Self {
            map: map(),
            army: Army::default(),
        }
    }

    fn tick(&mut self) {
        self.army.tick(&mut self.map, BUDGET, SECONDS as f32);
    }

    fn hash(&self) -> [u64; 2] {
        [self.map.state_hash(), self.army.state_hash()]
    }
}

#[test]
fn an_army_comes_to_the_state_of_a_plain_loop() {
    // All of them where all is checked.
    let count = match std::env::var_os("FLOWTILES_DRAWS") {
        Some(_) => 10_000,
        None => 1_000,
    };
    let (mut app, mut plain) = (app(), Plain::new());
    let group = plain.army.add_group(Target::Stand, Reading::Ahead).unwrap();
    let mut units = Vec::new();
    for at in 0..count {
        let place = [2.5 + (at % 90) as f32, 2.5 + (at / 90) as f32];
        units.push(spawn(&mut app, place));
        let unit = Unit::new(at, group, place)
            .with_radius(0.35)
            .with_speed(4.0);
        plain.army.add(unit).unwrap();
    }
    write(
        &mut app,
        FlowOrder::send(units.clone(), Cell::new(250, 100)),
    );
    plain
        .army
        .send_all(
            &mut plain.map,
            &[group],
            Cell::new(250, 100),
            Sending::default(),
        )
        .unwrap();
    for tick in 0..600 {
        app.update();
        plain.tick();
        if tick % 100 == 0 || tick > 597 {
            assert_eq!(hash(&app), plain.hash(), "tick {tick}");
        }
    }
    // Every transform is on its way from where its unit was to where it is.
    let world = app.world();
    let (plane, army) = (world.resource::<FlowPlane>(), world.resource::<FlowArmy>());
    for &entity in &units {
        let unit = army.get(id(&app, entity)).unwrap();
        let motion = world.get::<FlowMotion>(entity).unwrap();
        assert_eq!(motion.position, unit.position);
        let place = world.get::<Transform>(entity).unwrap().translation;
        let [from, to] = [motion.before, motion.position].map(|at| plane.to_scene(at, 0.0));
        assert!(
            place.distance(from) <= from.distance(to) + 1e-3,
            "{place} of {from} to {to}"
        );
    }
    let moved = army.units().iter().filter(|unit| unit.position[0] > 105.0);
    assert!(moved.count() > 300, "a part is through the first gap");
}

/// Numbers without order, the same in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % count
    }

    fn place(&mut self) -> [f32; 2] {
        [self.below(95) as f32 + 1.5, self.below(190) as f32 + 1.5]
    }
}

#[test]
fn plugin_in_a_storm_of_changes_equals_a_plain_loop() {
    for seed in 1..5 {
        let (mut app, mut plain) = (app(), Plain::new());
        let mut draw = Draw(seed * 7_919);
        let mut idle = None;
        let (mut units, mut next) = (Vec::new(), 0);
        let mut made = std::collections::BTreeSet::new();
        for tick in 0..200 {
            // The plugin takes out, takes in, then orders; so does the plain loop.
            for _ in 0..draw.below(6) {
                if !units.is_empty() {
                    let gone: Entity = units.swap_remove(draw.below(units.len() as u64) as usize);
                    let unit = id(&app, gone);
                    app.world_mut().despawn(gone);
                    plain.army.remove(unit);
                }
            }
            for _ in 0..draw.below(9) {
                let place = draw.place();
                let army = &mut plain.army;
                let group = || army.add_group(Target::Stand, Reading::Ahead).unwrap();
                let idle = *idle.get_or_insert_with(group);
                units.push(spawn(&mut app, place));
                let unit = Unit::new(next, idle, place)
                    .with_radius(0.35)
                    .with_speed(4.0);
                plain.army.add(unit).unwrap();
                next += 1;
            }
            if draw.below(4) == 0 && units.len() > 10 {
                let first = draw.below(units.len() as u64 - 5) as usize;
                let some = units[first..first + 5].to_vec();
                let goal = Cell::new(draw.below(95) as i32, draw.below(190) as i32);
                let mut how = Sending::default();
                (how.queued, how.together) = (draw.below(3) == 0, draw.below(2) == 0);
                let ids: Vec<u32> = some.iter().map(|&unit| id(&app, unit)).collect();
                let before: Vec<_> = plain.army.groups().collect();
                let groups = plain.army.split(ids).unwrap();
                made.extend(groups.iter().filter(|group| !before.contains(group)));
                // Who comes later does not join those that were sent.
                made.extend(idle.take_if(|idle| groups.contains(idle)));
                plain
                    .army
                    .send_all(&mut plain.map, &groups, goal, how)
                    .unwrap();
                write(&mut app, FlowOrder::send_as(some, goal, how));
            }
            let army = &mut plain.army;
            made.retain(|&group| {
                let stays = army.members(group).next().is_some();
                if !stays {
                    army.remove_group(group).unwrap();
                }
                stays
            });
            app.update();
            plain.tick();
            assert_eq!(hash(&app), plain.hash(), "seed {seed}, tick {tick}");
        }
        let refused = app.world().resource::<Messages<FlowRefused>>();
        assert!(refused.is_empty() && units.len() > 50);
    }
}

#[test]
fn a_save_and_a_snapshot_bring_a_battle_back() {
    let mut app = app();
    let units: Vec<Entity> = (0..200)
        .map(|at| spawn(&mut app, [3.5 + (at % 20) as f32, 3.5 + (at / 20) as f32]))
        .collect();
    write(&mut app, FlowOrder::send(units.clone(), Cell::new(280, 20)));
    for _ in 0..100 {
        app.update();
    }
    let saved = save::<bevy_flowtiles::Main>(app.world()).unwrap().unwrap();
    let kept = snapshot::<bevy_flowtiles::Main>(app.world())
        .unwrap()
        .unwrap();
    let go_on = |app: &mut App, dying: Entity| {
        // One dies, one comes, and goes back with another.
        app.world_mut().despawn(dying);
        let late = spawn(app, [9.5, 90.5]);
        write(
            app,
            FlowOrder::send(vec![late, units[3]], Cell::new(3, 190)),
        );
        for _ in 0..80 {
            app.update();
        }
        hash(app)
    };
    let at_first = hash(&app);
    let wanted = go_on(&mut app, units[7]);
    for _ in 0..2 {
        rollback::<bevy_flowtiles::Main>(app.world_mut(), &kept).unwrap();
        assert_eq!(hash(&app), at_first);
        // The dead unit is back in a new entity; the one that came later is gone.
        let mut all = app.world_mut().query::<(Entity, &FlowUnit)>();
        let ids: Vec<u32> = all.iter(app.world()).map(|(_, unit)| unit.id()).collect();
        assert_eq!(ids.len(), 200);
        let seventh = all.iter(app.world()).find(|(_, unit)| unit.id() == 7);
        let seventh = seventh.map(|(entity, _)| entity).unwrap();
        assert!(seventh != units[7] && id(&app, units[3]) == 3);
        assert_eq!(go_on(&mut app, seventh), wanted);
    }
    // Into an app without units, as on another machine.
    let mut other = self::app();
    load::<bevy_flowtiles::Main>(other.world_mut(), &saved).unwrap();
    assert_eq!(hash(&other), at_first);
    other.update();
    let count = other
        .world_mut()
        .query::<&FlowUnit>()
        .iter(other.world())
        .count();
    assert_eq!(count, 200);
    for cut in [0, 3, 11, 40, saved.len() - 1] {
        let before = hash(&other);
        assert!(load::<bevy_flowtiles::Main>(other.world_mut(), &saved[..cut]).is_err());
        assert_eq!(hash(&other), before);
    }
}

struct Cave;

impl Battle for Cave {}

#[test]
fn two_battles_do_not_touch() {
    let mut app = app();
    app.add_plugins(FlowtilesPlugin::<Cave>::of(FixedUpdate).with_budget(BUDGET));
    app.insert_resource(FlowMap::<Cave>::of(map()));
    let here = spawn(&mut app, [5.5, 5.5]);
    let place = app
        .world()
        .resource::<FlowPlane<Cave>>()
        .to_scene([5.5, 5.5], 0.0);
    let unit = FlowUnit::<Cave>::of(0.35, 4.0);
    let there = app
        .world_mut()
        .spawn((unit, Transform::from_translation(place)))
        .id();
    write(&mut app, FlowOrder::send(vec![here], Cell::new(20, 5)));
    for _ in 0..30 {
        app.update();
    }
    let motion = |entity| app.world().get::<FlowMotion>(entity).unwrap().position;
    assert!(motion(here)[0] > 8.0);
    assert_eq!(motion(there), [5.5, 5.5]);
    assert_eq!(app.world().resource::<FlowArmy<Cave>>().units().len(), 1);
}

#[test]
fn components_reach_the_army_and_events_come_back() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(ArmyEvent, Option<Entity>)>);
    let mut app = app();
    app.init_resource::<Seen>().add_systems(
        Update,
        |mut events: MessageReader<FlowEvent>, mut seen: ResMut<Seen>| {
            seen.0
                .extend(events.read().map(|event| (event.event, event.unit)));
        },
    );
    let unit = spawn(&mut app, [5.5, 5.5]);
    app.update();
    let mut changed = app.world_mut().get_mut::<FlowUnit>(unit).unwrap();
    (changed.speed, changed.radius, changed.weight) = (8.0, 0.5, 3.0);
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    let scouts = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    let mut settings = *army.settings(scouts).unwrap();
    (settings.team, settings.foes) = (3, Teams::ALL);
    army.configure(scouts, settings, &map()).unwrap();
    app.world_mut()
        .entity_mut(unit)
        .insert(InGroup(Some(scouts)));
    write(&mut app, FlowOrder::send(scouts, Cell::new(30, 5)));
    for _ in 0..100 {
        app.update();
    }
    let known = *app.world().resource::<FlowArmy>().get(0).unwrap();
    assert_eq!(
        (known.speed, known.radius, known.weight, known.group),
        (8.0, 0.5, 3.0, scouts)
    );
    assert_eq!(
        app.world().get::<FlowMotion>(unit).unwrap().state,
        UnitState::Arrived
    );
    let seen = &app.world().resource::<Seen>().0;
    assert!(
        seen.contains(&(ArmyEvent::Arrived { unit: 0 }, Some(unit))),
        "{seen:?}"
    );
    assert!(seen.contains(&(ArmyEvent::GroupArrived { group: scouts }, None)));
}

/// Takes what was refused: the units, and what is said.
fn refusals(app: &mut App) -> Vec<(Vec<Entity>, String)> {
    let mut refused = app.world_mut().resource_mut::<Messages<FlowRefused>>();
    refused
        .drain()
        .map(|refused| (refused.units, refused.error.to_string()))
        .collect()
}

#[test]
fn what_cannot_be_done_is_answered() {
    let mut app = app();
    let good = spawn(&mut app, [5.5, 5.5]);
    let bad = spawn_as(&mut app, FlowUnit::new(-1.0, 4.0), [5.5, 5.5]);
    let rock = Cell::new(100, 0);
    write(&mut app, FlowOrder::send(vec![good], rock));
    write(&mut app, FlowOrder::send(Vec::new(), Cell::new(3, 3)));
    write(
        &mut app,
        FlowOrder::send(GroupId::from_number(99), Cell::new(3, 3)),
    );
    app.update();
    let told = refusals(&mut app);
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!(told[0].0, [bad]);
    assert!(told[0].1.contains("radius"), "{told:?}");
    assert_eq!(told[1].0, [good]);
    assert!(told[1].1.contains("wall"), "{told:?}");
    assert_eq!(told[2].1, "the order is for no entity: select at least one");
    assert!(told[3].1.contains("no group"), "{told:?}");
    // A unit that the army has not taken in is despawned like others.
    app.world_mut().despawn(bad);
    app.update();
    assert_eq!(app.world().resource::<FlowArmy>().units().len(), 1);
}

#[test]
fn an_order_without_a_unit_is_answered_with_why() {
    let mut app = app();
    let [alone, gone, taken] = [5.5, 9.5, 13.5].map(|x| spawn(&mut app, [x, 5.5]));
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    let [scouts, guards] = [(); 2].map(|()| army.add_group(Target::Hold, Reading::Ahead).unwrap());
    for (unit, group) in [(alone, scouts), (taken, guards)] {
        let group = InGroup(Some(group));
        app.world_mut().entity_mut(unit).insert(group);
    }
    app.update();
    app.world_mut().despawn(gone);
    app.world_mut().despawn(alone);
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    army.remove_group(guards).unwrap();
    let goal = Cell::new(30, 5);
    write(&mut app, FlowOrder::send(vec![alone, gone], goal));
    write(&mut app, FlowOrder::send(scouts, goal));
    write(&mut app, FlowOrder::send(vec![taken], goal));
    app.update();
    let told = refusals(&mut app);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].1.starts_with("of the 2 entities"), "{told:?}");
    assert_eq!(told[0].0, [alone, gone]);
    assert!(told[1].1.contains("has no unit"), "{told:?}");
    assert_eq!(told[2].0, [taken]);
    assert!(told[2].1.contains("no unit 2"), "{told:?}");
}

#[test]
fn units_of_a_selection_go_or_are_refused_each() {
    let mut app = app();
    let good = spawn(&mut app, [5.5, 5.5]);
    let wide = spawn_as(&mut app, FlowUnit::new(17.0, 4.0), [50.5, 50.5]);
    let none = spawn_as(&mut app, FlowUnit::new(f32::NAN, 4.0), [9.5, 9.5]);
    let off = spawn(&mut app, [300.5, 9.5]);
    let nowhere = app.world_mut().spawn(FlowUnit::new(0.35, 4.0)).id();
    let tree = app.world_mut().spawn_empty().id();
    let mut map = app.world_mut().resource_mut::<FlowMap>();
    // Ships, for which all is land.
    let sea = map
        .add_layer(Movement::new().with_cost(Cost::OPEN, Cost::WALL))
        .unwrap();
    let mut map = app.world_mut().remove_resource::<FlowMap>().unwrap();
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    let ships = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    map.derive_layer(sea).unwrap();
    let mut settings = *army.settings(ships).unwrap();
    settings.layer = sea;
    army.configure(ships, settings, &map).unwrap();
    app.insert_resource(map);
    let ship = spawn(&mut app, [20.5, 20.5]);
    app.world_mut()
        .entity_mut(ship)
        .insert(InGroup(Some(ships)));
    let all = vec![good, wide, none, off, nowhere, tree, ship];
    write(&mut app, FlowOrder::send(all, Cell::new(30, 5)));
    app.update();
    let told = refusals(&mut app);
    let expected = [
        (wide, "radius"),
        (none, "radius"),
        (off, "(300.5, 9.5) in cells, off the map of 300×200"),
        (nowhere, "no `Transform`"),
        (wide, "no unit 1"),
        (none, "no unit 2"),
        (off, "no unit 3"),
        (nowhere, "no unit 4"),
        (tree, "of the 7 entities of the order, 1 are no units"),
        (ship, "wall"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((units, text), (entity, part)) in told.iter().zip(expected) {
        assert!(
            *units == [entity] && text.contains(part),
            "{entity}, {part}: {told:?}"
        );
    }
    // What cannot be set of a unit does not stop the rest.
    let mut unit = app.world_mut().get_mut::<FlowUnit>(good).unwrap();
    (unit.radius, unit.speed) = (f32::NAN, 8.0);
    app.update();
    let told = refusals(&mut app);
    assert!(told.len() == 1 && told[0].0 == [good], "{told:?}");
    (0..20).for_each(|_| app.update());
    let unit = app.world().resource::<FlowArmy>().get(0).unwrap();
    assert!(unit.speed == 8.0 && unit.position[0] > 10.0, "{unit:?}");
}

#[test]
fn groups_with_orders_of_an_old_map_are_refused() {
    let mut app = app();
    let units = [5.5, 9.5].map(|x| spawn(&mut app, [x, 5.5]));
    for unit in units {
        write(&mut app, FlowOrder::send(vec![unit], Cell::new(30, 5)));
    }
    app.update();
    let former = app.world().resource::<FlowArmy>().order_of(0).cloned();
    app.insert_resource(FlowMap::new(map()));
    write(&mut app, FlowOrder::target(vec![units[1]], former.unwrap()));
    write(&mut app, FlowOrder::send(vec![units[0]], Cell::new(5, 30)));
    app.update();
    let told = refusals(&mut app);
    (0..40).for_each(|_| app.update());
    let whom: Vec<&[Entity]> = told.iter().map(|(units, _)| units.as_slice()).collect();
    assert_eq!(whom, [&units[1..], &units[..1], &units[1..]], "{told:?}");
    assert!(told.iter().all(|(_, text)| text.contains("another map")));
    let army = app.world().resource::<FlowArmy>();
    let [sent, stands] = [0, 1].map(|id| army.get(id).unwrap().position);
    assert!(
        sent[1] > 10.0 && stands[1] < 6.0 && stands[0] < 11.0,
        "{sent:?}, {stands:?}"
    );
}

/// Games run the schedule of the plugin when they want a tick.
#[test]
fn a_tick_lasts_as_long_as_it_is_said_to() {
    #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct GameTick;
    let (ms, second) = (Duration::from_millis, Duration::from_secs(1));
    let start = |plugin: FlowtilesPlugin| {
        let mut app = App::new();
        app.add_plugins((TimePlugin, plugin))
            .insert_resource(Time::<Fixed>::from_hz(20.0))
            .insert_resource(FlowMap::new(map()));
        spawn(&mut app, [5.5, 5.5]);
        let ahead = Target::Point([90.0, 5.5]);
        let mut army = app.world_mut().resource_mut::<FlowArmy>();
        let group = army.add_group(ahead, Reading::Ahead).unwrap();
        app.world_mut()
            .query::<&mut InGroup>()
            .single_mut(app.world_mut())
            .unwrap()
            .0 = Some(group);
        app
    };
    let by_hand = |app: &mut App, label: InternedScheduleLabel| app.world_mut().run_schedule(label);
    let by_frames = |app: &mut App, _| app.update();
    type Run<'a> = &'a dyn Fn(&mut App, InternedScheduleLabel);
    let cases: [(InternedScheduleLabel, Option<Duration>, Run<'_>, Duration); 6] = [
        (FixedUpdate.intern(), None, &by_hand, ms(50)),
        (GameTick.intern(), None, &by_hand, ms(50)),
        (GameTick.intern(), Some(ms(30)), &by_hand, ms(30)),
        (Update.intern(), None, &by_hand, ms(50)),
        (Update.intern(), None, &by_frames, ms(10)),
        (Update.intern(), Some(ms(40)), &by_frames, ms(40)),
    ];
    for (at, (label, length, run, wanted)) in cases.into_iter().enumerate() {
        let mut plugin = FlowtilesPlugin::in_schedule(label);
        if let Some(length) = length {
            plugin = plugin.with_step(length);
        }
        let mut app = start(plugin);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(ms(10)));
        let place = |app: &App| app.world().resource::<FlowArmy>().get(0).unwrap().position[0];
        // It speeds up at first.
        (0..100).for_each(|_| run(&mut app, label));
        let before = place(&app);
        (0..10).for_each(|_| run(&mut app, label));
        let step = (place(&app) - before) / 10.0;
        let wanted = 4.0 * wanted.div_duration_f32(second);
        assert!(
            (step - wanted).abs() < 1e-3,
            "case {at}: {step}, not {wanted}"
        );
    }
    // Bevy drops messages after two frames; orders are still there for the tick.
    let mut app = start(FlowtilesPlugin::in_schedule(GameTick));
    let unit = app
        .world_mut()
        .query_filtered::<Entity, With<FlowUnit>>()
        .single(app.world())
        .unwrap();
    write(&mut app, FlowOrder::send(vec![unit], Cell::new(5, 30)));
    (0..9).for_each(|_| app.update());
    (0..40).for_each(|_| app.world_mut().run_schedule(GameTick));
    assert!(app.world().resource::<FlowArmy>().get(0).unwrap().position[1] > 9.0);
}

#[test]
fn units_and_orders_without_a_map_wait_and_warn_once() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    /// Counts warnings.
    struct Warnings(Arc<AtomicU32>);

    impl Subscriber for Warnings {
        fn enabled(&self, about: &Metadata<'_>) -> bool {
            *about.level() == Level::WARN
        }

        fn event(&self, event: &Event<'_>) {
            let text = format!("{event:?}");
            assert!(text.contains("insert a `FlowMap`"), "{text}");
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    let count = Arc::new(AtomicU32::new(0));
    let warned = || count.load(Ordering::Relaxed);
    tracing::subscriber::with_default(Warnings(count.clone()), || {
        let mut app = app();
        app.world_mut().remove_resource::<FlowMap>();
        app.update();
        assert_eq!(warned(), 0, "nothing to move yet");
        let unit = spawn(&mut app, [5.5, 5.5]);
        write(&mut app, FlowOrder::send(vec![unit], Cell::new(5, 30)));
        (0..9).for_each(|_| app.update());
        assert_eq!(warned(), 1);
        app.insert_resource(FlowMap::new(map()));
        (0..40).for_each(|_| app.update());
        let unit = *app.world().resource::<FlowArmy>().get(0).unwrap();
        assert!(unit.position[1] > 9.0, "{unit:?}");
    });
}

#[test]
fn map_lies_where_the_plane_says_in_2d_and_3d() {
    let flat = FlowPlane::flat().with_cells([-40.0, 40.0], 2.0);
    assert_eq!(flat.to_scene([1.0, 2.0], 7.0), Vec3::new(-38.0, 36.0, 7.0));
    assert_eq!(flat.to_map(Vec3::new(-38.0, 36.0, 7.0)), [1.0, 2.0]);
    let ground = FlowPlane::ground().with_cells([-40.0, 40.0], 2.0);
    assert_eq!(
        ground.to_scene([1.0, 2.0], 7.0),
        Vec3::new(-38.0, 7.0, 44.0)
    );
    assert_eq!(ground.to_map(Vec3::new(-38.0, 7.0, 44.0)), [1.0, 2.0]);
    // Units turn to where they go, and keep their height.
    for plane in [flat, ground] {
        let mut app = app();
        let place = plane.to_scene([5.5, 5.5], 3.0);
        app.insert_resource(plane);
        let unit = FlowUnit::new(0.35, 4.0);
        let unit = app
            .world_mut()
            .spawn((unit, Transform::from_translation(place)))
            .id();
        write(&mut app, FlowOrder::send(vec![unit], Cell::new(5, 30)));
        for _ in 0..40 {
            app.update();
        }
        let transform = *app.world().get::<Transform>(unit).unwrap();
        let plane = app.world().resource::<FlowPlane>();
        let south = plane.way_to_scene([0.0, 1.0]).normalize();
        let front = match plane.lie {
            Lie::Flat => transform.rotation * Vec3::X,
            Lie::Ground => transform.rotation * Vec3::NEG_Z,
        };
        assert!(front.distance(south) < 0.1, "{front} should be {south}");
        assert!((transform.translation - place).dot(south) > 5.0);
        assert!(
            (transform.translation - place)
                .dot(Vec3::splat(1.0) - south.abs())
                .abs()
                < 1.0
        );
    }
}

#[test]
fn a_class_is_sent_on_its_own_layer() {
    let mut app = app();
    let mut map = app.world_mut().resource_mut::<FlowMap>();
    let wide = map
        .add_layer(Movement::new().with_size(3).unwrap())
        .unwrap();
    let mut world = std::mem::replace(&mut map.0, self::map());
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    let tanks = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    world.derive_layer(wide).unwrap();
    let mut settings = *army.settings(tanks).unwrap();
    settings.layer = wide;
    army.configure(tanks, settings, &world).unwrap();
    app.insert_resource(FlowMap::new(world));
    let place = app
        .world()
        .resource::<FlowPlane>()
        .to_scene([10.5, 10.5], 0.0);
    let tank = (
        FlowUnit::new(1.3, 3.0),
        InGroup(Some(tanks)),
        Transform::from_translation(place),
    );
    let tank = app.world_mut().spawn(tank).id();
    let man = spawn(&mut app, [20.5, 20.5]);
    app.update();
    write(
        &mut app,
        FlowOrder::send(vec![tank, man], Cell::new(60, 60)),
    );
    for _ in 0..500 {
        app.update();
    }
    let army = app.world().resource::<FlowArmy>();
    assert!(army.is_settled());
    let layer = |entity| army.order_of(id(&app, entity)).unwrap().goal().layer();
    assert_eq!((layer(tank), layer(man)), (wide, Default::default()));
}

/// Men and archers of one group draw up, with one chase for some of them, and then patrol.
#[test]
fn an_order_draws_up_patrols_and_gives_archers_their_own_chase() {
    let mut app = app();
    let units: Vec<Entity> = (0..6)
        .map(|at| spawn(&mut app, [10.5 + at as f32, 10.5]))
        .collect();
    let archers = &units[4..];
    let far = Chase::default().with_range(6.0);
    let line = Line::new([30.5, 10.5], [30.5, 15.5]);
    let order = FlowOrder::draw_up(units.clone(), line).with_chase(archers.iter().copied(), far);
    write(&mut app, order);
    app.update();
    let group = |app: &App, at: usize| app.world().get::<InGroup>(units[at]).unwrap().0.unwrap();
    let chase = |app: &App, at| match app.world().resource::<FlowArmy>().target(group(app, at)) {
        Some(Target::AttackMove(_, chase)) => Some(*chase),
        _ => None,
    };
    assert_eq!(
        [0, 3, 4, 5].map(|at| chase(&app, at)),
        [None, None, Some(far), Some(far)]
    );
    assert!(group(&app, 0) == group(&app, 3) && group(&app, 4) == group(&app, 5));
    for _ in 0..300 {
        app.update();
    }
    let mut places = app.world().resource::<FlowArmy>().units().to_vec();
    places.sort_by(|one, two| one.position[1].total_cmp(&two.position[1]));
    for (at, unit) in places.iter().enumerate() {
        let [dx, dy] = [unit.position[0] - 30.5, unit.position[1] - 10.5 - at as f32];
        assert!(dx.hypot(dy) < 0.1, "{:?}", unit.position);
    }
    let mut how = Sending::default();
    how.attack = Some(Chase::default());
    let goals = [Cell::new(50, 12), Cell::new(40, 30)];
    let patrol = FlowOrder::patrol_as(units.clone(), goals, how);
    write(&mut app, patrol.with_chase(archers.iter().copied(), far));
    app.update();
    assert_eq!([chase(&app, 0), chase(&app, 5)], [how.attack, Some(far)]);
    let army = app.world().resource::<FlowArmy>();
    assert!(
        [0, 5]
            .iter()
            .all(|&at| army.group(group(&app, at)).unwrap().patrols())
    );
    // What is refused has the chases still, and can be written again.
    let none = FlowOrder::draw_up(units.clone(), Line::new([9.0; 2], [9.0; 2]));
    write(&mut app, none.with_chase(archers.iter().copied(), far));
    app.update();
    let refused = app.world().resource::<Messages<FlowRefused>>();
    let refused = refused.iter_current_update_messages().next().unwrap();
    assert!(refused.units.len() == 6 && format!("{:?}", refused.order).contains("range: 6.0"));
}

/// Frames come faster than ticks: a unit stays where it was spawned until its first tick.
#[test]
fn units_before_the_first_tick_stay_where_spawned() {
    let mut app = app();
    let frame = Duration::from_millis(10);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let unit = spawn(&mut app, [20.5, 12.5]);
    let place = |app: &App| app.world().get::<Transform>(unit).unwrap().translation;
    let spawned = place(&app);
    for _ in 0..20 {
        app.update();
        assert_eq!(place(&app), spawned);
    }
    let army = app.world().resource::<FlowArmy>();
    assert_eq!(army.units()[0].position, [20.5, 12.5]);
}
