//! A battle of three teams in fog, without a window: classes on land and water, halls at an angle,
//! gates, mines, patrols and raids.
//!
//! ```console
//! $ cargo run --release -p bevy_flowtiles --example battle
//! ```

use bevy_app::{ScheduleRunnerPlugin, prelude::*};
use bevy_ecs::prelude::*;
use bevy_flowtiles::prelude::*;
use bevy_math::Quat;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use std::time::Duration;

const TICKS: u32 = 1_500;
const WATER: u8 = 20;
const FOREST: u8 = 3;
/// The camps of the teams 1 to 3, and the gates before them: west and north, width and height.
const CAMPS: [[f32; 2]; 3] = [[15.5, 60.5], [165.5, 60.5], [100.5, 108.5]];
const GATES: [(i32, i32, u32, u32); 3] = [(40, 55, 1, 9), (139, 55, 1, 9), (96, 90, 9, 1)];

/// By class: radius, speed, sight, life, and how many a team has.
const CLASSES: [(f32, f32, u32, i32, usize); 3] = [
    (0.35, 4.0, 10, 60, 40), // infantry
    (0.9, 3.0, 9, 200, 8),   // tanks
    (0.45, 5.0, 12, 80, 12), // hovercraft
];

/// What is left of a unit.
#[derive(Component)]
struct Life(i32);

/// A unit that walks to and fro and takes no part in raids.
#[derive(Component)]
struct Guard;

#[derive(Resource, Default)]
struct Clock {
    tick: u32,
    fallen: usize,
    refused: usize,
}

fn main() -> AppExit {
    App::new()
        .add_plugins((TimePlugin, ScheduleRunnerPlugin::run_loop(Duration::ZERO)))
        .add_plugins(FlowtilesPlugin::in_schedule(FixedUpdate))
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(FlowMap::new(country().expect("a good map")))
        .insert_resource(FlowPlane::flat())
        .init_resource::<Clock>()
        .add_systems(Startup, (build, muster))
        .add_systems(FixedUpdate, command.before(FlowtilesSystems::Sync))
        .add_systems(
            FixedUpdate,
            (fight, tell).chain().after(FlowtilesSystems::Write),
        )
        .run()
}

/// A lake, forests that hide what is behind them, a wall before each camp, and fog for all.
fn country() -> Result<FlowWorld, Box<dyn std::error::Error>> {
    let (water, forest) = (Cost::new(WATER)?, Cost::new(FOREST)?);
    let mut map = CostMap::open(180, 120)?;
    map.edit(CellRect::new(60, 45, 60, 35), water)?;
    for x in [30, 75, 100, 140] {
        map.edit(CellRect::new(x, 15, 9, 22), forest)?;
    }
    for (x, y, width, height) in [(40, 0, 1, 120), (139, 0, 1, 90), (40, 90, 100, 1)] {
        map.edit(CellRect::new(x, y, width, height), Cost::WALL)?;
    }
    let mut world = FlowWorld::new(map);
    world.set_opaque(&[Cost::WALL, forest]);
    let land = Movement::new().with_cost(water, Cost::WALL);
    let hover = Movement::new().with_cost(water, Cost::OPEN);
    for movement in [land.clone(), land.with_size(2)?, hover] {
        world.add_layer(movement)?;
    }
    for (team, (x, y, width, height)) in (1..).zip(GATES) {
        // The wall is no wall under a gate.
        world.edit(CellRect::new(x, y, width, height), Cost::OPEN)?;
        world.add_fog(team)?;
        world.forget(team, &[CellRect::new(0, 0, 180, 120)], Cost::OPEN)?;
    }
    Ok(world)
}

/// A gate and a hall for each team, and a field of mines that team 1 has found.
fn build(mut commands: Commands, plane: Res<FlowPlane>) {
    let at = |x: f32, y: f32| Transform::from_translation(plane.to_scene([x, y], 0.0));
    for (team, ((x, y, width, height), [west, north])) in (1..).zip(GATES.into_iter().zip(CAMPS)) {
        let gate = FlowObstacle::gate(CellRect::new(0, 0, width, height), Teams::NONE.with(team));
        commands.spawn((gate, at(x as f32 + 0.5, y as f32 + 0.5)));
        // An L with a court.
        let corners = [
            [0.0, 0.0],
            [6.0, 0.0],
            [6.0, 6.0],
            [4.0, 6.0],
            [4.0, 2.0],
            [0.0, 2.0],
        ];
        let turned = Quat::from_rotation_z(0.3);
        let place = at(west - 3.0, north - 18.0).with_rotation(turned);
        commands.spawn((FlowObstacle::polygon(corners), place));
    }
    for class in 1..=3 {
        let layer = LayerId::from_number(class).for_team(1).expect("a team");
        let mines = FlowObstacle::danger(layer, CellRect::new(-5, -5, 11, 11), 40);
        commands.spawn((mines, at(90.5, 85.5)));
    }
}

/// The units of all teams, in rows.
fn muster(mut commands: Commands, plane: Res<FlowPlane>) {
    for (team, [x, y]) in (1..).zip(CAMPS) {
        let mut down = y - 12.0;
        for (class, (radius, speed, sight, life, count)) in (1..).zip(CLASSES) {
            let apart = 2.0 * radius + 0.4;
            for at in 0..count {
                let place = [x + (at % 6) as f32 * apart, down + (at / 6) as f32 * apart];
                let mut unit = commands.spawn((
                    FlowUnit::new(radius, speed),
                    FlowLayer(LayerId::from_number(class)),
                    FlowTeam(team),
                    FlowSight(sight),
                    Life(life),
                    Transform::from_translation(plane.to_scene(place, 0.0)),
                ));
                if class == 1 && at < 6 {
                    unit.insert(Guard);
                }
            }
            down += (count as f32 / 6.0).ceil() * apart + 1.0;
        }
    }
}

/// What the players do: the script of a battle without people.
fn command(
    mut clock: ResMut<Clock>,
    units: Query<(Entity, &FlowTeam, Has<Guard>)>,
    mut gates: Query<&mut FlowObstacle>,
    mut orders: MessageWriter<FlowOrder>,
) {
    clock.tick += 1;
    let of = |team: u8, is_guard: bool| -> Vec<Entity> {
        let all = units.iter();
        let own = all.filter(|(_, of, guard)| of.0 == team && *guard == is_guard);
        own.map(|(unit, ..)| unit).collect()
    };
    let cell = |[x, y]: [f32; 2]| Cell::new(x as i32, y as i32);
    let chase = Chase::default().with_sight(14.0).with_range(5.0);
    for (team, camp) in (1..).zip(CAMPS) {
        let next = cell(CAMPS[usize::from(team) % 3]);
        let raid = |to: Cell| FlowOrder::attack(of(team, false), Goal::at(to).or_nearest(), chase);
        match clock.tick {
            1 => {
                let posts = [cell(camp), Cell::new(90, 40)].map(|post| Goal::at(post).or_nearest());
                orders.write(FlowOrder::attack_patrol(of(team, true), posts, chase));
            }
            120 => _ = orders.write(raid(next)),
            800 => _ = orders.write(raid(cell(camp))),
            _ => {}
        }
    }
    if clock.tick == 600 {
        for mut gate in &mut gates {
            if let FlowShape::Gate { open_to, .. } = &mut gate.shape {
                *open_to = Teams::ALL;
            }
        }
    }
}

/// Units in range of a foe hit it; the fallen are despawned.
fn fight(
    army: Res<FlowArmy>,
    units: FlowUnits,
    mut lives: Query<&mut Life>,
    mut clock: ResMut<Clock>,
    mut commands: Commands,
) {
    let shooters = army.units().iter();
    let shooters = shooters.filter(|unit| unit.state == UnitState::Engaged);
    let hit = shooters.filter_map(|unit| units.entity(army.foe_of(unit.id)?.id));
    for entity in hit {
        if let Ok(mut life) = lives.get_mut(entity) {
            life.0 -= 1;
            if life.0 == 0 {
                clock.fallen += 1;
                commands.entity(entity).despawn();
            }
        }
    }
}

fn tell(
    mut clock: ResMut<Clock>,
    mut refused: MessageReader<FlowRefused>,
    (map, army): (Res<FlowMap>, Res<FlowArmy>),
    teams: Query<&FlowTeam>,
    mut exit: MessageWriter<AppExit>,
) {
    for refused in refused.read() {
        println!(
            "{:4}  {} units refused: {}",
            clock.tick,
            refused.units.len(),
            refused.error
        );
        clock.refused += 1;
    }
    if clock.tick < TICKS {
        return;
    }
    for team in 1..=3 {
        let own = teams.iter().filter(|own| own.0 == team).count();
        let known = map.known(team).expect("each has fog");
        let seen = known.area().cells();
        let seen = seen
            .filter(|&cell| known.get(cell) == map.costs().get(cell))
            .count();
        println!("team {team}: {own} of 60 units, knows {seen} cells as they are");
    }
    let hash = map.state_hash() ^ army.state_hash();
    println!(
        "{} fell; after {TICKS} ticks the battle is {hash:016x}",
        clock.fallen
    );
    exit.write(if clock.refused == 0 {
        AppExit::Success
    } else {
        AppExit::error()
    });
}
