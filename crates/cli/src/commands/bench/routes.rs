//! Searches that load nothing, beside petgraph's A* on the same portal graph.
//!
//! The engine searches from cell to cell, petgraph from the first portal of the engine's
//! route to the last, which is less work. Its heuristic is the price over open ground
//! from crossing to crossing: no path is cheaper, since no cell costs less than 1.

use std::cmp::Reverse;
use std::hint::black_box;

use flowtiles::Cell;
use flowtiles::graph::PortalId;
use flowtiles::petgraph::algo::astar;
use flowtiles::petgraph::graph::{Graph, NodeIndex};

use super::ground::{Ground, refused};
use super::sheet::Column;
use super::times::Times;
use crate::support::failure::Failure;

/// Measures the searches between the cells farthest apart of many drawn.
pub fn measure(ground: &Ground, column: &mut Column) -> Result<(), Failure> {
    let (world, count) = (&ground.world, ground.effort.pick(10, 2));
    let portals = world.inspect().portal_graph();
    let ids: Vec<PortalId> = portals.portals().map(|portal| portal.id).collect();
    let graph = portals
        .to_petgraph()
        .map_owned(|_, portal| portal.crossing[0], |_, edge| edge.cost);
    let number = |id: &PortalId| ids.binary_search(id).ok().map(NodeIndex::new);
    let mut pairs = ground.pairs(31, 8 * count);
    pairs.sort_by_key(|(from, to)| Reverse(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))));
    pairs.truncate(count);
    let mut searches = Vec::new();
    for (from, to) in pairs {
        let route = world.find_route(from, to).map_err(refused)?;
        let route = route.ok_or_else(|| ground.wrong(format!("no route from {from} to {to}")))?;
        if let [first, .., last] = &route.portals[..]
            && let Some(ends) = number(first).zip(number(last))
        {
            searches.push((from, to, ends));
        }
    }
    if searches.is_empty() {
        return Err(ground.unfit("its longest paths pass fewer than two portals"));
    }
    let [mut engine, mut petgraph] = [Times::default(), Times::default()];
    for _ in 0..ground.effort.rounds() {
        for (job, &(from, to, ends)) in searches.iter().enumerate() {
            black_box(engine.time(job, || world.find_route(black_box(from), to))).ok();
            let price = petgraph.time(job, || search(&graph, black_box(ends)));
            price.ok_or_else(|| ground.wrong(format!("petgraph: no path from {from} to {to}")))?;
        }
    }
    column.put("route, × petgraph", petgraph.median() / engine.median());
    column.put("route, µs", engine.median() * 1e6);
    Ok(())
}

/// Returns the price of the cheapest path between two portals.
fn search(graph: &Graph<Cell, u32>, (from, to): (NodeIndex, NodeIndex)) -> Option<u32> {
    let heuristic = |node| {
        let (from, to): (Cell, Cell) = (graph[node], graph[to]);
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        5 * dx.max(dy) + 2 * dx.min(dy)
    };
    let found = astar(
        graph,
        from,
        |node| node == to,
        |edge| *edge.weight(),
        heuristic,
    );
    found.map(|(price, _)| price)
}
