//! The search against a plain Dijkstra over the portal graph: costs are equal,
//! and the edges of each path reported add up to its cost.

mod links;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::room::SearchRoom;
use super::search::{Reporting, Search};
use super::step::PathStep;
use super::target::Source;
use crate::budget::{Budget, Work, run_to_end};
use crate::clusters::{Clusters, Division};
use crate::cost::{Cost, CostMap, Stamps};
use crate::draws::{draws, scaled};
use crate::grid::{Cell, CellRect, Sector};
use crate::kernel::{NO_PATH, Threshold, walks_between, walks_to};
use crate::map::{Edit, Map, MapBuild};
use crate::portal::{LocalPortal, PortalId};

/// Builds a map with clusters of 2 to the power `shift` sectors a side.
fn map_of(costs: CostMap, shift: u32) -> Map {
    let mut map = MapBuild::new(costs).finish();
    map.clusters = Clusters::with(Division::with_shift(map.costs.extent(), shift));
    map
}

/// Draws a map: open ground with walls, and ground of some costs.
fn draw_costs(draw: &mut impl FnMut(u32) -> u32) -> CostMap {
    let (width, height) = (20 + draw(120), 20 + draw(120));
    let mut costs = CostMap::open(width, height).unwrap();
    let kinds: &[u8] = match draw(4) {
        0 => &[255],
        1 => &[255, 255, 255, 2, 9],
        2 => &[255, 3, 60, 254],
        _ => &[1, 2, 254, 200, 255],
    };
    for _ in 0..draw(width * height / 20) {
        let (x, y) = (draw(width), draw(height));
        let w = [1, 1, 2, 7, 12][draw(5) as usize];
        let h = [1, 1, 3, 6, 12][draw(5) as usize];
        let area = CellRect::new(x as i32, y as i32, w.min(width - x), h.min(height - y));
        let cost = Cost::new(kinds[draw(kinds.len() as u32) as usize]);
        costs.edit(area, cost.unwrap_or(Cost::WALL)).unwrap();
    }
    costs
}

fn draw_open(map: &Map, draw: &mut impl FnMut(u32) -> u32) -> Option<Cell> {
    let extent = map.costs.extent();
    let (width, height) = (extent.width() as u32, extent.height() as u32);
    let mut cells = (0..50).map(|_| Cell::new(draw(width) as i32, draw(height) as i32));
    cells.find(|&cell| map.costs.is_open(cell))
}

/// Returns the portals around a cell's sector, each with the cost of the walk to
/// it (`leave`) or from it.
fn walks_at(map: &Map, cell: Cell, leave: bool) -> Vec<(PortalId, u64)> {
    let (id, slot) = map.costs.extent().locate(cell);
    let tile = map.costs.tile(id);
    let sector = map.costs.extent().sector(id);
    let portals: Vec<LocalPortal> = map.graph.around(sector).portals(&tile).collect();
    let mut walks = Vec::new();
    if leave {
        let exits: Vec<Threshold> = portals.iter().map(|portal| portal.exit).collect();
        walks_between(&tile, &exits, &[Threshold::at(slot)], &mut walks);
    } else {
        let entries: Vec<Threshold> = portals.iter().map(|portal| portal.entry).collect();
        walks_to(&tile, slot, &entries, &mut walks);
    }
    portals
        .iter()
        .map(|portal| portal.id)
        .zip(walks)
        .filter(|&(_, walk)| walk != NO_PATH)
        .map(|(id, walk)| (id, walk.into()))
        .collect()
}

/// Returns the cost of the walk between two cells of one sector.
fn walk_inside(map: &Map, from: Cell, to: Cell) -> Option<u64> {
    let (from_id, from) = map.costs.extent().locate(from);
    let (to_id, to) = map.costs.extent().locate(to);
    let mut walks = Vec::new();
    walks_to(
        &map.costs.tile(from_id),
        to,
        &[Threshold::at(from)],
        &mut walks,
    );
    (from_id == to_id && walks[0] != NO_PATH).then(|| walks[0].into())
}

/// The cost from each portal to the goals.
fn plain_costs(map: &Map, goals: &[Source]) -> BTreeMap<PortalId, u64> {
    let mut known: BTreeMap<PortalId, u64> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    for goal in goals {
        for (id, walk) in walks_at(map, goal.cell, false) {
            queue.push(Reverse((goal.start_cost + walk, id)));
        }
    }
    while let Some(Reverse((cost, id))) = queue.pop() {
        if known.contains_key(&id) {
            continue;
        }
        known.insert(id, cost);
        for (from, edge) in map.graph.edges_into(id) {
            queue.push(Reverse((cost + u64::from(edge.cost), from)));
        }
    }
    known
}

/// The cost of the cheapest path from a cell.
fn plain_cost(
    map: &Map,
    known: &BTreeMap<PortalId, u64>,
    goals: &[Source],
    from: Cell,
) -> Option<u64> {
    let by_portal = walks_at(map, from, true)
        .into_iter()
        .filter_map(|(id, walk)| Some(known.get(&id)? + walk));
    let inside = goals.iter();
    let inside =
        inside.filter_map(|goal| Some(walk_inside(map, from, goal.cell)? + goal.start_cost));
    by_portal.chain(inside).min()
}

/// Runs a search in slices of these cells, then reports its paths.
fn run(map: &Map, room: &mut SearchRoom, search: &mut Search, slice: u64) -> Vec<PathStep> {
    let mut portals = Vec::new();
    let mut reporting = Reporting::default();
    loop {
        let mut work = Work::within(Budget::cells(slice));
        if search.advance(map, room, &mut work).is_ok() && search.is_served() {
            break;
        }
    }
    loop {
        let mut work = Work::within(Budget::cells(slice));
        let done = search.report(
            map,
            &mut reporting,
            &mut work,
            |portal| portals.push(portal),
            |_| (),
        );
        if done.is_ok() {
            return portals;
        }
    }
}

/// Asserts that the paths reported lead from each want to a goal, edge by edge,
/// at their costs.
fn assert_paths(map: &Map, steps: &[PathStep], known: &BTreeMap<PortalId, u64>, goals: &[Source]) {
    let reported: BTreeSet<PortalId> = steps.iter().map(|step| step.portal).collect();
    for step in steps {
        assert_eq!(step.cost, known[&step.portal], "{step:?}");
        assert!(step.portal.sectors().contains(&step.into), "{step:?}");
        let edges = map.graph.edges(step.portal);
        let on = edges
            .filter(|(to, edge)| edge.through == step.into && reported.contains(to))
            .map(|(to, edge)| known[&to] + u64::from(edge.cost));
        let ends = goals.iter().filter_map(|goal| {
            let mut walks = walks_at(map, goal.cell, false).into_iter();
            Some(walks.find(|&(id, _)| id == step.portal)?.1 + goal.start_cost)
        });
        assert_eq!(on.chain(ends).min(), Some(step.cost), "{step:?}");
    }
}

fn sector_of(map: &Map, cell: Cell) -> Sector {
    let extent = map.costs.extent();
    extent.sector(extent.locate(cell).0)
}

/// Draws an edit and makes it; returns the sectors that it changed.
fn draw_edit(map: &mut Map, draw: &mut impl FnMut(u32) -> u32) -> Vec<Sector> {
    let extent = map.costs.extent();
    let (width, height) = (extent.width() as u32, extent.height() as u32);
    let (x, y) = (draw(width), draw(height));
    let area = CellRect::new(
        x as i32,
        y as i32,
        (1 + draw(6)).min(width - x),
        (1 + draw(6)).min(height - y),
    );
    let cost = [Cost::WALL, Cost::OPEN, Cost::OPEN, Cost::new(40).unwrap()][draw(4) as usize];
    let edits = [Edit::Fill(area, cost)];
    let sectors = map.sectors_of(&edits);
    map.edit(&mut Stamps::default(), &edits, &sectors, None)
        .sectors
        .iter()
        .map(|changed| extent.sector(changed.sector))
        .collect()
}

#[test]
fn search_of_every_cluster_size_equals_the_plain_one() {
    let mut draw = draws(77);
    let mut priced = 0_u64;
    for turn in 0..scaled(1800) {
        let map = map_of(draw_costs(&mut draw), (turn % 5) as u32);
        let mut room = SearchRoom::default();
        let goals: Vec<Source> = (0..1 + draw(3))
            .filter_map(|_| {
                let (cell, start_cost) =
                    (draw_open(&map, &mut draw)?, u64::from(draw(2) * draw(900)));
                Some(Source { cell, start_cost })
            })
            .collect();
        let known = plain_costs(&map, &goals);
        let mut search = Search::new(&map, &mut room, goals.clone(), std::iter::empty());
        let mut wants = Vec::new();
        // Several times, so that a search goes on with what it knows.
        for _ in 0..1 + draw(4) {
            for _ in 0..1 + draw(5) {
                let Some(cell) = draw_open(&map, &mut draw) else {
                    continue;
                };
                if plain_cost(&map, &known, &goals, cell).is_some() {
                    search.want(&map, cell);
                    wants.push(cell);
                }
            }
            let slice = [1, 50, 700, u64::MAX][draw(4) as usize];
            let portals = run(&map, &mut room, &mut search, slice);
            for &cell in &wants {
                let found = search.cost_from(&map, cell);
                assert_eq!(
                    found,
                    plain_cost(&map, &known, &goals, cell),
                    "{turn}: {cell}"
                );
                priced += 1;
            }
            assert_paths(&map, &portals, &known, &goals);
            let reported: Vec<PortalId> = portals.iter().map(|step| step.portal).collect();
            wants
                .iter()
                .filter_map(|&cell| search.first_portal(&map, cell))
                .for_each(|portal| assert!(reported.contains(&portal)));
        }
        search.retire(&mut room);
    }
    assert!(priced > scaled(9000), "{priced}");
}

#[test]
fn a_search_under_way_meets_edits_and_comes_to_an_end() {
    let mut draw = draws(78);
    let (mut forgotten, mut kept) = (0_u64, 0_u64);
    for turn in 0..scaled(900) {
        let mut map = map_of(draw_costs(&mut draw), (turn % 5) as u32);
        let mut room = SearchRoom::default();
        let Some(goal) = draw_open(&map, &mut draw) else {
            continue;
        };
        let goals = [Source {
            cell: goal,
            start_cost: 0,
        }];
        let mut search = Search::new(&map, &mut room, goals.to_vec(), std::iter::empty());
        for _ in 0..6 {
            if let Some(cell) = draw_open(&map, &mut draw) {
                search.want(&map, cell);
            }
            let mut work = Work::within(Budget::cells(u64::from(draw(400))));
            let _ = search.advance(&map, &mut room, &mut work);
            let changed = draw_edit(&mut map, &mut draw);
            search.refit(&map, changed.into_iter());
        }
        // Its paths may be those of an older map, but it ends, and they do.
        run(&map, &mut room, &mut search, u64::MAX);
        search.retire(&mut room);

        // One that is done is good until an edit in what it has seen.
        if !map.costs.is_open(goal) {
            continue;
        }
        let mut search = Search::new(&map, &mut room, goals.to_vec(), std::iter::empty());
        for _ in 0..6 {
            let known = plain_costs(&map, &goals);
            let Some(cell) = draw_open(&map, &mut draw) else {
                continue;
            };
            let cost = plain_cost(&map, &known, &goals, cell);
            if cost.is_some() {
                search.recall(&map, &mut room);
                search.want(&map, cell);
                let portals = run(&map, &mut room, &mut search, u64::MAX);
                assert_eq!(search.cost_from(&map, cell), cost, "{turn}: {cell}");
                assert_paths(&map, &portals, &known, &goals);
            }
            let changed = draw_edit(&mut map, &mut draw);
            if changed.contains(&sector_of(&map, goal)) && !map.costs.is_open(goal) {
                break;
            }
            let has_seen = changed.iter().any(|&sector| search.has_seen(&map, sector));
            if has_seen {
                search.forget(&mut room);
            }
            forgotten += u64::from(has_seen);
            kept += u64::from(!has_seen);
        }
        search.retire(&mut room);
    }
    let least = scaled(300);
    assert!(forgotten > least && kept > least, "{forgotten}, {kept}");
}

/// What is kept depends on what was found, not on the memory that it is found in.
#[test]
fn search_weighs_the_same_in_used_memory_and_a_copy() {
    let mut draw = draws(80);
    let mut found = 0;
    for turn in 0..40 {
        let map = map_of(draw_costs(&mut draw), (turn % 5) as u32);
        let weight_in = |room: &mut SearchRoom, cells: &[Cell], copies: bool| {
            let [goal, wants @ ..] = cells else {
                return 0;
            };
            let goal = Source {
                cell: *goal,
                start_cost: 0,
            };
            let mut search = Search::new(&map, room, vec![goal], std::iter::empty());
            for &cell in wants {
                if copies {
                    search = search.clone();
                }
                search.want(&map, cell);
                run(&map, room, &mut search, u64::MAX);
            }
            let weight = search.weight();
            search.retire(room);
            weight
        };
        let [before, cells] = [(); 2].map(|()| -> Vec<Cell> {
            let cells = (0..6).filter_map(|_| draw_open(&map, &mut draw));
            cells.collect()
        });
        let [mut used, mut fresh, mut other] = [(); 3].map(|()| SearchRoom::default());
        weight_in(&mut used, &before, false);
        let weights = [
            weight_in(&mut used, &cells, false),
            weight_in(&mut fresh, &cells, false),
            weight_in(&mut other, &cells, true),
        ];
        assert_eq!([weights[0]; 3], weights, "{turn}");
        found += weights[0];
    }
    assert!(found > 10_000, "{found}");
}

#[test]
fn the_work_counted_is_the_same_however_it_is_sliced() {
    let mut draw = draws(79);
    for turn in 0..60 {
        let costs = draw_costs(&mut draw);
        let map = map_of(costs, 1 + turn % 4);
        let (Some(goal), Some(unit)) = (draw_open(&map, &mut draw), draw_open(&map, &mut draw))
        else {
            continue;
        };
        let mut room = SearchRoom::default();
        let mut counted = [0, 1, 90].map(|slice| {
            let mut search = Search::new(
                &map,
                &mut room,
                vec![Source {
                    cell: goal,
                    start_cost: 0,
                }],
                std::iter::empty(),
            );
            search.want(&map, unit);
            let mut all = 0;
            let mut advance = |work: &mut Work| {
                let end = search.advance(&map, &mut room, work);
                all += work.done();
                end
            };
            match slice {
                0 => run_to_end(&mut advance),
                slice => while advance(&mut Work::within(Budget::cells(slice))).is_err() {},
            }
            search.retire(&mut room);
            all
        });
        counted.sort_unstable();
        assert_eq!(counted[0], counted[2], "{turn}");
    }
}
