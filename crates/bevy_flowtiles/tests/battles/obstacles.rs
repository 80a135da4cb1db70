//! Entities that stand on the map.

use bevy_flowtiles::flowtiles::{LayerId, StampTemplate, Turn};
use bevy_flowtiles::{FlowShape, Main};
use bevy_math::Quat;

use super::*;

fn place(app: &App, at: [f32; 2]) -> Transform {
    let plane = app.world().resource::<FlowPlane>();
    Transform::from_translation(plane.to_scene(at, 0.0))
}

fn build(app: &mut App, obstacle: FlowObstacle, at: [f32; 2]) -> Entity {
    let place = place(app, at);
    app.world_mut().spawn((obstacle, place)).id()
}

fn is_wall(app: &App, x: i32, y: i32) -> bool {
    let map = app.world().resource::<FlowMap>();
    map.costs().get(Cell::new(x, y)) == Some(Cost::WALL)
}

#[test]
fn a_building_is_laid_moved_and_lifted_as_by_hand() {
    let (mut app, mut plain) = (app(), Plain::new());
    let hall = build(&mut app, FlowObstacle::rectangle([4.0, 2.0]), [20.0, 20.0]);
    app.update();
    let template = StampTemplate::rows(&["####", "####"]).unwrap();
    let (id, _) = plain
        .map
        .stamp(&template, Cell::new(18, 19), Turn::None)
        .unwrap();
    plain.tick();
    assert_eq!(hash(&app), plain.hash());
    // Turned by a quarter, and elsewhere.
    let turned = place(&app, [40.0, 30.0]).with_rotation(Quat::from_rotation_z(1.570_796_4));
    app.world_mut().entity_mut(hall).insert(turned);
    app.update();
    plain.map.unstamp(id).unwrap();
    let template = StampTemplate::rows(&["##", "##", "##", "##"]).unwrap();
    let (id, _) = plain
        .map
        .stamp(&template, Cell::new(39, 28), Turn::None)
        .unwrap();
    plain.tick();
    assert_eq!(hash(&app), plain.hash());
    // A look that changes nothing costs no stamp.
    app.world_mut()
        .get_mut::<Transform>(hall)
        .unwrap()
        .set_changed();
    app.update();
    plain.tick();
    assert_eq!(hash(&app), plain.hash());
    app.world_mut().despawn(hall);
    app.update();
    plain.map.unstamp(id).unwrap();
    plain.tick();
    assert_eq!(hash(&app), plain.hash());
}

#[test]
fn a_building_lies_at_any_angle_with_a_rim_in_2d_and_3d() {
    for plane in [
        FlowPlane::flat(),
        FlowPlane::ground().with_cells([-9.0, 5.0], 2.0),
    ] {
        let mut app = app();
        let axis = match plane.lie {
            Lie::Flat => Vec3::Z,
            Lie::Ground => Vec3::Y,
        };
        app.insert_resource(plane);
        let corners = [[0.0, -3.0], [3.0, 2.0], [-3.0, 2.0]];
        let mut tent = FlowObstacle::polygon(corners);
        let dear = Cost::new(7).unwrap();
        if let FlowShape::Building { rim, .. } = &mut tent.shape {
            *rim = Some((1.0, dear));
        }
        let turned = Quat::from_axis_angle(axis, core::f32::consts::PI);
        let at = place(&app, [20.0, 20.0]).with_rotation(turned);
        app.world_mut().spawn((tent, at));
        app.update();
        // Turned by a half, its tip is to the south.
        assert!(is_wall(&app, 19, 22) && is_wall(&app, 17, 18) && is_wall(&app, 22, 18));
        assert!(!is_wall(&app, 17, 21) && !is_wall(&app, 19, 23));
        let map = app.world().resource::<FlowMap>();
        assert_eq!(map.costs().get(Cell::new(19, 17)), Some(dear));
    }
}

#[test]
fn gates_open_and_dangers_raise_costs() {
    let mut app = app();
    let mut map = app.world_mut().resource_mut::<FlowMap>();
    let wary = map.add_layer(Movement::new()).unwrap();
    let area = CellRect::new(-1, 0, 3, 2);
    let gate = build(
        &mut app,
        FlowObstacle::gate(area, Teams::NONE),
        [30.5, 30.5],
    );
    let near = FlowObstacle::danger(wary, CellRect::new(-2, -2, 5, 5), 30);
    let far = FlowObstacle::danger(wary, CellRect::new(0, 0, 5, 5), 9);
    let [near, _far] = [near, far].map(|danger| build(&mut app, danger, [60.5, 60.5]));
    app.update();
    assert!(is_wall(&app, 29, 30) && is_wall(&app, 31, 31) && !is_wall(&app, 32, 30));
    let dearer = |app: &App, x, y| {
        let map = app.world().resource::<FlowMap>();
        map.surcharge_of(wary, Cell::new(x, y))
    };
    assert_eq!([58, 60, 64].map(|at| dearer(&app, at, at)), [30, 9, 9]);
    let number = |app: &App| {
        let map = app.world().resource::<FlowMap>();
        map.inspect().gates().next().unwrap()
    };
    let before = number(&app);
    if let FlowShape::Gate { open_to, .. } =
        &mut app.world_mut().get_mut::<FlowObstacle>(gate).unwrap().shape
    {
        *open_to = Teams::ALL;
    }
    // One danger is off, and what lies below it comes back.
    let elsewhere = place(&app, [90.5, 60.5]);
    app.world_mut().entity_mut(near).insert(elsewhere);
    app.update();
    assert!(!is_wall(&app, 30, 30) && number(&app) == before);
    assert_eq!([58, 60, 64].map(|at| dearer(&app, at, at)), [0, 9, 9]);
    assert_eq!(dearer(&app, 90, 60), 30);
    // Another obstacle in its place is another obstacle.
    let wall = FlowObstacle::rectangle([2.0, 2.0]);
    app.world_mut().entity_mut(gate).insert(wall);
    app.world_mut().entity_mut(near).remove::<FlowObstacle>();
    app.update();
    assert!(
        is_wall(&app, 29, 29) && app.world().resource::<FlowMap>().inspect().gates().count() == 0
    );
    assert_eq!(dearer(&app, 90, 60), 0);
}

#[test]
fn what_cannot_be_laid_is_refused_until_it_is_moved() {
    let mut app = app();
    let off = build(&mut app, FlowObstacle::rectangle([4.0, 4.0]), [1.0, 20.0]);
    let flat = build(
        &mut app,
        FlowObstacle::polygon([[0.0, 0.0], [1.0, 0.0]]),
        [9.0, 9.0],
    );
    let huge = FlowObstacle::gate(CellRect::new(0, 0, 0, 4), Teams::ALL);
    let huge = build(&mut app, huge, [9.0, 9.0]);
    let calm = FlowObstacle::danger(Default::default(), CellRect::new(0, 0, 1, 1), 3);
    let calm = build(&mut app, calm, [9.0, 9.0]);
    let nowhere = build(
        &mut app,
        FlowObstacle::rectangle([4.0, 4.0]),
        [f32::NAN, 20.0],
    );
    app.update();
    let told = refusals(&mut app);
    let whom: Vec<Entity> = told.iter().map(|told| told.0[0]).collect();
    assert_eq!(whom, [off, flat, huge, calm, nowhere], "{told:?}");
    for (told, part) in told.iter().zip(["map", "polygon", "gate", "add_layer", ""]) {
        assert!(told.1.contains(part), "{told:?}");
    }
    app.update();
    assert!(refusals(&mut app).is_empty(), "each is told once");
    let there = place(&app, [20.0, 20.0]);
    app.world_mut().entity_mut(off).insert(there);
    app.update();
    assert!(refusals(&mut app).is_empty() && is_wall(&app, 20, 20));
    // Another map has them as well, and none of the old one's.
    app.world_mut().despawn(flat);
    app.insert_resource(FlowMap::new(map()));
    app.update();
    assert!(is_wall(&app, 20, 20));
    assert_eq!(
        app.world().resource::<FlowMap>().inspect().stamps().count(),
        1
    );
    assert_eq!(refusals(&mut app).len(), 3, "a new map is asked anew");
}

#[test]
fn a_map_that_no_tick_has_seen_comes_back_so() {
    let mut app = app();
    build(&mut app, FlowObstacle::rectangle([4.0, 4.0]), [20.0, 20.0]);
    app.update();
    app.insert_resource(FlowMap::new(map()));
    let kept = snapshot::<Main>(app.world()).unwrap().unwrap();
    let saved = save::<Main>(app.world()).unwrap().unwrap();
    app.update();
    let wanted = hash(&app);
    rollback::<Main>(app.world_mut(), &kept).unwrap();
    app.update();
    assert_eq!(hash(&app), wanted);
    load::<Main>(app.world_mut(), &saved).unwrap();
    app.update();
    let stamps = app.world().resource::<FlowMap>().inspect().stamps().count();
    assert!(stamps == 1 && is_wall(&app, 20, 20));
}

/// Does to obstacles what a seed says.
fn act(app: &mut App, draw: &mut Draw, entities: &mut Vec<Entity>, wary: LayerId) {
    let at = [draw.below(280), draw.below(180)].map(|at| at as f32 + 5.0);
    match draw.below(6) {
        0 | 1 => {
            let area = CellRect::new(-2, -1, 4, 3);
            let obstacle = match draw.below(3) {
                0 => FlowObstacle::rectangle([3.0 + draw.below(20) as f32, 4.0]),
                1 => FlowObstacle::gate(area, Teams::from_bits(draw.below(256) as u8)),
                _ => FlowObstacle::danger(wary, area, draw.below(90) as u8),
            };
            entities.push(build(app, obstacle, at));
        }
        2 if entities.len() > 3 => {
            let gone = entities.swap_remove(draw.below(entities.len() as u64) as usize);
            app.world_mut().despawn(gone);
        }
        _ if !entities.is_empty() => {
            let some = entities[draw.below(entities.len() as u64) as usize];
            let turned = Quat::from_rotation_z(draw.below(7) as f32);
            let there = place(app, at).with_rotation(turned);
            app.world_mut().entity_mut(some).insert(there);
        }
        _ => {}
    }
}

#[test]
fn obstacles_come_back_with_saves_and_snapshots() {
    let start = || {
        let mut app = app();
        let mut map = app.world_mut().resource_mut::<FlowMap>();
        let wary = map.add_layer(Movement::new()).unwrap();
        (app, wary)
    };
    for seed in 1..6 {
        let (mut app, wary) = start();
        let (mut draw, mut entities) = (Draw(seed * 7_919), Vec::new());
        for _ in 0..60 {
            act(&mut app, &mut draw, &mut entities, wary);
            app.update();
        }
        // Some of it is still to be taken over.
        for _ in 0..4 {
            act(&mut app, &mut draw, &mut entities, wary);
        }
        let kept = snapshot::<Main>(app.world()).unwrap().unwrap();
        let saved = save::<Main>(app.world()).unwrap().unwrap();
        let count = entities.len();
        let go_on = |app: &mut App| {
            // Entities are others after a rollback; numbers of obstacles are not.
            let mut all = app.world_mut().query::<(Entity, &FlowObstacle)>();
            let mut all: Vec<_> = all
                .iter(app.world())
                .map(|(at, one)| (one.number(), at))
                .collect();
            all.sort_unstable();
            let mut entities: Vec<Entity> = all.into_iter().map(|(_, at)| at).collect();
            assert_eq!(entities.len(), count);
            let mut draw = Draw(seed * 104_729);
            for _ in 0..30 {
                act(app, &mut draw, &mut entities, wary);
                app.update();
            }
            hash(app)
        };
        let wanted = go_on(&mut app);
        for _ in 0..2 {
            rollback::<Main>(app.world_mut(), &kept).unwrap();
            assert_eq!(go_on(&mut app), wanted, "seed {seed}");
        }
        let (mut other, _) = start();
        for app in [&mut app, &mut other] {
            load::<Main>(app.world_mut(), &saved).unwrap();
        }
        assert_eq!(hash(&app), hash(&other));
        assert_eq!(go_on(&mut app), go_on(&mut other), "seed {seed}");
        for cut in (0..saved.len().min(2_000)).step_by(37) {
            assert!(load::<Main>(other.world_mut(), &saved[..cut]).is_err());
        }
    }
}
