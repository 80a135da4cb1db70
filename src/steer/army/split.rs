//! A part of a group's units as a group of its own.

use std::collections::BTreeMap;

use super::Army;
use crate::steer::units::{ArmyError, GroupId, IdSet};

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
        for id in self.groups.get(to)?.members.iter() {
            if let Some(unit) = self.roster.get_mut(id) {
                unit.group = to;
            }
        }
        Ok(to)
    }
}
