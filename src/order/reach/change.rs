//! What a change of the map means to an order's goals.

use super::{Reach, asked_on_islands, on_islands};
use crate::cost::SectorChange;
use crate::grid::Cell;
use crate::islands::{Island, Nearest, SeenCell};
use crate::map::{Change, Map};
use crate::order::goal::Goal;
use crate::order::units::Units;
use crate::route::Source;

/// What an order's goals are worth after a change of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum GoalStatus {
    /// They are the goals that would be chosen now.
    Good,
    /// They can be reached, but a better choice is possible: one of them may no
    /// longer be the nearest cell or is in a wall now, a requested cell has opened,
    /// or units that were cut off have no goal.
    Stale,
    /// There is no goal, and none can be found.
    Lost,
}

impl Reach {
    /// After a change: looks up all islands again and returns what the goals are
    /// worth. New goals are not looked for here but when the plan is made
    /// again.
    pub(in crate::order) fn on_change(
        &mut self,
        map: &Map,
        goal: &Goal,
        units: &Units,
        change: &Change,
    ) -> GoalStatus {
        let island_of = |cell| map.islands.of(&map.costs, cell);
        let mut moved = self.is_seeking();
        let was_hopeless = self.is_hopeless();
        if self.are_goals_concerned(map, change) {
            moved |= self.refresh_goals(map, goal);
        }
        let kept = !moved || self.renumber(map, change);
        let is_strict = goal.is_strict();
        if self.is_hopeless() && !(is_strict && was_hopeless) {
            return GoalStatus::Lost;
        }
        if is_strict {
            return self.status();
        }
        let mut open = units.cells().iter().filter_map(|&unit| island_of(unit));
        let good = kept
            && (!moved && !units.any_in(&change.relabelled)
                || open.all(|island| self.serves_island(island)))
            && self.have_an_island_each()
            && !self.may_be_beaten(map, goal, change);
        self.is_stale |= !good;
        self.status()
    }

    const fn status(&self) -> GoalStatus {
        if self.is_stale {
            GoalStatus::Stale
        } else {
            GoalStatus::Good
        }
    }

    /// Whether a change may concern the goals or the requested cells: some of them
    /// lie around the changed cells, or islands were joined.
    fn are_goals_concerned(&self, map: &Map, change: &Change) -> bool {
        let extent = map.costs.extent();
        let mut bounds = self.around;
        for (_, source) in self.found() {
            bounds.take_in(extent.sector(extent.locate(source.cell).0));
        }
        let changed = change.sectors.iter().map(|change| change.sector);
        let mut concerned = changed.chain(change.relabelled.iter().copied());
        change.islands.joined
            || change.links_moved
            || !map.links.is_empty()
            || concerned.any(|id| bounds.is_near(extent.sector(id)))
    }

    /// Looks up the islands of the open goals again, and those of requested cells
    /// that have opened. Returns whether the goals or their islands have changed.
    fn refresh_goals(&mut self, map: &Map, goal: &Goal) -> bool {
        let mut goals = asked_on_islands(map, goal);
        let asked = goals.len();
        let found = self.found().iter().map(|&(_, source)| source);
        goals.extend(on_islands(map, found));
        let cells = |goals: &[(Island, Source)]| -> Vec<Cell> {
            goals.iter().map(|(_, source)| source.cell).collect()
        };
        self.is_stale |= cells(&goals) != cells(&self.goals);
        let moved = goals != self.goals;
        self.goals = goals;
        self.asked = asked;
        let leading = std::mem::take(&mut self.leading);
        self.find_leading(map);
        // Other links may lead to the goals now.
        self.is_stale |= leading != self.leading;
        moved || leading != self.leading
    }

    /// Looks up the islands of goals and of searches under way again. The searches go on
    /// as far as they can; returns whether they still find what new ones would find.
    fn renumber(&mut self, map: &Map, change: &Change) -> bool {
        let (islands, costs) = (&map.islands, &map.costs);
        let searches = (self.any.take(), self.nearest.take());
        let mut wanted = std::mem::take(&mut self.wanted);
        self.number_islands();
        let (mut any, mut nearest) = searches;
        let mut kept = true;
        if let Some(outlook) = any.as_mut().filter(|outlook| outlook.is_begun()) {
            let lowered = change.sectors.iter().any(|sector| sector.lowered);
            kept = outlook.on_change(costs) && !lowered;
        }
        if let Some(nearest) = &mut nearest {
            kept &= nearest.on_change(islands, costs, |island| !self.serves_island(island));
        }
        // Wanted and sought islands may have become one island.
        let mut sought: Vec<Island> = nearest
            .iter()
            .flat_map(Nearest::sought)
            .map(|(island, _)| island)
            .collect();
        sought.sort_unstable();
        let is_free =
            |island| !self.serves_island(island) && sought.binary_search(&island).is_err();
        let before = wanted.len();
        wanted.retain_mut(|(island, member)| {
            let now = islands.of(costs, *member).filter(|&now| is_free(now));
            *island = now.unwrap_or(*island);
            now.is_some()
        });
        kept &= wanted.len() == before;
        self.any = any;
        self.nearest = nearest;
        self.wanted = wanted;
        self.number_islands();
        kept
    }

    /// Whether each goal that was found has its own island, without a requested goal.
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

    /// Whether the island of a found or sought goal may now have a nearer cell: one
    /// that has opened, or one of an island that was joined to it.
    fn may_be_beaten(&self, map: &Map, goal: &Goal, change: &Change) -> bool {
        let nearest = self.nearest.as_ref().filter(|nearest| nearest.is_begun());
        if self.found().is_empty() && nearest.is_none() {
            return false;
        }
        let extent = map.costs.extent();
        let found = self.found().iter().map(|&(island, source)| {
            let seen = SeenCell::from(extent, goal.cell, source.cell);
            (island, Some(seen))
        });
        let sought = nearest.into_iter().flat_map(Nearest::sought);
        let mut best: Vec<(Island, Option<SeenCell>)> = found.chain(sought).collect();
        best.sort_unstable_by_key(|&(island, _)| island);
        let of = |island| {
            let at = best.binary_search_by_key(&island, |&(island, _)| island);
            at.ok().map(|at| best[at].1)
        };
        let prices = best.iter().map(|(_, best)| best.map(SeenCell::price));
        let dearest = prices.map(|price| price.unwrap_or(u64::MAX)).max();
        let is_near = |sector| {
            let nearest = extent.nearest_in(sector, goal.cell);
            Some(SeenCell::from(extent, goal.cell, nearest).price()) <= dearest
        };
        let mut lowered = change.sectors.iter().filter(|sector| sector.lowered);
        lowered.any(|&SectorChange { sector, .. }| {
            let mut beaten = false;
            if change.islands.joined {
                beaten = map.islands.any_in(sector, |island| of(island).is_some());
            } else if is_near(sector) {
                let (islands, costs) = (&map.islands, &map.costs);
                islands.see(costs, sector, goal.cell, |island, seen| {
                    let best = of(island);
                    beaten |= best.is_some_and(|best| best.is_none_or(|best| seen < best));
                });
            }
            beaten
        })
    }
}
