//! Stop-watches.
//!
//! Work on one thread is timed by that thread's time on the processor, so that
//! other jobs of the machine do not count. Work that a crate spreads over
//! threads is timed by the wall clock.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

fn on_processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that this thread spends in `work`.
pub fn on_thread<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = on_processor();
    let result = work();
    (result, on_processor().saturating_sub(start))
}

/// The time on the wall until `work` is done.
pub fn on_wall<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
