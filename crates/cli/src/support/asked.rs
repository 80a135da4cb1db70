//! The order given by `--from` and `--goal`: its cells are checked, and refusals
//! name the options.

use std::io::{self, Write};
use std::path::Path;

use flowtiles::{Cell, CellRect, CostMap, FlowWorld, Order, OrderError};

use crate::support::failure::Failure;
use crate::support::map_file;
use flowtiles_scenes::raster::square_distance;

/// How far around a wall the suggested open cell is searched, in cells.
const NEAR: i32 = 60;

/// An order on a map, or none.
#[derive(clap::Args)]
pub struct Asked {
    /// The cell of a unit; may be given again
    #[arg(long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true)]
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
            return match self.from.first() {
                None => Ok(None),
                Some(from) => Err(Failure::Input(format!(
                    "--from {from} leads nowhere: give --goal X,Y too"
                ))),
            };
        };
        check("--goal", goal, costs)?;
        check_open("--goal", goal, costs)?;
        let served = self.served(world);
        world.order(goal, &served).map(Some).map_err(refusal)
    }

    /// The units that can reach the goal, and those in walls.
    pub fn served(&self, world: &FlowWorld) -> Vec<Cell> {
        let is_wall = |cell| world.costs().get(cell).is_some_and(|cost| cost.is_wall());
        let from = self.from.iter().copied();
        from.filter(|&from| {
            let mut goal = self.goal.into_iter();
            is_wall(from) || goal.any(|goal| world.reachable(from, goal))
        })
        .collect()
    }

    /// Reports the units that cannot reach the goal.
    pub fn report_cut_off(&self, world: &FlowWorld, out: &mut impl Write) -> io::Result<()> {
        let Some(goal) = self.goal else {
            return Ok(());
        };
        let served = self.served(world);
        let mut cut_off = self.from.iter().filter(|from| !served.contains(from));
        cut_off.try_for_each(|from| {
            writeln!(
                out,
                "--from {from} is not served: no path leads from there to {goal} (see `explain`)"
            )
        })
    }

    /// The order in a few words.
    pub fn title(&self) -> String {
        let Some(goal) = self.goal else {
            return String::new();
        };
        let short = |cell: Cell| format!("{},{}", cell.x, cell.y);
        let goal = short(goal);
        match self.from[..] {
            [] => format!(", order to {goal}"),
            [from] => format!(", order from {} to {goal}", short(from)),
            [from, _] => format!(", order from {} and one more to {goal}", short(from)),
            [from, .., _] => {
                let others = self.from.len() - 1;
                format!(", order from {} and {others} more to {goal}", short(from))
            }
        }
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

/// Checks that a cell of the map is no wall.
fn check_open(option: &str, cell: Cell, costs: &CostMap) -> Result<(), Failure> {
    let is_open = |cell: &Cell| costs.get(*cell).is_some_and(|cost| !cost.is_wall());
    if is_open(&cell) {
        return Ok(());
    }
    let around = |reach: i32| {
        let side = 2 * reach as u32 + 1;
        let square = CellRect::new(cell.x - reach, cell.y - reach, side, side);
        let apart = |other: &Cell| square_distance(cell, *other);
        square.cells().filter(is_open).min_by_key(apart)
    };
    let near = (1..=NEAR).find_map(around);
    let example = near.map_or_else(String::new, |Cell { x, y }| {
        format!(", for example {x},{y}")
    });
    let message = format!("{option} {cell} is a wall: give an open cell{example}");
    Err(Failure::Input(message))
}

/// The engine's refusal, with the options of the command.
pub fn refusal(error: OrderError) -> Failure {
    Failure::Input(match error {
        OrderError::GoalInWall { goal } => {
            format!("--goal {goal} is a wall: give an open cell")
        }
        OrderError::Unreachable { goal, unit } => format!(
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
