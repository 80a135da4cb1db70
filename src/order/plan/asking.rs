//! What is asked of a plan: more units, another goal.

use super::{Plan, Scratch, Stage};
use crate::chart::Chart;
use crate::field::Flow;
use crate::grid::Cell;
use crate::order::goal::Goal;
use crate::order::reach::Reach;
use crate::portal::{Island, Outlook};

impl Plan {
    /// Takes in more units; tells whether there is work to do for them.
    pub(crate) fn join(&mut self, chart: &Chart, scratch: &mut Scratch, units: &[Cell]) -> bool {
        let mut work = false;
        for &unit in units {
            work |= self.cover(chart, scratch, unit);
        }
        work
    }

    /// Takes another goal and other units. What is in hand is brought to its
    /// end first, so that a goal that moves all the time is led to all the
    /// same.
    pub(crate) fn aim(&mut self, chart: &Chart, scratch: &mut Scratch, goal: Goal, units: &[Cell]) {
        self.next_aim = Some((goal, units.to_vec()));
        if self.is_done() || matches!(self.stage, Stage::Search) && !self.search.is_begun() {
            self.begin(chart, scratch);
        } else {
            self.again = true;
            self.stale = true;
        }
    }

    /// Turns to the goal that was given last.
    pub(super) fn turn(&mut self, chart: &Chart) {
        if let Some((goal, units)) = self.next_aim.take() {
            self.goal = goal;
            self.units.clear();
            self.asked.clear();
            for unit in units {
                if self.asked.insert(unit) {
                    self.units.push(unit);
                }
            }
            self.reach = Reach::new(chart, &self.goal, &self.units);
        }
    }

    /// Has the search look for a way from a unit's cell, if it is not going to
    /// be loaded anyway; false if there can be
    /// none.
    pub(super) fn seek(&mut self, chart: &Chart, unit: Cell) -> bool {
        match chart.islands.of(&chart.costs, unit) {
            None if self.reach.may_serve(chart, unit) => self.lost.push(Outlook::new(unit)),
            Some(island) if self.hold(chart, island) => {
                if !self.everywhere {
                    self.search.want(chart, unit);
                }
            }
            _ => {
                self.left_out.push(unit);
                return false;
            }
        }
        true
    }

    /// Sees to it that an island has a goal, if the policy gives it one.
    pub(super) fn hold(&mut self, chart: &Chart, island: Island) -> bool {
        let known = self.reach.len();
        let held = self.reach.hold(chart, &self.goal, island);
        for source in self.reach.sources().skip(known) {
            self.search.add_source(source);
        }
        held
    }

    /// Serves a unit that stands off the field; tells whether there is work to
    /// do for it.
    pub(crate) fn cover(&mut self, chart: &Chart, scratch: &mut Scratch, unit: Cell) -> bool {
        let covered = !self.stale && self.field.get(unit).is_some_and(Flow::leads_on);
        let hopeless = self.goal.is_strict() && !self.reach.may_serve(chart, unit);
        if covered || hopeless || !self.asked.insert(unit) {
            return false;
        }
        if !self.everywhere {
            self.recall_search(chart, scratch);
        }
        self.units.push(unit);
        self.sectors = None;
        let served = self.seek(chart, unit);
        if served && matches!(self.stage, Stage::Done) {
            self.stage = Stage::Search;
        }
        served
    }
}
