//! The places and the kinds of units by which a scene's figures say which units went where.

use flowtiles::CellRect;
use serde::Deserialize;

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
