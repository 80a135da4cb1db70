//! The calls of a battle: each is made of the army or the world, and of the plain model.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{
    ArmyError, Chase, GroupId, Pace, Reading, Sending, Shape, Target, Turning, Unit,
};
use flowtiles::{Cell, CellRect, Cost, Goal, LayerId, Link, Order, StampTemplate, Teams, Turn};

use super::plain::{Mark, PlainUnit};
use super::{Battle, HEIGHT, Kind, WIDTH};
use crate::crowd::{configure, set_layer};

impl Battle {
    /// Draws a call.
    pub fn call(&mut self) {
        match self.draw.below(10) {
            0..3 => self.call_for_units(),
            3..8 => self.call_for_groups(),
            _ if self.draw.below(9) == 0 => self.call_in_vain(),
            _ => self.change_world(),
        }
    }

    fn group(&mut self) -> Option<GroupId> {
        let at = self.draw.below(self.plain.groups.len().max(1) as u32);
        self.plain.groups.keys().nth(at as usize).copied()
    }

    /// Draws the id of a unit, which may not be there.
    fn id(&mut self) -> u32 {
        let last = self.plain.units.keys().next_back().map_or(0, |&last| last);
        self.draw.below(last.min(2_000) + 3)
    }

    fn order(&mut self) -> Option<Order> {
        let (cell, other, start) = (self.cell(), self.cell(), self.cell());
        let layer = self.layers[self.draw.below(self.layers.len() as u32) as usize];
        let goal = match self.draw.below(4) {
            0 => Goal::at(cell),
            1 => Goal::at(cell).or_at(other, 3),
            2 => Goal::within(CellRect::new(cell.x, cell.y, 3, 2)).unwrap(),
            _ => Goal::at(cell).or_nearest(),
        };
        let starts = [start];
        let starts = &starts[..self.draw.below(2) as usize];
        let order = self.world.order(goal.on(layer), starts).ok()?;
        if self.draw.below(4) == 0 {
            self.claims.push(order.clone());
        }
        Some(order)
    }

    fn target(&mut self) -> Target {
        let (place, leader) = (self.place_near(), self.id());
        let chase = Chase::default()
            .with_range(self.draw.float(0.0, 4.0))
            .with_leash(self.draw.float(1.0, 40.0))
            .with_sight(self.draw.float(0.0, 15.0));
        let kinds = if self.kind == Kind::Calm { 7 } else { 20 };
        match self.draw.below(kinds) {
            16 => Target::Pursue(leader, chase),
            17 | 18 => self
                .order()
                .map_or(Target::Stand, |order| Target::AttackMove(order, chase)),
            19 => {
                let from = (self.draw.below(2) == 0).then_some(leader);
                let safe = self.draw.float(2.0, 30.0);
                Target::Flee { from, safe }
            }
            0 => Target::Stand,
            1 => Target::Hold,
            2 => Target::Follow(leader),
            3 if self.draw.below(2) == 0 => Target::Flock,
            3..7 => Target::Point(place),
            _ => self.order().map_or(Target::Stand, Target::Order),
        }
    }

    fn reading(&mut self) -> Reading {
        #[cfg(feature = "crowd")]
        if self.kind == Kind::Crowded && self.draw.below(2) == 0 {
            return Reading::Crowd;
        }
        let readings = [
            Reading::Ahead,
            Reading::Nearest,
            Reading::Bilinear,
            Reading::LowestOfFour,
        ];
        readings[self.draw.below(4) as usize]
    }

    pub fn add_group(&mut self) {
        let (target, reading) = (self.target(), self.reading());
        let mark = Mark::of(&target);
        let id = self.army.add_group(target, reading).unwrap();
        self.plain.add_group(id, mark);
        self.note("add group", 1);
    }

    /// Adds units side by side, with ids that may be taken.
    pub fn add_units(&mut self, count: u32) {
        let (Some(group), corner) = (self.group(), self.place()) else {
            return;
        };
        let wide = self.draw.below(4) == 0;
        for at in 0..count {
            let id = if self.draw.below(4) == 0 {
                self.id()
            } else {
                self.plain.units.len() as u32
            };
            let place = [(at % 8) as f32, (at / 8) as f32];
            let place = [0, 1].map(|axis| corner[axis] + place[axis] * 0.7);
            let mut unit = Unit::new(id, group, place);
            unit.radius = self.draw.float(0.1, 0.5) + if wide { 0.8 } else { 0.0 };
            unit.speed = self.draw.float(0.8, 9.0).max(1.0) - 1.0;
            unit.speed += if at > 0 { 1.0 } else { 0.0 };
            let is_taken = self.plain.units.contains_key(&id);
            let refused = Err(ArmyError::UnitExists { unit: id });
            let wanted = if is_taken { refused } else { Ok(()) };
            assert_eq!(self.army.add(unit), wanted);
            if !is_taken {
                let plain = PlainUnit {
                    group,
                    radius: unit.radius,
                    speed: unit.speed,
                    has_arrived: false,
                };
                self.plain.units.insert(id, plain);
                self.plain.set_out(id);
                self.note("add", 1);
            }
        }
    }

    fn call_for_units(&mut self) {
        let (id, place) = (self.id(), self.place());
        let is_there = self.plain.units.contains_key(&id);
        match self.draw.below(12) {
            0..3 => {
                let most = if self.plain.units.len() > 700 { 1 } else { 9 };
                let count = self.draw.below(most);
                self.add_units(count);
            }
            3 => {
                let gone = self.army.remove(id).map(|unit| unit.id);
                assert_eq!(gone, is_there.then_some(id));
                self.plain.units.remove(&id);
                self.note("remove", 1);
            }
            4 => {
                let ids = [id, id + 1, id + 1, u32::MAX];
                let before = self.plain.units.len();
                self.plain.units.retain(|id, _| !ids.contains(id));
                let removed = self.army.remove_all(ids);
                assert_eq!(removed, before - self.plain.units.len());
                self.note("remove all", 1);
            }
            5 => {
                let odd = self.draw.below(60);
                self.army.retain(|unit| unit.id % 60 != odd);
                self.plain.units.retain(|id, _| id % 60 != odd);
                self.note("retain", 1);
            }
            6..8 => {
                assert_eq!(self.army.set_position(id, place).is_ok(), is_there);
                if is_there {
                    self.plain.set_out(id);
                    self.note("set position", 1);
                }
            }
            8 => self.set_speed_and_radius(id),
            9 if self.plain.groups.len() < 14 => self.split(id),
            _ => self.set_groups(id),
        }
    }

    /// Makes units groups of their own: often all of a group.
    fn split(&mut self, first: u32) {
        let ids: Vec<u32> = match (self.group(), self.draw.below(3)) {
            (Some(group), 0) => self.plain.members(group),
            _ => (first..first + 9).collect(),
        };
        let before = self.army.state_hash();
        if let Some(&unit) = ids.iter().find(|id| !self.plain.units.contains_key(id)) {
            assert_eq!(self.army.split(ids), Err(ArmyError::NoUnit { unit }));
            assert_eq!(self.army.state_hash(), before);
            return;
        }
        let states = |battle: &Self| -> Vec<_> {
            let units = ids.iter().filter_map(|&id| battle.army.get(id));
            units
                .map(|unit| (unit.position, unit.velocity, unit.state))
                .collect()
        };
        let were = states(self);
        let parts = self.army.split(ids.iter().copied().rev()).unwrap();
        assert_eq!(states(self), were);
        let wanted = self.plain.split(&ids, &parts);
        assert_eq!(parts.len(), wanted);
        self.note("split", parts.len());
    }

    fn set_speed_and_radius(&mut self, id: u32) {
        let (speed, radius) = (self.draw.float(0.0, 9.0), self.draw.float(0.0, 1.2));
        let weight = [0.01, 1.0, 7.0, 100.0][(speed * 100.0) as usize % 4];
        let is_there = self.plain.units.contains_key(&id);
        assert_eq!(self.army.set_speed(id, speed).is_ok(), is_there);
        assert_eq!(self.army.set_radius(id, radius).is_ok(), is_there);
        assert_eq!(self.army.set_weight(id, weight).is_ok(), is_there);
        let rate = [0.0, 0.5, 2.0, 60.0][(radius * 100.0) as usize % 4];
        let on_the_spot = weight < 5.0;
        let turning = Turning { rate, on_the_spot };
        assert_eq!(self.army.set_turning(id, turning).is_ok(), is_there);
        if let Some(unit) = self.plain.units.get_mut(&id) {
            (unit.speed, unit.radius) = (speed, radius);
            self.note("set speed and radius", 1);
        }
    }

    /// Moves a few units to one group.
    fn set_groups(&mut self, first: u32) {
        let Some(group) = self.group() else {
            return;
        };
        for id in first..first + 4 {
            let is_there = self.plain.units.contains_key(&id);
            assert_eq!(self.army.set_group(id, group).is_ok(), is_there);
            let Some(unit) = self.plain.units.get_mut(&id) else {
                continue;
            };
            let [from, to] = [unit.group, group].map(|id| &self.plain.groups[&id]);
            let goes_on = from.target == to.target && !from.is_formed && !to.is_formed;
            if unit.group != group {
                unit.group = group;
                if !goes_on {
                    self.plain.set_out(id);
                }
                self.note("set group", 1);
            }
        }
    }

    fn call_for_groups(&mut self) {
        let Some(group) = self.group() else {
            return self.add_group();
        };
        match self.draw.below(20) {
            0 | 1 if self.plain.groups.len() < 12 => self.add_group(),
            2 => self.remove_group(group),
            3 if self.draw.below(9) == 0 => {
                let removed = self.army.remove_empty_groups();
                assert_eq!(removed, self.plain.remove_empty_groups());
                self.note("remove empty groups", removed);
            }
            3..6 => self.send(group),
            6 => self.send_all(group),
            7 => self.set_layer(group),
            8..11 => self.queue(group),
            11 | 12 => self.patrol(group),
            13 => {
                let shapes = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column];
                let shape = shapes[self.draw.below(4) as usize];
                let spacing = self.draw.float(0.5, 2.0);
                let formed = self.army.form(group, shape, spacing, &self.world);
                formed.unwrap();
                let has_units = !self.plain.members(group).is_empty();
                self.plain.groups.get_mut(&group).unwrap().is_formed |= has_units;
                self.note("form", 1);
            }
            14 | 15 => {
                self.army.disband(group).unwrap();
                self.plain.groups.get_mut(&group).unwrap().is_formed = false;
                self.note("disband", 1);
            }
            16 => {
                let keep = self.draw.below(3) > 0;
                configure(&mut self.army, &self.world, group, |it| {
                    it.keeps_width = keep
                })
                .unwrap();
                self.note("keep width", 1);
            }
            17 if self.draw.below(2) == 0 => {
                let (team, foes) = (self.draw.below(3) as u8, self.draw.below(8) as u8);
                let foes = Teams::from_bits(foes);
                configure(&mut self.army, &self.world, group, |it| {
                    (it.team, it.foes) = (team, foes)
                })
                .unwrap();
                assert!(
                    configure(&mut self.army, &self.world, group, |it| (
                        it.team, it.foes
                    ) = (8, foes))
                    .is_err()
                );
                self.note("set team", 1);
            }
            17 => {
                let paces = [Pace::Own, Pace::Slowest, Pace::Shared(0), Pace::Shared(3)];
                let pace = paces[self.draw.below(4) as usize];
                configure(&mut self.army, &self.world, group, |it| it.pace = pace).unwrap();
                self.plain.groups.get_mut(&group).unwrap().pace = pace;
                self.note("set pace", 1);
            }
            18 if self.draw.below(3) == 0 => {
                let planes = [0b01, 0b10, 0b11, 0][self.draw.below(4) as usize];
                configure(&mut self.army, &self.world, group, |it| it.planes = planes).unwrap();
                self.plain.groups.get_mut(&group).unwrap().planes = planes;
                self.note("set planes", 1);
            }
            18 => {
                let reading = self.reading();
                configure(&mut self.army, &self.world, group, |it| {
                    it.reading = reading
                })
                .unwrap();
                self.note("set reading", 1);
            }
            _ => self.aim(group),
        }
    }

    fn remove_group(&mut self, group: GroupId) {
        let wanted = self.plain.members(group);
        let gone = self.army.remove_group(group).unwrap();
        assert!(gone.iter().map(|unit| unit.id).eq(wanted));
        self.plain.units.retain(|_, unit| unit.group != group);
        self.plain.groups.remove(&group);
        self.plain.gone.insert(group);
        self.note("remove group", 1);
    }

    fn send(&mut self, group: GroupId) {
        let target = self.target();
        let mark = Mark::of(&target);
        let layer = self.army.settings(group).unwrap().layer;
        let sent = self.army.send(group, target);
        if self.is_refused(group, layer, &[mark], sent) {
            return;
        }
        let plain = self.plain.groups.get_mut(&group).unwrap();
        (plain.queue, plain.patrols) = (Vec::new(), false);
        self.plain.aim(group, mark);
        let name = match mark {
            Mark::Flock => "send nowhere",
            Mark::Stand => "send to stand",
            Mark::Hold => "send to hold",
            Mark::Point(_) => "send to a point",
            Mark::Follow(_) => "send to follow",
            Mark::Order(..) => "send to a goal",
            Mark::Pursue(_) => "send to pursue",
            Mark::Attack(..) => "send to attack",
            Mark::Flee(_) => "send to flee",
        };
        self.note(name, 1);
    }

    /// Sends two groups to one goal, often.
    fn send_all(&mut self, group: GroupId) {
        let (cell, other) = (self.cell(), self.group().unwrap_or(group));
        let mut how = Sending::default();
        how.together = self.draw.below(2) == 0;
        how.queued = self.draw.below(4) == 0;
        how.attack = (self.draw.below(3) == 0).then(Chase::default);
        how.formation = (self.draw.below(3) == 0).then_some((Shape::Box, 1.0));
        let (before, goal) = (self.army.state_hash(), Goal::at(cell).or_nearest());
        let groups = [group, other];
        let layers = groups.map(|group| match how.queued {
            true => self.last_layer(group),
            false => self.plain.groups[&group].layer,
        });
        let sent = self.army.send_all(&mut self.world, &groups, goal, how);
        if let Err(error) = sent {
            match error {
                ArmyError::GroupTwice { group } => assert_eq!(group, other),
                error => assert!(matches!(error, ArmyError::Order(_)), "{error}"),
            }
            assert_eq!(self.army.state_hash(), before);
            return;
        }
        for (group, layer) in groups.into_iter().zip(layers) {
            let view = self.army.group(group).unwrap();
            let last = view.queue().last().filter(|_| how.queued);
            let mark = Mark::of(last.unwrap_or(view.target()));
            let has_units = !self.plain.members(group).is_empty();
            let plain = self.plain.groups.get_mut(&group).unwrap();
            match (mark, how.attack) {
                (Mark::Order(_, own), None) | (Mark::Attack(_, own), Some(_)) => {
                    assert_eq!(own, layer);
                }
                _ => panic!("another target: {mark:?}"),
            }
            plain.pace = match plain.pace {
                _ if how.together => self.army.settings(group).unwrap().pace,
                Pace::Shared(_) => Pace::Own,
                pace => pace,
            };
            plain.is_formed |= how.formation.is_some() && has_units;
            if how.queued {
                self.plain.queue(group, mark);
            } else {
                (plain.queue, plain.patrols) = (Vec::new(), false);
                self.plain.aim(group, mark);
            }
        }
        if how.together {
            let [one, two] = groups.map(|group| self.plain.groups[&group].pace);
            assert_eq!(one, two);
            let others = self
                .plain
                .groups
                .iter()
                .filter(|(id, _)| !groups.contains(id));
            let is_shared = matches!(one, Pace::Shared(_));
            assert!(is_shared && others.into_iter().all(|(_, plain)| plain.pace != one));
        }
        self.note("send all", 1);
    }

    fn set_layer(&mut self, group: GroupId) {
        let layer = self.layers[self.draw.below(self.layers.len() as u32) as usize];
        let size = self.world.movement(layer).unwrap().size();
        let members = self.plain.units.values().filter(|unit| unit.group == group);
        let is_wide = members
            .into_iter()
            .any(|unit| unit.radius > f32::from(size) / 2.0);
        let plain = self.plain.groups.get_mut(&group).unwrap();
        let before = self.army.state_hash();
        match set_layer(&mut self.army, &mut self.world, group, layer) {
            Ok(()) => {
                assert!(!is_wide && (layer == plain.layer || !plain.target.has_order()));
                let is_new = std::mem::replace(&mut plain.layer, layer) != layer;
                self.note("set layer", is_new.into());
            }
            Err(error) => {
                let wide = matches!(error, ArmyError::Unit { .. });
                let other = matches!(error, ArmyError::OtherLayer { .. });
                assert!(
                    wide && is_wide || other && plain.target.has_order(),
                    "{error}"
                );
                assert_eq!(self.army.state_hash(), before);
            }
        }
    }

    /// Whether a call is refused, since one target after the other leads from a layer to the
    /// ground's.
    fn is_refused(
        &mut self,
        group: GroupId,
        mut layer: LayerId,
        marks: &[Mark],
        answer: Result<(), ArmyError>,
    ) -> bool {
        for next in marks.iter().filter_map(Mark::layer) {
            if next == LayerId::GROUND && layer != LayerId::GROUND {
                assert_eq!(answer, Err(ArmyError::GroundOrder { group, layer }));
                self.note("an order without a layer", 1);
                return true;
            }
            layer = next;
        }
        answer.unwrap();
        false
    }

    /// The layer on which a group will be after its queue.
    fn last_layer(&self, group: GroupId) -> LayerId {
        let queue = self.army.group(group).unwrap().queue();
        let mut layers = queue.iter().rev().map(Mark::of);
        let last = layers.find_map(|next| next.layer());
        last.unwrap_or(self.plain.groups[&group].layer)
    }

    fn queue(&mut self, group: GroupId) {
        let target = self.target();
        let mark = Mark::of(&target);
        let layer = self.last_layer(group);
        let queued = self.army.queue(group, target);
        if self.is_refused(group, layer, &[mark], queued) {
            return;
        }
        self.plain.queue(group, mark);
        self.note("queue", 1);
    }

    fn patrol(&mut self, group: GroupId) {
        let targets = [self.target(), self.target()];
        let marks = [0, 1].map(|at| Mark::of(&targets[at]));
        let layer = self.army.settings(group).unwrap().layer;
        let patrols = self.army.patrol(group, targets);
        if !marks.iter().all(|mark| mark.is_stop()) {
            assert_eq!(patrols, Err(ArmyError::Patrol));
            return;
        }
        if self.is_refused(group, layer, &[marks[0], marks[1], marks[0]], patrols) {
            return;
        }
        let plain = self.plain.groups.get_mut(&group).unwrap();
        (plain.queue, plain.patrols) = (vec![marks[1]], true);
        self.plain.aim(group, marks[0]);
        self.note("patrol", 1);
    }

    /// Aims the order of a group elsewhere, and sends the group there.
    fn aim(&mut self, group: GroupId) {
        let cell = self.cell();
        let Some(Target::Order(order)) = self.army.target(group) else {
            return;
        };
        let mut order = order.clone();
        let layer = order.goal().layer();
        let width = self.world.movement(layer).unwrap().size();
        let units = self
            .army
            .members(group)
            .map(|unit| anchor(width, unit.position));
        let on_map = |cell: &Cell| CellRect::new(0, 0, WIDTH, HEIGHT).contains(*cell);
        let units: Vec<Cell> = units.filter(on_map).take(5).collect();
        let goal = Goal::at(cell).or_nearest().on(layer);
        if self.world.aim(&mut order, goal, &units).is_ok() {
            let mark = Mark::Order(order.number(), layer);
            self.army.send(group, order).unwrap();
            let plain = self.plain.groups.get_mut(&group).unwrap();
            (plain.queue, plain.patrols) = (Vec::new(), false);
            self.plain.aim(group, mark);
            self.note("aim", 1);
        }
        assert_eq!(self.mark_of(group), self.plain.groups[&group].target);
    }

    /// Makes calls that are refused and change nothing.
    fn call_in_vain(&mut self) {
        self.plain.check_gone(&mut self.army);
        let before = self.army.state_hash();
        if let Some(group) = self.group() {
            let nowhere = Target::Point([f32::NAN, 3.0]);
            assert!(self.army.send(group, nowhere.clone()).is_err());
            assert!(self.army.patrol(group, [Target::Hold]).is_err());
            assert!(self.army.patrol(group, [] as [Target; 0]).is_err());
            assert!(self.army.add_group(nowhere, Reading::Ahead).is_err());
        }
        if let Some(&id) = self.plain.units.keys().next() {
            assert!(self.army.set_position(id, [f32::NAN, 3.0]).is_err());
            assert!(self.army.set_radius(id, 17.0).is_err());
            assert!(self.army.set_speed(id, -1.0).is_err());
            assert!(self.army.set_weight(id, 0.0).is_err());
        }
        assert_eq!(self.army.state_hash(), before);
        self.note("in vain", 1);
    }

    fn change_world(&mut self) {
        let (cell, at) = (self.cell(), self.draw.below(64) as usize);
        match self.draw.below(16) {
            0 | 1 => self.build(cell),
            2 if !self.stamps.is_empty() => {
                let stamp = self.stamps.swap_remove(at % self.stamps.len());
                self.world.unstamp(stamp).unwrap();
                self.note("raze", 1);
            }
            3 => {
                self.world.block(cell).unwrap();
                self.blocked.push(cell);
                self.note("block", 1);
            }
            4 if !self.blocked.is_empty() => {
                let cell = self.blocked.swap_remove(at % self.blocked.len());
                self.world.unblock(cell).unwrap();
                self.note("unblock", 1);
            }
            5 => {
                let gate = self.gates[at % self.gates.len()];
                let teams = [
                    Teams::ALL,
                    Teams::NONE,
                    Teams::NONE.with(0),
                    Teams::NONE.with(1),
                ];
                self.world.set_gate(gate, teams[at % 4]).unwrap();
                self.note("gate", 1);
            }
            6 | 7 if self.links.len() < 4 => self.add_link(),
            8 if !self.links.is_empty() => {
                let link = self.links.swap_remove(at % self.links.len());
                self.world.remove_link(link).unwrap();
                self.note("remove link", 1);
            }
            9 | 10 => {
                let costs = [Cost::WALL, Cost::OPEN, Cost::new(4).unwrap()];
                let area = CellRect::new(cell.x, cell.y, 1, 1 + at as u32 % 3);
                let area = area.intersection(CellRect::new(0, 0, WIDTH, HEIGHT));
                self.world.edit(area, costs[at % 3]).unwrap();
                self.note("edit", 1);
            }
            11 => {
                self.army.note_jams(&mut self.world);
                self.note("note jams", 1);
            }
            12 if !self.claims.is_empty() => {
                self.claims.swap_remove(at % self.claims.len());
                self.note("drop claim", 1);
            }
            13 if !self.claims.is_empty() => {
                let at = at % self.claims.len();
                let goal = Goal::at(cell).on(self.claims[at].goal().layer());
                let aimed = self.world.aim(&mut self.claims[at], goal, &[]).is_ok();
                self.note("aim claim", aimed.into());
            }
            14 => self.put_out_of_walls(),
            _ => {
                let layer = self.layers[at % self.layers.len()];
                let freed = self.world.free_layer(layer).is_ok();
                self.note("free layer", freed.into());
            }
        }
    }

    pub fn add_link(&mut self) {
        let (cell, end) = (self.cell(), self.cell());
        let [wide, tall] = [(); 2].map(|()| 1 + self.draw.below(3));
        let area = CellRect::new(cell.x, cell.y, wide, tall);
        if let Ok(link) = self.world.add_link(Link::new(area, end)) {
            self.links.push(link);
            self.note("add link", 1);
        }
    }

    /// Stamps a building on whatever is there.
    fn build(&mut self, cell: Cell) {
        let rows: &[&str] = match self.draw.below(3) {
            0 => &["###", "#.#", "#.#"],
            1 => &["####", "####"],
            _ => &["...", "..."],
        };
        let turn = Turn::ALL[self.draw.below(4) as usize];
        let template = StampTemplate::rows(rows).unwrap();
        if let Ok((stamp, _)) = self.world.stamp(&template, cell, turn) {
            self.stamps.push(stamp);
            self.note("build", 1);
            if self.draw.below(2) == 0 {
                self.put_out_of_walls();
            }
        }
    }

    /// Puts units out of walls: those that overlap one, and no others.
    fn put_out_of_walls(&mut self) {
        let before: Vec<Unit> = self.army.units().to_vec();
        let moved = self.army.put_out_of_walls(&self.world);
        let mut count = 0;
        for was in &before {
            let unit = self.army.get(was.id).unwrap();
            let ground = self.ground(was);
            if unit.position != was.position {
                count += 1;
                assert!(
                    ground.is_hit(was, 1e-4) && !ground.is_hit(unit, -1e-3),
                    "{unit:?}"
                );
            }
        }
        assert_eq!(moved, count);
        self.note("put out", moved);
    }
}
