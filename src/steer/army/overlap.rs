//! How deep units overlap: a measure of jams, found when it is asked for.

use super::Army;
use crate::steer::neighbours::Index;
use crate::steer::units::Unit;
use crate::vector::{difference, dot, greater};

impl Army {
    /// Returns the deepest overlap of two units that share a [plane](crate::steer::GroupSettings::planes), in
    /// cells; 0 if no two overlap.
    ///
    /// It is found when it is asked for, in about a fifth of the time of a step.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// for (id, x) in [3.0, 3.5, 9.0].into_iter().enumerate() {
    ///     army.add(Unit::new(id as u32, group, [x, 4.0]).with_radius(0.375))?;
    /// }
    /// assert_eq!(army.deepest_overlap(), 0.25);
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn deepest_overlap(&self) -> f32 {
        let units = self.roster.units();
        let widest = units.iter().map(|unit| unit.radius).fold(0.0, greater);
        if widest == 0.0 {
            return 0.0;
        }
        let mut index = Index::default();
        let positions = units.iter().map(|unit| unit.position);
        index.build(positions, 2.0 * widest);
        let sorted: Vec<&Unit> = index
            .order()
            .iter()
            .map(|&at| &units[at as usize])
            .collect();
        let all_meet = self.groups.planes().is_empty();
        let mut deepest = 0.0;
        for (at, unit) in sorted.iter().enumerate() {
            // Each pair once: with the units after this one.
            for span in index.around(at) {
                deepest = sorted[span.start.max(at + 1).min(span.end)..span.end]
                    .iter()
                    .filter(|other| all_meet || self.groups.meet(unit.group, other.group))
                    .map(|other| depth(unit, other))
                    .fold(deepest, greater);
            }
        }
        deepest
    }
}

fn depth(one: &Unit, other: &Unit) -> f32 {
    let way = difference(one.position, other.position);
    let room = one.radius + other.radius;
    let square = dot(way, way);
    if square < room * room {
        room - square.sqrt()
    } else {
        0.0
    }
}
