//! Units whose bodies the game moves.

use bevy_flowtiles::{FlowDrive, Main, unit_entity};

use super::*;

/// A body of the game: slow to take up a velocity, and slower than it is to be.
#[derive(Component, Default)]
struct Body(Vec3);

fn integrate(plane: Res<FlowPlane>, mut bodies: Query<(&FlowMotion, &mut Body, &mut Transform)>) {
    for (motion, mut body, mut transform) in &mut bodies {
        let wished = plane.way_to_scene(motion.velocity);
        body.0 = body.0.lerp(wished, 0.6);
        transform.translation += body.0 * (0.9 * SECONDS as f32);
    }
}

fn driven() -> (App, Entity) {
    let mut app = app();
    app.add_systems(FixedUpdate, integrate.after(FlowtilesSystems::Write));
    let unit = spawn(&mut app, [5.5, 5.5]);
    let parts = (FlowDrive::Velocity, Body::default());
    app.world_mut().entity_mut(unit).insert(parts);
    (app, unit)
}

#[test]
fn a_body_that_the_game_moves_arrives_and_stays() {
    let (mut app, unit) = driven();
    // Behind a wall with a gap.
    write(&mut app, FlowOrder::send(vec![unit], Cell::new(130, 20)));
    let mut arrivals = 0;
    for _ in 0..1_400 {
        app.update();
        let mut events = app.world_mut().resource_mut::<Messages<FlowEvent>>();
        let arrived = |event: &FlowEvent| matches!(event.event, ArmyEvent::Arrived { .. });
        arrivals += events.drain().filter(arrived).count();
    }
    let place = app.world().get::<Transform>(unit).unwrap().translation;
    let [x, y] = app.world().resource::<FlowPlane>().to_map(place);
    assert!((x - 130.5).hypot(y - 20.5) < 1.0, "{x}, {y}");
    assert_eq!(arrivals, 1);
    let motion = app.world().get::<FlowMotion>(unit).unwrap();
    assert_eq!(motion.state, UnitState::Arrived);
    // Carried off by a blast, it is where its body is.
    let far = app
        .world()
        .resource::<FlowPlane>()
        .to_scene([120.5, 60.5], 0.0);
    app.world_mut()
        .get_mut::<Transform>(unit)
        .unwrap()
        .translation = far;
    app.update();
    let [x, y] = app.world().resource::<FlowArmy>().get(0).unwrap().position;
    assert!((x - 120.5).hypot(y - 60.5) < 0.5, "{x}, {y}");
    // A body in no place is told of.
    app.world_mut()
        .get_mut::<Transform>(unit)
        .unwrap()
        .translation
        .x = f32::NAN;
    app.update();
    let told = refusals(&mut app);
    assert!(told.len() == 1 && told[0].0 == [unit], "{told:?}");
}

#[test]
fn such_a_body_comes_back_with_saves_and_snapshots() {
    let (mut app, unit) = driven();
    write(&mut app, FlowOrder::send(vec![unit], Cell::new(60, 20)));
    (0..40).for_each(|_| app.update());
    let kept = snapshot::<Main>(app.world()).unwrap().unwrap();
    let saved = save::<Main>(app.world()).unwrap().unwrap();
    let place = |app: &App, unit| app.world().get::<Transform>(unit).unwrap().translation;
    let before = place(&app, unit);
    (0..40).for_each(|_| app.update());
    rollback::<Main>(app.world_mut(), &kept).unwrap();
    assert_eq!(place(&app, unit), before);
    let mut other = driven().0;
    for app in [&mut app, &mut other] {
        load::<Main>(app.world_mut(), &saved).unwrap();
        let unit = unit_entity::<Main>(app.world(), 0).unwrap();
        let drive = app.world().get::<FlowDrive>(unit);
        assert_eq!(drive, Some(&FlowDrive::Velocity));
        // What is the game's own it takes back itself.
        app.world_mut().entity_mut(unit).insert(Body::default());
        (0..40).for_each(|_| app.update());
    }
    assert_eq!(hash(&app), hash(&other));
}
