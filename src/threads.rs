//! Independent pieces of work, one by one or on several threads.
//!
//! With the feature `rayon` they are spread over the threads of the pool in
//! which the caller runs (`pool.install(|| …)`). Outside a pool there is one
//! thread, as without the feature. Results are put together by number, so they
//! are the same for any number of threads.

use std::iter::Flatten;
use std::ops::Range;
use std::vec::IntoIter;

#[cfg(feature = "rayon")]
use rayon::prelude::*;

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

/// Does the same where each number is worth a thread.
pub(crate) fn collect_few<R, T: Send>(
    count: usize,
    room: impl Fn() -> R + Sync + Send,
    make: impl Fn(&mut R, usize) -> T + Sync + Send,
) -> Vec<T> {
    each(count, 1, room, make)
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

/// Does the work for every item; each is worth a thread.
#[cfg(feature = "crowd")]
pub(crate) fn for_each<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    #[cfg(feature = "rayon")]
    if are_several() {
        return items.par_iter_mut().for_each(work);
    }
    items.iter_mut().for_each(work);
}

/// Slices of one length, to be filled in side by side.
#[cfg(feature = "steer")]
pub(crate) trait Slots: Sized + Send {
    fn count(&self) -> usize;
    /// Cuts all of them at one place.
    fn cut(self, at: usize) -> (Self, Self);
}

#[cfg(feature = "steer")]
impl<T: Send> Slots for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

#[cfg(feature = "steer")]
macro_rules! slots_side_by_side {
    ($($name:ident $slots:ident),+) => {
        impl<$($slots: Slots),+> Slots for ($($slots,)+) {
            fn count(&self) -> usize {
                self.0.count()
            }

            fn cut(self, at: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.cut(at);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}

#[cfg(feature = "steer")]
slots_side_by_side!(a A, b B);
#[cfg(feature = "steer")]
slots_side_by_side!(a A, b B, c C);
#[cfg(feature = "steer")]
slots_side_by_side!(a A, b B, c C, d D);
#[cfg(feature = "steer")]
slots_side_by_side!(a A, b B, c C, d D, e E, f F);
#[cfg(feature = "steer")]
slots_side_by_side!(a A, b B, c C, d D, e E, f F, g G, h H);

/// Does work on runs of slots, each from its first number on.
#[cfg(feature = "steer")]
pub(crate) fn for_runs<S: Slots>(slots: S, work: impl Fn(usize, S) + Sync) {
    #[cfg(feature = "rayon")]
    if are_several() {
        // Several runs a thread: some take longer than others.
        let runs = rayon::current_num_threads() * 8;
        let least = slots.count().div_ceil(runs).max(RUN);
        return for_runs_of(least, 0, slots, &work);
    }
    work(0, slots);
}

#[cfg(all(feature = "rayon", feature = "steer"))]
fn for_runs_of<S: Slots>(most: usize, first: usize, slots: S, work: &(impl Fn(usize, S) + Sync)) {
    let count = slots.count();
    if count <= most {
        return work(first, slots);
    }
    let middle = count / 2;
    let (one, two) = slots.cut(middle);
    rayon::join(
        || for_runs_of(most, first, one, work),
        || for_runs_of(most, first + middle, two, work),
    );
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
    each(count.div_ceil(RUN), 1, room, run)
        .into_iter()
        .flatten()
}

/// Returns `change` of each item, in order, on the threads of the caller's pool.
#[cfg(feature = "rayon")]
pub(crate) fn change_all<I: Send, T: Send>(
    items: &mut [I],
    change: impl Fn(&mut I) -> T + Sync + Send,
) -> Vec<T> {
    items.par_iter_mut().map(change).collect()
}
