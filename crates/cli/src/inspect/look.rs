//! What is looked for: one goal, and units that only stand and ask the way.

use flowtiles::{Cell, FlowWorld, Goal};

use super::stage::Errand;

/// Units that may ask.
const SOURCES_MAX: usize = 2_000;

/// A goal and those who ask for it.
#[derive(Default)]
pub struct Look {
    sources: Vec<Cell>,
    errand: Option<Errand>,
}

impl Look {
    /// Sets the goal. The sectors of the goal before are freed.
    ///
    /// # Errors
    /// If the order is refused.
    pub fn aim(&mut self, world: &mut FlowWorld, tick: u32, goal: Cell) -> Result<(), String> {
        self.errand = None;
        let order = world.order(Goal::at(goal).or_nearest(), &self.sources);
        self.errand = Some(Errand {
            order: order.map_err(|error| error.to_string())?,
            goal,
            given: tick,
            ready: None,
        });
        Ok(())
    }

    /// Adds a unit that asks the way.
    ///
    /// # Errors
    /// If the cell is off the map or the order is full.
    pub fn ask(&mut self, world: &mut FlowWorld, cell: Cell) -> Result<(), String> {
        if world.costs().get(cell).is_none() {
            return Err(format!("{cell} is off the map"));
        }
        if self.sources.len() >= SOURCES_MAX {
            return Err(format!("{SOURCES_MAX} units ask already: clear them"));
        }
        self.sources.push(cell);
        if let Some(errand) = &mut self.errand {
            errand.ready = None;
            let covered = world.cover(&errand.order, cell);
            covered.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Plans the order anew; whether there is one.
    pub fn replan(&mut self, world: &mut FlowWorld, tick: u32) -> bool {
        let Some(errand) = &mut self.errand else {
            return false;
        };
        let goal = Goal::at(errand.goal).or_nearest();
        errand.given = tick;
        errand.ready = None;
        world.aim(&mut errand.order, goal, &self.sources).is_ok()
    }

    /// Takes all of it away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Those who ask.
    pub fn sources(&self) -> &[Cell] {
        &self.sources
    }

    /// The order.
    pub const fn errand(&self) -> Option<&Errand> {
        self.errand.as_ref()
    }

    /// All directions are there.
    pub fn note_ready(&mut self, tick: u32) {
        if let Some(errand) = &mut self.errand {
            errand.ready.get_or_insert(tick);
        }
    }
}
