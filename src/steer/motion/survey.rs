//! What a step knows of the groups beside what is set of them: made anew by each step, but for
//! the sums over all units, which hold as long as nothing in them has changed.

use std::collections::BTreeMap;

#[cfg(feature = "crowd")]
use crate::crowd::StreamId;
use crate::grid::Cell;
use crate::steer::groups::{Group, Pace};
use crate::steer::units::{Roster, Unit, UnitState};
use crate::steer::walls::GroupLayer;
use crate::vector::{greater, lesser};

/// What is known of all units.
pub(super) struct Survey {
    /// Of each group.
    pub(super) goals: Vec<GroupGoal>,
    pub(super) counts: Vec<Counts>,
    /// By the key of a goal.
    tallies: Vec<Tally>,
    pub(super) ends: EndTallies,
    /// The largest radius and the greatest speed.
    pub(super) widest: f32,
    pub(super) fastest: f32,
    /// Whether a weight is not 1.
    pub(super) are_weighted: bool,
}

/// Where a group goes.
#[derive(Clone, Copy, Default)]
pub(super) struct GroupGoal {
    /// The number of the first group with the same goal; arrivals count these as one.
    pub(super) key: u32,
    /// The goal cell, if the goal has only one.
    pub(super) only: Option<Cell>,
    /// Whether the order may lead units to different cells.
    pub(super) has_several_ends: bool,
}

/// The sums over all groups with the same goal, taken before each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// The sum of the squared radii of the arrived units, and of all units that
    /// have arrived or can.
    settled: f32,
    expected: f32,
}

/// The tallies of goal cells other than the first of a goal, by the goal's key
/// and the cell's column and row.
pub(super) type EndTallies = BTreeMap<(u32, [i32; 2]), Tally>;

/// The numbers of units in two of the states.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) marching: u32,
    pub(super) arrived: u32,
}

/// A group in a step.
pub(super) struct GroupStep<'a> {
    pub(super) group: &'a Group,
    pub(super) layer: &'a GroupLayer<'a>,
    pub(super) goal: GroupGoal,
    pub(super) tally: Tally,
    /// The greatest speed that the pace allows.
    pub(super) top: f32,
    /// The unit that it follows, as it was before the step.
    pub(super) leader: Option<&'a Unit>,
    #[cfg(feature = "crowd")]
    pub(super) stream: Option<StreamId>,
}

impl Survey {
    /// Looks at all units once: sums up the sizes of those that arrive, for each goal, and
    /// for each end of an order with several, and counts them.
    pub(super) fn of(groups: &[Group], roster: &Roster) -> Self {
        let goals = goals_of(groups);
        let (mut widest, mut fastest, mut are_weighted) = (0.0, 0.0, false);
        let mut tallies = vec![Tally::default(); groups.len()];
        let mut counts = vec![Counts::default(); groups.len()];
        let mut ends = EndTallies::new();
        for unit in roster.units() {
            let at = unit.group.index();
            counts[at].add(unit.state);
            widest = greater(widest, unit.radius);
            fastest = greater(fastest, unit.speed);
            are_weighted |= unit.weight != 1.0;
            let key = goals[at].key;
            let end = unit.memory.end;
            let tally = match end.filter(|&end| groups[at].goal() != Some(end)) {
                Some(end) => ends.entry((key, [end.x, end.y])).or_default(),
                None => &mut tallies[key as usize],
            };
            let square = unit.radius * unit.radius;
            match unit.state {
                UnitState::Marching | UnitState::Engaged => {}
                UnitState::Arrived => tally.settled += square,
                UnitState::Unreachable => continue,
            }
            tally.expected += square;
        }
        Self {
            goals,
            counts,
            tallies,
            ends,
            widest,
            fastest,
            are_weighted,
        }
    }

    /// Returns the sums over all groups with the same goal.
    pub(super) fn tally(&self, goal: GroupGoal) -> Tally {
        self.tallies[goal.key as usize]
    }
}

/// Returns the greatest speed that the pace of each group allows.
pub(super) fn tops(groups: &[Group], roster: &Roster) -> Vec<f32> {
    let mut tops = vec![f32::MAX; groups.len()];
    let pace = |at: usize| groups[at].settings.pace;
    if (0..tops.len()).all(|at| pace(at) == Pace::Own) {
        return tops;
    }
    let mut shared = BTreeMap::new();
    let on_way = |unit: &&Unit| unit.state == UnitState::Marching;
    for unit in roster.stirring().filter(on_way) {
        let at = unit.group.index();
        let top = match pace(at) {
            Pace::Own => continue,
            Pace::Slowest => &mut tops[at],
            Pace::Shared(number) => shared.entry(number).or_insert(f32::MAX),
        };
        *top = lesser(*top, unit.speed);
    }
    for (at, top) in tops.iter_mut().enumerate() {
        let number = pace(at).number();
        if let Some(&shared) = number.and_then(|number| shared.get(&number)) {
            *top = shared;
        }
    }
    tops
}

fn goals_of(groups: &[Group]) -> Vec<GroupGoal> {
    let mut firsts = BTreeMap::new();
    let goals = (0..).zip(groups).map(|(at, group)| {
        let goal = group.target.order().map(|order| order.goal());
        let only = goal
            .filter(|goal| goal.cells().nth(1).is_none())
            .map(|goal| goal.cell());
        let mark = group.target.mark();
        GroupGoal {
            key: mark.map_or(at, |mark| *firsts.entry(mark).or_insert(at)),
            only,
            has_several_ends: goal.is_some_and(|goal| only.is_none() || !goal.is_strict()),
        }
    });
    goals.collect()
}

impl Tally {
    pub(super) const NONE: Self = Self {
        settled: 0.0,
        expected: 0.0,
    };

    /// Returns the radius of the disc that the arrived units fill, closely
    /// packed.
    pub(super) fn filled(&self) -> f32 {
        (self.settled / 0.8).sqrt()
    }

    /// Returns the radius of the disc that all units that can arrive will fill,
    /// loosely packed.
    pub(super) fn disc(&self) -> f32 {
        (self.expected / 0.55).sqrt()
    }
}

impl Counts {
    fn of(&mut self, state: UnitState) -> Option<&mut u32> {
        match state {
            UnitState::Marching | UnitState::Engaged => Some(&mut self.marching),
            UnitState::Arrived => Some(&mut self.arrived),
            UnitState::Unreachable => None,
        }
    }

    fn add(&mut self, state: UnitState) {
        if let Some(count) = self.of(state) {
            *count += 1;
        }
    }

    /// Notes that a unit has changed its state.
    pub(super) fn change(&mut self, from: UnitState, to: UnitState) {
        if let Some(count) = self.of(from) {
            *count -= 1;
        }
        self.add(to);
    }
}
