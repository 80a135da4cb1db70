use crate::vector::{Vector, greater};

/// How an army's units move: what they weigh against what.
///
/// The default is a march: units follow their field, keep a little room, step
/// aside for each other and push where they touch.
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
    /// Weight of following the field, or of seeking a point.
    pub follow: f32,
    /// Weight of keeping room.
    pub separation: f32,
    /// Weight of moving as the group's neighbours do.
    pub alignment: f32,
    /// Weight of moving toward the middle of the group's neighbours.
    pub cohesion: f32,
    /// Weight of stepping aside before a contact.
    pub avoidance: f32,
    /// Room that units like to have between their circles, in cells.
    pub room: f32,
    /// How far away neighbours count for alignment, cohesion and avoidance, in
    /// cells. The work grows with its square.
    pub range: f32,
    /// How far ahead contacts are avoided, in seconds.
    pub horizon: f32,
    /// How often in a step units that overlap are pushed apart; 0 for units
    /// that walk through each other.
    pub pushes: u32,
    /// How much faster than its speed a unit goes that lags behind its place
    /// in a formation.
    pub catch_up: f32,
    /// Whether hard ground slows a unit down, as its cost says.
    pub terrain: HardGround,
    /// Ticks without progress after which a unit tries harder; twice and four
    /// times as many are the next steps.
    pub patience: u32,
}

/// Whether hard ground slows units down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum HardGround {
    /// On ground of cost 3 a unit goes at a third of its speed: what fields
    /// reckon with.
    #[default]
    Slows,
    /// All ground is walked at full speed.
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
            terrain: HardGround::Slows,
            patience: 40,
        }
    }
}

impl Settings {
    /// The side of the buckets in which neighbours are looked for.
    pub(super) fn reach(&self, widest: f32, fastest: f32, seconds: f32) -> f32 {
        let contact = 2.0 * widest + contact_margin(fastest, seconds);
        greater(self.range, greater(contact, 2.0 * widest + self.room))
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
        let amounts = [
            ("force", read.force),
            ("follow", read.follow),
            ("separation", read.separation),
            ("alignment", read.alignment),
            ("cohesion", read.cohesion),
            ("avoidance", read.avoidance),
            ("room", read.room),
            ("range", read.range),
            ("horizon", read.horizon),
            ("catch_up", read.catch_up),
        ];
        match amounts
            .iter()
            .find(|(_, value)| !(0.0..=1e6).contains(value))
        {
            None => Ok(read),
            Some((field, value)) => Err(serde::de::Error::custom(format_args!(
                "`{field}` is {value}: set it to a number from 0 to 1,000,000"
            ))),
        }
    }
}

/// How much farther than contact two units may be apart at a step's start and
/// still meet within it.
pub(super) fn contact_margin(fastest: f32, seconds: f32) -> f32 {
    2.0 * fastest * seconds
}

/// A body as its neighbours see it: half a line of the cache.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    pub(super) radius: f32,
    pub(super) id: u32,
    pub(super) group: u16,
    /// Groups with the same goal share this number.
    pub(super) goal: u16,
    pub(super) settled: bool,
    /// How much of its size others feel, in quarters.
    pub(super) firmness: u8,
}
