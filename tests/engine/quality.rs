//! The quality of plain orders' paths, against a Dijkstra over the whole map.

use crate::draws::draws;
use crate::oracle::draw::Rng;
use crate::oracle::follow::{End, finish, walk, world_of};
use crate::oracle::{Map, WALL, field};
use flowtiles::Cell;

/// Paths with fewer steps than this are not judged.
const LONG: usize = 50;

/// The prices of orders' paths, each with the price of the cheapest path.
fn prices(map: &Map, rng: &mut Rng, into: &mut Vec<(u64, u64)>) {
    let mut world = world_of(map);
    for _ in 0..2 {
        let goal = rng.open_cell(map).expect("open ground");
        let best = field(map, goal, 0);
        for _ in 0..30 {
            let unit = rng.open_cell(map).expect("open ground");
            let Some(best) = best[map.id(unit)] else {
                continue;
            };
            let apart = (unit.x - goal.x).abs().max((unit.y - goal.y).abs());
            if (apart as usize) < LONG {
                continue;
            }
            let order = world.order(goal, &[unit]).expect("reachable");
            finish(&mut world);
            let walked = walk(&mut world, &order, map, unit);
            assert_eq!((walked.end, walked.last), (End::Arrived, goal), "{map}");
            into.push((walked.price, best));
        }
    }
}

/// Returns the worst ratio and the share of those over 1.05, both in thousandths.
fn worst_and_over(all: &[(u64, u64)]) -> (u64, usize) {
    let worst = all.iter().map(|&(price, best)| price * 1000 / best).max();
    let over = all
        .iter()
        .filter(|&&(price, best)| price * 100 > best * 105);
    (
        worst.unwrap_or(1000),
        over.count() * 1000 / all.len().max(1),
    )
}

fn costed(side: i32, [low, high]: [i32; 2], walls: i32, rng: &mut Rng) -> Map {
    let mut map = Map::open(side, side);
    for cell in map.cells().collect::<Vec<Cell>>() {
        let is_wall = rng.chance(walls);
        let cost = rng.between(low, high) as u8;
        map.set(cell, if is_wall { WALL } else { cost });
    }
    map
}

#[test]
fn paths_over_drawn_costs_are_near_the_cheapest() {
    for (bounds, walls) in [([1, 20], 0), ([1, 20], 20), ([60, 254], 0), ([60, 254], 20)] {
        let mut all = Vec::new();
        let seeds = (2 * draws()).min(5);
        for seed in 0..seeds {
            let mut rng = Rng::new(seed + 40);
            let map = costed(112, bounds, walls, &mut rng);
            prices(&map, &mut rng, &mut all);
        }
        assert!(all.len() as u64 > 16 * seeds, "only {} orders", all.len());
        let (worst, over) = worst_and_over(&all);
        assert!(
            worst <= 1080 && over <= 10,
            "{bounds:?}, {walls} % walls: {worst}, {over}"
        );
    }
}

#[test]
fn short_paths_between_walls_are_near_the_cheapest() {
    let mut all = Vec::new();
    for seed in 0..(3 * draws()).min(8) {
        let mut rng = Rng::new(seed + 80);
        let mut map = Map::open(112, 112);
        for cell in map.cells().collect::<Vec<Cell>>() {
            if rng.chance(20) {
                map.set(cell, WALL);
            }
        }
        prices(&map, &mut rng, &mut all);
    }
    let (worst, over) = worst_and_over(&all);
    assert!(
        worst <= 1040 && over == 0,
        "{} orders: {worst}, {over}",
        all.len()
    );
}
