//! What a game sets of a group.

use crate::cost::{LayerId, MAX_TEAMS, Teams};
#[cfg(feature = "crowd")]
use crate::crowd::Conduct;
use crate::steer::reading::Reading;
use crate::steer::units::ArmyError;

/// The plane on which groups are at first.
const GROUND_PLANE: u8 = 1;

/// All that a game sets of a group, beside its targets and its formation:
/// [read](crate::steer::Army::settings), changed and [given back](crate::steer::Army::configure).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroupSettings {
    /// The movement layer on which its units walk, and on which they are sent together with
    /// [others](crate::steer::Army::send_all): at first the ground's, later that of the last
    /// order on another. Until the layer is [derived](crate::FlowWorld::derive_layer), they walk
    /// as on the ground.
    pub layer: LayerId,
    /// The team, 0 to 7. Which gates let the group through depends on the layer of its order
    /// alone: [`LayerId::for_team`] with the same number.
    pub team: u8,
    /// The teams whose units it takes for foes when it
    /// [attacks on the move](crate::steer::Target::AttackMove) or
    /// [flees](crate::steer::Target::Flee): at first none, and never its own.
    pub foes: Teams,
    /// The planes on which its units are, a bit for each of eight. Units push and avoid only
    /// those with which they share a plane. At first a group is on plane 0 alone (`1`); aircraft
    /// are on another (`0b10`), what all units feel is on both (`0b11`), and units on none (`0`)
    /// feel none, not even each other. Walls are a matter of the layer, and the
    /// [crowd](crate::crowd) counts the units of all planes.
    pub planes: u8,
    /// Its rank among groups that go to one goal, 0 in front: the units of a rank stop behind those
    /// of lower ones, a [formation](crate::steer::Sending::formation) of several groups has them in
    /// this order, and on the march a group waits until all of lower rank are ahead of it.
    pub rank: u8,
    /// How fast its units go.
    pub pace: Pace,
    /// How it reads its order's field.
    pub reading: Reading,
    /// Whether its units march abreast, as far apart to the sides as they set out, and not
    /// along the cheapest path. Such a group comes to a pass in a column and spreads again
    /// behind it, and no unit waits for others; under an order only, if the group
    /// [looks ahead](Reading::Ahead) and has no [formation](crate::steer::Army::form). Units
    /// farther than 24 cells to the side of the leader come closer.
    pub keeps_width: bool,
    /// How it goes through the [crowd](Reading::Crowd).
    #[cfg(feature = "crowd")]
    pub conduct: Conduct,
}

impl Default for GroupSettings {
    /// Returns the settings of a new group.
    fn default() -> Self {
        Self {
            layer: LayerId::GROUND,
            team: 0,
            foes: Teams::NONE,
            planes: GROUND_PLANE,
            rank: 0,
            pace: Pace::Own,
            reading: Reading::default(),
            keeps_width: false,
            #[cfg(feature = "crowd")]
            conduct: Conduct::default(),
        }
    }
}

impl GroupSettings {
    pub(crate) fn check_team(&self) -> Result<(), ArmyError> {
        if self.team < MAX_TEAMS {
            return Ok(());
        }
        Err(ArmyError::Group {
            field: "team",
            value: f32::from(self.team),
            wanted: "a number from 0 to 7",
        })
    }
}

/// How fast the units of a group go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pace {
    /// Each at its own speed.
    #[default]
    Own,
    /// At the speed of the slowest that is on its way, so that the group stays
    /// together.
    Slowest,
    /// At the speed of the slowest that is on its way in all groups with the same number, so
    /// that these stay together.
    Shared(u32),
}

impl Pace {
    /// Returns the number of a shared pace.
    pub(crate) const fn number(self) -> Option<u32> {
        match self {
            Self::Own | Self::Slowest => None,
            Self::Shared(number) => Some(number),
        }
    }
}
