//! A route by itself, without an order.

use super::search::{Lead, Search, SearchRoom, Source, Telling};
use crate::budget::{Budget, Work};
use crate::grid::Cell;
use crate::map::Map;
use crate::portal::PortalId;

/// A way from cell to cell through the portals, as
/// [`FlowWorld::find_route`](crate::FlowWorld::find_route) finds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// Its price, in fifths of an open straight step: exact inside each
    /// sector, from gate to gate. The way that an order's directions lead is
    /// never dearer.
    pub cost: u64,
    /// The portals, in the order in which a unit passes them.
    pub portals: Vec<PortalId>,
}

impl Route {
    /// The cheapest route between two cells; `None` if there is none.
    pub(crate) fn find(map: &Map, room: &mut SearchRoom, from: Cell, to: Cell) -> Option<Self> {
        let goal = Source {
            cell: to,
            start_cost: 0,
        };
        let mut search = Search::new(room, vec![goal]);
        search.want(map, from);
        let mut work = Work::within(Budget::UNLIMITED);
        search.advance(map, room, &mut work);
        let (mut portals, mut telling) = (Vec::new(), Telling::default());
        let lead = |lead: Lead| portals.push(lead.portal);
        search.tell(&map.graph, &mut telling, &mut work, lead, |_| ());
        let found = search.found();
        search.retire(room);
        found.map(|(_, cost)| Self { cost, portals })
    }
}
