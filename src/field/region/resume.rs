//! A region that goes on from a field: for a unit that has strayed from it.
//!
//! The field's tiles count as settled and say what they said. Sectors that it
//! has not wait in the queue at the lowest value that stands around them, and
//! the rest goes as ever: who is made better is woken and settled anew.
//!
//! ```text
//!   [ field ][ field ] → goal     new sectors are offered what stands at
//!       ↑        ↑                the borders of the field's, which is
//!     [new] ← [new]               found again by walking its ways
//! ```
//!
//! No step between loaded cells can lower a value when the queue is empty, nor
//! is there an earlier direction that leads on as well: the result is the one
//! that a region from nothing comes to, byte for byte.

use super::{Region, RegionTiles};
use crate::budget::{Paused, Work};
use crate::cost::CostMap;
use crate::field::flow::FlowField;
use crate::field::loaded::Ring;
use crate::field::retrace::{FlowGround, Found};
use crate::grid::PagesCursor;

/// Work of looking what stands around a sector that is new, in cells.
const OFFER_WORK: u64 = 1;

impl Region {
    /// Has a region that nothing else was loaded in begin with one more tile of
    /// a field, the one at the cursor; false once it has all. Then only sectors that
    /// the field has not are settled, and those of its own that come off better
    /// by them or have a goal to which it leads nobody. What becomes of it is
    /// what becomes of a region that begins with nothing.
    ///
    /// The field must have been made for the same costs, and for goals that are
    /// all among those that the region [starts](Self::start) with. Costs-to-go
    /// cannot be asked for. Where values lie too far apart it begins with nothing
    /// all the same.
    pub(crate) fn go_on_from(&mut self, field: &FlowField, at: &mut PagesCursor) -> bool {
        let retrace = self.retrace.get_or_insert_default();
        let Some((sector, tile)) = field.next_bare_tile(at) else {
            return false;
        };
        retrace.take_in(tile);
        self.add(sector, tile);
        true
    }

    /// Puts the tiles that a field has not in the queue, at the lowest value
    /// around them.
    pub(super) fn offer_new(&mut self, costs: &CostMap, work: &mut Work) -> Result<(), Paused> {
        while let Some(retrace) = &mut self.retrace
            && (retrace.next() as usize) < self.loaded.len()
        {
            work.check()?;
            let place = retrace.next();
            let ring = self.loaded.ring(self.loaded.sector(place));
            match self.look_around(costs, &ring, work) {
                Found::All => {}
                Found::NotYet => return Err(Paused),
                Found::TooFar => {
                    self.go_far();
                    return Ok(());
                }
            }
            work.count(OFFER_WORK);
            if let Some(retrace) = &mut self.retrace {
                retrace.go_on();
            }
            let lowest = match &self.tiles {
                RegionTiles::Near(near) => near.lowest_around(&self.sources, &ring),
                RegionTiles::Far(_) => None,
            };
            if let Some(value) = lowest
                && value < self.waiting[place as usize]
            {
                self.waiting[place as usize] = value;
                self.ring.push(value, place);
            }
        }
        Ok(())
    }

    /// Finds what a field that it goes on from has around a tile.
    pub(super) fn look_around(&mut self, costs: &CostMap, ring: &Ring, work: &mut Work) -> Found {
        let (Some(retrace), RegionTiles::Near(near)) = (&mut self.retrace, &mut self.tiles) else {
            return Found::All;
        };
        let ground = FlowGround {
            costs,
            loaded: &self.loaded,
            sources: &self.sources,
        };
        retrace.look_around(ground, ring, near.borders_mut(), work)
    }
}
