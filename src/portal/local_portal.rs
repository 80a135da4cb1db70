//! Portals as one of their sectors sees them: where they are, and the steps by
//! which walks enter and leave the sector.

use super::PortalId;
use super::portal_slot::{PortalSlot, Side};
use super::window::Window;
use crate::cost::{Cost, CostTile};
use crate::grid::{Sector, Slot};
use crate::kernel::{DIAGONAL, STRAIGHT, Threshold};

/// A portal as one of its two sectors sees it.
///
/// A portal's *own cell* is the crossing cell on its owner's side. For the other
/// sector this cell lies just outside. A walk crosses the border between the
/// own cell and a cell of the window by one step, straight or diagonal:
///
/// ```text
///    owner │ other sector
///        . │ a        the window is a, b, c
///        G │ b        G is the portal's own cell, beside b
///        . │ c        walks enter at a, b or c
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalPortal {
    pub(crate) id: PortalId,
    pub(crate) crossing: PackedCrossing,
    /// The end of a walk that comes from the portal's own cell.
    pub(crate) entry: Threshold,
    /// The end of a walk that goes to the portal's own cell.
    pub(crate) exit: Threshold,
}

impl LocalPortal {
    #[inline]
    pub(super) fn new(
        sector: Sector,
        portal_slot: PortalSlot,
        window: Window,
        tile: &CostTile,
    ) -> Self {
        let side = portal_slot.side();
        let near_cost = u32::from(window.near_cost);
        Self {
            id: portal_slot.id(sector),
            crossing: PackedCrossing::new(portal_slot, window.crossing),
            entry: threshold(side, window, |_| near_cost),
            exit: threshold(side, window, |slot| u32::from(tile.costs()[slot.index()])),
        }
    }

    /// Whether walks reach the portal's own cell from all directions, at the
    /// price of ground of one cost.
    #[inline]
    pub(super) fn is_free(&self, cost: Cost) -> bool {
        let price = STRAIGHT * u32::from(cost.value());
        let steps = self.entry.steps();
        self.crossing.portal_slot().side().is_owned() || steps.len() == 3 && steps[0].1 == price
    }

    /// Whether walks to and from this portal are as those of another one.
    #[inline]
    pub(super) fn is_as(&self, other: &Self) -> bool {
        (self.crossing, self.entry, self.exit) == (other.crossing, other.entry, other.exit)
    }

    /// Whether leaving the portal's own cell, if it lies outside the sector, costs at
    /// least as much as on ground of this cost.
    #[inline]
    pub(super) fn costs_at_least(&self, cost: Cost) -> bool {
        let price = STRAIGHT * u32::from(cost.value());
        self.crossing.portal_slot().side().is_owned() || self.entry.steps()[0].1 >= price
    }
}

/// Returns the steps between a portal's own cell and the sector. `cost`
/// returns the cost of the cell that a step leaves, given the step's cell in
/// the sector.
#[inline]
fn threshold(side: Side, window: Window, cost: impl Fn(Slot) -> u32) -> Threshold {
    let crossing = side.slot(window.crossing);
    if side.is_owned() {
        return Threshold::at(crossing);
    }
    let mut threshold = Threshold::over(crossing, cost(crossing) * STRAIGHT);
    let beside = [
        (window.crossing > window.start).then(|| window.crossing - 1),
        (window.crossing + 1 < window.start + window.length).then_some(window.crossing + 1),
    ];
    for along in beside.into_iter().flatten() {
        let slot = side.slot(along);
        threshold = threshold.or(slot, cost(slot) * DIAGONAL);
    }
    threshold
}

/// What a search needs of a portal around a sector, in one word: its portal
/// slot, and where its crossing is.
///
/// ```text
///   bits  12 … 8        7 … 4   3 … 0
///         portal slot   y + 1   x + 1
/// ```
///
/// `x` and `y` are the portal's own cell, as a step from the sector's
/// north-west cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedCrossing(i16);

impl PackedCrossing {
    const Y: u32 = 4;
    const SLOT: u32 = 8;

    #[inline]
    pub(super) const fn new(portal_slot: PortalSlot, crossing: u8) -> Self {
        let (x, y) = portal_slot.side().own_cell(crossing);
        Self(
            (portal_slot.number() as i16) << Self::SLOT
                | ((y + 1) as i16) << Self::Y
                | (x + 1) as i16,
        )
    }

    pub(super) const fn bits(self) -> i16 {
        self.0
    }

    #[inline]
    pub(super) const fn of_bits(bits: i16) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn portal_slot(self) -> PortalSlot {
        PortalSlot::of_number((self.0 >> Self::SLOT) as u32)
    }

    /// Returns the portal's own cell, as a step from the sector's north-west
    /// cell.
    #[inline]
    pub(crate) const fn step(self) -> (i32, i32) {
        let (x, y) = (self.0 & 15, self.0 >> Self::Y & 15);
        (x as i32 - 1, y as i32 - 1)
    }
}
