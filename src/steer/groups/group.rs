//! A group: units with a common target, and the counts by which they arrive.

use std::collections::BTreeMap;

use super::errand::Errand;
use super::settings::GroupSettings;
use super::target::Target;
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::order::Order;
use crate::steer::formation::{March, NO_SLOT, Trail};
use crate::steer::reading::Reading;
use crate::steer::units::{IdSet, Roster, Unit};
use crate::vector::{NONE, Vector};

/// The unit that a group follows, as it was before the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leader {
    pub(crate) id: u32,
    pub(crate) position: Vector,
    pub(crate) velocity: Vector,
    pub(crate) radius: f32,
}

impl Leader {
    pub(crate) const fn of(unit: &Unit) -> Self {
        Self {
            id: unit.id,
            position: unit.position,
            velocity: unit.velocity,
            radius: unit.radius,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) target: Target,
    /// The targets that follow, the next one first.
    pub(crate) queue: Vec<Target>,
    /// Whether a target that is reached goes to the end of the queue.
    pub(crate) patrols: bool,
    pub(crate) settings: GroupSettings,
    /// The greatest speed that the pace allows in this step.
    pub(crate) top: f32,
    pub(crate) leader: Option<Leader>,
    pub(crate) march: Option<March>,
    /// Of a group that keeps its width; empty otherwise.
    pub(crate) trail: Trail,
    pub(crate) errand: Option<Box<Errand>>,
    #[cfg(feature = "crowd")]
    pub(crate) stream: Option<crate::crowd::StreamId>,
    pub(crate) members: IdSet,
    /// How many groups were at this place before.
    pub(crate) generation: u32,
    pub(crate) is_removed: bool,
    /// The number of the first group with the same goal.
    pub(crate) goal_key: u32,
    /// The goal cell, if the goal has only one.
    pub(crate) only_goal: Option<Cell>,
    /// Whether the order may lead units to different cells.
    pub(crate) has_several_ends: bool,
    pub(crate) tally: Tally,
    pub(crate) announced: bool,
}

impl Default for Group {
    fn default() -> Self {
        Self::new(Target::Flock, Reading::default())
    }
}

/// The sums over all groups with the same goal, taken before each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// The sum of the squared radii of the arrived units, and of all units that
    /// have arrived or can.
    pub(crate) settled: f32,
    pub(crate) expected: f32,
}

/// The tallies of goal cells other than the first of a goal, by the goal's key
/// and the cell's column and row.
pub(crate) type EndTallies = BTreeMap<(u32, [i32; 2]), Tally>;

impl Tally {
    pub(crate) const NONE: Self = Self {
        settled: 0.0,
        expected: 0.0,
    };

    /// Returns the radius of the disc that the arrived units fill, closely
    /// packed.
    pub(crate) fn filled(&self) -> f32 {
        (self.settled / 0.8).sqrt()
    }

    /// Returns the radius of the disc that all units that can arrive will fill,
    /// loosely packed.
    pub(crate) fn disc(&self) -> f32 {
        (self.expected / 0.55).sqrt()
    }
}

impl Group {
    pub(crate) fn new(target: Target, reading: Reading) -> Self {
        Self {
            announced: target.holds(),
            settings: GroupSettings {
                layer: target.layer().unwrap_or_default(),
                reading,
                ..GroupSettings::default()
            },
            errand: target.errand(),
            target,
            queue: Vec::new(),
            patrols: false,
            top: f32::MAX,
            leader: None,
            march: None,
            trail: Trail::default(),
            #[cfg(feature = "crowd")]
            stream: None,
            members: IdSet::default(),
            generation: 0,
            is_removed: false,
            goal_key: 0,
            only_goal: None,
            has_several_ends: false,
            tally: Tally::default(),
        }
    }

    /// Returns the layer on which the group will be after its queue.
    pub(crate) fn last_layer(&self) -> LayerId {
        let mut last = self.queue.iter().rev();
        last.find_map(Target::layer).unwrap_or(self.settings.layer)
    }

    /// Gives the group another target; its units must set out for it.
    pub(super) fn retarget(&mut self, target: Target) {
        self.announced = target.holds();
        let settings = &mut self.settings;
        settings.layer = target.layer().unwrap_or(settings.layer);
        self.errand = target.errand();
        self.target = target;
        if let Some(march) = &mut self.march {
            march.set_out();
        }
        self.forget_trail();
    }

    /// Forgets what the group remembers of units that are no longer in it, and the places
    /// of its formation that these had.
    pub(crate) fn keep_to_members(&mut self, roster: &mut Roster) {
        let members = &self.members;
        if let Some(errand) = &mut self.errand {
            errand.charges.retain(|&id, _| members.contains(id));
        }
        if let Some(march) = &mut self.march {
            let slots = roster.of(members).map(|unit| (unit.memory.slot, unit.id));
            for (id, slot) in march.keep(slots.collect()) {
                if let Some(unit) = roster.get_mut(id) {
                    unit.memory.slot = slot;
                }
            }
        }
    }

    pub(crate) const fn joiners_slot(&self) -> u32 {
        if self.march.is_some() { NO_SLOT } else { 0 }
    }

    /// Makes the units of a group that keeps its width take new lanes.
    pub(crate) fn forget_trail(&mut self) {
        self.trail = Trail::default();
    }

    /// Returns the next target of the queue, if the group has reached its
    /// target; puts this one at the end on a patrol.
    pub(crate) fn next_target(&mut self) -> Option<Target> {
        if self.queue.is_empty() {
            return None;
        }
        if self.patrols {
            self.queue.push(self.target.clone());
        }
        Some(self.queue.remove(0))
    }

    pub(super) fn removed(generation: u32) -> Self {
        Self {
            generation,
            is_removed: true,
            ..Self::new(Target::Flock, Reading::default())
        }
    }

    pub(crate) fn goal(&self) -> Option<Cell> {
        self.target.order().map(|order| order.goal().cell())
    }

    /// Returns the order along which the group goes: the game's, or one of its errand.
    pub(crate) fn order(&self) -> Option<&Order> {
        let own = || self.errand.as_ref()?.order.as_ref();
        self.target.order().or_else(own)
    }

    /// Notes what the steps ask about the order's goal.
    pub(super) fn note_goal(&mut self) {
        self.only_goal = None;
        self.has_several_ends = false;
        if let Some(order) = self.target.order() {
            let goal = order.goal();
            self.only_goal = goal.cells().nth(1).is_none().then(|| goal.cell());
            self.has_several_ends = self.only_goal.is_none() || !goal.is_strict();
        }
    }

    /// Returns the point to which the group is to come.
    pub(crate) fn point(&self) -> Vector {
        match &self.target {
            Target::Point(point) => *point,
            target => target
                .order()
                .map_or(NONE, |order| order.goal().cell().centre()),
        }
    }
}
