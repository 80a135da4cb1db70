//! Independent pieces of work, one by one or on several threads.
//!
//! With the feature `rayon` they are spread over the threads of the pool in
//! which the caller runs (`pool.install(|| …)`). Outside a pool there is one
//! thread, as without the feature. Results are put together by number, so they
//! are the same for any number of threads.

use std::iter::Flatten;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::vec::IntoIter;

/// Whether the caller runs in a pool of several threads.
#[cfg(feature = "rayon")]
pub(crate) fn are_several() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

/// Returns `make` of the numbers below `count`, in order. Each thread gets
/// scratch of its own from `room`.
pub(crate) fn collect<R, T: Send>(
    count: usize,
    room: impl Fn() -> R + Sync + Send,
    make: impl Fn(&mut R, usize) -> T + Sync + Send,
) -> Vec<T> {
    each(count, RUN, room, make)
}

/// Does the same; a thread gets at least `least` numbers.
#[cfg(feature = "rayon")]
fn each<R, T: Send>(
    count: usize,
    least: usize,
    room: impl Fn() -> R + Sync + Send,
    make: impl Fn(&mut R, usize) -> T + Sync + Send,
) -> Vec<T> {
    use rayon::prelude::*;
    if !are_several() {
        let mut room = room();
        return (0..count).map(|number| make(&mut room, number)).collect();
    }
    let numbers = (0..count).into_par_iter().with_min_len(least);
    numbers.map_init(room, make).collect()
}

/// Returns `make` of the numbers below `count`, in order.
#[cfg(not(feature = "rayon"))]
fn each<R, T>(
    count: usize,
    _: usize,
    room: impl Fn() -> R,
    make: impl Fn(&mut R, usize) -> T,
) -> Vec<T> {
    let mut room = room();
    (0..count).map(|number| make(&mut room, number)).collect()
}

/// The least number of pieces of work that is worth a thread.
const RUN: usize = 256;

/// Returns what `make` returns for the numbers below `count`, in order. `make`
/// gets a range of numbers at a time.
pub(crate) fn collect_runs<R, T: Send>(
    count: usize,
    room: impl Fn() -> R + Sync + Send,
    make: impl Fn(&mut R, Range<usize>) -> Vec<T> + Sync + Send,
) -> Flatten<IntoIter<Vec<T>>> {
    let run = |room: &mut R, number: usize| {
        let first = number * RUN;
        make(room, first..count.min(first + RUN))
    };
    let runs = each(count.div_ceil(RUN), 1, room, run);
    runs.into_iter().flatten()
}

/// Returns `change` of each item, in order.
#[cfg(not(feature = "rayon"))]
pub(crate) fn change_all<I, T>(items: &mut [I], change: impl FnMut(&mut I) -> T) -> Vec<T> {
    items.iter_mut().map(change).collect()
}

/// Returns `change` of each item, in order.
#[cfg(feature = "rayon")]
pub(crate) fn change_all<I: Send, T: Send>(
    items: &mut [I],
    change: impl Fn(&mut I) -> T + Sync + Send,
) -> Vec<T> {
    use rayon::prelude::*;
    if are_several() {
        items.par_iter_mut().map(change).collect()
    } else {
        items.iter_mut().map(change).collect()
    }
}

/// Fills `results[at]` with `work(at)`.
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
    // Several chunks per thread, since some take longer than others.
    let size = results.len().div_ceil(threads.get() * 8);
    let chunks = results.chunks_mut(size).enumerate();
    let mut chunks: Vec<(usize, &mut [T])> = chunks.map(|(at, chunk)| (at * size, chunk)).collect();
    for_each(threads, &mut chunks, |(first, chunk)| {
        fill_chunk(*first, chunk);
    });
}

/// Does the work for every item. A thread that has finished takes the next
/// item, so the items may differ much in work.
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
