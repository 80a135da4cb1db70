//! Units with a layer and a team of their own.

use bevy_flowtiles::flowtiles::{LayerId, Teams};
use bevy_flowtiles::{Main, unit_entity};

use super::*;

/// A map in whose wall one gap is a gate of team 0, and a layer for wide units.
fn divided(app: &mut App) -> LayerId {
    let mut map = CostMap::open(60, 40).unwrap();
    map.edit(CellRect::new(30, 0, 2, 40), Cost::WALL).unwrap();
    map.edit(CellRect::new(30, 18, 2, 5), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let wide = Movement::new().with_size(3).unwrap();
    let wide = world.add_layer(wide).unwrap();
    let gap = CellRect::new(30, 18, 2, 5);
    world.add_gate(gap, Teams::NONE.with(0)).unwrap();
    app.insert_resource(FlowMap::new(world));
    wide
}

fn group(app: &App, entity: Entity) -> GroupId {
    app.world().get::<InGroup>(entity).unwrap().0.unwrap()
}

/// What is set of a unit's group: the layer, the team, the foes.
fn class(app: &App, entity: Entity) -> (LayerId, u8, Teams) {
    let army = app.world().resource::<FlowArmy>();
    let settings = army.settings(group(app, entity)).unwrap();
    (settings.layer, settings.team, settings.foes)
}

fn spawn_in(app: &mut App, parts: impl Bundle, place: [f32; 2]) -> Entity {
    let entity = spawn(app, place);
    app.world_mut().entity_mut(entity).insert(parts);
    entity
}

#[test]
fn units_are_sent_on_their_layers_through_the_gates_of_their_teams() {
    let mut app = app();
    let wide = divided(&mut app);
    let ours = spawn_in(&mut app, FlowTeam(0), [5.5, 20.5]);
    let theirs = spawn_in(&mut app, FlowTeam(1), [5.5, 10.5]);
    let tank = spawn_in(&mut app, (FlowLayer(wide), FlowTeam(0)), [10.5, 30.5]);
    let plain = spawn(&mut app, [8.5, 20.5]);
    app.update();
    let [one, other] = [0, 1].map(|team| LayerId::GROUND.for_team(team).unwrap());
    assert_eq!(class(&app, ours), (one, 0, Teams::ALL.without(0)));
    assert_eq!(class(&app, theirs), (other, 1, Teams::ALL.without(1)));
    assert_eq!(class(&app, tank).0, wide);
    assert_eq!(class(&app, plain), (one, 0, Teams::NONE));
    let all = vec![ours, theirs, tank, plain];
    write(&mut app, FlowOrder::send(all, Cell::new(50, 20)));
    app.update();
    let told = refusals(&mut app);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, [theirs]);
    (0..400).for_each(|_| app.update());
    let army = app.world().resource::<FlowArmy>();
    let x = |entity| army.get(id(&app, entity)).unwrap().position[0];
    assert!([ours, tank, plain].iter().all(|&unit| x(unit) > 45.0));
    assert!(x(theirs) < 6.0);
    let layer = army.order_of(id(&app, tank)).unwrap().goal().layer();
    assert_eq!(layer, wide);
}

#[test]
fn who_comes_after_an_order_stands() {
    let mut app = app();
    for parts in [None, Some(FlowTeam(2))] {
        let come = |app: &mut App| {
            let unit = spawn(app, [5.5, 5.5]);
            if let Some(parts) = parts {
                app.world_mut().entity_mut(unit).insert(parts);
            }
            unit
        };
        let first = come(&mut app);
        write(&mut app, FlowOrder::send(vec![first], Cell::new(60, 5)));
        app.update();
        let late = come(&mut app);
        (0..60).for_each(|_| app.update());
        assert_ne!(group(&app, first), group(&app, late));
        let army = app.world().resource::<FlowArmy>();
        let x = |entity| army.get(id(&app, entity)).unwrap().position[0];
        assert!(x(first) > 10.0 && x(late) < 7.0);
    }
}

#[test]
fn another_team_or_layer_counts_from_the_next_tick() {
    let mut app = app();
    let wide = divided(&mut app);
    let unit = spawn_in(&mut app, FlowTeam(1), [5.5, 20.5]);
    let friend = spawn_in(&mut app, FlowTeam(1), [7.5, 20.5]);
    app.update();
    write(
        &mut app,
        FlowOrder::send(vec![unit, friend], Cell::new(20, 20)),
    );
    app.update();
    assert_eq!(group(&app, unit), group(&app, friend));
    // It is taken by another team, and becomes wide.
    let parts = (FlowTeam(3), FlowLayer(wide));
    app.world_mut().entity_mut(unit).insert(parts);
    app.update();
    let on_wide = wide.for_team(3).unwrap();
    assert_eq!(class(&app, unit), (on_wide, 3, Teams::ALL.without(3)));
    assert_eq!(class(&app, friend).1, 1);
    // Put into a group of another class, it goes back to its own.
    let theirs = group(&app, friend);
    app.world_mut().get_mut::<InGroup>(unit).unwrap().0 = Some(theirs);
    app.update();
    assert_eq!(class(&app, unit).1, 3);
    // Foes are those that are said, of all groups of the team.
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    army.set_foes(3, Teams::NONE.with(1)).unwrap();
    assert!(army.set_foes(8, Teams::NONE).is_err());
    app.update();
    assert_eq!(class(&app, unit).2, Teams::NONE.with(1));
    // What there is not is refused, and all stays.
    let team = FlowTeam(9);
    app.world_mut().entity_mut(unit).insert(team);
    let layer = FlowLayer(LayerId::from_number(77));
    app.world_mut().entity_mut(friend).insert(layer);
    let late = spawn_in(&mut app, FlowTeam(8), [9.5, 20.5]);
    app.update();
    let told = refusals(&mut app);
    let text = |entity| &told.iter().find(|told| told.0 == [entity]).unwrap().1;
    assert!(told.len() == 3 && text(unit).contains("team"), "{told:?}");
    assert!(text(late).contains("0 to 7") && text(friend).contains("layer 77"));
    assert_eq!((class(&app, unit).1, class(&app, friend).1), (3, 1));
    app.update();
    assert!(refusals(&mut app).is_empty(), "each is told once");
}

#[test]
fn classes_come_back_with_saves_and_snapshots() {
    let mut app = app();
    let wide = divided(&mut app);
    let unit = spawn_in(&mut app, (FlowTeam(2), FlowLayer(wide)), [5.5, 20.5]);
    let plain = spawn(&mut app, [9.5, 20.5]);
    app.update();
    let mut army = app.world_mut().resource_mut::<FlowArmy>();
    army.set_foes(2, Teams::NONE.with(5)).unwrap();
    // Still to be taken over.
    app.world_mut().entity_mut(unit).insert(FlowTeam(4));
    let kept = snapshot::<Main>(app.world()).unwrap().unwrap();
    let saved = save::<Main>(app.world()).unwrap().unwrap();
    let go_on = |app: &mut App, unit: Entity| {
        let late = spawn_in(app, FlowTeam(2), [15.5, 20.5]);
        write(app, FlowOrder::send(vec![unit, late], Cell::new(20, 30)));
        (0..30).for_each(|_| app.update());
        assert_eq!(class(app, unit).1, 4);
        assert_eq!(class(app, late).2, Teams::NONE.with(5));
        hash(app)
    };
    let wanted = go_on(&mut app, unit);
    app.world_mut().entity_mut(plain).insert(FlowTeam(7));
    app.world_mut().despawn(unit);
    app.update();
    rollback::<Main>(app.world_mut(), &kept).unwrap();
    assert!(app.world().get::<FlowTeam>(plain).is_none());
    let again = unit_entity::<Main>(app.world(), 0).unwrap();
    assert_eq!(go_on(&mut app, again), wanted);
    let mut other = self::app();
    divided(&mut other);
    load::<Main>(other.world_mut(), &saved).unwrap();
    load::<Main>(app.world_mut(), &saved).unwrap();
    for app in [&mut app, &mut other] {
        let unit = unit_entity::<Main>(app.world(), 0).unwrap();
        assert_eq!(app.world().get::<FlowTeam>(unit), Some(&FlowTeam(4)));
        assert_eq!(app.world().get::<FlowLayer>(unit), Some(&FlowLayer(wide)));
        go_on(app, unit);
    }
    assert_eq!(hash(&app), hash(&other));
}
