//! The search: no path through the crossings is cheaper than a unit's path, one
//! search serves many units and later ones, and only routes are loaded.

use std::collections::HashMap;

use crate::oracle::draw::{SIZES, for_drawn};
use crate::oracle::follow::{finish, world_of};
use crate::oracle::{Field, Map, home_of, sector_of, settle};
use flowtiles::graph::{Portal, PortalGraph, PortalId, Route};
use flowtiles::{Cell, CellRect, FlowWorld, Sample, Sector};
use petgraph::algo::dijkstra;
use petgraph::visit::{EdgeRef, IntoNeighbors, Reversed};

/// A portal as one of its sectors sees it: its own cell, and the window's cells
/// here.
struct Port {
    id: PortalId,
    place: Cell,
    window: CellRect,
}

/// Returns the portals around a sector.
fn around(graph: &PortalGraph, sector: Sector) -> Vec<Port> {
    let portals = graph.portals_of(sector);
    let port = |portal: Portal| Port {
        id: portal.id,
        place: portal.crossing[0],
        window: portal.windows[usize::from(portal.sectors[1] == sector)],
    };
    portals.map(port).collect()
}

/// Returns the costs of walking to a cell through one sector. The cell and the
/// place of `port` may lie just outside: a step joins them to the window's
/// cells.
fn through(map: &Map, sector: Sector, to: Cell, windows: &[&Port]) -> Field {
    let joined = |outside: Cell, cell: Cell| {
        let mut windows = windows.iter();
        windows.any(|port| port.place == outside && port.window.contains(cell))
    };
    let inside = |cell: Cell| sector_of(cell) == sector;
    settle(
        map,
        (to, 0),
        |cell| inside(cell) || windows.iter().any(|port| port.place == cell),
        |from, to| match (inside(from), inside(to)) {
            (true, true) => map.step(from, to),
            (true, false) if joined(to, from) => map.step(from, to),
            (false, true) if joined(from, to) => map.step(from, to),
            _ => None,
        },
    )
}

/// Returns for each portal the cost of the cheapest path to the goal through
/// crossings.
pub fn by_crossings(map: &Map, graph: &PortalGraph, goal: Cell) -> HashMap<PortalId, u64> {
    let mut best: HashMap<PortalId, u64> = HashMap::new();
    let sector = sector_of(goal);
    for port in around(graph, sector) {
        let Some(leg) = through(map, sector, goal, &[&port])[map.id(port.place)] else {
            continue;
        };
        let last = port.id;
        let price = dijkstra(Reversed(graph), last, None, |edge| {
            u64::from(edge.weight().cost)
        });
        for (from, price) in price {
            let best = best.entry(from).or_insert(u64::MAX);
            *best = (*best).min(price + leg);
        }
    }
    best
}

/// Returns the cost of the cheapest path from a cell to the goal, through crossings
/// or inside the one sector.
pub fn limit(
    map: &Map,
    graph: &PortalGraph,
    by_crossings: &HashMap<PortalId, u64>,
    unit: Cell,
    goal: Cell,
) -> u64 {
    let sector = sector_of(unit);
    let by_portals = around(graph, sector).into_iter().filter_map(|port| {
        let leg = through(map, sector, port.place, &[&port])[map.id(unit)]?;
        Some(leg + by_crossings.get(&port.id)?)
    });
    let direct = through(map, sector, goal, &[])[map.id(unit)];
    let direct = direct.filter(|_| sector_of(goal) == sector);
    by_portals.chain(direct).min().expect("reachable")
}

#[test]
fn unit_paths_are_no_dearer_than_through_crossings() {
    for_drawn(71, &SIZES, 2, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let home = home_of(map, goal);
        let mut world = world_of(map);
        let best = by_crossings(map, world.inspect().portal_graph(), goal);
        let first: Vec<Cell> = (0..3).map(|_| rng.pick(&home)).collect();
        let order = world.order(goal, &first).expect("reachable");
        finish(&mut world);
        let check = |world: &FlowWorld, unit: Cell| {
            let limit = limit(map, world.inspect().portal_graph(), &best, unit, goal);
            let paid = world.cost_to_go(&order, unit);
            assert!(
                paid.is_some_and(|paid| paid <= limit),
                "{paid:?} from {unit} to {goal}, {limit} through the crossings of {map}"
            );
        };
        for &unit in &first {
            check(&world, unit);
        }
        // Later units continue the search.
        for _ in 0..3 {
            let unit = rng.pick(&home);
            let sampled = world.sample(&order, unit);
            world.cover(&order, unit).expect("on the map");
            finish(&mut world);
            if sampled == Sample::OffRoute {
                check(&world, unit);
            }
        }
    });
}

#[test]
fn loaded_sectors_are_the_route_and_its_neighbours() {
    for_drawn(72, &SIZES, 3, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let home = home_of(map, goal);
        let units: Vec<Cell> = (0..3).map(|_| rng.pick(&home)).collect();
        let mut world = world_of(map);
        let order = world.order(goal, &units).expect("reachable");
        finish(&mut world);
        let loaded = world.inspect().loaded(&order);
        let route: Vec<[Sector; 2]> = world
            .inspect()
            .route(&order)
            .into_iter()
            .map(|id| {
                world
                    .inspect()
                    .portal_graph()
                    .portal(id)
                    .expect("a real portal")
                    .sectors
            })
            .collect();
        let ends: Vec<Sector> = units.iter().map(|&unit| sector_of(unit)).collect();
        for end in &ends {
            assert!(loaded.contains(end), "a unit's sector {end}, on {map}");
        }
        // A path may touch a crossing without passing there.
        for sectors in &route {
            let touched = sectors.iter().any(|sector| loaded.contains(sector));
            assert!(touched, "{sectors:?} are on the way, on {map}");
        }
        let on_way: Vec<Sector> = route.as_flattened().iter().chain(&ends).copied().collect();
        for sector in &loaded {
            let is_near =
                |other: &Sector| (sector.x - other.x).abs() <= 2 && (sector.y - other.y).abs() <= 2;
            let is_closed = map.cells_of(*sector).iter().all(|&cell| !map.is_open(cell));
            assert!(
                on_way.iter().any(is_near),
                "{sector} is loaded for nothing, on {map}"
            );
            assert!(!is_closed, "{sector} is rock, on {map}");
        }
    });
}

#[test]
fn on_open_ground_the_route_alone_is_loaded() {
    let mut world = world_of(&Map::open(200, 100));
    for (unit, goal) in [((3, 4), (195, 90)), ((15, 95), (55, 15))] {
        let [unit, goal] = [unit, goal].map(|(x, y)| Cell::new(x, y));
        let order = world.order(goal, &[unit]).expect("reachable");
        finish(&mut world);
        let graph = world.inspect().portal_graph();
        let route = world.inspect().route(&order).into_iter();
        let on_way: Vec<Sector> = route
            .flat_map(|id| graph.portal(id).expect("a real portal").sectors)
            .collect();
        let loaded = world.inspect().loaded(&order);
        assert!(loaded.len() > 6, "{loaded:?}");
        assert!(
            loaded.iter().all(|sector| on_way.contains(sector)),
            "{loaded:?}"
        );
    }
}

/// Asserts that a route crosses whole clusters from rim to rim.
fn assert_levels(world: &FlowWorld, route: &Route) {
    let clusters = world.inspect().cluster_graph();
    let is_on_rim = |portal: PortalId| clusters.neighbors(portal).next().is_some();
    let legs: Vec<_> = route.portals.iter().zip(&route.levels).collect();
    assert_eq!(legs.len(), route.portals.len());
    for pair in legs.windows(2) {
        if pair[0].1 != pair[1].1 {
            assert!(is_on_rim(*pair[1].0), "{pair:?}");
        }
    }
}

#[test]
fn a_route_by_itself_is_the_cheapest_and_the_orders() {
    for_drawn(75, &SIZES, 2, |map, rng| {
        let Some(to) = rng.open_cell(map) else {
            return;
        };
        let home = home_of(map, to);
        let mut world = world_of(map);
        let best = by_crossings(map, world.inspect().portal_graph(), to);
        for _ in 0..4 {
            let from = rng.cell(map);
            let found = world.find_route(from, to).expect("on the map");
            assert_eq!(
                found.is_some(),
                home.contains(&from),
                "{from} to {to} on {map}"
            );
            let Some(route) = found else { continue };
            let cheapest = limit(map, world.inspect().portal_graph(), &best, from, to);
            assert_eq!(route.cost, cheapest, "{from} to {to} on {map}");
            for pair in route.portals.windows(2) {
                let mut onward = world.inspect().portal_graph().edges(pair[0]);
                assert!(onward.any(|(next, _)| next == pair[1]), "{pair:?} on {map}");
            }
            assert_levels(&world, &route);
            let order = world.order(to, &[from]).expect("reachable");
            finish(&mut world);
            let mut portals = route.portals;
            portals.sort_unstable();
            assert_eq!(
                portals,
                world.inspect().route(&order),
                "{from} to {to} on {map}"
            );
        }
    });
}
