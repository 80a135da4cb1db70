//! Links in a search: where one leads on, its entry becomes a goal.
//!
//! ```text
//!   unit ··► entry ══ link ══► exit ··► goal      the search comes from the right
//! ```
//!
//! The exits of [opened](super::opening) links are cells for which a path is wanted, like
//! those of units. Once a path from an exit is known, the link's entry is one more source,
//! at the cost of that path plus the price of the link. If a cheaper path is found, the
//! entry spreads again. The search estimates the costs to the exits too, so its keys stay
//! true lower bounds: no unit is served while a link might still lead to a cheaper path.

use super::{PIECE, Reporting, Search};
use crate::cost::CellLink;
use crate::grid::Sector;
use crate::kernel::{NO_PATH, Threshold, UNREACHED, walks_to};
use crate::map::Map;
use crate::route::queue::Queue;
use crate::route::search_link::SearchLink;
use crate::route::target::{Source, TargetId};

impl Search {
    /// Returns the links that paths may lead through.
    pub(crate) fn links(&self) -> impl Iterator<Item = CellLink> {
        self.links.iter().map(|link| link.link)
    }

    /// Returns the links through which the paths lead that were reported last.
    pub(crate) fn used_links(&self) -> impl Iterator<Item = CellLink> {
        self.links
            .iter()
            .filter(|link| link.is_used)
            .map(|link| link.link)
    }

    /// Returns the goals, and the entries of links from which a path is known.
    pub(crate) fn sources_with_links(&self) -> Vec<Source> {
        let links = self.links.iter().filter_map(SearchLink::source);
        self.sources.iter().copied().chain(links).collect()
    }

    /// Closes all links, and forgets what is known of paths through them.
    pub(super) fn close_links(&mut self) {
        self.links.iter_mut().for_each(SearchLink::reset);
    }

    /// Offers a target the entries of links in its sector.
    pub(super) fn offer_links(&mut self, map: &Map, target: TargetId) {
        let (extent, sector) = (map.costs.extent(), self.targets.sector(target));
        for source in self.links.iter().filter_map(SearchLink::source) {
            if extent.sector(extent.locate(source.cell).0) == sector {
                self.targets.offer_source(map, target, source);
            }
        }
    }

    /// After a target was offered paths: lets those of the exits in it go on at the entries
    /// of their links, and so on. `queue` is that of the search, if it has begun.
    pub(super) fn follow_links(
        &mut self,
        map: &Map,
        target: TargetId,
        mut queue: Option<&mut Queue>,
    ) {
        if self.links.is_empty() {
            return;
        }
        let mut offered = vec![target];
        while let Some(target) = offered.pop() {
            for number in 0..self.links.len() {
                if self.links[number].exit != target {
                    continue;
                }
                let link = self.links[number].link;
                let (_, slot) = map.costs.extent().locate(link.exit);
                let want = self.targets.want_at(target, slot);
                let Some(cost) = want.map(|want| want.cost).filter(|&cost| cost != UNREACHED)
                else {
                    continue;
                };
                let cost = cost + u64::from(link.price);
                if cost < self.links[number].cost {
                    self.links[number].cost = cost;
                    offered.extend(self.spread_link(map, link, cost, queue.as_deref_mut()));
                }
            }
        }
    }

    /// Spreads the entry of a link; returns the target there, if there is one.
    fn spread_link(
        &mut self,
        map: &Map,
        link: CellLink,
        start_cost: u64,
        queue: Option<&mut Queue>,
    ) -> Option<TargetId> {
        let source = Source {
            cell: link.entry,
            start_cost,
        };
        let reached = self.spread_source(map, source);
        self.debt += PIECE;
        if let Some(queue) = queue {
            for block in reached {
                self.blocks.line_up(block, queue);
            }
        }
        let extent = map.costs.extent();
        let target = self
            .blocks
            .target_in(extent.sector(extent.locate(link.entry).0));
        if target == TargetId::NONE {
            return None;
        }
        self.targets.offer_source(map, target, source);
        Some(target)
    }

    /// Whether it matters where paths end that are reported.
    pub(super) const fn needs_ends(&self, reporting: &Reporting) -> bool {
        !self.links.is_empty() || reporting.finds_ends()
    }

    /// A path that is being reported ends in this sector, at a cost that is left from
    /// where it enters: if it ends at the entry of a link, the path from the link's exit is
    /// reported too.
    pub(super) fn note_end(
        &mut self,
        map: &Map,
        reporting: &mut Reporting,
        sector: Sector,
        begin: &Threshold,
        left: u64,
    ) {
        let id = map.costs.extent().sector_id(sector);
        let Some(id) = id.filter(|_| self.needs_ends(reporting)) else {
            return;
        };
        let (extent, tile) = (map.costs.extent(), map.costs.tile(id));
        let mut walk = Vec::new();
        let mut ends_at = |source: Source| {
            let (sector, slot) = extent.locate(source.cell);
            if sector != id {
                return false;
            }
            walks_to(&tile, slot, std::slice::from_ref(begin), &mut walk);
            let walk = walk.first().copied().unwrap_or(NO_PATH);
            walk != NO_PATH && source.start_cost + u64::from(walk) == left
        };
        if let Some(source) = self.sources.iter().find(|&&source| ends_at(source)) {
            reporting.end_at(source.cell);
            return;
        }
        let mut links = self.links.iter_mut();
        let Some(link) = links.find(|link| link.source().is_some_and(&mut ends_at)) else {
            return;
        };
        if !std::mem::replace(&mut link.is_used, true) {
            let (_, slot) = extent.locate(link.link.exit);
            reporting.follow(self.targets.want_number(link.exit, slot));
        }
    }

    /// Forgets which links the paths reported so far lead through.
    pub(super) fn forget_used_links(&mut self) {
        for link in &mut self.links {
            link.is_used = false;
        }
    }
}
