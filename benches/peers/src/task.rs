//! The task of every engine: the same pairs, units and edits, drawn from a
//! seed.

use flowtiles::Cell;

use crate::ground::Ground;
use crate::maps;
use crate::random::Random;

/// The number of goals, and of starts for each.
const GOALS: usize = 40;
const STARTS: usize = 3;
/// The number of units that go to one goal.
pub const UNITS: usize = 1000;
/// The number of cells that become walls, and open again.
const EDITS: usize = 100;

/// One map and the tasks on it.
pub struct Task {
    pub ground: Ground,
    /// Starts and goals, all on one island and far apart. Each goal occurs
    /// [`STARTS`] times, and any first part of the list is a fair sample.
    pub pairs: Vec<(Cell, Cell)>,
    pub goal: Cell,
    pub units: Vec<Cell>,
    pub edits: Vec<Cell>,
}

impl Task {
    /// Draws the task for a map.
    pub fn new(map: &str) -> Result<Self, String> {
        let ground = maps::make(map)?;
        let cells = largest_island(&ground);
        let mut random = Random::new(7);
        let mut draw = || ground.cell(cells[random.below(cells.len())]);
        let far = (ground.width + ground.height) / 4;
        let goals: Vec<Cell> = (0..GOALS).map(|_| draw()).collect();
        let mut pairs = Vec::new();
        for _ in 0..STARTS {
            for &goal in &goals {
                let start = (0..10_000)
                    .map(|_| draw())
                    .find(|start| (start.x - goal.x).abs().max((start.y - goal.y).abs()) >= far);
                pairs.extend(start.map(|start| (start, goal)));
            }
        }
        let units = (0..UNITS).map(|_| draw()).collect();
        let edits = (0..EDITS).map(|_| draw()).collect();
        Ok(Self {
            goal: goals[0],
            ground,
            pairs,
            units,
            edits,
        })
    }
}

/// Returns the places of the largest set of open cells that can reach each
/// other.
fn largest_island(ground: &Ground) -> Vec<usize> {
    let mut seen = vec![false; ground.costs.len()];
    let mut largest = Vec::new();
    for place in 0..ground.costs.len() {
        if seen[place] || !ground.is_open(ground.cell(place)) {
            continue;
        }
        seen[place] = true;
        let mut island = vec![place];
        let mut next = 0;
        while let Some(&here) = island.get(next) {
            next += 1;
            let Cell { x, y } = ground.cell(here);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let to = Cell::new(x + dx, y + dy);
                if ground.is_open(to) && !seen[ground.place(to)] {
                    seen[ground.place(to)] = true;
                    island.push(ground.place(to));
                }
            }
        }
        if island.len() > largest.len() {
            largest = island;
        }
    }
    largest
}
