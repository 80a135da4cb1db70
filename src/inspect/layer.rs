//! The layers of a picture and their names.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// What a picture may show, in the order in which it is painted: later layers
/// lie on top of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// What a step out of each cell costs; walls.
    Cost,
    /// Which cells can reach each other.
    Islands,
    /// The side of the largest square of open cells at each cell.
    Clearance,
    /// The cost-to-go of each loaded cell.
    Integration,
    /// How many units stand on each cell.
    Density,
    /// The sectors that orders have loaded.
    Loaded,
    /// Cells from which the straight way to the goal is free.
    Sight,
    /// The borders of the sectors.
    Sectors,
    /// The edges of the portal graph.
    Graph,
    /// The windows of the portals, those on an order's routes apart.
    Portals,
    /// The direction of each loaded cell.
    Flow,
    /// The way of each unit that an order serves.
    Ways,
    /// Units, the cells from which orders lead, and their goals.
    Units,
}

impl Layer {
    /// All layers, in the order in which they are painted.
    pub const ALL: [Self; 13] = [
        Self::Cost,
        Self::Islands,
        Self::Clearance,
        Self::Integration,
        Self::Density,
        Self::Loaded,
        Self::Sight,
        Self::Sectors,
        Self::Graph,
        Self::Portals,
        Self::Flow,
        Self::Ways,
        Self::Units,
    ];

    /// Its name: one small word.
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
            Self::Graph => "graph",
            Self::Portals => "portals",
            Self::Flow => "flow",
            Self::Ways => "ways",
            Self::Units => "units",
        }
    }

    /// What it shows, in a few words.
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
            Self::Graph => "the edges of the portal graph",
            Self::Portals => "the windows of portals",
            Self::Flow => "the direction of loaded cells",
            Self::Ways => "the ways of the units",
            Self::Units => "units, starts and goals",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Layer {
    type Err = UnknownLayer;

    fn from_str(name: &str) -> Result<Self, UnknownLayer> {
        let mut all = Self::ALL.into_iter();
        all.find(|layer| layer.name() == name)
            .ok_or_else(|| UnknownLayer(name.to_owned()))
    }
}

/// A name that no [`Layer`] has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownLayer(pub String);

impl fmt::Display for UnknownLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Layer::ALL.map(Layer::name).join(", ");
        write!(f, "no layer is called `{}`: name one of {names}", self.0)
    }
}

impl Error for UnknownLayer {}
