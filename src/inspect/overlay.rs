//! The overlays of a picture and their names.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The overlays that a picture may show, in the order in which they are painted:
/// later overlays lie on top of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Overlay {
    /// The cost of each cell; walls.
    Cost,
    /// Cells that can reach each other.
    Islands,
    /// The side of the largest square of open cells at each cell.
    Clearance,
    /// The cost-to-go of each loaded cell.
    Integration,
    /// The number of units on each cell.
    Density,
    /// The sectors that orders have loaded.
    Loaded,
    /// Cells with a free straight line to the goal.
    Sight,
    /// The borders of the sectors.
    Sectors,
    /// The windows of the portals; those on an order's routes look different.
    Portals,
    /// The nodes and edges of the portal graph.
    Graph,
    /// The direction of each loaded cell.
    Flow,
    /// The path of each unit that an order serves.
    Paths,
    /// Units, the cells from which orders start, and their goals.
    Units,
}

impl Overlay {
    /// All overlays, in the order in which they are painted.
    pub const ALL: [Self; 13] = [
        Self::Cost,
        Self::Islands,
        Self::Clearance,
        Self::Integration,
        Self::Density,
        Self::Loaded,
        Self::Sight,
        Self::Sectors,
        Self::Portals,
        Self::Graph,
        Self::Flow,
        Self::Paths,
        Self::Units,
    ];

    /// Returns the overlay's name, one short word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Islands => "islands",
            Self::Clearance => "clearance",
            Self::Integration => "integration",
            Self::Density => "density",
            Self::Loaded => "loaded",
            Self::Sight => "sight",
            Self::Sectors => "sectors",
            Self::Portals => "portals",
            Self::Graph => "graph",
            Self::Flow => "flow",
            Self::Paths => "paths",
            Self::Units => "units",
        }
    }

    /// Returns a description of the overlay, in a few words.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::Cost => "what a step out of a cell costs",
            Self::Islands => "cells that can reach each other",
            Self::Clearance => "the side of the largest open square at a cell",
            Self::Integration => "the cost-to-go of loaded cells",
            Self::Density => "units on a cell",
            Self::Loaded => "sectors that the order has loaded",
            Self::Sight => "cells with the goal in sight",
            Self::Sectors => "the borders of sectors",
            Self::Portals => "the windows of portals",
            Self::Graph => "the nodes and edges of the portal graph",
            Self::Flow => "the direction of loaded cells",
            Self::Paths => "the paths of the units",
            Self::Units => "units, starts and goals",
        }
    }
}

impl fmt::Display for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Overlay {
    type Err = UnknownOverlay;

    fn from_str(name: &str) -> Result<Self, UnknownOverlay> {
        Self::ALL
            .into_iter()
            .find(|layer| layer.name() == name)
            .ok_or_else(|| UnknownOverlay(name.to_owned()))
    }
}

/// A name that belongs to no [`Overlay`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownOverlay(pub String);

impl fmt::Display for UnknownOverlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Overlay::ALL.map(Overlay::name).join(", ");
        write!(f, "no layer is called `{}`: name one of {names}", self.0)
    }
}

impl Error for UnknownOverlay {}
