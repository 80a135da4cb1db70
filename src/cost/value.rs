//! The cost of a single cell.

use std::fmt;

/// The cost of stepping out of a cell, before the weight of the step.
///
/// 1 is open ground, 2 to 254 is harder, 255 is a wall. There is no cost 0: a
/// free cell would let a unit circle without cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Cost(u8);

impl Cost {
    /// Open ground.
    pub const OPEN: Self = Self(1);
    /// A wall, which no unit may enter.
    pub const WALL: Self = Self(255);
    /// The highest cost of open ground.
    pub(crate) const HIGHEST: Self = Self(254);

    /// Returns the cost with this value, 1 to 255.
    ///
    /// # Errors
    /// For 0.
    ///
    /// ```
    /// use flowtiles::Cost;
    /// assert!(Cost::new(3)? < Cost::WALL);
    /// assert!(Cost::new(0).is_err());
    /// # Ok::<(), flowtiles::error::ZeroCost>(())
    /// ```
    pub const fn new(value: u8) -> Result<Self, ZeroCost> {
        if value == 0 {
            Err(ZeroCost)
        } else {
            Ok(Self(value))
        }
    }

    /// Returns the value, 1 to 255.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Whether it is [`Cost::WALL`].
    #[must_use]
    pub const fn is_wall(self) -> bool {
        self.0 == Self::WALL.0
    }

    /// Returns the cost of a stored byte, which is never 0.
    pub(crate) const fn stored(value: u8) -> Self {
        debug_assert!(value != 0);
        Self(value)
    }
}

impl TryFrom<u8> for Cost {
    type Error = ZeroCost;

    fn try_from(value: u8) -> Result<Self, ZeroCost> {
        Self::new(value)
    }
}

impl From<Cost> for u8 {
    fn from(cost: Cost) -> Self {
        cost.value()
    }
}

/// The error for a cost of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeroCost;

impl fmt::Display for ZeroCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a cost of 0 is refused: give 1 for open ground, 255 for a wall")
    }
}

impl std::error::Error for ZeroCost {}
