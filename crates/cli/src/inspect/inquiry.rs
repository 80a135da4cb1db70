//! The inquiry: one goal, and units that stand still and ask for the path.

use flowtiles::{Cell, FlowWorld, Goal};

use super::reach;
use super::timed_order::TimedOrder;

/// The most units that may ask.
const SOURCES_MAX: usize = 2_000;

/// What happens to units that cannot reach the goal, and what a player can do.
const AS_NEAR: &str = "it is led as near as it can come. Choose a goal on its side, or open a \
                       way in the mode Paint";

/// A goal, and the units that ask for the path to it.
#[derive(Default)]
pub struct Inquiry {
    sources: Vec<Cell>,
    timed: Option<TimedOrder>,
}

impl Inquiry {
    /// Sets the goal. The sectors of the previous goal are freed. Returns a message
    /// if some units cannot reach it.
    ///
    /// # Errors
    /// If the order is refused.
    pub fn aim(
        &mut self,
        world: &mut FlowWorld,
        tick: u32,
        goal: Cell,
    ) -> Result<Option<String>, String> {
        self.timed = None;
        let order = world.order(Goal::at(goal).or_nearest(), &self.sources);
        let order = order.map_err(|error| reach::refused(&error))?;
        self.timed = Some(TimedOrder::new(order, goal, tick));
        if reach::is_wall(world, goal) {
            return Ok(Some(format!(
                "the goal {goal} is a wall: units go to the nearest cell that they can reach. \
                 Click on open ground to have them arrive"
            )));
        }
        let missed = reach::missed(world, goal, &self.sources);
        Ok(missed.map(|missed| format!("{missed}: {AS_NEAR}")))
    }

    /// Adds a unit that asks for the path. Returns a message if it has none.
    ///
    /// # Errors
    /// If the cell is off the map or the order is full.
    pub fn ask(&mut self, world: &mut FlowWorld, cell: Cell) -> Result<Option<String>, String> {
        if world.costs().get(cell).is_none() {
            return Err(format!("{cell} is off the map"));
        }
        if self.sources.len() >= SOURCES_MAX {
            return Err(format!("{SOURCES_MAX} units ask already: clear them"));
        }
        self.sources.push(cell);
        if let Some(timed) = &mut self.timed {
            timed.ready = None;
            let covered = world.cover(&timed.order, cell);
            covered.map_err(|error| error.to_string())?;
        }
        if reach::is_wall(world, cell) {
            return Ok(Some(format!(
                "{cell} is a wall: a unit there is led to the nearest open cell and no \
                 farther. Right-click open ground to have it asked from there"
            )));
        }
        let goal = self.timed.as_ref().map(|timed| timed.goal);
        let goal = goal.filter(|goal| !reach::is_wall(world, *goal));
        let missed = goal.and_then(|goal| reach::missed(world, goal, &[cell]));
        Ok(missed.map(|missed| format!("{missed}: {AS_NEAR}")))
    }

    /// Plans the order again; returns whether there is one.
    pub fn replan(&mut self, world: &mut FlowWorld, tick: u32) -> bool {
        let Some(timed) = &mut self.timed else {
            return false;
        };
        let goal = Goal::at(timed.goal).or_nearest();
        timed.given = tick;
        timed.ready = None;
        world.aim(&mut timed.order, goal, &self.sources).is_ok()
    }

    /// Removes the goal and all units.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the cells of the units that ask.
    pub fn sources(&self) -> &[Cell] {
        &self.sources
    }

    /// Returns the order.
    pub const fn timed(&self) -> Option<&TimedOrder> {
        self.timed.as_ref()
    }

    /// Returns the order for writing.
    pub const fn timed_mut(&mut self) -> Option<&mut TimedOrder> {
        self.timed.as_mut()
    }
}
