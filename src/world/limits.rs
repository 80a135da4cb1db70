//! The limits of a world, and the errors of reaching them.

use std::fmt;

use crate::cost::OffMap;
use crate::grid::Cell;

/// How much a world accepts before it returns an error.
///
/// Each list that a game can make longer has a limit, so that a fault in the
/// game shows as an error and not as exhausted memory. The limits are part of
/// the world: they are saved with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Limits {
    /// Living orders. The default is 65,536.
    pub orders: u32,
    /// Different cells that one order serves. The default is 1,048,576.
    pub units: u32,
    /// Stamps at the same time. The default is 1,048,576.
    pub stamps: u32,
    /// Cells with blockers at the same time. The default is 1,048,576.
    pub blocked: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            orders: 1 << 16,
            units: 1 << 20,
            stamps: 1 << 20,
            blocked: 1 << 20,
        }
    }
}

/// Why a template was not stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StampError {
    /// A part of the template would be off the map.
    OffMap(OffMap),
    /// The number of stamps has reached [`Limits::stamps`].
    Full {
        /// The limit.
        limit: u32,
    },
    /// No stamp numbers are left. This happens only to a world loaded from a
    /// save that says so.
    NoNumbers,
}

impl From<OffMap> for StampError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for StampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::Full { limit } => write!(
                f,
                "the map has {limit} stamps, which is the limit: \
                 remove one with `unstamp`, or raise `Limits::stamps`"
            ),
            Self::NoNumbers => f.write_str(
                "no stamp numbers are left, according to the save that the world was loaded from: \
                 start with a new world",
            ),
        }
    }
}

impl std::error::Error for StampError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a blocker was not added to a cell, or not removed from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockError {
    /// The cell is off the map.
    OffMap(OffMap),
    /// The number of cells with blockers has reached [`Limits::blocked`].
    Full {
        /// The limit.
        limit: u32,
    },
    /// The cell has no blocker to remove.
    NotBlocked {
        /// The cell.
        cell: Cell,
    },
}

impl From<OffMap> for BlockError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::Full { limit } => write!(
                f,
                "{limit} cells have blockers, which is the limit: \
                 remove one with `unblock`, or raise `Limits::blocked`"
            ),
            Self::NotBlocked { cell } => write!(
                f,
                "the cell {cell} has no blocker: call `unblock` once for each `block`"
            ),
        }
    }
}

impl std::error::Error for BlockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            _ => None,
        }
    }
}
