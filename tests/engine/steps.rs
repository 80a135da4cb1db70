//! Orders that are watched: watching changes nothing, and the steps list what
//! happened.

use std::collections::{BTreeMap, BTreeSet};

use flowtiles::graph::{PortalId, PricedPortal};
use flowtiles::inspect::OrderStage;
use flowtiles::inspect::{Detail, Overlay, Paint, Step, StepStage, draw_step, free, steps};
use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld, Goal, Sector};

use super::routes::by_crossings;
use crate::oracle::draw::{SIZES, for_drawn};
use crate::oracle::home_of;

fn all<T: Copy>(steps: &[Step], of: impl Fn(&Step) -> &Vec<T>) -> Vec<T> {
    steps.iter().flat_map(of).copied().collect()
}

#[test]
fn a_watched_order_ends_in_the_same_world() {
    for_drawn(921, &SIZES[9..], 1, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let home = home_of(map, goal);
        let units = [rng.pick(&home), rng.pick(&home)];
        let mut plain = FlowWorld::new(map.cost_map());
        let order = plain.order(goal, &units).unwrap();
        plain.tick(Budget::UNLIMITED);
        let mut watched = FlowWorld::new(map.cost_map());
        let pace = [1, 70, 100_000][rng.below(3) as usize];
        let (seen, steps) = steps(&mut watched, goal, &units, pace).unwrap();
        assert_eq!(watched.state_hash(), plain.state_hash(), "{map}");
        assert_eq!(
            watched.inspect().route(&seen),
            plain.inspect().route(&order)
        );

        // Every sector is loaded once and settled once, and none is left out.
        let (loaded, settled) = (
            all(&steps, |step| &step.loaded),
            all(&steps, |step| &step.settled),
        );
        let as_set = |sectors: &[Sector]| sectors.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(as_set(&loaded), as_set(&plain.inspect().loaded(&order)));
        assert_eq!(as_set(&loaded).len(), loaded.len());
        assert_eq!(as_set(&settled), as_set(&loaded));
        assert_eq!(as_set(&settled).len(), settled.len());
        assert_eq!(steps[0], Step::default());
        let last = steps.last().unwrap();
        assert_eq!(last.stage, StepStage::At(OrderStage::Done));
        assert!(last.waiting.is_empty());
        assert!(steps.is_sorted_by_key(|step| step.cells));
        let stages: Vec<StepStage> = steps.iter().map(|step| step.stage).collect();
        assert!(stages.is_sorted(), "{stages:?}");
    });
}

#[test]
fn portal_costs_fall_to_those_of_the_crossings_paths() {
    for_drawn(922, &[(33, 58), (137, 64)], 1, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let from = rng.pick(&home_of(map, goal));
        let mut world = FlowWorld::new(map.cost_map());
        let (order, steps) = steps(&mut world, goal, &[from], 50).unwrap();
        let best = by_crossings(map, world.inspect().portal_graph(), goal);
        let taken = all(&steps, |step| &step.taken);
        // Over rough ground a path may gain by going out to a portal and back
        // at once; such paths are left to the integration.
        let is_plain = map.costs.iter().all(|cost| [1, 255].contains(cost));
        for PricedPortal { portal, cost, .. } in &taken {
            assert!(best[portal] <= *cost, "{portal} of {map}");
        }
        // No cost ever rises, nor is below that of the cheapest path.
        let mut before: BTreeMap<PortalId, u64> = BTreeMap::new();
        for step in &steps {
            for PricedPortal { portal, cost, .. } in step.taken.iter().chain(&step.frontier) {
                assert!(best[portal] <= *cost);
                let lowest = before.entry(*portal).or_insert(*cost);
                assert!(*cost <= *lowest, "{portal} of {map}");
                *lowest = *cost;
            }
        }
        // Those on the way end at the cost of the cheapest path.
        let on_route = world.inspect().route(&order).into_iter();
        for portal in on_route.filter(|portal| is_plain && before.contains_key(portal)) {
            assert_eq!(before[&portal], best[&portal], "{portal} of {map}");
        }
    });
}

#[test]
fn a_wave_settles_sectors_from_the_goal_outward() {
    let mut world = FlowWorld::new(CostMap::open(300, 40).unwrap());
    let goal = Goal::at(Cell::new(5, 5));
    let (order, steps) = steps(&mut world, goal, &[Cell::new(295, 5)], 100).unwrap();
    let settled = all(&steps, |step| &step.settled);
    let columns: Vec<i32> = settled.iter().map(|sector| sector.x).collect();
    assert!(columns.len() >= 30 && columns.is_sorted(), "{columns:?}");
    let waits = steps.iter().flat_map(|step| &step.waiting);
    assert!(waits.clone().count() > 0);
    for (sector, cost) in waits {
        // The value with which a sector waits is at least the cost over open
        // ground.
        assert!(
            *cost >= 5 * (sector.x as u64 * 10).saturating_sub(6),
            "{sector}, {cost}"
        );
    }

    let loaded = world.inspect().loaded(&order);
    let freed = free(&mut world, order);
    assert_eq!((freed.stage, &freed.freed), (StepStage::Freed, &loaded));
    assert_eq!(world.inspect().stats().tiles, 0);
}

#[test]
fn an_order_claimed_twice_is_not_freed() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let (goal, unit) = (Cell::new(50, 50), Cell::new(3, 3));
    let (order, _) = steps(&mut world, goal, &[unit], 100).unwrap();
    let other = order.clone();
    assert!(free(&mut world, order).freed.is_empty());
    assert!(!free(&mut world, other).freed.is_empty());
}

#[test]
fn step_is_written_as_json() {
    let mut world = FlowWorld::new(CostMap::open(20, 10).unwrap());
    let (order, steps) = steps(&mut world, Cell::new(15, 5), &[Cell::new(2, 5)], 1_000).unwrap();
    let json = |step: &Step| {
        let mut text = String::new();
        step.write_json(&mut text).unwrap();
        text
    };
    assert_eq!(
        json(&steps[0]),
        r#"{"stage":"given","cells":0,"taken":[],"frontier":[],"loaded":[],"settled":[],"waiting":[],"freed":[]}"#
    );
    let last = json(steps.last().unwrap());
    assert!(last.starts_with(r#"{"stage":"done","cells":"#), "{last}");
    // The unit's sector need not be settled: the portal's cost is enough.
    assert!(last.contains(r#""frontier":[["0.0e0",32]]"#), "{last}");
    assert!(
        last.contains(r#""loaded":[[0,0],[1,0]],"settled":[[0,0],[1,0]]"#),
        "{last}"
    );
    let freed = json(&free(&mut world, order));
    assert!(freed.ends_with(r#""freed":[[0,0],[1,0]]}"#), "{freed}");
}

#[test]
fn a_step_is_drawn_as_it_was() {
    let mut world = FlowWorld::new(CostMap::open(200, 200).unwrap());
    let (goal, unit) = (Cell::new(190, 190), Cell::new(5, 5));
    let (order, steps) = steps(&mut world, goal, &[unit], 200).unwrap();
    let view = CellRect::new(0, 0, 200, 200);
    for at in 0..steps.len() {
        let list = draw_step(&world, &order, &steps, at, view, Detail::Sectors);
        let dots = |wanted: fn(Paint) -> bool| {
            let shapes = list.primitives.iter().filter(|shape| wanted(shape.paint));
            shapes
                .filter(|shape| shape.overlay == Overlay::Portals)
                .count()
        };
        let taken = steps[..=at]
            .iter()
            .map(|step| step.taken.len())
            .sum::<usize>();
        let is_search = matches!(
            steps[at].stage,
            StepStage::At(OrderStage::Search | OrderStage::Load)
        );
        let shown = |count| if is_search { count } else { 0 };
        assert_eq!(
            dots(|paint| matches!(paint, Paint::Value(..))),
            shown(taken)
        );
        assert_eq!(
            dots(|paint| paint == Paint::Frontier),
            shown(steps[at].frontier.len())
        );
        let tinted = list
            .primitives
            .iter()
            .filter(|shape| shape.paint == Paint::Loaded);
        let loaded = steps[..=at]
            .iter()
            .map(|step| step.loaded.len())
            .sum::<usize>();
        assert_eq!(tinted.count(), loaded);
    }
}

#[test]
#[should_panic(expected = "a pace of no cells")]
fn a_pace_of_nothing_is_refused() {
    let mut world = FlowWorld::new(CostMap::open(20, 10).unwrap());
    let _ = steps(&mut world, Cell::new(15, 5), &[Cell::new(2, 5)], 0);
}
