//! Jams: what an army's record writes into the world, and what becomes of it.

use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Movement};

use super::plain_jams::PlainJams;
use crate::draws::{Rng, draws};

fn draw_area(rng: &mut Rng, side: i32) -> CellRect {
    let [x, y] = [rng.below(WIDTH), rng.below(HEIGHT)];
    let [width, height] = [WIDTH - x, HEIGHT - y].map(|left| 1 + rng.below(side.min(left)) as u32);
    CellRect::new(x, y, width, height)
}

/// Draws units in some areas, so that some of these fill up.
fn draw_units(rng: &mut Rng) -> Vec<(Cell, u16)> {
    let mut units = Vec::new();
    for _ in 0..rng.below(4) {
        let filled = [0, 40, 100, 100, 300, 6400][rng.below(6) as usize];
        units.extend(draw_area(rng, 15).cells().map(|cell| (cell, filled)));
    }
    units
}

const WIDTH: i32 = 58;
const HEIGHT: i32 = 33;

/// A jam that fills an area.
fn jam(area: CellRect) -> Vec<(Cell, u16)> {
    area.cells().map(|cell| (cell, 400)).collect()
}

#[test]
fn jam_record_fits_its_definition_and_is_saved() {
    for seed in 0..2 * draws() {
        let mut rng = Rng::new(seed);
        let mut world = FlowWorld::new(CostMap::open(WIDTH as u32, HEIGHT as u32).unwrap());
        let layers = [(); 2].map(|()| world.add_layer(Movement::new()).unwrap());
        let costs = [[1, 2, 4, 8], [0, 5, 3, 250]];
        let mut army = Army::default();
        army.set_jam_costs(&mut world, layers[0], costs[0]).unwrap();
        let mut plain = PlainJams::default();
        for round in 0..40 {
            if rng.below(4) == 0 {
                let cost = [Cost::WALL, Cost::OPEN][rng.below(2) as usize];
                world.edit(draw_area(&mut rng, 8), cost).unwrap();
            }
            if round == 20 {
                army.set_jam_costs(&mut world, layers[1], costs[1]).unwrap();
            }
            if rng.below(8) == 0 {
                let (loaded_world, _) = FlowWorld::load(&world.save()).unwrap();
                let loaded = Army::load(&army.save(), &loaded_world).unwrap();
                assert_eq!(loaded.state_hash(), army.state_hash());
                assert_eq!(loaded_world.state_hash(), world.state_hash());
                assert_eq!(loaded.save(), army.save());
                (world, army) = (loaded_world, loaded);
            }
            let units = draw_units(&mut rng);
            army.note_units(&mut world, &units);
            plain.note(world.costs(), &units);
            let known = if round < 20 { 1 } else { 2 };
            for cell in CellRect::new(0, 0, WIDTH as u32, HEIGHT as u32).cells() {
                for (layer, costs) in layers.iter().zip(costs).take(known) {
                    let level = usize::from(plain.level(cell));
                    let wanted = if level == 0 { 0 } else { costs[level - 1] };
                    assert_eq!(
                        world.surcharge_of(*layer, cell),
                        wanted,
                        "{cell} in {round}"
                    );
                }
            }
        }
    }
}

#[test]
fn surcharges_of_jams_and_game_are_independent() {
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let layer = world.add_layer(Movement::new()).unwrap();
    let mut army = Army::default();
    army.set_jam_costs(&mut world, layer, [1, 2, 4, 8]).unwrap();
    let (inside, beside) = (Cell::new(22, 22), Cell::new(10, 10));
    let of = |world: &FlowWorld| [inside, beside].map(|cell| world.surcharge_of(layer, cell));
    let whole = CellRect::new(0, 0, 60, 40);
    world.surcharge(layer, &[(whole, 5)]).unwrap();
    let units = jam(CellRect::new(20, 20, 5, 5));
    for _ in 0..4 {
        army.note_units(&mut world, &units);
    }
    assert_eq!(of(&world), [13, 5]);
    world.surcharge(layer, &[(whole, 0)]).unwrap();
    assert_eq!(of(&world), [8, 0]);
    world.surcharge(layer, &[(whole, 255)]).unwrap();
    // Other costs hold at once; none takes all away that jams have added, and only that.
    army.set_jam_costs(&mut world, layer, [0, 0, 0, 3]).unwrap();
    world.surcharge(layer, &[(whole, 7)]).unwrap();
    assert_eq!(of(&world), [10, 7]);
    let other = Army::default().set_jam_costs(&mut world, layer, [0; 4]);
    assert_eq!((other.unwrap().changed, of(&world)), (1, [7, 7]));
    army.set_jam_costs(&mut world, layer, [0, 0, 0, 3]).unwrap();
    for _ in 0..20 {
        army.note_units(&mut world, &[]);
    }
    assert_eq!(of(&world), [7, 7]);
    army.set_jam_costs(&mut world, layer, [0; 4]).unwrap();
    assert_eq!(army.state_hash(), Army::default().state_hash());
    for none in [LayerId::GROUND, LayerId::from_number(2)] {
        assert!(army.set_jam_costs(&mut world, none, [1; 4]).is_err());
    }
    assert_eq!(army.state_hash(), Army::default().state_hash());
}

#[test]
fn a_call_changes_64_quarters_and_the_next_the_rest() {
    let mut world = FlowWorld::new(CostMap::open(100, 100).unwrap());
    let layer = world.add_layer(Movement::new()).unwrap();
    let mut army = Army::default();
    army.set_jam_costs(&mut world, layer, [1, 2, 4, 8]).unwrap();
    let units = jam(CellRect::new(0, 0, 100, 100));
    for round in 0..8_usize {
        let report = army.note_units(&mut world, &units);
        let due = 400_usize.saturating_sub(64 * round);
        assert_eq!(report.changed, due.min(64), "in round {round}");
        let whole = CellRect::new(0, 0, 100, 100).cells();
        let jammed = whole.filter(|&cell| world.surcharge_of(layer, cell) > 0);
        assert_eq!(jammed.count(), 25 * 400.min(64 * (round + 1)));
    }
}

#[test]
fn the_jams_that_have_changed_most_go_first() {
    let mut world = FlowWorld::new(CostMap::open(100, 100).unwrap());
    let layer = world.add_layer(Movement::new()).unwrap();
    let mut army = Army::default();
    army.set_jam_costs(&mut world, layer, [1, 2, 4, 8]).unwrap();
    // One round makes level 4 in the south of all, level 1 elsewhere.
    let full = CellRect::new(0, 95, 100, 5);
    let units: Vec<(Cell, u16)> = CellRect::new(0, 0, 100, 100)
        .cells()
        .map(|cell| (cell, if full.contains(cell) { 400 } else { 70 }))
        .collect();
    assert_eq!(army.note_units(&mut world, &units).changed, 64);
    let of = |x, y| world.surcharge_of(layer, Cell::new(x, y));
    assert_eq!([of(2, 97), of(97, 97)], [8, 8]);
    // The other 44 are the first from the north.
    assert_eq!([of(2, 2), of(97, 7), of(17, 12), of(22, 12)], [1, 1, 1, 0]);
}

#[test]
fn another_world_than_before_is_no_harm() {
    let mut worlds = [100, 12].map(|side| FlowWorld::new(CostMap::open(side, side).unwrap()));
    let layer = worlds[0].add_layer(Movement::new()).unwrap();
    let mut army = Army::default();
    army.set_jam_costs(&mut worlds[0], layer, [1; 4]).unwrap();
    army.note_units(&mut worlds[0], &jam(CellRect::new(90, 90, 10, 10)));
    let units = jam(CellRect::new(8, 8, 10, 10));
    assert_eq!(army.note_units(&mut worlds[1], &units), Default::default());
    worlds[1].add_layer(Movement::new()).unwrap();
    army.set_jam_costs(&mut worlds[1], layer, [1; 4]).unwrap();
    assert_eq!(worlds[1].surcharge_of(layer, Cell::new(11, 11)), 1);
}

#[test]
fn surcharges_make_nobody_faster_and_nobody_slower() {
    let ends = [0, 100, 250].map(|amount| {
        let mut map = CostMap::open(60, 20).unwrap();
        let whole = CellRect::new(0, 0, 60, 20);
        map.edit(whole, Cost::new(20).unwrap()).unwrap();
        let mut world = FlowWorld::new(map);
        let movement = Movement::new().with_cost(Cost::new(20).unwrap(), Cost::new(10).unwrap());
        let layer = world.add_layer(movement).unwrap();
        world.surcharge(layer, &[(whole, amount)]).unwrap();
        let order = world
            .order(Goal::at(Cell::new(50, 10)).on(layer), &[Cell::new(5, 10)])
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
    assert!(
        ends[0] > 6.0 && ends.iter().all(|end| (end - ends[0]).abs() < 0.1),
        "{ends:?}"
    );
}
