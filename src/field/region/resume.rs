//! A region that goes on from a field: for a unit that has strayed from it.
//!
//! The field's tiles count as settled: they keep their directions and borders. Sectors
//! that the field lacks wait in the queue at the lowest value around them, and the rest
//! goes as ever: tiles that improve are woken and settled anew.
//!
//! ```text
//!   [ field ][ field ] → goal     new sectors are offered the values
//!       ↑        ↑                at the borders of the field's tiles
//!     [new] ← [new]
//! ```
//!
//! No step between loaded cells can lower a value when the queue is empty, nor
//! is there an earlier direction that leads on as well: the result is the one
//! that a region from nothing comes to, byte for byte.

use super::{Region, RegionTiles, Resumed};
use crate::budget::{Paused, Work};
use crate::field::flow::FlowField;
use crate::grid::PagesCursor;

/// Work of looking what stands around a sector that is new, in cells.
const OFFER_WORK: u64 = 1;

impl Region {
    /// Has a region in which nothing else was loaded begin with one more tile of
    /// a field, the one at the cursor; false once it has all. Then only sectors that
    /// the field lacks are settled, and those of its own that improve by them or have
    /// a goal that nothing leads to. The result is that of a region that begins with
    /// nothing, and so does one whose field has kept no borders.
    ///
    /// The field must have been made for the same costs, and for goals that are
    /// all among those that the region [starts](Self::start) with.
    pub(crate) fn go_on_from(&mut self, field: &FlowField, at: &mut PagesCursor) -> bool {
        let Some((sector, tile, borders)) = field.next_tile(at) else {
            return false;
        };
        let Some(&borders) = borders else {
            self.load(sector);
            return true;
        };
        let place = self.add(sector, tile, borders);
        self.resumed = Some(Resumed {
            next: place + 1,
            base: field.base(),
        });
        true
    }

    /// Counts the values of the field's tiles from the lowest of all goals; false if
    /// near tiles cannot hold them so.
    pub(super) fn take_over_base(&mut self) -> bool {
        let (Some(resumed), RegionTiles::Near(near)) = (self.resumed, &mut self.tiles) else {
            return true;
        };
        // The base of a field without goals is 0, and no value is counted from it.
        match resumed.base.saturating_sub(self.sources.base()) as u32 {
            0 => true,
            by => near.lower_base(by),
        }
    }

    /// Puts the tiles that a field lacks in the queue, at the lowest value
    /// around them.
    pub(super) fn offer_new(&mut self, work: &mut Work) -> Result<(), Paused> {
        let (Some(resumed), RegionTiles::Near(near)) = (&mut self.resumed, &self.tiles) else {
            return Ok(());
        };
        while (resumed.next as usize) < self.loaded.len() {
            work.check()?;
            work.count(OFFER_WORK);
            let place = resumed.next;
            resumed.next += 1;
            let ring = self.loaded.ring(self.loaded.sector(place));
            if let Some(value) = near.lowest_around(&self.sources, &ring)
                && value < self.waiting[place as usize]
            {
                self.waiting[place as usize] = value;
                self.ring.push(value, place);
            }
        }
        self.resumed = None;
        Ok(())
    }
}
