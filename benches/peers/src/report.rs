//! The results of a run, and the forms in which they are written.

mod chart;
mod page;
mod rows;

use std::fs;
use std::path::Path;

use flowtiles_peers::machine::{self, version};
use serde_json::{Value, json};

use crate::engines::Card;
use crate::figures::Figures;
use crate::maps;
use crate::task::Task;
use rows::ROWS;

/// A whole run.
pub struct Report {
    /// The machine, the compiler and the day.
    machine: String,
    /// The time limit for each engine and map.
    seconds: u64,
    pub maps: Vec<MapResult>,
}

/// The results of all engines on one map.
pub struct MapResult {
    pub title: String,
    width: i32,
    height: i32,
    /// The share of cells that are not walls.
    open: f64,
    pairs: usize,
    /// The shortest lengths of all pairs, in millionths.
    optima: Vec<u64>,
    pub engines: Vec<(&'static Card, Figures)>,
}

impl Report {
    pub fn begin(seconds: u64) -> Self {
        Self {
            machine: machine::line(),
            seconds,
            maps: Vec::new(),
        }
    }

    /// Returns all figures.
    pub fn json(&self) -> Value {
        let maps: Vec<Value> = self.maps.iter().map(MapResult::json).collect();
        json!({ "machine": self.machine, "limit_s": self.seconds, "maps": maps })
    }

    /// Returns what compares flowtiles with the others, as tables in Markdown.
    pub fn ratios(&self) -> String {
        page::ratios(self).map(|(_, table)| table).join("\n")
    }

    /// Writes the figures into a page, and the chart beside it.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let page = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let chart = path.with_extension("svg");
        let written = fs::write(path, page::renewed(&page, self)?);
        let written = written.and_then(|()| fs::write(chart, chart::draw(self)));
        written.map_err(|error| error.to_string())
    }
}

impl MapResult {
    pub fn new(map: &str, task: &Task, optima: Vec<u64>) -> Self {
        let costs = &task.ground.costs;
        let open = costs.iter().filter(|&&cost| cost != crate::ground::WALL);
        Self {
            title: maps::title(map),
            width: task.ground.width,
            height: task.ground.height,
            open: open.count() as f64 / costs.len() as f64,
            pairs: task.pairs.len(),
            optima,
            engines: Vec::new(),
        }
    }

    /// Returns its figures as a table and a list of faults in Markdown.
    pub fn text(&self) -> String {
        format!("{}\n{}", page::figures(self), page::faults(self))
    }

    /// Returns the figures of an engine.
    fn of(&self, key: &str) -> Option<&Figures> {
        let found = self.engines.iter().find(|(card, _)| card.key == key);
        found.map(|(_, figures)| figures)
    }

    fn json(&self) -> Value {
        let engine = |(card, figures): &(&Card, Figures)| {
            let mut object = json!({
                "engine": card.key,
                "version": card.package.map(version),
                "group_estimated": figures.group_is_estimated(),
                "asked": figures.asked(),
                "failed": figures.failures.len(),
                "corner_cutters": figures.corner_cutters(),
                "panics": figures.panics.len(),
                "finished": figures.done,
                "does_not_run": figures.refused,
            });
            for row in ROWS {
                object[row.key] = json!(row.value(self, figures));
            }
            object
        };
        json!({
            "map": self.title,
            "width": self.width,
            "height": self.height,
            "open": self.open,
            "pairs": self.pairs,
            "engines": self.engines.iter().map(engine).collect::<Vec<_>>(),
        })
    }
}
