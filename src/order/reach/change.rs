//! What a change of the map means to an order's goals.

use super::{Reach, on_islands};
use crate::cost::Rewritten;
use crate::grid::Cell;
use crate::islands::{Island, Nearest, SeenCell};
use crate::map::{Change, Map};
use crate::order::goal::{Goal, Otherwise};
use crate::order::units::Units;
use crate::route::Source;

/// What the goals are worth after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::order) enum Standing {
    /// They are the ones that would be chosen now.
    Good,
    /// They can be gone to; but they may not be the nearest any more, one of them
    /// is in a wall now or a cell asked for has opened, or units that were cut off
    /// have none.
    Doubtful,
    /// There is none, and none to be found.
    Lost,
}

impl Reach {
    /// After a change: looks up all islands anew and tells what the goals are
    /// worth. None is looked for here: that is the work of the plan, once it is
    /// made again.
    pub(in crate::order) fn meet_change(
        &mut self,
        map: &Map,
        goal: &Goal,
        units: &Units,
        change: &Change,
    ) -> Standing {
        let island_of = |cell| map.islands.of(&map.costs, cell);
        let (mut moved, was_hopeless) = (self.is_looking(), self.is_hopeless());
        if self.are_goals_concerned(map, change) {
            moved |= self.look_up_goals(map, goal);
        }
        let kept = !moved || self.renumber(map, change);
        let is_strict = goal.otherwise == Otherwise::Refuse;
        if self.is_hopeless() && !(is_strict && was_hopeless) {
            return Standing::Lost;
        }
        if is_strict {
            return self.standing();
        }
        let mut open = units.cells().iter().filter_map(|&unit| island_of(unit));
        let good = kept
            && (!moved && !units.any_in(&change.relabelled)
                || open.all(|island| self.holds(island)))
            && self.have_an_island_each()
            && !self.may_be_beaten(map, goal, change);
        self.doubtful |= !good;
        self.standing()
    }

    const fn standing(&self) -> Standing {
        match self.doubtful {
            true => Standing::Doubtful,
            false => Standing::Good,
        }
    }

    /// Whether a change may have made something of the goals, or of cells asked
    /// for: they lie around what has changed, or islands have become one.
    fn are_goals_concerned(&self, map: &Map, change: &Change) -> bool {
        let extent = map.costs.extent();
        let mut bounds = self.around;
        for (_, source) in self.found() {
            bounds.take_in(extent.sector(extent.locate(source.cell).0));
        }
        let changed = change.sectors.iter().map(|rewritten| rewritten.sector);
        let mut concerned = changed.chain(change.relabelled.iter().copied());
        change.joined || concerned.any(|id| bounds.is_near(extent.sector(id)))
    }

    /// Looks up the goals' islands anew: of those that are open, and of cells
    /// asked for that have opened. Tells whether any is another.
    fn look_up_goals(&mut self, map: &Map, goal: &Goal) -> bool {
        let mut goals = on_islands(map, goal.sources());
        let asked = goals.len();
        let found = self.found().iter().map(|&(_, source)| source);
        goals.extend(on_islands(map, found));
        let cells = |goals: &[(Island, Source)]| -> Vec<Cell> {
            goals.iter().map(|(_, source)| source.cell).collect()
        };
        self.doubtful |= cells(&goals) != cells(&self.goals);
        let moved = goals != self.goals;
        (self.goals, self.asked) = (goals, asked);
        moved
    }

    /// Numbers the islands anew, also of the looks that are under way, which go
    /// on as well as they can; tells whether they are what they would have been.
    fn renumber(&mut self, map: &Map, change: &Change) -> bool {
        let (islands, costs) = (&map.islands, &map.costs);
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
    fn may_be_beaten(&self, map: &Map, goal: &Goal, change: &Change) -> bool {
        let look = self.look.as_ref().filter(|look| look.is_begun());
        if self.found().is_empty() && look.is_none() {
            return false;
        }
        let extent = map.costs.extent();
        let found = self.found().iter().map(|&(island, source)| {
            let seen = SeenCell::from(extent, goal.cell, source.cell);
            (island, Some(seen))
        });
        let sought = look.into_iter().flat_map(Nearest::sought);
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
        lowered.any(|&Rewritten { sector, .. }| {
            let mut beaten = false;
            if change.joined {
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
