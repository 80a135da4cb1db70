use tracing::debug_span;

use super::{FlowWorld, Progress};
use crate::budget::{Budget, Work};
#[cfg(feature = "rayon")]
use crate::order::PlanScratch;
use crate::order::{Advance, Stage};
#[cfg(feature = "rayon")]
use crate::threads;

/// Ticks: the work behind the orders, within a budget.
impl FlowWorld {
    /// Does work until the budget is used up; frees orders whose last claim was
    /// dropped.
    ///
    /// The orders that have waited longest share it, most of it going to those
    /// that look for their ways, so that many orders at once have first
    /// directions early.
    ///
    /// A piece of work is never cut in two, so a tick may overdraw its budget.
    /// What it does too much is owed, and taken off the next budget, until
    /// nothing waits. So slicing changes nothing: `tick(4000)` and four times
    /// `tick(1000)` make the same world.
    ///
    /// With the feature `rayon`, a tick inside `pool.install(|| …)` is spread
    /// over that pool's threads, and makes the same world too.
    pub fn tick(&mut self, budget: Budget) -> Progress {
        let mut work = Work::owing(budget, self.owed);
        if !budget.is_nothing() {
            let _span = debug_span!("tick").entered();
            self.free_returned();
            self.work(&mut work);
        }
        let waiting = self.book.waiting();
        self.owed = if waiting > 0 { work.overdrawn() } else { 0 };
        Progress {
            cells: work.done(),
            owed: self.owed,
            waiting,
            searching: self.book.searching(),
            age: self.book.age(),
        }
    }

    /// Turn by lane, as the [line](crate::order::Book) has it.
    fn work(&mut self, work: &mut Work) {
        while work.check().is_ok() {
            #[cfg(feature = "rayon")]
            if threads::are_several() && self.work_abreast(work) {
                continue;
            }
            let Some((quantum, plan)) = self.book.first() else {
                break;
            };
            let _span = debug_span!("job", kind = plan.stage().map(Stage::name)).entered();
            let quantum = quantum.min(work.left());
            let (end, cells) = plan.work(&self.map, &mut self.scratch, quantum);
            self.note_work(work, end, cells);
        }
    }

    /// Lanes that are sure to get what they would get one after the other, all
    /// at the same time; false if there are not two.
    #[cfg(feature = "rayon")]
    fn work_abreast(&mut self, work: &mut Work) -> bool {
        let sure = self.book.sure_turns(work.left());
        if sure.len() < 2 {
            return false;
        }
        let (map, extent) = (&self.map, self.map.costs.extent());
        while self.lanes.len() < sure.len() {
            self.lanes.push(PlanScratch::new(extent));
        }
        let mut lanes: Vec<_> = sure.into_iter().zip(&mut self.lanes).collect();
        let ends = threads::change_all(&mut lanes, |((quantum, plan), scratch)| {
            plan.work(map, scratch, *quantum)
        });
        for (end, cells) in ends {
            self.note_work(work, end, cells);
        }
        true
    }

    fn note_work(&mut self, work: &mut Work, end: Advance, cells: u64) {
        work.count(cells);
        let scratch = &mut self.scratch;
        self.book
            .note_work(cells, end, |plan| plan.forget_search(scratch));
    }
}
