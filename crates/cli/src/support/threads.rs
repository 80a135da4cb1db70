//! Work on a given number of threads.

use crate::support::failure::Failure;

/// Does work on so many threads: what the engine spreads, it spreads over them.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().map_err(|error| {
        Failure::Input(format!(
            "{threads} threads cannot be started ({error}): ask for fewer"
        ))
    })?;
    Ok(pool.install(work))
}
