//! Drives a world and checks its answers against the map.

use flowtiles::{Budget, Cell, Direction, FlowWorld, Order, Sample};

use super::sight::sees;
use super::{Field, Map, field_within, islands, length_of_step};

pub fn world_of(map: &Map) -> FlowWorld {
    FlowWorld::new(map.cost_map())
}

/// Ticks until no order has work left.
pub fn finish(world: &mut FlowWorld) {
    for _ in 0..100 {
        if world.tick(Budget::UNLIMITED).waiting == 0 {
            return;
        }
    }
    panic!("a hundred unlimited ticks, and still orders wait");
}

/// Returns the stats that belong to orders: orders, tiles, sectors, bytes.
pub fn order_stats(world: &FlowWorld) -> [usize; 4] {
    let stats = world.inspect().stats();
    [
        stats.orders,
        stats.tiles,
        stats.sectors_loaded,
        stats.order_bytes,
    ]
}

/// The end of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Arrived,
    Unreachable,
}

pub struct Walk {
    /// The unit's last cell.
    pub last: Cell,
    pub end: End,
    /// The sum of the step costs.
    pub price: u64,
    /// The octile length, in the fixed point of [`in_cells`](super::in_cells).
    pub length: u64,
    pub steps: usize,
    /// The number of times that the unit had to ask for more sectors.
    pub strayed: usize,
}

/// Walks one unit as a game would: step, cover, tick. Every step must be legal
/// on the map, and no cell is visited twice.
pub fn walk(world: &mut FlowWorld, order: &Order, map: &Map, unit: Cell) -> Walk {
    let mut walk = Walk {
        last: unit,
        end: End::Unreachable,
        price: 0,
        length: 0,
        steps: 0,
        strayed: 0,
    };
    let mut idle = 0;
    loop {
        let here = walk.last;
        match world.sample(order, here) {
            Sample::Go(direction) => {
                let next = here.step(direction);
                let Some(price) = map.step(here, next) else {
                    panic!("an illegal step {direction} from {here} on {map}");
                };
                walk.price += price;
                walk.length += length_of_step(here, next);
                walk.steps += 1;
                walk.last = next;
                idle = 0;
                assert!(
                    walk.steps <= map.costs.len(),
                    "the unit from {unit} circles on {map}"
                );
            }
            Sample::OffRoute => {
                world.cover(order, here).expect("the unit is on the map");
                finish(world);
                walk.strayed += 1;
                idle += 1;
            }
            Sample::Waiting => {
                finish(world);
                idle += 1;
            }
            Sample::Arrived => {
                walk.end = End::Arrived;
                return walk;
            }
            Sample::Unreachable => return walk,
            other => panic!("{other} at {here} on {map}"),
        }
        assert!(idle < 3, "the unit at {here} is left standing on {map}");
    }
}

/// Checks every open cell of the map against the Dijkstra restricted to the
/// loaded sectors. Where this has a value, the cost-to-go is equal, and the
/// direction is the first that keeps it; the goal counts as in sight exactly if it is.
/// Elsewhere the answer must be true.
pub fn assert_field(world: &FlowWorld, order: &Order, map: &Map, goal: Cell, start: u64) {
    let loaded = world.inspect().loaded(order);
    assert!(
        loaded.is_sorted_by(|a, b| (a.y, a.x) < (b.y, b.x)),
        "ascending: {loaded:?}"
    );
    let expected = field_within(map, goal, start, &loaded);
    let islands = islands(map);
    for cell in map.open_cells() {
        let id = map.id(cell);
        assert_eq!(
            world.cost_to_go(order, cell),
            expected[id],
            "cost-to-go of {cell}, goal {goal}, loaded {loaded:?}, on {map}"
        );
        let answer = world.sample(order, cell);
        let right = match (expected[id], answer) {
            _ if islands[id] != islands[map.id(goal)] => answer == Sample::Unreachable,
            (None, answer) => answer == Sample::OffRoute,
            (Some(_), answer) if cell == goal => answer == Sample::Arrived,
            (Some(to_go), Sample::Go(way)) => {
                let keeping = |&way: &Direction| keeps(map, &expected, cell, way, to_go);
                Direction::ALL.into_iter().find(keeping) == Some(way)
            }
            _ => false,
        };
        let to_go = expected[id].map(|to_go| to_go - start);
        let seen = sees(map, to_go, cell, goal).then_some(goal);
        let right = right && world.sees_goal(order, cell) == seen;
        assert!(
            right,
            "{answer:?} at {cell}, goal {goal}, loaded {loaded:?}, on {map}"
        );
    }
}

/// Whether the cost of a step plus the cost-to-go after it equals the
/// cost-to-go.
fn keeps(map: &Map, field: &Field, cell: Cell, way: Direction, to_go: u64) -> bool {
    let next = cell.step(way);
    let price = map.step(cell, next);
    price.is_some_and(|price| field[map.id(next)].is_some_and(|on| price + on == to_go))
}

/// Returns the samples of every cell of the map, walls included.
pub fn answers(world: &FlowWorld, order: &Order, map: &Map) -> Vec<Sample> {
    map.cells().map(|cell| world.sample(order, cell)).collect()
}

/// Checks that no direction points into a wall or cuts a corner.
pub fn assert_legal(world: &FlowWorld, order: &Order, map: &Map) {
    for cell in map.open_cells() {
        if let Some(direction) = world.sample(order, cell).direction() {
            assert!(
                map.step(cell, cell.step(direction)).is_some(),
                "an illegal step {direction} from {cell} on {map}"
            );
        }
    }
}
