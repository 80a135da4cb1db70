//! Which links a search opens: those that may give a unit a cheaper path.
//!
//! To open a link takes a search in the clusters of both ends, and an estimate to its exit.
//! So the units' paths are searched without links first. Then links are bounded as over open
//! ground, and opened in two steps:
//!
//! ```text
//!   units ─line─► entry ══ link ══► exit ─line─► goal
//!
//!   1. the links on the path that is cheapest by these bounds
//!   2. all links by which a path might still be as cheap as the dearest one found
//! ```
//!
//! After each step the search goes on for the units that may gain. A unit on an island
//! from which only links lead to a goal opens all at once.
//!
//! The bounds hold until the lowest cost of the map changes, when every order is
//! planned again. So no other edit makes a path gain by a link that stays closed.

use super::Search;
use crate::budget::{Paused, Work};
use crate::grid::Cell;
use crate::heuristic::{Estimate, SearchGroup};
use crate::map::Map;
use crate::route::search_link::{BoundFrom, LinkBounds, Opening, SearchLink};
use crate::route::target::SearchTarget;

/// How many links are looked at for the work of a cell.
const LINKS_A_CELL: usize = 8;

impl Search {
    /// Opens all links at once: a unit can reach no goal without them.
    pub(crate) const fn require_links(&mut self) {
        self.needs_links = true;
    }

    /// Whether paths through a link are searched.
    pub(super) fn is_any_link_opened(&self) -> bool {
        self.links.iter().any(SearchLink::is_opened)
    }

    #[cfg(test)]
    pub(in crate::route) fn closed_links(&self) -> usize {
        self.links.iter().filter(|link| !link.is_opened()).count()
    }

    /// Begins anew for other targets.
    pub(super) fn begin_opening(&mut self, map: &Map) {
        self.opening = Opening::Begun;
        if self.needs_links {
            self.open_up_to(map, u64::MAX);
        }
    }

    /// Opens links by which units may find cheaper paths, once all targets are served;
    /// returns whether there are any.
    pub(super) fn open_links(&mut self, map: &Map, work: &mut Work) -> Result<bool, Paused> {
        if self.links.iter().all(SearchLink::is_opened) {
            return Ok(false);
        }
        let highest = self.targets.highest();
        self.bound_links(map, highest.saturating_add(1), work)?;
        let closed = self.links.iter().filter(|link| !link.is_opened());
        let least = closed.map(SearchLink::least).min();
        let Some(least) = least.filter(|&least| least <= highest) else {
            return Ok(false);
        };
        let up_to = match self.opening {
            Opening::First => highest,
            _ => least,
        };
        self.opening = Opening::First;
        self.open_up_to(map, up_to);
        self.targets.reopen(least);
        Ok(true)
    }

    /// Bounds the costs of paths through each link, unless that is done.
    fn bound_links(&mut self, map: &Map, limit: u64, work: &mut Work) -> Result<(), Paused> {
        if matches!(self.opening, Opening::Begun) {
            self.opening = Opening::Bounding(self.bounds_from(BoundFrom::Goals, map, limit));
        }
        while let Opening::Bounding(bounds) = &mut self.opening {
            loop {
                work.check()?;
                if !bounds.settle_one(&self.links) {
                    break;
                }
                work.count((self.links.len() / LINKS_A_CELL) as u64 + 1);
            }
            let from = bounds.from;
            for (link, bound) in self.links.iter_mut().zip(bounds.found()) {
                match from {
                    BoundFrom::Goals => link.to_goal = bound,
                    BoundFrom::Units => link.from_units = bound,
                }
            }
            self.opening = match from {
                BoundFrom::Goals => {
                    Opening::Bounding(self.bounds_from(BoundFrom::Units, map, limit))
                }
                BoundFrom::Units => Opening::Bounded,
            };
        }
        Ok(())
    }

    fn bounds_from(&self, from: BoundFrom, map: &Map, limit: u64) -> LinkBounds {
        let lowest = map.costs.lowest();
        let (estimate, start_cost) = match from {
            BoundFrom::Goals => {
                let goals = self
                    .sources
                    .iter()
                    .enumerate()
                    .map(|(number, goal)| (SearchGroup::some(number), goal.cell));
                let start_costs = self.sources.iter().map(|goal| goal.start_cost);
                let least = start_costs.min().unwrap_or(0);
                (Estimate::at(goals, lowest), least)
            }
            BoundFrom::Units => {
                let units = self.targets.iter().flat_map(SearchTarget::units_by_group);
                (Estimate::at(units, lowest), 0)
            }
        };
        let first = |Cell { x, y }| start_cost + estimate.price(x, y);
        LinkBounds::new(from, &self.links, first, limit, lowest)
    }

    /// Opens the links with a bound of at most `up_to`.
    fn open_up_to(&mut self, map: &Map, up_to: u64) {
        let extent = map.costs.extent();
        for number in 0..self.links.len() {
            let link = self.links[number];
            if !link.is_opened() && link.least() <= up_to {
                let entry = extent.sector(extent.locate(link.link.entry).0);
                self.blocks.opened(map, entry);
                let exit = self.add_want(map, link.link.exit, false);
                self.links[number].exit = exit;
                // A path from the exit may be known, of a unit or for another link.
                self.follow_links(map, exit, None);
            }
        }
    }
}
