//! The least times of jobs over some rounds.

use std::time::{Duration, Instant};

/// The least time of each job, in seconds: what it takes when nothing else runs.
#[derive(Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Does a job and keeps its time if it is the least so far.
    pub fn time<T>(&mut self, job: usize, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = work();
        self.note(job, begin.elapsed());
        done
    }

    /// Keeps a time taken elsewhere if it is the least so far.
    pub fn note(&mut self, job: usize, time: Duration) {
        if job >= self.0.len() {
            self.0.resize(job + 1, f64::INFINITY);
        }
        self.0[job] = self.0[job].min(time.as_secs_f64());
    }

    /// Returns the median of the jobs' least times.
    pub fn median(&self) -> f64 {
        self.rank(50)
    }

    /// Returns the smallest of the jobs' least times that at least `percent` percent
    /// do not exceed; 0 without jobs.
    pub fn rank(&self, percent: usize) -> f64 {
        rank(self.0.clone(), percent).unwrap_or(0.0)
    }
}

/// Returns the smallest value that at least `percent` percent do not exceed.
pub fn rank(mut values: Vec<f64>, percent: usize) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let place = (values.len() * percent).div_ceil(100).saturating_sub(1);
    values.get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_of_each_jobs_least_time() {
        let mut times = Times::default();
        for round in [[1, 2, 9], [3, 4, 5], [2, 3, 6]] {
            for (job, millis) in round.into_iter().enumerate() {
                times.note(job, Duration::from_millis(millis));
            }
        }
        assert_eq!((times.median(), times.rank(99)), (0.002, 0.005));
        assert_eq!(Times::default().median(), 0.0);
    }
}
