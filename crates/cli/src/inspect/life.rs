//! The life of an order: planned once more on the map as it is, in small steps,
//! from the first portal that is taken to the sectors that are freed.

use std::collections::BTreeSet;

use flowtiles::inspect::{Step, StepStage, free, steps};
use flowtiles::{
    Budget, Cell, Direction, FlowWorld, Goal, Order, OrderStage, PortalId, PricedPortal,
    SECTOR_SIDE, Sample, Sector,
};
use flowtiles_inspector::{LifeSlice, LifeStage};

use super::stage::Stage;

/// Slices that a life is cut into, about.
const SLICES: u64 = 160;
/// Cells of work of the smallest slice.
const SMALLEST: u64 = 100;

/// The life of the order with a number, as if it were given now.
///
/// # Errors
/// If there is no such order any more.
pub fn life(stage: &Stage, number: u64) -> Result<Vec<LifeSlice>, String> {
    let (goal, units) = asked(stage, number).ok_or("this order has ended")?;
    // A world of its own: looking at an order changes nothing.
    let mut world = FlowWorld::new(stage.world.costs().clone());
    let goal = Goal::at(goal).or_nearest();
    let first = world.order(goal.clone(), &units);
    let first = first.map_err(|error| error.to_string())?;
    let mut work = 0;
    loop {
        let progress = world.tick(Budget::UNLIMITED);
        work += progress.cells;
        if progress.waiting == 0 {
            break;
        }
    }
    free(&mut world, first);
    let pace = (work / SLICES).max(SMALLEST);
    let (order, made) = steps(&mut world, goal, &units, pace).map_err(|error| error.to_string())?;
    let mut slices: Vec<LifeSlice> = made.iter().map(|step| slice(&world, step)).collect();
    tell_changes(&mut slices);
    let cells = made.last().map_or(0, |step| step.cells);
    if let Some(last) = slices.last_mut() {
        last.flow = flow(&world, &order);
    }
    slices.push(LifeSlice {
        cells,
        stage: LifeStage::Sight,
        sight: sight(&world, &order),
        ..LifeSlice::default()
    });
    let freed = free(&mut world, order);
    slices.push(LifeSlice {
        cells: cells + freed.cells,
        ..slice(&world, &freed)
    });
    Ok(slices)
}

fn slice(world: &FlowWorld, step: &Step) -> LifeSlice {
    let sectors = |list: &[Sector]| list.iter().copied().map(place).collect();
    let graph = world.inspect().portal_graph();
    let gate = |portal: PortalId| {
        let cell = graph.portal(portal)?.gates[0];
        Some((cell.x as u16, cell.y as u16))
    };
    let gates = |list: &[PricedPortal]| {
        let portals = list.iter().map(|priced| priced.portal);
        portals.filter_map(gate).collect()
    };
    LifeSlice {
        cells: step.cells,
        stage: match step.stage {
            StepStage::Given => LifeStage::Given,
            StepStage::At(OrderStage::Search) => LifeStage::Search,
            StepStage::At(OrderStage::Load) => LifeStage::Load,
            StepStage::At(OrderStage::Integrate) => LifeStage::Integrate,
            StepStage::At(OrderStage::Patch) => LifeStage::Patch,
            StepStage::At(OrderStage::Done) => LifeStage::Flow,
            StepStage::Freed => LifeStage::Freed,
        },
        taken: gates(&step.taken),
        frontier: gates(&step.frontier),
        loaded: sectors(&step.loaded),
        settled: sectors(&step.settled),
        waiting: step
            .waiting
            .iter()
            .map(|&(sector, _)| place(sector))
            .collect(),
        freed: sectors(&step.freed),
        ..LifeSlice::default()
    }
}

/// Has each slice list what has come to the frontier and what has gone from it
/// untaken, where it lists all of it.
fn tell_changes(slices: &mut [LifeSlice]) {
    let mut before = BTreeSet::new();
    for slice in slices {
        let now: BTreeSet<(u16, u16)> = slice.frontier.iter().copied().collect();
        for taken in &slice.taken {
            before.remove(taken);
        }
        slice.frontier = now.difference(&before).copied().collect();
        slice.aside = before.difference(&now).copied().collect();
        before = now;
    }
}

const fn place(sector: Sector) -> (u16, u16) {
    (sector.x as u16, sector.y as u16)
}

/// The rows of a sector's cells.
fn rows(sector: Sector) -> impl Iterator<Item = impl Iterator<Item = Cell>> {
    let (left, top) = (sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
    (top..top + SECTOR_SIDE).map(move |y| (left..left + SECTOR_SIDE).map(move |x| Cell::new(x, y)))
}

/// The most frequent direction of each loaded sector.
fn flow(world: &FlowWorld, order: &Order) -> Vec<(u16, u16, u16)> {
    let frequent = |sector: Sector| {
        let mut counts = [0u32; Direction::ALL.len()];
        for cell in rows(sector).flatten() {
            if let Some(direction) = world.sample(order, cell).direction() {
                counts[direction as usize] += 1;
            }
        }
        let most = (0..counts.len()).max_by_key(|&at| counts[at])?;
        let (x, y) = place(sector);
        (counts[most] > 0).then_some((x, y, most as u16))
    };
    world
        .inspect()
        .loaded(order)
        .into_iter()
        .filter_map(frequent)
        .collect()
}

/// The cells from which the goal is in sight, as runs from west to east.
fn sight(world: &FlowWorld, order: &Order) -> Vec<(u16, u16, u16)> {
    let mut runs: Vec<(u16, u16, u16)> = Vec::new();
    for row in world.inspect().loaded(order).into_iter().flat_map(rows) {
        let mut run: Option<(u16, u16, u16)> = None;
        for cell in row {
            if matches!(world.sample(order, cell), Sample::InSight(_)) {
                run.get_or_insert((cell.x as u16, cell.y as u16, 0)).2 += 1;
            } else {
                runs.extend(run.take());
            }
        }
        runs.extend(run);
    }
    runs
}

/// The goal of an order and the cells of those who follow it.
fn asked(stage: &Stage, number: u64) -> Option<(Cell, Vec<Cell>)> {
    for (at, band) in stage.bands.iter().enumerate() {
        if let Some(errand) = &band.errand
            && errand.order.number() == number
        {
            return Some((errand.goal, stage.cells_of(at)));
        }
    }
    let errand = stage.look.errand()?;
    (errand.order.number() == number).then(|| (errand.goal, stage.look.sources().to_vec()))
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cost, CostMap, Rect};

    use super::*;

    #[test]
    fn a_life_goes_from_the_search_to_the_sectors_that_are_freed() {
        let mut map = CostMap::open(300, 200).unwrap();
        map.edit(Rect::new(150, 0, 2, 180), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(map, String::new());
        let goal = Cell::new(280, 10);
        stage.look.ask(&mut stage.world, Cell::new(5, 5)).unwrap();
        stage.look.aim(&mut stage.world, 0, goal).unwrap();
        while stage.world.tick(Budget::UNLIMITED).waiting > 0 {}
        let order = &stage.look.errand().unwrap().order;
        let slices = life(&stage, order.number()).unwrap();
        let all = |of: fn(&LifeSlice) -> &Vec<(u16, u16)>| {
            let mut places: Vec<(u16, u16)> = slices.iter().flat_map(of).copied().collect();
            places.sort_unstable_by_key(|&(x, y)| (y, x));
            places
        };
        let wanted: Vec<(u16, u16)> = stage
            .world
            .inspect()
            .loaded(order)
            .into_iter()
            .map(place)
            .collect();
        assert_eq!(all(|slice| &slice.loaded), wanted);
        assert_eq!(all(|slice| &slice.settled), wanted);
        assert_eq!(all(|slice| &slice.freed), wanted);
        assert!(!all(|slice| &slice.taken).is_empty());
        assert!(slices.len() > 20);
        assert!(slices.windows(2).all(|two| two[0].cells <= two[1].cells));
        let stages: Vec<LifeStage> = slices.iter().map(|slice| slice.stage).collect();
        assert!(stages.is_sorted(), "{stages:?}");
        let ends = [LifeStage::Flow, LifeStage::Sight, LifeStage::Freed];
        assert!(stages.ends_with(&ends), "{stages:?}");

        let flow = &slices[slices.len() - 3].flow;
        assert_eq!(flow.len(), wanted.len());
        let runs = &slices[slices.len() - 2].sight;
        let seen: u64 = runs.iter().map(|run| u64::from(run.2)).sum();
        let in_sight = |&cell: &Cell| matches!(stage.world.sample(order, cell), Sample::InSight(_));
        let counted = Rect::new(0, 0, 300, 200).cells().filter(in_sight).count();
        assert!(counted > 100);
        assert_eq!(seen, counted as u64);
        assert!(life(&stage, 99).is_err());
    }

    #[test]
    fn changes_of_the_frontier_give_it_back_and_are_much_less() {
        let mut map = CostMap::open(300, 200).unwrap();
        map.edit(Rect::new(150, 0, 2, 180), Cost::WALL).unwrap();
        let mut world = FlowWorld::new(map);
        let units = [Cell::new(5, 5)];
        let goal = Goal::at(Cell::new(280, 10));
        let (_, made) = steps(&mut world, goal, &units, SMALLEST).unwrap();
        let whole: Vec<LifeSlice> = made.iter().map(|step| slice(&world, step)).collect();
        let mut told = whole.clone();
        tell_changes(&mut told);
        let mut frontier = BTreeSet::new();
        for (told, whole) in told.iter().zip(&whole) {
            for portal in told.taken.iter().chain(&told.aside) {
                frontier.remove(portal);
            }
            frontier.extend(told.frontier.iter().copied());
            let wanted: BTreeSet<(u16, u16)> = whole.frontier.iter().copied().collect();
            assert_eq!(frontier, wanted);
        }
        let count = |slices: &[LifeSlice]| {
            let sizes = slices
                .iter()
                .map(|slice| slice.frontier.len() + slice.aside.len());
            sizes.sum::<usize>()
        };
        let (few, many) = (count(&told), count(&whole));
        assert!(few > 100 && 4 * few < many, "{few} of {many}");
    }
}
