//! Requests to a plan: more units, another goal.

use std::collections::BTreeSet;

use super::job::Job;
use super::paths::Scope;
use super::request::Request;
use super::{Plan, PlanScratch};
use crate::field::Flow;
use crate::grid::Cell;
use crate::kernel::octile;
use crate::map::Map;
use crate::order::goal::{Goal, Quality};
use crate::order::reach::Reach;

/// The part of its path that a link has to spare a unit in the field: to 10 of 11.
const SPARED: [u64; 2] = [11, 10];

/// The most goals to which paths from links are bounded.
const GOALS: usize = 64;

impl Plan {
    /// Adds units; returns whether there is work to do for them.
    pub(crate) fn join(&mut self, map: &Map, scratch: &mut PlanScratch, units: &[Cell]) -> bool {
        let mut work = false;
        let missed = self.missed_links(map);
        for &unit in units {
            if let Some(request) = &mut self.request {
                request.take_in(unit);
            } else if self.is_served(unit) && !self.may_spare(map, &missed, unit) {
                self.take_in(unit);
            } else {
                work |= self.serve(map, scratch, unit);
            }
        }
        work
    }

    /// The links through which the field does not lead, each with the least that a path from its
    /// entry to a goal can cost.
    fn missed_links(&self, map: &Map) -> Vec<(Cell, u64)> {
        let has_all = self.field.is_empty() || self.paths.scope == Scope::Everywhere;
        if has_all || map.links.open().is_empty() {
            return Vec::new();
        }
        let entries = self.field.links().iter().map(|link| link.entry);
        let known: BTreeSet<Cell> = entries.collect();
        let goals: Vec<(Cell, u64)> = self.goal_cells().take(GOALS).collect();
        let links = self.asked.reach.links(map);
        let missed = links.filter(|link| !known.contains(&link.entry));
        let bounded = missed.filter_map(|link| {
            let onward = goals
                .iter()
                .map(|&(goal, start)| start + least(map, link.exit, goal));
            let onward = onward.min()? + u64::from(link.price);
            Some((link.entry, onward))
        });
        bounded.collect()
    }

    /// Whether one of these links may spare a unit in the field a tenth of its path: the sectors
    /// were loaded for others, from where it may not have paid. Paths through several of them are
    /// not looked for.
    fn may_spare(&self, map: &Map, missed: &[(Cell, u64)], unit: Cell) -> bool {
        if missed.is_empty() || self.asked.units.has(unit) {
            return false;
        }
        let Some(cost) = self.cost_to_go(map, unit) else {
            return false;
        };
        let island = |cell| map.islands.of(&map.costs, cell);
        missed.iter().any(|&(entry, onward)| {
            let least = least(map, unit, entry) + onward;
            SPARED[0] * least < SPARED[1] * cost && island(entry) == island(unit)
        })
    }

    /// Whether the field leads a unit with the quality of the order. An exact order
    /// loads what its own units need; others may have better paths outside.
    fn is_served(&self, unit: Cell) -> bool {
        let is_exact = self.goal().quality() == Quality::Exact;
        let is_any = !is_exact || self.paths.scope == Scope::Everywhere;
        let is_led = !self.is_stale() && self.leads(unit);
        is_led && (is_any || self.asked.units.has(unit))
    }

    /// Whether the field leads a unit on, or did before the last change.
    pub(super) fn leads(&self, unit: Cell) -> bool {
        self.field.get(unit).is_some_and(Flow::leads_on)
    }

    /// Lets a new plan, for a claim that leaves others, give the directions of theirs until
    /// it has its own.
    pub(crate) fn in_place_of(mut self, other: &Self) -> Self {
        self.edition = other.edition;
        self.edition.next_ground();
        Self {
            field: other.field.clone(),
            made_for: other.made_for,
            revision: other.revision + 1,
            job: Some(Job::new(self.edition)),
            ..self
        }
    }

    /// Replaces goal and units. The work in hand is finished first, so that there is
    /// a field even for a goal that never stops moving.
    pub(crate) fn aim(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        goal: Goal,
        reach: Reach,
        units: &[Cell],
    ) {
        let request = Request::new(map.costs.extent(), goal, reach, units);
        self.request = Some(Box::new(request));
        self.edition.next_ground();
        self.make_again(map, scratch);
        debug_assert!(self.is_consistent());
    }

    /// Whether the plan would add a cell to its units: it is new, not served
    /// already, and not refused.
    pub(crate) fn would_keep(&self, map: &Map, unit: Cell) -> bool {
        let is_out = self.is_served(unit) || self.is_refused(map, unit);
        (self.is_turning() || !is_out) && !self.was_asked(unit)
    }

    /// Whether it has another goal waiting.
    pub(crate) const fn is_turning(&self) -> bool {
        self.request.is_some()
    }

    /// Serves a unit off the field; returns whether there is work to do for it.
    pub(crate) fn cover(&mut self, map: &Map, scratch: &mut PlanScratch, unit: Cell) -> bool {
        if let Some(request) = &mut self.request {
            request.take_in(unit);
            return false;
        }
        !self.is_served(unit) && !self.is_refused(map, unit) && self.serve(map, scratch, unit)
    }

    /// Adds a unit that is not served; returns whether there is work to do for it.
    fn serve(&mut self, map: &Map, scratch: &mut PlanScratch, unit: Cell) -> bool {
        // The plan is done but does not lead this requested unit: it may have
        // come out of a wall since.
        let is_forsaken = self.is_done() && self.reach().serves(map, unit);
        if self.asked.units.has(unit) && !is_forsaken {
            return false;
        }
        let served = self.seek_path(map, scratch, unit);
        if served && self.is_done() {
            self.job = Some(Job::new(self.edition));
        }
        debug_assert!(self.is_consistent());
        served
    }
}

/// No path between two cells costs less.
fn least(map: &Map, from: Cell, to: Cell) -> u64 {
    let steps = octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    steps * u64::from(map.costs.lowest())
}
