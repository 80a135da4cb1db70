//! Claims: handles that keep orders alive, and the notes that they leave when
//! dropped.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::goal::Goal;

/// A claim on an order: the order lives while any clone of this claim does.
///
/// It is cheap to clone, and may be sent to and dropped on any thread. A drop
/// only leaves a note; the world frees the order's tiles at its next tick, or
/// [some ticks later](crate::FlowWorld::tick) if hundreds are dropped at once. This
/// is also true if a panic drops it.
///
/// ```
/// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
///
/// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
/// let order = world.order(Cell::new(90, 50), &[Cell::new(3, 3)])?;
/// let second = order.clone();
/// drop(order);
/// world.tick(Budget::UNLIMITED);
/// assert_eq!(world.inspect().stats().orders, 1, "one claim is left");
/// drop(second);
/// world.tick(Budget::UNLIMITED);
/// assert_eq!(world.inspect().stats().orders, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Order {
    claim: Arc<Claim>,
    goal: Goal,
}

// The lock protects only the list of notes, and no code runs under it that may
// panic.
impl UnwindSafe for Order {}
impl RefUnwindSafe for Order {}

/// The part that the clones of an order share.
struct Claim {
    key: PlanKey,
    dropped: DroppedClaims,
}

/// Where a plan is in the book: its index, and a number that no other order of
/// the same world ever has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlanKey {
    pub(super) number: u64,
    pub(super) index: u32,
}

/// The notes of claims dropped since the last tick.
#[derive(Clone, Default)]
pub(super) struct DroppedClaims(Arc<Mutex<Vec<PlanKey>>>);

impl DroppedClaims {
    /// Takes out the keys of the orders whose last claim is gone.
    pub(super) fn take(&self) -> Vec<PlanKey> {
        std::mem::take(&mut *self.0.lock())
    }
}

/// Knows whether an order is still claimed, without claiming it.
#[derive(Clone)]
pub(super) struct ClaimWatch(Weak<Claim>);

impl ClaimWatch {
    pub(super) fn is_claimed(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Returns another claim on an order with this goal, if any is left.
    pub(super) fn claim(&self, goal: &Goal) -> Option<Order> {
        let goal = goal.clone();
        self.0.upgrade().map(|claim| Order { claim, goal })
    }
}

impl Order {
    pub(super) fn new(key: PlanKey, goal: Goal, dropped: &DroppedClaims) -> Self {
        let dropped = dropped.clone();
        Self {
            claim: Arc::new(Claim { key, dropped }),
            goal,
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.claim) > 1
    }

    /// Notes the goal that the order was given.
    pub(crate) fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
    }

    pub(super) fn key(&self) -> PlanKey {
        self.claim.key
    }

    /// Returns a watch that knows whether any claim lives, without being one.
    pub(super) fn watch(&self) -> ClaimWatch {
        ClaimWatch(Arc::downgrade(&self.claim))
    }

    /// Whether this is an order of the world that `dropped` belongs to.
    pub(super) fn belongs_to(&self, dropped: &DroppedClaims) -> bool {
        Arc::ptr_eq(&self.claim.dropped.0, &dropped.0)
    }

    /// Returns the goal that the order was given last.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let mut order = world.order(Cell::new(90, 50), &[])?;
    /// world.aim(&mut order, Cell::new(10, 50), &[])?;
    /// assert_eq!(order.goal().cell(), Cell::new(10, 50));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the order's number: 0 for a world's first order, and one more
    /// for each later order.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let first = world.order(Cell::new(90, 50), &[])?;
    /// let second = world.order(Cell::new(5, 50), &[])?;
    /// assert_eq!((first.number(), second.number()), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> u64 {
        self.claim.key.number
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.dropped.0.lock().push(self.key);
    }
}

impl PartialEq for Order {
    /// Whether both are claims on the same order.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.claim, &other.claim)
    }
}

impl Eq for Order {}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Order({})", self.claim.key.number)
    }
}
