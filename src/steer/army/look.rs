//! What the units of teams with fog see.

use super::Army;
use crate::cost::MAX_TEAMS;
use crate::steer::units::Unit;
use crate::vector::cell_of;
use crate::world::{Eye, FlowWorld};

/// The farthest, in cells, that a unit feels the ground around it.
const REACH_MAX: u32 = 64;

impl Army {
    /// Shows each team with [fog](FlowWorld::add_fog) what its units see: the ground within as
    /// many cells as `sight` says of each, as far as nothing [opaque](FlowWorld::set_opaque) hides it, and
    /// in any case what it may touch. A group's team is that of its
    /// [layer](crate::steer::GroupSettings::layer). Returns the number of orders that are planned
    /// again.
    ///
    /// [`cover_strays`](Self::cover_strays) itself does so for the ground beside the units. Call
    /// this for all that they see, in each tick or a few times a second, and when units were added
    /// or moved, so that none walks into a wall that its team does not know.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Unit};
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId};
    /// let mut map = CostMap::open(80, 40)?;
    /// map.edit(CellRect::new(40, 0, 1, 36), Cost::WALL)?;
    /// let mut world = FlowWorld::new(map);
    /// world.add_fog(1)?;
    /// world.forget(1, &[CellRect::new(0, 0, 80, 40)], Cost::OPEN)?; // nothing is explored
    ///
    /// let goal = Goal::at(Cell::new(70, 20)).on(LayerId::GROUND.for_team(1).expect("a team"));
    /// let order = world.order(goal, &[Cell::new(5, 20)])?;
    /// let mut army = Army::default();
    /// let scouts = army.add_group(order, Reading::Ahead)?;
    /// army.add(Unit::new(0, scouts, [5.5, 20.5]))?;
    /// let mut detours = 0;
    /// while !army.is_settled() {
    ///     detours += army.look(&mut world, |_| 8);
    ///     army.tick(&mut world, Budget::UNLIMITED, 0.05);
    /// }
    /// assert!(detours > 0, "the wall is seen from near");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn look(&self, world: &mut FlowWorld, sight: impl Fn(&Unit) -> u32) -> usize {
        let mut orders = 0;
        let groups = self.groups.all();
        for team in 1..MAX_TEAMS {
            if world.known(team).is_none() {
                continue;
            }
            let units = self.roster.units().iter();
            let own = units.filter(|unit| groups[unit.group.index()].settings.layer.team() == team);
            let eye = |unit: &Unit| Eye {
                cell: cell_of(unit.position),
                sight: sight(unit),
                felt: self.reach(unit),
            };
            let eyes: Vec<Eye> = own.map(eye).collect();
            let seen = world.reveal_to(team, &eyes);
            orders += seen.map_or(0, |report| report.orders);
        }
        orders
    }

    /// Shows teams with fog the ground beside their units.
    pub(super) fn feel(&self, world: &mut FlowWorld) {
        self.look(world, |_| 0);
    }

    /// How far a unit may touch the ground in another step as long as the last, in cells.
    fn reach(&self, unit: &Unit) -> u32 {
        let seconds = self.clock.step as f32 / 1_000_000.0;
        // A cast takes what is too much for the most.
        let reach = (unit.radius + unit.speed * seconds) as u32;
        reach.min(REACH_MAX) + 2
    }
}
