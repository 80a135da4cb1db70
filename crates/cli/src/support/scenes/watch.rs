//! Where a crowd scene is measured.

use flowtiles::Rect;

/// Where a scene is measured.
#[derive(Clone)]
pub struct Watch {
    /// Where the lane order is taken, while all groups have at least a tenth of
    /// their units there.
    pub middle: Rect,
    /// Where stripes of flows along the x axis are counted.
    pub window: Option<Rect>,
    /// Passages whose users are counted.
    pub doors: Vec<Rect>,
}

impl Watch {
    /// Of the order in an area.
    pub const fn of(middle: Rect) -> Self {
        Self {
            middle,
            window: None,
            doors: Vec::new(),
        }
    }
}
