//! A map under measurement, and orders on it.

use flowtiles::{Budget, Cell, CostMap, FlowWorld, Goal, Order};
use flowtiles_country::random::Random;
use flowtiles_country::referee::Referee;
use flowtiles_country::walk::{End, walk};

use crate::support::failure::Failure;
use flowtiles_scenes::mainland::mainland;

/// The shortest side of a map that can be measured.
pub const MIN_SIDE: u32 = 20;

/// The amount of work: that of the published figures, or a little of everything.
#[derive(Clone, Copy)]
pub struct Effort {
    pub is_quick: bool,
}

impl Effort {
    pub const fn pick(self, full: usize, quick: usize) -> usize {
        if self.is_quick { quick } else { full }
    }

    /// How often each job is repeated; its least time counts.
    pub const fn rounds(self) -> usize {
        self.pick(5, 2)
    }
}

/// A map by its name, its world, and its cells that can reach each other.
pub struct Ground {
    pub name: String,
    pub effort: Effort,
    pub costs: CostMap,
    pub world: FlowWorld,
    mainland: Vec<Cell>,
}

impl Ground {
    /// Refuses a map on which there is too little to measure.
    pub fn new(name: String, costs: CostMap, effort: Effort) -> Result<Self, Failure> {
        let world = FlowWorld::new(costs.clone());
        let mainland = mainland(&world);
        let ground = Self {
            name,
            effort,
            costs,
            world,
            mainland,
        };
        if ground.costs.width().min(ground.costs.height()) < MIN_SIDE {
            return Err(ground.unfit(&format!("it has a side of less than {MIN_SIDE} cells")));
        }
        if ground.mainland.len() < 100 {
            return Err(ground.unfit("fewer than 100 of its cells can reach each other"));
        }
        Ok(ground)
    }

    /// Draws a cell of those that can reach each other.
    pub fn draw(&self, random: &mut Random) -> Cell {
        self.mainland[random.below(self.mainland.len() as i32) as usize]
    }

    /// Draws starts and goals.
    pub fn pairs(&self, seed: u64, count: usize) -> Vec<(Cell, Cell)> {
        let random = &mut Random::new(seed);
        (0..count)
            .map(|_| (self.draw(random), self.draw(random)))
            .collect()
    }

    /// Returns the failure with the reason why the map cannot be measured.
    pub fn unfit(&self, fault: &str) -> Failure {
        Failure::Input(format!(
            "{}: {fault}: give a map with more open ground",
            self.name
        ))
    }

    /// Returns the failure of a check.
    pub fn wrong(&self, fault: impl std::fmt::Display) -> Failure {
        Failure::Wrong(format!("{}: {fault}", self.name))
    }
}

/// Gives an order and works until it is done.
pub fn order(
    world: &mut FlowWorld,
    goal: impl Into<Goal>,
    units: &[Cell],
) -> Result<Order, Failure> {
    let order = world.order(goal, units).map_err(refused);
    world.tick(Budget::UNLIMITED);
    order
}

/// Returns the failure of work that is right, and that the engine refused.
pub fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Wrong(format!("the engine refused what should work: {error}"))
}

/// Drops the last claim on an order and frees its memory.
pub fn free(world: &mut FlowWorld, order: Order) {
    drop(order);
    world.tick(Budget::cells(1));
}

/// Returns the price of the path along the directions of an order.
pub fn price_walked(
    world: &mut FlowWorld,
    referee: &Referee,
    goal: Goal,
    start: Cell,
) -> Result<u64, Failure> {
    let end = goal.cell();
    let given = order(world, goal, &[start])?;
    let walked = walk(world, referee, &given, start);
    free(world, given);
    let arrived = walked.end == End::Arrived && walked.cells.last() == Some(&end);
    if arrived && walked.corner_cuts == 0 {
        return Ok(walked.price);
    }
    Err(Failure::Wrong(format!(
        "the order from {start} to {end} does not lead there"
    )))
}
