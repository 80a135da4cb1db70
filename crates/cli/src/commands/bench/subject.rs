//! A map under measurement.

use flowtiles::{Cell, CostMap, FlowWorld};

use crate::support::failure::Failure;
use crate::support::mainland::mainland;
use crate::support::random::Random;

/// The shortest side of a map that can be measured.
pub const MIN_SIDE: u32 = 20;

/// A map by its name, and its cells that can reach each other.
pub struct Subject {
    name: String,
    costs: CostMap,
    mainland: Vec<Cell>,
}

impl Subject {
    pub const fn new(name: String, costs: CostMap) -> Self {
        Self {
            name,
            costs,
            mainland: Vec::new(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn costs(&self) -> &CostMap {
        &self.costs
    }

    /// A cell of the mainland.
    pub fn draw(&self, random: &mut Random) -> Cell {
        self.mainland[random.below(self.mainland.len() as i32) as usize]
    }

    /// Returns the failure with the reason why the map cannot be measured.
    pub fn refused(&self, fault: &str) -> Failure {
        Failure::Input(format!(
            "{}: {fault}: give a map with more open ground",
            self.name
        ))
    }

    /// Refuses a map that is too small, before any work on it.
    pub fn check_side(&self) -> Result<(), Failure> {
        if self.costs.width().min(self.costs.height()) < MIN_SIDE {
            return Err(self.refused(&format!("it has a side of less than {MIN_SIDE} cells")));
        }
        Ok(())
    }

    /// Finds the cells that can reach each other, in a world of the map.
    pub fn find_mainland(&mut self, world: &FlowWorld) -> Result<(), Failure> {
        self.mainland = mainland(world);
        if self.mainland.len() < 100 {
            return Err(self.refused("fewer than 100 of its cells can reach each other"));
        }
        Ok(())
    }
}
