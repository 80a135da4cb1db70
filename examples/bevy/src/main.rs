//! Two thousand units in a window of Bevy: drag to select, click to send, build and take away
//! walls, look at the fields.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_flowtiles::flowtiles::inspect::Overlay;
use bevy_flowtiles::prelude::*;

const WIDTH: u32 = 240;
const HEIGHT: u32 = 150;
/// Pixels a cell.
const CELL: f32 = 5.0;
const GRASS: Color = Color::srgb(0.17, 0.23, 0.19);
const STONE: Color = Color::srgb(0.60, 0.62, 0.66);
const TEAMS: [Color; 2] = [Color::srgb(1.0, 0.78, 0.24), Color::srgb(0.31, 0.70, 1.0)];

#[derive(Component)]
struct Selected;

/// A wall, with the cells that it covers.
#[derive(Component)]
struct Wall(CellRect);

/// Where the mouse was pressed, in the scene.
#[derive(Resource, Default)]
struct Drag(Option<Vec2>);

fn main() {
    let window = Window {
        title: "flowtiles in Bevy: drag, right click, W builds, X clears, P F G show".to_owned(),
        resolution: (WIDTH * CELL as u32, HEIGHT * CELL as u32).into(),
        ..default()
    };
    let map = CostMap::open(WIDTH, HEIGHT).expect("a size that fits");
    let shown = FlowOverlays::new(Vec::new(), CellRect::new(0, 0, WIDTH, HEIGHT));
    App::new()
        .insert_resource(ClearColor(GRASS))
        .add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        }))
        .add_plugins((
            FlowtilesPlugin::in_schedule(FixedUpdate),
            FlowGizmosPlugin::default(),
        ))
        .insert_resource(Time::<Fixed>::from_hz(20.0))
        .insert_resource(FlowMap::new(FlowWorld::new(map)))
        .insert_resource(FlowPlane::flat().with_cells([0.0, 0.0], CELL))
        .insert_resource(shown)
        .init_resource::<Drag>()
        .add_systems(Startup, (build, muster).chain())
        .add_systems(Update, (select, send, edit, show, mark).chain())
        .run();
}

/// Three walls, each with a gap or two.
fn build(mut commands: Commands, mut map: ResMut<FlowMap>) {
    commands.spawn((
        Camera2d,
        Transform::from_xyz(WIDTH as f32 * CELL / 2.0, HEIGHT as f32 * CELL / -2.0, 0.0),
    ));
    let walls = [
        (70, 0, 40),
        (70, 52, 98),
        (118, 20, 60),
        (118, 92, 58),
        (166, 0, 66),
        (166, 78, 40),
        (166, 130, 20),
    ];
    for (x, y, height) in walls {
        put_wall(&mut commands, &mut map, CellRect::new(x, y, 4, height));
    }
}

fn put_wall(commands: &mut Commands, map: &mut FlowMap, area: CellRect) {
    if map.edit(area, Cost::WALL).is_err() {
        return; // It is off the map.
    }
    let [width, height] = [area.width, area.height].map(|side| side as f32 * CELL);
    let (left, top) = (area.x as f32 * CELL, area.y as f32 * CELL);
    commands.spawn((
        Wall(area),
        Sprite::from_color(STONE, Vec2::new(width, height)),
        Transform::from_xyz(left + width / 2.0, -top - height / 2.0, 0.0),
    ));
}

/// A thousand units on each side, which are sent across the map.
fn muster(mut commands: Commands, plane: Res<FlowPlane>, mut orders: MessageWriter<FlowOrder>) {
    for (team, colour) in TEAMS.into_iter().enumerate() {
        let left = [6.0, WIDTH as f32 - 31.0][team];
        let units: Vec<Entity> = (0..1_000)
            .map(|at| {
                let position = [left + (at % 25) as f32, 55.0 + (at / 25) as f32];
                let unit = commands.spawn((
                    FlowUnit::new(0.4, 6.0),
                    Sprite::from_color(colour, Vec2::new(4.0, 3.0)),
                    Transform::from_translation(plane.to_scene(position, 1.0)),
                ));
                unit.id()
            })
            .collect();
        let goal = Cell::new([WIDTH as i32 - 20, 20][team], HEIGHT as i32 / 2);
        orders.write(FlowOrder::send(units, goal));
    }
}

/// Returns where the mouse is in the scene.
fn pointed(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
) -> Option<Vec2> {
    let (camera, place) = *camera;
    camera
        .viewport_to_world_2d(place, window.cursor_position()?)
        .ok()
}

fn select(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut drag: ResMut<Drag>,
    units: Query<(Entity, &Transform), With<FlowUnit>>,
    mut commands: Commands,
    mut gizmos: Gizmos,
) {
    let Some(here) = pointed(window, camera) else {
        return;
    };
    if buttons.just_pressed(MouseButton::Left) {
        drag.0 = Some(here);
    }
    let Some(corner) = drag.0 else {
        return;
    };
    let area = Rect::from_corners(corner, here);
    gizmos.rect_2d(area.center(), area.size(), Color::WHITE);
    if buttons.just_released(MouseButton::Left) {
        drag.0 = None;
        for (unit, place) in &units {
            if area.contains(place.translation.truncate()) {
                commands.entity(unit).insert(Selected);
            } else {
                commands.entity(unit).remove::<Selected>();
            }
        }
    }
}

/// Right click: the selected units go there.
fn send(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    plane: Res<FlowPlane>,
    selected: Query<Entity, With<Selected>>,
    mut orders: MessageWriter<FlowOrder>,
    mut refused: MessageReader<FlowRefused>,
) {
    for refusal in refused.read() {
        eprintln!("{}", refusal.error);
    }
    let units: Vec<Entity> = selected.iter().collect();
    if buttons.just_pressed(MouseButton::Right)
        && !units.is_empty()
        && let Some(here) = pointed(window, camera)
    {
        let [x, y] = plane.to_map(here.extend(0.0));
        let goal = Goal::at(Cell::new(x.floor() as i32, y.floor() as i32));
        orders.write(FlowOrder::send(units, goal.or_nearest()));
    }
}

/// W builds a wall at the mouse, X takes those there away.
fn edit(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    keys: Res<ButtonInput<KeyCode>>,
    plane: Res<FlowPlane>,
    walls: Query<(Entity, &Wall)>,
    mut map: ResMut<FlowMap>,
    mut commands: Commands,
) {
    let Some(here) = pointed(window, camera) else {
        return;
    };
    let [x, y] = plane.to_map(here.extend(0.0)).map(|at| at.floor() as i32);
    if keys.just_pressed(KeyCode::KeyW) {
        put_wall(&mut commands, &mut map, CellRect::new(x, y, 4, 12));
    }
    if keys.just_pressed(KeyCode::KeyX) {
        for (entity, &Wall(area)) in &walls {
            if area.contains(Cell::new(x, y)) && map.edit(area, Cost::OPEN).is_ok() {
                commands.entity(entity).despawn();
            }
        }
        // Walls that overlapped what is gone stay.
        for (_, &Wall(area)) in &walls {
            if !area.contains(Cell::new(x, y)) {
                let _ = map.edit(area, Cost::WALL);
            }
        }
    }
}

/// P shows portals, F directions, G the paths of units.
fn show(keys: Res<ButtonInput<KeyCode>>, mut overlays: ResMut<FlowOverlays>) {
    let keyed = [
        (KeyCode::KeyP, Overlay::Portals),
        (KeyCode::KeyF, Overlay::Flow),
        (KeyCode::KeyG, Overlay::Graph),
    ];
    for (key, overlay) in keyed {
        if keys.just_pressed(key) {
            match overlays.shown.iter().position(|&shown| shown == overlay) {
                Some(at) => drop(overlays.shown.remove(at)),
                None => overlays.shown.push(overlay),
            }
        }
    }
}

fn mark(selected: Query<&Transform, With<Selected>>, mut gizmos: Gizmos) {
    for place in &selected {
        gizmos.circle_2d(place.translation.truncate(), 3.5, Color::WHITE);
    }
}
