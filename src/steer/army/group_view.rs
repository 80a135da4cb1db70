//! What a game may know of a group.

use super::Army;
use crate::cost::{LayerId, Teams};
use crate::order::Order;
use crate::steer::groups::{Group, Pace, Target};
use crate::steer::reading::Reading;
use crate::steer::units::{GroupId, Roster, Unit};

/// A group of an army: all that can be set for it, and its units.
#[derive(Clone, Copy)]
pub struct GroupView<'a> {
    group: &'a Group,
    roster: &'a Roster,
}

impl Army {
    /// Returns a group, to ask for all that can be set for it; `None` if the army has no such
    /// group.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Pace, Reading, Target};
    ///
    /// let mut army = Army::default();
    /// let guards = army.add_group(Target::Hold, Reading::Ahead)?;
    /// army.set_planes(guards, 0b11)?;
    /// army.set_pace(guards, Pace::Slowest)?;
    /// let group = army.group(guards).expect("it was added");
    /// assert_eq!((group.target(), group.planes()), (&Target::Hold, 0b11));
    /// assert_eq!((group.pace(), group.members().count()), (Pace::Slowest, 0));
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

    /// The movement layer: that of its last order, or the one that was
    /// [set](Army::set_layer).
    #[must_use]
    pub const fn layer(self) -> LayerId {
        self.group.layer
    }

    /// How it reads its order's field.
    #[must_use]
    pub const fn reading(self) -> Reading {
        self.group.reading
    }

    /// How fast its units go.
    #[must_use]
    pub const fn pace(self) -> Pace {
        self.group.pace
    }

    /// The team.
    #[must_use]
    pub const fn team(self) -> u8 {
        self.group.allegiance.team
    }

    /// The teams whose units it takes for foes.
    #[must_use]
    pub const fn foes(self) -> Teams {
        self.group.allegiance.foes
    }

    /// The planes on which its units are, a bit for each.
    #[must_use]
    pub const fn planes(self) -> u8 {
        self.group.planes
    }

    /// Whether it [keeps its width](Army::keep_width).
    #[must_use]
    pub const fn keeps_width(self) -> bool {
        self.group.trail.is_some()
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
