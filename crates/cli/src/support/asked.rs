//! The order given by `--from` and `--goal`: its cells are checked, and refusals
//! name the options.

use std::io::{self, Write};
use std::path::Path;

use flowtiles::error::OrderError;
use flowtiles::{Cell, CostMap, FlowWorld, Order};

use crate::support::failure::Failure;
use crate::support::map_file;

/// An order on a map, or none.
#[derive(clap::Args)]
pub struct Asked {
    /// The cell of a unit; may be given again
    #[arg(
        long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true,
        requires = "goal"
    )]
    pub from: Vec<Cell>,
    /// The goal of the units
    #[arg(long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true)]
    pub goal: Option<Cell>,
}

impl Asked {
    /// Orders the units that can reach the goal; `None` without a goal.
    pub fn order(&self, world: &mut FlowWorld) -> Result<Option<Order>, Failure> {
        let costs = world.costs();
        for &cell in &self.from {
            check("--from", cell, costs)?;
        }
        let Some(goal) = self.goal else {
            return Ok(None);
        };
        check("--goal", goal, costs)?;
        if costs.get(goal).is_some_and(|cost| cost.is_wall()) {
            let near = world.nearest_free(goal, 1);
            let example = near.map(|Cell { x, y }| format!(", for example {x},{y}"));
            return Err(Failure::Input(format!(
                "--goal {goal} is a wall: give an open cell{}",
                example.unwrap_or_default()
            )));
        }
        let served = self.served(world);
        world.order(goal, &served).map(Some).map_err(refusal)
    }

    /// The units that can reach the goal, and those in walls.
    pub fn served(&self, world: &FlowWorld) -> Vec<Cell> {
        let is_wall = |cell| world.costs().get(cell).is_some_and(|cost| cost.is_wall());
        let arrives = |from| self.goal.is_some_and(|goal| world.reachable(from, goal));
        let mut served = self.from.clone();
        served.retain(|&from| is_wall(from) || arrives(from));
        served
    }

    /// Reports the units that cannot reach the goal.
    pub fn report_cut_off(&self, world: &FlowWorld, out: &mut impl Write) -> io::Result<()> {
        if let Some(goal) = self.goal {
            let served = self.served(world);
            for from in self.from.iter().filter(|from| !served.contains(from)) {
                writeln!(
                    out,
                    "--from {from} is not served: no path leads from there to {goal} (see \
                     `explain`)"
                )?;
            }
        }
        Ok(())
    }

    /// The order in a few words.
    pub fn title(&self) -> String {
        let Some(goal) = self.goal else {
            return String::new();
        };
        let from = self
            .from
            .first()
            .map(|from| format!("from {},{} ", from.x, from.y));
        let others = match self.from.len() {
            0 | 1 => String::new(),
            2 => "and one more ".to_owned(),
            count => format!("and {} more ", count - 1),
        };
        let from = from.unwrap_or_default();
        format!(", order {from}{others}to {},{}", goal.x, goal.y)
    }
}

/// Checks that a cell is on the map.
pub fn check(option: &str, cell: Cell, costs: &CostMap) -> Result<(), Failure> {
    if costs.get(cell).is_some() {
        return Ok(());
    }
    let (width, height) = (costs.width(), costs.height());
    Err(Failure::Input(format!(
        "{option} {cell} is off the map of {width}×{height} cells: \
         give a cell from 0,0 to {},{}",
        width - 1,
        height - 1
    )))
}

/// The engine's refusal, with the options of the command.
pub fn refusal(error: OrderError) -> Failure {
    Failure::Input(match error {
        OrderError::GoalInWall { goal } => {
            format!("--goal {goal} is a wall: give an open cell")
        }
        OrderError::Unreachable { goal, unit, .. } => format!(
            "no path leads from {unit} to {goal}: they lie on different islands; \
             give two cells of the same"
        ),
        other => other.to_string(),
    })
}

/// A map in a few words: the name of its file and its size.
pub fn map_title(path: &Path, costs: &CostMap) -> String {
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    format!("{name}, {}×{} cells", costs.width(), costs.height())
}
