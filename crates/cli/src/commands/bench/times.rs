//! The least times of jobs over some rounds.

use std::time::Instant;

use crate::support::numbers::rank;

/// The least time of each job, in seconds: what it takes when nothing else runs.
#[derive(Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Does a job and keeps its time if it is the least so far.
    pub fn time<T>(&mut self, job: usize, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = work();
        let time = begin.elapsed().as_secs_f64();
        if job >= self.0.len() {
            self.0.resize(job + 1, f64::INFINITY);
        }
        self.0[job] = self.0[job].min(time);
        done
    }

    /// Returns the median of the jobs' least times.
    pub fn median(&self) -> f64 {
        self.rank(50)
    }

    /// Returns the smallest of the jobs' least times that at least `percent` percent
    /// do not exceed; 0 without jobs.
    pub fn rank(&self, percent: usize) -> f64 {
        rank(&mut self.0.clone(), percent).unwrap_or(0.0)
    }
}
