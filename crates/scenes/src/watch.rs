//! The places where a crowd scene is measured.

use flowtiles::CellRect;
use serde::Deserialize;

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
