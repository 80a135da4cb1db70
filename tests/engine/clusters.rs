//! The level above the portals: its costs are those of the portal graph, however
//! the map was edited.

use std::fmt::Display;

use crate::oracle::draw::for_drawn;
use crate::oracle::follow::world_of;
use crate::oracle::{WALL, home_of};
use flowtiles::graph::PortalId;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, SECTOR_SIDE};
use petgraph::algo::dijkstra;
use petgraph::visit::{EdgeRef, IntoEdges, IntoNodeIdentifiers};

const SIZES: [(i32, i32); 4] = [(90, 35), (137, 64), (81, 160), (40, 40)];

/// Asserts that the clusters have the portal graph's cost from a rim portal to all others.
fn assert_costs_from(world: &FlowWorld, from: PortalId, ground: &dyn Display) -> usize {
    let inside = world.inspect();
    let (portals, clusters) = (inside.portal_graph(), inside.cluster_graph());
    let by_cluster = dijkstra(clusters, from, None, |edge| edge.weight().cost);
    let by_portal = dijkstra(portals, from, None, |edge| edge.weight().cost);
    let rim = clusters.node_identifiers();
    rim.inspect(|to| {
        let [one, two] = [&by_cluster, &by_portal].map(|costs| costs.get(to));
        assert_eq!(one, two, "{from} to {to} on {ground}");
    })
    .count()
}

fn assert_costs(world: &FlowWorld, ground: &dyn Display) {
    for from in world.inspect().cluster_graph().node_identifiers() {
        assert_costs_from(world, from, ground);
    }
}

#[test]
fn cluster_costs_equal_those_of_the_portal_graph() {
    let mut compared = 0;
    for_drawn(131, &SIZES, 2, |map, rng| {
        let (mut map, mut world) = (map.clone(), world_of(map));
        for _ in 0..4 {
            let inside = world.inspect();
            let (portals, clusters) = (inside.portal_graph(), inside.cluster_graph());
            let rim: Vec<_> = clusters.node_identifiers().collect();
            if rim.is_empty() {
                return;
            }
            let from = rng.pick(&rim);
            compared += assert_costs_from(&world, from, &map);
            for edge in clusters.edges(from) {
                let portal = portals.portal(edge.target()).expect("of the graph");
                let through = edge.weight().through;
                assert!(portal.sectors.into_iter().any(|sector| {
                    through.contains(Cell::new(sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE))
                }));
            }
            let (area, cost) = (rng.area(&map, 9), rng.pick(&[WALL, WALL, 1, 1, 7, 254]));
            map.fill(area, cost);
            let cost = Cost::new(cost).expect("not 0");
            world.edit(area, cost).expect("on the map");
        }
    });
    assert!(compared > 1_500, "{compared}");
}

/// Parts that are alike are joined once: here by the dozen, and with a few that differ.
#[test]
fn costs_are_exact_where_many_clusters_are_alike() {
    let side = SECTOR_SIDE;
    for_drawn(133, &[(160, 120), (240, 80)], 1, |map, rng| {
        let mut map = map.clone();
        let kinds = [[1, WALL, 4], [3, 1, WALL], [1, 1, 1], [2, 254, 1]];
        let drawn = rng.pick(&kinds);
        let all = CellRect::new(0, 0, map.width as u32, map.height as u32);
        for sector in all
            .cells()
            .filter(|cell| cell.x % side == 0 && cell.y % side == 0)
        {
            map.fill(
                CellRect::new(sector.x, sector.y, side as u32, side as u32),
                drawn[0],
            );
            // Every other sector has a stripe.
            if (sector.x + sector.y) / side % 2 == 0 {
                map.fill(CellRect::new(sector.x + 3, sector.y, 2, 8), drawn[1]);
            }
        }
        for _ in 0..3 {
            map.fill(rng.area(&map, 6), drawn[2]);
        }
        let world = world_of(&map);
        assert_costs(&world, &map);
    });
}

#[test]
fn costs_about_the_highest_of_16_bits_are_exact() {
    for cost in [40, 65, 80, 100, 250] {
        let mut map = CostMap::open(160, 80).expect("within the limit");
        map.edit(
            CellRect::new(0, 0, 160, 80),
            Cost::new(cost).expect("not 0"),
        )
        .expect("on the map");
        map.edit(CellRect::new(15, 4, 1, 76), Cost::WALL)
            .expect("on the map");
        let world = FlowWorld::new(map);
        assert_costs(&world, &format!("ground of {cost}"));
    }
}

#[test]
fn route_queries_change_no_later_tick() {
    for_drawn(132, &SIZES[1..3], 2, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let home = home_of(map, goal);
        let (mut plain, mut asked) = (world_of(map), world_of(map));
        for _ in 0..3 {
            let place = rng.cell(map);
            let cost = rng.pick(&[Cost::WALL, Cost::OPEN]);
            for world in [&mut plain, &mut asked] {
                world.edit(place, cost).expect("on the map");
            }
            for _ in 0..10 {
                let (from, to) = (rng.cell(map), rng.cell(map));
                asked.find_route(from, to).expect("on the map");
            }
            let unit = rng.pick(&home);
            let orders = [&mut plain, &mut asked].map(|world| world.order(goal, &[unit]).ok());
            loop {
                let progress = [&mut plain, &mut asked].map(|world| world.tick(Budget::cells(300)));
                assert_eq!(progress[0], progress[1], "{unit} to {goal} on {map}");
                if progress[0].is_done() {
                    break;
                }
            }
            drop(orders);
        }
    });
}
