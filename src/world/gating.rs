//! Gates: areas that are open to some teams and a wall to the others.

use std::collections::BTreeSet;
use std::fmt;

use super::{EditReport, FlowWorld, Inspection};
use crate::cost::{Gate, GateId, MAX_GATE_CELLS, OffMap, Teams};
use crate::grid::{Cell, CellRect};
use crate::islands::{Island, IslandRepair};
use crate::map::{Change, Edit};
use crate::order::Goal;

const MAX_GATES: usize = 1 << 16;

/// Gates: areas that are open to some teams and a wall to the others.
///
/// A unit's team is that of its order's layer ([`LayerId::for_team`](crate::LayerId)); where
/// nothing is said it is 0. Teams that see all gates alike, and have no fog, share all derived data. Once
/// gates treat them differently, each part has a copy, so a layer that was derived before stays
/// derived for every team. A copy takes the time of each edit and the memory of a world, until
/// the gates treat the teams alike again, or [`free_layer`](Self::free_layer).
///
/// ```
/// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Teams};
/// let mut map = CostMap::open(60, 20)?;
/// map.edit(CellRect::new(30, 0, 1, 20), Cost::WALL)?;
/// map.edit(CellRect::new(30, 8, 1, 3), Cost::OPEN)?;
/// let mut world = FlowWorld::new(map);
/// let (gate, _) = world.add_gate(CellRect::new(30, 8, 1, 3), Teams::NONE.with(0))?;
///
/// let (west, east) = (Cell::new(5, 9), Cell::new(55, 9));
/// let enemy = LayerId::GROUND.for_team(1).expect("a team");
/// assert!(world.order(east, &[west]).is_ok());
/// assert!(world.order(Goal::at(east).on(enemy), &[west]).is_err());
/// world.set_gate(gate, Teams::ALL);
/// assert!(world.order(Goal::at(east).on(enemy), &[west]).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FlowWorld {
    /// Adds a gate, open to these teams. The ground below must be open to units: a gate only
    /// closes, and walls below it stay walls to all teams. Gates may overlap: a cell is a wall to
    /// a team if any gate there is closed to it.
    ///
    /// # Errors
    /// If the area is empty, off the map in part, or has more than [`MAX_GATE_CELLS`]; or
    /// if the world has 65,536 gates.
    pub fn add_gate(
        &mut self,
        area: CellRect,
        open_to: Teams,
    ) -> Result<(GateId, EditReport), GateError> {
        self.costs().check(area)?;
        let cells = u64::from(area.width) * u64::from(area.height);
        if cells == 0 || cells > MAX_GATE_CELLS {
            return Err(GateError::Size { area });
        }
        if self.layers.stamps().gates().count() >= MAX_GATES {
            return Err(GateError::Full);
        }
        let (stamps, ground) = self.layers.stamps_mut();
        let id = stamps.add_gate(ground, Gate { area, open_to });
        Ok((id, self.edit_gate(area)))
    }

    /// Opens a gate to these teams and closes it to all others. `None` if there is no such
    /// gate. Orders of teams that see no difference are not concerned.
    pub fn set_gate(&mut self, id: GateId, open_to: Teams) -> Option<EditReport> {
        let (stamps, ground) = self.layers.stamps_mut();
        let area = stamps.set_gate(ground, id, open_to)?;
        Some(self.edit_gate(area))
    }

    /// Removes a gate: its area is what is below it, to all teams. `None` if there is no
    /// such gate.
    pub fn remove_gate(&mut self, id: GateId) -> Option<EditReport> {
        let (stamps, ground) = self.layers.stamps_mut();
        let area = stamps.remove_gate(ground, id)?;
        Some(self.edit_gate(area))
    }

    /// Brings all layers in step with the gates. `costs` are those of the area to team 0.
    fn edit_gate(&mut self, area: CellRect) -> EditReport {
        let (stamps, ground) = self.layers.stamps_mut();
        let costs = stamps.rows(ground, area);
        self.layers.part_teams();
        let report = self.edit_ground(&[Edit::Standing(area, &costs)]);
        self.join_teams();
        report
    }

    /// Lets teams that see the same now share what is derived for them.
    pub(super) fn join_teams(&mut self) {
        let moved = self.layers.join_teams();
        if !moved.is_empty() {
            // The costs are the same; only the numbers of the islands are not.
            let renumbered = Change {
                islands: IslandRepair {
                    joined: true,
                    ..IslandRepair::default()
                },
                ..Change::default()
            };
            let map_of = |layer| moved.contains(&layer).then(|| self.layers.used(layer));
            self.book.on_change(map_of, &renumbered);
        }
    }
}

impl FlowWorld {
    /// Returns a gate between a unit and a goal that is closed to the team of the goal's layer. A
    /// team with fog is told of none: it may not have seen it.
    pub(super) fn closed_gate(&self, goal: &Goal, unit: Cell) -> Option<GateId> {
        let layer = goal.layer();
        let map = self.layers.used(layer);
        let island = |cell| map.islands.of(&map.costs, cell);
        let own = island(unit).filter(|_| self.known(layer.team()).is_none())?;
        let theirs: BTreeSet<Island> = goal.cells().filter_map(island).collect();
        // Bodies of the layer stay as far off a wall.
        let apart = self
            .movement(layer)
            .map_or(0, |movement| u32::from(movement.size()) / 2);
        let mut gates = self.layers.stamps().gates();
        let found = gates.find(|(_, gate)| {
            if gate.open_to.has(layer.team()) {
                return false;
            }
            let shut = gate.area.grown(apart);
            let [columns, rows] = [
                shut.x..shut.x + shut.width as i32,
                shut.y..shut.y + shut.height as i32,
            ];
            let (mut begins, mut ends) = (false, false);
            // A step over a corner is none.
            let beside = shut
                .grown(1)
                .cells()
                .filter(|cell| columns.contains(&cell.x) != rows.contains(&cell.y));
            for island in beside.filter_map(island) {
                begins |= island == own;
                ends |= theirs.contains(&island);
                if begins && ends {
                    return true;
                }
            }
            false
        });
        found.map(|(id, _)| id)
    }
}

/// Gates.
impl<'w> Inspection<'w> {
    /// Returns the gates, the oldest first.
    pub fn gates(self) -> impl Iterator<Item = GateId> + use<'w> {
        self.world.layers.stamps().gates().map(|(id, _)| id)
    }

    /// Returns the area of a gate and the teams to which it is open; `None` if it is gone.
    #[must_use]
    pub fn gate(self, id: GateId) -> Option<(CellRect, Teams)> {
        let gate = self.world.layers.stamps().gate(id)?;
        Some((gate.area, gate.open_to))
    }
}

/// Why a gate was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GateError {
    /// A part of the gate would be off the map.
    OffMap(OffMap),
    /// The gate would have no cell, or more than [`MAX_GATE_CELLS`].
    Size {
        /// The area given.
        area: CellRect,
    },
    /// The world has as many gates as it can have.
    Full,
}

impl From<OffMap> for GateError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for GateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::Size { area } => write!(
                f,
                "a gate cannot be {area}: give an area of 1 to {MAX_GATE_CELLS} cells"
            ),
            Self::Full => write!(
                f,
                "the world has {MAX_GATES} gates, which is the limit: remove one with `remove_gate`"
            ),
        }
    }
}

impl std::error::Error for GateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            _ => None,
        }
    }
}
