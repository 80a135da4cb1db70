use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{FlowWorld, Progress};
use crate::budget::Budget;

/// How much is done between two chances for readers, in cells: some tens of
/// microseconds.
const SLICE: u64 = 5_000;

/// A world that several threads hold: one ticks, others sample.
///
/// A tick is done in slices, and between two of them whoever waits to read
/// gets a turn; so a reader never waits for a whole tick. Slices change nothing
/// of what a tick does: what a reader sees between them is an earlier state of
/// the same tick.
///
/// ```
/// use flowtiles::{Budget, Cell, CostMap, FlowWorld, SharedWorld};
///
/// let world = SharedWorld::new(FlowWorld::new(CostMap::open(300, 200)?));
/// let order = world.write().order(Cell::new(290, 190), &[Cell::new(3, 3)])?;
/// let reader = {
///     let (world, order) = (world.clone(), order.clone());
///     std::thread::spawn(move || world.read().sample(&order, Cell::new(3, 3)))
/// };
/// world.tick(Budget::cells(100_000));
/// reader.join().expect("no panic");
/// assert!(world.read().sample(&order, Cell::new(3, 3)).direction().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # After a panic
///
/// The lock is given back by whoever panics, and nothing is poisoned: the world is
/// as the last call to it left it, and may be used on. A call that panics by
/// itself, as for an order of another world, has changed nothing. The one
/// exception is a [`CostSource`](crate::CostSource) of the game's that panics in
/// the midst of a call: that world is to be given up.
#[derive(Clone, Debug)]
pub struct SharedWorld(Arc<RwLock<FlowWorld>>);

// The caller's code never runs in the midst of a change to the world.
impl UnwindSafe for SharedWorld {}
impl RefUnwindSafe for SharedWorld {}

impl SharedWorld {
    /// Shares a world.
    #[must_use]
    pub fn new(world: FlowWorld) -> Self {
        Self(Arc::new(RwLock::new(world)))
    }

    /// The world, to read from: with any number of other readers.
    pub fn read(&self) -> RwLockReadGuard<'_, FlowWorld> {
        self.0.read()
    }

    /// The world, to give orders and to edit: alone. Keep it for a moment only;
    /// readers wait.
    pub fn write(&self) -> RwLockWriteGuard<'_, FlowWorld> {
        self.0.write()
    }

    /// As [`FlowWorld::tick`], in slices.
    pub fn tick(&self, budget: Budget) -> Progress {
        let mut left = budget;
        let mut all = Progress::default();
        let mut world = self.0.write();
        loop {
            let (slice, rest) = left.split(SLICE);
            let done = world.tick(slice);
            all = all.and(done);
            left = rest;
            if left.is_nothing() || done.is_done() {
                return all;
            }
            RwLockWriteGuard::bump(&mut world);
        }
    }

    /// Ticks until so much time has passed or no order has work left.
    ///
    /// How far that gets is up to the machine. So a game whose players must
    /// see the same world (lockstep, replays) cannot use it: it ticks by
    /// [cells](Budget::cells).
    pub fn tick_for(&self, time: Duration) -> Progress {
        // No end is in reach of a time that the clock cannot tell.
        let end = Instant::now().checked_add(time);
        let mut all = Progress::default();
        loop {
            let done = self.tick(Budget::cells(SLICE));
            all = all.and(done);
            if done.is_done() || end.is_some_and(|end| Instant::now() >= end) {
                return all;
            }
        }
    }
}
