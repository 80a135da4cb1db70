//! Runs compared: a crowd compared with plain steering and with each group alone, which bounds the
//! possible gain of any method; several seeds; a march whose jams cost more and one whose do not.

use flowtiles_scenes::{Entry, Method, Scene, SceneOptions};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::gauges::gauges;
use super::run::{Gauge, RunOptions};
use crate::support::failure::Failure;
use crate::support::figures::{Figures, Value, table};
use crate::support::threads::on_threads;

/// Ticks until units had arrived, and seconds until they had been in their goal's disc.
const TIMES: [&str; 6] = ["t50", "t90", "t100", "d50", "d90", "d100"];
/// What shows the ways that units took.
const WAYS: [&str; 4] = ["shares", "t100", "walked", "level_changes"];
/// The runs beside a crowd.
const BESIDE: [&str; 2] = ["plain", "alone"];
/// Of these the worst of several seeds counts, and not the median.
const WORST: [&str; 3] = ["left_behind", "deepest_overlap", "wall_overlaps"];

/// The columns of tables: the heading, the figure, and digits after the point.
const COLUMNS: [(&str, &str, usize); 15] = [
    ("d50", "d50", 1),
    ("d90", "d90", 1),
    ("d100", "d100", 1),
    ("worst", "worst_d100", 1),
    ("left", "left_behind", 0),
    ("t100", "t100", 0),
    ("speed", "mean_speed", 2),
    ("order", "lane_order", 2),
    ("strp", "stripes", 0),
    ("deepest", "deepest_overlap", 3),
    ("(mean)", "mean_deepest_overlap", 3),
    ("wall", "wall_overlaps", 0),
    ("solve µs", "solve_us", 0),
    ("doors", "doors", 0),
    ("entered", "entered", 0),
];

/// A scene to run, with the runs beside it.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub entry: &'a Entry,
    pub asked: SceneOptions,
    pub options: RunOptions,
    /// Whether nothing is run beside it.
    pub only: bool,
}

impl Job<'_> {
    /// Runs the scene, and what is beside it.
    ///
    /// # Errors
    /// If an order is refused.
    pub fn run(&self, film: Option<&mut (dyn Gauge + Send)>) -> Result<Figures, Failure> {
        let is_measured = self.entry.said().crowd;
        let mut figures = Figures::default().with("scene", &*self.entry.name, "");
        if is_measured {
            figures.set("method", self.asked.method.name(), "");
        }
        figures.set("seed", self.asked.seed, "");
        let mut scene = self.scene(&self.asked)?;
        figures.extend(self.options.run(&scene, gauges, film)?);
        if scene.notes_jams() {
            scene.jam_costs = [0; 4];
            let without = self.options.run(&scene, gauges, None)?.only(&WAYS);
            let both = Figures::default().with("with", figures.only(&WAYS), "");
            figures.set("crossings", both.with("without", without, ""), "");
        }
        if self.only || !is_measured {
            return Ok(figures);
        }
        let plain = SceneOptions {
            method: Method::Plain,
            ..self.asked
        };
        let is_crowd = self.asked.method == Method::Crowd;
        if is_crowd {
            figures.set(
                "plain",
                self.options.run(&self.scene(&plain)?, gauges, None)?,
                "",
            );
        }
        if scene.bands.len() > 1 {
            let mut alone = Figures::default().with("plain", self.alone(&plain)?, "");
            if is_crowd {
                alone.set("crowd", self.alone(&self.asked)?, "");
            }
            figures.set("alone", alone, "");
        }
        Ok(figures)
    }

    fn scene(&self, asked: &SceneOptions) -> Result<Scene, Failure> {
        self.entry.scene(asked).map_err(Failure::Input)
    }

    /// The latest times of the scene's groups when each has the map to itself.
    fn alone(&self, asked: &SceneOptions) -> Result<Figures, Failure> {
        let one = |band| {
            let figures = self
                .options
                .run(&self.scene(asked)?.alone(band), gauges, None)?;
            Ok(figures.only(&TIMES))
        };
        let bands = 0..self.scene(asked)?.bands.len();
        let runs: Result<Vec<Figures>, Failure> = bands.map(one).collect();
        Ok(Figures::merged(&runs?, |_, count| count - 1))
    }
}

/// Runs jobs on several threads. Each scene has `seeds` jobs in a row; returns for each scene
/// the medians over them, and every run.
///
/// # Errors
/// If an order is refused.
pub fn from_seeds(jobs: &[Job<'_>], seeds: usize, threads: usize) -> Result<Vec<Figures>, Failure> {
    let run = || jobs.par_iter().map(|job| job.run(None)).collect();
    let runs: Result<Vec<Figures>, Failure> = on_threads(threads, run)?;
    Ok(runs?.chunks(seeds).map(medians).collect())
}

/// The medians of a scene's runs, and each run.
fn medians(runs: &[Figures]) -> Figures {
    let medians = Figures::merged(runs, |name, count| {
        let is_worst = WORST.contains(&name);
        if is_worst { count - 1 } else { count / 2 }
    });
    let latest = Figures::merged(runs, |_, count| count - 1);
    let with_worst = |median: &Figures, latest: &Figures| {
        let worst = latest.get("d100").clone();
        median.without(&BESIDE).with("worst_d100", worst, "s")
    };
    let mut median = Figures::default().with("own", with_worst(&medians, &latest), "");
    if let [Value::Group(plain), Value::Group(last)] =
        [&medians, &latest].map(|all| all.get("plain"))
    {
        median.set("plain", with_worst(plain, last), "");
    }
    median.set("alone", medians.get("alone").clone(), "");
    let figures = medians.only(&["scene", "method", "units"]);
    figures
        .with("median", median, "")
        .with("runs", runs.to_vec(), "")
}

/// Figures as text.
pub fn text(figures: &Figures) -> String {
    let mut rows = vec![vec!["scene".to_owned(), String::new()]];
    rows[0].extend(COLUMNS.map(|(heading, ..)| heading.to_owned()));
    let mut text = String::new();
    let runs: Vec<&Figures> = figures.groups("runs").collect();
    if let [first, .., last] | [first @ last] = runs[..] {
        let [first, last] = [first, last].map(|run| run.get("seed"));
        text = format!("medians of seeds {first} to {last}\n");
        rows.extend(compared(figures));
        rows.extend(
            runs.iter()
                .map(|run| row("", &format!("seed {}", run.get("seed")), run)),
        );
    } else if figures.get("scenes").list().is_empty() {
        text = figures.without(&BESIDE).lines();
        rows.extend(compared(figures));
    } else {
        rows.extend(figures.groups("scenes").flat_map(compared));
    }
    // One run alone is printed already.
    if rows.len() > 2 {
        text += &table(&rows);
    }
    text
}

/// A row for a scene or its medians, and for each run beside it.
fn compared(scene: &Figures) -> Vec<Vec<String>> {
    let all = scene.group("median").unwrap_or(scene);
    let alone = |method| all.group("alone").and_then(|alone| alone.group(method));
    let beside = [
        ("plain", all.group("plain")),
        ("alone, plain", alone("plain")),
        ("alone, crowd", alone("crowd")),
    ];
    let [name, method] = ["scene", "method"].map(|name| scene.get(name).to_string());
    let mut rows = vec![row(&name, &method, all.group("own").unwrap_or(all))];
    let beside = beside
        .iter()
        .filter_map(|(run, figures)| Some(row("", run, (*figures)?)));
    rows.extend(beside);
    rows
}

fn row(scene: &str, run: &str, figures: &Figures) -> Vec<String> {
    let cells = COLUMNS.map(|(_, name, digits)| figures.get(name).cell(digits));
    let names = [scene.to_owned(), run.to_owned()];
    names.into_iter().chain(cells).collect()
}
