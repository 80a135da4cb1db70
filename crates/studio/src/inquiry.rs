//! The inquiry: one goal, and units that stand still and ask for the path.

use flowtiles::error::LayerError;
use flowtiles::{Cell, FlowWorld, Goal, LayerId, Quality, Sample};

use flowtiles_scenes::Runner;

use crate::reach;
use crate::timed_order::TimedOrder;

/// The most units that may ask.
const SOURCES_MAX: usize = 2_000;

/// What happens to units that cannot reach the goal, and what a player can do.
const AS_NEAR: &str = "it is led as near as it can come. Choose a goal on its side, or open a \
                       way in the mode Paint";

/// A goal, and the units that ask for the path to it.
#[derive(Default)]
pub struct Inquiry {
    sources: Vec<Cell>,
    /// The layer on which its units move.
    layer: LayerId,
    timed: Option<TimedOrder>,
}

impl Inquiry {
    /// Goes on on another layer: the same units ask there for a path of this quality to the
    /// same goal.
    /// Returns a message if some units cannot reach it.
    ///
    /// # Errors
    /// If the world has no such layer, or the order is refused.
    pub fn go_on(&mut self, run: &mut Runner, layer: LayerId) -> Result<Option<String>, String> {
        if run.world.movement(layer).is_none() {
            return Err(LayerError::NoLayer { layer }.to_string());
        }
        if self.layer == layer {
            return Ok(None);
        }
        self.layer = layer;
        let goal = self.timed.as_ref().map(|timed| timed.goal);
        goal.map_or(Ok(None), |goal| self.aim(run, goal))
    }

    /// Sets the goal, and how good the paths to it must be. The sectors of the previous
    /// goal are freed. Returns a message if some units cannot reach it.
    ///
    /// # Errors
    /// If the order is refused.
    pub fn aim(&mut self, run: &mut Runner, goal: Cell) -> Result<Option<String>, String> {
        self.timed = None;
        let asked = self.goal_at(goal, run.quality);
        let order = run.world.order(asked, &self.asking(&run.world));
        let world = &run.world;
        let order = order.map_err(|error| reach::refused(world, self.layer, &error))?;
        self.timed = Some(TimedOrder::new(order, goal, run.tick));
        if reach::is_wall(world, self.layer, goal) {
            return Ok(Some(format!(
                "the goal {goal} is a wall: units go to the nearest cell that they can reach. \
                 Click on open ground to have them arrive"
            )));
        }
        let missed = reach::missed(world, self.layer, goal, &self.sources);
        Ok(missed.map(|missed| format!("{missed}: {AS_NEAR}")))
    }

    /// Adds a probe unit. Returns a message if it has no path.
    ///
    /// # Errors
    /// If the cell is off the map or the order is full.
    pub fn ask(&mut self, run: &mut Runner, cell: Cell) -> Result<Option<String>, String> {
        let world = &mut run.world;
        if world.costs().get(cell).is_none() {
            return Err(format!("{cell} is off the map"));
        }
        if self.sources.len() >= SOURCES_MAX {
            return Err(format!("{SOURCES_MAX} units ask already: clear them"));
        }
        self.sources.push(cell);
        if reach::is_wall(world, self.layer, cell) {
            return Ok(Some(format!(
                "{cell} is a wall: a unit there has no path. Right-click open ground to have \
                 it asked from there"
            )));
        }
        if let Some(timed) = &mut self.timed {
            timed.ready = None;
            let covered = world.cover(&timed.order, cell);
            covered.map_err(|error| error.to_string())?;
        }
        let goal = self.timed.as_ref().map(|timed| timed.goal);
        let goal = goal.filter(|goal| !reach::is_wall(world, self.layer, *goal));
        let missed = goal.and_then(|goal| reach::missed(world, self.layer, goal, &[cell]));
        Ok(missed.map(|missed| format!("{missed}: {AS_NEAR}")))
    }

    /// Plans the order again, for paths of this quality; returns whether there is one.
    pub fn replan(&mut self, run: &mut Runner) -> bool {
        let asking = self.asking(&run.world);
        let goal = self.timed.as_ref();
        let goal = goal.map(|timed| self.goal_at(timed.goal, run.quality));
        let (Some(goal), Some(timed)) = (goal, &mut self.timed) else {
            return false;
        };
        timed.given = run.tick;
        timed.ready = None;
        run.world.aim(&mut timed.order, goal, &asking).is_ok()
    }

    /// Extends the order to units that stood in a wall before the map was edited.
    pub fn cover(&mut self, world: &mut FlowWorld) {
        let asking = self.asking(world);
        let Some(timed) = &mut self.timed else {
            return;
        };
        for cell in asking {
            let sample = world.sample(&timed.order, cell);
            let is_led = !matches!(sample, Sample::OffRoute | Sample::Waiting);
            // An order that is full serves no more units.
            if !is_led && world.cover(&timed.order, cell).is_ok() {
                timed.ready = None;
            }
        }
    }

    /// Removes the goal and all units.
    pub fn clear(&mut self) {
        *self = Self {
            layer: self.layer,
            ..Self::default()
        };
    }

    /// Whether a unit in a cell can reach the goal; without a goal, whether it can stand there.
    pub fn leads(&self, world: &FlowWorld, cell: Cell) -> bool {
        let goal = self.timed.as_ref().map_or(cell, |timed| timed.goal);
        match world.layer(self.layer) {
            Some(view) => view.reachable(cell, goal),
            None => self.timed.is_none() && world.reachable(cell, cell),
        }
    }

    fn goal_at(&self, goal: Cell, quality: Quality) -> Goal {
        let goal = Goal::at(goal).on(self.layer).or_nearest();
        goal.with_quality(quality)
    }

    /// Returns the cells of the units that ask and do not stand in a wall.
    pub fn asking(&self, world: &FlowWorld) -> Vec<Cell> {
        let sources = self.sources.iter().copied();
        sources
            .filter(|cell| !reach::is_wall(world, self.layer, *cell))
            .collect()
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

#[cfg(test)]
mod tests {
    use flowtiles::{Budget, CellRect, Cost, CostMap, Movement};

    use super::*;

    #[test]
    fn a_unit_in_a_wall_loads_no_sector() {
        let mut costs = CostMap::open(60, 40).unwrap();
        let wall = CellRect::new(20, 0, 3, 40);
        costs.edit(wall, Cost::WALL).unwrap();
        let mut run = Runner::new(FlowWorld::new(costs));
        let (unit, goal) = (Cell::new(21, 5), Cell::new(55, 35));
        let loaded = |world: &mut FlowWorld, inquiry: &Inquiry| {
            while world.tick(Budget::UNLIMITED).waiting > 0 {}
            let order = &inquiry.timed().unwrap().order;
            world.inspect().loaded(order).len()
        };
        let mut inquiry = Inquiry::default();
        inquiry.aim(&mut run, goal).unwrap();
        let before = loaded(&mut run.world, &inquiry);
        let told = inquiry.ask(&mut run, unit).unwrap().unwrap();
        assert!(told.starts_with("(21, 5) is a wall"), "{told}");
        assert_eq!(loaded(&mut run.world, &inquiry), before);
        inquiry.aim(&mut run, goal).unwrap();
        assert_eq!(
            loaded(&mut run.world, &inquiry),
            before,
            "with another goal"
        );
        assert!(inquiry.replan(&mut run));
        assert_eq!(loaded(&mut run.world, &inquiry), before, "planned again");

        let door = CellRect::new(20, 5, 3, 1);
        run.world.edit(door, Cost::OPEN).unwrap();
        inquiry.cover(&mut run.world);
        assert!(
            loaded(&mut run.world, &inquiry) > before,
            "the wall is open"
        );
        let order = &inquiry.timed().unwrap().order;
        assert!(run.world.sample(order, unit).direction().is_some());
    }

    #[test]
    fn an_inquiry_goes_on_on_another_layer() {
        let water = Cost::new(9).unwrap();
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(CellRect::new(30, 0, 3, 30), water).unwrap();
        let mut run = Runner::new(FlowWorld::new(costs));
        let land = run
            .world
            .add_layer(Movement::new().with_cost(water, Cost::WALL));
        let land = land.unwrap();
        let (unit, goal, lake) = (Cell::new(5, 5), Cell::new(55, 5), Cell::new(31, 9));
        let mut inquiry = Inquiry::default();
        inquiry.ask(&mut run, unit).unwrap();
        assert!(
            inquiry.leads(&run.world, lake),
            "no goal, and the ground is open"
        );
        inquiry.aim(&mut run, goal).unwrap();
        assert_eq!(
            inquiry.timed().unwrap().order.goal().layer(),
            LayerId::GROUND
        );

        run.tick = 4;
        assert_eq!(inquiry.go_on(&mut run, land), Ok(None));
        while run.world.tick(Budget::UNLIMITED).waiting > 0 {}
        let timed = inquiry.timed().unwrap();
        assert_eq!((timed.goal, timed.given), (goal, 4));
        assert_eq!(timed.order.goal().layer(), land);
        let mut cell = unit;
        while let Some(step) = run.world.sample(&timed.order, cell).direction() {
            cell = cell.step(step);
            assert_eq!(
                run.world.costs().get(cell),
                Some(Cost::OPEN),
                "{cell} is water"
            );
        }
        assert_eq!(run.world.sample(&timed.order, cell), Sample::Arrived);
        assert!(inquiry.leads(&run.world, unit) && !inquiry.leads(&run.world, lake));
        let told = inquiry.ask(&mut run, lake).unwrap().unwrap();
        assert!(told.starts_with("(31, 9) is a wall"), "{told}");

        let none = LayerId::from_number(2);
        let refused = inquiry.go_on(&mut run, none).unwrap_err();
        assert!(refused.starts_with("the world has no layer 2"), "{refused}");
        inquiry.clear();
        inquiry.aim(&mut run, goal).unwrap();
        assert_eq!(inquiry.timed().unwrap().order.goal().layer(), land);
    }
}
