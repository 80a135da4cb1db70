//! Units whose order is still searched, on small budgets: they go toward the goal
//! meanwhile, and arrive.

use flowtiles::steer::{Army, Reading, Settings, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

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
            army.tick(
                &mut world,
                Budget::cells(if is_there { 2_000 } else { cells }),
                SECONDS,
            );
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
