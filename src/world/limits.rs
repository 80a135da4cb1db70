use std::fmt;

use crate::cost::OffMap;
use crate::grid::Cell;

/// How much a world takes on before it says that it is full.
///
/// Every list that a game can make longer has a limit here, so that a fault in
/// a game shows as an answer and not as memory that runs out. The limits are
/// part of the world: they are saved with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Limits {
    /// Orders that live at a time: 65,536 unless set.
    pub orders: u32,
    /// Cells that one order is asked to serve, each counted once: 1,048,576
    /// unless set.
    pub units: u32,
    /// Stamps that stand at a time: 1,048,576 unless set.
    pub stamps: u32,
    /// Cells with blockers at a time: 1,048,576 unless set.
    pub blocked: u32,
    /// Bytes of orders that are kept after their last claim is gone, for
    /// whoever wants the same goal next: 0 unless set, so that what is freed is
    /// freed. The least recently claimed go first.
    pub cache_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            orders: 1 << 16,
            units: 1 << 20,
            stamps: 1 << 20,
            blocked: 1 << 20,
            cache_bytes: 0,
        }
    }
}

/// Why a template was not stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StampError {
    /// It would reach off the map.
    OffMap(OffMap),
    /// As many stamps stand as [`Limits::stamps`] allows.
    Full {
        /// The limit.
        limit: u32,
    },
    /// All numbers for stamps have been given out: the world comes from a save
    /// that says so.
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
                "{limit} stamps stand already, which is the limit: \
                 take one away with `unstamp`, or raise `Limits::stamps`"
            ),
            Self::NoNumbers => f.write_str(
                "the world's save says that all numbers for stamps have been given out: \
                 begin with a world made by this library",
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

/// Why a blocker was not put on a cell, or not taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockError {
    /// The cell is off the map.
    OffMap(OffMap),
    /// As many cells have blockers as [`Limits::blocked`] allows.
    Full {
        /// The limit.
        limit: u32,
    },
    /// There is no blocker to take away.
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
                "{limit} cells have blockers already, which is the limit: \
                 take one away with `unblock`, or raise `Limits::blocked`"
            ),
            Self::NotBlocked { cell } => write!(
                f,
                "there is no blocker on {cell}: call `unblock` once for each `block`"
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
