//! `flowtiles graph`: the portal graph of a map, always in the same order.

use std::io::Write;

use flowtiles::graph::PortalGraph;
use flowtiles::{Cell, CellRect, CostMap, FlowWorld, SECTOR_SIDE, Sector};
use petgraph::dot::Dot;
use serde::Serialize;

use crate::support::failure::Failure;
use crate::support::map_file::MapFile;
use crate::support::output::write_json;

/// Print the portal graph of a map: portals in the order of their ids, each
/// with its edges, so that two runs can be compared line by line
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    map: MapFile,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// One line a portal, its edges below it
    Text,
    /// For Graphviz
    Dot,
    /// One object
    Json,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let world = FlowWorld::new(arguments.map.read()?);
    let (costs, graph) = (world.costs(), world.inspect().portal_graph());
    match arguments.format {
        Format::Text => write_text(costs, graph, out)?,
        Format::Dot => write!(out, "{}", Dot::new(graph))?,
        Format::Json => {
            let object = GraphObject::new(costs, graph);
            write_json(&object, out)?;
        }
    }
    Ok(())
}

fn write_text(costs: &CostMap, graph: &PortalGraph, out: &mut impl Write) -> std::io::Result<()> {
    let sectors = |cells: u32| cells.div_ceil(SECTOR_SIDE as u32);
    let (width, height) = (costs.width(), costs.height());
    writeln!(
        out,
        "map {width}×{height} cells, {}×{} sectors, {} portals, {} edges",
        sectors(width),
        sectors(height),
        graph.portal_count(),
        graph.edge_count()
    )?;
    for portal in graph.portals() {
        let [near, far] = portal.sectors;
        let [near_window, far_window] = portal.windows;
        let [from, to] = portal.crossing;
        writeln!(
            out,
            "{}: {near} | {far}, width {}, cells {} | {}, crossing {from} | {to}",
            portal.id,
            portal.width(),
            run_text(near_window),
            run_text(far_window),
        )?;
        for (to, edge) in graph.edges(portal.id) {
            writeln!(out, "  -> {to}: {} through {}", edge.cost, edge.through)?;
        }
    }
    Ok(())
}

/// The graph as JSON: ids as text, cells and sectors as pairs.
#[derive(Serialize)]
struct GraphObject {
    width: u32,
    height: u32,
    portals: Vec<PortalObject>,
    edges: Vec<EdgeObject>,
}

#[derive(Serialize)]
struct PortalObject {
    id: String,
    sectors: [[i32; 2]; 2],
    windows: [[[i32; 2]; 2]; 2],
    crossing: [[i32; 2]; 2],
    width: u32,
}

#[derive(Serialize)]
struct EdgeObject {
    from: String,
    to: String,
    cost: u32,
    through: [i32; 2],
}

impl GraphObject {
    fn new(costs: &CostMap, graph: &PortalGraph) -> Self {
        let portals = graph.portals().map(|portal| PortalObject {
            id: portal.id.to_string(),
            sectors: portal.sectors.map(|Sector { x, y }| [x, y]),
            windows: portal.windows.map(
                |CellRect {
                     x,
                     y,
                     width,
                     height,
                 }| { [[x, y], [x + width as i32 - 1, y + height as i32 - 1]] },
            ),
            crossing: portal.crossing.map(|Cell { x, y }| [x, y]),
            width: portal.width(),
        });
        let edges = graph.portals().flat_map(|portal| {
            graph.edges(portal.id).map(move |(to, edge)| EdgeObject {
                from: portal.id.to_string(),
                to: to.to_string(),
                cost: edge.cost,
                through: [edge.through.x, edge.through.y],
            })
        });
        Self {
            width: costs.width(),
            height: costs.height(),
            portals: portals.collect(),
            edges: edges.collect(),
        }
    }
}

/// A row or column of cells by its ends.
fn run_text(window: CellRect) -> String {
    let CellRect {
        x,
        y,
        width,
        height,
    } = window;
    let first = Cell::new(x, y);
    let last = Cell::new(x + width as i32 - 1, y + height as i32 - 1);
    if first == last {
        return first.to_string();
    }
    format!("{first}..{last}")
}
