//! Windows: the open runs of a border, cut into pieces.

use crate::arrays::array_of;
use crate::cost::{Cost, CostTile};
use crate::grid::{SECTOR_SIDE, Slot};

use super::id::{BORDER_PORTALS, Border};

/// The most cells of a window, except between two clear sectors of the same cost. Longer runs
/// are cut into pieces.
const LONGEST_PIECE: usize = 5;

/// A piece is cut where a pair of cells costs this many times as much as a pair on
/// either side of it, so that each cheap pair is the crossing of a window of its own.
const RIDGE: u32 = 3;

/// A window of a border: its cells, its crossing, and what the two crossing cells cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The first cell along the border, 0..10.
    pub(crate) start: u8,
    /// The number of cells, 1..=10.
    pub(crate) length: u8,
    /// The position of the crossing along the border, 0..10.
    pub(crate) crossing: u8,
    /// The cost of the crossing cell on the owner's side (west or north).
    pub(crate) near_cost: u8,
    /// The cost of the crossing cell on the far side.
    pub(crate) far_cost: u8,
}

/// A window in one word. Zero stands for no window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packed(u32);

impl Packed {
    const fn new(window: Window) -> Self {
        Self(
            window.start as u32
                | (window.length as u32) << 4
                | (window.crossing as u32) << 8
                | (window.near_cost as u32) << 12
                | (window.far_cost as u32) << 20,
        )
    }

    pub(crate) const fn is_window(self) -> bool {
        self.0 != 0
    }

    pub(crate) const fn window(self) -> Option<Window> {
        if self.is_window() {
            Some(self.unpack())
        } else {
            None
        }
    }

    /// Returns the window, which must exist.
    pub(crate) const fn unpack(self) -> Window {
        Window {
            start: (self.0 & 15) as u8,
            length: (self.0 >> 4 & 15) as u8,
            crossing: (self.0 >> 8 & 15) as u8,
            near_cost: (self.0 >> 12) as u8,
            far_cost: (self.0 >> 20) as u8,
        }
    }
}

/// Returns the window between two clear sectors of the same cost: the whole side.
const fn whole_side(cost: Cost) -> Packed {
    Packed::new(Window {
        start: 0,
        length: SECTOR_SIDE as u8,
        crossing: (SECTOR_SIDE as u8 - 1) / 2,
        near_cost: cost.value(),
        far_cost: cost.value(),
    })
}

/// The windows of one border, each at index start / 2.
pub(crate) type BorderWindows = [Packed; BORDER_PORTALS];

/// The windows of a border at the map's edge.
pub(crate) static NO_WINDOWS: BorderWindows = [Packed(0); BORDER_PORTALS];

/// Returns the slot of the cell at position `along` of a border, on the owner's
/// side.
#[inline]
pub(crate) const fn near_slot(border: Border, along: u8) -> Slot {
    match border {
        Border::East => Slot::at(SECTOR_SIDE - 1, along as i32),
        Border::South => Slot::at(along as i32, SECTOR_SIDE - 1),
    }
}

/// Returns the slot of the cell at position `along` of a border, on the far
/// side.
#[inline]
pub(crate) const fn far_slot(border: Border, along: u8) -> Slot {
    match border {
        Border::East => Slot::at(0, along as i32),
        Border::South => Slot::at(along as i32, 0),
    }
}

/// The two rows of costs on either side of a border.
struct FacingCosts {
    near: [u8; SECTOR_SIDE as usize],
    far: [u8; SECTOR_SIDE as usize],
}

impl FacingCosts {
    fn new(border: Border, near: &CostTile, far: &CostTile) -> Self {
        let (near, far) = (near.costs(), far.costs());
        Self {
            near: array_of(|along| near[near_slot(border, along as u8).index()]),
            far: array_of(|along| far[far_slot(border, along as u8).index()]),
        }
    }

    /// Returns the price of a pair of cells: both costs.
    fn price(&self, along: usize) -> u32 {
        u32::from(self.near[along]) + u32::from(self.far[along])
    }

    const fn is_open(&self, along: usize) -> bool {
        self.near[along] != Cost::WALL.value() && self.far[along] != Cost::WALL.value()
    }

    /// Returns where the first part of a piece ends: at a ridge between two cheap
    /// pairs, or at the end of the piece.
    ///
    /// ```text
    ///   price   2  4  9  3  3        first part: the first two pairs
    ///           ╰──╯  ╰─────╯        second part: the last three
    /// ```
    ///
    /// Each part has at least two pairs, so no two windows have the same id;
    /// pieces of less than four pairs stay whole.
    fn part(&self, start: usize, end: usize) -> usize {
        let mut low = start;
        let last = if end - start < 4 { start } else { end };
        for along in start + 1..last {
            let ridge = (low + 1..along).max_by_key(|&at| self.price(at));
            let dearer = self.price(low).max(self.price(along));
            if let Some(ridge) = ridge.filter(|&at| self.price(at) >= RIDGE * dearer) {
                return ridge.max(start + 2);
            }
            if self.price(along) < self.price(low) {
                low = along;
            }
        }
        end
    }

    /// Returns the window with its crossing: the cheapest pair of cells. Ties go to
    /// the pair nearest to the middle, and then to the first.
    fn window(&self, start: usize, length: usize) -> Window {
        let off_middle = |along: usize| (2 * along).abs_diff(2 * start + length - 1);
        let crossing = (start..start + length)
            .min_by_key(|&along| (self.price(along), off_middle(along), along))
            .unwrap_or(start);
        Window {
            start: start as u8,
            length: length as u8,
            crossing: crossing as u8,
            near_cost: self.near[crossing],
            far_cost: self.far[crossing],
        }
    }
}

/// Returns the windows of the border between two tiles.
///
/// Between two clear sectors of the same cost the whole side is one window: over open ground,
/// the crossings alone give the cost of a path. Elsewhere a long run is cut into
/// pieces, so that a route also says at which end of the run to pass; and a piece
/// on uneven ground around its cheap pairs, so that none hides behind the crossing of
/// another.
pub(crate) fn windows(border: Border, near: &CostTile, far: &CostTile) -> BorderWindows {
    let mut windows = BorderWindows::default();
    if near.is_clear()
        && near.is_of_kind(far)
        && let Some(cost) = near.unit()
    {
        windows[0] = whole_side(cost);
        return windows;
    }
    if near.is_closed() || far.is_closed() {
        return windows;
    }
    let one_cost = near.has_unit_of(far);
    let facing = FacingCosts::new(border, near, far);
    let side = SECTOR_SIDE as usize;
    let mut start = 0;
    while start < side {
        let length = (start..side)
            .take_while(|&along| facing.is_open(along))
            .count();
        let pieces = length.div_ceil(LONGEST_PIECE);
        for piece in 0..pieces {
            let from = start + length * piece / pieces;
            let to = start + length * (piece + 1) / pieces;
            let mut at = from;
            while at < to {
                let end = if one_cost { to } else { facing.part(at, to) };
                windows[at / 2] = Packed::new(facing.window(at, end - at));
                at = end;
            }
        }
        start += length + 1;
    }
    windows
}
