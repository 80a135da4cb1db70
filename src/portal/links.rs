//! What it costs to cross a sector from gate to gate.

use crate::cost::CostTile;
use crate::grid::Slot;
use crate::wave::{NO_WAY, walks_between};

/// The exact in-sector costs between the gates of one sector.
///
/// A clear sector stores none: over open ground the two slots say it all.
/// Others keep a square table, row by row of the gate arrived at. Sixteen bits
/// hold it unless the ground is very dear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Links {
    Clear,
    Narrow(Box<[u16]>),
    Wide(Box<[u32]>),
}

impl Links {
    /// Derives the table for gates at these slots.
    pub(super) fn derive(tile: &CostTile, gates: &[Slot]) -> Self {
        if tile.is_clear() {
            return Self::Clear;
        }
        let mut table = Vec::new();
        walks_between(tile, gates, &mut table);
        let narrow = |&cost: &u32| match cost {
            NO_WAY => Some(u16::MAX),
            cost => u16::try_from(cost).ok().filter(|&cost| cost < u16::MAX),
        };
        match table.iter().map(narrow).collect::<Option<Box<[u16]>>>() {
            Some(narrow) => Self::Narrow(narrow),
            None => Self::Wide(table.into()),
        }
    }

    /// How many ordered pairs of different gates are joined, of `count`.
    pub(super) fn count(&self, count: usize) -> usize {
        match self {
            Self::Clear => count * count.saturating_sub(1),
            Self::Narrow(table) => table.iter().filter(|&&c| c != u16::MAX).count() - count,
            Self::Wide(table) => table.iter().filter(|&&c| c != NO_WAY).count() - count,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Clear => 0,
            Self::Narrow(table) => size_of_val::<[u16]>(table),
            Self::Wide(table) => size_of_val::<[u32]>(table),
        }
    }
}
