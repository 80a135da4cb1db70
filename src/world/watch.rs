//! An order under way, as it stands between two ticks: for pictures of how a
//! field comes about.

use std::fmt;

use super::FlowWorld;
use crate::field::TileState;
use crate::grid::Sector;
use crate::order::{Order, Plan, Stage};
use crate::portal::PortalId;

/// What is being done for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderStage {
    /// The portal graph is searched for ways.
    Search,
    /// The sectors on the ways found are loaded.
    Load,
    /// The loaded sectors are integrated from the goal outward.
    Integrate,
    /// The new field is fitted to what was edited meanwhile.
    Patch,
    /// Nothing is left to do: the field can be read.
    Done,
}

impl OrderStage {
    /// Its name in one small word.
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

    const fn of(stage: Option<&Stage>) -> Self {
        match stage {
            Some(Stage::Search) => Self::Search,
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

/// A portal and the price of the way from it to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PricedPortal {
    /// The portal.
    pub portal: PortalId,
    /// The price, in fifths of an open straight step.
    pub cost: u64,
}

/// A read-only view of an order as it stands between two ticks; from
/// [`FlowWorld::watch`].
///
/// ```
/// use flowtiles::{Budget, Cell, CostMap, FlowWorld, OrderStage};
///
/// let mut world = FlowWorld::new(CostMap::open(200, 200)?);
/// let order = world.order(Cell::new(190, 190), &[Cell::new(5, 5)])?;
/// world.tick(Budget::cells(400));
/// let watch = world.watch(&order);
/// assert_eq!(watch.stage(), OrderStage::Search);
/// assert!(!watch.taken().is_empty() && !watch.frontier().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Watch<'w> {
    plan: &'w Plan,
}

impl FlowWorld {
    /// A read-only view of how far an order has come: its stage, the portals
    /// that its search has taken, the sectors that are loaded and settled. It
    /// copies what it returns, so it is for pictures and tests, not for every frame
    /// of a game.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn watch(&self, order: &Order) -> Watch<'_> {
        let plan = self.book.plan(order);
        Watch { plan }
    }
}

impl Watch<'_> {
    /// What is being done for the order.
    #[must_use]
    pub const fn stage(&self) -> OrderStage {
        OrderStage::of(self.plan.stage())
    }

    /// The portals that the search has taken, by id. Their prices do not change any
    /// more, as long as no edit concerns the order. Empty again once the search has
    /// forgotten what it knew, long after it was done.
    #[must_use]
    pub fn taken(&self) -> Vec<PricedPortal> {
        priced(self.plan.search().taken())
    }

    /// The portals that the search has seen and not taken, each with the lowest
    /// price known so far, by id.
    #[must_use]
    pub fn frontier(&self) -> Vec<PricedPortal> {
        priced(self.plan.search().frontier())
    }

    /// The sectors that are loaded, row by row: those of the region under way if
    /// there is one, and otherwise those of the field that units read.
    #[must_use]
    pub fn loaded(&self) -> Vec<Sector> {
        let loaded = match self.plan.region() {
            Some(region) => region.states().map(|state| state.sector).collect(),
            None => self.plan.field().sectors().collect(),
        };
        row_by_row(loaded)
    }

    /// The loaded sectors in which directions stand, row by row. One of them may
    /// be settled again before the region is done.
    #[must_use]
    pub fn settled(&self) -> Vec<Sector> {
        let Some(region) = self.plan.region() else {
            return self.loaded();
        };
        let settled = region.states().filter(|state| state.is_settled);
        row_by_row(settled.map(|state| state.sector).collect())
    }

    /// The sectors that wait to be settled, row by row, each with the lowest
    /// cost-to-go that has come to its border.
    #[must_use]
    pub fn waiting(&self) -> Vec<(Sector, u64)> {
        let states = self.plan.region().map(|region| region.states());
        let waits = |state: TileState| Some((state.sector, state.waiting?));
        let mut waiting: Vec<_> = states.into_iter().flatten().filter_map(waits).collect();
        waiting.sort_unstable_by_key(|(sector, _)| (sector.y, sector.x));
        waiting
    }
}

fn priced(portals: Vec<(PortalId, u64)>) -> Vec<PricedPortal> {
    let priced = portals.into_iter();
    priced
        .map(|(portal, cost)| PricedPortal { portal, cost })
        .collect()
}

fn row_by_row(mut sectors: Vec<Sector>) -> Vec<Sector> {
    sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
    sectors
}
