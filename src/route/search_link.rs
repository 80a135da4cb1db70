//! A link as a search sees it.

use super::target::{Source, TargetId};
use crate::cost::CellLink;
use crate::kernel::UNREACHED;

/// A link that a path may lead through.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLink {
    pub(super) link: CellLink,
    /// The cost of the best path known from its entry.
    pub(super) cost: u64,
    /// The target of its exit.
    pub(super) exit: TargetId,
    /// Whether a path that was reported leads through it.
    pub(super) is_used: bool,
}

impl SearchLink {
    pub(super) const fn new(link: CellLink) -> Self {
        Self {
            link,
            cost: UNREACHED,
            exit: TargetId::NONE,
            is_used: false,
        }
    }

    /// Forgets the paths found.
    pub(super) const fn reset(&mut self) {
        *self = Self::new(self.link);
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
