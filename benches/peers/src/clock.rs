//! Clocks for measuring.
//!
//! They measure processor time, so that other jobs on the machine do not count.

use std::thread::available_parallelism;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

fn timed<T>(clock: ClockId, work: impl FnOnce() -> T) -> (T, Duration) {
    let now = || {
        let time = clock_gettime(clock);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let start = now();
    let result = work();
    (result, now().saturating_sub(start))
}

/// Returns the time that this thread spends in `work`.
pub fn on_thread<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    timed(ClockId::ThreadCPUTime, work)
}

/// Returns the time that all threads spend in `work`, divided by the number of
/// cores: the shortest possible time on an idle machine.
pub fn on_all_threads<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (result, time) = timed(ClockId::ProcessCPUTime, work);
    let cores = available_parallelism().map_or(1, usize::from) as u32;
    (result, time / cores)
}
