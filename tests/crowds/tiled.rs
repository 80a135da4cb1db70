//! Solves of a few sectors, with the order's cost-to-go at their rim, compared
//! with a solve of the whole map.

use flowtiles::crowd::{Conduct, Crowd};
use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Order};

use super::scene::{all_at_once, long, walk, whole_map, world_to};
use crate::crowd::Draw;
use crate::draws::draws;

const SIDE: u32 = 160;
const GOAL: Cell = Cell::new(140, 95);

fn open() -> CostMap {
    CostMap::open(SIDE, SIDE).unwrap()
}

fn blocks() -> CostMap {
    let (mut map, mut draw) = (open(), Draw::new(3));
    for _ in 0..130 {
        let [x, y] = [(); 2].map(|()| draw.below(SIDE - 8) as i32);
        let block = CellRect::new(x, y, 3 + draw.below(5), 3 + draw.below(5));
        map.edit(block, Cost::WALL).unwrap();
    }
    map.edit(CellRect::new(134, 90, 12, 12), Cost::OPEN)
        .unwrap();
    map
}

/// Returns rooms of 16 cells with two doors in each wall.
fn rooms() -> CostMap {
    let (mut map, mut draw) = (open(), Draw::new(9));
    for line in 1..10 {
        let at = line * 16;
        map.edit(CellRect::new(at, 0, 1, SIDE), Cost::WALL).unwrap();
        map.edit(CellRect::new(0, at, SIDE, 1), Cost::WALL).unwrap();
    }
    for line in 1..10 {
        for room in 0..10 {
            for _ in 0..2 {
                let [across, along] = [(); 2].map(|()| room * 16 + 2 + draw.below(11) as i32);
                map.edit(CellRect::new(line * 16, across, 1, 2), Cost::OPEN)
                    .unwrap();
                map.edit(CellRect::new(along, line * 16, 2, 1), Cost::OPEN)
                    .unwrap();
            }
        }
    }
    map
}

/// Returns places on open ground where a solve of the whole map has a
/// direction.
fn starts(world: &FlowWorld, order: &Order, count: usize) -> Vec<[f32; 2]> {
    let mut draw = Draw::new(17);
    let mut starts = Vec::new();
    while starts.len() < count {
        let cell = Cell::new(draw.below(110) as i32, draw.below(SIDE) as i32);
        if world.sample(order, cell).direction().is_some()
            && world.costs().get(cell).is_some_and(|cost| !cost.is_wall())
        {
            starts.push(cell.centre());
        }
    }
    starts
}

#[test]
fn paths_of_a_rim_solve_are_hardly_longer_than_whole() {
    let nobody = |_: &mut Crowd, _, _| Vec::new();
    for (name, map) in [("open", open()), ("blocks", blocks()), ("rooms", rooms())] {
        let (world, order) = world_to(map, GOAL);
        let conduct = Conduct::default();
        let starts = starts(&world, &order, 5 * draws() as usize);
        let (mut most, mut total) = (0.0f32, 0.0);
        for &from in &starts {
            let length = |settings| {
                let mut crowd = Crowd::new(settings).unwrap();
                let ends = [from, GOAL.centre()];
                long(&walk(&world, &mut crowd, &order, &conduct, ends, nobody))
            };
            // No other unit is there: one solve of the whole map is enough.
            let mut settings = whole_map();
            settings.interval = 10.0;
            let whole = length(settings);
            let mut settings = all_at_once();
            settings.interval = 0.5;
            let tiled = length(settings);
            let over = tiled / whole - 1.0;
            (most, total) = (most.max(over), total + over);
        }
        let mean = total / starts.len() as f32;
        println!(
            "{name}: at most {:.2} % longer, {:.2} % in the mean",
            100.0 * most,
            100.0 * mean
        );
        assert!(most < 0.035 && mean < 0.005, "{name}: {most}, {mean}");
    }
}
