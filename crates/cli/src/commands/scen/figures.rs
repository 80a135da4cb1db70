//! The measurements over a scenario, and their report.

use std::fmt;
use std::time::Duration;

use flowtiles::CostMap;
use flowtiles_formats::ScenarioEntry;
use serde::Serialize;

use super::outcome::{Answer, Outcome};

/// Paths of at least this published length count as long.
const LONG: f64 = 50.0;

/// The measurements of a run.
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
            entries: 0,
            reached: 0,
            unreachable: 0,
            wrong: 0,
            corner_cuts: 0,
            ratios: Vec::new(),
            max_long: None,
            optimal: 0,
            order_times: Vec::new(),
            sectors: Vec::new(),
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

    /// Completes the report.
    pub fn report(mut self) -> ScenarioReport {
        self.ratios.sort_by(f64::total_cmp);
        self.order_times.sort_unstable();
        let times: Vec<f64> = self
            .order_times
            .iter()
            .map(|time| time.as_secs_f64() * 1e6)
            .collect();
        let count = self.ratios.len() as f64;
        let share = |part: f64| (count > 0.0).then(|| rounded(part / count, 6));
        let loaded: usize = self.sectors.iter().sum();
        let orders = self.sectors.len();
        ScenarioReport {
            map: self.map,
            width: self.width,
            height: self.height,
            entries: self.entries,
            reached: self.reached,
            unreachable: self.unreachable,
            wrong: self.wrong,
            corner_cuts: self.corner_cuts,
            ratio: Ratio {
                mean: share(self.ratios.iter().sum()),
                p50: rank(&self.ratios, 50).map(|ratio| rounded(ratio, 6)),
                p95: rank(&self.ratios, 95).map(|ratio| rounded(ratio, 6)),
                max: rank(&self.ratios, 100).map(|ratio| rounded(ratio, 6)),
                max_long: self.max_long.map(|ratio| rounded(ratio, 6)),
                optimal_share: share(self.optimal as f64),
            },
            order_us: OrderTimes {
                median: rank(&times, 50).map(|time| rounded(time, 3)),
                p95: rank(&times, 95).map(|time| rounded(time, 3)),
                max: rank(&times, 100).map(|time| rounded(time, 3)),
            },
            sectors: SectorCounts {
                mean: (orders > 0).then(|| rounded(loaded as f64 / orders as f64, 3)),
                max: self.sectors.iter().max().copied(),
            },
            of_sectors: self.width.div_ceil(10) as usize * self.height.div_ceil(10) as usize,
        }
    }
}

/// The value that `percent` of the sorted values do not exceed.
fn rank(sorted: &[f64], percent: usize) -> Option<f64> {
    let place = (sorted.len() * percent).div_ceil(100).max(1) - 1;
    sorted.get(place).copied()
}

/// Rounds to `digits` digits; more would only be noise.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// The report, in the order in which it is printed. Missing measurements are
/// null.
#[derive(Debug, Serialize)]
pub struct ScenarioReport {
    map: String,
    width: u32,
    height: u32,
    entries: usize,
    reached: usize,
    unreachable: usize,
    wrong: usize,
    corner_cuts: u64,
    ratio: Ratio,
    order_us: OrderTimes,
    sectors: SectorCounts,
    #[serde(skip)]
    of_sectors: usize,
}

#[derive(Debug, Serialize)]
struct Ratio {
    mean: Option<f64>,
    p50: Option<f64>,
    p95: Option<f64>,
    max: Option<f64>,
    max_long: Option<f64>,
    optimal_share: Option<f64>,
}

#[derive(Debug, Serialize)]
struct OrderTimes {
    median: Option<f64>,
    p95: Option<f64>,
    max: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SectorCounts {
    mean: Option<f64>,
    max: Option<usize>,
}

impl fmt::Display for ScenarioReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ratio,
            order_us,
            sectors,
            ..
        } = self;
        writeln!(f, "{}: {}×{} cells", self.map, self.width, self.height)?;
        writeln!(
            f,
            "  entries       {}: {} reached, {} without a path",
            self.entries, self.reached, self.unreachable
        )?;
        writeln!(
            f,
            "  wrong         {} answers, {} corners cut",
            self.wrong, self.corner_cuts
        )?;
        writeln!(
            f,
            "  length        {} of the optimum in the mean, p95 {}, worst {} (from length {LONG}: {})",
            ratio_text(ratio.mean),
            ratio_text(ratio.p95),
            ratio_text(ratio.max),
            ratio_text(ratio.max_long)
        )?;
        writeln!(
            f,
            "  optimal       {} of the paths",
            text(ratio.optimal_share.map(|share| share * 100.0), 1, " %")
        )?;
        writeln!(
            f,
            "  cold order    {} in the median, p95 {}, slowest {}",
            text(order_us.median, 1, " µs"),
            text(order_us.p95, 1, " µs"),
            text(order_us.max, 1, " µs")
        )?;
        let share = sectors
            .mean
            .map(|mean| mean * 100.0 / self.of_sectors as f64);
        writeln!(
            f,
            "  loaded        {} of {} sectors in the mean ({}), at most {}",
            text(sectors.mean, 1, ""),
            self.of_sectors,
            text(share, 2, " %"),
            text(sectors.max.map(|max| max as f64), 0, "")
        )
    }
}

fn ratio_text(ratio: Option<f64>) -> String {
    text(ratio, 4, "")
}

fn text(value: Option<f64>, digits: usize, unit: &str) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_values_of_the_list() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(rank(&values, 50), Some(10.0));
        assert_eq!(rank(&values, 95), Some(19.0));
        assert_eq!(rank(&values, 100), Some(20.0));
        assert_eq!(rank(&values[..1], 50), Some(1.0));
        assert_eq!(rank(&[], 50), None);
    }
}
