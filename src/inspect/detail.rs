//! The detail of a picture, by the size at which a cell is shown.

/// The size at which a cell is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scale {
    /// A cell is a square of this many pixels across.
    PixelsPerCell(u32),
    /// A pixel is a square of this many cells across.
    CellsPerPixel(u32),
}

/// How much a [`DrawList`](super::DrawList) shows, from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// Arrows, and numbers in the cells.
    Numbers,
    /// An arrow in each cell.
    Arrows,
    /// Cells, and one arrow for a sector: its most frequent direction.
    Sectors,
    /// Cells without arrows. Of the portals, only those on routes and narrow
    /// ones.
    Cells,
    /// Squares of this many cells across, each summarised in one colour. Of the
    /// portals, only those on routes.
    Blocks(u32),
}

impl Detail {
    /// The pixels that a cell needs for numbers of up to four digits.
    const NUMBERS: u32 = 26;
    /// The pixels that a cell needs for a readable arrow.
    const ARROWS: u32 = 7;
    /// The pixels that a cell needs for its sector to have room for an arrow.
    const SECTORS: u32 = 2;

    /// Returns the most detail that is readable at a scale.
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

    /// Returns the side, in cells, of the squares that are filled in one
    /// colour.
    pub(super) const fn block(self) -> u32 {
        match self {
            Self::Blocks(0) => 1,
            Self::Blocks(cells) => cells,
            _ => 1,
        }
    }
}
