//! Edits: the ground changes once; then the derived layers are repaired.
//!
//! A cell of a layer depends on ground at most eight cells away. So the sectors within
//! reach of the change are derived again, and what differs there is an edit of
//! that layer's map. Orders are invalidated by the changes of their own layer alone.
//! Stamps, blockers and gates are edits too.

use tracing::debug_span;

use super::{EditReport, FlowWorld};
use crate::cost::{Cost, CostMapError, Movement, OffMap};
use crate::grid::{Cell, CellRect};
use crate::islands::IslandRepair;
use crate::map::{Change, Edit, LayerAt};

/// Edits: the ground changes.
impl FlowWorld {
    /// Gives the ground of every cell of an area (a [`Cell`] or a [`CellRect`]) the
    /// same cost. Under a [`stamp`](Self::stamp) or a blocker the new cost shows
    /// once that is removed.
    ///
    /// From this call on no direction leads into a wall, and answers about what a
    /// unit can reach are those of the new map. The ticks that follow replan the
    /// orders that the edit concerns. Until then units in the touched sectors wait,
    /// and elsewhere the old directions stay in use. So for some ticks a unit may
    /// walk toward a goal from which the edit has cut it off, or on a path that is
    /// no longer the cheapest.
    ///
    /// The whole edit is done in this call and counts to no budget. It takes
    /// tens of milliseconds for a million cells. A large area can be edited in
    /// [`pieces`](CellRect::pieces), some in each tick; between them the map is as
    /// drawn so far:
    ///
    /// ```
    /// use flowtiles::{Budget, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(300, 300)?);
    /// for piece in CellRect::new(0, 0, 300, 300).pieces(10) {
    ///     world.edit(piece, Cost::new(4)?)?;
    ///     world.tick(Budget::cells(20_000));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell of the area is off the map; then nothing has changed.
    pub fn edit(&mut self, area: impl Into<CellRect>, cost: Cost) -> Result<EditReport, OffMap> {
        let area = area.into();
        self.costs().check(area)?;
        Ok(self.edit_ground(&[Edit::Fill(area, cost)]))
    }

    /// Makes several edits, one after the other, and repairs what depends on the
    /// costs once for all of them.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let report = world.edit_all(&[
    ///     (CellRect::new(50, 0, 1, 60), Cost::WALL),
    ///     (Cell::new(50, 30).into(), Cost::OPEN), // a gap in the wall
    /// ])?;
    /// assert_eq!(report.sectors, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell of any area is off the map; then nothing has changed.
    pub fn edit_all(&mut self, edits: &[(CellRect, Cost)]) -> Result<EditReport, OffMap> {
        for &(area, _) in edits {
            self.costs().check(area)?;
        }
        let edits = edits.iter().map(|&(area, cost)| Edit::Fill(area, cost));
        Ok(self.edit_ground(&edits.collect::<Vec<_>>()))
    }

    /// Gives each cell of an area its own cost, row by row.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit_rows(CellRect::new(10, 20, 2, 2), &[1, 255, 3, 1])?;
    /// assert_eq!(world.costs().get(Cell::new(11, 20)), Some(Cost::WALL));
    /// assert_eq!(world.costs().get(Cell::new(10, 21)), Some(Cost::new(3)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the area is not on the map, if the number of costs is not the number
    /// of cells, or if a cost is 0; then nothing has changed.
    pub fn edit_rows(&mut self, area: CellRect, costs: &[u8]) -> Result<EditReport, CostMapError> {
        self.costs().check(area)?;
        let cells = area.width as usize * area.height as usize;
        if costs.len() != cells {
            return Err(CostMapError::Length {
                expected: cells as u64,
                found: costs.len() as u64,
            });
        }
        if let Some(index) = costs.iter().position(|&cost| cost == 0) {
            let (x, y) = (index % area.width as usize, index / area.width as usize);
            let cell = Cell::new(area.x + x as i32, area.y + y as i32);
            return Err(CostMapError::Zero { cell });
        }
        Ok(self.edit_ground(&[Edit::Rows(area, costs)]))
    }

    /// Edits the ground, repairs the derived layers, and invalidates orders.
    pub(super) fn edit_ground(&mut self, edits: &[Edit<'_>]) -> EditReport {
        let _span = debug_span!("edit", strokes = edits.len()).entered();
        let (change, orders) = self.edit_layer(LayerAt::Ground, edits, None);
        let mut report = EditReport {
            cells: change.sectors.iter().map(|s| u64::from(s.cells)).sum(),
            sectors: change.sectors.len(),
            rebuilt: change.rebuilt,
            walked: change.islands.walked,
            orders,
        };
        // Where gates are, other teams may see a change that the ground's layer, which
        // team 0 sees, does not show.
        let changed: Vec<CellRect> = if self.layers.stamps().have_had_gates() {
            edits.iter().map(Edit::area).collect()
        } else {
            change.sectors.iter().map(|change| change.area).collect()
        };
        self.derive_again(None, &changed, Some(&change.islands), &mut report);
        report
    }

    /// Lets the derived layers of a team with fog, or those of all without, follow a change of what
    /// they are derived from. `ground` is the repair of the ground's islands, if it was edited
    /// before.
    pub(super) fn derive_again(
        &mut self,
        fogged: Option<u8>,
        changed: &[CellRect],
        ground: Option<&IslandRepair>,
        report: &mut EditReport,
    ) {
        if changed.is_empty() {
            return;
        }
        let reach = |_, movement: &Movement| Some(movement.reach());
        for at in self.layers.positions().skip(1) {
            if self.layers.fogged(at) != fogged {
                continue;
            }
            let rows = self.layers.rederive(at, changed, reach);
            if rows.is_empty() {
                self.layers.mark_below_surcharges(at);
                continue;
            }
            let edits = rows
                .iter()
                .map(|(area, costs)| Edit::Standing(*area, costs));
            let edits: Vec<Edit<'_>> = edits.collect();
            let (derived, orders) = self.edit_layer(at, &edits, ground);
            report.rebuilt += derived.rebuilt;
            report.walked += derived.islands.walked;
            report.orders += orders;
        }
    }

    /// Edits the map of one layer, and invalidates the orders on it. Returns their
    /// number too. `ground` is the repair of the ground's islands, if it was edited before.
    pub(super) fn edit_layer(
        &mut self,
        at: LayerAt,
        edits: &[Edit<'_>],
        ground: Option<&IslandRepair>,
    ) -> (Change, usize) {
        let sectors = self.layers.map_at(at).sectors_of(edits);
        let change = self.layers.edit(at, edits, &sectors, ground);
        if change.sectors.is_empty() {
            return (change, 0);
        }
        let layers = &self.layers;
        let map_of = |layer| (layers.at(layer) == Some(at)).then(|| layers.map_at(at));
        let orders = self.book.on_change(map_of, &change);
        (change, orders)
    }
}
