//! The layers that `show` prints.

use std::io::{self, Write};

use flowtiles::{Cell, FlowWorld, Order, Portal, PortalId, Sample, Sector};

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

    /// The price of a step out of each cell.
    pub fn costs(&self) -> TextSheet {
        self.sheet(|cell| {
            let cost = self.world.costs().get(cell);
            cost.map_or(String::new(), |cost| cost.value().to_string())
        })
    }

    /// The price of the path from each cell to the goal.
    pub fn integration(&self) -> TextSheet {
        self.sheet(|cell| {
            let cost = self.world.cost_to_go(self.order, cell);
            cost.map_or(OPEN.to_string(), compact)
        })
    }

    /// The direction in each cell.
    pub fn flow(&self) -> TextSheet {
        self.sheet(|cell| match self.world.sample(self.order, cell) {
            Sample::Go(direction) | Sample::InSight(direction) => direction.arrow().to_string(),
            Sample::Arrived => GOAL.to_string(),
            _ => OPEN.to_string(),
        })
    }

    /// The windows: a letter for each on the route, `+` for the others.
    pub fn portals(&self) -> TextSheet {
        let graph = self.world.inspect().portal_graph();
        let around: Vec<Portal> = self
            .sectors
            .iter()
            .flat_map(|sector| graph.portals_of(*sector))
            .collect();
        let route = self.route();
        self.sheet(|cell| {
            let mut here = around.iter().filter(|portal| portal.contains(cell));
            let mut any = false;
            let on_route = here.find_map(|portal| {
                any = true;
                let found = route.iter().find(|(id, _)| *id == portal.id);
                found.map(|(_, letter)| *letter)
            });
            let other = if any { '+' } else { OPEN };
            on_route.unwrap_or(other).to_string()
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

/// Writes at most five characters: thousands and millions are cut.
fn compact(cost: u64) -> String {
    match cost {
        0..10_000 => cost.to_string(),
        10_000..10_000_000 => format!("{}k", cost / 1000),
        _ => format!("{}M", cost / 1_000_000),
    }
}
