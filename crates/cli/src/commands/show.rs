//! `flowtiles show`: one order's loaded sectors as text.

mod layers;
mod sheet;

use std::io::Write;

use flowtiles::{Budget, Cell, FlowWorld, Order};
use flowtiles_country::referee::Referee;
use flowtiles_country::walk::{End, walk};

use crate::support::asked::{check, refusal};
use crate::support::failure::Failure;
use crate::support::map_file::{self, MapFile};
use layers::OrderView;

/// Order one unit and print the sectors that were loaded for it
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    map: MapFile,
    /// The unit's cell
    #[arg(long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true)]
    from: Cell,
    /// Its goal
    #[arg(long, value_name = "X,Y", value_parser = map_file::cell, allow_hyphen_values = true)]
    goal: Cell,
    /// The layer to print
    #[arg(long, value_enum, default_value_t = PrintedLayer::Flow)]
    layer: PrintedLayer,
}

/// The layers that can be printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PrintedLayer {
    /// The price of a step out of it
    Cost,
    /// The price of the path to the goal, in fifths of an open straight step
    Integration,
    /// The direction
    Flow,
    /// The windows between the sectors
    Portals,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let costs = arguments.map.read()?;
    let (from, goal) = (arguments.from, arguments.goal);
    check("--from", from, &costs)?;
    check("--goal", goal, &costs)?;
    let referee = Referee::new(&costs);
    let mut world = FlowWorld::new(costs);
    let order = world.order(goal, &[from]).map_err(refusal)?;
    world.tick(Budget::UNLIMITED);
    let walked = walk(&mut world, &referee, &order, from);
    let view = OrderView::new(&world, &order, from, goal);
    let colours = console::colors_enabled();
    let sheet = match arguments.layer {
        PrintedLayer::Cost => view.costs(),
        PrintedLayer::Integration => view.integration(),
        PrintedLayer::Flow => view.flow(),
        PrintedLayer::Portals => view.portals(),
    };
    let on_the_way = if colours { &walked.cells[..] } else { &[] };
    sheet.write(on_the_way, out)?;
    write_legend(arguments, &world, &order, out)?;
    if arguments.layer == PrintedLayer::Portals {
        view.write_route(out)?;
    }
    if walked.end == End::Arrived {
        writeln!(
            out,
            "path: {} steps, length {:.2}, price {}",
            walked.cells.len() - 1,
            walked.length(),
            walked.price
        )?;
    }
    Ok(())
}

fn write_legend(
    arguments: &Arguments,
    world: &FlowWorld,
    order: &Order,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let (from, goal) = (arguments.from, arguments.goal);
    let layer = match arguments.layer {
        PrintedLayer::Cost => "costs of a step",
        PrintedLayer::Integration => {
            "price of the path to the goal, 5 for an open straight step (k: ×1000)"
        }
        PrintedLayer::Flow => "the step to take",
        PrintedLayer::Portals => "a letter for each portal on the route, + for the others",
    };
    writeln!(
        out,
        "{layer}; {} from {from}, {} goal {goal}, {} wall, {} nothing",
        sheet::FROM,
        sheet::GOAL,
        sheet::WALL,
        sheet::OPEN
    )?;
    let stats = world.inspect().stats();
    writeln!(
        out,
        "{} of {} sectors loaded, {} portals on the route",
        stats.sectors_loaded,
        stats.sectors,
        world.inspect().route(order).len()
    )
}
