//! The measurements over a scenario, and their report.

use std::time::Duration;

use super::outcome::{Answer, Outcome};
use crate::support::figures::{Figures, Value};
use crate::support::numbers::rank;
use flowtiles::CostMap;
use flowtiles_formats::ScenarioEntry;

/// Paths of at least this published length count as long.
const LONG: f64 = 50.0;

/// The measurements of a run.
#[derive(Default)]
pub struct ScenarioFigures {
    map: String,
    width: u32,
    height: u32,
    entries: usize,
    reached: usize,
    unreachable: usize,
    wrong: usize,
    corner_cuts: u64,
    ratios: Vec<f64>,
    max_long: Option<f64>,
    optimal: usize,
    order_times: Vec<Duration>,
    sectors: Vec<usize>,
}

impl ScenarioFigures {
    pub fn new(map: String, costs: &CostMap) -> Self {
        Self {
            map,
            width: costs.width(),
            height: costs.height(),
            ..Self::default()
        }
    }

    /// Counts one entry.
    pub fn add(&mut self, entry: &ScenarioEntry, outcome: &Outcome) {
        self.entries += 1;
        if let Some(time) = outcome.order_time {
            self.order_times.push(time);
            self.sectors.push(outcome.sectors);
        }
        let right = match &outcome.answer {
            Answer::Reached(walk) => {
                self.reached += 1;
                self.corner_cuts += u64::from(walk.corner_cuts);
                self.add_length(entry, walk.length());
                !entry.says_unreachable()
            }
            Answer::Unreachable => {
                self.unreachable += 1;
                entry.says_unreachable()
            }
            Answer::Lost(walk) => {
                self.corner_cuts += u64::from(walk.corner_cuts);
                false
            }
        };
        self.wrong += usize::from(!right);
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

    /// All figures. Where nothing was measured there is none.
    pub fn report(mut self) -> Figures {
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
        let micros = self.order_times.iter().map(Duration::as_secs_f64);
        let mut micros: Vec<f64> = micros.map(|time| time * 1e6).collect();
        let mut time = |percent| rank(&mut micros, percent);
        let times = Figures::default()
            .with("median", time(50), "µs")
            .with("p95", time(95), "µs")
            .with("max", time(100), "µs");
        let (loaded, orders) = (self.sectors.iter().sum::<usize>(), self.sectors.len());
        let mean = (orders > 0).then(|| loaded as f64 / orders as f64);
        let sectors = Figures::default().with("mean", mean, "loaded").with(
            "max",
            self.sectors.iter().max().copied(),
            "",
        );
        Figures::default()
            .with("map", self.map, "")
            .with("width", self.width, "cells")
            .with("height", self.height, "cells")
            .with("entries", self.entries, "")
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
