//! Ticks: the work behind the orders, within a budget.

use tracing::debug_span;

use super::{FlowWorld, OrderStage, Progress};
use crate::budget::{Budget, FREE_WORK, Work};
#[cfg(feature = "rayon")]
use crate::threads;

/// The orders that each tick frees, however much work there is: about a fifth of a
/// millisecond.
const FREED_MIN: u64 = 256;

/// Ticks: the work behind the orders, within a budget.
impl FlowWorld {
    /// Works until the budget is used up, and frees orders whose last claim was
    /// dropped: up to 256 in any case, and more with what is left of the budget. The others
    /// have no part in the world any more, and are freed by later ticks.
    ///
    /// The orders that have waited longest share the budget, so that of many given at
    /// once some have their directions early.
    ///
    /// A piece of work is never cut in two, so a tick may overdraw its budget.
    /// As long as orders wait, the excess is owed and taken off the next
    /// budget. So slicing changes nothing: `tick(4000)` and four times
    /// `tick(1000)` make the same world.
    ///
    /// With the feature `rayon`, a tick inside `pool.install(|| …)` uses the
    /// threads of that pool. It makes the same world too.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let unit = Cell::new(5, 5);
    /// let order = world.order(Cell::new(90, 50), &[unit])?;
    /// while !world.tick(Budget::cells(500)).is_done() {
    ///     // a frame of the game
    /// }
    /// assert!(world.sample(&order, unit).direction().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick(&mut self, budget: Budget) -> Progress {
        let mut work = Work::owing(budget, self.owed);
        if !budget.is_nothing() {
            let _span = debug_span!("tick").entered();
            self.book.take_returned();
            self.book.free_returned(FREED_MIN);
            self.work(&mut work);
            self.book.take_returned();
            self.book.free_returned(work.left() / FREE_WORK);
        }
        let waiting = self.book.waiting();
        self.owed = if waiting > 0 { work.overdrawn() } else { 0 };
        Progress {
            cells: work.done(),
            owed: self.owed,
            waiting,
            age: self.book.age(),
        }
    }

    /// Works on one turn after the other, in the order of the
    /// [`Book`](crate::order::Book); at the same time on those that are certain to get all of
    /// their quantum, if there are threads for it.
    fn work(&mut self, work: &mut Work) {
        while work.check().is_ok() {
            self.layers.begin_round(self.book.round());
            #[cfg(feature = "rayon")]
            if threads::are_several() && self.book.work_abreast(&self.layers, work) {
                continue;
            }
            let Some(plan) = self.book.first() else {
                break;
            };
            let _span = debug_span!("job", kind = OrderStage::of(plan.stage()).name()).entered();
            self.book.work_on_first(&self.layers, work);
        }
    }
}
