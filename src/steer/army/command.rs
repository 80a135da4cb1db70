//! The groups of an army, as a game adds, commands and removes them.

use super::Army;
use crate::cost::{LayerId, Teams};
use crate::order::OrderError;
use crate::steer::formation::{March, Shape, Trail, assign};
use crate::steer::groups::{Allegiance, Group, Pace, Target};
use crate::steer::reading::{Field, Reading};
use crate::steer::units::{ArmyError, GroupId, Unit};
use crate::steer::walls::{GroupLayer, nearest_clear_on};
use crate::vector::{NONE, cell_of, difference, distance, dot, sum, times, unit};
use crate::world::FlowWorld;

/// Groups: units with one target.
impl Army {
    /// Adds a group.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 50), &[Cell::new(5, 5)])?;
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Order(order), Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the target is a point whose coordinates are not numbers from
    /// -1,000,000 to 1,000,000, or if the army has 268,435,456 groups.
    pub fn add_group(
        &mut self,
        target: impl Into<Target>,
        reading: Reading,
    ) -> Result<GroupId, ArmyError> {
        let target = target.into();
        target.check()?;
        self.groups.add(Group::new(target, reading))
    }

    /// Removes a group with its units, and returns these by id. Units that are
    /// to stay go to [another group](Self::set_group) first. The group's id
    /// stays invalid from now on.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let [one, other] = [(); 2].map(|()| army.add_group(Target::Stand, Reading::Ahead));
    /// let (one, other) = (one?, other?);
    /// army.add(Unit::new(0, one, [5.5, 5.5]))?;
    /// army.add(Unit::new(1, one, [6.5, 5.5]))?;
    /// army.set_group(0, other)?;
    /// let gone = army.remove_group(one)?;
    /// assert_eq!((gone.len(), gone[0].id, army.units().len()), (1, 1, 1));
    /// assert_eq!(army.send(one, Target::Stand), Err(ArmyError::NoGroup { group: one }));
    /// # Ok::<(), ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If the army has no such group.
    pub fn remove_group(&mut self, group: GroupId) -> Result<Vec<Unit>, ArmyError> {
        let members = std::mem::take(&mut self.groups.get_mut(group)?.members);
        let mut units = Vec::with_capacity(members.len());
        for id in members.iter() {
            self.finder.forget(id);
            units.extend(self.roster.remove(id));
        }
        self.groups.remove(group)?;
        Ok(units)
    }

    /// Removes the groups without units, as splits and losses leave them, and returns how
    /// many there were.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let [band, other] = [(); 2].map(|()| army.add_group(Target::Stand, Reading::Ahead));
    /// let (band, other) = (band?, other?);
    /// army.add(Unit::new(0, band, [5.5, 5.5]))?;
    /// army.set_group(0, other)?;
    /// assert_eq!(army.remove_empty_groups(), 1);
    /// assert!(army.groups().eq([other]));
    /// # Ok::<(), ArmyError>(())
    /// ```
    pub fn remove_empty_groups(&mut self) -> usize {
        let is_empty = |&group: &GroupId| self.members(group).next().is_none();
        let empty: Vec<GroupId> = self.groups().filter(is_empty).collect();
        let removed = empty.into_iter().map(|group| self.groups.remove(group));
        removed.filter(Result::is_ok).count()
    }

    /// Returns the groups, by index.
    pub fn groups(&self) -> impl Iterator<Item = GroupId> {
        self.groups.ids()
    }

    /// Returns the target of a group; `None` if the army has no such group.
    #[must_use]
    pub fn target(&self, group: GroupId) -> Option<&Target> {
        self.groups.get(group).ok().map(|group| &group.target)
    }

    /// Returns the units of a group, by id; none if the army has no such group.
    pub fn members(&self, group: GroupId) -> impl Iterator<Item = &Unit> {
        let found = self.groups.get(group).ok();
        found
            .into_iter()
            .flat_map(|group| self.roster.of(&group.members))
    }

    /// Gives a group another target, and no queue. Its units set out again, and
    /// its formation stays. Units wider than the bodies of an order's layer go, too, as after
    /// [`add`](Self::add).
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// army.send(group, Target::Point([50.0, 5.5]))?;
    /// army.step(&world, 1.0);
    /// assert!(army.units()[0].position[0] > 5.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the army has no such group, the target is a point whose coordinates are not
    /// numbers from -1,000,000 to 1,000,000, a distance of a chase or a flight is not a
    /// number from 0 to 1,000,000, or the target is an order for the ground and the group is on
    /// another [layer](Self::set_layer): nearly always the goal lacks its
    /// [layer](crate::Goal::on).
    pub fn send(&mut self, group: GroupId, target: impl Into<Target>) -> Result<(), ArmyError> {
        let target = target.into();
        target.check()?;
        Target::check_layers(group, self.groups.get(group)?.layer, [&target])?;
        let sent = self.groups.get_mut(group)?;
        sent.queue = Vec::new();
        sent.patrols = false;
        self.groups.send(group, target, &mut self.roster);
        Ok(())
    }

    /// Gives a group a target for when it has reached all it has, as by a click
    /// with shift held. A group that has nothing to reach, or has reached it,
    /// sets out at once. Each target emits its own arrival event. One that no unit can
    /// reach holds the group until a path opens.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(40, 20)?);
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// army.queue(group, Target::Point([15.5, 5.5]))?; // at once
    /// army.queue(group, Target::Point([15.5, 15.5]))?;
    /// army.queue(group, Target::Hold)?;
    /// while army.target(group) != Some(&Target::Hold) {
    ///     army.step(&world, 0.05);
    /// }
    /// let [x, y] = army.units()[0].position;
    /// assert!((x - 15.5).abs() < 0.5 && (y - 15.5).abs() < 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn queue(&mut self, group: GroupId, target: impl Into<Target>) -> Result<(), ArmyError> {
        let target = target.into();
        target.check()?;
        Target::check_layers(group, self.groups.get(group)?.last_layer(), [&target])?;
        let queued = self.groups.get_mut(group)?;
        queued.queue.push(target);
        if (!queued.target.ends() || queued.announced)
            && let Some(next) = queued.next_target()
        {
            self.groups.send(group, next, &mut self.roster);
        }
        Ok(())
    }

    /// Sends a group from one target to the next, and after the last again to
    /// the first, until it is [sent](Self::send) elsewhere. A target that is
    /// [queued](Self::queue) becomes one more stop. With one stop it goes there and stays, and
    /// [`GroupArrived`](crate::steer::ArmyEvent::GroupArrived) comes once.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyEvent, Reading, Target, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(40, 20)?);
    /// let posts = [Cell::new(5, 5), Cell::new(15, 5)];
    /// let [there, back] = posts.map(|post| world.order(post, &posts));
    /// let mut army = Army::default();
    /// let guards = army.add_group(Target::Stand, Reading::Ahead)?;
    /// army.add(Unit::new(0, guards, [5.5, 5.5]))?;
    /// army.patrol(guards, [there?, back?])?;
    /// let mut reached = 0;
    /// while reached < 5 {
    ///     world.tick(Budget::cells(4_000));
    ///     army.step(&world, 0.05);
    ///     army.cover_strays(&mut world);
    ///     reached += army.events().contains(&ArmyEvent::GroupArrived { group: guards }) as u32;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`send`](Self::send); and if there are no targets, or one that is
    /// neither an order nor a point nor an attack on the move.
    pub fn patrol(
        &mut self,
        group: GroupId,
        targets: impl IntoIterator<Item = impl Into<Target>>,
    ) -> Result<(), ArmyError> {
        let mut queue: Vec<Target> = targets.into_iter().map(Into::into).collect();
        for target in &queue {
            target.check()?;
        }
        if queue.is_empty() || !queue.iter().all(Target::is_stop) {
            return Err(ArmyError::Patrol);
        }
        let layer = self.groups.get(group)?.layer;
        Target::check_layers(group, layer, queue.iter().chain(queue.first()))?;
        let first = queue.remove(0);
        let patrolling = self.groups.get_mut(group)?;
        patrolling.queue = queue;
        patrolling.patrols = true;
        self.groups.send(group, first, &mut self.roster);
        Ok(())
    }

    /// Sets the team of a group, and the teams whose units it takes for foes when it
    /// [attacks on the move](Target::AttackMove) or [flees](Target::Flee). At first a group
    /// is of team 0 and has no foes. A group's own team is never among its foes.
    ///
    /// Which gates let the group through depends on the layer of its order alone:
    /// [`LayerId::for_team`] with the same number.
    ///
    /// # Errors
    /// If the army has no such group, or the team is not from 0 to 7.
    pub fn set_team(&mut self, group: GroupId, team: u8, foes: Teams) -> Result<(), ArmyError> {
        let allegiance = Allegiance::new(team, foes)?;
        self.groups.get_mut(group)?.allegiance = allegiance;
        Ok(())
    }

    /// Sets the planes on which the units of a group are, a bit for each of eight. Units push
    /// and avoid only those with which they share a plane. At first a group is on plane 0
    /// alone (`1`); aircraft are on another (`0b10`), what all units feel is on both (`0b11`),
    /// and units on none (`0`) feel none, not even each other.
    ///
    /// Walls are a matter of the group's [layer](crate::LayerId), and the
    /// [crowd](crate::crowd) counts the units of all planes.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(20, 10).unwrap());
    /// let mut army = Army::default();
    /// let guard = army.add_group(Target::Hold, Reading::Ahead)?;
    /// let planes = army.add_group(Target::Hold, Reading::Ahead)?;
    /// army.set_planes(planes, 0b10)?;
    /// army.add(Unit::new(0, guard, [5.5, 5.5]))?;
    /// army.add(Unit::new(1, planes, [5.5, 5.5]))?; // above the guard
    /// army.step(&world, 0.05);
    /// assert!(army.units().iter().all(|unit| unit.position == [5.5, 5.5]));
    /// # Ok::<(), ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If the army has no such group.
    pub fn set_planes(&mut self, group: GroupId, planes: u8) -> Result<(), ArmyError> {
        self.groups.get_mut(group)?.planes = planes;
        Ok(())
    }

    /// Sets the movement layer on which the units of a group walk, and on which they are sent
    /// together with [others](Self::send_all): at first the ground's, later that of the last
    /// order on another. A pursuit or a flight begins anew on another layer.
    ///
    /// The layer is [derived](FlowWorld::derive_layer) if it is not yet.
    ///
    /// # Errors
    /// If the army has no such group, or the world no such layer; if the group follows an
    /// order on another layer; or if the radius of one of its units is more than half the
    /// width of the layer's bodies.
    pub fn set_layer(
        &mut self,
        group: GroupId,
        layer: LayerId,
        world: &mut FlowWorld,
    ) -> Result<(), ArmyError> {
        let found = self.groups.get(group)?;
        let movement = world.movement(layer);
        let movement = movement.ok_or(OrderError::NoLayer { layer })?;
        if let Some(own) = found.target.layer().filter(|&own| own != layer) {
            return Err(ArmyError::OtherLayer { group, layer: own });
        }
        let most = f32::from(movement.size()) / 2.0;
        let wide = self
            .roster
            .of(&found.members)
            .find(|unit| unit.radius > most);
        if let Some(wide) = wide {
            return Err(ArmyError::Unit {
                unit: wide.id,
                field: "radius",
                value: wide.radius,
                wanted: "at most half the width of the bodies of its group's layer",
            });
        }
        let derived = world.derive_layer(layer);
        derived.map_err(|_| OrderError::NoLayer { layer })?;
        let found = self.groups.get_mut(group)?;
        if found.layer != layer {
            found.layer = layer;
            found.errand = found.target.errand();
        }
        Ok(())
    }

    /// Sets how fast the units of a group go.
    ///
    /// # Errors
    /// If the army has no such group.
    pub fn set_pace(&mut self, group: GroupId, pace: Pace) -> Result<(), ArmyError> {
        let group = self.groups.get_mut(group)?;
        group.pace = pace;
        group.top = f32::MAX;
        Ok(())
    }

    /// Sets how a group reads its order's field.
    ///
    /// # Errors
    /// If the army has no such group.
    pub fn set_reading(&mut self, group: GroupId, reading: Reading) -> Result<(), ArmyError> {
        self.groups.get_mut(group)?.reading = reading;
        Ok(())
    }

    /// Makes the units of a group march abreast, as far apart to the sides as they set out,
    /// or along the cheapest path as other groups do. A group that keeps its width comes to
    /// a pass in a column and spreads again behind it, and no unit waits for others; under
    /// an order only, if the group [looks ahead](Reading::Ahead) and has no
    /// [formation](Self::form). Units farther than 24 cells to the side of the leader come
    /// closer.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Unit};
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};
    ///
    /// let mut map = CostMap::open(120, 60)?;
    /// map.edit(CellRect::new(40, 0, 2, 30), Cost::WALL)?; // round this corner
    /// let mut world = FlowWorld::new(map);
    /// let line: Vec<Cell> = (10..20).map(|y| Cell::new(5, y)).collect();
    /// let order = world.order(Cell::new(110, 20), &line)?;
    /// let mut army = Army::default();
    /// let group = army.add_group(order, Reading::Ahead)?;
    /// army.keep_width(group, true)?;
    /// for (id, cell) in (0..).zip(line) {
    ///     army.add(Unit::new(id, group, cell.centre()))?;
    /// }
    /// while army.units().iter().any(|unit| unit.position[0] < 80.0) {
    ///     world.tick(Budget::cells(4_000));
    ///     army.step(&world, 0.05);
    ///     army.cover_strays(&mut world);
    /// }
    /// let rows = army.units().iter().map(|unit| unit.position[1] as i32);
    /// assert!(rows.clone().max() > rows.min().map(|row| row + 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the army has no such group.
    pub fn keep_width(&mut self, group: GroupId, keep: bool) -> Result<(), ArmyError> {
        self.groups.get_mut(group)?.trail = keep.then(Trail::default);
        Ok(())
    }

    /// Makes a group march and arrive in formation, its units `spacing` cells
    /// apart. The units' places in it are assigned now.
    ///
    /// # Errors
    /// If the army has no such group, or the spacing is not from 0.01 to 1,000.
    ///
    /// # Panics
    /// If the group's order belongs to another world.
    #[track_caller]
    pub fn form(
        &mut self,
        group: GroupId,
        shape: Shape,
        spacing: f32,
        world: &FlowWorld,
    ) -> Result<(), ArmyError> {
        check_spacing(spacing)?;
        self.form_all(&[group], shape, spacing, world)
    }

    /// Makes one formation of several groups; each marches with the places of its own units.
    #[track_caller]
    pub(super) fn form_all(
        &mut self,
        groups: &[GroupId],
        shape: Shape,
        spacing: f32,
        world: &FlowWorld,
    ) -> Result<(), ArmyError> {
        let mut units = Vec::new();
        for &group in groups {
            let group = self.groups.get(group)?;
            let layer = GroupLayer::of(world, group.layer);
            let members = self.roster.of(&group.members);
            units.extend(members.map(|unit| (unit.id, unit.position, layer.enter(unit.position))));
        }
        let (Some(&first), count @ 1..) = (groups.first(), units.len()) else {
            return Ok(());
        };
        let all = units.iter();
        let middle = all.fold(NONE, |middle, unit| sum(middle, unit.1));
        let middle = times(middle, 1.0 / count as f32);
        let anchor = self.anchor(self.groups.get(first)?, middle, world);
        let heading = self.heading(first, anchor, world);
        let slots = shape.slots(count, spacing);
        let places = units.iter().map(|unit| unit.2);
        let stand: Vec<[f32; 2]> = places
            .map(|place| March::frame(anchor, heading, place))
            .collect();
        for ((id, ..), slot) in units.iter().zip(assign(&stand, &slots)) {
            if let Some(unit) = self.roster.get_mut(*id) {
                unit.memory.slot = slot as u32;
            }
        }
        for &group in groups {
            let anchor = self.anchor(self.groups.get(group)?, middle, world);
            let formed = self.groups.get_mut(group)?;
            if formed.members.len() > 0 {
                formed.march = Some(March::new(slots.clone(), spacing, anchor, heading));
                formed.keep_to_members(&mut self.roster);
                formed.forget_trail();
            }
        }
        Ok(())
    }

    /// Returns where the anchor of a group's formation begins: the place on its layer that is
    /// nearest to the middle of all, if its units can reach that, else where one of them is.
    fn anchor(&self, group: &Group, middle: [f32; 2], world: &FlowWorld) -> [f32; 2] {
        let layer = GroupLayer::of(world, group.layer);
        let middle = layer.enter(middle);
        let clear = nearest_clear_on(layer.ground, middle, 0.3).unwrap_or(middle);
        let members = self.roster.of(&group.members);
        let stands = members.map(|unit| layer.enter(unit.position));
        let away = |place: &[f32; 2]| distance(*place, clear);
        match stands.min_by(|one, two| away(one).total_cmp(&away(two))) {
            Some(stand) if !layer.joins(cell_of(stand), cell_of(clear)) => stand,
            _ => clear,
        }
    }

    /// Returns the direction in which a group will leave a place, as far as it
    /// is known now.
    #[track_caller]
    fn heading(&self, group: GroupId, from: [f32; 2], world: &FlowWorld) -> [f32; 2] {
        let group = &self.groups.all()[group.index()];
        let known = match group.target.order() {
            Some(order) => Field::new(world, order).bilinear(from),
            None => None,
        };
        let way = known.unwrap_or_else(|| unit(difference(group.point(), from)));
        if dot(way, way) == 0.0 {
            [1.0, 0.0]
        } else {
            way
        }
    }

    /// Dissolves a group's formation.
    ///
    /// # Errors
    /// If the army has no such group.
    pub fn disband(&mut self, group: GroupId) -> Result<(), ArmyError> {
        self.groups.get_mut(group)?.march = None;
        Ok(())
    }
}

/// Checks the distance between the places of a formation.
pub(super) fn check_spacing(spacing: f32) -> Result<(), ArmyError> {
    if (0.01..=1000.0).contains(&spacing) {
        return Ok(());
    }
    Err(ArmyError::Group {
        field: "spacing of a formation",
        value: spacing,
        wanted: "a number from 0.01 to 1,000 cells",
    })
}
