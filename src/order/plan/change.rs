//! What a change of the map means to a plan.

use super::{Concern, Plan, PlanScratch, Stage};
use crate::field::Flow;
use crate::grid::{Cell, SectorId, Slot};
use crate::kernel::step_price;
use crate::map::{Change, Map, Touched};
use crate::order::reach::{Reach, Standing};

impl Plan {
    /// Before the costs of some sectors change: has an integration that is
    /// going on keep them as they are.
    pub(crate) fn before_change(&mut self, map: &Map, touched: &[SectorId]) {
        if let Stage::Integrate(region) = &mut self.stage {
            for &sector in touched {
                region.keep(&map.costs, sector);
            }
        }
    }

    /// After a change: takes back the directions that it has made doubtful,
    /// and finds out what it means to the plan.
    pub(crate) fn meet_change(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        change: &Change,
    ) -> Concern {
        let holds = |touched: &Touched| self.field.holds(touched.sector);
        self.revision += u64::from(change.around.iter().any(holds));
        for touched in &change.around {
            self.field.doubt(touched.sector, doubtful(map, touched));
            if let Stage::Patch(region) = &mut self.stage {
                region.doubt(touched.sector, doubtful(map, touched));
            }
        }
        self.first_directions.doubt(&change.around);
        for lost in &mut self.lost {
            lost.meet_change();
        }
        let standing = self.reach.meet_change(map, &self.goal, &self.units, change);
        if standing == Standing::Lost {
            self.reach = Reach::new(map, &self.goal, self.units.cells());
            self.begin(map, scratch);
            return Concern::Anew;
        }
        let concerned = standing == Standing::Doubtful
            || change.lowest_moved
            || change.landmarks_moved && self.is_searching() && self.search.is_begun()
            || self.is_concerned(map, change);
        self.fit_search(map, scratch, change);
        match &self.stage {
            Stage::Done if concerned => {
                self.begin(map, scratch);
                Concern::Later
            }
            Stage::Search if concerned && !self.is_begun() => {
                self.begin(map, scratch);
                Concern::Later
            }
            Stage::Done => Concern::None,
            _ if concerned => {
                if matches!(self.stage, Stage::Integrate(_)) {
                    self.note_since(&change.around);
                }
                self.again = true;
                self.stale = true;
                self.revision += 1;
                Concern::Later
            }
            _ => Concern::None,
        }
    }

    /// After a change in what the search has seen, or in what it estimated by:
    /// what it knows is not to be built on. One that is done forgets it; one
    /// under way is brought to its end with it.
    fn fit_search(&mut self, map: &Map, scratch: &mut PlanScratch, change: &Change) {
        let extent = map.costs.extent();
        let changed = change.sectors.iter().map(|r| extent.sector(r.sector));
        let under_way = self.is_searching();
        for sector in changed {
            if under_way {
                self.search.refit(&map.graph, sector);
            } else if change.landmarks_moved || self.search.has_seen(extent, sector) {
                self.search.forget(&mut scratch.search);
            }
        }
    }

    /// The landmarks are others now: a search under way aims by them.
    pub(crate) fn aim_anew(&mut self, scratch: &mut PlanScratch) {
        self.search.drop_queue(&mut scratch.search);
    }

    /// Whether ways are looked for, or will be as soon as what is in hand is
    /// done.
    pub(super) fn is_searching(&self) -> bool {
        matches!(self.stage, Stage::Search | Stage::Load(_)) || self.has_more_to_find()
    }

    /// Whether somebody waits to be looked for.
    pub(super) fn has_more_to_find(&self) -> bool {
        self.sought < self.units.cells().len()
            || !self.search.is_served()
            || !self.lost.is_empty()
            || self.reach.is_looking()
    }

    /// Whether goals or ways have been looked for.
    pub(super) const fn is_begun(&self) -> bool {
        self.sought > 0 || self.reach.has_looked() || self.search.is_begun()
    }

    /// Notes at which sectors an edit has been since the integration was begun.
    fn note_since(&mut self, around: &[Touched]) {
        for &touched in around {
            match self.since.get_mut(touched.sector) {
                Some(known) => known.changed |= touched.changed,
                None => self.since.push(touched.sector, touched),
            }
        }
    }

    /// Whether a change can make a difference to the ways found, or to those
    /// being looked for.
    fn is_concerned(&self, map: &Map, change: &Change) -> bool {
        let lowered = change.sectors.iter().any(|rewritten| rewritten.lowered);
        let hoped = |&unit: &Cell| self.reach.serves(map, unit);
        if lowered
            && (change.joined || self.units.any_in(&change.relabelled))
            && self.left_out.iter().any(hoped)
        {
            return true;
        }
        let in_hand = |sector| match &self.stage {
            Stage::Integrate(region) | Stage::Patch(region) => {
                region.holds(sector) || region.may_load(sector)
            }
            // While sectors are loaded, all that is seen by the search counts.
            Stage::Search | Stage::Load(_) | Stage::Done => false,
        };
        let touches = |sector| self.field.holds(sector) || in_hand(sector);
        let searching = self.is_searching();
        let extent = map.costs.extent();
        let mut around = change.around.iter();
        around.any(|touched| touches(touched.sector))
            || change.sectors.iter().any(|rewritten| {
                let sector = extent.sector(rewritten.sector);
                searching && self.search.has_seen(extent, sector)
                    || rewritten.lowered && self.search.may_gain(map, rewritten.area)
            })
    }
}

/// Which directions a change has made doubtful: in a changed sector all, in one
/// beside it those that the step rule no longer allows.
pub(super) fn doubtful<'a>(
    map: &'a Map,
    touched: &'a Touched,
) -> impl Fn(Slot, Flow) -> bool + use<'a> {
    |slot, flow| {
        let cell = touched.sector.cell_at(slot);
        let step = |way| step_price(&map.costs, cell, way);
        touched.changed || flow.direction().is_some_and(|way| step(way).is_none())
    }
}
