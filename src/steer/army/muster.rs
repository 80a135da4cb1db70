//! The units of an army, as a game adds, changes and removes them.

use super::Army;
use crate::steer::reading::Lookahead;
use crate::steer::units::{ArmyError, GroupId, Turning, Unit};
use crate::vector::{NONE, distance, greater};

impl Army {
    /// Adds a unit, which sets out.
    ///
    /// An army knows no world, so it also takes a unit that is wider than the bodies of its group's
    /// [layer](crate::steer::GroupSettings::layer): such a unit may stop before a gap that its
    /// field leads through, with [`ArmyEvent::TooWide`](crate::steer::ArmyEvent::TooWide).
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// army.add(Unit::new(7, group, [5.5, 5.5]).with_speed(2.0))?;
    /// assert_eq!(army.get(7).map(|unit| unit.speed), Some(2.0));
    ///
    /// let lost = Unit::new(8, group, [f32::NAN, 5.5]);
    /// assert_eq!(
    ///     army.add(lost).unwrap_err().to_string(),
    ///     "the position of unit 8 cannot be NaN: \
    ///      set it to two numbers from -1,000,000 to 1,000,000",
    /// );
    /// # Ok::<(), ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If the army has a unit with the same id, or no such group; if the radius
    /// is not from 0 to [`MAX_RADIUS`](crate::steer::MAX_RADIUS), the speed not from 0
    /// to 1,000,000, or a position or velocity not a number up to 1,000,000 in
    /// size.
    pub fn add(&mut self, mut unit: Unit) -> Result<(), ArmyError> {
        unit.check()?;
        if self.roster.get(unit.id).is_some() {
            return Err(ArmyError::UnitExists { unit: unit.id });
        }
        let group = self.groups.get_mut_quietly(unit.group)?;
        group.members.insert(unit.id);
        unit.memory.slot = group.joiners_slot();
        unit.set_out(group.target.first_state());
        self.finder.loosen(&unit);
        self.roster.add(unit);
        Ok(())
    }

    /// Puts saved units, by id and in groups that exist, into an army without
    /// units.
    pub(super) fn restore(&mut self, units: Vec<Unit>) {
        for unit in units {
            if let Ok(group) = self.groups.get_mut_quietly(unit.group) {
                group.members.insert(unit.id);
            }
            self.roster.add(unit);
        }
        let units = self.roster.units();
        let index = &mut self.finder.index;
        index.build(units, |unit| unit.position, self.settings.range);
        let order = self.finder.index.order().to_vec();
        let sorted = order.into_iter().map(|place| units[place as usize].id);
        let widest = units.iter().map(|unit| unit.radius).fold(0.0, greater);
        self.finder.note_step(sorted, widest, 0.0);
    }

    /// Returns the unit with this id; `None` if there is none.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&Unit> {
        self.roster.get(id)
    }

    fn unit_mut(&mut self, id: u32) -> Result<&mut Unit, ArmyError> {
        self.roster
            .get_mut(id)
            .ok_or(ArmyError::NoUnit { unit: id })
    }

    /// Sets the greatest speed of a unit, in cells a second.
    ///
    /// # Errors
    /// If there is no such unit, or the speed is not from 0 to 1,000,000.
    pub fn set_speed(&mut self, id: u32, speed: f32) -> Result<(), ArmyError> {
        let unit = self.unit_mut(id)?;
        unit.with_speed(speed).check()?;
        unit.speed = speed;
        Ok(())
    }

    /// Sets the [weight](Unit::weight) of a unit.
    ///
    /// # Errors
    /// If there is no such unit, or the weight is not from 0.01 to 100.
    pub fn set_weight(&mut self, id: u32, weight: f32) -> Result<(), ArmyError> {
        let unit = self.unit_mut(id)?;
        unit.with_weight(weight).check()?;
        unit.weight = weight;
        Ok(())
    }

    /// Sets how a unit [turns](Turning).
    ///
    /// # Errors
    /// If there is no such unit, or the rate is not from 0 to 1,000.
    pub fn set_turning(&mut self, id: u32, turning: Turning) -> Result<(), ArmyError> {
        let unit = self.unit_mut(id)?;
        unit.with_turning(turning).check()?;
        unit.turning = turning;
        unit.memory.heading = NONE;
        Ok(())
    }

    /// Sets the radius of a unit, in cells. Neighbours that it overlaps then
    /// make room in the next steps, and a unit that overlaps a wall walks out.
    ///
    /// # Errors
    /// If there is no such unit, or the radius is not from 0 to
    /// [`MAX_RADIUS`](crate::steer::MAX_RADIUS).
    pub fn set_radius(&mut self, id: u32, radius: f32) -> Result<(), ArmyError> {
        let unit = self.unit_mut(id)?;
        unit.with_radius(radius).check()?;
        unit.radius = radius;
        let unit = *unit;
        self.finder.loosen(&unit);
        Ok(())
    }

    /// Puts a unit at another place, where it stands and sets out again.
    ///
    /// # Errors
    /// If there is no such unit, or a coordinate is not a number from
    /// -1,000,000 to 1,000,000.
    pub fn set_position(&mut self, id: u32, position: [f32; 2]) -> Result<(), ArmyError> {
        let found = self.roster.get_mut(id);
        let unit = found.ok_or(ArmyError::NoUnit { unit: id })?;
        Unit { position, ..*unit }.check()?;
        unit.position = position;
        unit.velocity = NONE;
        unit.set_out(self.groups.get(unit.group)?.target.first_state());
        let unit = *unit;
        self.finder.loosen(&unit);
        Ok(())
    }

    /// Notes where a unit is whose body the game moves itself, by the unit's velocity: it goes on
    /// from there as it was. Call it before a step, for where the last one has put the unit is
    /// only where it wished to be. Over a cell from there it is as [put](Self::set_position) there.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(60, 20)?);
    /// let mut army = Army::default();
    /// let band = army.add_group(Target::Point([50.5, 5.5]), Reading::Ahead)?;
    /// army.add(Unit::new(0, band, [5.5, 5.5]))?;
    /// let mut body = [5.5, 5.5];
    /// for _ in 0..400 {
    ///     army.step(&world, 0.05);
    ///     let [right, down] = army.units()[0].velocity;
    ///     // The body of the game is on mud, and slower than the unit wishes.
    ///     body = [body[0] + right * 0.04, body[1] + down * 0.04];
    ///     army.carry(0, body)?;
    /// }
    /// assert!(body[0] > 50.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn carry(&mut self, id: u32, position: [f32; 2]) -> Result<(), ArmyError> {
        let unit = self.unit_mut(id)?;
        Unit { position, ..*unit }.check()?;
        if distance(unit.position, position) > 1.0 {
            return self.set_position(id, position);
        }
        unit.position = position;
        let unit = *unit;
        self.finder.loosen(&unit);
        Ok(())
    }

    /// Moves a unit to another group. If both groups have the same target and
    /// none marches in formation, the unit goes on as it was: one that has
    /// arrived stays. Otherwise it sets out for its new target.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let band = army.add_group(Target::Stand, Reading::Ahead)?;
    /// army.add(Unit::new(0, band, [5.5, 5.5]))?;
    /// army.add(Unit::new(1, band, [6.5, 5.5]))?;
    ///
    /// let scouts = army.add_group(Target::Point([50.0, 5.5]), Reading::Ahead)?;
    /// army.set_group(1, scouts)?;
    /// assert!(army.members(scouts).map(|unit| unit.id).eq([1]));
    /// # Ok::<(), ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such unit, or no such group.
    pub fn set_group(&mut self, id: u32, group: GroupId) -> Result<(), ArmyError> {
        let found = self.roster.get_mut(id);
        let unit = found.ok_or(ArmyError::NoUnit { unit: id })?;
        let to = self.groups.get(group)?;
        let from = self.groups.get(unit.group)?;
        let goes_on = from.target == to.target && from.march.is_none() && to.march.is_none();
        if unit.group == group {
            return Ok(());
        }
        self.groups.get_mut_quietly(unit.group)?.members.remove(id);
        let to = self.groups.get_mut_quietly(group)?;
        to.members.insert(id);
        unit.group = group;
        if goes_on {
            // Aims are found again, since the new group may read otherwise.
            unit.memory.aim = Lookahead::none(unit.position);
        } else {
            unit.memory.slot = to.joiners_slot();
            unit.set_out(to.target.first_state());
        }
        Ok(())
    }

    /// Removes a unit and returns it.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// army.add(Unit::new(7, group, [5.5, 5.5]))?;
    /// assert_eq!(army.remove(7).map(|unit| unit.id), Some(7));
    /// assert!(army.remove(7).is_none());
    /// # Ok::<(), ArmyError>(())
    /// ```
    pub fn remove(&mut self, id: u32) -> Option<Unit> {
        let unit = self.roster.remove(id)?;
        self.finder.forget(id);
        if let Ok(group) = self.groups.get_mut_quietly(unit.group) {
            group.members.remove(id);
        }
        Some(unit)
    }

    /// Removes the units with these ids and returns how many there were; ids
    /// without a unit are left out.
    pub fn remove_all(&mut self, ids: impl IntoIterator<Item = u32>) -> usize {
        ids.into_iter().filter_map(|id| self.remove(id)).count()
    }

    /// Removes all units but those that `keep` returns true for. They are asked
    /// for by id, all before the first is removed: if `keep` panics, none is.
    pub fn retain(&mut self, keep: impl FnMut(&Unit) -> bool) {
        for unit in self.roster.retain(keep) {
            self.finder.forget(unit.id);
            if let Ok(group) = self.groups.get_mut_quietly(unit.group) {
                group.members.remove(unit.id);
            }
        }
    }
}
