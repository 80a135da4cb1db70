//! Ids and entities, and the next level.

use bevy_flowtiles::{FlowUnits, Main, next_level, unit_entity};

use super::*;

#[test]
fn entities_are_found_by_the_ids_of_their_units() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(u32, Entity)>);
    let mut app = app();
    app.init_resource::<Seen>()
        .add_systems(Update, |units: FlowUnits, mut seen: ResMut<Seen>| {
            seen.0 = units.iter().collect();
            assert!(units.iter().all(|(id, at)| units.entity(id) == Some(at)));
        });
    let units = [5.5, 7.5, 9.5].map(|x| spawn(&mut app, [x, 5.5]));
    app.world_mut().despawn(units[1]);
    app.update();
    let expected = [units[0], units[2]].map(|unit| (id(&app, unit), unit));
    assert_eq!(app.world().resource::<Seen>().0, expected);
    assert_eq!(unit_entity::<Main>(app.world(), 2), Some(units[2]));
    assert_eq!(unit_entity::<Main>(app.world(), 1), None);
    assert_eq!(unit_entity::<Main>(&World::new(), 0), None);
}

#[test]
fn the_next_level_has_those_who_are_kept() {
    let mut app = app();
    let units: Vec<Entity> = (0..6)
        .map(|at| spawn(&mut app, [5.5 + at as f32, 5.5]))
        .collect();
    app.world_mut()
        .spawn(FlowObstacle::gate(CellRect::new(40, 40, 3, 3), Teams::NONE));
    write(&mut app, FlowOrder::send(units.clone(), Cell::new(250, 90)));
    (0..20).for_each(|_| app.update());
    write(&mut app, FlowOrder::send(units.clone(), Cell::new(250, 90)));
    let small = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let kept = [units[4], units[1]];
    next_level::<Main>(app.world_mut(), small, kept);
    let place = app
        .world()
        .resource::<FlowPlane>()
        .to_scene([30.5, 30.5], 0.0);
    let moved = app.world_mut().get_mut::<Transform>(units[1]);
    moved.unwrap().translation = place;
    (0..20).for_each(|_| app.update());
    assert!(refusals(&mut app).is_empty());
    let world = app.world();
    let army = world.resource::<FlowArmy>();
    assert_eq!(
        army.units().iter().map(|unit| unit.id).collect::<Vec<_>>(),
        [1, 4]
    );
    assert_eq!(army.get(1).unwrap().position, [30.5, 30.5]);
    assert_eq!(army.groups().count(), 1);
    assert!(
        world
            .resource::<FlowMap>()
            .inspect()
            .gates()
            .next()
            .is_none()
    );
    let is_there = |&&unit: &&Entity| world.get_entity(unit).is_ok();
    assert_eq!(units.iter().filter(is_there).count(), 2);
    // Ids go on, and those who were kept can be sent.
    let late = spawn(&mut app, [9.5, 9.5]);
    assert_eq!(id(&app, late), 6);
    let all = vec![late, units[1], units[4]];
    write(&mut app, FlowOrder::send(all, Cell::new(50, 20)));
    (0..400).for_each(|_| app.update());
    assert!(app.world().resource::<FlowArmy>().is_settled());
    // Without a battle nothing happens.
    next_level::<Main>(&mut World::new(), map(), []);
}

#[test]
fn a_patrol_attacks_on_its_way() {
    let mut app = app();
    let unit = spawn(&mut app, [5.5, 5.5]);
    let goals = [Cell::new(20, 5), Cell::new(5, 5)];
    let chase = Chase::default().with_sight(9.0);
    write(&mut app, FlowOrder::attack_patrol(vec![unit], goals, chase));
    app.update();
    let army = app.world().resource::<FlowArmy>();
    let group = army.group(army.get(0).unwrap().group).unwrap();
    assert!(group.patrols());
    assert!(matches!(group.target(), Target::AttackMove(_, own) if *own == chase));
}
