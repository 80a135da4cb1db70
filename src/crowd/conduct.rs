//! The parameters of the crowd method.

use std::fmt;

/// How the units of a group behave in a crowd.
///
/// A step of length 1 at a pace f, where 1 is the full speed on this ground,
/// through a discomfort g from other units, costs
///
/// ```text
///   cost of the ground · (length + (time + discomfort · g) / f)
/// ```
///
/// and at most `dearest` times the cost over free ground. Painted discomfort is
/// added to that. As the density rises from `sparse` to `dense`, the pace
/// changes from 1 to the speed of the units there along the step, at least 0. In the literature these parameters are α, β, γ, ρ_min and ρ_max.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(default, deny_unknown_fields, remote = "Self")
)]
#[non_exhaustive]
pub struct Conduct {
    /// α: the weight of a path's length, on ground of cost 1. A larger value
    /// keeps a group on the short path even where other units slow it down.
    pub length: f32,
    /// β: the weight of a path's time.
    pub time: f32,
    /// γ: the weight of discomfort.
    pub discomfort: f32,
    /// ρ_min: the density of a field cell up to which others do not slow a unit
    /// down. It must be at least [`CrowdSettings::own_density`], or a unit
    /// would obstruct itself.
    pub sparse: f32,
    /// ρ_max: the density from which a unit goes at the pace of the others.
    pub dense: f32,
    /// The greatest cost of a step, as a multiple of the cost over free ground,
    /// whatever other units do there. No unit makes a detour longer than this
    /// multiple to avoid others, and no stream carries a unit away from its goal.
    pub dearest: f32,
    /// How far ahead a unit's position is predicted, in seconds. Predicted
    /// positions of other groups' units are uncomfortable for this group, and
    /// this group's for the others. Choose at least five times the interval
    /// between solves, or streams may oscillate.
    pub foresight: f32,
    /// The discomfort where units of another group are predicted.
    pub predicted: f32,
    /// The discomfort where a unit with another destination stands, having
    /// arrived: enough to make others go around it, never a wall.
    pub standing: f32,
    /// The slope, height over length, up to which a unit has full speed.
    pub flat: f32,
    /// The slope from which a unit has the pace `uphill`.
    pub steep: f32,
    /// The pace on steep ground.
    pub uphill: f32,
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            length: 0.4,
            time: 1.0,
            discomfort: 1.0,
            sparse: 0.5,
            dense: 1.0,
            dearest: 3.5,
            foresight: 0.5,
            predicted: 3.0,
            standing: 5.0,
            flat: 0.0,
            steep: 1.0,
            uphill: 0.25,
        }
    }
}

/// The settings shared by all groups of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(default, deny_unknown_fields, remote = "Self")
)]
#[non_exhaustive]
pub struct CrowdSettings {
    /// The number of field cells along one cell of the map, 1 to 4. With 2,
    /// streams form lanes as narrow as units are.
    pub resolution: u32,
    /// λ, 1 to 4: a unit weighs in a field cell 1 minus its larger offset from the
    /// cell's centre, to this power.
    pub exponent: u32,
    /// The time from one solve to the next, in seconds. A unit should move at
    /// most one cell in this time.
    pub interval: f32,
    /// The number of steps in which a unit's position is predicted; later steps
    /// count less.
    pub predictions: u32,
    /// The width of the margin of sectors that is solved around those with a
    /// crowd.
    pub margin: u32,
    /// The number of units in a sector and the eight around it that make a
    /// crowd. Where there are fewer, units follow the order's flow field.
    pub crowd: u32,
    /// The number of field cells that a step may work on; a solve continues in
    /// the next step.
    pub cells_per_step: u64,
    /// The greatest number of sectors that are solved; beyond them units follow
    /// the flow field.
    pub sectors: u32,
    /// The distance from the goal, in cells, up to which distances are exact
    /// where only free ground lies between.
    pub exact: f32,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self {
            resolution: 2,
            exponent: 1,
            interval: 0.1,
            predictions: 4,
            margin: 2,
            crowd: 8,
            cells_per_step: 200_000,
            sectors: 4096,
            exact: 5.0,
        }
    }
}

impl CrowdSettings {
    /// Returns the least density that a unit gives to the field cell in which
    /// it stands, and the greatest that it gives to any other: 1 / 2^λ.
    #[must_use]
    pub fn own_density(&self) -> f32 {
        1.0 / (1u32 << self.exponent.clamp(1, 4)) as f32
    }
}

/// A parameter out of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CrowdError {
    /// The name of the field.
    pub field: &'static str,
    /// The value that was given.
    pub value: f32,
    /// The values that are allowed.
    pub wanted: &'static str,
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            value,
            wanted,
        } = self;
        write!(f, "`{field}` is {value}: set it to {wanted}")
    }
}

impl std::error::Error for CrowdError {}

/// A field's name, its value, whether the value is allowed, and the allowed
/// values.
type Check = (&'static str, f32, bool, &'static str);

fn first_fault(checks: &[Check]) -> Result<(), CrowdError> {
    let fault = checks.iter().find(|check| !check.2);
    fault.map_or(Ok(()), |&(field, value, _, wanted)| {
        Err(CrowdError {
            field,
            value,
            wanted,
        })
    })
}

impl Conduct {
    /// Checks whether a crowd with these settings can use this conduct.
    ///
    /// # Errors
    /// If a field is out of its range.
    pub fn check(&self, settings: &CrowdSettings) -> Result<(), CrowdError> {
        const WEIGHT: &str = "a number from 0 to 1000";
        let weight = |value: f32| (0.0..=1000.0).contains(&value);
        let own = settings.own_density();
        first_fault(&[
            ("length", self.length, weight(self.length), WEIGHT),
            (
                "time",
                self.time,
                self.time > 0.0 && weight(self.time),
                "more than 0, at most 1000",
            ),
            (
                "discomfort",
                self.discomfort,
                weight(self.discomfort),
                WEIGHT,
            ),
            ("predicted", self.predicted, weight(self.predicted), WEIGHT),
            ("standing", self.standing, weight(self.standing), WEIGHT),
            (
                "sparse",
                self.sparse,
                self.sparse >= own && weight(self.sparse),
                "at least 1 / 2^exponent, or a unit obstructs itself",
            ),
            (
                "dense",
                self.dense,
                self.dense > self.sparse && weight(self.dense),
                "more than `sparse`",
            ),
            (
                "dearest",
                self.dearest,
                (1.0..=1000.0).contains(&self.dearest),
                "1 to 1000",
            ),
            (
                "foresight",
                self.foresight,
                (0.0..=10.0).contains(&self.foresight),
                "0 to 10 seconds",
            ),
            ("flat", self.flat, self.flat.is_finite(), "a number"),
            (
                "steep",
                self.steep,
                self.steep.is_finite() && self.steep > self.flat,
                "more than `flat`",
            ),
            (
                "uphill",
                self.uphill,
                (0.01..=1.0).contains(&self.uphill),
                "0.01 to 1",
            ),
        ])
    }
}

impl CrowdSettings {
    /// Checks whether a crowd can use these settings.
    ///
    /// # Errors
    /// If a field is out of its range.
    pub fn check(&self) -> Result<(), CrowdError> {
        let whole = |value: u32, least: u32, most: u32| (least..=most).contains(&value);
        first_fault(&[
            (
                "resolution",
                self.resolution as f32,
                whole(self.resolution, 1, 4),
                "1 to 4",
            ),
            (
                "exponent",
                self.exponent as f32,
                whole(self.exponent, 1, 4),
                "1 to 4",
            ),
            (
                "interval",
                self.interval,
                (0.0..=10.0).contains(&self.interval),
                "0 to 10 seconds",
            ),
            (
                "predictions",
                self.predictions as f32,
                whole(self.predictions, 0, 32),
                "0 to 32",
            ),
            (
                "margin",
                self.margin as f32,
                whole(self.margin, 0, 64),
                "0 to 64 sectors",
            ),
            (
                "cells_per_step",
                self.cells_per_step as f32,
                self.cells_per_step > 0,
                "1 at least",
            ),
            (
                "sectors",
                self.sectors as f32,
                whole(self.sectors, 1, 1 << 20),
                "1 to 1,048,576",
            ),
            (
                "exact",
                self.exact,
                (0.0..=32.0).contains(&self.exact),
                "0 to 32 cells",
            ),
        ])
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Conduct {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Missing fields have their default; values that cannot be used are refused.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Conduct {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Self::deserialize(deserializer)?;
        // The settings are unknown here; these are the most permissive.
        let thinnest = CrowdSettings {
            exponent: 4,
            ..CrowdSettings::default()
        };
        let checked = read.check(&thinnest);
        checked.map(|()| read).map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for CrowdSettings {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Missing fields have their default; values that cannot be used are refused.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for CrowdSettings {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Self::deserialize(deserializer)?;
        let checked = read.check();
        checked.map(|()| read).map_err(serde::de::Error::custom)
    }
}
