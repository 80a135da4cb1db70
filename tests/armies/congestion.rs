//! Armies on congested ground.

use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement};

#[test]
fn congestion_makes_nobody_faster() {
    let ends = [false, true].map(|jammed| {
        let mut map = CostMap::open(60, 20).unwrap();
        map.edit(CellRect::new(0, 0, 60, 20), Cost::new(20).unwrap())
            .unwrap();
        let mut world = FlowWorld::new(map);
        let movement = Movement::new().with_cost(Cost::new(20).unwrap(), Cost::new(10).unwrap());
        let wary = world
            .add_layer(movement.with_congestion_costs([250, 250, 250, 250]))
            .unwrap();
        if jammed {
            let jam: Vec<(Cell, u16)> = CellRect::new(0, 0, 60, 20)
                .cells()
                .map(|cell| (cell, 400))
                .collect();
            for _ in 0..4 {
                world.note_units(&jam).unwrap();
            }
        }
        let order = world
            .order(Goal::at(Cell::new(50, 10)).on(wary), &[Cell::new(5, 10)])
            .unwrap();
        world.tick(Budget::UNLIMITED);
        let mut army = Army::default();
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(0, group, [5.5, 10.5])).unwrap();
        for _ in 0..200 {
            army.step(&world, 0.05);
        }
        army.get(0).unwrap().position[0]
    });
    assert!((ends[0] - ends[1]).abs() < 0.1);
}
