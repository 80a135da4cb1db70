//! What tiles exchange: border values in, border values and wake bits out.
//!
//! A tile that is being settled sees the ring of cells around it, its *halo*,
//! and nothing beyond. So neighbours need only the border cells of a settled
//! tile, and only their values are kept: four sides of ten.
//!
//! ```text
//!   corner 3     side 0 (north)     corner 0      frame row 0
//!            ┌───────────────────┐
//!   side 3   │ the tile: frame   │  side 1        rows 1 to 10
//!   (west)   │ columns 1 to 10   │  (east)
//!            └───────────────────┘
//!   corner 2     side 2 (south)     corner 1      row 11
//! ```
//!
//! Sides run west to east and north to south.

use crate::arrays::Mapped;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Slot};

/// The value of a wall or an unreached cell: above every other value.
pub(crate) const NO_PATH: u32 = i32::MAX as u32;

const SIDE: usize = SECTOR_SIDE as usize;

/// The values of one border of a tile, west to east or north to south.
///
/// 48 bytes, so that it loads as three vectors.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideValues {
    /// Value by cell; [`NO_PATH`] at walls and unreached cells.
    pub(crate) values: [u32; SIDE],
    /// The lowest value of all.
    pub(crate) lowest: u32,
    spare: u32,
}

/// The border of a tile that is not loaded or not settled: no cell is reached.
pub(crate) static CLOSED_SIDE: SideValues = SideValues::CLOSED;

impl SideValues {
    pub(crate) const CLOSED: Self = Self::new([NO_PATH; SIDE], NO_PATH);

    #[inline(always)]
    pub(super) const fn new(values: [u32; SIDE], lowest: u32) -> Self {
        Self {
            values,
            lowest,
            spare: NO_PATH,
        }
    }

    /// Makes a border of these values.
    pub(crate) fn of(values: [u32; SIDE]) -> Self {
        Self::new(values, values.into_iter().fold(NO_PATH, u32::min))
    }

    /// Makes a border of what [`lanes`](Self::lanes) returns.
    #[inline(always)]
    pub(super) const fn of_lanes([values @ .., lowest, _]: [u32; 12]) -> Self {
        Self::new(values, lowest)
    }

    /// Returns the whole record, for loading as three vectors.
    #[inline(always)]
    pub(super) const fn lanes(&self) -> [u32; 12] {
        let [a, b, c, d, e, f, g, h, i, j] = self.values;
        [a, b, c, d, e, f, g, h, i, j, self.lowest, self.spare]
    }
}

/// The four borders of a settled tile: the only values that are kept of it.
///
/// Ordered by direction: north 0, east 1, south 2, west 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Borders {
    pub(crate) sides: [SideValues; 4],
}

impl Borders {
    pub(crate) const CLOSED: Self = Self {
        sides: [SideValues::CLOSED; 4],
    };

    /// Returns each cell of the border with its value, those at corners twice.
    #[inline]
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Slot, u32)> {
        const LAST: usize = SIDE - 1;
        (0..SIDE).flat_map(|i| {
            let [north, east, south, west] = self.sides.mapped(|side| side.values[i]);
            let slot = |x: usize, y: usize| Slot::of(y * SIDE + x);
            [
                (slot(i, 0), north),
                (slot(LAST, i), east),
                (slot(i, LAST), south),
                (slot(0, i), west),
            ]
        })
    }
}

/// The values around a tile, taken from its neighbours' borders. Walls must
/// hold [`NO_PATH`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halo<'a> {
    /// The neighbours' borders that face the tile, by direction: the first is
    /// the southern border of the northern neighbour.
    pub(crate) sides: [&'a SideValues; 4],
    /// The cells at the corners: NE, SE, SW, NW, as the diagonals of
    /// [`Direction::ALL`](crate::grid::Direction::ALL).
    pub(crate) corners: [u32; 4],
}

impl Halo<'_> {
    /// Returns the lowest value of the halo; [`NO_PATH`] if nothing is reached.
    #[inline(always)]
    pub(crate) fn lowest(&self) -> u32 {
        let sides = self.sides.mapped(|side| side.lowest);
        let lowest = |of: [u32; 4]| of[0].min(of[1]).min(of[2].min(of[3]));
        lowest(sides).min(lowest(self.corners))
    }

    /// Whether any reached cell has a value of at least `limit`.
    pub(super) fn any_from(&self, limit: u32) -> bool {
        // Runs for every tile with a pocket, so it avoids a branch per value.
        let far = |value: u32| (value as i32 >= limit as i32) & (value != NO_PATH);
        let any = |values: &[u32]| values.iter().fold(false, |any, &v| any | far(v));
        self.sides.mapped(|side| any(&side.lanes())).contains(&true) || any(&self.corners)
    }

    /// Returns column and row in the frame, and value, of each cell of the
    /// halo.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize, u32)> {
        const LAST: usize = SIDE + 1;
        let sides = (0..SIDE).flat_map(|i| {
            let [north, east, south, west] = self.sides.mapped(|side| side.values[i]);
            [
                (i + 1, 0, north),
                (LAST, i + 1, east),
                (i + 1, LAST, south),
                (0, i + 1, west),
            ]
        });
        let [ne, se, sw, nw] = self.corners;
        sides.chain([(LAST, 0, ne), (LAST, LAST, se), (0, LAST, sw), (0, 0, nw)])
    }
}

/// A goal cell in the tile, with its value. Ignored in a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    pub(crate) slot: Slot,
    pub(crate) value: u32,
}

/// A tile to settle: the values around and in it, and where the results go.
pub(crate) struct Settling<'a> {
    pub(crate) halo: Halo<'a>,
    pub(crate) seeds: &'a [Seed],
    /// For each cell the code of its direction.
    pub(crate) flow: &'a mut [u8; SECTOR_CELLS],
    pub(crate) borders: &'a mut Borders,
}

/// How a step into the tile would change the cells of the halo.
///
/// One word per side (north, east, south, west), with one bit per cell along
/// it: bit `i + 1` for cell `i` of the neighbour's border. Bits 0 and 11 of the
/// northern side are the north-western and north-eastern corner, those of the
/// southern side the south-western and south-eastern corner. Those of the other
/// two sides are never set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wake {
    /// The cells that the step would improve.
    pub(crate) better: [u16; 4],
    /// The reached cells for which the step would be exactly as good as their
    /// value.
    pub(crate) equal: [u16; 4],
}

impl Wake {
    /// Returns column and row of the cells whose bits are set in a side's word,
    /// as the tile counts them: from −1 to 10.
    #[inline]
    pub(crate) fn cells(side: usize, mut line: u16) -> impl Iterator<Item = (i32, i32)> {
        std::iter::from_fn(move || {
            let along = line.trailing_zeros() as i32 - 1;
            line &= line.checked_sub(1)?;
            Some(match side {
                0 => (along, -1),
                1 => (SECTOR_SIDE, along),
                2 => (along, SECTOR_SIDE),
                _ => (-1, along),
            })
        })
    }
}
