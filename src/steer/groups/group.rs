//! A group: units with a common target.

use super::errand::Errand;
use super::settings::GroupSettings;
use super::target::Target;
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::order::Order;
use crate::steer::formation::{Line, March, NO_SLOT, Trail};
use crate::steer::reading::Reading;
use crate::steer::units::{GroupId, IdSet, Roster};
use crate::vector::{NONE, Vector};

/// A target, and the line on which units draw up there.
pub(crate) type Leg = (Target, Option<Line>);

#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) target: Target,
    /// The line on which its units draw up at the end of its march.
    pub(crate) line: Option<Line>,
    /// The targets that follow, the next one first, and the line of each.
    pub(crate) queue: Vec<Target>,
    pub(super) lines: Vec<Option<Line>>,
    /// Whether a target that is reached goes to the end of the queue.
    pub(crate) patrols: bool,
    pub(crate) settings: GroupSettings,
    pub(crate) march: Option<March>,
    /// Of a group that keeps its width; empty otherwise.
    pub(crate) trail: Trail,
    pub(crate) errand: Option<Box<Errand>>,
    pub(crate) members: IdSet,
    /// How many groups were at this place before.
    pub(crate) generation: u32,
    pub(crate) is_removed: bool,
    pub(crate) announced: bool,
}

impl Default for Group {
    fn default() -> Self {
        Self::new(Target::Flock, Reading::default())
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
            line: None,
            queue: Vec::new(),
            lines: Vec::new(),
            patrols: false,
            march: None,
            trail: Trail::default(),
            members: IdSet::default(),
            generation: 0,
            is_removed: false,
        }
    }

    /// Returns the id of the group, which is at this place.
    pub(crate) const fn id(&self, index: u32) -> GroupId {
        let generation = self.generation;
        GroupId { index, generation }
    }

    /// Whether each of its units stops at a place of its own, at the end of a march.
    pub(crate) const fn has_places(&self) -> bool {
        self.march.is_none() && self.settings.planes > 0
    }

    /// Gives the group one more leg after all that it has.
    pub(crate) fn add_leg(&mut self, (target, line): Leg) {
        self.queue.push(target);
        self.lines.push(line);
    }

    pub(crate) fn forget_queue(&mut self) {
        self.queue = Vec::new();
        self.lines = Vec::new();
    }

    /// Returns the lines of its target and of those that follow; none if there are none.
    pub(crate) fn lines(&self) -> Vec<Option<Line>> {
        let mut lines = vec![self.line];
        lines.extend(&self.lines);
        lines
    }

    /// Sets these lines anew.
    pub(crate) fn set_lines(&mut self, lines: &[Option<Line>]) {
        self.line = lines.first().copied().flatten();
        self.lines = lines.iter().skip(1).copied().collect();
        self.lines.resize(self.queue.len(), None);
    }

    /// Returns the layer on which the group will be after its queue.
    pub(crate) fn last_layer(&self) -> LayerId {
        let mut last = self.queue.iter().rev();
        last.find_map(Target::layer).unwrap_or(self.settings.layer)
    }

    /// Gives the group another target; its units must set out for it.
    pub(super) fn retarget(&mut self, (target, line): Leg) {
        self.announced = target.holds();
        let settings = &mut self.settings;
        settings.layer = target.layer().unwrap_or(settings.layer);
        self.errand = target.errand();
        (self.target, self.line) = (target, line);
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

    /// Returns the next leg of the queue, if the group has reached its
    /// target; puts this one at the end on a patrol.
    pub(crate) fn next_leg(&mut self) -> Option<Leg> {
        if self.queue.is_empty() {
            return None;
        }
        if self.patrols {
            self.add_leg((self.target.clone(), self.line));
        }
        Some((self.queue.remove(0), self.lines.remove(0)))
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
