use crate::budget::Work;
use crate::chart::Chart;
use crate::grid::{Cell, Extent};
use crate::order::reach::Reach;
use crate::portal::Outlook;

/// As many rings of sectors as there are.
const ALL_RINGS: i32 = i32::MAX;

/// A unit in a wall, for which a way out is looked for.
pub(super) struct Lost {
    outlook: Outlook,
    /// Whether no straight way leads out, and any open cell will do.
    shut_in: bool,
}

impl Lost {
    pub(super) fn new(extent: Extent, unit: Cell) -> Self {
        Self {
            outlook: Outlook::new(extent, unit),
            shut_in: false,
        }
    }

    /// Looks on, for the nearest open cell that a straight way leads out to and
    /// from which a goal can be reached; where there is none, and `any_island`
    /// may have a goal, for the nearest of all. False if the work was used up
    /// first.
    pub(super) fn look_out(
        &mut self,
        chart: &Chart,
        reach: &Reach,
        any_island: bool,
        work: &mut Work,
    ) -> bool {
        if !self.shut_in {
            if !reach.look_out(chart, &mut self.outlook, ALL_RINGS, |_| true, work) {
                return false;
            }
            if self.found().is_some() || !any_island {
                return true;
            }
            self.outlook = Outlook::new(chart.costs.extent(), self.outlook.from());
            self.shut_in = true;
        }
        loop {
            if work.is_over() {
                return false;
            }
            let (islands, costs, all) = (&chart.islands, &chart.costs, |_| true);
            match self.outlook.look_on(islands, costs, all, |_| true) {
                Some(cells) => work.count(cells),
                None => return true,
            }
        }
    }

    /// The unit's cell.
    pub(super) const fn from(&self) -> Cell {
        self.outlook.from()
    }

    /// The way out, once it is looked for.
    pub(super) fn found(&self) -> Option<Cell> {
        self.outlook.found()
    }
}
