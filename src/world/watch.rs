//! Orders in progress, as they are between two ticks, for pictures of how a
//! field is made.

use std::fmt;

use super::Inspection;
use crate::grid::Sector;
use crate::order::{Order, Plan, Stage};
use crate::portal::PortalId;

/// The work that is being done for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderStage {
    /// The portal graph is searched for paths.
    Search,
    /// The sectors on the paths found are loaded.
    Load,
    /// The loaded sectors are integrated from the goal outward.
    Integrate,
    /// The new field is adapted to the edits made meanwhile.
    Patch,
    /// Nothing is left to do: the field can be read.
    Done,
}

impl OrderStage {
    /// Returns the name, one word in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Load => "load",
            Self::Integrate => "integrate",
            Self::Patch => "patch",
            Self::Done => "done",
        }
    }

    pub(super) const fn of(stage: Option<&Stage>) -> Self {
        match stage {
            Some(Stage::Waiting | Stage::Search) => Self::Search,
            Some(Stage::Load(_)) => Self::Load,
            Some(Stage::Integrate(_)) => Self::Integrate,
            Some(Stage::Patch(_)) => Self::Patch,
            None => Self::Done,
        }
    }
}

impl fmt::Display for OrderStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A portal and the cost of the path from it to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct PricedPortal {
    /// The portal.
    pub portal: PortalId,
    /// The cost, in fifths of an open straight step.
    pub cost: u64,
}

/// A read-only view of an order in progress, as it is between two ticks; made
/// by [`Inspection::watch`].
///
/// ```
/// use flowtiles::inspect::OrderStage;
/// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
///
/// let mut world = FlowWorld::new(CostMap::open(200, 200)?);
/// let order = world.order(Cell::new(190, 190), &[Cell::new(5, 5)])?;
/// world.tick(Budget::cells(400));
/// let watch = world.inspect().watch(&order);
/// assert_eq!(watch.stage(), OrderStage::Search);
/// assert!(!watch.taken().is_empty() && !watch.frontier().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Watch<'w> {
    plan: &'w Plan,
}

impl<'w> Inspection<'w> {
    /// Returns a read-only view of an order's progress: its stage, the portals
    /// that its search has taken, the sectors that are loaded and settled. The
    /// view's methods copy what they return, so they are for pictures and
    /// tests, not for every frame of a game.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn watch(self, order: &Order) -> Watch<'w> {
        let plan = self.world.book.plan(order);
        Watch { plan }
    }
}

impl Watch<'_> {
    /// Returns the work that is being done for the order.
    #[must_use]
    pub const fn stage(&self) -> OrderStage {
        OrderStage::of(self.plan.stage())
    }

    /// Returns the portals that the search has reached and passed on from, by id,
    /// each with the lowest cost known so far: of sectors in clusters where a path
    /// begins or ends, and of the rims of the clusters between. Empty again some
    /// time after the search is done, when the search has forgotten what it found.
    #[must_use]
    pub fn taken(&self) -> Vec<PricedPortal> {
        priced(self.plan.search().known(false))
    }

    /// Returns the portals that the search has reached and not passed on from, by
    /// id, each with the lowest cost known so far.
    #[must_use]
    pub fn frontier(&self) -> Vec<PricedPortal> {
        priced(self.plan.search().known(true))
    }

    /// Returns the loaded sectors, row by row: those of the region being
    /// integrated, if any, and otherwise those of the field that units read.
    #[must_use]
    pub fn loaded(&self) -> Vec<Sector> {
        let loaded = match self.plan.region() {
            Some(region) => region.states().map(|state| state.sector).collect(),
            None => self.plan.field().sectors().collect(),
        };
        row_by_row(loaded)
    }

    /// Returns the loaded sectors that have directions, row by row. A sector
    /// may be settled again before the region is done.
    #[must_use]
    pub fn settled(&self) -> Vec<Sector> {
        let Some(region) = self.plan.region() else {
            return self.loaded();
        };
        let settled = region.states().filter(|state| state.is_settled);
        row_by_row(settled.map(|state| state.sector).collect())
    }

    /// Returns the sectors that wait to be settled, row by row, each with the
    /// lowest cost-to-go that has reached its border.
    #[must_use]
    pub fn waiting(&self) -> Vec<(Sector, u64)> {
        let mut waiting: Vec<_> = self
            .plan
            .region()
            .map(|region| region.states())
            .into_iter()
            .flatten()
            .filter_map(|state| Some((state.sector, state.waiting?)))
            .collect();
        waiting.sort_unstable_by_key(|(sector, _)| (sector.y, sector.x));
        waiting
    }
}

fn priced(portals: Vec<(PortalId, u64)>) -> Vec<PricedPortal> {
    portals
        .into_iter()
        .map(|(portal, cost)| PricedPortal { portal, cost })
        .collect()
}

fn row_by_row(mut sectors: Vec<Sector>) -> Vec<Sector> {
    sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
    sectors
}
