//! The layers of the view, and the blocks in which they are sent.

use flowtiles::LayerId;
use serde::{Deserialize, Serialize};

/// The number of texels along a block's side. At level 0 a texel is a cell, so
/// a block is 10×10 sectors; at level `n` a texel stands for 2ⁿ×2ⁿ cells.
pub const BLOCK_SIDE: i32 = 100;
/// The coarsest level.
pub const LEVEL_MAX: u8 = 9;

/// The contents of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Overlay {
    /// Material, cost, light and tone of each cell: the basis of the picture.
    Ground = 0,
    /// The direction that the chosen order gives in each cell, and whether the
    /// goal is in sight from there.
    Flow = 1,
    /// The cost-to-go of the chosen order.
    Integration = 2,
    /// The sectors that orders have loaded, and those freed lately.
    Loaded = 3,
    /// Islands: cells that can reach each other share a number.
    Islands = 4,
    /// Portals: the windows between sectors.
    Portals = 5,
    /// Edges of the portal graph.
    Graph = 6,
    /// The density of units in each cell.
    Density = 7,
    /// The speed of a crowd in each cell.
    Speed = 8,
    /// The discomfort that a crowd avoids.
    Discomfort = 9,
    /// The potential that a crowd descends.
    Potential = 10,
}

impl Overlay {
    /// All layers, by number.
    pub const ALL: [Self; 11] = [
        Self::Ground,
        Self::Flow,
        Self::Integration,
        Self::Loaded,
        Self::Islands,
        Self::Portals,
        Self::Graph,
        Self::Density,
        Self::Speed,
        Self::Discomfort,
        Self::Potential,
    ];

    /// Returns the layer's bit in a set of layers.
    #[must_use]
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns the coarsest level at which the layer is sent: at coarser ones
    /// its lines are too dense to read.
    pub(crate) const fn level_max(self) -> u8 {
        match self {
            Self::Portals | Self::Graph => 1,
            _ => LEVEL_MAX,
        }
    }

    /// Whether it shows the field of one order: the one that the page has chosen.
    pub(crate) const fn is_of_order(self) -> bool {
        matches!(
            self,
            Self::Flow | Self::Integration | Self::Speed | Self::Discomfort | Self::Potential
        )
    }
}

/// The name of a block: what it shows of which of the world's layers, its level and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockKey {
    pub(crate) stage: u8,
    /// The layer of the world, as the first of the teams that share it sees it.
    pub(crate) on: LayerId,
    pub(crate) layer: Overlay,
    pub(crate) level: u8,
    pub(crate) column: u16,
    pub(crate) row: u16,
}

impl BlockKey {
    /// Returns the number of cells along its side.
    pub(crate) const fn cells(self) -> i32 {
        BLOCK_SIDE << self.level
    }

    /// Returns its north-west cell.
    pub(crate) const fn origin(self) -> (i32, i32) {
        (
            self.column as i32 * self.cells(),
            self.row as i32 * self.cells(),
        )
    }

    /// Returns the work of building it, in cells.
    pub(crate) const fn effort(self) -> u32 {
        match self.layer {
            Overlay::Ground
            | Overlay::Portals
            | Overlay::Speed
            | Overlay::Discomfort
            | Overlay::Potential => 20_000,
            Overlay::Graph => 50_000 << (2 * self.level),
            Overlay::Loaded => 500,
            Overlay::Islands => 10_000 * self.looks() * self.looks(),
            _ => 10_000,
        }
    }

    /// Cells along a texel's side at which the layer of islands looks: small islands
    /// are seen from afar.
    pub(crate) const fn looks(self) -> u32 {
        if self.level < 2 { 1 << self.level } else { 4 }
    }

    /// Whether it holds a cell of an area.
    pub(crate) const fn meets(self, area: &flowtiles::CellRect) -> bool {
        let (x, y) = self.origin();
        let side = self.cells() as u32;
        !area
            .intersection(flowtiles::CellRect::new(x, y, side, side))
            .is_empty()
    }
}
