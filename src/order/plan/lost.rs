use crate::budget::{Paused, Work};
use crate::grid::{Cell, Extent};
use crate::islands::{Bare, Outlook, leads_straight_out};
use crate::map::Map;
use crate::order::reach::Reach;

/// As many rings of sectors as there are.
const ALL_RINGS: i32 = i32::MAX;

/// A unit in a wall, for which a path out is looked for.
pub(super) struct Lost {
    outlook: Outlook,
    /// Whether no straight line leads out, and any open cell will do.
    shut_in: bool,
    /// What the look before this one spares it.
    hint: Option<Hint>,
    /// Whether the map has stayed the same since it began.
    on_one_map: bool,
}

/// What the look for one unit's path out spares the look for the next.
#[derive(Clone, Copy)]
pub(super) struct Hint {
    bare: Bare,
    exit: Option<Cell>,
}

impl Lost {
    pub(super) fn new(extent: Extent, unit: Cell) -> Self {
        Self {
            outlook: Outlook::new(extent, unit),
            shut_in: false,
            hint: None,
            on_one_map: true,
        }
    }

    /// What it spares the next, having found this exit.
    pub(super) fn hint(&self, exit: Option<Cell>) -> Option<Hint> {
        let bare = self.outlook.bare();
        self.on_one_map.then_some(Hint { bare, exit })
    }

    /// Takes what another has found out, if it has not begun itself.
    pub(super) const fn take_hint(&mut self, hint: Option<Hint>) {
        if !self.outlook.is_begun() {
            self.hint = hint;
        }
    }

    /// The map is another now: what was found out on the one before helps nobody
    /// else.
    pub(super) const fn meet_change(&mut self) {
        self.hint = None;
        self.on_one_map = !self.outlook.is_begun();
    }

    /// Begins by what the look before has found out. The answer is the same.
    fn begin(&mut self, map: &Map, reach: &Reach, hint: Hint) {
        let (extent, from) = (map.costs.extent(), self.from());
        self.outlook.skip(extent, hint.bare);
        let fits =
            |&exit: &Cell| reach.serves(map, exit) && leads_straight_out(&map.costs, from, exit);
        if let Some(exit) = hint.exit.filter(fits) {
            self.outlook.note(extent, exit);
        }
    }

    /// Looks for the nearest open cell to which a straight line leads out and
    /// from which a goal can be reached; where there is none, and any island may
    /// have a goal, for the nearest of all.
    pub(super) fn look_out(
        &mut self,
        map: &Map,
        reach: &Reach,
        any_island: bool,
        work: &mut Work,
    ) -> Result<(), Paused> {
        if let Some(hint) = self.hint.take() {
            self.begin(map, reach, hint);
        }
        if !self.shut_in {
            reach.look_out(map, &mut self.outlook, ALL_RINGS, |_| true, work)?;
            if self.found().is_some() || !any_island {
                return Ok(());
            }
            let bare = self.outlook.bare();
            self.outlook = Outlook::new(map.costs.extent(), self.outlook.from());
            if self.on_one_map {
                self.outlook.skip(map.costs.extent(), bare);
            }
            self.shut_in = true;
        }
        loop {
            work.check()?;
            let (islands, costs, all) = (&map.islands, &map.costs, |_| true);
            match self.outlook.look_on(islands, costs, all, |_| true) {
                Some(cells) => work.count(cells),
                None => return Ok(()),
            }
        }
    }

    /// The unit's cell.
    pub(super) const fn from(&self) -> Cell {
        self.outlook.from()
    }

    /// Where the path out ends, once it is looked for.
    pub(super) fn found(&self) -> Option<Cell> {
        self.outlook.found()
    }
}
