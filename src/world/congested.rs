//! Congestion: where a game's units are, and what that costs on layers that heed it.
//!
//! A round is an input like an edit, and no part of a tick. Walls stay as they are, so
//! orders keep all their directions; their next plans load the sectors of the old field
//! too, and no unit on its way loses its direction.

use tracing::debug_span;

use super::editing::{Cause, edits_of};
use super::{FlowWorld, Inspection};
use crate::cost::OffMap;
use crate::grid::{Cell, CellRect};
use crate::islands::IslandRepair;

/// The results of [`FlowWorld::note_units`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CongestionReport {
    /// Quarters of sectors that have another congestion level now.
    pub changed: usize,
    /// Quarters whose level has to wait for a later call, since a call changes 64 at most.
    pub waiting: usize,
    /// Sectors whose in-sector costs were derived again, over all layers.
    pub rebuilt: usize,
    /// Orders that the next ticks will plan again.
    pub orders: usize,
}

/// A quarter of a sector in the congestion record, from [`Inspection::congestion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CongestedQuarter {
    /// Its cells: 5×5, fewer at the edges of the map.
    pub area: CellRect,
    /// How much of its open cells units have filled lately, in hundredths.
    pub density: u32,
    /// Its level, 0 to 4.
    pub level: u8,
}

/// Congestion: a jammed way costs more, so that units that come later take another.
///
/// The world records where units are, by quarters of sectors, and raises a quarter's level
/// from 0 to 4 as it fills. A movement says what each level costs
/// ([`Movement::with_congestion_costs`](crate::Movement::with_congestion_costs)). Layers of
/// other movements, the ground's own among them, do not change.
impl FlowWorld {
    /// Ends a round of the congestion record. `units` are the cells of the units that count,
    /// and what each fills, in hundredths of a cell: 100 for one that fills its cell.
    ///
    /// In each round the record forgets half of what it holds. So call it at fixed
    /// intervals, about twice a second, and with no units too. Whether units that move
    /// freely count is the game's decision; an army's
    /// `note_jams` passes those that do not.
    ///
    /// Where levels change, prices change on the layers that heed congestion, as by an
    /// edit. But walls stay as they are, and so do all directions, until the ticks that
    /// follow have planned the orders concerned again. An order keeps its sectors then, and
    /// gains those of the paths that are cheaper now: each unit takes the path that is
    /// cheapest from where it is.
    ///
    /// Like an edit, this call counts to no budget. It looks at each given unit and at each
    /// quarter on record, and changes the levels of 64 quarters at most.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld, Goal, Movement};
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let wary = Movement::new().with_congestion_costs([2, 4, 8, 16]);
    /// let wary = world.add_layer(wary)?;
    /// world.derive_layer(wary)?;
    /// // A jam: each of 25 cells is filled, for some rounds.
    /// let jam: Vec<(Cell, u16)> = (0..25)
    ///     .map(|at| (Cell::new(30 + at % 5, 20 + at / 5), 100))
    ///     .collect();
    /// for _ in 0..8 {
    ///     world.note_units(&jam)?;
    /// }
    /// assert_eq!(world.congestion(Cell::new(32, 22)), 4);
    /// let cost = |cell| world.on(wary)?.costs().get(cell);
    /// assert_eq!(cost(Cell::new(32, 22)).map(|cost| cost.value()), Some(17));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell is off the map; then nothing is recorded, and no round has ended.
    pub fn note_units(&mut self, units: &[(Cell, u16)]) -> Result<CongestionReport, OffMap> {
        for &(cell, _) in units {
            self.costs().check(cell.into())?;
        }
        let round = self.layers.note_units(units);
        let mut report = CongestionReport {
            changed: round.changed.len(),
            waiting: round.waiting,
            ..CongestionReport::default()
        };
        if round.changed.is_empty() {
            return Ok(report);
        }
        let _span = debug_span!("congestion", quarters = round.changed.len()).entered();
        for at in self.layers.positions().skip(1) {
            let rows = self.layers.rederive_congestion(at, &round.changed);
            if rows.is_empty() {
                continue;
            }
            let (change, orders) = self.edit_layer(
                at,
                &edits_of(&rows),
                Cause::Congestion,
                &IslandRepair::default(),
            );
            report.rebuilt += change.rebuilt;
            report.orders += orders;
        }
        Ok(report)
    }

    /// Returns the congestion level of a cell, 0 to 4: a look-up. It is 0 off the map.
    #[must_use]
    pub fn congestion(&self, cell: Cell) -> u8 {
        if self.layers.extent().contains(cell) {
            self.layers.congestion().level(self.layers.extent(), cell)
        } else {
            0
        }
    }
}

/// Congestion.
impl<'w> Inspection<'w> {
    /// Returns the quarters in the congestion record, in a fixed order.
    pub fn congestion(self) -> impl Iterator<Item = CongestedQuarter> + use<'w> {
        let layers = &self.world.layers;
        layers
            .congestion()
            .iter(&layers.ground().costs)
            .map(|(area, density, level)| CongestedQuarter {
                area,
                density,
                level,
            })
    }
}
