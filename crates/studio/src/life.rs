//! The life of an order: planned again on the present map, in small steps, from
//! the first portal that is taken to the sectors that are freed.

use std::collections::BTreeSet;

use flowtiles::graph::{PortalId, PricedPortal};
use flowtiles::inspect::OrderStage;
use flowtiles::inspect::{Step, StepStage, free, steps};
use flowtiles::{Budget, Cell, CostMap, Direction, FlowWorld, Goal, Order, SECTOR_SIDE, Sector};
use flowtiles_inspector::{LifeSlice, LifeStage};

/// The approximate number of slices of a life.
const SLICES: u64 = 160;
/// The work of the smallest slice, in cells.
const SMALLEST: u64 = 100;

/// Returns the life of an order for units in some cells, as if it were given now.
///
/// # Errors
/// If the order is refused.
pub fn life(costs: &CostMap, (goal, units): (Cell, Vec<Cell>)) -> Result<Vec<LifeSlice>, String> {
    // A separate world, since watching an order must change nothing.
    let mut world = FlowWorld::new(costs.clone());
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
    keep_changes(&mut slices);
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
    let crossing = |portal: PortalId| {
        let cell = graph.portal(portal)?.crossing[0];
        Some((cell.x as u16, cell.y as u16))
    };
    let crossings = |list: &[PricedPortal]| {
        let portals = list.iter().map(|priced| priced.portal);
        portals.filter_map(crossing).collect()
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
        taken: crossings(&step.taken),
        frontier: crossings(&step.frontier),
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

/// A column and a row.
type Place = (u16, u16);

/// Replaces the full lists of frontier and waiting sectors in each slice by what
/// was added and removed since the slice before.
fn keep_changes(slices: &mut [LifeSlice]) {
    let (mut seen, mut waited) = (BTreeSet::new(), BTreeSet::new());
    for slice in slices {
        for taken in &slice.taken {
            seen.remove(taken);
        }
        (slice.frontier, slice.aside) = changes(&mut seen, &slice.frontier);
        (slice.waiting, slice.served) = changes(&mut waited, &slice.waiting);
    }
}

/// Returns the places that were added, and those that were removed.
fn changes(before: &mut BTreeSet<Place>, now: &[Place]) -> (Vec<Place>, Vec<Place>) {
    let now: BTreeSet<Place> = now.iter().copied().collect();
    let come = now.difference(before).copied().collect();
    let gone = before.difference(&now).copied().collect();
    *before = now;
    (come, gone)
}

const fn place(sector: Sector) -> Place {
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
            if world.sees_goal(order, cell).is_some() {
                run.get_or_insert((cell.x as u16, cell.y as u16, 0)).2 += 1;
            } else {
                runs.extend(run.take());
            }
        }
        runs.extend(run);
    }
    runs
}

#[cfg(test)]
mod tests {
    use flowtiles::{CellRect, Cost};

    use super::*;
    use crate::stage::Stage;

    #[test]
    fn life_goes_from_the_search_to_the_freed_sectors() {
        let mut map = CostMap::open(300, 200).unwrap();
        map.edit(CellRect::new(150, 0, 2, 180), Cost::WALL).unwrap();
        let mut stage = Stage::of_map(map, String::new());
        let goal = Cell::new(280, 10);
        let Stage { inquiry, run, .. } = &mut stage;
        inquiry.ask(run, Cell::new(5, 5)).unwrap();
        inquiry.aim(run, goal).unwrap();
        while stage.run.world.tick(Budget::UNLIMITED).waiting > 0 {}
        let order = &stage.inquiry.timed().unwrap().order;
        let asked = stage.asked(order.number()).unwrap();
        let slices = life(stage.run.world.costs(), (asked.0.cell(), asked.1)).unwrap();
        let all = |list: fn(&LifeSlice) -> &Vec<(u16, u16)>| {
            let mut places: Vec<(u16, u16)> = slices.iter().flat_map(list).copied().collect();
            places.sort_unstable_by_key(|&(x, y)| (y, x));
            places
        };
        let wanted: Vec<(u16, u16)> = stage
            .run
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
        let counted = CellRect::new(0, 0, 300, 200)
            .cells()
            .filter(|&cell| stage.run.world.sees_goal(order, cell).is_some())
            .count();
        assert!(counted > 100);
        assert_eq!(seen, counted as u64);
        assert_eq!(stage.asked(99), None);
    }

    #[test]
    fn life_changes_rebuild_all_lists_and_are_smaller() {
        let mut map = CostMap::open(300, 200).unwrap();
        map.edit(CellRect::new(150, 0, 2, 180), Cost::WALL).unwrap();
        let mut world = FlowWorld::new(map);
        let units = [Cell::new(5, 5)];
        let goal = Goal::at(Cell::new(280, 10)).with_quality(flowtiles::Quality::Everywhere);
        let (_, mut made) = steps(&mut world, goal, &units, SMALLEST).unwrap();
        let goal = Goal::at(Cell::new(280, 12));
        made.extend(steps(&mut world, goal, &units, SMALLEST).unwrap().1);
        let whole: Vec<LifeSlice> = made.iter().map(|step| slice(&world, step)).collect();
        let mut told = whole.clone();
        keep_changes(&mut told);
        type Lists = fn(&LifeSlice) -> [&Vec<Place>; 3];
        let lists: [Lists; 2] = [
            |slice| [&slice.frontier, &slice.taken, &slice.aside],
            |slice| [&slice.waiting, &slice.served, &slice.served],
        ];
        for lists in lists {
            let mut standing = BTreeSet::new();
            let (mut few, mut many) = (0, 0);
            for (told, whole) in told.iter().zip(&whole) {
                let ([come, gone, aside], [now, ..]) = (lists(told), lists(whole));
                for place in gone.iter().chain(aside) {
                    standing.remove(place);
                }
                standing.extend(come.iter().copied());
                assert_eq!(standing, now.iter().copied().collect());
                few += come.len() + aside.len();
                many += now.len();
            }
            assert!(few > 100 && 4 * few < many, "{few} of {many}");
        }
    }
}
