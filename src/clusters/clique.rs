//! The costs between the rim portals of a cluster.

use super::division::SectorRect;
use super::joiner::Joiner;
use super::known_parts::KnownParts;
use crate::portal::{PortalGraph, Rows};

/// The costs of the cheapest walks inside a cluster between all portals on its
/// [rim](super::rim::Rim), in 16 bits, or in 32 on expensive ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clique {
    is_metric: bool,
    rows: CliqueRows,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum CliqueRows {
    Narrow(Box<[i16]>),
    Wide(Box<[i32]>),
}

impl Clique {
    /// Makes the clique of a rectangle of sectors; `known` are parts of the same graph.
    pub(super) fn new(
        graph: &PortalGraph,
        sectors: SectorRect,
        known: &mut KnownParts<i16>,
    ) -> Self {
        let narrow = Joiner::new(graph, |rows| rows.narrow(), known).join(sectors);
        let rows = match narrow {
            Some(rows) => CliqueRows::Narrow(rows),
            None => {
                let known = &mut KnownParts::few();
                let wide = Joiner::new(graph, |rows| Some(rows.wide()), known).join(sectors);
                CliqueRows::Wide(wide.unwrap_or_default())
            }
        };
        Self {
            is_metric: sectors
                .iter()
                .all(|sector| graph.sector_walks(sector).is_metric()),
            rows,
        }
    }

    /// Returns the rows, one for each portal arrived at.
    #[inline]
    pub(crate) const fn rows(&self) -> Rows<'_> {
        match &self.rows {
            CliqueRows::Narrow(rows) => Rows::Narrow(rows),
            CliqueRows::Wide(rows) => Rows::Wide(rows),
        }
    }

    /// Whether no walk costs more than two walks by way of a third rim portal.
    #[inline]
    pub(crate) const fn is_metric(&self) -> bool {
        self.is_metric
    }

    pub(super) fn bytes(&self) -> usize {
        match &self.rows {
            CliqueRows::Narrow(rows) => size_of_val::<[i16]>(rows),
            CliqueRows::Wide(rows) => size_of_val::<[i32]>(rows),
        }
    }
}
