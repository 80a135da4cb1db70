//! How much a picture shows of a cell, by the size at which it is shown.

/// How large a cell is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scale {
    /// A cell is a square of this many pixels across.
    PixelsPerCell(u32),
    /// A pixel is a square of this many cells across.
    CellsPerPixel(u32),
}

/// How much a [`DrawList`](super::DrawList) shows, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// Arrows, and numbers in the cells.
    Numbers,
    /// An arrow in each cell.
    Arrows,
    /// Cells, and one arrow for a sector: its most frequent direction.
    Sectors,
    /// Cells without arrows. Of the portals those on routes are shown, and
    /// narrow ones.
    Cells,
    /// Squares of this many cells across, each summed up in one colour. Of the
    /// portals only those on routes are shown.
    Blocks(u32),
}

impl Detail {
    /// Pixels that a cell needs for numbers of up to four digits.
    const NUMBERS: u32 = 26;
    /// Pixels that a cell needs for an arrow that can be read.
    const ARROWS: u32 = 7;
    /// Pixels that a cell needs for its sector to have room for an arrow.
    const SECTORS: u32 = 2;

    /// The detail that can be read at a scale.
    #[must_use]
    pub const fn for_scale(scale: Scale) -> Self {
        match scale {
            Scale::PixelsPerCell(Self::NUMBERS..) => Self::Numbers,
            Scale::PixelsPerCell(Self::ARROWS..) => Self::Arrows,
            Scale::PixelsPerCell(Self::SECTORS..) => Self::Sectors,
            Scale::PixelsPerCell(_) | Scale::CellsPerPixel(0 | 1) => Self::Cells,
            Scale::CellsPerPixel(cells) => Self::Blocks(cells),
        }
    }

    /// How many cells across what is filled in one colour is.
    pub(super) const fn block(self) -> u32 {
        match self {
            Self::Blocks(0) => 1,
            Self::Blocks(cells) => cells,
            _ => 1,
        }
    }
}
