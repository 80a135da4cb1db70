//! The printed figures of a crowd scene, for one run and for several seeds.

use std::fmt;

use serde::Serialize;

use super::compare::{Alone, ArrivalTimes, Trial};
use super::figures::TickTimes;
use super::measure::median;
use super::run::Record;
use flowtiles_scenes::Method;
use flowtiles_studio::numbers::thousandths;

/// The printed figures of a run.
#[derive(Clone, Serialize)]
pub struct Measured {
    ticks: u32,
    arrived: usize,
    stuck: usize,
    cut_off: usize,
    #[serde(flatten)]
    times: ArrivalTimes,
    mean_speed: Option<f64>,
    deepest_overlap: f64,
    mean_deepest_overlap: Option<f64>,
    lane_order: Option<f64>,
    stripes: Option<u32>,
    wall_overlaps: u64,
    /// Units by the door through which they left first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doors: Vec<usize>,
    /// Units that entered painted ground.
    entered: usize,
    walked_over_optimum: Option<f64>,
    tick_us: TickTimes,
    solve_us: TickTimes,
    hash: String,
}

impl Measured {
    fn of(record: &Record) -> Self {
        let watched = record.watched.clone().unwrap_or_default();
        Self {
            ticks: record.ticks,
            arrived: record.arrived,
            stuck: record.stuck,
            cut_off: record.cut_off,
            times: ArrivalTimes::of(record),
            mean_speed: watched.mean_speed.map(thousandths),
            deepest_overlap: thousandths(f64::from(record.deepest_overlap)),
            mean_deepest_overlap: watched.mean_deepest.map(thousandths),
            lane_order: watched.lane_order.map(thousandths),
            stripes: watched.stripes,
            wall_overlaps: record.wall_overlaps,
            doors: record
                .usage
                .passages
                .iter()
                .map(|door| door.first)
                .collect(),
            entered: watched.entered,
            walked_over_optimum: record.over_optimum.map(thousandths),
            tick_us: TickTimes::of(&record.tick_times),
            solve_us: TickTimes::of(&record.solve_times),
            hash: format!("{:016x}", record.hash),
        }
    }
}

/// The printed figures of a scene from one seed.
#[derive(Clone, Serialize)]
pub struct CrowdSceneFigures {
    scene: String,
    method: Method,
    seed: u64,
    units: usize,
    #[serde(flatten)]
    own: Measured,
    plain: Option<Measured>,
    alone: Option<Alone>,
}

impl CrowdSceneFigures {
    /// Returns the figures of a finished trial.
    pub fn new(scene: &str, trial: &Trial) -> Self {
        Self {
            scene: scene.to_owned(),
            method: trial.asked.method,
            seed: trial.asked.seed,
            units: trial.own.units,
            own: Measured::of(&trial.own),
            plain: trial.plain.as_ref().map(Measured::of),
            alone: trial.alone,
        }
    }
}

impl fmt::Display for CrowdSceneFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured {
            ticks,
            arrived,
            stuck,
            cut_off,
            ..
        } = self.own;
        writeln!(
            f,
            "{} ({}): {} units, {ticks} ticks (seed {})",
            self.scene,
            self.method.name(),
            self.units,
            self.seed
        )?;
        writeln!(
            f,
            "  {arrived} arrived; {stuck} stuck, {cut_off} cut off; state {}",
            self.own.hash
        )?;
        writeln!(
            f,
            "  a tick {:.0} µs in the median, {:.0} µs at most; of that the crowd's fields {:.0} and {:.0} µs",
            self.own.tick_us.median,
            self.own.tick_us.max,
            self.own.solve_us.median,
            self.own.solve_us.max
        )?;
        let figures = CrowdSeeds::new(vec![self.clone()]);
        write!(f, "{}", figures.table())
    }
}

/// The medians of several runs.
#[derive(Serialize)]
pub struct Summary {
    /// Units that did not arrive, in the worst run.
    left_behind: usize,
    #[serde(flatten)]
    times: ArrivalTimes,
    /// The latest of the runs.
    worst_d100: Option<f64>,
    mean_speed: Option<f64>,
    /// The deepest of all runs.
    deepest_overlap: f64,
    mean_deepest_overlap: Option<f64>,
    lane_order: Option<f64>,
    stripes: Option<u32>,
    /// The sum over all runs.
    wall_overlaps: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doors: Vec<usize>,
    entered: usize,
    solve_us: f64,
}

impl Summary {
    fn of(runs: &[&Measured], units: usize) -> Option<Self> {
        if runs.is_empty() {
            return None;
        }
        let each = |value: fn(&Measured) -> Option<f64>| median_of(runs.iter().map(|r| value(r)));
        let last = runs.iter().map(|run| run.times.d100);
        let left = |run: &&Measured| units - run.arrived;
        let doors = 0..runs[0].doors.len();
        Some(Self {
            left_behind: runs.iter().map(left).max().unwrap_or(0),
            times: median_times(runs.iter().map(|run| &run.times)),
            worst_d100: last.reduce(|one, two| Some(one?.max(two?))).flatten(),
            mean_speed: each(|run| run.mean_speed),
            deepest_overlap: runs.iter().map(|r| r.deepest_overlap).fold(0.0, f64::max),
            mean_deepest_overlap: each(|run| run.mean_deepest_overlap),
            lane_order: each(|run| run.lane_order),
            stripes: median(&runs.iter().filter_map(|r| r.stripes).collect::<Vec<_>>()),
            wall_overlaps: runs.iter().map(|run| run.wall_overlaps).sum(),
            doors: doors
                .filter_map(|at| median(&runs.iter().map(|r| r.doors[at]).collect::<Vec<_>>()))
                .collect(),
            entered: median(&runs.iter().map(|r| r.entered).collect::<Vec<_>>()).unwrap_or(0),
            solve_us: each(|run| Some(run.solve_us.median)).unwrap_or(0.0),
        })
    }
}

/// Returns the median; `None` (never) is later than any time.
fn median_of(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.map(|value| value.unwrap_or(f64::INFINITY)).collect();
    median(&values).filter(|value| value.is_finite())
}

/// The medians of times, one by one.
fn median_times<'a>(all: impl Iterator<Item = &'a ArrivalTimes> + Clone) -> ArrivalTimes {
    let ticks = |time: fn(&ArrivalTimes) -> Option<u32>| {
        median_of(all.clone().map(|times| time(times).map(f64::from))).map(|tick| tick as u32)
    };
    let seconds = |time: fn(&ArrivalTimes) -> Option<f64>| median_of(all.clone().map(time));
    ArrivalTimes {
        t50: ticks(|times| times.t50),
        t90: ticks(|times| times.t90),
        t100: ticks(|times| times.t100),
        d50: seconds(|times| times.d50),
        d90: seconds(|times| times.d90),
        d100: seconds(|times| times.d100),
    }
}

/// The printed figures of a scene from several seeds: the medians, and each run.
#[derive(Serialize)]
pub struct CrowdSeeds {
    scene: String,
    method: Method,
    units: usize,
    median: Medians,
    runs: Vec<CrowdSceneFigures>,
}

/// The medians of a scene's runs.
#[derive(Serialize)]
struct Medians {
    own: Option<Summary>,
    plain: Option<Summary>,
    alone: Option<Alone>,
}

impl CrowdSeeds {
    /// Returns the figures of a scene's runs.
    ///
    /// # Panics
    /// Without runs.
    pub fn new(runs: Vec<CrowdSceneFigures>) -> Self {
        let CrowdSceneFigures {
            ref scene,
            method,
            units,
            ..
        } = runs[0];
        let own: Vec<&Measured> = runs.iter().map(|run| &run.own).collect();
        let plain: Vec<&Measured> = runs.iter().filter_map(|run| run.plain.as_ref()).collect();
        let alone: Vec<&Alone> = runs.iter().filter_map(|run| run.alone.as_ref()).collect();
        let crowd = alone.iter().filter_map(|alone| alone.crowd.as_ref());
        let medians = Medians {
            own: Summary::of(&own, units),
            plain: Summary::of(&plain, units),
            alone: (!alone.is_empty()).then(|| Alone {
                plain: median_times(alone.iter().map(|alone| &alone.plain)),
                crowd: (crowd.clone().count() > 0).then(|| median_times(crowd)),
            }),
        };
        Self {
            scene: scene.clone(),
            method,
            units,
            median: medians,
            runs,
        }
    }

    /// The heading of tables.
    pub const HEADING: &str = "\
scene                       d50    d90   d100  worst   left   t100  speed  order  strp  deepest  (mean)  wall  solve µs
";

    /// The medians as lines of a table.
    pub fn lines(&self) -> String {
        let mut lines = String::new();
        let medians = &self.median;
        let name = self.method.name();
        for (row, summary) in [(name, &medians.own), ("plain", &medians.plain)] {
            if let Some(summary) = summary {
                let scene = if lines.is_empty() { &*self.scene } else { "" };
                lines += &line(scene, row, summary);
            }
        }
        if let Some(alone) = &medians.alone {
            lines += &bound("alone, plain", &alone.plain);
            if let Some(crowd) = &alone.crowd {
                lines += &bound("alone, crowd", crowd);
            }
        }
        lines
    }

    /// A table of this scene alone.
    fn table(&self) -> String {
        format!("{}{}", Self::HEADING, self.lines())
    }
}

impl fmt::Display for CrowdSeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (&self.runs[0], &self.runs[self.runs.len() - 1]);
        writeln!(
            f,
            "{} ({}): {} units, the medians of seeds {} to {}",
            self.scene,
            self.method.name(),
            self.units,
            first.seed,
            last.seed
        )?;
        write!(f, "{}", self.table())?;
        for run in &self.runs {
            let ArrivalTimes { d50, d90, d100, .. } = run.own.times;
            writeln!(
                f,
                "  seed {:<17} {} {} {}  state {}",
                run.seed,
                cell(d50, 6, 1),
                cell(d90, 6, 1),
                cell(d100, 6, 1),
                run.own.hash
            )?;
        }
        Ok(())
    }
}

/// A figure in a table; `-` where there is none.
fn cell(value: Option<f64>, width: usize, digits: usize) -> String {
    match value {
        Some(value) => format!("{value:width$.digits$}"),
        None => format!("{:>width$}", "-"),
    }
}

fn line(scene: &str, name: &str, summary: &Summary) -> String {
    let ArrivalTimes {
        d50,
        d90,
        d100,
        t100,
        ..
    } = summary.times;
    let mut line = format!(
        "{scene:18} {name:5} {} {} {} {} {:6} {} {} {} {} {:8.3} {} {:5} {:9.0}",
        cell(d50, 6, 1),
        cell(d90, 6, 1),
        cell(d100, 6, 1),
        cell(summary.worst_d100, 6, 1),
        summary.left_behind,
        cell(t100.map(f64::from), 6, 0),
        cell(summary.mean_speed, 6, 2),
        cell(summary.lane_order, 6, 2),
        cell(summary.stripes.map(f64::from), 5, 0),
        summary.deepest_overlap,
        cell(summary.mean_deepest_overlap, 7, 3),
        summary.wall_overlaps,
        summary.solve_us,
    );
    if !summary.doors.is_empty() {
        line += &format!("  doors {:?}", summary.doors);
    }
    if summary.entered > 0 {
        line += &format!("  {} on the painted ground", summary.entered);
    }
    line + "\n"
}

fn bound(name: &str, times: &ArrivalTimes) -> String {
    format!(
        "{:12}{name:>12} {} {} {} {:6} {:6} {}\n",
        "",
        cell(times.d50, 6, 1),
        cell(times.d90, 6, 1),
        cell(times.d100, 6, 1),
        "",
        "",
        cell(times.t100.map(f64::from), 6, 0),
    )
}
