//! A route by itself, without an order.

use super::search::{Search, SearchRoom, Source};
use crate::budget::{Budget, Work};
use crate::chart::Chart;
use crate::grid::Cell;
use crate::portal::PortalId;

/// A way from cell to cell through the portals, as
/// [`FlowWorld::find_route`](crate::FlowWorld::find_route) finds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    pub(crate) fn find(chart: &Chart, room: &mut SearchRoom, from: Cell, to: Cell) -> Option<Self> {
        let goal = Source {
            cell: to,
            start_cost: 0,
        };
        let mut search = Search::new(room, vec![goal]);
        search.want(chart, from);
        search.advance(chart, room, &mut Work::within(Budget::UNLIMITED));
        let mut portals = Vec::new();
        search.ways(&chart.graph, |portal| portals.push(portal), |_| ());
        let found = search.aim_and_dearest(chart);
        search.retire(room);
        found.map(|(_, cost)| Self { cost, portals })
    }
}
