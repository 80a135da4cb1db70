//! `flowtiles explain`: why an order leads a unit at a cell the way it does.

use std::io::Write;

use flowtiles::inspect::explain;
use flowtiles::{Budget, Cell, FlowWorld};

use crate::support::asked::{Asked, check};
use crate::support::failure::Failure;
use crate::support::map_file::{self, MapFile};
use crate::support::numbers::whole;

/// Explain in words where an order leads a unit from a cell, and why
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    map: MapFile,
    #[command(flatten)]
    asked: Asked,
    /// The order in one argument: the unit's cell and its goal
    #[arg(
        long,
        value_name = "FROM:GOAL",
        value_parser = from_and_goal,
        allow_hyphen_values = true,
        conflicts_with_all = ["from", "goal"],
        required_unless_present = "goal"
    )]
    order: Option<(Cell, Cell)>,
    /// The cell to explain. Without it: each cell where a unit stands
    #[arg(long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true)]
    cell: Vec<Cell>,
    /// Stop after this many cells of work, to see what the order says to units
    /// while it is being made. Without it: when it is made
    #[arg(long, value_name = "CELLS", value_parser = whole(0, u64::MAX), allow_hyphen_values = true)]
    work: Option<u64>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let asked = match arguments.order {
        Some((from, goal)) => &Asked {
            from: vec![from],
            goal: Some(goal),
        },
        None => &arguments.asked,
    };
    let costs = arguments.map.read()?;
    let (option, cells) = match (&arguments.cell[..], arguments.order) {
        ([], Some(_)) => ("--order", &asked.from[..]),
        ([], None) => ("--from", &asked.from[..]),
        (cells, _) => ("--cell", cells),
    };
    for &cell in cells {
        check(option, cell, &costs)?;
    }
    if cells.is_empty() {
        return Err(Failure::Input(
            "there is no cell to explain: give --cell X,Y or --from X,Y".to_owned(),
        ));
    }
    let mut world = FlowWorld::new(costs);
    let order = asked.order(&mut world)?;
    world.tick(arguments.work.map_or(Budget::UNLIMITED, Budget::cells));
    for (number, &cell) in cells.iter().enumerate() {
        if let Some(order) = &order {
            let gap = if number > 0 { "\n" } else { "" };
            writeln!(out, "{gap}{}", explain(&world, order, cell))?;
        }
    }
    Ok(())
}

/// Reads `X,Y:X,Y`.
fn from_and_goal(text: &str) -> Result<(Cell, Cell), String> {
    let wanted = || "write an order as FROM:GOAL, for example 3,4:90,20".to_owned();
    let (from, goal) = text.split_once(':').ok_or_else(wanted)?;
    let cell = |text| map_file::cell(text).map_err(|_| wanted());
    Ok((cell(from)?, cell(goal)?))
}
