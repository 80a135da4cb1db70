//! The sheets that `show` prints.

use std::io::{self, Write};

use flowtiles::graph::{Portal, PortalId};
use flowtiles::{Cell, FlowWorld, Order, Sample, Sector};

use super::sheet::{FROM, GOAL, OPEN, TextSheet, WALL};

/// One order on a world, to be looked at.
pub struct OrderView<'a> {
    world: &'a FlowWorld,
    order: &'a Order,
    sectors: Vec<Sector>,
    marks: Vec<(Cell, char)>,
}

impl<'a> OrderView<'a> {
    pub fn new(world: &'a FlowWorld, order: &'a Order, from: Cell, goal: Cell) -> Self {
        Self {
            world,
            order,
            sectors: world.inspect().loaded(order),
            marks: vec![(goal, GOAL), (from, FROM)],
        }
    }

    fn sheet(&self, text: impl Fn(Cell) -> String) -> TextSheet {
        let costs = self.world.costs();
        let size = Cell::new(costs.width() as i32, costs.height() as i32);
        TextSheet::new(&self.sectors, size, self.marks.clone(), |cell| {
            if self.is_wall(cell) {
                WALL.to_string()
            } else {
                text(cell)
            }
        })
    }

    fn is_wall(&self, cell: Cell) -> bool {
        let cost = self.world.costs().get(cell);
        cost.is_none_or(|cost| cost.is_wall())
    }

    /// The cost of each cell.
    pub fn costs(&self) -> TextSheet {
        self.sheet(|cell| {
            let cost = self.world.costs().get(cell);
            cost.map_or(String::new(), |cost| cost.value().to_string())
        })
    }

    /// The cost-to-go of each cell.
    pub fn integration(&self) -> TextSheet {
        self.sheet(|cell| {
            let cost = self.world.cost_to_go(self.order, cell);
            cost.map_or(OPEN.to_string(), shortened)
        })
    }

    /// The direction in each cell.
    pub fn flow(&self) -> TextSheet {
        self.sheet(|cell| match self.world.sample(self.order, cell) {
            Sample::Go(direction) => direction.arrow().to_string(),
            Sample::Arrived => GOAL.to_string(),
            _ => OPEN.to_string(),
        })
    }

    /// The portals: a letter for each on the route, `+` for the others.
    pub fn portals(&self) -> TextSheet {
        let graph = self.world.inspect().portal_graph();
        let shown: Vec<Portal> = self
            .sectors
            .iter()
            .flat_map(|sector| graph.portals_of(*sector))
            .collect();
        let route = self.route();
        self.sheet(|cell| {
            let portals = shown.iter().filter(|portal| portal.contains(cell));
            let portals: Vec<PortalId> = portals.map(|portal| portal.id).collect();
            let letter = portals.iter().find_map(|portal| {
                let (_, letter) = route.iter().find(|(id, _)| id == portal)?;
                Some(*letter)
            });
            let other = if portals.is_empty() { OPEN } else { '+' };
            letter.unwrap_or(other).to_string()
        })
    }

    /// Returns the portals of the route with their letters, which start again
    /// after the last letter.
    fn route(&self) -> Vec<(PortalId, char)> {
        let letters = ('a'..='z').chain('A'..='Z').cycle();
        self.world
            .inspect()
            .route(self.order)
            .into_iter()
            .zip(letters)
            .collect()
    }

    /// Lists the portals of the route.
    pub fn write_route(&self, out: &mut impl Write) -> io::Result<()> {
        for (id, letter) in self.route() {
            if let Some(portal) = self.world.inspect().portal_graph().portal(id) {
                writeln!(out, "{letter}  {portal}")?;
            }
        }
        Ok(())
    }
}

/// Shortens a cost: from 10,000 in thousands (`k`), from 10,000,000 in millions (`M`).
fn shortened(cost: u64) -> String {
    match cost {
        0..10_000 => cost.to_string(),
        10_000..10_000_000 => format!("{}k", cost / 1000),
        _ => format!("{}M", cost / 1_000_000),
    }
}
