//! The places and the kinds of units by which a scene's figures say who went where.

use flowtiles::CellRect;

/// A place on the way of units: a gate, a door, a bridge, a link.
#[derive(Debug)]
pub struct Passage {
    pub name: &'static str,
    pub way: Way,
}

/// How a unit uses a passage.
#[derive(Debug)]
pub enum Way {
    /// It is in one of these areas.
    Areas(Vec<CellRect>),
    /// It enters the scene's link with this number.
    Link(usize),
}

impl Passage {
    /// A passage of one area.
    pub fn area(name: &'static str, area: CellRect) -> Self {
        Self {
            name,
            way: Way::Areas(vec![area]),
        }
    }

    /// One of the scene's links.
    pub const fn link(name: &'static str, number: usize) -> Self {
        Self {
            name,
            way: Way::Link(number),
        }
    }
}

/// The kinds of units that have figures of their own.
#[derive(Debug)]
pub enum Kinds {
    /// Those of each band, by name.
    Bands(Vec<&'static str>),
    /// Those of each radius.
    Radii,
}
