//! The field that units read.

use super::edition::Edition;
use crate::field::{Flow, FlowField};
use crate::grid::{Cell, Extent, Slot};
use crate::kernel::step_price;
use crate::map::{AffectedSector, Map};

/// The last field that was finished; empty before the first.
#[derive(Clone)]
pub(super) struct Present {
    pub(super) field: FlowField,
    /// The edition that it was made for.
    pub(super) edition: Edition,
    /// How often what the field says has changed.
    pub(super) revision: u64,
}

impl Present {
    pub(super) fn new(extent: Extent) -> Self {
        Self {
            field: FlowField::empty(extent),
            edition: Edition::default(),
            revision: 0,
        }
    }

    /// Whether the field leads a unit on, or did before the last change.
    pub(super) fn leads(&self, unit: Cell) -> bool {
        self.field.get(unit).is_some_and(Flow::leads_on)
    }

    /// Whether there is a field, and it was made for this edition.
    pub(super) fn is_current(&self, edition: Edition) -> bool {
        self.edition == edition && !self.field.is_empty()
    }

    /// Notes that what the field says may be read in another way.
    pub(super) const fn note_change(&mut self) {
        self.revision += 1;
    }

    pub(super) fn replace(&mut self, field: FlowField, edition: Edition) {
        self.field = field;
        self.edition = edition;
        self.revision += 1;
    }

    /// After a change of the map: takes back the directions it has made invalid.
    pub(super) fn invalidate(&mut self, map: &Map, around: &[AffectedSector]) {
        let is_concerned = around
            .iter()
            .any(|affected| self.field.has_sector(affected.sector));
        self.revision += u64::from(is_concerned);
        for affected in around {
            self.field
                .invalidate(affected.sector, invalidated_by(map, affected));
        }
    }
}

/// Which directions a change has made invalid: in a changed sector all, in one
/// beside it those that the step rule no longer allows.
pub(super) fn invalidated_by<'a>(
    map: &'a Map,
    affected: &'a AffectedSector,
) -> impl Fn(Slot, Flow) -> bool + use<'a> {
    |slot, flow| {
        let cell = affected.sector.cell_at(slot);
        let step = |way| step_price(&map.costs, cell, way);
        affected.changed || flow.direction().is_some_and(|way| step(way).is_none())
    }
}
