//! Routes without an order, and what is asked of them.

use super::room::SearchRoom;
use super::search::{PathPortal, Reporting, Search};
use super::target::Source;
use crate::budget::run_to_end;
use crate::grid::Cell;
use crate::kernel::{Threshold, walks_to};
use crate::map::Map;
use crate::portal::PortalId;

/// A path from cell to cell through the portals, as returned by
/// [`FlowWorld::find_route`](crate::FlowWorld::find_route).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// The cost of the route, in fifths of an open straight step. It is exact
    /// inside each sector, from crossing to crossing. The path along which an order's
    /// directions lead never costs more.
    pub cost: u64,
    /// The portals, in the order in which a unit passes them.
    pub portals: Vec<PortalId>,
    /// For each portal the level at which the search crossed the ground behind it.
    pub levels: Vec<RouteLevel>,
}

/// A level of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RouteLevel {
    /// The [portal graph](crate::Inspection::portal_graph): sector by sector.
    Portals,
    /// The [level above](crate::Inspection::cluster_graph): a cluster of sectors in one
    /// step.
    Clusters,
}

impl Route {
    /// Finds the cheapest route between two cells; `None` if there is none.
    pub(crate) fn find(map: &Map, room: &mut SearchRoom, from: Cell, to: Cell) -> Option<Self> {
        let (mut portals, mut levels) = (Vec::new(), Vec::new());
        let mut query = Query::search(map, room, from, &[to])?;
        query.report(|portal| {
            portals.push(portal.id);
            levels.push(match portal.is_in_cluster {
                true => RouteLevel::Clusters,
                false => RouteLevel::Portals,
            });
        });
        Some(Self {
            cost: query.end(),
            portals,
            levels,
        })
    }
}

/// Returns the cost of the cheapest route between two cells; `None` if there is none.
pub(crate) fn route_cost(map: &Map, room: &mut SearchRoom, from: Cell, to: Cell) -> Option<u64> {
    Some(Query::search(map, room, from, &[to])?.end())
}

/// Returns the goal with the cheapest route from a cell; `None` if no route leads to any.
pub(crate) fn nearest_goal(
    map: &Map,
    room: &mut SearchRoom,
    from: Cell,
    goals: &[Cell],
) -> Option<Cell> {
    let mut query = Query::search(map, room, from, goals)?;
    let mut last = None;
    query.report(|portal| last = Some(portal));
    let cost = query.end();
    // The goal is in the sector that the route enters last, at the cost that is left.
    let extent = map.costs.extent();
    let (id, begin, left) = match last {
        None => {
            let (id, slot) = extent.locate(from);
            (id, Threshold::at(slot), cost)
        }
        Some(portal) => {
            let id = extent.sector_id(portal.into)?;
            let tile = map.costs.tile(id);
            let around = map.graph.around(portal.into);
            let local = around.portals(&tile).find(|local| local.id == portal.id);
            let entry = local?.entry;
            (id, entry, portal.cost)
        }
    };
    let tile = map.costs.tile(id);
    let mut walk = Vec::new();
    let mut costs = |slot| {
        walks_to(&tile, slot, std::slice::from_ref(&begin), &mut walk);
        walk.first().is_some_and(|&walk| u64::from(walk) == left)
    };
    let mut goals = goals.iter().map(|&goal| (goal, extent.locate(goal)));
    let (goal, _) = goals.find(|&(_, (place, slot))| place == id && costs(slot))?;
    Some(goal)
}

/// A finished search that belongs to no order.
struct Query<'a> {
    map: &'a Map,
    room: &'a mut SearchRoom,
    search: Search,
    cost: u64,
}

impl<'a> Query<'a> {
    /// Searches the cheapest path from a cell to one of the goals; `None` if there is none.
    fn search(map: &'a Map, room: &'a mut SearchRoom, from: Cell, goals: &[Cell]) -> Option<Self> {
        let goals = goals.iter().map(|&cell| Source {
            cell,
            start_cost: 0,
        });
        let mut search = Search::of_a_query(room, goals.collect());
        search.want(map, from);
        run_to_end(|work| search.advance(map, room, work));
        match search.found() {
            Some((_, cost)) => Some(Self {
                map,
                room,
                search,
                cost,
            }),
            None => {
                search.retire(room);
                None
            }
        }
    }

    /// Calls `on_portal` with the portals of the path, in the order in which a unit passes
    /// them.
    fn report(&mut self, mut on_portal: impl FnMut(PathPortal)) {
        let (search, map) = (&mut self.search, self.map);
        run_to_end(|work| {
            search.report(map, &mut Reporting::default(), work, &mut on_portal, |_| ())
        });
    }

    /// Gives the memory back; returns the cost of the path.
    fn end(self) -> u64 {
        self.search.retire(self.room);
        self.cost
    }
}
