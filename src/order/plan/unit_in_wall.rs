use crate::budget::{Paused, Work};
use crate::grid::{Cell, Extent};
use crate::islands::{Outlook, WallRings, leads_straight_out};
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
    /// What an earlier search found.
    hint: Option<Hint>,
    /// Whether the map has not changed since the search began.
    on_one_map: bool,
}

/// What one unit's search for a path out found, to shorten that of another.
#[derive(Clone, Copy)]
pub(super) struct Hint {
    wall_rings: WallRings,
    exit: Option<Cell>,
}

impl UnitInWall {
    pub(super) fn new(extent: Extent, unit: Cell) -> Self {
        Self {
            outlook: Outlook::new(extent, unit),
            shut_in: false,
            hint: None,
            on_one_map: true,
        }
    }

    /// Returns the hint for others, after this exit was found.
    pub(super) fn hint(&self, exit: Option<Cell>) -> Option<Hint> {
        let wall_rings = self.outlook.wall_rings();
        self.on_one_map.then_some(Hint { wall_rings, exit })
    }

    /// Takes a hint from another search, unless this one has begun.
    pub(super) const fn take_hint(&mut self, hint: Option<Hint>) {
        if !self.outlook.is_begun() {
            self.hint = hint;
        }
    }

    /// The map has changed: what was found on the map before is no hint for others.
    pub(super) const fn on_change(&mut self) {
        self.hint = None;
        self.on_one_map = !self.outlook.is_begun();
    }

    /// Begins with what the hint knows. The answer is the same as without it.
    fn begin(&mut self, map: &Map, reach: &Reach, hint: Hint) {
        let (extent, from) = (map.costs.extent(), self.from());
        self.outlook.skip(extent, hint.wall_rings);
        let fits =
            |&exit: &Cell| reach.serves(map, exit) && leads_straight_out(&map.costs, from, exit);
        if let Some(exit) = hint.exit.filter(fits) {
            self.outlook.note(extent, exit);
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
        if let Some(hint) = self.hint.take() {
            self.begin(map, reach, hint);
        }
        if !self.shut_in {
            reach.find_way_out(map, &mut self.outlook, ALL_RINGS, |_| true, work)?;
            if self.found().is_some() || !any_island {
                return Ok(());
            }
            let wall_rings = self.outlook.wall_rings();
            self.outlook = Outlook::new(map.costs.extent(), self.outlook.from());
            if self.on_one_map {
                self.outlook.skip(map.costs.extent(), wall_rings);
            }
            self.shut_in = true;
        }
        loop {
            work.check()?;
            let islands = &map.islands;
            let costs = &map.costs;
            let all = |_| true;
            match self.outlook.step(islands, costs, all, |_| true) {
                Some(cells) => work.count(cells),
                None => return Ok(()),
            }
        }
    }

    pub(super) const fn from(&self) -> Cell {
        self.outlook.from()
    }

    /// The end of the path out, if one was found.
    pub(super) fn found(&self) -> Option<Cell> {
        self.outlook.found()
    }
}
