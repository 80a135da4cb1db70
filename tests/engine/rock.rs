//! Units in rock: a unit with a way out is led out and to the goal, whatever
//! other units are there and whatever was edited.

use crate::oracle::Map;
use crate::oracle::WALL;
use crate::oracle::draw::Rng;
use crate::oracle::follow::{finish, world_of};
use flowtiles::{Cell, CellRect, Cost, FlowWorld, Order, Sample};

/// Follows a unit's samples through rock and over open ground; returns the
/// sample after which there is no next step.
fn led(world: &FlowWorld, order: &Order, unit: Cell) -> Sample {
    let mut cell = unit;
    for _ in 0..1000 {
        match world.sample(order, cell) {
            Sample::Go(direction) => cell = cell.step(direction),
            end => return end,
        }
    }
    panic!("the unit from {unit} walks to and fro");
}

/// Returns rock with open ground in the east.
fn rock(width: i32, east: i32) -> Map {
    let mut map = Map::open(width, 60);
    map.fill(CellRect::new(0, 0, east as u32, 60), WALL);
    map
}

#[test]
fn another_units_exit_leads_no_unit_into_a_pocket() {
    let mut map = rock(100, 95);
    map.fill(CellRect::new(70, 29, 3, 3), 1);
    let (goal, deep, beyond) = (Cell::new(99, 30), Cell::new(50, 30), Cell::new(80, 30));
    for units in [vec![deep], vec![deep, beyond], vec![beyond, deep]] {
        let mut world = world_of(&map);
        let order = world.order(goal, &units).expect("ways lead out");
        finish(&mut world);
        for &unit in &units {
            assert_eq!(
                led(&world, &order, unit),
                Sample::Arrived,
                "{unit} of {units:?}"
            );
        }
    }
}

#[test]
fn edit_does_not_lead_a_unit_to_unloaded_ground() {
    let map = rock(100, 62);
    let (goal, unit) = (Cell::new(99, 30), Cell::new(50, 30));
    let mut world = world_of(&map);
    let order = world.order(goal, &[unit]).expect("a way leads out");
    finish(&mut world);
    // Nearer open ground, which has a path to the goal but is not loaded.
    let cut = CellRect::new(45, 22, 17, 1);
    world.edit(cut, Cost::OPEN).expect("on the map");
    finish(&mut world);
    assert_eq!(led(&world, &order, unit), Sample::Arrived);
}

#[test]
fn units_in_drawn_rock_are_led_to_their_goal() {
    let mut rng = Rng::new(144);
    let (mut arrived, mut edited) = (0, 0);
    for _ in 0..60 {
        let mut map = rock(90, 84);
        for _ in 0..rng.between(0, 25) {
            let (width, height) = (rng.between(1, 9), rng.between(1, 9));
            let (x, y) = (rng.between(0, 89 - width), rng.between(0, 59 - height));
            map.fill(CellRect::new(x, y, width as u32, height as u32), 1);
        }
        let goal = Cell::new(89, rng.between(0, 59));
        let in_rock = |map: &Map, rng: &mut Rng| loop {
            let cell = rng.cell(map);
            if !map.is_open(cell) {
                return cell;
            }
        };
        let mut units = vec![in_rock(&map, &mut rng)];
        let alone = {
            let mut world = world_of(&map);
            let order = world.order(goal, &units).expect("there is open ground");
            finish(&mut world);
            led(&world, &order, units[0])
        };
        for _ in 0..rng.between(1, 12) {
            units.push(in_rock(&map, &mut rng));
        }
        let mut world = world_of(&map);
        let order = world.order(goal, &units).expect("there is open ground");
        finish(&mut world);
        assert_eq!(led(&world, &order, units[0]), alone, "{units:?} on {map}");
        for round in 0..4 {
            for &unit in &units {
                if map.is_open(unit) {
                    continue;
                }
                let end = led(&world, &order, unit);
                assert!(
                    matches!(end, Sample::Arrived | Sample::Unreachable),
                    "{unit}: {end:?} in round {round} on {map}"
                );
                arrived += usize::from(end == Sample::Arrived);
                edited += usize::from(round > 0);
            }
            let cost = if rng.chance(70) { 1 } else { WALL };
            let area = CellRect::new(rng.between(0, 70), rng.between(0, 50), 9, 2);
            map.fill(area, cost);
            let cost = Cost::new(cost).expect("not 0");
            world.edit(area, cost).expect("on the map");
            finish(&mut world);
        }
    }
    assert!(
        arrived > 500 && edited > 500,
        "{arrived} arrived, {edited} after an edit"
    );
}
