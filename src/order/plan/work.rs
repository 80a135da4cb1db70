//! The work of a plan, a piece at a time.

use super::change::doubtful;
use super::loading::Loading;
use super::{Advance, Plan, PlanScratch, Stage};
use crate::budget::{Budget, LOOK_WORK, Paused, TILE_WORK, Work, run_to_end};
use crate::field::Region;
use crate::grid::Cell;
use crate::map::Map;
use crate::order::goal::Quality;
use crate::queue::BucketRing;

/// Work of taking back what an edit beside a sector has made doubtful, in cells.
const DOUBT_WORK: u64 = 30;

impl Plan {
    /// Works until the quantum is used up or the end is come to; tells how far
    /// that was and how much was worked.
    pub(crate) fn work(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        quantum: u64,
    ) -> (Advance, u64) {
        let mut work = Work::within(Budget::cells(quantum));
        loop {
            let end = self.advance(map, scratch, &mut work);
            if end != Advance::More || work.check().is_err() {
                return (end, work.done());
            }
        }
    }

    /// Finds the paths of all that are looked for.
    fn find_paths(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<(), Paused> {
        self.seek_units(map, scratch, work)?;
        self.find_goals(map, work)?;
        self.find_ways_out(map, work)?;
        // Those that units with a way out have come to want.
        self.reach.begin_look(map, &self.goal);
        self.find_goals(map, work)?;
        self.search.advance(map, &mut scratch.search, work)
    }

    /// Does a piece of the present stage; `work` counts what is done.
    fn advance(&mut self, map: &Map, scratch: &mut PlanScratch, work: &mut Work) -> Advance {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Search => {
                self.stage = match self.find_paths(map, scratch, work) {
                    Ok(()) => Stage::Load(self.begin_to_load(map, scratch)),
                    Err(Paused) => Stage::Search,
                };
            }
            Stage::Load(loading) => self.advance_load(map, scratch, loading, work),
            Stage::Integrate(region) if self.first_directions.advance(map, work).is_err() => {
                self.stage = Stage::Integrate(region);
            }
            Stage::Integrate(mut region) => {
                if region.advance(&map.costs, work).is_err() {
                    self.stage = Stage::Integrate(region);
                    return Advance::More;
                }
                return self.patch(map, scratch, region, work);
            }
            Stage::Patch(region) => return self.patch(map, scratch, region, work),
            Stage::Done => return Advance::Done,
        }
        Advance::More
    }

    /// Loads on. Where the field that it was to go on from has become another's
    /// meanwhile, it begins once more, with nothing.
    fn advance_load(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        mut loading: Box<Loading>,
        work: &mut Work,
    ) {
        if loading.goes_on() && !self.may_go_on() {
            scratch.give_ring(loading.into_region().into_field().1);
            loading = self.begin_to_load(map, scratch);
        }
        self.stage = match self.load(map, &mut loading, work) {
            Ok(()) => Stage::Integrate(self.start(*loading)),
            Err(Paused) => Stage::Load(loading),
        };
    }

    /// Fits the new field to what was edited since it was begun, and has it be
    /// the one that is read.
    fn patch(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        mut region: Box<Region>,
        work: &mut Work,
    ) -> Advance {
        while !self.since.is_empty() {
            if work.check().is_err() {
                self.stage = Stage::Patch(region);
                return Advance::More;
            }
            let touched = self.since.pop(|touched| touched.sector);
            match touched.filter(|touched| region.holds(touched.sector)) {
                Some(touched) if touched.changed => {
                    region.patch(&map.costs, touched.sector);
                    work.count(TILE_WORK);
                }
                Some(touched) => {
                    region.doubt(touched.sector, doubtful(map, &touched));
                    work.count(DOUBT_WORK);
                }
                None => work.count(LOOK_WORK),
            }
        }
        let (field, ring) = region.into_field();
        scratch.give_ring(ring);
        self.field = field;
        self.revision += 1;
        self.first_directions.clear();
        if self.again {
            self.begin(map, scratch);
            return Advance::Again;
        }
        (self.stale, self.inherited) = (false, false);
        if self.has_more_to_find() {
            self.stage = Stage::Search;
            return Advance::More;
        }
        Advance::Done
    }

    /// Finds the goals that are looked for.
    fn find_goals(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        let (goal, search) = (&self.goal, &mut self.search);
        let found = |source| search.add_source(source);
        self.reach.find_goals(map, goal, work, found)
    }

    /// Finds paths out of the walls that units are in.
    fn find_ways_out(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        let any_island = self.takes_nearest();
        while let Some(lost) = self.lost.last_mut() {
            lost.look_out(map, &self.reach, any_island, work)?;
            let out = lost.found().filter(|&out| map.costs.is_open(out));
            self.left_out.push(lost.from());
            let hint = lost.hint(out);
            self.lost.pop();
            if let Some(next) = self.lost.last_mut() {
                next.take_hint(hint);
            }
            let island = out.and_then(|out| map.islands.of(&map.costs, out));
            if let (Some(out), Some(island)) = (out, island)
                && self.reach.hold(&self.goal, island, out)
            {
                self.exits.push(out);
                if !self.everywhere {
                    self.search.want(map, out);
                }
            }
        }
        Ok(())
    }

    /// Whether the field that there is may be gone on from: it is whole and made
    /// for the costs, the goals and the units as they are. (An exact order begins
    /// anew: how far it loads of its own accord depends on all its units.)
    pub(super) fn may_go_on(&self) -> bool {
        let is_kind = matches!(self.goal.quality(), Quality::Corridor | Quality::Wide);
        let is_whole = !self.stale && !self.field.is_empty();
        is_kind && is_whole && !self.inherited && !self.everywhere
    }

    pub(super) fn goal_cells(&self) -> impl Iterator<Item = (Cell, u64)> {
        let goals = self.reach.sources();
        goals.map(|source| (source.cell, source.start_cost))
    }

    /// The loaded sectors, integrated once more.
    pub(crate) fn integration(&self, map: &Map) -> Region {
        let extent = map.costs.extent();
        let mut region = Region::new(extent, 0, None, BucketRing::new());
        for sector in self.field.sectors() {
            region.load(sector);
        }
        region.start(self.goal_cells());
        run_to_end(|work| region.advance(&map.costs, work));
        region
    }
}
