//! A path copied from the inspector: cells 0..50 by 0..30 of its map.

use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Goal, Sample};

/// `.` costs 1, `#` is a wall, a digit or a letter costs what `PRICES` says.
const MAP: [&str; 30] = [
    ".................###................aa............",
    ".................###................aa............",
    ".................###................aa............",
    ".................###................aa............",
    ".................###................aa............",
    ".....###.........###................aa............",
    ".....#.#.........###................aa............",
    ".....###.........###................aa............",
    ".................###................aa............",
    ".................###................aa............",
    ".................###........6666....aa............",
    ".................###........6666....aa............",
    ".................###........6666....aa............",
    ".................###........6666....aa............",
    ".................###........6666....aa............",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    ".................###........6666..................",
    "............................6666..................",
    "............................6666..................",
    "............................6666..................",
    "............................6666..................",
    "............................6666..................",
    "............................6666..................",
];

const PRICES: [(char, u8); 2] = [('6', 6), ('a', 40)];

#[test]
fn the_way_is_the_one_that_was_seen() {
    let price = |letter| match letter {
        '.' => 1,
        '#' => 255,
        _ => {
            let known = PRICES.iter().find(|known| known.0 == letter);
            known.expect("a price").1
        }
    };
    let rows: Vec<u8> = MAP.iter().flat_map(|row| row.chars()).map(price).collect();
    let costs = CostMap::from_rows(50, 30, &rows).expect("a map");
    let units = [Cell::new(3, 3), Cell::new(10, 27), Cell::new(6, 6)];
    let goal = Goal::at(Cell::new(45, 5)).or_nearest();
    let mut world = FlowWorld::new(costs);
    let order = world.order(goal, &units).expect("an order");
    while world.tick(Budget::UNLIMITED).waiting > 0 {}
    let walked = units.map(|unit| {
        let (mut cell, mut price) = (unit, 0u64);
        while let Some(step) = world.sample(&order, cell).direction() {
            let cost = world.costs().get(cell).map_or(255, Cost::value);
            price += u64::from(cost) * if step.is_diagonal() { 7 } else { 5 };
            cell = cell.step(step);
        }
        (world.sample(&order, cell) == Sample::Arrived).then_some((cell, price))
    });
    // Where each unit ends, and the price of its path in fifths of an open step.
    assert_eq!(
        walked,
        [
            Some((Cell::new(45, 5), 368)),
            Some((Cell::new(45, 5), 273)),
            Some((Cell::new(6, 6), 0))
        ]
    );
}
