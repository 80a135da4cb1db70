//! The same work for every item, on one thread or several: results go in by
//! their place, so nobody can tell how many there were.

use std::num::NonZeroUsize;
use std::thread;

/// Fills `results[at]` with `work(at)`.
pub(super) fn fill<T: Send>(
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
    let size = results.len().div_ceil(threads.get());
    let fill_chunk = &fill_chunk;
    thread::scope(|scope| {
        for (at, chunk) in results.chunks_mut(size).enumerate() {
            scope.spawn(move || fill_chunk(at * size, chunk));
        }
    });
}
