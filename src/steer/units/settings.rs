//! The settings of an army: weights, distances and times.

use super::error::ArmyError;
use crate::vector::greater;

/// The settings of an army: how its units move.
///
/// The default is a march: units follow their field, keep a little room, step
/// aside for each other, and push where they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(default, deny_unknown_fields, remote = "Self")
)]
#[non_exhaustive]
pub struct Settings {
    /// How fast a velocity may change, in cells a second each second.
    pub force: f32,
    /// The weight of following the field, or of seeking a point.
    pub follow: f32,
    /// The weight of keeping room.
    pub separation: f32,
    /// The weight of moving like the group's neighbours.
    pub alignment: f32,
    /// The weight of moving toward the middle of the group's neighbours.
    pub cohesion: f32,
    /// The weight of stepping aside before a contact.
    pub avoidance: f32,
    /// The room that units keep between their circles if they can, in cells.
    pub room: f32,
    /// The distance up to which neighbours count for alignment, cohesion and
    /// avoidance, in cells. The work grows with its square.
    pub range: f32,
    /// How far ahead contacts are avoided, in seconds.
    pub horizon: f32,
    /// How often a step pushes overlapping units apart; with 0, units walk
    /// through each other.
    pub pushes: u32,
    /// The factor by which a unit that lags behind its place in a formation
    /// exceeds its speed.
    pub catch_up: f32,
    /// The seconds without progress after which a unit squeezes past those with other goals.
    /// It keeps to its right after half as many, and squeezes past all after twice as many.
    pub patience: f32,
    /// Whether hard ground slows a unit down.
    pub terrain: HardGround,
}

/// Whether hard ground slows units down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum HardGround {
    /// On ground of cost 3 a unit goes at a third of its speed, as fields
    /// assume.
    #[default]
    Slows,
    /// Units walk at full speed on all ground.
    Ignored,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            force: 30.0,
            follow: 1.0,
            separation: 0.5,
            alignment: 0.1,
            cohesion: 0.0,
            avoidance: 1.2,
            room: 0.15,
            range: 1.5,
            horizon: 0.8,
            pushes: 5,
            catch_up: 1.4,
            patience: 2.0,
            terrain: HardGround::Slows,
        }
    }
}

/// The gap in cells up to which two units count as touching.
pub(crate) const TOUCH: f32 = 0.02;

fn fits(value: f32) -> bool {
    (0.0..=1e6).contains(&value)
}

impl Settings {
    /// Returns the fields that are numbers from 0 to 1,000,000, by name.
    pub(crate) fn amounts(&mut self) -> [(&'static str, &mut f32); 11] {
        [
            ("force", &mut self.force),
            ("follow", &mut self.follow),
            ("separation", &mut self.separation),
            ("alignment", &mut self.alignment),
            ("cohesion", &mut self.cohesion),
            ("avoidance", &mut self.avoidance),
            ("room", &mut self.room),
            ("range", &mut self.range),
            ("horizon", &mut self.horizon),
            ("catch_up", &mut self.catch_up),
            ("patience", &mut self.patience),
        ]
    }

    pub(crate) fn check(mut self) -> Result<(), ArmyError> {
        let mut amounts = self.amounts().into_iter();
        match amounts.find(|(_, value)| !fits(**value)) {
            None => Ok(()),
            Some((field, &mut value)) => Err(ArmyError::Setting {
                field,
                value,
                wanted: "a number from 0 to 1,000,000",
            }),
        }
    }

    /// Returns the distance within which neighbours are found.
    pub(crate) fn reach(&self, widest: f32, fastest: f32, seconds: f32) -> f32 {
        greater(
            self.range,
            2.0 * widest + self.contact_margin(fastest, seconds),
        )
    }

    /// Returns how much farther than contact two units may be apart at the start of a step and
    /// still meet within it, keep room or count as touching.
    pub(crate) fn contact_margin(&self, fastest: f32, seconds: f32) -> f32 {
        let meeting = 2.0 * fastest * seconds;
        greater(meeting, greater(self.room, TOUCH + self.touch_of_room()))
    }

    /// Returns what is added to [`TOUCH`], as units that keep room would never quite touch.
    pub(crate) fn touch_of_room(&self) -> f32 {
        self.room * 0.6
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Settings {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Missing fields have their default; values that cannot be used are refused.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Settings {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Self::deserialize(deserializer)?;
        read.check().map_err(serde::de::Error::custom)?;
        Ok(read)
    }
}
