//! What is asked of a plan: more units, another goal.

use super::lost::Lost;
use super::{Plan, PlanScratch, Retarget, Stage};
use crate::budget::{Paused, Work};
use crate::field::Flow;
use crate::grid::Cell;
use crate::map::Map;
use crate::order::goal::{Goal, Quality};
use crate::order::reach::Reach;
use crate::order::units::Units;

/// Work of finding out whether a unit can be led, and noting that it is to be.
const SEEK_WORK: u64 = 5;

impl Plan {
    /// Takes in more units; tells whether there is work to do for them.
    pub(crate) fn join(&mut self, map: &Map, scratch: &mut PlanScratch, units: &[Cell]) -> bool {
        let mut work = false;
        for &unit in units {
            if let Some(turn) = &mut self.turn {
                turn.units.take_in(unit);
            } else if self.is_served(unit) {
                // There is nothing to do for it now, but when the map changes.
                let is_sought = self.sought == self.units.cells().len();
                self.sought += usize::from(self.units.take_in(unit) && is_sought);
            } else {
                work |= self.serve(map, scratch, unit);
            }
        }
        work
    }

    /// Whether the field leads a unit as well as the order's quality asks: an exact
    /// one loads what its own units need, and others may have better ways outside.
    fn is_served(&self, unit: Cell) -> bool {
        let is_any = self.goal.quality() != Quality::Exact || self.everywhere;
        self.is_led(unit) && (is_any || self.units.has(unit))
    }

    /// Whether the field leads a unit, as far as is known.
    fn is_led(&self, unit: Cell) -> bool {
        !self.stale && self.field.get(unit).is_some_and(Flow::leads_on)
    }

    /// Claimed again after nobody had claimed it: serves these units in place of
    /// those before. Where its field leads them all there is no work to do.
    pub(crate) fn take_up(&mut self, map: &Map, scratch: &mut PlanScratch, units: &[Cell]) {
        self.units = Units::new(map.costs.extent(), units);
        self.exits.clear();
        self.left_out.clear();
        let field = &self.field;
        let is_led = |&unit: &Cell| field.get(unit).is_some_and(Flow::leads_on);
        let (strict, reach) = (self.goal.is_strict(), &self.reach);
        let hopeless = |&unit: &Cell| strict && !reach.may_serve(map, unit);
        let cells = self.units.cells();
        if cells.iter().all(|unit| is_led(unit) || hopeless(unit)) {
            self.left_out = cells.iter().copied().filter(hopeless).collect();
            self.sought = cells.len();
            return;
        }
        if !self.everywhere {
            self.recall_search(scratch);
        }
        self.sought = 0;
        self.inherited = true;
        self.stage = Stage::Search;
    }

    /// A plan for a claim that goes its own way: it leads by the same directions until
    /// it has been aimed and has its own.
    pub(crate) fn copy(&self, map: &Map, scratch: &mut PlanScratch) -> Self {
        let reach = Reach::new(map, &self.goal, &[]);
        Self {
            field: self.field.clone(),
            stale: self.stale,
            revision: self.revision,
            ..Self::new(map, scratch, self.goal.clone(), reach, &[])
        }
    }

    /// Takes another goal and other units. What is in hand is brought to its
    /// end first, so that a goal that moves all the time is led to all the
    /// same.
    pub(crate) fn aim(&mut self, map: &Map, scratch: &mut PlanScratch, goal: Goal, units: &[Cell]) {
        let units = Units::new(map.costs.extent(), units);
        self.turn = Some(Retarget { goal, units });
        if self.is_done() || matches!(self.stage, Stage::Search) && !self.is_begun() {
            self.begin(map, scratch);
        } else {
            self.again = true;
            self.stale = true;
            self.revision += 1;
        }
    }

    /// Turns to the goal that was given last.
    pub(super) fn turn(&mut self, map: &Map) {
        if let Some(Retarget { goal, units }) = self.turn.take() {
            (self.goal, self.units) = (goal, units);
            self.reach = Reach::new(map, &self.goal, self.units.cells());
        }
    }

    /// Has the search look for paths from all units' cells.
    pub(super) fn seek_units(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<(), Paused> {
        while let Some(&unit) = self.units.cells().get(self.sought) {
            work.check()?;
            self.seek(map, unit);
            work.count(SEEK_WORK);
            self.sought += 1;
            if self.sought == self.units.cells().len() && !self.everywhere {
                self.settle_how_far(map, scratch);
            }
        }
        Ok(())
    }

    /// Has the search look for a way from a unit's cell, if it is not going to
    /// be loaded anyway; false if there can be none.
    pub(super) fn seek(&mut self, map: &Map, unit: Cell) -> bool {
        match map.islands.of(&map.costs, unit) {
            None if self.reach.may_serve(map, unit) => {
                self.lost.push(Lost::new(map.costs.extent(), unit));
            }
            Some(island) if self.reach.hold(&self.goal, island, unit) => {
                if !self.everywhere {
                    self.search.want(map, unit);
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
    pub(crate) fn would_keep(&self, map: &Map, unit: Cell) -> bool {
        let is_out = self.is_served(unit) || self.is_refused(map, unit);
        (self.is_turning() || !is_out) && !self.was_asked(unit)
    }

    /// Whether a unit is never going to be led.
    fn is_refused(&self, map: &Map, unit: Cell) -> bool {
        self.goal.is_strict() && !self.reach.may_serve(map, unit)
    }

    /// Whether it has been given another goal that it has not turned to yet.
    pub(crate) const fn is_turning(&self) -> bool {
        self.turn.is_some()
    }

    /// Serves a unit that stands off the field; tells whether there is work to
    /// do for it.
    pub(crate) fn cover(&mut self, map: &Map, scratch: &mut PlanScratch, unit: Cell) -> bool {
        if let Some(turn) = &mut self.turn {
            turn.units.take_in(unit);
            return false;
        }
        !self.is_served(unit) && !self.is_refused(map, unit) && self.serve(map, scratch, unit)
    }

    /// Whether nothing is being done for a unit on open ground that could reach a
    /// goal.
    fn is_forsaken(&self, map: &Map, unit: Cell) -> bool {
        self.is_done() && self.reach.serves(map, unit)
    }

    /// Takes in a unit that was not asked for before; tells whether there is work
    /// to do for it. One without a chance is kept for when a way opens.
    fn serve(&mut self, map: &Map, scratch: &mut PlanScratch, unit: Cell) -> bool {
        // One that was asked for and is not led, though all is done, may have come
        // out of a wall since.
        let is_known = self.units.has(unit);
        if is_known && !self.is_forsaken(map, unit) {
            return false;
        }
        if !self.everywhere && !self.is_refused(map, unit) {
            self.recall_search(scratch);
        }
        // Who comes while others are to be sought is so after them.
        let is_sought = self.sought == self.units.cells().len();
        self.units.take_in(unit);
        let served = !is_sought || self.seek(map, unit);
        self.sought += usize::from(is_sought && !is_known);
        if served && matches!(self.stage, Stage::Done) {
            self.stage = Stage::Search;
        }
        served
    }
}
