//! The printed figures of a march.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::run::Record;
use super::target_figures::TargetFigures;
use super::usage::{KindFigures, PassageFigures};
use flowtiles_studio::numbers::thousandths;

/// The printed figures of a scene.
#[derive(Serialize)]
pub struct SceneFigures {
    scene: String,
    seed: u64,
    units: usize,
    ticks: u32,
    arrived: usize,
    stuck: usize,
    cut_off: usize,
    fallen: usize,
    #[serde(skip)]
    is_final: bool,
    t50: Option<u32>,
    t90: Option<u32>,
    t100: Option<u32>,
    wall_overlaps: u64,
    deepest_overlap: f64,
    walked_over_optimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crossings: Option<Crossings>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passages: Vec<PassageFigures>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kinds: Vec<KindFigures>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    targets: Vec<TargetFigures>,
    tick_us: TickTimes,
    hash: String,
}

/// The bridges that units crossed, in a scene with congestion and without it.
#[derive(Serialize)]
pub struct Crossings {
    with: Crossing,
    without: Crossing,
}

/// The bridges that units crossed in one run.
#[derive(Serialize)]
struct Crossing {
    /// The share of the units that took each bridge first.
    shares: Vec<f64>,
    t100: Option<u32>,
    /// The mean price walked.
    walked: f64,
    level_changes: usize,
}

impl Crossings {
    /// Returns the crossings of both runs.
    pub fn new(with: &Record, without: &Record) -> Self {
        let [with, without] = [with, without].map(Crossing::new);
        Self { with, without }
    }
}

impl Crossing {
    fn new(record: &Record) -> Self {
        let firsts = record.usage.passages.iter().map(|bridge| bridge.first);
        let all = firsts.clone().sum::<usize>().max(1) as f64;
        Self {
            shares: firsts
                .map(|units| thousandths(units as f64 / all))
                .collect(),
            t100: record.times[2],
            walked: thousandths(record.walked),
            level_changes: record.level_changes,
        }
    }
}

impl fmt::Display for Crossing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares: Vec<String> = self
            .shares
            .iter()
            .map(|s| format!("{:.0} %", 100.0 * s))
            .collect();
        write!(
            f,
            "{}; all at tick {}, ",
            shares.join(", "),
            time(self.t100)
        )?;
        write!(f, "{:.1} walked in the mean", self.walked)
    }
}

/// A tick as text.
fn time(time: Option<u32>) -> String {
    time.map_or("never".to_owned(), |tick| tick.to_string())
}

/// Times of ticks, in microseconds.
#[derive(Clone, Copy, Serialize)]
pub struct TickTimes {
    pub median: f64,
    pub max: f64,
}

impl TickTimes {
    /// Returns the summary of these times.
    pub fn of(times: &[Duration]) -> Self {
        let mut times = times.to_vec();
        times.sort_unstable();
        let micros = |time: Option<&Duration>| {
            time.map_or(0.0, |time| (time.as_secs_f64() * 1e7).round() / 10.0)
        };
        Self {
            median: micros(times.get(times.len() / 2)),
            max: micros(times.last()),
        }
    }
}

impl SceneFigures {
    /// Returns the figures of a finished run.
    pub fn new(scene: &str, seed: u64, record: &Record, crossings: Option<Crossings>) -> Self {
        Self {
            scene: scene.to_owned(),
            seed,
            units: record.units,
            ticks: record.ticks,
            arrived: record.arrived,
            stuck: record.stuck,
            cut_off: record.cut_off,
            fallen: record.fallen,
            is_final: record.is_final,
            t50: record.times[0],
            t90: record.times[1],
            t100: record.times[2],
            wall_overlaps: record.wall_overlaps,
            deepest_overlap: thousandths(f64::from(record.deepest_overlap)),
            walked_over_optimum: record.over_optimum.map(thousandths),
            crossings,
            passages: record.usage.passages.clone(),
            kinds: record.usage.kinds.clone(),
            targets: record.targets.clone(),
            tick_us: TickTimes::of(&record.tick_times),
            hash: format!("{:016x}", record.hash),
        }
    }
}

impl fmt::Display for SceneFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} units, {} ticks (seed {})",
            self.scene, self.units, self.ticks, self.seed
        )?;
        writeln!(
            f,
            "  arrived             {} of {}; {} stuck, {} cut off",
            self.arrived, self.units, self.stuck, self.cut_off
        )?;
        if self.fallen > 0 {
            writeln!(f, "  fallen              {}", self.fallen)?;
        }
        // Where a band flocks, patrols or pursues, units arrive for a while or never.
        if self.is_final {
            writeln!(
                f,
                "  a half, 9/10, all   at tick {}, {}, {}",
                time(self.t50),
                time(self.t90),
                time(self.t100)
            )?;
        }
        writeln!(f, "  in a wall           {} unit-ticks", self.wall_overlaps)?;
        writeln!(
            f,
            "  deepest overlap     {:.3} cells, of two units",
            self.deepest_overlap
        )?;
        if let Some(ratio) = self.walked_over_optimum {
            writeln!(
                f,
                "  walked              {ratio:.3} times the cheapest path on the grid, in the median"
            )?;
        }
        if let Some(Crossings { with, without }) = &self.crossings {
            writeln!(f, "  bridges             {with}")?;
            writeln!(f, "  without congestion  {without}")?;
        } else {
            for passage in &self.passages {
                writeln!(f, "{passage}")?;
            }
        }
        for kind in &self.kinds {
            writeln!(f, "{kind}")?;
        }
        for target in &self.targets {
            writeln!(f, "{target}")?;
        }
        writeln!(
            f,
            "  a tick              {:.0} µs in the median, {:.0} µs at most",
            self.tick_us.median, self.tick_us.max
        )?;
        writeln!(f, "  state               {}", self.hash)
    }
}
