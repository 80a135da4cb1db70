use tracing::debug_span;

use super::{FlowWorld, Progress};
use crate::budget::{Budget, Work};
use crate::order::Advance;
#[cfg(feature = "rayon")]
use crate::order::{Plan, Scratch};
#[cfg(feature = "rayon")]
use crate::threads;

/// Ticks: the work behind the orders, within a budget.
impl FlowWorld {
    /// Does work, oldest orders first, until the budget is used up; frees
    /// orders whose last claim was dropped.
    ///
    /// A piece of work is never cut in two, so a tick may overdraw its budget.
    /// What it does too much is owed, and taken off the next budget, until
    /// nothing waits. So slicing changes nothing: `tick(4000)` and four times
    /// `tick(1000)` make the same world.
    pub fn tick(&mut self, budget: Budget) -> Progress {
        let mut work = Work::owing(budget, self.owed);
        if !budget.is_nothing() {
            let _span = debug_span!("tick").entered();
            self.book
                .free_returned(|plan| plan.retire(&mut self.scratch));
            self.work(&mut work);
        }
        let waiting = self.book.waiting();
        self.owed = if waiting > 0 { work.overdrawn() } else { 0 };
        Progress {
            cells: work.done(),
            owed: self.owed,
            waiting,
        }
    }

    /// Without a limit orders do not take work from each other: each is done
    /// on a thread of its own.
    #[cfg(feature = "rayon")]
    fn work_abreast(&mut self, work: &mut Work) {
        let extent = self.chart.costs.extent();
        let chart = &self.chart;
        let mut waiting = self.book.all_waiting();
        let finish = |scratch: &mut Scratch, (place, plan): &mut (u32, &mut Plan)| {
            let mut own = Work::within(Budget::UNLIMITED);
            loop {
                match plan.advance(chart, scratch, &mut own) {
                    Advance::More => {}
                    end => return (*place, end, own.done()),
                }
            }
        };
        let ends = threads::change_all(&mut waiting, || Scratch::new(extent), finish);
        for (place, end, cells) in ends {
            work.count(cells);
            match end {
                Advance::Again => self.book.line_up_anew(place),
                Advance::More | Advance::Done => self
                    .book
                    .step_out(place, |plan| plan.forget_search(&mut self.scratch)),
            }
        }
    }

    fn work(&mut self, work: &mut Work) {
        #[cfg(feature = "rayon")]
        if work.is_unlimited() && self.book.waiting() > 1 {
            self.work_abreast(work);
        }
        while !work.is_over() {
            let Some((place, plan)) = self.book.first() else {
                break;
            };
            let _span = debug_span!("job", kind = plan.stage().name()).entered();
            match plan.advance(&self.chart, &mut self.scratch, work) {
                Advance::More => {}
                Advance::Done => self
                    .book
                    .step_out(place, |plan| plan.forget_search(&mut self.scratch)),
                Advance::Again => self.book.line_up_anew(place),
            }
        }
    }
}
