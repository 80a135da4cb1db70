//! Regions against the obvious way: a Dijkstra over the loaded cells, and from
//! its values the first direction that accounts for each.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::flow::Flow;
use super::region::Region;
use crate::budget::{Budget, Work};
use crate::cost::CostMap;
use crate::draws::draws;
use crate::grid::{Cell, Direction, Extent, Sector};
use crate::queue::BucketRing;
use crate::wave::step_price;

/// What ground is drawn: walls in a hundred cells, and the costs of the others.
const GROUNDS: [(u32, &[u8]); 7] = [
    (0, &[1]),
    (12, &[1]),
    (30, &[1]),
    (0, &[1, 2, 3]),
    (15, &[1, 1, 2, 5]),
    (5, &[254, 254, 253, 100]),
    (25, &[1, 254]),
];

/// Drawn costs, goals on open ground, and sectors with all of the goals' own.
struct Drawn {
    costs: CostMap,
    goals: Vec<(Cell, u64)>,
    sectors: Vec<Sector>,
}

fn draw(seed: u64) -> Drawn {
    let mut draw = draws(seed);
    let (walls, open) = GROUNDS[draw(GROUNDS.len() as u32) as usize];
    let (width, height) = (10 + draw(50), 10 + draw(50));
    let cost = |_| match draw(100) < walls {
        true => 255,
        false => open[draw(open.len() as u32) as usize],
    };
    let rows: Vec<u8> = (0..width * height).map(cost).collect();
    let costs = CostMap::from_rows(width, height, &rows).expect("a good map");
    let extent = costs.extent();
    // Near each other, so that ways of equal price meet; or any; or so far
    // apart that no near tile holds them.
    let starts: [&[u64]; 3] = [&[0, 5, 7, 10, 14, 35], &[0, 900], &[3, 1 << 33]];
    let starts = starts[draw(8).saturating_sub(5) as usize];
    let mut goals = Vec::new();
    for _ in 0..=draw(4) {
        let cell = Cell::new(draw(width) as i32, draw(height) as i32);
        if costs.is_open(cell) {
            goals.push((cell, starts[draw(starts.len() as u32) as usize]));
        }
    }
    let kept = [100, 80, 60][draw(3) as usize];
    let mut sectors: Vec<Sector> = extent.sectors().map(|id| extent.sector(id)).collect();
    sectors.retain(|&sector| draw(100) < kept || goals.iter().any(|&(at, _)| holds(sector, at)));
    Drawn {
        costs,
        goals,
        sectors,
    }
}

fn holds(sector: Sector, cell: Cell) -> bool {
    (sector.x, sector.y) == (cell.x / 10, cell.y / 10)
}

fn whole(drawn: &Drawn, sectors: Vec<Sector>) -> Region {
    let goals = drawn.goals.iter().copied();
    let mut region = Region::new(&drawn.costs, sectors, goals, None, BucketRing::new());
    let done = region.advance(&drawn.costs, &mut Work::within(Budget::UNLIMITED));
    assert!(done, "no budget stops it");
    region
}

/// The costs-to-go inside the loaded sectors, by cell id.
fn dijkstra(drawn: &Drawn, loaded: &[Sector]) -> Vec<Option<u64>> {
    let extent = drawn.costs.extent();
    let loaded: BTreeSet<Sector> = loaded.iter().copied().collect();
    let enter = |cell| loaded.contains(&extent.sector(extent.locate(cell).0));
    let mut values = vec![None; (extent.width() * extent.height()) as usize];
    let mut queue = BinaryHeap::new();
    for &(cell, start) in &drawn.goals {
        queue.push(Reverse((start, cell.y, cell.x)));
    }
    while let Some(Reverse((value, y, x))) = queue.pop() {
        let cell = Cell::new(x, y);
        let held = &mut values[extent.cell_id(cell) as usize];
        if held.is_some() {
            continue;
        }
        *held = Some(value);
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            let from = Cell::new(x - dx, y - dy);
            if extent.contains(from)
                && enter(from)
                && let Some(price) = step_price(&drawn.costs, from, direction)
            {
                queue.push(Reverse((value + u64::from(price), from.y, from.x)));
            }
        }
    }
    values
}

/// The rule: the first direction that accounts for a cell's value; `HERE`
/// where none does, `NONE` where there is no value.
fn first_way(drawn: &Drawn, extent: Extent, values: &[Option<u64>], cell: Cell) -> Flow {
    let at = |cell| values[extent.cell_id(cell) as usize];
    let Some(value) = at(cell) else {
        return Flow::NONE;
    };
    let accounts = |&direction: &Direction| {
        let price = step_price(&drawn.costs, cell, direction);
        price.is_some_and(|price| {
            at(cell.step(direction)).is_some_and(|beyond| beyond + u64::from(price) == value)
        })
    };
    let first = Direction::ALL.into_iter().find(accounts);
    first.map_or(Flow::HERE, |direction| Flow::of(direction as u8))
}

/// Holds what a region says of every loaded cell to the rule.
fn hold(drawn: &Drawn, region: Region, context: &str) {
    let extent = drawn.costs.extent();
    let to_go = |cell| region.cost_to_go(&drawn.costs, cell);
    let found: Vec<Option<u64>> = drawn.costs.area().cells().map(to_go).collect();
    let (field, _) = region.into_field();
    let values = dijkstra(drawn, &field.sectors());
    for cell in drawn.costs.area().cells() {
        let id = extent.cell_id(cell) as usize;
        assert_eq!(found[id], values[id], "cost-to-go of {cell}, {context}");
        if let Some(flow) = field.get(cell) {
            let want = first_way(drawn, extent, &values, cell);
            assert_eq!(flow.code(), want.code(), "direction of {cell}, {context}");
        }
    }
}

#[test]
fn a_direction_is_the_first_that_accounts_for_the_final_value() {
    for seed in 0..1500 {
        let drawn = draw(seed);
        let region = whole(&drawn, drawn.sectors.clone());
        hold(&drawn, region, &format!("seed {seed}"));
    }
}
