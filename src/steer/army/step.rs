//! The step of an army, as a game calls it.

use super::Army;
use crate::budget::Budget;
use crate::steer::motion::{Step, StepPatience};
use crate::vector::lesser;
use crate::world::FlowWorld;

impl Army {
    /// # Panics
    /// If a group's order belongs to another world.
    #[track_caller]
    fn check_orders(&self, world: &FlowWorld) {
        for order in self.groups.all().iter().filter_map(|group| group.order()) {
            world.check_order(order);
        }
    }

    /// Moves all units forward by `seconds`: from a millionth to 1,000. Less, or
    /// what is not a number, counts as 0, which moves no unit.
    ///
    /// The world is only read: tick it before, and let orders [cover
    /// strays](Self::cover_strays) afterwards.
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    #[track_caller]
    pub fn step(&mut self, world: &FlowWorld, seconds: f32) {
        self.check_orders(world);
        #[cfg(feature = "crowd")]
        self.solve_crowd(world, seconds);
        self.move_units(world, seconds);
    }

    /// Runs a tick of a game that has one army: a [tick](FlowWorld::tick) of the world, a
    /// [step](Self::step), and the covering of [strays](Self::cover_strays).
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(20, 5), &[Cell::new(5, 5)])?;
    /// let mut army = Army::default();
    /// let group = army.add_group(order, Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// while !army.is_settled() {
    ///     army.tick(&mut world, Budget::cells(4_000), 0.05);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    #[track_caller]
    pub fn tick(&mut self, world: &mut FlowWorld, budget: Budget, seconds: f32) {
        world.tick(budget);
        self.step(world, seconds);
        self.cover_strays(world);
    }

    /// Runs the first half of a [`step`](Self::step): continues the solves of
    /// the crowd, if a group reads it. For games that time or schedule the two
    /// halves separately: both, in this order, are one step.
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    #[track_caller]
    pub fn foresee(&mut self, world: &FlowWorld, seconds: f32) {
        self.check_orders(world);
        #[cfg(feature = "crowd")]
        self.solve_crowd(world, seconds);
        #[cfg(not(feature = "crowd"))]
        let _ = seconds;
    }

    /// Runs the second half of a [`step`](Self::step): moves all units.
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    #[track_caller]
    pub fn advance(&mut self, world: &FlowWorld, seconds: f32) {
        self.check_orders(world);
        self.move_units(world, seconds);
    }

    fn move_units(&mut self, world: &FlowWorld, seconds: f32) {
        let seconds = usable(seconds);
        self.clock.begin(seconds);
        self.wake_on_new_ground(world);
        let layers = self.grounds.layers(world, self.groups.layers());
        let step = Step {
            world,
            settings: &self.settings,
            roster: &mut self.roster,
            groups: &mut self.groups,
            layers: &layers,
            finder: &mut self.finder,
            #[cfg(feature = "crowd")]
            foresight: &self.foresight,
            events: &mut self.events,
            seconds,
            patience: StepPatience::new(self.settings.patience, seconds),
            clock: self.clock,
            lets_sleep: self.lets_sleep,
        };
        step.run(&mut self.scratch);
    }

    /// Whether a unit sleeps: the last step left it as it was, and the next one does not look
    /// at it unless something near it moves. Nothing else depends on it.
    #[must_use]
    pub fn is_asleep(&self, id: u32) -> bool {
        self.roster.is_asleep(id)
    }

    /// Lets a step look at every unit, whether it sleeps or not, for tests that compare
    /// the two.
    #[doc(hidden)]
    pub fn keep_awake(&mut self) {
        self.lets_sleep = false;
        self.roster.wake_all();
    }

    /// Wakes all units if the ground has changed since it was last looked at, by whichever call.
    pub(super) fn wake_on_new_ground(&mut self, world: &FlowWorld) {
        if !self.grounds.are_of(world, self.groups.layers()) {
            self.roster.wake_all();
        }
    }
}

const SHORTEST: f32 = 1e-6;
pub(super) const LONGEST: f32 = 1e3;

/// Returns the seconds by which a step moves units, so that no position becomes
/// infinite.
fn usable(seconds: f32) -> f32 {
    if seconds >= SHORTEST {
        lesser(seconds, LONGEST)
    } else {
        0.0
    }
}
