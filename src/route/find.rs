//! Routes without an order, and what is asked of them.

use super::room::SearchRoom;
use super::search::{Reporting, Search};
use super::step::PathStep;
use super::target::Source;
use crate::budget::run_to_end;
use crate::cost::LinkId;
use crate::grid::Cell;
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
    /// The links through which it leads, the oldest first.
    pub links: Vec<LinkId>,
}

/// A level of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RouteLevel {
    /// The [portal graph](crate::inspect::Inspection::portal_graph): sector by sector.
    Portals,
    /// The [level above](crate::inspect::Inspection::cluster_graph): a cluster of sectors in one
    /// step.
    Clusters,
}

impl Route {
    /// Finds the cheapest route between two cells; `None` if there is none.
    pub(crate) fn find(map: &Map, room: &mut SearchRoom, from: Cell, to: Cell) -> Option<Self> {
        let (mut portals, mut levels) = (Vec::new(), Vec::new());
        let mut query = Query::search(map, room, from, &[to])?;
        query.report(|portal| {
            portals.push(portal.portal);
            levels.push(if portal.is_in_cluster {
                RouteLevel::Clusters
            } else {
                RouteLevel::Portals
            });
        });
        let mut links: Vec<LinkId> = query.search.used_links().map(|link| link.id).collect();
        links.dedup();
        Some(Self {
            cost: query.end(),
            portals,
            levels,
            links,
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
    let goal = query.report(|_| ());
    query.end();
    goal
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
        let island = |&cell: &Cell| map.islands.of(&map.costs, cell);
        let is_on_foot = goals.iter().any(|goal| island(goal) == island(&from));
        let goals = goals.iter().map(|&cell| Source {
            cell,
            start_cost: 0,
        });
        let links = map.links.open().iter().copied();
        let mut search = Search::new(map, room, goals.collect(), links).uncounted();
        if !is_on_foot {
            search.require_links();
        }
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
    /// them. Returns the goal at which it ends.
    fn report(&mut self, mut on_portal: impl FnMut(PathStep)) -> Option<Cell> {
        let (search, map) = (&mut self.search, self.map);
        let mut reporting = Reporting::of_ends();
        run_to_end(|work| search.report(map, &mut reporting, work, &mut on_portal, |_| ()));
        reporting.end()
    }

    /// Gives the memory back; returns the cost of the path.
    fn end(self) -> u64 {
        self.search.retire(self.room);
        self.cost
    }
}
