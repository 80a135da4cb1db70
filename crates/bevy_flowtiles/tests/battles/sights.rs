//! Units of teams with fog, which see so and so far.

use bevy_flowtiles::{Main, unit_entity};

use super::*;

const BRIDGE: CellRect = CellRect::new(60, 10, 2, 3);

/// A map on which team 1 has fog, with a bridge that was blown up behind its back, and a ford.
fn river(app: &mut App) {
    let mut map = CostMap::open(120, 60).unwrap();
    map.edit(CellRect::new(60, 0, 2, 60), Cost::WALL).unwrap();
    for gap in [BRIDGE, CellRect::new(60, 50, 2, 3)] {
        map.edit(gap, Cost::OPEN).unwrap();
    }
    let mut world = FlowWorld::new(map);
    world.add_fog(1).unwrap();
    world.edit(BRIDGE, Cost::WALL).unwrap();
    app.insert_resource(FlowMap::new(world));
}

fn knows_of_the_gap(app: &App) -> bool {
    let known = app.world().resource::<FlowMap>().known(1).unwrap();
    known.get(Cell::new(60, 11)) == Some(Cost::WALL)
}

fn scout(app: &mut App, sight: Option<FlowSight>) -> Entity {
    let unit = spawn(app, [5.5, 12.5]);
    app.world_mut().entity_mut(unit).insert(FlowTeam(1));
    if let Some(sight) = sight {
        app.world_mut().entity_mut(unit).insert(sight);
    }
    unit
}

fn place(app: &App, unit: Entity) -> [f32; 2] {
    app.world().get::<FlowMotion>(unit).unwrap().position
}

/// Marches until the team knows of the gap, and returns where the unit is then.
fn seen_from(sight: Option<FlowSight>) -> f32 {
    let mut app = app();
    river(&mut app);
    let unit = scout(&mut app, sight);
    write(&mut app, FlowOrder::send(vec![unit], Cell::new(100, 12)));
    while !knows_of_the_gap(&app) {
        app.update();
        assert!(place(&app, unit)[0] < 61.0);
    }
    let turned = place(&app, unit)[0];
    (0..1_000).for_each(|_| app.update());
    assert!(place(&app, unit)[0] > 95.0, "it has taken the ford");
    turned
}

#[test]
fn a_team_sees_as_far_as_its_units() {
    let (far, near) = (seen_from(Some(FlowSight(20))), seen_from(None));
    assert!((38.0..42.0).contains(&far), "{far}");
    assert!(near > 55.0, "only the ground beside it is seen: {near}");
}

#[test]
fn ground_is_seen_before_the_first_order() {
    let mut app = app();
    river(&mut app);
    // What it has not explored cannot be walked on.
    let mut map = app.world_mut().resource_mut::<FlowMap>();
    let all = map.costs().area();
    map.forget(1, &[all], Cost::WALL).unwrap();
    let unit = scout(&mut app, Some(FlowSight(12)));
    write(&mut app, FlowOrder::send(vec![unit], Cell::new(15, 12)));
    (0..100).for_each(|_| app.update());
    assert!(refusals(&mut app).is_empty() && place(&app, unit)[0] > 14.0);
}

#[test]
fn sights_come_back_with_saves_and_snapshots() {
    let mut app = app();
    river(&mut app);
    let unit = scout(&mut app, Some(FlowSight(20)));
    scout(&mut app, None);
    write(&mut app, FlowOrder::send(vec![unit], Cell::new(100, 12)));
    app.update();
    let kept = snapshot::<Main>(app.world()).unwrap().unwrap();
    let saved = save::<Main>(app.world()).unwrap().unwrap();
    let sights = |app: &App| {
        [0, 1].map(|id| {
            let unit = unit_entity::<Main>(app.world(), id).unwrap();
            app.world().get::<FlowSight>(unit).copied()
        })
    };
    let wanted = [Some(FlowSight(20)), None];
    let change = |app: &mut App, unit: Entity| {
        app.world_mut().entity_mut(unit).insert(FlowSight(2));
        app.update();
    };
    change(&mut app, unit);
    rollback::<Main>(app.world_mut(), &kept).unwrap();
    assert_eq!(sights(&app), wanted);
    app.world_mut().despawn(unit);
    rollback::<Main>(app.world_mut(), &kept).unwrap();
    assert_eq!(sights(&app), wanted);
    let mut other = self::app();
    load::<Main>(other.world_mut(), &saved).unwrap();
    load::<Main>(app.world_mut(), &saved).unwrap();
    for app in [&mut app, &mut other] {
        assert_eq!(sights(app), wanted);
        (0..200).for_each(|_| app.update());
        assert!(knows_of_the_gap(app));
    }
    assert_eq!(hash(&app), hash(&other));
}
