use crate::budget::{Paused, Work};
use crate::grid::{Cell, Extent};
use crate::islands::Outlook;
use crate::map::Map;
use crate::order::reach::Reach;

/// More rings of sectors than any map has.
const ALL_RINGS: i32 = i32::MAX;

/// A unit in a wall, for which a path out is looked for.
#[derive(Clone)]
pub(super) struct UnitInWall {
    outlook: Outlook,
    /// Whether no straight line leads out, so that any open cell is accepted.
    shut_in: bool,
}

impl UnitInWall {
    pub(super) fn new(extent: Extent, unit: Cell) -> Self {
        Self {
            outlook: Outlook::new(extent, unit),
            shut_in: false,
        }
    }

    /// Looks for the nearest open cell to which a straight line leads out and from
    /// which a goal can be reached. If there is none, and any island may have a goal,
    /// looks for the nearest open cell.
    pub(super) fn find_way_out(
        &mut self,
        map: &Map,
        reach: &Reach,
        any_island: bool,
        work: &mut Work,
    ) -> Result<(), Paused> {
        if !self.shut_in {
            reach.find_way_out(map, &mut self.outlook, ALL_RINGS, |_| true, work)?;
            if self.found().is_some() || !any_island {
                return Ok(());
            }
            self.outlook = Outlook::new(map.costs.extent(), self.outlook.from());
            self.shut_in = true;
        }
        let (islands, costs, all) = (&map.islands, &map.costs, |_| true);
        self.outlook
            .look(islands, costs, all, |_| true, ALL_RINGS, work)
    }

    pub(super) const fn from(&self) -> Cell {
        self.outlook.from()
    }

    /// The end of the path out, if one was found.
    pub(super) fn found(&self) -> Option<Cell> {
        self.outlook.found()
    }
}
