//! Independent pieces of work, one by one or on several threads.
//!
//! With the feature `rayon` they are spread over the threads of the pool in
//! which the caller runs (`pool.install(|| …)`). Outside a pool there is one
//! thread, as without the feature. Results are put together by number, so they
//! are the same for any number of threads.

#[cfg(any(feature = "crowd", feature = "steer"))]
mod scoped;

use std::iter::Flatten;
use std::ops::Range;
use std::vec::IntoIter;

#[cfg(feature = "rayon")]
use rayon::prelude::*;

#[cfg(feature = "steer")]
pub(crate) use scoped::fill;
#[cfg(feature = "crowd")]
pub(crate) use scoped::for_each;

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

/// Returns `make` of the numbers below `count`, in order; each is worth a thread.
pub(crate) fn collect_few<T: Send>(
    count: usize,
    make: impl Fn(usize) -> T + Sync + Send,
) -> Vec<T> {
    each(count, 1, || (), |(), number| make(number))
}

/// Does the same as [`collect`]; a thread gets at least `least` numbers.
#[cfg_attr(not(feature = "rayon"), expect(unused_variables))]
fn each<R, T: Send>(
    count: usize,
    least: usize,
    room: impl Fn() -> R + Sync + Send,
    make: impl Fn(&mut R, usize) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "rayon")]
    if are_several() {
        let numbers = (0..count).into_par_iter().with_min_len(least);
        return numbers.map_init(room, make).collect();
    }
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

/// Returns `change` of each item, in order, on the threads of the caller's pool.
#[cfg(feature = "rayon")]
pub(crate) fn change_all<I: Send, T: Send>(
    items: &mut [I],
    change: impl Fn(&mut I) -> T + Sync + Send,
) -> Vec<T> {
    items.par_iter_mut().map(change).collect()
}
