//! The plain model of an army: lists of units and groups, and what each call makes of them.

use std::collections::{BTreeMap, BTreeSet};

use flowtiles::LayerId;
use flowtiles::steer::{Army, ArmyError, GroupId, GroupSettings, Reading, Target, Unit};

/// A target without a claim on its order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    Flock,
    Stand,
    Hold,
    Point([f32; 2]),
    Follow(u32),
    Order(u64, LayerId),
    Pursue(u32),
    Attack(u64, LayerId),
    Flee(Option<u32>),
}

impl Mark {
    pub fn of(target: &Target) -> Self {
        match target {
            Target::Flock => Self::Flock,
            Target::Stand => Self::Stand,
            Target::Hold => Self::Hold,
            Target::Point(point) => Self::Point(*point),
            Target::Follow(unit) => Self::Follow(*unit),
            Target::Order(order) => Self::Order(order.number(), order.goal().layer()),
            Target::Pursue(unit, _) => Self::Pursue(*unit),
            Target::AttackMove(order, _) => Self::Attack(order.number(), order.goal().layer()),
            Target::Flee { from, .. } => Self::Flee(*from),
            _ => panic!("another target: {target:?}"),
        }
    }

    /// The layer of the order that the game has given with it.
    pub const fn layer(&self) -> Option<LayerId> {
        match self {
            Self::Order(_, layer) | Self::Attack(_, layer) => Some(*layer),
            _ => None,
        }
    }

    /// Whether a group comes to an end with it.
    pub const fn ends(self) -> bool {
        self.is_stop() || matches!(self, Self::Pursue(_) | Self::Flee(_))
    }

    /// Whether a patrol can stop there.
    pub const fn is_stop(self) -> bool {
        matches!(self, Self::Point(_) | Self::Order(..) | Self::Attack(..))
    }
}

#[derive(Clone)]
pub struct PlainUnit {
    pub group: GroupId,
    pub radius: f32,
    pub speed: f32,
    /// Whether it has arrived since it set out.
    pub has_arrived: bool,
}

#[derive(Clone)]
pub struct PlainGroup {
    pub target: Mark,
    pub queue: Vec<Mark>,
    pub patrols: bool,
    /// Whether it has arrived since it got its target.
    pub announced: bool,
    pub is_formed: bool,
    pub settings: GroupSettings,
}

impl PlainGroup {
    /// Returns the target that follows, and moves the queue on.
    pub fn next_target(&mut self) -> Option<Mark> {
        if self.queue.is_empty() {
            return None;
        }
        if self.patrols {
            self.queue.push(self.target);
        }
        Some(self.queue.remove(0))
    }
}

#[derive(Clone, Default)]
pub struct Model {
    pub units: BTreeMap<u32, PlainUnit>,
    pub groups: BTreeMap<GroupId, PlainGroup>,
    /// Ids of groups that were removed.
    pub gone: BTreeSet<GroupId>,
}

impl Model {
    /// A group, which must be there.
    pub fn group(&mut self, id: GroupId) -> &mut PlainGroup {
        self.groups.get_mut(&id).expect("a group of the model")
    }

    pub fn add_group(&mut self, id: GroupId, target: Mark, reading: Reading) {
        let mut settings = GroupSettings::default();
        settings.reading = reading;
        let group = PlainGroup {
            target: Mark::Flock,
            queue: Vec::new(),
            patrols: false,
            announced: false,
            is_formed: false,
            settings,
        };
        self.enter(id, group);
        self.aim(id, target);
    }

    fn enter(&mut self, id: GroupId, group: PlainGroup) {
        assert!(!self.gone.contains(&id), "{id} comes back");
        let known = self.groups.insert(id, group);
        assert!(known.is_none(), "{id} is there twice");
    }

    pub fn add(&mut self, unit: &Unit) {
        let plain = PlainUnit {
            group: unit.group,
            radius: unit.radius,
            speed: unit.speed,
            has_arrived: false,
        };
        self.units.insert(unit.id, plain);
        self.set_out(unit.id);
    }

    /// Gives a group another target; its units set out.
    pub fn aim(&mut self, id: GroupId, target: Mark) {
        let group = self.group(id);
        (group.target, group.announced) = (target, target == Mark::Hold);
        group.settings.layer = target.layer().unwrap_or(group.settings.layer);
        for unit in self.units.values_mut().filter(|unit| unit.group == id) {
            unit.has_arrived = target == Mark::Hold;
        }
    }

    /// Gives a group one target, and others for later.
    pub fn send(&mut self, id: GroupId, target: Mark, queue: Vec<Mark>) {
        let group = self.group(id);
        (group.patrols, group.queue) = (!queue.is_empty(), queue);
        self.aim(id, target);
    }

    /// Gives a group a target for when it has reached all it has.
    pub fn queue(&mut self, id: GroupId, target: Mark) {
        let group = self.group(id);
        group.queue.push(target);
        if (!group.target.ends() || group.announced)
            && let Some(next) = group.next_target()
        {
            self.aim(id, next);
        }
    }

    /// Sends a group on that has lost its quarry or escaped.
    pub fn end_errand(&mut self, id: GroupId) {
        let next = self.group(id).next_target();
        self.aim(id, next.unwrap_or(Mark::Stand));
    }

    /// Makes a unit set out for the target of its group.
    pub fn set_out(&mut self, id: u32) {
        if let Some(unit) = self.units.get_mut(&id) {
            unit.has_arrived = self.groups[&unit.group].target == Mark::Hold;
        }
    }

    /// Moves a unit to a group.
    pub fn set_group(&mut self, id: u32, group: GroupId) {
        let from = self.units[&id].group;
        let [one, other] = [from, group].map(|id| &self.groups[&id]);
        let goes_on = one.target == other.target && !one.is_formed && !other.is_formed;
        self.units.entry(id).and_modify(|unit| unit.group = group);
        if from != group && !goes_on {
            self.set_out(id);
        }
    }

    /// Makes units groups of their own, with these ids. Returns how many groups they had.
    pub fn split(&mut self, units: &[u32], parts: &[GroupId]) -> usize {
        let former: BTreeSet<GroupId> = units.iter().map(|id| self.units[id].group).collect();
        for (&from, &part) in former.iter().zip(parts) {
            let members = self.members(from);
            if members.iter().all(|id| units.contains(id)) {
                assert_eq!(part, from, "all of a group");
                continue;
            }
            self.enter(part, self.groups[&from].clone());
            for &id in members.iter().filter(|id| units.contains(id)) {
                self.units.entry(id).and_modify(|unit| unit.group = part);
            }
        }
        former.len()
    }

    pub fn remove_group(&mut self, id: GroupId) {
        self.units.retain(|_, unit| unit.group != id);
        self.groups.remove(&id);
        self.gone.insert(id);
    }

    /// Removes the groups without units, and returns how many there were.
    pub fn remove_empty_groups(&mut self) -> usize {
        let groups: Vec<GroupId> = self.groups.keys().copied().collect();
        let empty = groups.into_iter().filter(|&id| self.members(id).is_empty());
        let empty: Vec<GroupId> = empty.collect();
        empty.iter().for_each(|&id| self.remove_group(id));
        empty.len()
    }

    pub fn members(&self, id: GroupId) -> Vec<u32> {
        let units = self.units.iter().filter(|(_, unit)| unit.group == id);
        units.map(|(&id, _)| id).collect()
    }

    /// Holds an army equal to the model.
    pub fn check(&self, army: &Army) {
        assert!(army.groups().eq(self.groups.keys().copied()));
        for (&id, group) in &self.groups {
            let view = army.group(id).expect("a group of the army");
            assert_eq!(Mark::of(view.target()), group.target, "{id}");
            let queue = view.queue().iter().map(Mark::of);
            assert!(queue.eq(group.queue.iter().copied()), "{id}");
            assert_eq!(view.patrols(), group.patrols, "{id}");
            assert_eq!(army.settings(id), Some(&group.settings), "{id}");
            assert_eq!(view.spacing().is_some(), group.is_formed, "{id}");
            let of_order = view.order().map(|order| order.goal().layer());
            assert!(
                of_order.is_none_or(|layer| layer == group.settings.layer),
                "{id}"
            );
            let members = army.members(id).map(|unit| unit.id);
            assert!(members.eq(self.members(id)), "{id}");
        }
        assert_eq!(army.units().len(), self.units.len());
        for unit in army.units() {
            let plain = &self.units[&unit.id];
            assert_eq!(unit.group, plain.group, "{unit:?}");
            assert_eq!([unit.radius, unit.speed], [plain.radius, plain.speed]);
            assert_eq!(army.get(unit.id), Some(unit));
        }
    }

    /// Holds that an army refuses ids of groups that are gone.
    pub fn check_gone(&self, army: &mut Army) {
        for &group in self.gone.iter().rev().take(3) {
            let refused = Err(ArmyError::NoGroup { group });
            assert_eq!(army.send(group, Target::Hold), refused);
            assert_eq!(army.queue(group, Target::Stand), refused);
            assert_eq!(army.disband(group), refused);
            assert!(army.settings(group).is_none());
            assert_eq!(army.patrol(group, [Target::Point([3.0; 2])]), refused);
            assert_eq!(army.add(Unit::new(u32::MAX, group, [5.5; 2])), refused);
            assert_eq!(army.remove_group(group).map(|_| ()), refused);
            if let Some(&id) = self.units.keys().next() {
                assert_eq!(army.set_group(id, group), refused);
            }
            assert!(army.target(group).is_none() && army.group(group).is_none());
            assert_eq!(army.members(group).count(), 0);
        }
    }
}
