//! Where units are measured as people are, and what is asked of the figures.

use flowtiles::CellRect;
use serde::Deserialize;

/// The figures of a measure.
pub const FIGURES: [&str; 10] = [
    "users",
    "last",
    "flow",
    "density",
    "speed",
    "weidmann",
    "off_speed",
    "excess",
    "drift",
    "in_walls",
];

/// Some units, in an area and for a time, measured in metres and seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    pub name: String,
    /// The whole map, if nothing is said.
    pub area: Option<CellRect>,
    /// All bands, if nothing is said.
    pub band: Option<usize>,
    /// From when until when, in seconds.
    #[serde(default)]
    pub from: f64,
    pub until: Option<f64>,
}

/// What a figure of a measure must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    pub says: String,
    /// The name of a measure, and one of its [`FIGURES`].
    pub of: [String; 2],
    /// Another one, by which it is divided.
    pub over: Option<[String; 2]>,
    pub least: Option<f64>,
    pub most: Option<f64>,
}

impl Criterion {
    /// The measures and figures that it names.
    pub fn named(&self) -> impl Iterator<Item = &[String; 2]> {
        [&self.of].into_iter().chain(&self.over)
    }

    /// Whether a value meets it.
    #[must_use]
    pub fn is_met(&self, value: f64) -> bool {
        self.least.is_none_or(|least| value >= least) && self.most.is_none_or(|most| value <= most)
    }
}
