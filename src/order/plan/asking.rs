//! What is asked of a plan: more units, another goal.

use super::lost::Lost;
use super::{Plan, Scratch, Stage, Turn, as_asked};
use crate::chart::Chart;
use crate::field::Flow;
use crate::grid::Cell;
use crate::order::goal::{Goal, Quality};
use crate::order::reach::Reach;

impl Plan {
    /// Takes in more units; tells whether there is work to do for them.
    pub(crate) fn join(&mut self, chart: &Chart, scratch: &mut Scratch, units: &[Cell]) -> bool {
        let mut work = false;
        for &unit in units {
            if let Some(turn) = &mut self.turn {
                turn.take_in(unit);
            } else if self.is_led(unit) && self.goal.quality() != Quality::Exact {
                // There is nothing to do for it now, but when the map changes.
                if self.asked.insert(unit) {
                    self.units.push(unit);
                }
            } else {
                work |= self.serve(chart, scratch, unit);
            }
        }
        work
    }

    /// Whether the field leads a unit, as far as is known.
    fn is_led(&self, unit: Cell) -> bool {
        !self.stale && self.field.get(unit).is_some_and(Flow::leads_on)
    }

    /// Claimed again after nobody had claimed it: serves these units in place of
    /// those before. Where its field leads them all there is no work to do.
    pub(crate) fn take_up(&mut self, chart: &Chart, scratch: &mut Scratch, units: &[Cell]) {
        (self.units, self.asked) = as_asked(units);
        self.exits.clear();
        self.left_out.clear();
        let field = &self.field;
        let is_led = |&unit: &Cell| field.get(unit).is_some_and(Flow::leads_on);
        let (strict, reach) = (self.goal.is_strict(), &self.reach);
        let hopeless = |&unit: &Cell| strict && !reach.may_serve(chart, unit);
        if self.units.iter().all(|unit| is_led(unit) || hopeless(unit)) {
            self.left_out = self.units.iter().copied().filter(hopeless).collect();
            return;
        }
        if self.everywhere {
            for at in 0..self.units.len() {
                self.seek(chart, self.units[at]);
            }
        } else {
            self.recall_search(chart, scratch);
        }
        self.inherited = true;
        self.stage = Stage::Search;
    }

    /// Takes another goal and other units. What is in hand is brought to its
    /// end first, so that a goal that moves all the time is led to all the
    /// same.
    pub(crate) fn aim(&mut self, chart: &Chart, scratch: &mut Scratch, goal: Goal, units: &[Cell]) {
        let (units, asked) = as_asked(units);
        self.turn = Some(Turn { goal, units, asked });
        if self.is_done() || matches!(self.stage, Stage::Search) && !self.is_begun() {
            self.begin(chart, scratch);
        } else {
            self.again = true;
            self.stale = true;
        }
    }

    /// Turns to the goal that was given last.
    pub(super) fn turn(&mut self, chart: &Chart) {
        if let Some(Turn { goal, units, asked }) = self.turn.take() {
            (self.goal, self.units, self.asked) = (goal, units, asked);
            self.reach = Reach::new(chart, &self.goal, &self.units);
        }
    }

    /// Has the search look for a way from a unit's cell, if it is not going to
    /// be loaded anyway; false if there can be
    /// none.
    pub(super) fn seek(&mut self, chart: &Chart, unit: Cell) -> bool {
        match chart.islands.of(&chart.costs, unit) {
            None if self.reach.may_serve(chart, unit) => {
                self.lost.push(Lost::new(chart.costs.extent(), unit));
            }
            Some(island) if self.reach.hold(&self.goal, island, unit) => {
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

    /// Whether a cell is one to be taken in, and not known or led already, or
    /// without a chance.
    pub(crate) fn would_keep(&self, chart: &Chart, unit: Cell) -> bool {
        let is_out = self.is_led(unit) || self.is_refused(chart, unit);
        (self.is_turning() || !is_out) && !self.was_asked(unit)
    }

    /// Whether a unit is never going to be led.
    fn is_refused(&self, chart: &Chart, unit: Cell) -> bool {
        self.goal.is_strict() && !self.reach.may_serve(chart, unit)
    }

    /// Whether it has been given another goal that it has not turned to yet.
    pub(crate) const fn is_turning(&self) -> bool {
        self.turn.is_some()
    }

    /// Serves a unit that stands off the field; tells whether there is work to
    /// do for it.
    pub(crate) fn cover(&mut self, chart: &Chart, scratch: &mut Scratch, unit: Cell) -> bool {
        if let Some(turn) = &mut self.turn {
            turn.take_in(unit);
            return false;
        }
        !self.is_led(unit) && self.serve(chart, scratch, unit)
    }

    /// Takes in a unit that has a chance and was not asked for before; tells
    /// whether there is work to do for it.
    fn serve(&mut self, chart: &Chart, scratch: &mut Scratch, unit: Cell) -> bool {
        if self.is_refused(chart, unit) || !self.asked.insert(unit) {
            return false;
        }
        if !self.everywhere {
            self.recall_search(chart, scratch);
        }
        self.units.push(unit);
        let served = self.seek(chart, unit);
        if served && matches!(self.stage, Stage::Done) {
            self.stage = Stage::Search;
        }
        served
    }
}
