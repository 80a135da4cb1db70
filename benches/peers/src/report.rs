//! The results of a run, and the forms in which they are written.

pub mod chart;
pub mod json;
mod machine;
mod notes;
pub mod page;
mod rows;
pub mod text;

use crate::engines::Card;
use crate::figures::Figures;
use crate::maps;
use crate::task::Task;
use machine::Machine;

/// A whole run.
pub struct Report {
    machine: Machine,
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
            machine: Machine::here(),
            seconds,
            maps: Vec::new(),
        }
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

    /// Returns the figures of an engine.
    fn of(&self, key: &str) -> Option<&Figures> {
        let mut engines = self.engines.iter();
        engines
            .find(|(card, _)| card.key == key)
            .map(|(_, figures)| figures)
    }
}
