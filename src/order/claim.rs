//! Claims: handles that keep orders alive, and the notes that they leave when
//! dropped.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

/// A claim on an order: the order lives while any clone of this claim does.
///
/// It is cheap to clone, and may be sent to and dropped on any thread. A drop
/// only leaves a note; the world frees the order's tiles at its next tick. This
/// is also true if a panic drops it.
#[derive(Clone)]
pub struct Order {
    claim: Arc<Claim>,
}

// The lock protects only the list of notes, and no code runs under it that may
// panic.
impl UnwindSafe for Order {}
impl RefUnwindSafe for Order {}

/// The part that the clones of an order share.
struct Claim {
    key: PlanKey,
    returns: Returns,
}

/// Where a plan is in the book: its place, and a number that no other order of
/// the same world ever has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanKey {
    pub(super) place: u32,
    pub(super) number: u64,
}

/// The notes of claims dropped since the last tick.
#[derive(Clone, Default)]
pub(super) struct Returns(Arc<Mutex<Vec<PlanKey>>>);

impl Returns {
    /// Takes out the keys of the orders whose last claim is gone.
    pub(super) fn take(&self) -> Vec<PlanKey> {
        std::mem::take(&mut *self.0.lock())
    }
}

/// Knows whether an order is still claimed, without claiming it.
#[derive(Clone)]
pub(super) struct ClaimWatch(Weak<Claim>);

impl ClaimWatch {
    /// Whether any claim is left.
    pub(super) fn is_claimed(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Returns another claim, if any is left.
    pub(super) fn claim(&self) -> Option<Order> {
        self.0.upgrade().map(|claim| Order { claim })
    }
}

impl Order {
    pub(super) fn new(key: PlanKey, returns: &Returns) -> Self {
        let returns = returns.clone();
        Self {
            claim: Arc::new(Claim { key, returns }),
        }
    }

    pub(super) fn key(&self) -> PlanKey {
        self.claim.key
    }

    /// Returns a watch that knows whether any claim lives, without being one.
    pub(super) fn watch(&self) -> ClaimWatch {
        ClaimWatch(Arc::downgrade(&self.claim))
    }

    /// Whether this is an order of the world that `returns` belongs to.
    pub(super) fn belongs_to(&self, returns: &Returns) -> bool {
        Arc::ptr_eq(&self.claim.returns.0, &returns.0)
    }

    /// Returns the order's number: 0 for a world's first order, and one more
    /// for each later order.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.claim.key.number
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.returns.0.lock().push(self.key);
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
