//! The times of jobs, round by round.

use std::time::{Duration, Instant};

use super::figures::Figure;

/// The times of jobs of one kind, by round. Every round does the same jobs in the
/// same order.
///
/// The time of a job is its median over the rounds, so an interruption in one
/// round does not make a job look slow.
///
/// A round runs every job once. A temporary disturbance of the machine shows as
/// a difference between rounds, so their spread says how reliable a figure is.
#[derive(Debug, Default)]
pub struct Times {
    rounds: Vec<Vec<f64>>,
}

impl Times {
    /// Begins the next round.
    pub fn begin_round(&mut self) {
        self.rounds.push(Vec::new());
    }

    /// Does a job and records its time.
    pub fn time<T>(&mut self, job: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = job();
        self.note(begin.elapsed());
        done
    }

    /// Times a job too short to time alone: `all` runs it `count` times. Records
    /// the time of one.
    pub fn time_many(&mut self, count: usize, all: impl FnOnce()) {
        let begin = Instant::now();
        all();
        self.push(begin.elapsed().as_secs_f64() / count as f64);
    }

    /// Records a time taken elsewhere.
    pub fn note(&mut self, time: Duration) {
        self.push(time.as_secs_f64());
    }

    fn push(&mut self, seconds: f64) {
        if self.rounds.is_empty() {
            self.begin_round();
        }
        if let Some(round) = self.rounds.last_mut() {
            round.push(seconds);
        }
    }

    /// Returns the median of the jobs, in a unit of which `unit` make a second.
    pub fn median(&self, unit: f64) -> Figure {
        self.rank(50, unit)
    }

    /// Returns the shortest time of equal jobs: the time of one on an idle
    /// machine. Its spread is the difference between the rounds.
    pub fn least(&self, unit: f64) -> Figure {
        let least = |round: &Vec<f64>| round.iter().copied().reduce(f64::min);
        let rounds: Vec<f64> = self.rounds.iter().filter_map(least).collect();
        let value = rounds.iter().copied().fold(f64::MAX, f64::min);
        let most = rounds.iter().copied().fold(0.0, f64::max);
        if rounds.is_empty() {
            return Figure::default();
        }
        Figure::new(value * unit, (most - value) / value)
    }

    /// Returns the median of different jobs, each by its shortest time.
    pub fn calm(&self, unit: f64) -> Figure {
        let jobs = self.rounds.iter().map(Vec::len).min().unwrap_or(0);
        let times = |job: usize| self.rounds.iter().map(move |round| round[job]);
        let calm = Self {
            rounds: vec![
                (0..jobs)
                    .map(|job| times(job).fold(f64::MAX, f64::min))
                    .collect(),
            ],
        };
        Figure::new(calm.median(unit).value(), self.median(unit).spread())
    }

    /// Returns the percentile `percent` of the jobs' times. Its spread is the
    /// difference between the rounds.
    pub fn rank(&self, percent: usize, unit: f64) -> Figure {
        let jobs = self.rounds.iter().map(Vec::len).min().unwrap_or(0);
        let time = |job: usize| rank(self.rounds.iter().map(|round| round[job]).collect(), 50);
        let value = rank((0..jobs).map(time).collect(), percent);
        let each = self.rounds.iter().filter(|round| !round.is_empty());
        let each: Vec<f64> = each.map(|round| rank(round.clone(), percent)).collect();
        let (low, high) = each
            .iter()
            .fold((f64::MAX, 0.0_f64), |(low, high), &value| {
                (low.min(value), high.max(value))
            });
        let spread = if value > 0.0 {
            (high - low) / value
        } else {
            0.0
        };
        Figure::new(value * unit, spread)
    }
}

/// The smallest value that at least `percent` percent of the values do not
/// exceed; 0 for no values.
fn rank(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len() * percent).div_ceil(100).saturating_sub(1);
    values.get(place).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jobs_time_is_its_median_and_the_spread_lies_between_rounds() {
        let mut times = Times::default();
        for round in [[1, 2, 9], [3, 4, 5], [2, 3, 6]] {
            times.begin_round();
            for millis in round {
                times.note(Duration::from_millis(millis));
            }
        }
        let median = times.median(1e3);
        assert_eq!(median.value(), 3.0);
        assert!((median.spread() - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(times.rank(99, 1e3).value(), 6.0);
        assert_eq!(times.least(1e3).value(), 1.0);
        assert_eq!(times.least(1e3).spread(), 2.0);
        assert_eq!(times.calm(1e3).value(), 2.0, "the median of 1, 2 and 5");
        assert_eq!(Times::default().median(1e3).value(), 0.0);
        assert_eq!(Times::default().least(1e3).value(), 0.0);
    }
}
