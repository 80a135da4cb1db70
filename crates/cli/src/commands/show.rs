//! `flowtiles show`: one order's loaded sectors as text.

mod sheet;

use std::io::Write;

use flowtiles::graph::{Portal, PortalId};
use flowtiles::{Budget, Cell, Cost, FlowWorld, Order, Sample};
use flowtiles_country::referee::Referee;
use flowtiles_country::walk::{End, walk};

use crate::support::asked::{check, refusal};
use crate::support::failure::Failure;
use crate::support::map_file::{self, MapFile};
use sheet::{FROM, GOAL, OPEN, Sheet, WALL};

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

impl PrintedLayer {
    /// What its texts are.
    const fn about(self) -> &'static str {
        match self {
            Self::Cost => "costs of a step",
            Self::Integration => {
                "price of the path to the goal, 5 for an open straight step (k: ×1000)"
            }
            Self::Flow => "the step to take",
            Self::Portals => "a letter for each portal on the route, + for the others",
        }
    }
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
    let inside = world.inspect();
    let letters = ('a'..='z').chain('A'..='Z').cycle();
    let route: Vec<(PortalId, char)> = inside.route(&order).into_iter().zip(letters).collect();
    let sectors = inside.loaded(&order);
    let shown = Shown {
        world: &world,
        order: &order,
        portals: sectors
            .iter()
            .flat_map(|&sector| inside.portal_graph().portals_of(sector))
            .collect(),
        route,
    };
    let bright = walked.cells.iter().filter(|_| console::colors_enabled());
    let sheet = Sheet {
        sectors: &sectors,
        size: [world.costs().width(), world.costs().height()].map(|length| length as i32),
        marks: &[(goal, GOAL), (from, FROM)],
        bright: bright.copied().collect(),
    };
    sheet.write(|cell| shown.text(arguments.layer, cell), out)?;
    let stats = inside.stats();
    writeln!(
        out,
        "{}; {FROM} from {from}, {GOAL} goal {goal}, {WALL} wall, {OPEN} nothing\n\
         {} of {} sectors loaded, {} portals on the route",
        arguments.layer.about(),
        stats.sectors_loaded,
        stats.sectors,
        shown.route.len()
    )?;
    if arguments.layer == PrintedLayer::Portals {
        for (id, letter) in &shown.route {
            if let Some(portal) = inside.portal_graph().portal(*id) {
                writeln!(out, "{letter}  {portal}")?;
            }
        }
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

/// An order on a world, with the portals of its sectors, and the letters of those on its route.
struct Shown<'a> {
    world: &'a FlowWorld,
    order: &'a Order,
    portals: Vec<Portal>,
    route: Vec<(PortalId, char)>,
}

impl Shown<'_> {
    /// What a layer says in a cell.
    fn text(&self, layer: PrintedLayer, cell: Cell) -> String {
        let cost = self.world.costs().get(cell).unwrap_or(Cost::WALL);
        if cost.is_wall() {
            return WALL.to_string();
        }
        let letter = match layer {
            PrintedLayer::Cost => return cost.value().to_string(),
            PrintedLayer::Integration => {
                let cost = self.world.cost_to_go(self.order, cell);
                return cost.map_or(OPEN.to_string(), shortened);
            }
            PrintedLayer::Flow => match self.world.sample(self.order, cell) {
                Sample::Go(direction) => direction.arrow(),
                Sample::Arrived => GOAL,
                _ => OPEN,
            },
            PrintedLayer::Portals => {
                let here = |portal: &&Portal| portal.contains(cell);
                let mut routed = self.portals.iter().filter(here).filter_map(|portal| {
                    let mut route = self.route.iter();
                    route.find(|(id, _)| *id == portal.id)
                });
                let other = if self.portals.iter().any(|portal| here(&portal)) {
                    '+'
                } else {
                    OPEN
                };
                routed.next().map_or(other, |(_, letter)| *letter)
            }
        };
        letter.to_string()
    }
}

/// Shortens a cost: from 10,000 in thousands (`k`), from 10,000,000 in millions (`M`).
fn shortened(cost: u64) -> String {
    match cost {
        0..10_000 => cost.to_string(),
        10_000..10_000_000 => format!("{}k", cost / 1000),
        _ => format!("{}M", cost / 1_000_000),
    }
}
