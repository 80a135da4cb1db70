//! A world shared by several threads.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
#[expect(
    clippy::disallowed_types,
    reason = "asked for by the clock, and said so"
)]
use std::time::{Duration, Instant};

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{FlowWorld, Progress};
use crate::budget::Budget;

/// The work between two chances for readers, in cells. It takes some tens of
/// microseconds.
const SLICE: u64 = 5_000;

/// A world that several threads share: one ticks, the others sample.
///
/// A tick is done in slices. Between two slices waiting readers get the lock,
/// so a reader never waits for a whole tick. Slices do not change the result of
/// a tick: between them a reader sees an earlier state of the same tick.
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
/// A panic releases the lock and poisons nothing. The world is as its last call
/// left it, and remains usable: a call that panics by itself, such as one with
/// an order of another world, has changed nothing. The exceptions are a
/// [`CostSource`](crate::build::CostSource) of the game and a subscriber of `tracing` that panic
/// during a call. Then the world must not be used any more.
#[derive(Clone, Debug)]
pub struct SharedWorld(Arc<RwLock<FlowWorld>>);

// Of the caller's code, only a source of costs and a subscriber of spans run while the world is
// being changed.
impl UnwindSafe for SharedWorld {}
impl RefUnwindSafe for SharedWorld {}

impl SharedWorld {
    /// Shares a world.
    #[must_use]
    pub fn new(world: FlowWorld) -> Self {
        Self(Arc::new(RwLock::new(world)))
    }

    /// Locks the world for reading, along with any number of other readers.
    pub fn read(&self) -> RwLockReadGuard<'_, FlowWorld> {
        self.0.read()
    }

    /// Locks the world for orders and edits. Keep the lock for a moment only:
    /// readers wait.
    pub fn write(&self) -> RwLockWriteGuard<'_, FlowWorld> {
        self.0.write()
    }

    /// Ticks as [`FlowWorld::tick`] does, in slices.
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

    /// Ticks until `time` has passed or no order has work left.
    ///
    /// The result depends on the speed of the machine. A game whose players
    /// must see the same world (lockstep, replays) must not use it, and ticks
    /// by [cells](Budget::cells) instead.
    ///
    /// Not on `wasm32-unknown-unknown`, which has no clock.
    #[expect(
        clippy::disallowed_types,
        reason = "asked for by the clock, and said so"
    )]
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    pub fn tick_for(&self, time: Duration) -> Progress {
        // A time too long for the clock has no end.
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
