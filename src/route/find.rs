//! A route without an order.

use super::room::SearchRoom;
use super::search::{PathPortal, Reporting, Search};
use super::target::Source;
use crate::budget::run_to_end;
use crate::grid::Cell;
use crate::map::Map;
use crate::portal::PortalId;

/// A path from cell to cell through the portals, as returned by
/// [`FlowWorld::find_route`](crate::FlowWorld::find_route).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// The cost of the route, in fifths of an open straight step. It is exact
    /// inside each sector, from gate to gate. The path along which an order's
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
        let goal = Source {
            cell: to,
            start_cost: 0,
        };
        let mut search = Search::of_a_query(room, vec![goal]);
        search.want(map, from);
        let (mut portals, mut levels) = (Vec::new(), Vec::new());
        run_to_end(|work| {
            search.advance(map, room, work)?;
            let on_portal = |portal: PathPortal| {
                portals.push(portal.id);
                levels.push(match portal.is_in_cluster {
                    true => RouteLevel::Clusters,
                    false => RouteLevel::Portals,
                });
            };
            search.report(map, &mut Reporting::default(), work, on_portal, |_| ())
        });
        let found = search.found();
        search.retire(room);
        found.map(|(_, cost)| Self {
            cost,
            portals,
            levels,
        })
    }
}
