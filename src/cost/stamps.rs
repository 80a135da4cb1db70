//! Stamps, blockers and gates: what lies over the ground for a while.
//!
//! The ground is the costs as given and edited. Over it lie stamps, the newest
//! on top, blockers, any number of them on a cell, and gates. The cost of a cell
//! is that of the topmost of them:
//!
//! ```text
//!   gates            ▓▓     a gate closed to the team: a wall
//!   blockers    ▒▒          any blocker: a wall
//!   stamp 7        ═══      else the newest stamp that covers the cell
//!   stamp 3     ████
//!   ground      · · · ~ ~   else the ground
//! ```
//!
//! So when one of them is removed, in whatever order, what lies below it shows
//! again: nothing was saved and restored, all of them are present all the time. Only
//! covered cells are stored here, each with its ground. The ground of all other cells is
//! their cost in the map.

use std::collections::BTreeMap;
use std::fmt;

use super::{Cost, CostMap, MAX_TEAMS, StampTemplate, Teams, Turn};
use crate::grid::{Cell, CellRect, SECTOR_CELLS, SectorId, Slot};

/// The id of a stamp: its number. The first stamp has 0, each later one a
/// higher number. No number is used twice in one world, even across saves and
/// loads. So the id of a removed stamp stays invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StampId(u64);

impl StampId {
    /// Returns the number, for a game's own saves.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the id with this number. Whether such a stamp exists, only the
    /// world knows.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for StampId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stamp {}", self.0)
    }
}

/// The id of a gate: its number. No number is used twice in one world, even across
/// saves and loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(u64);

impl GateId {
    /// Returns the number, for a game's own saves.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the id with this number. Whether such a gate exists, only the world
    /// knows.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for GateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gate {}", self.0)
    }
}

/// The most cells of one gate.
pub const MAX_GATE_CELLS: u64 = 1 << 14;

/// A gate: an area, open to some teams and a wall to the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) area: CellRect,
    pub(crate) open_to: Teams,
}

#[derive(Clone, Debug)]
pub(crate) struct PlacedStamp {
    pub(crate) template: StampTemplate,
    pub(crate) at: Cell,
    pub(crate) turn: Turn,
}

impl PlacedStamp {
    pub(crate) const fn area(&self) -> CellRect {
        self.template.area(self.at, self.turn)
    }

    /// Returns the cells of the stamp's area, row by row, each with the stamp's
    /// cost there.
    fn cells(&self) -> impl Iterator<Item = (Cell, Option<Cost>)> {
        let cells = self.area().cells();
        cells.map(|cell| (cell, self.cost_at(cell)))
    }

    /// Returns the stamp's cost of a cell of its area; `None` in a hole.
    pub(crate) fn cost_at(&self, cell: Cell) -> Option<Cost> {
        let area = self.area();
        let (x, y) = ((cell.x - area.x) as u32, (cell.y - area.y) as u32);
        self.template.turned(self.turn, x, y)
    }
}

/// A cell of a map, ordered by sector.
pub(super) type SectorSlot = (SectorId, Slot);

/// A cell under a stamp, blocker or gate.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) ground: Cost,
    pub(super) blockers: u32,
    /// Numbers and costs of the stamps, the newest last.
    stamps: Vec<(u64, Cost)>,
    /// Numbers of the gates, and the teams to which each is closed.
    gates: Vec<(u64, Teams)>,
}

impl Cover {
    const fn on(ground: Cost) -> Self {
        Self {
            ground,
            blockers: 0,
            stamps: Vec::new(),
            gates: Vec::new(),
        }
    }

    /// Returns the cost of the cell to team 0.
    pub(super) fn cost(&self) -> Cost {
        self.cost_for(0)
    }

    pub(super) fn cost_for(&self, team: u8) -> Cost {
        if self.blockers > 0 || self.gates.iter().any(|(_, closed)| closed.has(team)) {
            return Cost::WALL;
        }
        self.stamps.last().map_or(self.ground, |&(_, cost)| cost)
    }

    fn is_bare(&self) -> bool {
        self.blockers == 0 && self.stamps.is_empty() && self.gates.is_empty()
    }
}

/// All stamps and blockers on a map; see the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stamps {
    by_number: BTreeMap<u64, PlacedStamp>,
    pub(super) covers: BTreeMap<SectorSlot, Cover>,
    /// The number of cells with a blocker.
    blocked: usize,
    pub(super) next_number: u64,
    gates: BTreeMap<u64, Gate>,
    pub(super) next_gate: u64,
}

impl Stamps {
    /// Whether a number is left for another stamp.
    pub(crate) const fn has_numbers(&self) -> bool {
        self.next_number < u64::MAX
    }

    /// Adds a stamp that lies on the map. Returns the new costs of the cells of
    /// its area, row by row, 0 in its holes.
    pub(crate) fn add(&mut self, costs: &CostMap, stamp: PlacedStamp) -> (StampId, Vec<u8>) {
        let number = self.next_number;
        self.next_number += 1;
        let rows = self.add_numbered(costs, number, stamp);
        (StampId(number), rows)
    }

    /// Adds a stamp whose number is higher than all present ones.
    pub(super) fn add_numbered(
        &mut self,
        costs: &CostMap,
        number: u64,
        stamp: PlacedStamp,
    ) -> Vec<u8> {
        let mut rows = Vec::new();
        for (cell, cost) in stamp.cells() {
            rows.push(cost.map_or(0, |cost| {
                let cover = self.cover(costs, cell);
                cover.stamps.push((number, cost));
                cover.cost().value()
            }));
        }
        self.by_number.insert(number, stamp);
        rows
    }

    /// Removes a stamp. Returns its area and the new costs of its cells, row by
    /// row, 0 in its holes; `None` if it does not exist.
    pub(crate) fn remove(&mut self, costs: &CostMap, id: StampId) -> Option<(CellRect, Vec<u8>)> {
        let stamp = self.by_number.remove(&id.0)?;
        let mut rows = Vec::new();
        for (cell, cost) in stamp.cells() {
            rows.push(cost.map_or(0, |_| {
                let cover = self.cover(costs, cell);
                cover.stamps.retain(|&(number, _)| number != id.0);
                let cost = cover.cost();
                self.drop_bare(costs, cell);
                cost.value()
            }));
        }
        Some((stamp.area(), rows))
    }

    /// Adds a blocker to a cell of the map; returns the new cost of the cell.
    pub(crate) fn block(&mut self, costs: &CostMap, cell: Cell) -> Cost {
        self.block_by(costs, cell, 1)
    }

    /// Adds `count` blockers, at least one, to a cell.
    pub(super) fn block_by(&mut self, costs: &CostMap, cell: Cell, count: u32) -> Cost {
        let cover = self.cover(costs, cell);
        let first = cover.blockers == 0;
        cover.blockers = cover.blockers.saturating_add(count);
        let cost = cover.cost();
        self.blocked += usize::from(first);
        cost
    }

    /// Removes a blocker from a cell of the map; returns the new cost of the
    /// cell, `None` if it has no blocker.
    pub(crate) fn unblock(&mut self, costs: &CostMap, cell: Cell) -> Option<Cost> {
        let cover = self.covers.get_mut(&costs.extent().locate(cell))?;
        cover.blockers = cover.blockers.checked_sub(1)?;
        let (last, cost) = (cover.blockers == 0, cover.cost());
        self.blocked -= usize::from(last);
        self.drop_bare(costs, cell);
        Some(cost)
    }

    /// Adds a gate that lies on the map; its number is not used yet.
    pub(crate) fn add_gate(&mut self, costs: &CostMap, gate: Gate) -> GateId {
        let number = self.next_gate;
        self.next_gate += 1;
        self.add_gate_numbered(costs, number, gate);
        GateId(number)
    }

    /// Adds a gate whose number no other has.
    pub(super) fn add_gate_numbered(&mut self, costs: &CostMap, number: u64, gate: Gate) {
        for cell in gate.area.cells() {
            let gates = &mut self.cover(costs, cell).gates;
            gates.push((number, gate.open_to.others()));
        }
        self.gates.insert(number, gate);
    }

    /// Opens a gate to these teams alone. Returns its area; `None` if it does not exist.
    pub(crate) fn set_gate(
        &mut self,
        costs: &CostMap,
        id: GateId,
        open_to: Teams,
    ) -> Option<CellRect> {
        let gate = self.gates.get_mut(&id.0)?;
        gate.open_to = open_to;
        let area = gate.area;
        for cell in area.cells() {
            for (number, closed) in &mut self.cover(costs, cell).gates {
                if *number == id.0 {
                    *closed = open_to.others();
                }
            }
        }
        Some(area)
    }

    /// Removes a gate. Returns its area; `None` if it does not exist. The covers of its
    /// cells stay until their [costs](Self::rows) are read.
    pub(crate) fn remove_gate(&mut self, costs: &CostMap, id: GateId) -> Option<CellRect> {
        let area = self.gates.remove(&id.0)?.area;
        for cell in area.cells() {
            let gates = &mut self.cover(costs, cell).gates;
            gates.retain(|&(number, _)| number != id.0);
        }
        Some(area)
    }

    /// Returns the costs of the area of a gate to team 0, row by row, and drops the covers under
    /// which nothing lies any more.
    pub(crate) fn rows(&mut self, costs: &CostMap, area: CellRect) -> Vec<u8> {
        let mut rows = Vec::new();
        for cell in area.cells() {
            rows.push(self.cover(costs, cell).cost().value());
            self.drop_bare(costs, cell);
        }
        rows
    }

    /// Returns the gates, the oldest first.
    pub(crate) fn gates(&self) -> impl Iterator<Item = (GateId, &Gate)> {
        self.gates
            .iter()
            .map(|(&number, gate)| (GateId(number), gate))
    }

    pub(crate) fn gate(&self, id: GateId) -> Option<&Gate> {
        self.gates.get(&id.0)
    }

    /// Whether there are gates, or have been.
    pub(crate) const fn have_had_gates(&self) -> bool {
        self.next_gate > 0
    }

    /// By team, the teams to which the same gates are open.
    pub(crate) fn alike(&self) -> [Teams; MAX_TEAMS as usize] {
        let mut alike = [Teams::ALL; MAX_TEAMS as usize];
        for gate in self.gates.values() {
            for (team, alike) in (0..MAX_TEAMS).zip(&mut alike) {
                let same = if gate.open_to.has(team) {
                    gate.open_to
                } else {
                    gate.open_to.others()
                };
                *alike = alike.shared(same);
            }
        }
        alike
    }

    fn cover(&mut self, costs: &CostMap, cell: Cell) -> &mut Cover {
        let spot = costs.extent().locate(cell);
        let ground = Cost::stored(costs.tile(spot.0).costs()[spot.1.index()]);
        self.covers.entry(spot).or_insert(Cover::on(ground))
    }

    fn drop_bare(&mut self, costs: &CostMap, cell: Cell) {
        let spot = costs.extent().locate(cell);
        if self.covers.get(&spot).is_some_and(Cover::is_bare) {
            self.covers.remove(&spot);
        }
    }

    /// Whether a stamp or blocker covers a cell of a sector.
    pub(crate) fn any_in(&self, sector: SectorId) -> bool {
        self.covers_in(sector).next().is_some()
    }

    /// Returns the covered cells of a sector, by slot.
    pub(super) fn covers_in(&self, sector: SectorId) -> impl Iterator<Item = (Slot, &Cover)> {
        let spots = (sector, Slot::at(0, 0))..(SectorId(sector.0 + 1), Slot::at(0, 0));
        self.covers
            .range(spots)
            .map(|(&(_, slot), cover)| (slot, cover))
    }

    /// Returns the costs of a sector as a team sees it: with the gates that are open to it.
    pub(super) fn seen_by(
        &self,
        team: u8,
        costs: &CostMap,
        sector: SectorId,
    ) -> [u8; SECTOR_CELLS] {
        let mut seen = *costs.tile(sector).costs();
        if self.have_had_gates() {
            for (slot, cover) in self.covers_in(sector) {
                seen[slot.index()] = cover.cost_for(team).value();
            }
        }
        seen
    }

    /// Changes the ground of a cell; returns the new cost of the cell.
    pub(crate) fn lay_ground(&mut self, spot: (SectorId, Slot), ground: Cost) -> Cost {
        match self.covers.get_mut(&spot) {
            Some(cover) => {
                cover.ground = ground;
                cover.cost()
            }
            None => ground,
        }
    }

    pub(crate) fn ground(&self, costs: &CostMap, cell: Cell) -> Option<Cost> {
        let cover = self.covers.get(&costs.extent().locate(cell));
        cover.map_or_else(|| costs.get(cell), |cover| Some(cover.ground))
    }

    pub(crate) fn blockers(&self, costs: &CostMap, cell: Cell) -> u32 {
        let cover = self.covers.get(&costs.extent().locate(cell));
        cover.map_or(0, |cover| cover.blockers)
    }

    pub(crate) fn get(&self, id: StampId) -> Option<&PlacedStamp> {
        self.by_number.get(&id.0)
    }

    /// Returns the stamps, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (StampId, &PlacedStamp)> {
        self.by_number
            .iter()
            .map(|(&number, stamp)| (StampId(number), stamp))
    }

    pub(crate) fn len(&self) -> usize {
        self.by_number.len()
    }

    /// Returns the number of cells with a blocker.
    pub(crate) const fn blocked(&self) -> usize {
        self.blocked
    }

    pub(crate) fn bytes(&self) -> usize {
        let covers = self.covers.values();
        let numbers: usize = covers.map(|cover| cover.stamps.capacity()).sum();
        numbers * size_of::<(u64, Cost)>()
            + self.covers.len() * size_of::<(SectorSlot, Cover)>()
            + self.by_number.len() * size_of::<(u64, PlacedStamp)>()
            + self.gates.len() * size_of::<(u64, Gate)>()
    }
}
