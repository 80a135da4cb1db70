//! The cost of an edit with no order to replan.

use std::hint::black_box;

use flowtiles::{Cell, CellRect, Cost, FlowWorld, PortalGraph};

use super::effort::Effort;
use super::figures::To99;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

/// Cells along a side of a building.
const BUILDING: u32 = 8;

/// Cells to toggle and places to build on, the same in every round.
pub struct Edits {
    cells: Vec<(Cell, Cost)>,
    sites: Vec<(CellRect, Vec<(Cell, Cost)>)>,
    one_cell: Times,
    building: Times,
}

/// Open ground for a wall, and a wall for anything else.
const fn toggled(cost: Cost) -> Cost {
    if cost.is_wall() {
        Cost::OPEN
    } else {
        Cost::WALL
    }
}

fn edit(world: &mut FlowWorld, area: impl Into<CellRect>, cost: Cost) {
    // Every area was drawn on the map.
    black_box(world.edit(area, cost)).ok();
}

impl Edits {
    /// Draws the edits, and compares the graph after some of them with one built
    /// from the costs.
    pub fn new(subject: &Subject, world: &mut FlowWorld, effort: &Effort) -> Result<Self, Failure> {
        let mut random = Random::new(41);
        let (width, height) = (world.costs().width(), world.costs().height());
        let mut corner = |side: u32| {
            let free = [width, height].map(|length| (length - side + 1) as i32);
            Cell::new(random.below(free[0]), random.below(free[1]))
        };
        let with_cost = |cell: Cell| (cell, world.costs().get(cell).unwrap_or(Cost::WALL));
        let cells = (0..effort.edits).map(|_| with_cost(corner(1))).collect();
        let sites = (0..effort.buildings)
            .map(|_| {
                let at = corner(BUILDING);
                let site = CellRect::new(at.x, at.y, BUILDING, BUILDING);
                (site, site.cells().map(with_cost).collect())
            })
            .collect();
        let edits = Self {
            cells,
            sites,
            one_cell: Times::default(),
            building: Times::default(),
        };
        edits.check(subject, world)?;
        Ok(edits)
    }

    fn check(&self, subject: &Subject, world: &mut FlowWorld) -> Result<(), Failure> {
        for &(cell, cost) in self.cells.iter().take(200) {
            edit(world, cell, toggled(cost));
        }
        for (site, _) in self.sites.iter().take(20) {
            edit(world, *site, Cost::WALL);
        }
        let mended = *world.inspect().portal_graph() == PortalGraph::new(world.costs());
        for (_, cells) in self.sites.iter().take(20) {
            put_back(world, cells);
        }
        put_back(world, &self.cells[..self.cells.len().min(200)]);
        let restored = *world.inspect().portal_graph() == PortalGraph::new(subject.costs());
        if mended && restored {
            return Ok(());
        }
        Err(Failure::Wrong(format!(
            "{}: after edits the graph is not that of the costs",
            subject.name()
        )))
    }

    /// One round: cells there and back, buildings up and down.
    pub fn round(&mut self, world: &mut FlowWorld) {
        self.one_cell.begin_round();
        self.building.begin_round();
        for &(cell, cost) in &self.cells {
            self.one_cell.time(|| edit(world, cell, toggled(cost)));
            self.one_cell.time(|| edit(world, cell, cost));
        }
        for (site, cells) in &self.sites {
            self.building.time(|| edit(world, *site, Cost::WALL));
            self.building.time(|| edit(world, *site, Cost::OPEN));
            put_back(world, cells);
        }
    }

    pub fn one_cell(&self) -> To99 {
        to_99(&self.one_cell)
    }

    pub fn building(&self) -> To99 {
        to_99(&self.building)
    }
}

/// Gives cells their previous costs.
fn put_back(world: &mut FlowWorld, cells: &[(Cell, Cost)]) {
    for &(cell, cost) in cells {
        if world.costs().get(cell) != Some(cost) {
            edit(world, cell, cost);
        }
    }
}

fn to_99(times: &Times) -> To99 {
    To99 {
        median: times.median(1e6),
        p99: times.rank(99, 1e6),
    }
}
