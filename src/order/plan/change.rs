//! What a change of the map means to a plan.
//!
//! Directions in the changed sectors are withdrawn at once, and beside them those that
//! now cut a corner, so no unit is ever sent into a wall. The plan is made again if
//!
//! - a sector that it depends on has changed;
//! - ground has become cheaper where a shorter path might lead, by the search's own
//!   lower bound;
//! - the lowest cost of the map has changed, on which all estimates depend;
//! - other links may lead to the goals;
//! - a unit that was shut in is free; or
//! - under `or_nearest`, a nearer goal may exist: a nearer cell has opened, or an
//!   island was joined to the goal's.
//!
//! Else it stays as it is. Work in hand is finished on the map as it was, with the
//! former costs of changed tiles, which the change brings. Then the plan is made again,
//! behind all others: so every plan is finished, and no order starves another. Work that
//! only adds units to the field is dropped instead, since what follows serves them too.

use super::request::Request;
use super::{Place, Plan, PlanScratch, Stage};
use crate::map::{AffectedSector, Change, Map};
use crate::order::reach::GoalStatus;

impl Plan {
    /// After a change: withdraws the directions that it has made invalid. An integration under
    /// way keeps the former costs. Returns the plan's place in the queue if it is made again.
    pub(crate) fn on_change(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        change: &Change,
    ) -> Option<Place> {
        let place = self.invalidate(map, scratch, change);
        debug_assert!(self.is_consistent());
        place
    }

    fn invalidate(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        change: &Change,
    ) -> Option<Place> {
        if let Some(request) = &mut self.request {
            request.reach.expire();
        }
        if let Some(Stage::Integrate(integration)) = self.stage_mut() {
            for (sector, tile) in &change.former {
                integration.region.keep(*sector, tile);
            }
        }
        if !change.is_surcharge {
            self.withdraw(map, &change.around);
            if let Some(stage) = self.stage_mut() {
                stage.invalidate(map, &change.around);
            }
        }
        let Request { goal, units, reach } = &mut self.asked;
        let status = reach.on_change(map, goal, units, change);
        if status == GoalStatus::Lost {
            reach.expire();
            self.edition.next_ground();
            self.begin(map, scratch);
            return Some(Place::MovesBack);
        }
        let concerned = status == GoalStatus::Stale
            || change.lowest_moved
            || !self.paths.search.links().eq(self.asked.reach.links(map))
            || self.is_concerned(map, change);
        self.fit_search(map, scratch, change);
        if !concerned {
            return None;
        }
        if change.is_surcharge {
            self.edition.next_prices();
        } else {
            if let Some(Stage::Integrate(integration)) = self.stage_mut() {
                integration.note_since(&change.around);
            }
            self.edition.next_ground();
        }
        self.make_again(map, scratch);
        Some(Place::Stays)
    }

    /// After a change in what the search has seen: what the search has found cannot
    /// be built on. A finished search forgets it; one under way finishes with it.
    fn fit_search(&mut self, map: &Map, scratch: &mut PlanScratch, change: &Change) {
        let extent = map.costs.extent();
        let mut changed = change.sectors.iter().map(|r| extent.sector(r.sector));
        let under_way = self.is_searching();
        let search = &mut self.paths.search;
        if under_way {
            search.refit(map, changed);
        } else if changed.any(|sector| search.has_seen(map, sector)) {
            search.forget(&mut scratch.search);
        }
    }

    /// Withdraws the directions of the field that a change has made invalid.
    fn withdraw(&mut self, map: &Map, around: &[AffectedSector]) {
        let is_concerned = around.iter().any(|at| self.field.has_sector(at.sector));
        self.revision += u64::from(is_concerned);
        for &affected in around {
            self.field.invalidate(&map.costs, affected);
        }
    }

    fn stage_mut(&mut self) -> Option<&mut Stage> {
        self.job.as_mut().map(|job| &mut job.stage)
    }

    /// Whether paths are looked for, now or after the work in hand.
    pub(super) fn is_searching(&self) -> bool {
        !self.has_searched() || self.has_more_to_find()
    }

    /// Whether a change may affect the paths found or those being looked for.
    fn is_concerned(&self, map: &Map, change: &Change) -> bool {
        let lowered = change.sectors.iter().any(|changed| changed.lowered);
        if lowered && self.may_lead_more(map, change) {
            return true;
        }
        // While sectors are loaded, every sector that the search has seen counts.
        let region = self
            .stage()
            .and_then(Stage::integration)
            .map(|integration| &integration.region);
        let in_hand = |sector| {
            region.is_some_and(|region| region.has_sector(sector) || region.may_load(sector))
        };
        let touches = |sector| self.field.has_sector(sector) || in_hand(sector);
        let searching = self.is_searching();
        let extent = map.costs.extent();
        // Beside a changed cell, only a wall matters.
        change
            .around
            .iter()
            .filter(|affected| affected.changed || !change.is_surcharge)
            .any(|touched| touches(touched.sector))
            || change.sectors.iter().any(|changed| {
                let sector = extent.sector(changed.sector);
                searching && self.search().has_seen(map, sector)
                    || changed.lowered && self.search().may_gain(map, changed.area)
            })
    }
}
