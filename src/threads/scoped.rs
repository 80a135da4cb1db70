//! Work on threads that live only as long as the work, for armies and crowds.
//! Their callers set the number of threads.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does the work for every item. A thread that is done takes the next item, so
/// the work may differ much between them.
pub(crate) fn for_each<T: Send>(
    threads: NonZeroUsize,
    items: &mut [T],
    work: impl Fn(&mut T) + Sync,
) {
    let threads = threads.get().min(items.len());
    if threads < 2 {
        items.iter_mut().for_each(work);
        return;
    }
    let next = Mutex::new(items.iter_mut());
    let run = || {
        while let Some(item) = { next.lock().unwrap_or_else(PoisonError::into_inner).next() } {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
