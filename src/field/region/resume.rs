//! A region that continues a field, for a unit that has strayed from it.
//!
//! The field's tiles count as settled: they keep their directions and borders.
//! Sectors that the field lacks wait in the queue at the lowest value around them.
//! The rest is as usual: tiles that improve are woken and settled again.
//!
//! ```text
//!   [ field ][ field ] → goal     new sectors are offered the values
//!       ↑        ↑                at the borders of the field's tiles
//!     [new] ← [new]
//! ```
//!
//! When the queue is empty, no step between loaded cells can lower a value, and no
//! earlier direction is equally good. So the result is that of a region made from
//! nothing, byte for byte.
//!
//! A region is made from nothing only after an edit that concerns the order, if values
//! outgrow 32 bits, if links may lead to the goal, for a field over the whole map and
//! for `Quality::Exact`.

use super::{Region, Resumed};
use crate::budget::{Paused, Work};
use crate::field::flow::{FlowField, KeptCosts};
use crate::field::near;
use crate::grid::PagesCursor;

/// Work of looking at the values around a new sector, in cells.
const OFFER_WORK: u64 = 1;

impl Region {
    /// Adds the field's tile at the cursor to a region in which nothing else is
    /// loaded. Returns false once all tiles are added. Then only sectors that the
    /// field lacks are settled, and tiles that improve by them or have a goal to
    /// which no direction leads. The result is that of a region made from nothing;
    /// that is also how a region begins whose field has kept no borders.
    ///
    /// The field must have been made for the same costs, and for goals that are
    /// all among those with which the region [starts](Self::start).
    pub(crate) fn go_on_from(&mut self, field: &FlowField, at: &mut PagesCursor) -> bool {
        let Some((sector, tile, borders)) = field.next_tile(at) else {
            return false;
        };
        let Some(&borders) = borders else {
            self.load(sector);
            return true;
        };
        let index = self.add(sector, tile, borders);
        self.resumed = Some(Resumed {
            next: index + 1,
            base: field.base(),
        });
        true
    }

    /// Counts the values of the field's tiles from the lowest of all goals. Returns
    /// false if near tiles cannot hold them then.
    pub(super) fn take_over_base(&mut self) -> bool {
        let (Some(resumed), KeptCosts::Near(tiles)) = (self.resumed, &mut self.tiles) else {
            return true;
        };
        // The base of a field without goals is 0, and no value is counted from it.
        match resumed.base.saturating_sub(self.sources.base()) as u32 {
            0 => true,
            by => near::lower_base(tiles, by),
        }
    }

    /// Adds the tiles that the field lacks to the queue, at the lowest value
    /// around them.
    pub(super) fn offer_new(&mut self, work: &mut Work) -> Result<(), Paused> {
        let (Some(resumed), KeptCosts::Near(tiles)) = (&mut self.resumed, &self.tiles) else {
            return Ok(());
        };
        while (resumed.next as usize) < self.loaded.len() {
            work.check()?;
            work.count(OFFER_WORK);
            let index = resumed.next;
            resumed.next += 1;
            let ring = self.loaded.ring(self.loaded.sector(index));
            if let Some(value) = near::lowest_around(tiles, &self.sources, &ring)
                && value < self.waiting[index as usize]
            {
                self.waiting[index as usize] = value;
                self.ring.push(value, index);
            }
        }
        self.resumed = None;
        Ok(())
    }
}
