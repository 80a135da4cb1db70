//! Tiles of any costs: the costs-to-go and directions that the kernels give them, and after
//! edits, compared with a Dijkstra.

use flowtiles::{Cost, Goal, Quality};

use crate::draws::Rng;
use crate::oracle::Map;
use crate::oracle::follow::{assert_field, finish, world_of};
use crate::print_if_asked;

/// Costs that lead to each kind of lanes: of one cost, of few and small ones, of far apart
/// ones, and of any.
const COSTS: [&[u8]; 6] = [
    &[1, 1, 1, 255],
    &[1],
    &[4, 4, 4, 1, 255],
    &[1, 2, 3, 7, 20, 255],
    &[254, 254, 1, 255],
    &[],
];
/// Costs at the goal: none, near the ends of 15, 16 and 32 bits, and the most.
const STARTS: [u64; 8] = [
    0,
    1,
    0x7FF0,
    0xFFF0,
    0xFFFF_FF00,
    1 << 33,
    (1 << 60) - 1,
    1 << 60,
];

/// Settles tiles.
pub fn kernels(data: &[u8]) {
    let mut rng = Rng::of(data);
    let costs = rng.pick(&COSTS);
    let mut map = Map::open(rng.between(1, 31), rng.between(1, 31));
    let start = rng.pick(&STARTS);
    let goal = rng.cell(&map);
    let edits = rng.below(4);
    let draw = |rng: &mut Rng| match costs {
        [] => rng.below(256).max(1) as u8,
        costs => rng.pick(costs),
    };
    map.costs.fill_with(|| draw(&mut rng));
    map.set(goal, map.cost(goal) % 255 + u8::from(!map.is_open(goal)));
    print_if_asked(|| format!("goal {goal}, start {start}, on {map}"));
    let mut world = world_of(&map);
    let asked = Goal::at(goal).with_start_cost(start);
    let order = world
        .order(asked.with_quality(Quality::Everywhere), &[])
        .expect("the goal is open");
    finish(&mut world);
    assert_field(&world, &order, &map, goal, start);
    for _ in 0..edits {
        let (area, cost) = (rng.area(&map, 12), draw(&mut rng));
        if area.cells().any(|cell| cell == goal) && cost == u8::MAX {
            continue;
        }
        print_if_asked(|| format!("{area:?} costs {cost}"));
        map.fill(area, cost);
        world
            .edit(area, Cost::new(cost).expect("not 0"))
            .expect("on the map");
        finish(&mut world);
        assert_field(&world, &order, &map, goal, start);
    }
}
