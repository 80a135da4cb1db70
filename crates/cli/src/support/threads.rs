//! Work on a given number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::support::failure::Failure;

/// The most threads of a command.
pub const THREADS_MAX: u32 = 1024;

/// Runs work in a pool of `threads` threads, which the engine then uses.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    Ok(pool(threads)?.install(work))
}

/// Starts a pool of `threads` threads, for work that comes again and again.
pub fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    pool.build().map_err(|error| {
        Failure::Input(format!(
            "{threads} threads cannot be started ({error}): ask for fewer"
        ))
    })
}
