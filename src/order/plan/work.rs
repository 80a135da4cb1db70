//! The work of a plan, a piece at a time.

use super::change::doubt;
use super::{Advance, Plan, Scratch, Stage};
use crate::budget::{Budget, Work};
use crate::chart::Chart;
use crate::field::{Growth, Region};
use crate::grid::{Cell, Direction, Sector, SectorList};
use crate::order::goal::Quality;
use crate::queue::BucketRing;
use crate::route::Lead;

impl Plan {
    /// Works until the quantum is used up or the end is come to; tells how far
    /// that was and how much was worked.
    pub(crate) fn work(
        &mut self,
        chart: &Chart,
        scratch: &mut Scratch,
        quantum: u64,
    ) -> (Advance, u64) {
        let mut work = Work::within(Budget::cells(quantum));
        loop {
            let end = self.advance(chart, scratch, &mut work);
            if end != Advance::More || work.is_over() {
                return (end, work.done());
            }
        }
    }

    /// Does a piece of the present stage; `work` counts what is done.
    fn advance(&mut self, chart: &Chart, scratch: &mut Scratch, work: &mut Work) -> Advance {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Search => {
                let done = self.find_goals(chart, work)
                    && self.find_ways_out(chart, work)
                    && self.find_more_goals(chart, work)
                    && self.search.advance(chart, &mut scratch.search, work);
                self.stage = if done {
                    Stage::Integrate(Box::new(self.region(chart, scratch)))
                } else {
                    Stage::Search
                };
            }
            Stage::Integrate(region) if !self.leads.advance(chart, work) => {
                self.stage = Stage::Integrate(region);
                return Advance::More;
            }
            Stage::Integrate(mut region) => {
                if !region.advance(&chart.costs, work) {
                    self.stage = Stage::Integrate(region);
                    return Advance::More;
                }
                let (field, ring) = region.into_field();
                self.field = field;
                self.leads.clear();
                scratch.give_ring(ring);
                let none = SectorList::new(chart.costs.extent());
                let since = std::mem::replace(&mut self.since, none);
                for touched in chart.around(since.values()) {
                    doubt(chart, &mut self.field, &touched);
                }
                if self.again {
                    self.begin(chart, scratch);
                    return Advance::Again;
                }
                (self.stale, self.inherited) = (false, false);
                if !self.search.is_served() || !self.lost.is_empty() || self.reach.is_looking() {
                    self.stage = Stage::Search;
                }
            }
            Stage::Done => {}
        }
        if matches!(self.stage, Stage::Done) {
            Advance::Done
        } else {
            Advance::More
        }
    }

    /// Finds the goals that have come to be wanted meanwhile, by all those who
    /// were found a way out; false if the work was used up first.
    fn find_more_goals(&mut self, chart: &Chart, work: &mut Work) -> bool {
        self.reach.begin_look(chart, &self.goal);
        self.find_goals(chart, work)
    }

    /// Finds the goals that are looked for; false if the work was used up first.
    fn find_goals(&mut self, chart: &Chart, work: &mut Work) -> bool {
        let (goal, search) = (&self.goal, &mut self.search);
        let found = |source| search.add_source(source);
        self.reach.find_goals(chart, goal, work, found)
    }

    /// Finds units in walls a way out; false if the work was used up first.
    fn find_ways_out(&mut self, chart: &Chart, work: &mut Work) -> bool {
        let any_island = self.takes_nearest();
        while let Some(lost) = self.lost.last_mut() {
            if !lost.look_out(chart, &self.reach, any_island, work) {
                return false;
            }
            let out = lost.found().filter(|&out| chart.costs.is_open(out));
            self.lost.pop();
            let island = out.and_then(|out| chart.islands.of(&chart.costs, out));
            if let (Some(out), Some(island)) = (out, island)
                && self.reach.hold(&self.goal, island, out)
            {
                self.exits.push(out);
                if !self.everywhere {
                    self.search.want(chart, out);
                }
            }
        }
        true
    }

    /// The sectors that the ways found lead through, and what the quality asked
    /// for adds to them.
    fn region(&mut self, chart: &Chart, scratch: &mut Scratch) -> Region {
        let mut sectors: Vec<Sector> = Vec::new();
        let extent = chart.costs.extent();
        let (mut growth, mut leads) = (None, Vec::new());
        let goals = self.reach.sources();
        sectors.extend(goals.map(|source| extent.sector(extent.locate(source.cell).0)));
        if self.everywhere {
            growth = Some(Growth::Everywhere);
        } else {
            let route = &mut self.route;
            route.clear();
            let lead = |lead: Lead| {
                route.push(lead.portal);
                leads.push(lead);
            };
            let sector = |sector| sectors.push(sector);
            self.search.ways(&chart.graph, lead, sector);
            self.route.sort_unstable();
        }
        match self.goal.quality() {
            _ if self.everywhere => {}
            Quality::Corridor | Quality::Everywhere => {}
            Quality::Wide => add_ring(chart, &mut sectors),
            Quality::Exact => {
                let found = self.search.aim_and_dearest(chart);
                growth = found.map(|(aim, limit)| {
                    let aim = Box::new(aim);
                    Growth::Within { aim, limit }
                });
            }
        }
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors.dedup();
        match self.sectors.take() {
            Some(kept) => (sectors, growth) = (kept, None),
            None => {
                leads.retain(|lead| self.search.looks_for(lead.from));
                self.leads
                    .begin(leads, self.search.sources(), sectors.len());
            }
        }
        let ring = scratch.take_ring();
        if self.may_go_on() {
            return Region::resume(&chart.costs, &self.field, &sectors, self.goal_cells(), ring);
        }
        self.integrate(chart, sectors, growth, ring)
    }

    /// Whether the field that there is may be gone on from: it is whole and made
    /// for the costs, the goals and the units as they are. (An exact order begins
    /// anew: how far it loads of its own accord depends on all its units.)
    fn may_go_on(&self) -> bool {
        let is_kind = matches!(self.goal.quality(), Quality::Corridor | Quality::Wide);
        let is_whole = !self.stale && !self.field.is_empty();
        is_kind && is_whole && !self.inherited && !self.everywhere
    }

    fn goal_cells(&self) -> impl Iterator<Item = (Cell, u64)> {
        let goals = self.reach.sources();
        goals.map(|source| (source.cell, source.start_cost))
    }

    fn integrate(
        &self,
        chart: &Chart,
        sectors: Vec<Sector>,
        growth: Option<Growth>,
        ring: BucketRing<u32>,
    ) -> Region {
        Region::new(&chart.costs, sectors, self.goal_cells(), growth, ring)
    }

    /// The loaded sectors, integrated once more.
    pub(crate) fn integration(&self, chart: &Chart) -> Region {
        let sectors = self.field.sectors();
        let mut region = self.integrate(chart, sectors, None, BucketRing::new());
        region.advance(&chart.costs, &mut Work::within(Budget::UNLIMITED));
        region
    }
}

/// Adds the eight neighbours of each sector.
fn add_ring(chart: &Chart, sectors: &mut Vec<Sector>) {
    for i in 0..sectors.len() {
        let Sector { x, y } = sectors[i];
        sectors.extend(Direction::ALL.into_iter().filter_map(|direction| {
            let (dx, dy) = direction.offset();
            let beside = Sector::new(x + dx, y + dy);
            chart.costs.extent().sector_id(beside).map(|_| beside)
        }));
    }
}
