//! A link as a search sees it, and bounds on the paths through it.

use super::target::{Source, TargetId};
use crate::cost::CellLink;
use crate::grid::Cell;
use crate::kernel::{UNREACHED, octile};

/// A link that a path may lead through.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLink {
    pub(super) link: CellLink,
    /// The cost of the best path known from its entry.
    pub(super) cost: u64,
    /// The target of its exit, once the link is opened.
    pub(super) exit: TargetId,
    /// Whether a path that was reported leads through it.
    pub(super) is_used: bool,
    /// No path through it from its entry to a goal costs less.
    pub(super) to_goal: u64,
    /// No path from a unit to its exit, through it, costs less.
    pub(super) from_units: u64,
}

impl SearchLink {
    pub(super) const fn new(link: CellLink) -> Self {
        Self {
            link,
            cost: UNREACHED,
            exit: TargetId::NONE,
            is_used: false,
            to_goal: 0,
            from_units: 0,
        }
    }

    pub(super) const fn reset(&mut self) {
        *self = Self::new(self.link);
    }

    /// Whether the search looks for paths through it.
    pub(super) fn is_opened(&self) -> bool {
        self.exit != TargetId::NONE
    }

    /// No path from a unit to a goal through the link costs less.
    pub(super) const fn least(&self) -> u64 {
        // The price is in both.
        (self.to_goal + self.from_units).saturating_sub(self.link.price as u64)
    }

    /// Returns its entry as a source, once a path from its exit is known.
    pub(super) const fn source(&self) -> Option<Source> {
        match self.cost {
            UNREACHED => None,
            start_cost => Some(Source {
                cell: self.link.entry,
                start_cost,
            }),
        }
    }
}

/// Which end of a path the bounds of links are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundFrom {
    Goals,
    Units,
}

/// Bounds on paths from goals, or units, through one link or several, counted as over open
/// ground of the lowest cost: links are settled as by Dijkstra's algorithm.
#[derive(Clone, Debug)]
pub(super) struct LinkBounds {
    pub(super) from: BoundFrom,
    /// By link: its bound, and whether it is settled.
    bounds: Vec<(u64, bool)>,
    /// The link with the lowest bound of those that are not settled.
    next: Option<usize>,
    /// Settled links have lower bounds than this.
    limit: u64,
    lowest: u8,
}

impl LinkBounds {
    /// Begins with each link by itself. `first` returns a bound on the cost between goals,
    /// or units, and a cell. Bounds of `limit` or more need not be distinguished.
    pub(super) fn new(
        from: BoundFrom,
        links: &[SearchLink],
        first: impl Fn(Cell) -> u64,
        limit: u64,
        lowest: u8,
    ) -> Self {
        let bound = |link: &SearchLink| {
            let (near, _) = from.ends(&link.link);
            (first(near) + u64::from(link.link.price), false)
        };
        let bounds: Vec<(u64, bool)> = links.iter().map(bound).collect();
        let next = bounds
            .iter()
            .enumerate()
            .map(|(at, &(bound, _))| (bound, at))
            .filter(|&(bound, _)| bound < limit)
            .min();
        Self {
            from,
            bounds,
            next: next.map(|(_, at)| at),
            limit,
            lowest,
        }
    }

    /// Settles the link with the lowest bound; returns false once all are settled.
    pub(super) fn settle_one(&mut self, links: &[SearchLink]) -> bool {
        let Some(number) = self.next.take() else {
            return false;
        };
        let bound = self.bounds[number].0;
        self.bounds[number].1 = true;
        let (_, far) = self.from.ends(&links[number].link);
        let mut least = self.limit;
        for (at, (link, (other, is_settled))) in links.iter().zip(&mut self.bounds).enumerate() {
            if *is_settled {
                continue;
            }
            let (near, _) = self.from.ends(&link.link);
            let line = octile(near.x.abs_diff(far.x), near.y.abs_diff(far.y));
            let through = bound + line * u64::from(self.lowest) + u64::from(link.link.price);
            *other = through.min(*other);
            if *other < least {
                least = *other;
                self.next = Some(at);
            }
        }
        true
    }

    /// Returns the bound of each link.
    pub(super) fn found(&self) -> impl Iterator<Item = u64> {
        self.bounds.iter().map(|&(bound, _)| bound.min(self.limit))
    }
}

impl BoundFrom {
    /// Returns the near and the far end of a link.
    const fn ends(self, link: &CellLink) -> (Cell, Cell) {
        match self {
            Self::Goals => (link.exit, link.entry),
            Self::Units => (link.entry, link.exit),
        }
    }
}

/// How far a search has come with opening links for the present targets.
#[derive(Clone, Debug, Default)]
pub(super) enum Opening {
    #[default]
    Begun,
    Bounding(LinkBounds),
    Bounded,
    /// The links on one path are opened.
    First,
}
