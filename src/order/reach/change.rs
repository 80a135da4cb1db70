//! What a change of the map means to an order's goals.

use super::Reach;
use crate::chart::{Change, Chart};
use crate::cost::Rewritten;
use crate::order::goal::{Goal, Otherwise};
use crate::order::units::Units;
use crate::portal::{Island, Nearest, Seen};

/// What the goals are worth after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum Standing {
    /// They are the ones that would be chosen now.
    Good,
    /// They can be gone to; but they may not be the nearest any more, or units
    /// that were cut off have none.
    Doubtful,
    /// One of them is in a wall, or a cell asked for has opened.
    Lost,
}

impl Reach {
    /// After a change: looks up all islands anew and tells what the goals are
    /// worth. None is looked for here: that is the work of the plan, once it is
    /// made again.
    pub(in crate::order) fn meet_change(
        &mut self,
        chart: &Chart,
        goal: &Goal,
        units: &Units,
        change: &Change,
    ) -> Standing {
        let island_of = |cell| chart.islands.of(&chart.costs, cell);
        let mut moved = self.is_looking();
        for (island, source) in &mut self.goals {
            let Some(now) = island_of(source.cell) else {
                return Standing::Lost;
            };
            moved |= now != *island;
            *island = now;
        }
        let open = goal.cells().filter(|&cell| chart.costs.is_open(cell));
        if open.count() != self.asked {
            return Standing::Lost;
        }
        let kept = !moved || self.renumber(chart, change);
        if goal.otherwise == Otherwise::Refuse {
            return Standing::Good;
        }
        if self.is_hopeless() {
            return Standing::Lost;
        }
        let mut open = units.cells().iter().filter_map(|&unit| island_of(unit));
        let good = kept
            && (!moved && !units.any_in(&change.relabelled)
                || open.all(|island| self.holds(island)))
            && self.have_an_island_each()
            && !self.may_be_beaten(chart, goal, change);
        self.doubtful |= !good;
        match self.doubtful {
            true => Standing::Doubtful,
            false => Standing::Good,
        }
    }

    /// Numbers the islands anew, also of the looks that are under way, which go
    /// on as well as they can; tells whether they are what they would have been.
    fn renumber(&mut self, chart: &Chart, change: &Change) -> bool {
        let (islands, costs) = (&chart.islands, &chart.costs);
        let looks = (self.any.take(), self.look.take());
        let mut wanted = std::mem::take(&mut self.wanted);
        self.number_islands();
        let (mut any, mut look) = looks;
        let mut kept = true;
        if let Some(outlook) = any.as_mut().filter(|outlook| outlook.is_begun()) {
            let lowered = change.sectors.iter().any(|sector| sector.lowered);
            kept = outlook.meet_change(costs) && !lowered;
        }
        if let Some(look) = &mut look {
            kept &= look.meet_change(islands, costs, |island| !self.holds(island));
        }
        // What was wanted and what is looked for may be one island now.
        let sought = look.iter().flat_map(Nearest::sought);
        let mut sought: Vec<Island> = sought.map(|(island, _)| island).collect();
        sought.sort_unstable();
        let is_free = |island| !self.holds(island) && sought.binary_search(&island).is_err();
        let before = wanted.len();
        wanted.retain_mut(|(island, member)| {
            let now = islands.of(costs, *member).filter(|&now| is_free(now));
            *island = now.unwrap_or(*island);
            now.is_some()
        });
        kept &= wanted.len() == before;
        (self.any, self.look, self.wanted) = (any, look, wanted);
        self.number_islands();
        kept
    }

    /// Those found have an island each, which none of those asked for has.
    fn have_an_island_each(&self) -> bool {
        let island = |&(island, _): &(Island, _)| island;
        let mut asked: Vec<Island> = self.goals[..self.asked].iter().map(island).collect();
        let mut all: Vec<Island> = self.goals.iter().map(island).collect();
        for islands in [&mut asked, &mut all] {
            islands.sort_unstable();
            islands.dedup();
        }
        all.len() == asked.len() + self.found().len()
    }

    /// Whether a nearer cell may have come to the island of a goal that was
    /// found, or is looked for: one that has opened, or one of an island that
    /// was joined to it.
    fn may_be_beaten(&self, chart: &Chart, goal: &Goal, change: &Change) -> bool {
        let look = self.look.as_ref().filter(|look| look.is_begun());
        if self.found().is_empty() && look.is_none() {
            return false;
        }
        let extent = chart.costs.extent();
        let found = self.found().iter().map(|&(island, source)| {
            let seen = Seen::from(extent, goal.cell, source.cell);
            (island, Some(seen))
        });
        let sought = look.into_iter().flat_map(Nearest::sought);
        let mut best: Vec<(Island, Option<Seen>)> = found.chain(sought).collect();
        best.sort_unstable_by_key(|&(island, _)| island);
        let of = |island| {
            let at = best.binary_search_by_key(&island, |&(island, _)| island);
            at.ok().map(|at| best[at].1)
        };
        let prices = best.iter().map(|(_, best)| best.map(Seen::price));
        let dearest = prices.map(|price| price.unwrap_or(u64::MAX)).max();
        let is_near = |sector| {
            let nearest = extent.nearest_in(sector, goal.cell);
            Some(Seen::from(extent, goal.cell, nearest).price()) <= dearest
        };
        let mut lowered = change.sectors.iter().filter(|sector| sector.lowered);
        lowered.any(|&Rewritten { sector, .. }| {
            let mut beaten = false;
            if change.joined {
                beaten = chart.islands.any_in(sector, |island| of(island).is_some());
            } else if is_near(sector) {
                let (islands, costs) = (&chart.islands, &chart.costs);
                islands.see(costs, sector, goal.cell, |island, seen| {
                    let best = of(island);
                    beaten |= best.is_some_and(|best| best.is_none_or(|best| seen < best));
                });
            }
            beaten
        })
    }
}
