//! The step that leads a unit out of its wall.

use super::Plan;
use crate::budget::run_to_end;
use crate::grid::{Cell, Direction};
use crate::islands::{Outlook, SeenCell, leads_straight_out};
use crate::map::Map;

/// The number of rings of sectors in which a path out of a wall is looked for each
/// time a unit asks.
const WAY_OUT_RINGS: i32 = 3;

impl Plan {
    /// Returns the step that leads a unit out of its wall: straight toward the
    /// nearest open cell from which a goal can be reached. Looks a few sectors around;
    /// deeper in the wall, the step leads toward the nearest known exit. If the plan
    /// is done, cells with a direction come before all others.
    ///
    /// After the step the cell is nearer and the line to it still straight. So the
    /// next answer leads to a cell at least as near, and no unit goes to and fro.
    pub(crate) fn way_out(&self, map: &Map, unit: Cell) -> Option<Direction> {
        let led = self.is_done().then(|| {
            let near = self.nearest_out(map, unit, |cell| self.leads(cell));
            let known = self.known_out(map, unit, |cell| self.leads(cell));
            near.into_iter().chain(known).min()
        });
        let any = |_| true;
        let out = led
            .flatten()
            .or_else(|| self.nearest_out(map, unit, any))
            .or_else(|| self.known_out(map, unit, any))?;
        Direction::toward(out.cell.x - unit.x, out.cell.y - unit.y)
    }

    /// The nearest exit that fits within a few sectors.
    fn nearest_out(&self, map: &Map, unit: Cell, fit: impl Fn(Cell) -> bool) -> Option<SeenCell> {
        let extent = map.costs.extent();
        let mut outlook = Outlook::new(extent, unit);
        let reach = &self.asked.reach;
        run_to_end(|work| reach.find_way_out(map, &mut outlook, WAY_OUT_RINGS, fit, work));
        Some(SeenCell::from(extent, unit, outlook.found()?))
    }

    /// The nearest known exit that fits.
    fn known_out(&self, map: &Map, unit: Cell, fit: impl Fn(Cell) -> bool) -> Option<SeenCell> {
        let extent = map.costs.extent();
        let mut best: Option<SeenCell> = None;
        for &exit in &self.paths.exits {
            let seen = SeenCell::from(extent, unit, exit);
            if best.is_none_or(|best| seen < best)
                && fit(exit)
                && self.asked.reach.serves(map, exit)
                && leads_straight_out(&map.costs, unit, exit)
            {
                best = Some(seen);
            }
        }
        best
    }
}
