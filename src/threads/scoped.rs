//! Work on threads that live only as long as the work, for armies and crowds.
//! Their callers set the number of threads.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Fills `results[at]` with `work(at)`.
#[cfg(feature = "steer")]
pub(crate) fn fill<T: Send>(
    threads: NonZeroUsize,
    results: &mut [T],
    work: impl Fn(usize) -> T + Sync,
) {
    let fill_chunk = |first: usize, chunk: &mut [T]| {
        for (at, result) in chunk.iter_mut().enumerate() {
            *result = work(first + at);
        }
    };
    if threads.get() == 1 || results.len() < 256 {
        fill_chunk(0, results);
        return;
    }
    // Several chunks a thread: some take longer than others.
    let size = results.len().div_ceil(threads.get() * 8);
    let chunks = results.chunks_mut(size).enumerate();
    let mut chunks: Vec<(usize, &mut [T])> = chunks.map(|(at, chunk)| (at * size, chunk)).collect();
    for_each(threads, &mut chunks, |(first, chunk)| {
        fill_chunk(*first, chunk);
    });
}

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
