//! Why a save of an army was not loaded.

use std::fmt;

use crate::bytes::EnvelopeFault;
use crate::cost::LayerId;
use crate::grid::Cell;

/// The version of the format.
pub(super) const VERSION: u32 = 2;

/// Why a save of an army was not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArmyLoadError {
    /// The bytes do not begin with the magic of an army's save.
    NotASave,
    /// The version of the format is unknown.
    Version {
        /// The version found.
        version: u32,
    },
    /// The save is cut off, or something follows its end.
    Length {
        /// The number of bytes that its header requires.
        expected: u64,
        /// The number of bytes given.
        found: u64,
    },
    /// The digest shows that bytes have changed since they were written.
    Damaged,
    /// The world has no order with the number of a group's order.
    NoOrder {
        /// The number.
        number: u64,
    },
    /// The world's order leads elsewhere than the group's order of this number.
    OtherOrder {
        /// The number.
        number: u64,
        /// The goal of the group's order.
        expected: Cell,
        /// The goal of the world's order.
        found: Cell,
    },
    /// The world has no such layer, on which a group is.
    NoLayer {
        /// The layer.
        layer: LayerId,
    },
    /// The digest is right, but the content does not make an army.
    Body {
        /// The position of the fault, in bytes.
        at: usize,
        /// What is wrong.
        what: &'static str,
    },
}

impl From<EnvelopeFault> for ArmyLoadError {
    fn from(fault: EnvelopeFault) -> Self {
        match fault {
            EnvelopeFault::Magic => Self::NotASave,
            EnvelopeFault::Version(version) => Self::Version { version },
            EnvelopeFault::Length { expected, found } => Self::Length { expected, found },
            EnvelopeFault::Digest => Self::Damaged,
        }
    }
}

impl fmt::Display for ArmyLoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASave => f.write_str(
                "the bytes do not begin with FLOWARMY: give bytes that `Army::save` wrote",
            ),
            Self::Version { version } => write!(
                f,
                "the army has format version {version}, but only {VERSION} is known: \
                 load it with the version of flowtiles that wrote it"
            ),
            Self::Length { expected, found } => write!(
                f,
                "the army should have {expected} bytes but has {found}: \
                 it was cut off or extended, so take another copy"
            ),
            Self::Damaged => f.write_str(
                "the army's digest does not match its bytes: it is damaged, so take another copy",
            ),
            Self::NoOrder { number } => write!(
                f,
                "a group follows order {number}, which the world does not have: load the world \
                 that was saved with the army, and keep its claims until the army is loaded"
            ),
            Self::OtherOrder {
                number,
                expected,
                found,
            } => write!(
                f,
                "a group follows order {number} to {expected}, but that of the world leads to \
                 {found}: load the world that was saved with the army"
            ),
            Self::NoLayer { layer } => write!(
                f,
                "a group is on {layer}, which the world does not have: load the world that was \
                 saved with the army"
            ),
            Self::Body { at, what } => write!(
                f,
                "byte {at} of the army is invalid: {what}; `Army::save` did not write this"
            ),
        }
    }
}

impl std::error::Error for ArmyLoadError {}
