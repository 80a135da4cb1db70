//! Regions against a naive twin: a Dijkstra over the loaded cells, and for each
//! cell the first direction that accounts for its value.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::flow::{Flow, FlowField};
use super::region::Region;
use super::sources::FAR_LIMIT;
use crate::budget::{Budget, TILE_WORK, Work, run_to_end};
use crate::cost::{Cost, CostMap};
use crate::draws::{draws, scaled};
use crate::grid::{Cell, Direction, Extent, PagesCursor, Sector};
use crate::kernel::step_price;
use crate::map::AffectedSector;
use crate::queue::BucketRing;

/// The ground drawn: walls in a hundred cells, and the costs of the others.
const GROUNDS: [(u32, &[u8]); 7] = [
    (0, &[1]),
    (12, &[1]),
    (30, &[1]),
    (0, &[1, 2, 3]),
    (15, &[1, 1, 2, 5]),
    (5, &[254, 254, 253, 100]),
    (25, &[1, 254]),
];

/// Drawn costs, goals on open ground, and sectors, including those of the goals.
struct Drawn {
    costs: CostMap,
    goals: Vec<(Cell, u64)>,
    sectors: Vec<Sector>,
}

fn draw(seed: u64) -> Drawn {
    let mut draw = draws(seed);
    let (walls, open) = GROUNDS[draw(GROUNDS.len() as u32) as usize];
    let (width, height) = (10 + draw(50), 10 + draw(50));
    let cost = |_| {
        if draw(100) < walls {
            255
        } else {
            open[draw(open.len() as u32) as usize]
        }
    };
    let rows: Vec<u8> = (0..width * height).map(cost).collect();
    let costs = CostMap::from_rows(width, height, &rows).expect("a good map");
    let extent = costs.extent();
    // Close together, so that paths of equal cost meet; or any; or so far
    // apart that near tiles cannot hold the values, or not even the goals.
    let starts: [&[u64]; 4] = [
        &[0, 5, 7, 10, 14, 35],
        &[0, 900],
        &[0, FAR_LIMIT - 60],
        &[3, 1 << 33],
    ];
    let starts = starts[draw(9).saturating_sub(5) as usize];
    let mut goals = Vec::new();
    for _ in 0..=draw(4) {
        let cell = Cell::new(draw(width) as i32, draw(height) as i32);
        if costs.is_open(cell) {
            goals.push((cell, starts[draw(starts.len() as u32) as usize]));
        }
    }
    let kept = [100, 80, 60][draw(3) as usize];
    let mut sectors: Vec<Sector> = extent.sectors().map(|id| extent.sector(id)).collect();
    sectors.retain(|&sector| draw(100) < kept || goals.iter().any(|&(at, _)| contains(sector, at)));
    Drawn {
        costs,
        goals,
        sectors,
    }
}

fn contains(sector: Sector, cell: Cell) -> bool {
    (sector.x, sector.y) == (cell.x / 10, cell.y / 10)
}

/// A region of these sectors and of those of the field that it continues.
fn begin(drawn: &Drawn, field: Option<&FlowField>, sectors: &[Sector]) -> Region {
    let mut region = Region::new(drawn.costs.extent(), 0, None, BucketRing::new());
    let mut at = PagesCursor::default();
    while field.is_some_and(|field| region.go_on_from(field, &mut at)) {}
    for &sector in sectors {
        region.load(sector);
    }
    region.start(drawn.goals.iter().copied());
    region
}

fn whole(drawn: &Drawn, sectors: &[Sector]) -> Region {
    let mut region = begin(drawn, None, sectors);
    run_to_end(|work| region.advance(&drawn.costs, work));
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
/// if there is none, `NO_DIRECTION` if the cell has no value.
fn first_way(drawn: &Drawn, extent: Extent, values: &[Option<u64>], cell: Cell) -> Flow {
    let at = |cell| values[extent.cell_id(cell) as usize];
    let Some(value) = at(cell) else {
        return Flow::NO_DIRECTION;
    };
    Direction::ALL
        .into_iter()
        .find(|&direction| {
            let price = step_price(&drawn.costs, cell, direction);
            price.is_some_and(|price| {
                at(cell.step(direction)).is_some_and(|beyond| beyond + u64::from(price) == value)
            })
        })
        .map_or(Flow::HERE, |direction| Flow::of(direction as u8))
}

/// The cost-to-go of each cell according to a field.
fn costs_to_go(drawn: &Drawn, field: &FlowField) -> Vec<Option<u64>> {
    let start = |cell| {
        let goals = drawn.goals.iter().filter(|&&(goal, _)| goal == cell);
        goals.map(|&(_, start)| start).min()
    };
    let to_go = |cell| field.cost_to_go(&drawn.costs, start, cell);
    drawn.costs.area().cells().map(to_go).collect()
}

/// Compares every loaded cell of a region with the rule.
fn assert_field(drawn: &Drawn, region: Region, context: &str) {
    let extent = drawn.costs.extent();
    let (field, _) = region.into_field();
    let found = costs_to_go(drawn, &field);
    let values = dijkstra(drawn, &field.sectors().collect::<Vec<_>>());
    for cell in drawn.costs.area().cells() {
        let id = extent.cell_id(cell) as usize;
        assert_eq!(found[id], values[id], "cost-to-go of {cell}, {context}");
        if let Some(flow) = field.get(cell) {
            let want = first_way(drawn, extent, &values, cell);
            assert_eq!(flow, want, "direction of {cell}, {context}");
        }
    }
}

#[test]
fn direction_is_the_first_that_explains_the_value() {
    for seed in 0..scaled(1500) {
        let drawn = draw(seed);
        let region = whole(&drawn, &drawn.sectors);
        assert_field(&drawn, region, &format!("seed {seed}"));
    }
}

/// Finishes a region in pieces of this much work. Returns the field and the work
/// done.
fn finish(costs: &CostMap, mut region: Region, piece: u64) -> (FlowField, u64) {
    let (mut worked, mut owed) = (0, 0);
    loop {
        let mut work = Work::owing(Budget::cells(piece), owed);
        let done = region.advance(costs, &mut work).is_ok();
        worked += work.done();
        owed = work.overdrawn();
        assert!(owed <= TILE_WORK, "a piece of {owed} cells too many");
        if done {
            return (region.into_field().0, worked);
        }
    }
}

/// The bytes of the loaded cells, with flags.
fn said(costs: &CostMap, field: &FlowField) -> Vec<Option<Flow>> {
    costs.area().cells().map(|cell| field.get(cell)).collect()
}

/// A goal that cannot be reached from any of the others.
fn cut_off(drawn: &Drawn, draw: &mut impl FnMut(u32) -> u32) -> Option<(Cell, u64)> {
    let extent = drawn.costs.extent();
    let all: Vec<Sector> = extent.sectors().map(|id| extent.sector(id)).collect();
    let values = dijkstra(drawn, &all);
    let lonely = |cell: &Cell| {
        drawn.costs.is_open(*cell) && values[extent.cell_id(*cell) as usize].is_none()
    };
    let lonely: Vec<Cell> = drawn.costs.area().cells().filter(lonely).collect();
    let cell = lonely.get(draw(lonely.len().max(1) as u32) as usize)?;
    Some((*cell, u64::from(draw(50))))
}

#[test]
fn region_continued_from_a_field_equals_a_new_one() {
    let (mut same, mut fewer, mut again) = (0, 0, 0);
    for seed in 0..scaled(1500) {
        let mut drawn = draw(seed);
        let mut draw = draws(!seed);
        let mut all = std::mem::take(&mut drawn.sectors);
        // First some of the sectors, then more, and all in the end; sometimes
        // with one more goal that no cell could reach before.
        let kept = draw(100);
        let at_goal = |sector: &Sector| drawn.goals.iter().any(|&(at, _)| contains(*sector, at));
        let mut some: Vec<Sector> = all.clone();
        some.retain(|sector| at_goal(sector) || draw(100) < kept);
        let mut field = whole(&drawn, &some).into_field().0;
        for round in 0..3 {
            let more = if round == 2 { 100 } else { draw(100) };
            let mut sectors = all.clone();
            sectors.retain(|sector| field.has_sector(*sector) || draw(100) < more);
            if draw(2) == 0
                && let Some(goal) = cut_off(&drawn, &mut draw)
            {
                let extent = drawn.costs.extent();
                let sector = extent.sector(extent.locate(goal.0).0);
                for known in [&mut all, &mut sectors] {
                    known.retain(|&other| other != sector);
                    known.push(sector);
                }
                drawn.goals.push(goal);
            }
            let context = format!("seed {seed}, round {round}");
            let new = whole(&drawn, &sectors);
            let from_nothing = new.settlings();
            // The field's own sectors need not be loaded again.
            let mut told = sectors.clone();
            told.retain(|sector| !field.has_sector(*sector) || seed % 2 == 0);
            let go_on = || begin(&drawn, Some(&field), &told);
            let mut resumed = go_on();
            run_to_end(|work| resumed.advance(&drawn.costs, work));
            let settled = resumed.settlings();
            fewer += usize::from(settled < from_nothing);
            same += usize::from(settled == from_nothing);
            again += usize::from(settled > (sectors.len() - field.sectors().count()) as u64);
            let new = new.into_field().0;
            let said_new = said(&drawn.costs, &new);
            let resumed = resumed.into_field().0;
            assert!(said(&drawn.costs, &resumed) == said_new, "{context}");
            let to_go = [&resumed, &new].map(|field| costs_to_go(&drawn, field));
            assert!(to_go[0] == to_go[1], "costs-to-go, {context}");
            let pieces = [u64::MAX, 250, u64::from(1 + draw(40))];
            let sliced = pieces.map(|piece| finish(&drawn.costs, go_on(), piece));
            for (field, worked) in &sliced {
                assert!(said(&drawn.costs, field) == said_new, "{context}");
                assert_eq!(*worked, sliced[0].1, "pieces of {pieces:?}, {context}");
            }
            field = resumed;
        }
    }
    assert!(
        fewer as u64 > scaled(2500),
        "only {fewer} of {} settle less",
        fewer + same
    );
    assert!(
        again as u64 > scaled(500),
        "the field's own got better in {again} only"
    );
}

/// Gives drawn cells drawn costs; the region keeps what was there.
fn edit(costs: &mut CostMap, region: &mut Region, draw: &mut impl FnMut(u32) -> u32) {
    for _ in 0..draw(30) {
        let cell = Cell::new(draw(costs.width()) as i32, draw(costs.height()) as i32);
        let (id, _) = costs.extent().locate(cell);
        let cost = Cost::new(1 + draw(255) as u8).expect("not 0");
        if let Some((_, former)) = costs.edit_sector(id, cell.into(), |_, _| cost) {
            region.keep(id, &former);
        }
    }
}

#[test]
fn region_edited_during_integration_equals_a_new_one() {
    let mut changed = 0;
    for seed in 0..scaled(1800) {
        let drawn = draw(seed);
        let mut draw = draws(!seed);
        // From nothing, or from the field of some of the sectors.
        let mut some = drawn.sectors.clone();
        let part = draw(100);
        some.retain(|&at| {
            drawn.goals.iter().any(|&(goal, _)| contains(at, goal)) || draw(100) < part
        });
        let begun = whole(&drawn, &some).into_field().0;
        let field = (seed % 2 == 1).then_some(&begun);
        let begin = || begin(&drawn, field, &drawn.sectors);
        let (still, work) = finish(&drawn.costs, begin(), u64::MAX);
        let mut costs = drawn.costs.clone();
        let mut amid = begin();
        let mut worked = 0;
        loop {
            edit(&mut costs, &mut amid, &mut draw);
            let mut piece = Work::within(Budget::cells(1));
            let done = amid.advance(&costs, &mut piece).is_ok();
            worked += piece.done();
            if done {
                break;
            }
        }
        changed += usize::from(costs != drawn.costs);
        assert_eq!(worked, work, "work, seed {seed}");
        let amid = amid.into_field().0;
        let to_go = [&amid, &still].map(|field| costs_to_go(&drawn, field));
        assert!(to_go[0] == to_go[1], "costs-to-go, seed {seed}");
        let said = [&amid, &still].map(|field| said(&drawn.costs, field));
        assert!(said[0] == said[1], "seed {seed}");
    }
    assert!(
        changed as u64 > scaled(1500),
        "only {changed} maps were changed"
    );
}

/// Patches a settled region where costs have changed: in these sectors and those
/// beside them.
fn patch(costs: &CostMap, region: &mut Region, changed: &BTreeSet<Sector>) {
    for &sector in changed {
        region.patch(costs, sector);
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            let beside = Sector::new(sector.x + dx, sector.y + dy);
            if costs.extent().sector_id(beside).is_some() && !changed.contains(&beside) {
                let affected = AffectedSector {
                    sector: beside,
                    changed: false,
                };
                region.invalidate(costs, affected);
            }
        }
    }
}

/// Follows the directions from a cell. Returns the number of steps to the end.
fn walk(costs: &CostMap, field: &FlowField, start: Cell) -> Result<usize, String> {
    let limit = costs.area().cells().count();
    let (mut cell, mut steps) = (start, 0);
    while let Some(way) = field.get(cell).and_then(Flow::direction) {
        step_price(costs, cell, way).ok_or_else(|| format!("{way} from {cell} is illegal"))?;
        cell = cell.step(way);
        steps += 1;
        if steps > limit {
            return Err("no end to the way".to_owned());
        }
    }
    Ok(steps)
}

#[test]
fn paths_through_patched_tiles_are_legal_and_end() {
    let (mut led, mut waiting) = (0, 0);
    for seed in 0..scaled(1500) {
        let drawn = draw(seed);
        let mut draw = draws(!seed);
        // From nothing, or from the field of some of the sectors.
        let mut some = drawn.sectors.clone();
        let part = draw(100);
        some.retain(|&at| {
            drawn.goals.iter().any(|&(goal, _)| contains(at, goal)) || draw(100) < part
        });
        let begun = whole(&drawn, &some).into_field().0;
        let mut region = begin(&drawn, (seed % 2 == 1).then_some(&begun), &drawn.sectors);
        run_to_end(|work| region.advance(&drawn.costs, work));
        let mut costs = drawn.costs.clone();
        let mut changed = BTreeSet::new();
        for _ in 0..1 + draw(40) {
            let cell = Cell::new(draw(costs.width()) as i32, draw(costs.height()) as i32);
            if drawn.goals.iter().any(|&(goal, _)| goal == cell) {
                continue;
            }
            let (id, _) = costs.extent().locate(cell);
            let cost = Cost::new([1, 3, 255][draw(3) as usize]).expect("not 0");
            costs.edit_sector(id, cell.into(), |_, _| cost);
            changed.insert(costs.extent().sector(id));
        }
        patch(&costs, &mut region, &changed);
        let (field, _) = region.into_field();
        for start in costs.area().cells() {
            let steps = walk(&costs, &field, start);
            let steps = steps.unwrap_or_else(|fault| panic!("from {start}: {fault}, seed {seed}"));
            let in_changed = changed.iter().any(|&sector| contains(sector, start));
            if in_changed && costs.is_open(start) {
                led += usize::from(steps > 0);
                waiting += usize::from(steps == 0);
            }
        }
    }
    assert!(
        led > 2 * waiting,
        "{led} are led out of changed sectors, {waiting} are not"
    );
}

/// Two corridors side by side, both with their goal in the south. Where both are cut, neither's
/// end leads into the other's, from which it would be led back.
#[test]
fn cut_corridors_of_equal_length_form_no_cycle() {
    let is_open = |at: usize| (9..=10).contains(&(at % 20)) && at / 20 >= 5;
    let rows: Vec<u8> = (0..400)
        .map(|at| if is_open(at) { 1 } else { 255 })
        .collect();
    let mut costs = CostMap::from_rows(20, 20, &rows).expect("a good map");
    let extent = costs.extent();
    let drawn = Drawn {
        costs: costs.clone(),
        goals: [9, 10].map(|x| (Cell::new(x, 19), 0)).into(),
        sectors: extent.sectors().map(|id| extent.sector(id)).collect(),
    };
    let mut region = whole(&drawn, &drawn.sectors);
    // Both are cut in the south, and a cell of each becomes dearer in the north.
    let changed = [(9, 10, 255), (10, 10, 255), (9, 6, 3), (10, 6, 3)].map(|(x, y, cost)| {
        let (cell, cost) = (Cell::new(x, y), Cost::new(cost).expect("not 0"));
        let (id, _) = extent.locate(cell);
        costs.edit_sector(id, cell.into(), |_, _| cost);
        extent.sector(id)
    });
    patch(&costs, &mut region, &changed.into());
    let (field, _) = region.into_field();
    for start in costs.area().cells() {
        let steps = walk(&costs, &field, start).expect("a way with an end");
        let is_behind = is_open((start.y * 20 + start.x) as usize) && start.y > 10;
        let left = if is_behind { 19 - start.y } else { 0 };
        assert_eq!(steps, left as usize, "from {start}");
    }
}
