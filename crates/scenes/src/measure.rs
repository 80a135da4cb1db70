//! What a scene's figures measure: places and kinds of units, crowds, and units as people
//! are measured.

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

/// A place on the way of units: a gate, a door, a bridge, a link.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    pub name: String,
    pub way: Way,
}

/// How a unit uses a passage.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// It is in one of these areas.
    Areas(Vec<CellRect>),
    /// It enters the scene's link with this number.
    Link(usize),
}

impl Passage {
    /// A passage of one area.
    pub fn area(name: &str, area: CellRect) -> Self {
        Self {
            name: name.to_owned(),
            way: Way::Areas(vec![area]),
        }
    }

    /// The number of the scene's link, if it is one.
    pub const fn link(&self) -> Option<usize> {
        match self.way {
            Way::Areas(_) => None,
            Way::Link(number) => Some(number),
        }
    }
}

/// The kinds of units that have figures of their own.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kinds {
    /// Those of each band, by name.
    Bands(Vec<String>),
    /// Those of each radius.
    Radii,
}

/// The places where a scene is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The area in which the lane order is measured, while all groups have at least
    /// a tenth of their units there.
    pub middle: CellRect,
    /// The area in which stripes of flows along the x axis are counted.
    pub window: Option<CellRect>,
}

impl Watch {
    /// Measures the lane order in an area, and nothing else.
    pub const fn of(middle: CellRect) -> Self {
        Self {
            middle,
            window: None,
        }
    }
}
