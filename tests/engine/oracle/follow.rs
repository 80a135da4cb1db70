//! Drives a world and holds what it says against the map.

use flowtiles::{Budget, Cell, Direction, FlowWorld, Order, Sample};

use super::sight::sees;
use super::{Field, Map, field_within, islands, length_of_step, sector_of};

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

/// What of the stats belongs to orders: orders, tiles, sectors, bytes.
pub fn held(world: &FlowWorld) -> [usize; 4] {
    let stats = world.stats();
    [
        stats.orders,
        stats.tiles,
        stats.sectors_loaded,
        stats.order_bytes,
    ]
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Arrived,
    Unreachable,
}

pub struct Walk {
    /// Where the unit stood last.
    pub last: Cell,
    pub end: End,
    /// The sum of the step rule's prices.
    pub price: u64,
    /// Octile length, in the fixed point of [`in_cells`](super::in_cells).
    pub length: u64,
    pub steps: usize,
    /// How many times the unit had to ask for more sectors.
    pub strayed: usize,
}

/// Walks one unit as a game would: step, cover, tick. Every step must be legal
/// on the map, and no cell is trodden twice.
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
            Sample::Go(direction) | Sample::InSight(direction) => {
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
            Sample::Waiting | Sample::Toward(_) => {
                finish(world);
                idle += 1;
            }
            Sample::Arrived => {
                walk.end = End::Arrived;
                return walk;
            }
            Sample::Unreachable => return walk,
        }
        assert!(idle < 3, "the unit at {here} is left standing on {map}");
    }
}

/// Holds every open cell of the map to the restricted Dijkstra. Where that
/// has a value, the cost-to-go is the same and the direction is the first that
/// keeps it, told as in sight just where the straight way is free, and not
/// everywhere far off; elsewhere the answer is honest.
pub fn hold_field(world: &FlowWorld, order: &Order, map: &Map, goal: Cell, start: u64) {
    let loaded = world.loaded(order);
    assert!(
        loaded.is_sorted_by(|a, b| (a.y, a.x) < (b.y, b.x)),
        "ascending: {loaded:?}"
    );
    let expected = field_within(map, goal, start, &loaded);
    let islands = islands(map);
    let sectors = loaded.iter().copied().collect();
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
            (Some(to_go), Sample::Go(way) | Sample::InSight(way)) => {
                let keeping = |&way: &Direction| keeps(map, &expected, cell, way, to_go);
                Direction::ALL.into_iter().find(keeping) == Some(way)
            }
            _ => false,
        };
        let in_sight = cell != goal && sees(map, &sectors, cell, goal);
        let told = matches!(answer, Sample::InSight(_));
        let right = right
            && if is_near(cell, goal) {
                told == in_sight
            } else {
                !told || in_sight
            };
        assert!(
            right,
            "{answer:?} at {cell}, goal {goal}, loaded {loaded:?}, on {map}"
        );
    }
}

/// Whether a cell lies in the goal's sector or beside it: there whatever is in
/// sight is told to be.
pub fn is_near(cell: Cell, goal: Cell) -> bool {
    let (here, there) = (sector_of(cell), sector_of(goal));
    (here.x - there.x).abs().max((here.y - there.y).abs()) <= 1
}

/// Whether a step leads to where the rest of the way costs the rest.
fn keeps(map: &Map, field: &Field, cell: Cell, way: Direction, to_go: u64) -> bool {
    let next = cell.step(way);
    let price = map.step(cell, next);
    price.is_some_and(|price| field[map.id(next)].is_some_and(|on| price + on == to_go))
}

/// The answers at every cell of the map, walls included.
pub fn answers(world: &FlowWorld, order: &Order, map: &Map) -> Vec<Sample> {
    map.cells().map(|cell| world.sample(order, cell)).collect()
}

/// Holds that no direction anywhere points into a wall or cuts a corner.
pub fn hold_legal(world: &FlowWorld, order: &Order, map: &Map) {
    for cell in map.open_cells() {
        if let Some(direction) = world.sample(order, cell).direction() {
            assert!(
                map.step(cell, cell.step(direction)).is_some(),
                "an illegal step {direction} from {cell} on {map}"
            );
        }
    }
}
