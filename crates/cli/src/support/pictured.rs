//! Shared by the commands that draw an order: the map, the order, the visible part,
//! the draw list, and the file that is written.

use std::path::Path;

use flowtiles::inspect::{Detail, DrawList, Overlay, Subject, draw};
use flowtiles::{Cell, CostMap, FlowWorld, Order};
use flowtiles_country::whole_file::{check_place, write_whole};

use crate::support::asked::{Asked, map_title};
use crate::support::drawing::seen::keep_what_is_seen;
use crate::support::failure::Failure;
use crate::support::map_file::MapFile;
use crate::support::viewport::{Shown, Viewport};

/// The default layers of an order.
pub const OF_ORDER: [Overlay; 7] = [
    Overlay::Cost,
    Overlay::Loaded,
    Overlay::Sectors,
    Overlay::Portals,
    Overlay::Flow,
    Overlay::Paths,
    Overlay::Units,
];

/// A map, an order on it, and the visible part.
#[derive(clap::Args)]
pub struct Pictured {
    #[command(flatten)]
    map: MapFile,
    #[command(flatten)]
    pub asked: Asked,
    #[command(flatten)]
    viewport: Viewport,
}

/// A map that was read, and its visible part.
pub struct Opened {
    pub costs: CostMap,
    pub shown: Shown,
    /// Its name and size.
    pub title: String,
}

impl Pictured {
    /// Reads the map, and checks the visible part and the file to write; `side` is as
    /// for [`Viewport::on`].
    pub fn open(&self, side: u32, output: &Path) -> Result<Opened, Failure> {
        let costs = self.map.read()?;
        let shown = self.viewport.on(&costs, side)?;
        check_place(output).map_err(|error| Failure::unwritten(output, &error))?;
        Ok(Opened {
            shown,
            title: map_title(&self.map.map, &costs),
            costs,
        })
    }
}

/// Returns a sentence with the layers that need a larger scale before anything of
/// them is drawn.
pub fn too_small(list: &DrawList, layers: &[Overlay], detail: Detail) -> Option<String> {
    let is_drawn = |layer| list.primitives.iter().any(|shape| shape.overlay == layer);
    let needs_more = |layer: &&Overlay| match layer {
        Overlay::Flow | Overlay::Graph | Overlay::Portals => detail >= Detail::Cells,
        Overlay::Sectors => detail > Detail::Cells,
        _ => false,
    };
    let names: Vec<&str> = layers
        .iter()
        .filter(needs_more)
        .filter(|&&layer| !is_drawn(layer))
        .map(|layer| layer.name())
        .collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("not drawn at this scale: {names} (come closer: --view or a larger --scale)")
    })
}

/// Writes a file completely or not at all.
pub fn write_picture(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, bytes).map_err(|error| Failure::unwritten(path, &error))
}

/// The draw list of an order; units are in the middles of their cells.
pub fn drawn(
    world: &FlowWorld,
    orders: &[Order],
    asked: &Asked,
    layers: &[Overlay],
    shown: Shown,
) -> DrawList {
    // The starts that an order serves are drawn as starts.
    let served: Vec<Cell> = if layers.contains(&Overlay::Density) {
        Vec::new()
    } else {
        let units = orders.iter().flat_map(|order| world.inspect().units(order));
        units.copied().collect()
    };
    let from = asked.from.iter().filter(|from| !served.contains(from));
    let units: Vec<[f32; 2]> = from.map(|cell| cell.centre()).collect();
    let subject = Subject::of(world).with_orders(orders).with_units(&units);
    let mut list = draw(&subject, shown.view, layers, shown.detail);
    keep_what_is_seen(&mut list);
    list
}
