//! The links on one layer, and which of them are open: neither end is a wall.
//!
//! They are looked up again after an edit, and when a link comes or goes. Orders that
//! may lead through one that has changed are planned again, and until then no unit is
//! sent into a link that is gone or walled up.

use super::Map;
use crate::cost::{CellLink, CostMap, LinkId};
use crate::grid::Cell;
use crate::islands::Island;

/// The cells of the links on a layer, by link, and row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenLinks {
    all: Vec<CellLink>,
    open: Vec<CellLink>,
}

impl OpenLinks {
    pub(super) fn replace(&mut self, all: Vec<CellLink>, costs: &CostMap) {
        self.all = all;
        self.repair(costs);
    }

    /// Looks again which links are open; returns whether others are.
    pub(super) fn repair(&mut self, costs: &CostMap) -> bool {
        let open: Vec<CellLink> = self
            .all
            .iter()
            .filter(|link| costs.is_open(link.entry) && costs.is_open(link.exit))
            .copied()
            .collect();
        let before = std::mem::replace(&mut self.open, open);
        before != self.open
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(crate) fn open(&self) -> &[CellLink] {
        &self.open
    }

    pub(crate) fn has(&self, link: &CellLink) -> bool {
        find(&self.open, link.id, link.entry).is_some()
    }

    pub(crate) fn get(&self, id: LinkId, entry: Cell) -> Option<CellLink> {
        find(&self.all, id, entry)
    }
}

fn find(links: &[CellLink], id: LinkId, entry: Cell) -> Option<CellLink> {
    let key = |id: LinkId, cell: Cell| (id, cell.y, cell.x);
    let at = links.binary_search_by_key(&key(id, entry), |link| key(link.id, link.entry));
    Some(links[at.ok()?])
}

impl Map {
    /// Returns these islands and those from which links lead to them, in order.
    pub(crate) fn with_links_to(&self, islands: Vec<Island>) -> Vec<Island> {
        self.with_linked(islands, |link| (link.exit, link.entry))
    }

    /// Returns an island and those to which links lead from it, in order.
    pub(crate) fn with_links_from(&self, island: Island) -> Vec<Island> {
        self.with_linked(vec![island], |link| (link.entry, link.exit))
    }

    /// Adds islands, link by link: where the first cell of a pair is on a known island,
    /// the island of the second.
    fn with_linked(
        &self,
        mut known: Vec<Island>,
        pair: impl Fn(&CellLink) -> (Cell, Cell),
    ) -> Vec<Island> {
        known.sort_unstable();
        known.dedup();
        let island = |cell| self.islands.of(&self.costs, cell);
        let links = self.links.open().iter().map(pair);
        let mut pairs: Vec<(Island, Island)> = links
            .filter_map(|(known, new)| Some((island(known)?, island(new)?)))
            .filter(|(a, b)| a != b)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        loop {
            let before = known.len();
            for &(from, new) in &pairs {
                if known.binary_search(&from).is_ok()
                    && let Err(at) = known.binary_search(&new)
                {
                    known.insert(at, new);
                }
            }
            if known.len() == before {
                return known;
            }
        }
    }
}
