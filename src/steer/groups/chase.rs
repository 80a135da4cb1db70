//! How units chase others.

use crate::steer::units::{ArmyError, MOST};

/// How units chase: where they stop, and when they give up.
///
/// ```
/// use flowtiles::steer::Chase;
///
/// let archers = Chase::default().with_range(6.0).with_sight(12.0);
/// assert_eq!((archers.range, archers.sight, archers.leash), (6.0, 12.0, 24.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chase {
    /// The gap between the bodies at which a unit stops, if the straight line to its quarry
    /// is free of walls. From 0 to 1,000,000 cells, as the other two.
    pub range: f32,
    /// How far from where the chase began the quarry may be: of a group that
    /// [pursues](crate::steer::Target::Pursue), or of a unit that left its
    /// [march](crate::steer::Target::AttackMove).
    pub leash: f32,
    /// How far a unit on an attack sees foes. It goes for those within the leash, once the
    /// straight line there is free and no longer than 32 cells.
    pub sight: f32,
}

impl Default for Chase {
    /// Returns a chase to a gap of 0.5 cells, with a leash of 24 cells and a sight of 10.
    fn default() -> Self {
        Self {
            range: 0.5,
            leash: 24.0,
            sight: 10.0,
        }
    }
}

impl Chase {
    /// Returns the chase with another range.
    #[must_use]
    pub const fn with_range(mut self, range: f32) -> Self {
        self.range = range;
        self
    }

    /// Returns the chase with another leash.
    #[must_use]
    pub const fn with_leash(mut self, leash: f32) -> Self {
        self.leash = leash;
        self
    }

    /// Returns the chase with another sight.
    #[must_use]
    pub const fn with_sight(mut self, sight: f32) -> Self {
        self.sight = sight;
        self
    }

    pub(crate) fn check(&self) -> Result<(), ArmyError> {
        let Self {
            range,
            leash,
            sight,
        } = *self;
        check_distance("range of a chase", range)?;
        check_distance("leash of a chase", leash)?;
        check_distance("sight of a chase", sight)
    }

    pub(crate) const fn amounts(&mut self) -> [&mut f32; 3] {
        [&mut self.range, &mut self.leash, &mut self.sight]
    }
}

pub(super) fn check_distance(field: &'static str, value: f32) -> Result<(), ArmyError> {
    if (0.0..=MOST).contains(&value) {
        return Ok(());
    }
    Err(ArmyError::Group {
        field,
        value,
        wanted: "a number from 0 to 1,000,000 cells",
    })
}
