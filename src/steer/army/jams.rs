//! Jams: where units do not get on, for the world's congestion record.

use super::Army;
use crate::grid::Cell;
use crate::steer::units::UnitState;
use crate::vector::{cell_of, lesser};
use crate::world::{CongestionReport, FlowWorld};

/// What a circle of radius 1 fills, in hundredths of a cell.
const CIRCLE: f32 = 314.0;
/// No unit counts for more than a circle of this radius: a body of eight cells.
const RADIUS_MAX: f32 = 4.0;

impl Army {
    /// Tells the world where units do not get on, for its
    /// [congestion record](FlowWorld::note_units): the [`jammed`](Self::jammed) units.
    ///
    /// Call it at fixed intervals, about twice a second. If several armies share a world,
    /// pass the jammed units of all of them to one call of
    /// [`note_units`](FlowWorld::note_units).
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement};
    /// let mut map = CostMap::open(60, 30)?;
    /// map.edit(CellRect::new(30, 0, 1, 30), Cost::WALL)?;
    /// map.edit(CellRect::new(30, 8, 1, 1), Cost::OPEN)?;
    /// map.edit(CellRect::new(30, 20, 1, 1), Cost::OPEN)?;
    /// let mut world = FlowWorld::new(map);
    /// let wary = Movement::new().with_congestion_costs([1, 2, 4, 8]);
    /// let wary = world.add_layer(wary)?;
    /// let order = world.order(Goal::at(Cell::new(50, 8)).on(wary), &[Cell::new(5, 8)])?;
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Order(order), Reading::Ahead)?;
    /// for id in 0..60 {
    ///     let place = [5.5 + (id % 10) as f32, 5.5 + (id / 10) as f32];
    ///     army.add(Unit::new(id, group, place))?;
    /// }
    /// let mut tick = 0;
    /// while !army.is_settled() {
    ///     world.tick(Budget::cells(4_000));
    ///     army.step(&world, 0.05);
    ///     army.cover_strays(&mut world);
    ///     if tick % 10 == 0 {
    ///         army.note_jams(&mut world);
    ///     }
    ///     tick += 1;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn note_jams(&self, world: &mut FlowWorld) -> CongestionReport {
        let jammed: Vec<(Cell, u16)> = self
            .jammed()
            .filter(|&(cell, _)| world.costs().get(cell).is_some())
            .collect();
        // Nothing is off the map, so nothing is refused.
        world.note_units(&jammed).unwrap_or_default()
    }

    /// Returns the cells of the units that march on orders and lately achieved less than
    /// they wanted, by id, and what each counts for: what its body fills, in hundredths of
    /// a cell, times the part that it failed to achieve. So a dense column on the march
    /// counts little, and a jam counts fully.
    pub fn jammed(&self) -> impl Iterator<Item = (Cell, u16)> {
        let groups = self.groups.all();
        let led = self.roster.stirring().filter(|unit| {
            unit.state == UnitState::Marching && groups[unit.group.index()].order().is_some()
        });
        led.map(|unit| {
            let radius = lesser(unit.radius, RADIUS_MAX);
            let failed = lesser(1.0 - unit.memory.pace, 1.0);
            // A cast takes what is below 0 for 0.
            let filled = CIRCLE * radius * radius * failed;
            (cell_of(unit.position), filled as u16)
        })
    }
}
