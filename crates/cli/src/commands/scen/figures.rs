//! The measurements over a scenario, and their report.

use std::time::Duration;

use flowtiles_country::walk::{End, Walk};
use flowtiles_formats::ScenarioEntry;

use crate::support::figures::{Figures, Value};
use crate::support::numbers::rank;

/// Paths of at least this published length count as long.
const LONG: f64 = 50.0;

/// What came of an order.
pub struct Outcome {
    /// The time from the order to the first direction.
    pub time: Duration,
    /// Sectors that the order loaded.
    pub sectors: usize,
    pub walk: Walk,
}

/// The measurements of a run.
#[derive(Default)]
pub struct Tally {
    entries: usize,
    reached: usize,
    unreachable: usize,
    wrong: usize,
    corner_cuts: u64,
    /// Walked lengths divided by the published ones.
    ratios: Vec<f64>,
    max_long: Option<f64>,
    optimal: usize,
    micros: Vec<f64>,
    sectors: Vec<usize>,
}

impl Tally {
    /// Counts one entry; an order that was refused has no outcome.
    pub fn add(&mut self, entry: &ScenarioEntry, outcome: Option<Outcome>) {
        self.entries += 1;
        let walk = outcome.map(|outcome| {
            self.micros.push(outcome.time.as_secs_f64() * 1e6);
            self.sectors.push(outcome.sectors);
            self.corner_cuts += u64::from(outcome.walk.corner_cuts);
            outcome.walk
        });
        let is_right = match walk {
            Some(walk) if walk.end == End::Arrived && walk.cells.last() == Some(&entry.goal) => {
                self.reached += 1;
                self.add_length(entry, walk.length());
                !entry.says_unreachable()
            }
            Some(walk) if walk.end != End::Unreachable => false,
            _ => {
                self.unreachable += 1;
                entry.says_unreachable()
            }
        };
        self.wrong += usize::from(!is_right);
    }

    /// Compares a walked length with the published one. A path from a cell to
    /// itself has length 0 and no ratio.
    fn add_length(&mut self, entry: &ScenarioEntry, walked: f64) {
        if entry.length <= 0.0 {
            return;
        }
        let ratio = walked / entry.length;
        self.ratios.push(ratio);
        if entry.length >= LONG {
            self.max_long = Some(self.max_long.map_or(ratio, |worst| worst.max(ratio)));
        }
        self.optimal += usize::from(walked <= entry.length + entry.tolerance());
    }

    /// Adds all figures to those of the map. Where nothing was measured there is none.
    pub fn report(mut self, map: Figures) -> Figures {
        let count = self.ratios.len() as f64;
        let share = |part: f64| (count > 0.0).then(|| ratio(part / count));
        let sum = self.ratios.iter().sum();
        let mut percentile = |percent| rank(&mut self.ratios, percent).map(ratio);
        let ratios = Figures::default()
            .with("mean", share(sum), "of the optimum")
            .with("p50", percentile(50), "")
            .with("p95", percentile(95), "")
            .with("max", percentile(100), "")
            .with("max_long", self.max_long.map(ratio), "from length 50 on")
            .with("optimal_share", share(self.optimal as f64), "");
        let mut time = |percent| rank(&mut self.micros, percent);
        let times = Figures::default()
            .with("median", time(50), "µs")
            .with("p95", time(95), "µs")
            .with("max", time(100), "µs");
        let (loaded, orders) = (self.sectors.iter().sum::<usize>(), self.sectors.len());
        let mean = (orders > 0).then(|| loaded as f64 / orders as f64);
        let most = self.sectors.into_iter().max();
        let sectors = Figures::default()
            .with("mean", mean, "loaded")
            .with("max", most, "");
        map.with("entries", self.entries, "")
            .with("reached", self.reached, "")
            .with("unreachable", self.unreachable, "")
            .with("wrong", self.wrong, "answers")
            .with("corner_cuts", self.corner_cuts, "")
            .with("ratio", ratios, "")
            .with("order_us", times, "")
            .with("sectors", sectors, "")
    }
}

/// A ratio with six digits; more would only be noise.
fn ratio(value: f64) -> Value {
    Value::Number((value * 1e6).round() / 1e6)
}
