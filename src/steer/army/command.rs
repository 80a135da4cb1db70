//! The groups of an army, as a game adds, commands and removes them.

use std::collections::BTreeMap;

use super::Army;
use crate::cost::LayerId;
use crate::order::OrderError;
use crate::steer::formation::{March, Shape, assign};
use crate::steer::groups::{Group, GroupSettings, Leg, Target};
use crate::steer::reading::{Field, Reading};
use crate::steer::units::{ArmyError, GroupId, IdSet, Unit};
use crate::steer::walls::{GroupLayer, nearest_clear_on};
use crate::vector::{cell_of, difference, distance, dot, mean, unit};
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
    /// another [layer](GroupSettings::layer): nearly always the goal lacks its
    /// [layer](crate::Goal::on).
    pub fn send(&mut self, group: GroupId, target: impl Into<Target>) -> Result<(), ArmyError> {
        self.send_leg(group, (target.into(), None))
    }

    pub(super) fn send_leg(&mut self, group: GroupId, leg: Leg) -> Result<(), ArmyError> {
        leg.0.check()?;
        Target::check_layers(group, self.groups.get(group)?.settings.layer, [&leg.0])?;
        let sent = self.groups.get_mut(group)?;
        sent.forget_queue();
        sent.patrols = false;
        self.groups.send(group, leg, &mut self.roster);
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
        self.queue_leg(group, (target.into(), None))
    }

    pub(super) fn queue_leg(&mut self, group: GroupId, leg: Leg) -> Result<(), ArmyError> {
        leg.0.check()?;
        Target::check_layers(group, self.groups.get(group)?.last_layer(), [&leg.0])?;
        let queued = self.groups.get_mut(group)?;
        queued.add_leg(leg);
        if (!queued.target.ends() || queued.announced)
            && let Some(next) = queued.next_leg()
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
        let layer = self.groups.get(group)?.settings.layer;
        Target::check_layers(group, layer, queue.iter().chain(queue.first()))?;
        let first = queue.remove(0);
        let patrolling = self.groups.get_mut(group)?;
        patrolling.forget_queue();
        queue
            .into_iter()
            .for_each(|target| patrolling.add_leg((target, None)));
        patrolling.patrols = true;
        self.groups.send(group, (first, None), &mut self.roster);
        Ok(())
    }

    /// Returns what is set of a group; `None` if the army has no such group.
    #[must_use]
    pub fn settings(&self, group: GroupId) -> Option<&GroupSettings> {
        self.groups.get(group).ok().map(|group| &group.settings)
    }

    /// Gives a group other settings. On another layer a pursuit or a flight begins anew.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(20, 10)?);
    /// let mut army = Army::default();
    /// let guard = army.add_group(Target::Hold, Reading::Ahead)?;
    /// let planes = army.add_group(Target::Hold, Reading::Ahead)?;
    /// let mut settings = *army.settings(planes).expect("it was added");
    /// settings.planes = 0b10;
    /// army.configure(planes, settings, &world)?;
    /// army.add(Unit::new(0, guard, [5.5, 5.5]))?;
    /// army.add(Unit::new(1, planes, [5.5, 5.5]))?; // above the guard
    /// army.step(&world, 0.05);
    /// assert!(army.units().iter().all(|unit| unit.position == [5.5, 5.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the army has no such group, the team is not from 0 to 7, or a parameter of the conduct
    /// is out of its range. If the layer is another: if the world has no such layer or has not
    /// [derived](FlowWorld::derive_layer) it, the group follows an order on another, or the radius of
    /// one of its units is more than half the width of the layer's bodies.
    pub fn configure(
        &mut self,
        group: GroupId,
        mut settings: GroupSettings,
        world: &FlowWorld,
    ) -> Result<(), ArmyError> {
        let is_elsewhere = self.groups.get(group)?.settings.layer != settings.layer;
        settings.check_team()?;
        settings.foes = settings.foes.without(settings.team);
        #[cfg(feature = "crowd")]
        settings.conduct.check(&self.foresight.settings)?;
        if is_elsewhere {
            self.check_layer(group, settings.layer, world)?;
        }
        let found = self.groups.get_mut(group)?;
        if is_elsewhere {
            found.errand = found.target.errand();
        }
        if found.settings.keeps_width != settings.keeps_width {
            found.forget_trail();
        }
        found.settings = settings;
        Ok(())
    }

    /// Makes a group one of a team: it is friend and foe as the team's, and walks on its layer as
    /// the team sees it, through the team's [gates](FlowWorld::add_gate) and in its
    /// [fog](FlowWorld::add_fog). The layer is derived. Its foes stay, but for the team itself.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(20, 10)?);
    /// let mut army = Army::default();
    /// let guard = army.add_group(Target::Hold, Reading::Ahead)?;
    /// army.set_team(&mut world, guard, 2)?;
    /// let settings = army.settings(guard).expect("it was added");
    /// assert_eq!((settings.team, settings.layer.team()), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`configure`](Self::configure): above all if the group follows an order of another
    /// team. [Send](Self::send) it elsewhere or let it hold before.
    pub fn set_team(
        &mut self,
        world: &mut FlowWorld,
        group: GroupId,
        team: u8,
    ) -> Result<(), ArmyError> {
        let mut settings = self.groups.get(group)?.settings;
        settings.team = team;
        settings.check_team()?;
        settings.layer = settings.layer.for_team(team).unwrap_or(settings.layer);
        // A layer that the world does not have is refused below.
        let _ = world.derive_layer(settings.layer);
        self.configure(group, settings, world)
    }

    /// Checks that a group can walk on a layer.
    fn check_layer(
        &self,
        group: GroupId,
        layer: LayerId,
        world: &FlowWorld,
    ) -> Result<(), ArmyError> {
        let found = self.groups.get(group)?;
        let movement = world.movement(layer);
        let movement = movement.ok_or(OrderError::NoLayer { layer })?;
        if let Some(own) = found.target.layer().filter(|&own| own != layer) {
            return Err(ArmyError::OtherLayer { group, layer: own });
        }
        let most = f32::from(movement.size()) / 2.0;
        let mut members = self.roster.of(&found.members);
        if let Some(wide) = members.find(|unit| unit.radius > most) {
            return Err(ArmyError::Unit {
                unit: wide.id,
                field: "radius",
                value: wide.radius,
                wanted: "at most half the width of the bodies of its group's layer",
            });
        }
        // The last check: a game that derives the layer then is not refused again.
        match world.layer(layer) {
            Some(_) => Ok(()),
            None => Err(ArmyError::NotDerived { layer }),
        }
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
            let layer = GroupLayer::of(world, group.settings.layer);
            let members = self.roster.of(&group.members);
            units.extend(members.map(|unit| (unit.id, unit.position, layer.enter(unit.position))));
        }
        let middle = mean(units.iter().map(|unit| unit.1));
        let (Some(&first), Some(middle)) = (groups.first(), middle) else {
            return Ok(());
        };
        let anchor = self.anchor(self.groups.get(first)?, middle, world);
        let heading = self.heading(first, anchor, world);
        let slots = shape.slots(units.len(), spacing);
        let places = units.iter().map(|unit| unit.2);
        let stand: Vec<[f32; 2]> = places
            .map(|place| March::frame(anchor, heading, place))
            .collect();
        let rank = |id: u32| {
            let unit = self.roster.get(id);
            unit.map_or(0, |unit| {
                self.groups.all()[unit.group.index()].settings.rank
            })
        };
        let ranks: Vec<u8> = units.iter().map(|unit| rank(unit.0)).collect();
        for ((id, ..), slot) in units.iter().zip(assign_by_rank(&ranks, &stand, &slots)) {
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
        let layer = GroupLayer::of(world, group.settings.layer);
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

/// Assigns slots to units of several ranks: those of the lowest get the foremost ones.
fn assign_by_rank(ranks: &[u8], units: &[[f32; 2]], slots: &[[f32; 2]]) -> Vec<usize> {
    let mut by_unit: Vec<usize> = (0..units.len()).collect();
    by_unit.sort_by_key(|&at| ranks[at]);
    let mut by_slot: Vec<usize> = (0..slots.len()).collect();
    by_slot.sort_by(|&one, &two| slots[two][0].total_cmp(&slots[one][0]));
    let mut assigned = vec![0; units.len()];
    let mut first = 0;
    for alike in by_unit.chunk_by(|&one, &two| ranks[one] == ranks[two]) {
        let theirs = &by_slot[first..first + alike.len()];
        first += alike.len();
        let [stand, free] = [(alike, units), (theirs, slots)]
            .map(|(numbers, of)| numbers.iter().map(|&at| of[at]).collect::<Vec<_>>());
        for (&unit, slot) in alike.iter().zip(assign(&stand, &free)) {
            assigned[unit] = theirs[slot];
        }
    }
    assigned
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

impl Army {
    /// Makes these units groups of their own, as for a click on a part of a group: one for
    /// each group in which some of them are, in the order of these. A new group has
    /// everything that was set of the former one. Of a group whose units are all among
    /// these, the group itself is returned.
    ///
    /// The units go on as they were: one that has arrived stays, and an attack, a pursuit or
    /// a flight goes on. In a formation each keeps its place, and a part marches around
    /// its own middle once it is sent elsewhere. Each part emits its own arrival event.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    ///
    /// let mut army = Army::default();
    /// let band = army.add_group(Target::Point([50.0, 5.5]), Reading::Ahead)?;
    /// army.queue(band, Target::Hold)?;
    /// for id in 0..4 {
    ///     army.add(Unit::new(id, band, [5.5 + id as f32, 5.5]))?;
    /// }
    /// let scouts = army.split([1, 3])?[0];
    /// assert!(army.members(scouts).map(|unit| unit.id).eq([1, 3]));
    /// assert_eq!(army.group(scouts).unwrap().queue(), [Target::Hold]);
    /// assert_eq!(army.split([3, 1])?, [scouts], "all of them: no other group is made");
    /// # Ok::<(), ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such unit, or the army would have more than 268,435,456 groups.
    pub fn split(
        &mut self,
        units: impl IntoIterator<Item = u32>,
    ) -> Result<Vec<GroupId>, ArmyError> {
        let mut parts: BTreeMap<GroupId, IdSet> = BTreeMap::new();
        for id in units {
            let unit = self.roster.get(id).ok_or(ArmyError::NoUnit { unit: id })?;
            parts.entry(unit.group).or_default().insert(id);
        }
        self.groups.check_room_for(parts.len())?;
        let parts = parts.into_iter();
        parts
            .map(|(from, part)| self.split_off(from, part))
            .collect()
    }

    fn split_off(&mut self, from: GroupId, part: IdSet) -> Result<GroupId, ArmyError> {
        let rest = self.groups.get_mut_quietly(from)?;
        if part.len() == rest.members.len() {
            return Ok(from);
        }
        part.iter().for_each(|id| rest.members.remove(id));
        let mut group = rest.clone();
        group.members = part;
        rest.keep_to_members(&mut self.roster);
        group.keep_to_members(&mut self.roster);
        let to = self.groups.add(group)?;
        #[cfg(feature = "crowd")]
        if let Some(stream) = self.foresight.stream(from) {
            self.foresight.streams.insert(to, stream);
        }
        for id in self.groups.get(to)?.members.iter() {
            if let Some(unit) = self.roster.get_mut(id) {
                unit.group = to;
            }
        }
        Ok(to)
    }
}
