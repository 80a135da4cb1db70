//! The groups of an army, found by their ids.

use std::collections::BTreeSet;

use super::group::{Group, Leg};
use super::target::Target;
use crate::cost::LayerId;
use crate::order::Order;
use crate::steer::units::{ArmyError, GroupId, IdSet, Roster};

/// The most groups: a body stores its unit's goal for the neighbours in 28
/// bits.
const MOST_GROUPS: usize = 1 << 28;

/// Groups at numbered places. The place of a removed group is given again, with
/// another generation, so an old id finds nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    all: Vec<Group>,
    /// The places of removed groups.
    free: BTreeSet<u32>,
    is_touched: bool,
    /// How often groups were changed.
    changes: u64,
    /// Those that were changed since the last step, so that their units wake.
    changed: IdSet,
}

impl Groups {
    pub(crate) fn all(&self) -> &[Group] {
        &self.all
    }

    /// Returns the groups as a step changes them.
    pub(crate) fn all_mut(&mut self) -> &mut [Group] {
        &mut self.all
    }

    pub(crate) fn layers(&self) -> impl ExactSizeIterator<Item = LayerId> {
        self.all.iter().map(|group| group.settings.layer)
    }

    /// Returns the planes of each group, by place; none if all are on the same ones, so that
    /// all units feel each other.
    pub(crate) fn planes(&self) -> Vec<u8> {
        let mut planes = self.all.iter().filter(|group| !group.is_removed);
        let first = planes.next().map_or(0, |group| group.settings.planes);
        if first > 0 && planes.all(|group| group.settings.planes == first) {
            return Vec::new();
        }
        self.all.iter().map(|group| group.settings.planes).collect()
    }

    const fn touch(&mut self) {
        self.is_touched = true;
        self.changes += 1;
    }

    pub(crate) const fn changes(&self) -> u64 {
        self.changes
    }

    pub(crate) const fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Notes that a step has been made of the groups as they are.
    pub(crate) const fn note_step(&mut self) {
        self.is_touched = false;
    }

    pub(crate) fn add(&mut self, group: Group) -> Result<GroupId, ArmyError> {
        self.touch();
        if let Some(index) = self.free.pop_first() {
            let vacant = &mut self.all[index as usize];
            let generation = vacant.generation;
            *vacant = Group {
                generation,
                ..group
            };
            return Ok(GroupId { index, generation });
        }
        self.check_room_for(1)?;
        let (index, generation) = (self.all.len() as u32, 0);
        self.all.push(Group {
            generation,
            ..group
        });
        Ok(GroupId { index, generation })
    }

    /// Checks that this many groups can be added.
    pub(crate) fn check_room_for(&self, count: usize) -> Result<(), ArmyError> {
        if count <= self.free.len() + MOST_GROUPS.saturating_sub(self.all.len()) {
            return Ok(());
        }
        Err(ArmyError::TooManyGroups)
    }

    /// Removes a group, which must be empty.
    pub(crate) fn remove(&mut self, id: GroupId) -> Result<(), ArmyError> {
        let group = self.get_mut(id)?;
        let generation = group.generation.wrapping_add(1);
        *group = Group::removed(generation);
        // After the last generation the place stays empty.
        if generation > 0 {
            self.free.insert(id.index);
        }
        Ok(())
    }

    pub(crate) fn get(&self, id: GroupId) -> Result<&Group, ArmyError> {
        self.all
            .get(id.index())
            .filter(|group| !group.is_removed && group.generation == id.generation)
            .ok_or(ArmyError::NoGroup { group: id })
    }

    /// Returns a group, to change anything but its target. Its units wake.
    pub(crate) fn get_mut(&mut self, id: GroupId) -> Result<&mut Group, ArmyError> {
        self.changed.insert(id.index);
        self.get_mut_quietly(id)
    }

    /// Returns a group without waking its units: one that a unit joins or leaves, which changes
    /// nothing for the others.
    pub(crate) fn get_mut_quietly(&mut self, id: GroupId) -> Result<&mut Group, ArmyError> {
        self.touch();
        self.all
            .get_mut(id.index())
            .filter(|group| !group.is_removed && group.generation == id.generation)
            .ok_or(ArmyError::NoGroup { group: id })
    }

    /// Wakes the units of groups that were changed.
    pub(crate) fn wake_changed(&mut self, roster: &mut Roster) {
        for group in std::mem::take(&mut self.changed).iter() {
            let group = self.all.get(group as usize);
            let members = group.into_iter().flat_map(|group| group.members.iter());
            members.for_each(|id| roster.wake(id));
        }
    }

    /// Whether units of two groups that are there feel each other.
    pub(crate) fn meet(&self, one: GroupId, other: GroupId) -> bool {
        let [one, other] = [one, other].map(|group| &self.all[group.index()]);
        one.settings.planes & other.settings.planes > 0
    }

    pub(crate) fn is_foe(&self, group: &Group, other: GroupId) -> bool {
        let team = self.all[other.index()].settings.team;
        group.settings.foes.has(team)
    }

    /// Gives a group another target, for which its units set out; none if there is no such
    /// group.
    pub(crate) fn set_out(&mut self, id: GroupId, leg: Leg, roster: &mut Roster) {
        let Ok(group) = self.get_mut(id) else {
            return;
        };
        group.retarget(leg);
        for id in group.members.iter() {
            if let Some(unit) = roster.get_mut(id) {
                unit.set_out(group.target.first_state());
            }
        }
    }

    /// The same for a target that the game names: a part of a formation then marches around
    /// its own middle.
    pub(crate) fn send(&mut self, id: GroupId, leg: Leg, roster: &mut Roster) {
        if let Ok(group) = self.get_mut(id)
            && let Some(march) = &mut group.march
        {
            let units = roster.of(&group.members);
            march.center(units.map(|unit| unit.position));
        }
        self.set_out(id, leg, roster);
    }

    /// Returns the lowest number of a shared pace that no group has but those of these indices.
    pub(crate) fn free_pace(&self, groups: &BTreeSet<u32>) -> u32 {
        let others = self.ids().filter(|id| !groups.contains(&id.index));
        let numbers = others.filter_map(|id| self.all[id.index()].settings.pace.number());
        let taken = BTreeSet::from_iter(numbers);
        let mut free = (0..).filter(|number| !taken.contains(number));
        free.next().unwrap_or_default()
    }

    pub(crate) fn at(&self, index: u32) -> Option<GroupId> {
        let group = self.all.get(index as usize)?;
        (!group.is_removed).then_some(group.id(index))
    }

    pub(crate) fn restore(&mut self, groups: Vec<Group>) {
        self.free = (0..)
            .zip(&groups)
            .filter(|(_, group)| group.is_removed && group.generation > 0)
            .map(|(index, _)| index)
            .collect();
        self.all = groups;
        self.touch();
    }

    pub(crate) fn orders_mut(&mut self) -> impl Iterator<Item = &mut Order> {
        self.all.iter_mut().flat_map(|group| {
            let targets = std::iter::once(&mut group.target).chain(&mut group.queue);
            let own = group
                .errand
                .iter_mut()
                .filter_map(|errand| errand.order.as_mut());
            targets.filter_map(Target::order_mut).chain(own)
        })
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = GroupId> {
        (0..)
            .zip(&self.all)
            .filter(|(_, group)| !group.is_removed)
            .map(|(index, group)| group.id(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::reading::Reading;

    #[test]
    fn a_place_is_given_no_more_after_its_last_generation() {
        let group = || Group::new(Target::Stand, Reading::Ahead);
        let mut groups = Groups::default();
        let first = groups.add(group()).unwrap();
        groups.all[0].generation = u32::MAX;
        let generation = u32::MAX;
        let last = GroupId {
            generation,
            ..first
        };
        assert!(groups.get(first).is_err() && groups.get(last).is_ok());
        groups.remove(last).unwrap();
        assert_eq!(groups.add(group()).unwrap().index, 1);
        assert!(groups.get(first).is_err() && groups.get(last).is_err());
        // Nor in an army that was saved and loaded.
        let mut loaded = Groups::default();
        loaded.restore(groups.all.clone());
        assert_eq!(loaded.add(group()).unwrap().index, 2);
        assert!(loaded.get(first).is_err());
    }
}
