//! What a game may know of a group.

use super::Army;
use crate::order::Order;
use crate::steer::groups::{Group, Target};
use crate::steer::units::{GroupId, Roster, Unit};

/// A group of an army: where it goes, and its units. Its [settings](Army::settings) are apart.
#[derive(Clone, Copy)]
pub struct GroupView<'a> {
    group: &'a Group,
    roster: &'a Roster,
}

impl Army {
    /// Returns a group, to ask where it goes; `None` if the army has no such group.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target};
    ///
    /// let mut army = Army::default();
    /// let guards = army.add_group(Target::Point([5.5, 5.5]), Reading::Ahead)?;
    /// army.queue(guards, Target::Hold)?;
    /// let group = army.group(guards).expect("it was added");
    /// assert_eq!(group.queue(), [Target::Hold]);
    /// assert_eq!((group.has_arrived(), group.members().count()), (false, 0));
    /// # Ok::<(), ArmyError>(())
    /// ```
    #[must_use]
    pub fn group(&self, id: GroupId) -> Option<GroupView<'_>> {
        let group = self.groups.get(id).ok()?;
        let roster = &self.roster;
        Some(GroupView { group, roster })
    }
}

impl<'a> GroupView<'a> {
    /// The target.
    #[must_use]
    pub const fn target(self) -> &'a Target {
        &self.group.target
    }

    /// The order along which its units go: that of its target, or the one that the army made
    /// for a pursuit or a flight.
    #[must_use]
    pub fn order(self) -> Option<&'a Order> {
        self.group.order()
    }

    /// The targets after the present one, the next first.
    #[must_use]
    pub fn queue(self) -> &'a [Target] {
        &self.group.queue
    }

    /// Whether it [patrols](Army::patrol): a target that it has reached comes again.
    #[must_use]
    pub const fn patrols(self) -> bool {
        self.group.patrols
    }

    /// Whether [`GroupArrived`](crate::steer::ArmyEvent::GroupArrived) was emitted for its
    /// present target.
    #[must_use]
    pub const fn has_arrived(self) -> bool {
        self.group.announced
    }

    /// Whether it is in [formation](Army::form), and how far apart its units march then.
    #[must_use]
    pub fn spacing(self) -> Option<f32> {
        self.group.march.as_ref().map(|march| march.spacing)
    }

    /// The units, by id.
    pub fn members(self) -> impl Iterator<Item = &'a Unit> {
        self.roster.of(&self.group.members)
    }
}
