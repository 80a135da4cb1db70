//! Windows: the open runs of a border, cut into pieces.

use std::array::from_fn;

use crate::cost::{Cost, CostTile};
use crate::grid::{SECTOR_SIDE, Slot};

use super::id::{BORDER_PORTALS, Border};

/// The most cells of a window, except between two clear sectors. Longer runs
/// are cut into pieces.
const LONGEST_PIECE: usize = 5;

/// A piece is cut where a crossing costs this many times as much as a crossing on
/// either side of it, so that each cheap crossing gets a gate of its own.
const RIDGE: u32 = 3;

/// A window of a border: its cells, its gate, and what the two gate cells cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The first cell along the border, 0..10.
    pub(crate) start: u8,
    /// The number of cells, 1..=10.
    pub(crate) length: u8,
    /// The position of the gate along the border, 0..10.
    pub(crate) gate: u8,
    /// The cost of the gate cell on the owner's side (west or north).
    pub(crate) near_cost: u8,
    /// The cost of the gate cell on the far side.
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
                | (window.gate as u32) << 8
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
            gate: (self.0 >> 8 & 15) as u8,
            near_cost: (self.0 >> 12) as u8,
            far_cost: (self.0 >> 20) as u8,
        }
    }
}

/// The window between two clear sectors: the whole side.
const WHOLE_SIDE: Packed = Packed::new(Window {
    start: 0,
    length: SECTOR_SIDE as u8,
    gate: (SECTOR_SIDE as u8 - 1) / 2,
    near_cost: Cost::OPEN.value(),
    far_cost: Cost::OPEN.value(),
});

/// The windows of one border, each at index start / 2.
pub(crate) type BorderWindows = [Packed; BORDER_PORTALS];

/// The windows of a border at the map's edge.
pub(crate) static NO_WINDOWS: BorderWindows = [Packed(0); BORDER_PORTALS];

/// Returns the slot of the cell at position `along` of a border, on the owner's
/// side.
pub(crate) const fn near_slot(border: Border, along: u8) -> Slot {
    match border {
        Border::East => Slot::at(SECTOR_SIDE - 1, along as i32),
        Border::South => Slot::at(along as i32, SECTOR_SIDE - 1),
    }
}

/// Returns the slot of the cell at position `along` of a border, on the far
/// side.
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
            near: from_fn(|along| near[near_slot(border, along as u8).index()]),
            far: from_fn(|along| far[far_slot(border, along as u8).index()]),
        }
    }

    /// Returns the price of a crossing: the costs of its two cells.
    fn price(&self, along: usize) -> u32 {
        u32::from(self.near[along]) + u32::from(self.far[along])
    }

    const fn is_open(&self, along: usize) -> bool {
        self.near[along] != Cost::WALL.value() && self.far[along] != Cost::WALL.value()
    }

    /// Returns where the first part of a piece ends: at a ridge between two cheap
    /// crossings, or at the end of the piece.
    ///
    /// ```text
    ///   price   2  4  9  3  3        first part: the first two crossings
    ///           ╰──╯  ╰─────╯        second part: the last three
    /// ```
    ///
    /// Each part has at least two crossings, so no two windows have the same id;
    /// pieces of less than four crossings stay whole.
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

    /// Returns the window with its gate: the cheapest pair of cells. Ties go to
    /// the pair nearest to the middle, and then to the first.
    fn window(&self, start: usize, length: usize) -> Window {
        let off_middle = |along: usize| (2 * along).abs_diff(2 * start + length - 1);
        let gate = (start..start + length)
            .min_by_key(|&along| (self.price(along), off_middle(along), along))
            .unwrap_or(start);
        Window {
            start: start as u8,
            length: length as u8,
            gate: gate as u8,
            near_cost: self.near[gate],
            far_cost: self.far[gate],
        }
    }
}

/// Returns the windows of the border between two tiles.
///
/// Between two clear sectors the whole side is one window: over open ground,
/// the gates alone give the cost of a path. Elsewhere a long run is cut into
/// pieces, so that a route also says at which end of the run to pass; and a piece
/// on uneven ground into its cheap crossings, so that none hides behind the gate of
/// another.
pub(crate) fn windows(border: Border, near: &CostTile, far: &CostTile) -> BorderWindows {
    let mut windows = BorderWindows::default();
    if near.is_closed() || far.is_closed() {
        return windows;
    }
    if near.is_clear() && far.is_clear() {
        windows[0] = WHOLE_SIDE;
        return windows;
    }
    let facing = FacingCosts::new(border, near, far);
    let is_even = near.highest() <= 1 && far.highest() <= 1;
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
                let end = if is_even { to } else { facing.part(at, to) };
                windows[at / 2] = Packed::new(facing.window(at, end - at));
                at = end;
            }
        }
        start += length + 1;
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::CostMap;
    use crate::grid::{Cell, Rect, Sector};

    fn starts_and_lengths(map: &CostMap) -> Vec<(u8, u8)> {
        let tile = |x| map.tile(map.extent().sector_id(Sector::new(x, 0)).unwrap());
        windows(Border::East, &tile(0), &tile(1))
            .iter()
            .filter_map(|packed| packed.window())
            .map(|window| (window.start, window.length))
            .collect()
    }

    #[test]
    fn a_whole_side_is_the_window_that_all_its_cells_make() {
        let [near, far] = [1; 2].map(|cost| CostTile::new([cost; 100]));
        for border in [Border::East, Border::South] {
            let window = FacingCosts::new(border, &near, &far).window(0, 10);
            let mut whole = BorderWindows::default();
            whole[0] = Packed::new(window);
            assert_eq!(windows(border, &near, &far), whole);
        }
    }

    #[test]
    fn a_wall_on_either_side_cuts_a_run() {
        let mut map = CostMap::open(20, 10).unwrap();
        assert_eq!(starts_and_lengths(&map), [(0, 10)]);
        map.edit(Cell::new(9, 3), Cost::WALL).unwrap();
        assert_eq!(starts_and_lengths(&map), [(0, 3), (4, 3), (7, 3)]);
        map.edit(Cell::new(10, 8), Cost::WALL).unwrap();
        assert_eq!(starts_and_lengths(&map), [(0, 3), (4, 4), (9, 1)]);
        map.edit(Rect::new(9, 0, 1, 10), Cost::WALL).unwrap();
        assert_eq!(starts_and_lengths(&map), []);
    }

    #[test]
    fn cheap_crossings_with_a_ridge_between_them_are_windows_of_their_own() {
        let window_starts = |prices: [u8; 10]| {
            let rows: Vec<u8> = (0..200).map(|at| prices[at / 20]).collect();
            starts_and_lengths(&CostMap::from_rows(20, 10, &rows).unwrap())
        };
        let even = [(0, 5), (5, 5)];
        assert_eq!(
            window_starts([2, 4, 9, 3, 3, 5, 5, 5, 5, 5]),
            [(0, 2), (2, 3), (5, 5)]
        );
        assert_eq!(
            window_starts([2, 9, 2, 2, 2, 5, 5, 5, 5, 5]),
            [(0, 2), (2, 3), (5, 5)]
        );
        assert_eq!(window_starts([2, 4, 8, 3, 3, 5, 5, 5, 5, 5]), even);
        assert_eq!(window_starts([9, 9, 9, 1, 1, 5, 4, 3, 2, 1]), even);
        assert_eq!(
            window_starts([5, 5, 5, 5, 5, 1, 3, 1, 3, 1]),
            [(0, 5), (5, 2), (7, 3)]
        );
        // Less than four crossings stay whole.
        assert_eq!(
            window_starts([1, 9, 1, 255, 1, 9, 1, 255, 1, 9]),
            [(0, 3), (4, 3), (8, 2)]
        );
    }

    #[test]
    fn five_single_cells_are_five_windows() {
        let mut map = CostMap::open(20, 10).unwrap();
        for y in [1, 3, 5, 7, 9] {
            map.edit(Cell::new(9, y), Cost::WALL).unwrap();
        }
        assert_eq!(
            starts_and_lengths(&map),
            [(0, 1), (2, 1), (4, 1), (6, 1), (8, 1)]
        );
    }

    #[test]
    fn the_gate_is_the_cheapest_crossing_nearest_the_middle() {
        let mut map = CostMap::open(20, 10).unwrap();
        map.edit(Rect::new(0, 0, 20, 10), Cost::new(9).unwrap())
            .unwrap();
        map.edit(Rect::new(9, 1, 2, 1), Cost::new(3).unwrap())
            .unwrap();
        let tile = |x| map.tile(map.extent().sector_id(Sector::new(x, 0)).unwrap());
        let found = windows(Border::East, &tile(0), &tile(1));
        let gates: Vec<_> = found
            .iter()
            .filter_map(|p| p.window())
            .map(|w| w.gate)
            .collect();
        assert_eq!(gates, [1, 7]);
    }
}
