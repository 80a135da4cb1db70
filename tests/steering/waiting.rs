//! Units whose order is still searched, on small budgets: they go toward the goal
//! meanwhile, and arrive.

use flowtiles::steer::{Army, Reading, Settings, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Sample};

use crate::crowd::{Draw, drawn_map, in_wall};

const SECONDS: f32 = 0.05;

/// A map with drawn walls, and a long one across most of it.
fn ground(seed: u32) -> CostMap {
    let mut map = drawn_map(&mut Draw::new(seed), 300, 200, 4);
    map.edit(CellRect::new(150, 30, 3, 150), Cost::WALL)
        .unwrap();
    map.edit(CellRect::new(270, 150, 8, 8), Cost::OPEN).unwrap();
    map
}

/// An army of this many units in the west, and their order to the east.
fn sent(world: &mut FlowWorld, settings: Settings, reading: Reading) -> (Army, flowtiles::Order) {
    let goal = Cell::new(274, 154);
    let mut places = Vec::new();
    for at in 0..120 {
        let place = [10.5 + 2.0 * (at % 12) as f32, 40.5 + 2.0 * (at / 12) as f32];
        let cell = Cell::new(place[0] as i32, place[1] as i32);
        if world.reachable(cell, goal) {
            places.push((place, cell));
        }
    }
    let cells: Vec<Cell> = places.iter().map(|&(_, cell)| cell).collect();
    let order = world.order(goal, &cells).unwrap();
    let mut army = Army::new(settings).unwrap();
    let group = army.add_group(order.clone(), reading).unwrap();
    for (id, (place, _)) in (0..).zip(places) {
        army.add(Unit::new(id, group, place)).unwrap();
    }
    (army, order)
}

#[test]
fn units_move_during_the_search_where_a_way_is_free() {
    // Alone on the map: no unit is in its way.
    let mut settings = Settings::default();
    (settings.pushes, settings.separation, settings.avoidance) = (0, 0.0, 0.0);
    let mut went = 0;
    for seed in 0..3 {
        let mut world = FlowWorld::new(ground(seed));
        let (mut army, order) = sent(&mut world, settings, Reading::Ahead);
        for _ in 0..200 {
            world.tick(Budget::cells(5));
            let before = army.clone();
            army.step(&world, SECONDS);
            army.cover_strays(&mut world);
            for (unit, before) in army.units().iter().zip(before.units()) {
                assert!(!in_wall(world.costs(), unit.position, unit.radius));
                let here = Cell::new(before.position[0] as i32, before.position[1] as i32);
                if world.sample(&order, here) == Sample::Waiting
                    && world.provisional(&order, here).is_some()
                {
                    assert_ne!(unit.position, before.position, "{unit:?}");
                    went += 1;
                }
            }
        }
        let came = army.units().iter().map(|unit| unit.position[0]);
        let mean = came.sum::<f32>() / army.units().len() as f32;
        assert!(
            mean > 50.0,
            "10 s of a march eastward, and they are at {mean}"
        );
    }
    assert!(went > 10_000, "only {went} provisional steps");
}

#[test]
fn units_that_went_ahead_arrive_and_enter_no_wall() {
    for (reading, cells) in [
        (Reading::Ahead, 15),
        (Reading::Nearest, 60),
        (Reading::Bilinear, 400),
    ] {
        let mut world = FlowWorld::new(ground(7));
        let (mut army, order) = sent(&mut world, Settings::default(), reading);
        let (mut ticks, mut waited) = (0, 0);
        while !army.is_settled() {
            // Small budgets until the field is there; then the march is what takes time.
            let is_there = !world.inspect().loaded(&order).is_empty();
            waited += u32::from(!is_there);
            world.tick(Budget::cells(if is_there { 2_000 } else { cells }));
            army.step(&world, SECONDS);
            army.cover_strays(&mut world);
            for unit in army.units() {
                assert!(
                    !in_wall(world.costs(), unit.position, unit.radius),
                    "{unit:?}"
                );
            }
            ticks += 1;
            assert!(ticks < 8_000, "{reading:?}: {waited} ticks without a field");
        }
        assert!(waited > 10, "{waited} ticks");
        assert!(
            army.units()
                .iter()
                .all(|unit| unit.state == UnitState::Arrived)
        );
    }
}
