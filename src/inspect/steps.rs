//! Watching the computation of an order, step by step.

use crate::budget::Budget;
use crate::grid::{Cell, Sector};
use crate::order::{Goal, Order, OrderError};
use crate::world::{FlowWorld, OrderStage, PricedPortal};

/// The effect of one tick on an order that is watched.
///
/// Portals taken and sectors loaded or settled are listed once, in the step in
/// which this happened; each step lists everything that waits. So a step is
/// small, and the state at any step follows from the steps up to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The stage at the end of the tick.
    pub stage: StepStage,
    /// The work done since the order was given, in cells, as a [`Budget`]
    /// counts it.
    pub cells: u64,
    /// The portals that the search took in this step, with their final prices.
    pub taken: Vec<PricedPortal>,
    /// All portals that the search has seen but not taken.
    pub frontier: Vec<PricedPortal>,
    /// The sectors loaded in this step, row by row.
    pub loaded: Vec<Sector>,
    /// The sectors settled for the first time in this step, row by row.
    pub settled: Vec<Sector>,
    /// All sectors that wait to be settled, row by row, with the lowest
    /// cost-to-go at their borders.
    pub waiting: Vec<(Sector, u64)>,
    /// The sectors that were freed with the order, row by row.
    pub freed: Vec<Sector>,
}

/// The situation that a [`Step`] shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepStage {
    /// The order was given, and nothing is done yet.
    #[default]
    Given,
    /// The order is at this stage.
    At(OrderStage),
    /// The last claim on the order is gone.
    Freed,
}

impl StepStage {
    /// Returns the stage's name, one short word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::At(stage) => stage.name(),
            Self::Freed => "freed",
        }
    }
}

/// Gives an order and ticks the world, `pace` cells at a time, until the order
/// is computed; returns the effect of each tick. The first step is the order as
/// given, the last one is the finished order.
///
/// The world ends in the same state as with any other ticks; see
/// [`FlowWorld::tick`]. Other waiting orders share the ticks.
///
/// # Errors
/// Those of [`FlowWorld::order`].
///
/// # Panics
/// If the pace is 0 cells: no tick would make progress.
pub fn steps(
    world: &mut FlowWorld,
    goal: impl Into<Goal>,
    units: &[Cell],
    pace: u64,
) -> Result<(Order, Vec<Step>), OrderError> {
    assert!(pace > 0, "a pace of no cells makes no step");
    let order = world.order(goal, units)?;
    let mut seen = Listed::default();
    let mut steps = vec![Step::default()];
    let mut cells = 0;
    loop {
        let progress = world.tick(Budget::cells(pace));
        cells += progress.cells;
        let step = seen.next_step(world, &order, cells);
        let is_done = step.stage == StepStage::At(OrderStage::Done);
        // A tick that only paid for the overshoot of an earlier tick is left
        // out.
        if progress.cells > 0 || is_done {
            steps.push(step);
        }
        if is_done {
            return Ok((order, steps));
        }
    }
}

/// Drops a claim on an order, and ticks the world once so that its sectors are
/// freed; returns a step with the freed sectors. There are none if another
/// claim exists.
///
/// # Panics
/// If the order belongs to another world.
pub fn free(world: &mut FlowWorld, order: Order) -> Step {
    let (number, loaded) = (order.number(), world.inspect().loaded(&order));
    drop(order);
    let cells = world.tick(Budget::cells(1)).cells;
    let is_freed = world.order_with_number(number).is_none();
    Step {
        stage: StepStage::Freed,
        cells,
        freed: if is_freed { loaded } else { Vec::new() },
        ..Step::default()
    }
}

/// The entries of earlier steps, each list sorted.
#[derive(Default)]
struct Listed {
    taken: Vec<PricedPortal>,
    loaded: Vec<Sector>,
    settled: Vec<Sector>,
}

impl Listed {
    fn next_step(&mut self, world: &FlowWorld, order: &Order, cells: u64) -> Step {
        let watch = world.inspect().watch(order);
        Step {
            stage: StepStage::At(watch.stage()),
            cells,
            taken: news(&mut self.taken, watch.taken()),
            frontier: watch.frontier(),
            loaded: by_row(news(&mut self.loaded, watch.loaded())),
            settled: by_row(news(&mut self.settled, watch.settled())),
            waiting: watch.waiting(),
            freed: Vec::new(),
        }
    }
}

/// Returns the entries of `now` that were not seen before, and marks them as
/// seen.
fn news<T: Ord + Copy>(seen: &mut Vec<T>, mut now: Vec<T>) -> Vec<T> {
    now.sort_unstable();
    now.dedup();
    now.retain(|new| seen.binary_search(new).is_err());
    seen.extend(&now);
    seen.sort_unstable();
    now
}

fn by_row(mut sectors: Vec<Sector>) -> Vec<Sector> {
    sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
    sectors
}
