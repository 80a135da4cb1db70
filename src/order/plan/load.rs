//! Putting together the sectors of an order, a few at a time.

use super::Plan;
use super::loading::Loading;
use crate::budget::{Paused, Work};
use crate::field::{Growth, Region};
use crate::grid::{PagesCursor, Sector};
use crate::map::Map;
use crate::order::goal::Quality;
use crate::order::scratch::PlanScratch;
use crate::route::{Lead, Telling};

/// Work of loading a sector, in cells.
const LOAD_WORK: u64 = 20;

impl Plan {
    /// Begins to load what the ways found lead through.
    pub(super) fn begin_to_load(&self, map: &Map, scratch: &mut PlanScratch) -> Box<Loading> {
        let is_wide = self.goal.quality() == Quality::Wide;
        let growth = match self.goal.quality() {
            _ if self.sectors.is_some() => None,
            _ if self.everywhere => Some(Growth::Everywhere),
            Quality::Corridor | Quality::Wide | Quality::Everywhere => None,
            Quality::Exact => self.search.found().map(|(aim, limit)| {
                let aim = Box::new(aim);
                Growth::Within { aim, limit }
            }),
        };
        let goes_on = self.may_go_on();
        let known = self.search.sectors_seen() * if is_wide { 9 } else { 1 };
        let before = if goes_on {
            self.field.sector_count()
        } else {
            0
        };
        let extent = map.costs.extent();
        let sectors_max = (before + known).min(extent.sector_count());
        Box::new(Loading {
            region: Region::new(extent, sectors_max, growth, scratch.take_ring()),
            goes_on,
            from: PagesCursor::default(),
            goals: 0,
            kept: 0,
            telling: Telling::default(),
            route: Vec::new(),
            first_directions: Vec::new(),
        })
    }

    /// Loads all sectors that the region begins with.
    pub(super) fn load(
        &mut self,
        map: &Map,
        loading: &mut Loading,
        work: &mut Work,
    ) -> Result<(), Paused> {
        self.load_field(loading, work)?;
        self.load_goals(map, loading, work)?;
        match self.sectors {
            Some(_) => self.load_kept(loading, work),
            None if self.everywhere => Ok(()),
            None => self.load_ways(map, loading, work),
        }
    }

    /// Loads what the field has that the region goes on from.
    fn load_field(&self, loading: &mut Loading, work: &mut Work) -> Result<(), Paused> {
        while loading.goes_on {
            work.check()?;
            if !loading.region.go_on_from(&self.field, &mut loading.from) {
                break;
            }
            work.count(LOAD_WORK);
        }
        Ok(())
    }

    fn load_goals(&self, map: &Map, loading: &mut Loading, work: &mut Work) -> Result<(), Paused> {
        let extent = map.costs.extent();
        while let Some(source) = self.reach.sources().nth(loading.goals) {
            work.check()?;
            work.count(LOAD_WORK);
            loading.goals += 1;
            let (id, _) = extent.locate(source.cell);
            loading.region.load(extent.sector(id));
        }
        Ok(())
    }

    /// Loads the sectors that a save has told.
    fn load_kept(&self, loading: &mut Loading, work: &mut Work) -> Result<(), Paused> {
        let kept = self.sectors.iter().flatten();
        for &sector in kept.skip(loading.kept) {
            work.check()?;
            work.count(LOAD_WORK);
            loading.kept += 1;
            loading.region.load(sector);
        }
        Ok(())
    }

    /// Loads what the ways found lead through, and what the quality asked for
    /// adds to that.
    fn load_ways(
        &mut self,
        map: &Map,
        loading: &mut Loading,
        work: &mut Work,
    ) -> Result<(), Paused> {
        let Loading {
            region,
            telling,
            route,
            first_directions,
            ..
        } = loading;
        let is_wide = self.goal.quality() == Quality::Wide;
        let lead = |lead: Lead| {
            route.push(lead.portal);
            if lead.is_wanted {
                first_directions.push(lead);
            }
        };
        let sector = |sector: Sector| {
            region.load(sector);
            if is_wide {
                region.load_around(sector);
            }
        };
        self.search.tell(&map.graph, telling, work, lead, sector)
    }

    /// All is loaded: gives the region its goals, and finds out which first
    /// directions are to be made.
    pub(super) fn start(&mut self, loading: Loading) -> Box<Region> {
        let Loading {
            mut region,
            route,
            first_directions,
            ..
        } = loading;
        self.route = route;
        if self.sectors.take().is_none() {
            let sources = self.search.sources();
            self.first_directions
                .begin(first_directions, sources, region.sector_count());
        }
        region.start(self.goal_cells());
        Box::new(region)
    }
}
