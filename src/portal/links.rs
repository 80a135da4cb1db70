//! What it costs to cross a sector from gate to gate.

use crate::cost::CostTile;
use crate::grid::Slot;
use crate::wave::{Frame, UNREACHED, octile};

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
        let mut table = Vec::with_capacity(gates.len() * gates.len());
        let alone = Frame::alone(tile);
        for &to in gates {
            let mut frame = alone.clone();
            frame.seed(to, 0);
            frame.settle();
            table.extend(gates.iter().map(|&from| match frame.value(from) {
                UNREACHED => u32::MAX,
                cost => cost as u32,
            }));
        }
        let narrow = |&cost: &u32| match cost {
            u32::MAX => Some(u16::MAX),
            cost => u16::try_from(cost).ok().filter(|&cost| cost < u16::MAX),
        };
        match table.iter().map(narrow).collect::<Option<Box<[u16]>>>() {
            Some(narrow) => Self::Narrow(narrow),
            None => Self::Wide(table.into()),
        }
    }

    /// The cost from the gate numbered `from` to the gate numbered `to`, of
    /// `gates`; `None` where no way inside the sector joins them.
    pub(super) fn cost(&self, gates: &[Slot], from: usize, to: usize) -> Option<u32> {
        match self {
            Self::Clear => {
                let (a, b) = (gates[from], gates[to]);
                Some(octile(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())) as u32)
            }
            Self::Narrow(table) => {
                let cost = table[to * gates.len() + from];
                (cost != u16::MAX).then_some(u32::from(cost))
            }
            Self::Wide(table) => {
                let cost = table[to * gates.len() + from];
                (cost != u32::MAX).then_some(cost)
            }
        }
    }

    /// How many ordered pairs of different gates are joined.
    pub(super) fn count(&self, gates: &[Slot]) -> usize {
        let all = 0..gates.len();
        all.clone()
            .flat_map(|from| all.clone().map(move |to| (from, to)))
            .filter(|&(from, to)| from != to && self.cost(gates, from, to).is_some())
            .count()
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Clear => 0,
            Self::Narrow(table) => size_of_val::<[u16]>(table),
            Self::Wide(table) => size_of_val::<[u32]>(table),
        }
    }
}
