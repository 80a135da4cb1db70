//! Battles that are taken back again and again, beside the same battles that are not.

use std::collections::BTreeMap;

use bevy_flowtiles::flowtiles::LayerId;
use bevy_flowtiles::{FlowSnapshot, Main};
use bevy_math::Quat;

use super::*;

/// Which game is played, and how far it is.
#[derive(Resource, Clone, Copy)]
struct Script {
    seed: u64,
    frame: u64,
}

fn game(seed: u64) -> App {
    let mut map = CostMap::open(60, 40).unwrap();
    map.edit(CellRect::new(30, 4, 2, 30), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    world
        .add_layer(Movement::new().with_size(2).unwrap())
        .unwrap();
    world.add_fog(1).unwrap();
    let mut app = app();
    app.insert_resource(FlowMap::new(world))
        .insert_resource(Script { seed, frame: 0 })
        .add_systems(
            FixedUpdate,
            (
                (|world: &mut World| act(world, 0)).before(FlowtilesSystems::Sync),
                (|world: &mut World| act(world, 1)).after(FlowtilesSystems::Write),
            ),
        );
    (0..20).for_each(|at| _ = spawn(&mut app, [3.5 + at as f32, 3.5]));
    app
}

fn units(world: &mut World) -> BTreeMap<u32, Entity> {
    let mut units = world.query::<(Entity, &FlowUnit)>();
    let units = units.iter(world).map(|(entity, unit)| (unit.id(), entity));
    units.collect()
}

/// Does what the script says before the plugin's systems in this frame, or behind them.
fn act(world: &mut World, turn: u64) {
    let Script { seed, frame } = *world.resource::<Script>();
    let mut draw = Draw(seed << 32 | frame << 1 | turn | 1 << 60);
    (0..9).for_each(|_| _ = draw.below(2));
    let place = |draw: &mut Draw| [draw.below(60), draw.below(40)].map(|at| at as f32 + 0.5);
    if draw.below(2) == 0 {
        let [x, y] = place(&mut draw);
        let wide = [0.35, 17.0][usize::from(draw.below(8) == 0)];
        let off = [0.0, 100.0][usize::from(draw.below(8) == 0)];
        let place = world.resource::<FlowPlane>().to_scene([x + off, y], 0.0);
        let mut unit = world.spawn(FlowUnit::new(wide, 4.0));
        if draw.below(8) > 0 {
            unit.insert(Transform::from_translation(place));
        }
    }
    let known: Vec<(u32, Entity)> = units(world).into_iter().collect();
    let any = |draw: &mut Draw| known[draw.below(known.len() as u64) as usize];
    if draw.below(2) == 0 {
        let some: Vec<Entity> = (0..6).map(|_| any(&mut draw).1).collect();
        let goal = place(&mut draw).map(|at| at as i32);
        let goal = Goal::from(Cell::new(goal[0], goal[1]));
        let order: FlowOrder = match draw.below(4) {
            0 => FlowOrder::queue(some, goal),
            1 => FlowOrder::patrol(some, [goal, Cell::new(3, 3).into()]),
            2 => match world.resource_mut::<FlowMap>().order(goal, &[]) {
                Ok(order) => FlowOrder::target(some, order),
                Err(_) => FlowOrder::target(some, Target::Hold),
            },
            _ => {
                let two = [some[0], some[1]];
                FlowOrder::send(some, goal).with_chase(two, Chase::default())
            }
        };
        world.write_message(order);
    }
    if draw.below(3) == 0 {
        world.despawn(any(&mut draw).1);
    }
    change_class(world, any(&mut draw).1, &mut draw);
    change_obstacles(world, &mut draw);
    let (id, entity) = any(&mut draw);
    let group = world.get::<InGroup>(any(&mut draw).1).copied();
    match draw.below(12) {
        0 => drop(world.resource_mut::<FlowArmy>().set_speed(id, 3.0)),
        1 => drop(world.resource_mut::<FlowArmy>().split([id])),
        2 => {
            let area = CellRect::new(draw.below(50) as i32, draw.below(36) as i32, 2, 2);
            let cost = [Cost::WALL, Cost::OPEN][draw.below(2) as usize];
            world.resource_mut::<FlowMap>().edit(area, cost).unwrap();
        }
        change => {
            let Ok(mut entity) = world.get_entity_mut(entity) else {
                return;
            };
            match (change, group) {
                (3, _) => entity.get_mut::<FlowUnit>().unwrap().speed = 6.0,
                (4, _) => entity.get_mut::<FlowUnit>().unwrap().radius = f32::NAN,
                (5, Some(group)) => *entity.get_mut::<InGroup>().unwrap() = group,
                _ => {}
            }
        }
    }
}

/// Gives a unit another layer or team, which there need not be, or another sight.
fn change_class(world: &mut World, unit: Entity, draw: &mut Draw) {
    let Ok(mut unit) = world.get_entity_mut(unit) else {
        return;
    };
    match draw.below(12) {
        0 => _ = unit.insert(FlowTeam(draw.below(9) as u8)),
        1 => _ = unit.insert(FlowLayer(LayerId::from_number(draw.below(3) as u16))),
        2 => _ = unit.remove::<FlowTeam>(),
        4 => _ = unit.insert((FlowTeam(1), FlowSight(draw.below(20) as u32))),
        5 => _ = unit.remove::<FlowSight>(),
        3 => {
            let foes = Teams::from_bits(draw.below(256) as u8);
            let mut army = world.resource_mut::<FlowArmy>();
            army.set_foes(draw.below(8) as u8, foes).unwrap();
        }
        _ => {}
    }
}

/// Builds, moves and takes away what stands on the map.
fn change_obstacles(world: &mut World, draw: &mut Draw) {
    let at = [draw.below(60), draw.below(40)].map(|at| at as f32);
    let at = world.resource::<FlowPlane>().to_scene(at, 0.0);
    let turned = Quat::from_rotation_z(draw.below(7) as f32);
    let at = Transform::from_translation(at).with_rotation(turned);
    let mut all = world.query::<(Entity, &FlowObstacle)>();
    let all: BTreeMap<u32, Entity> = all
        .iter(world)
        .map(|(entity, obstacle)| (obstacle.number(), entity))
        .collect();
    let some = all.values().nth(draw.below(6) as usize);
    let area = CellRect::new(-1, -1, 3, 2);
    match (draw.below(12), some) {
        (0, _) => _ = world.spawn((FlowObstacle::rectangle([3.0, 2.0]), at)),
        (1, _) => {
            let teams = Teams::from_bits(draw.below(256) as u8);
            world.spawn((FlowObstacle::gate(area, teams), at));
        }
        (2, _) => {
            let layer = LayerId::from_number(draw.below(3) as u16);
            world.spawn((FlowObstacle::danger(layer, area, 20), at));
        }
        (3..6, Some(&some)) => _ = world.entity_mut(some).insert(at),
        (6..8, Some(&some)) => _ = world.despawn(some),
        _ => {}
    }
}

/// Plays a frame, and returns all that is seen of the battle after it.
fn play(app: &mut App) -> (u64, [u64; 2], Vec<String>, Vec<String>) {
    app.update();
    let seen = units(app.world_mut()).into_values().map(|entity| {
        let unit = app.world().entity(entity);
        let parts = unit.components::<(&FlowUnit, &InGroup, &FlowMotion)>();
        let class = (unit.get::<FlowLayer>(), unit.get::<FlowTeam>());
        let rest = (unit.get::<FlowSight>(), unit.get::<Transform>());
        format!("{parts:?} {class:?} {rest:?}")
    });
    let seen = seen.collect();
    let told = refusals(app).into_iter().map(|(_, text)| text).collect();
    let mut script = app.world_mut().resource_mut::<Script>();
    script.frame += 1;
    (script.frame, hash(app), seen, told)
}

#[test]
fn battles_with_rollbacks_go_as_those_without() {
    let mut rollbacks = 0;
    for seed in 1..=10 {
        let (mut app, mut plain) = (game(seed), game(seed));
        let mut draw = Draw(seed);
        let kept = |app: &App| snapshot::<Main>(app.world()).unwrap().unwrap();
        let mut snapshots: Vec<FlowSnapshot> = vec![kept(&app)];
        let mut expected = Vec::new();
        for frame in 1..=100 {
            expected.push(play(&mut plain));
            assert_eq!(play(&mut app), expected[frame - 1], "seed {seed}");
            snapshots.push(kept(&app));
            let back = frame - (1 + draw.below(8) as usize).min(frame);
            let before = units(app.world_mut());
            rollback::<Main>(app.world_mut(), &snapshots[back]).unwrap();
            app.world_mut().resource_mut::<Script>().frame = back as u64;
            for (id, entity) in units(app.world_mut()) {
                assert!(
                    before.get(&id).is_none_or(|&kept| kept == entity),
                    "unit {id}"
                );
            }
            for again in back..frame {
                assert_eq!(play(&mut app), expected[again], "seed {seed}, from {back}");
                snapshots[again + 1] = kept(&app);
            }
            rollbacks += 1;
        }
        assert!(expected.iter().map(|frame| frame.3.len()).sum::<usize>() > 50);
    }
    assert_eq!(rollbacks, 1_000);
}

#[test]
fn what_is_pending_is_in_a_save_and_comes_once() {
    let mut app = game(1);
    app.update();
    let late = spawn(&mut app, [9.5, 20.5]);
    let bad = spawn_as(&mut app, FlowUnit::new(17.0, 1.0), [9.5, 20.5]);
    let first = units(app.world_mut())[&0];
    app.world_mut().despawn(first);
    for _ in 0..2 {
        write(&mut app, FlowOrder::queue(vec![late, bad], Cell::new(3, 3)));
    }
    let before = hash(&app);
    let saved = save::<Main>(app.world()).unwrap().unwrap();
    assert_eq!(
        hash(&app),
        before,
        "the battle goes on as if it were not saved"
    );
    let id = id(&app, late);
    let mut other = game(1);
    // What is there is forgotten for what is loaded.
    let all: Vec<Entity> = units(other.world_mut()).into_values().collect();
    write(&mut other, FlowOrder::send(all, Cell::new(50, 30)));
    for app in [&mut app, &mut other] {
        load::<Main>(app.world_mut(), &saved).unwrap();
        let army = app.world().resource::<FlowArmy>();
        assert!(army.get(0).is_none() && army.units().len() > 10);
        let group = army.group(army.get(id).unwrap().group).unwrap();
        // One is the target at once, since the unit stood.
        assert_eq!(
            group.queue().len() + usize::from(group.order().is_some()),
            2
        );
    }
    for _ in 0..30 {
        for app in [&mut app, &mut other] {
            let frame = play(app).0;
            app.world_mut().resource_mut::<Script>().frame = frame.max(100);
        }
        assert_eq!(hash(&app), hash(&other));
    }
    assert_eq!(units(app.world_mut()).get(&id), Some(&late));
}
