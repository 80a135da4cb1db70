//! Messages of a host to its pages, each beginning with its kind.

use std::sync::Arc;

use flowtiles::{Cell, CellRect, LayerId, Link, LinkId};

use crate::overlay::{BlockKey, Overlay};
use crate::shown::{Mark, Shown, ShownOrder};
use crate::wire::Writer;
use crate::world_layers::WorldLayer;

/// The version of the protocol: a page of another version asks to be loaded
/// again.
pub(crate) const VERSION: u8 = 8;

mod kind {
    pub(super) const HELLO: u8 = 1;
    pub(super) const BLOCK: u8 = 2;
    pub(super) const UNITS: u8 = 3;
    pub(super) const ORDERS: u8 = 4;
    pub(super) const ROUTE: u8 = 5;
    pub(super) const WAYS: u8 = 6;
    pub(super) const FIGURES: u8 = 7;
    pub(super) const CELL: u8 = 8;
    pub(super) const WHY: u8 = 9;
    pub(super) const NOTE: u8 = 10;
    pub(super) const LIFE: u8 = 11;
    pub(super) const STATUS: u8 = 12;
    pub(super) const CATALOGUE: u8 = 13;
    pub(super) const LINKS: u8 = 14;
}

/// The description of one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StageInfo {
    pub(crate) serial: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The layers that have something to show.
    pub(crate) layers: u32,
    pub(crate) title: String,
    /// The layers of the world.
    pub(crate) world_layers: Arc<[WorldLayer]>,
}

/// Writes what is shown, and whether the page may change it.
pub(crate) fn hello(stages: &[StageInfo], is_studio: IsStudio) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::HELLO);
    message
        .u8(VERSION)
        .u8(is_studio as u8)
        .u8(stages.len() as u8);
    for stage in stages {
        message
            .u32(stage.serial)
            .u32(stage.width)
            .u32(stage.height)
            .u32(stage.layers)
            .text(&stage.title)
            .u16(stage.world_layers.len() as u16);
        for layer in &*stage.world_layers {
            message
                .u16(layer.id.number())
                .u8(layer.teams.bits())
                .u8(u8::from(layer.is_derived))
                .text(&layer.name);
        }
    }
    message.into_bytes()
}

/// Whether pages may change what they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum IsStudio {
    /// They only show.
    No = 0,
    /// They may change it.
    Yes = 1,
}

/// Writes a block: all its bytes, or one texel that stands for all.
pub(crate) fn block(key: BlockKey, serial: u32, order: u64, content: &[u8]) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::BLOCK);
    let texel = texel_bytes(key);
    let plain = texel.filter(|&size| content.len() > size && is_uniform(content, size));
    message
        .u8(key.stage)
        .u8(key.layer as u8)
        .u8(key.level)
        .u8(u8::from(plain.is_some()))
        .u16(key.column)
        .u16(key.row)
        .u32(serial)
        .u64(order)
        .layer(key.on)
        .raw(plain.map_or(content, |size| &content[..size]));
    message.into_bytes()
}

/// Returns the bytes of a texel, if the layer has texels.
const fn texel_bytes(key: BlockKey) -> Option<usize> {
    match key.layer {
        Overlay::Ground | Overlay::Integration => Some(4),
        Overlay::Flow
        | Overlay::Islands
        | Overlay::Density
        | Overlay::Speed
        | Overlay::Discomfort
        | Overlay::Potential => Some(1),
        Overlay::Loaded | Overlay::Portals | Overlay::Graph => None,
    }
}

fn is_uniform(content: &[u8], size: usize) -> bool {
    content.len() > size && content[..content.len() - size] == content[size..]
}

/// Writes the units in view, and the number of all units.
pub(crate) fn units(stage: u8, tick: u32, marks: &[Mark], view: CellRect) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::UNITS);
    message.u8(stage).u32(tick).u32(marks.len() as u32);
    message.reserve(16 * marks.len());
    for mark in marks.iter().filter(|mark| mark.is_in(view)) {
        // All at once, since there are thousands of them.
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&mark.id.to_le_bytes());
        bytes[4..8].copy_from_slice(&mark.position[0].to_le_bytes());
        bytes[8..12].copy_from_slice(&mark.position[1].to_le_bytes());
        bytes[12] = (mark.radius * 64.0).clamp(1.0, 255.0) as u8;
        bytes[13] = mark.banner;
        bytes[14] = mark.state as u8;
        bytes[15] = u8::from(mark.selected);
        message.raw(&bytes);
    }
    message.into_bytes()
}

/// Writes the orders of a stage.
pub(crate) fn orders(stage: u8, tick: u32, orders: &[OrderLine<'_>]) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::ORDERS);
    message.u8(stage).u32(tick).u16(orders.len() as u16);
    for line in orders {
        let shown = line.shown;
        message
            .u64(shown.order.number())
            .u8(shown.banner)
            .u16(line.bit)
            .i32(shown.goal.x)
            .i32(shown.goal.y)
            .u32(shown.units)
            .u32(shown.cut_off)
            .u8(u8::from(line.has_stream))
            .f32(line.potential)
            .u32(line.loaded)
            .u32(shown.given)
            .u32(shown.ready.unwrap_or(u32::MAX))
            .u32(line.farthest)
            .layer(shown.layer());
    }
    message.into_bytes()
}

/// An order, with the facts that the view has gathered about it.
pub(crate) struct OrderLine<'a> {
    pub(crate) shown: &'a ShownOrder<'a>,
    /// The order's bit in blocks of loaded sectors.
    pub(crate) bit: u16,
    /// Whether its units read the crowd.
    pub(crate) has_stream: bool,
    /// The potential that has the strongest colour.
    pub(crate) potential: f32,
    /// Sectors loaded.
    pub(crate) loaded: u32,
    /// The largest known cost-to-go; 0 if none is known.
    pub(crate) farthest: u32,
}

/// A portal on a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// The cell that stands for the portal.
    pub(crate) cell: Cell,
    /// The portal's window in the western or northern sector.
    pub(crate) window: CellRect,
    /// Whether the border runs from north to south.
    pub(crate) stands: bool,
}

/// Writes the portals of a route that are in view, each with its number along
/// the route, counted from the goal.
pub(crate) fn route(stage: u8, order: u64, crossings: &[Crossing], view: CellRect) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::ROUTE);
    message.u8(stage).u64(order);
    for (number, crossing) in (1..).zip(crossings) {
        let Crossing {
            cell,
            window,
            stands,
        } = *crossing;
        if !view.contains(cell) {
            continue;
        }
        let length = if stands { window.height } else { window.width };
        message
            .u32(number)
            .u16(cell.x as u16)
            .u16(cell.y as u16)
            .u16(window.x as u16)
            .u16(window.y as u16)
            .u8(length as u8)
            .u8(u8::from(stands));
    }
    message.into_bytes()
}

/// Writes the paths on a layer: for each its colour, its number of cells, then the cells.
pub(crate) fn paths(shown: &Shown<'_>, stage: u8, is_on: impl Fn(LayerId) -> bool) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::WAYS);
    message.u8(stage);
    for path in shown.paths.iter().filter(|path| is_on(path.layer)) {
        message.u8(path.banner).u32(path.cells.len() as u32);
        for cell in &path.cells {
            message.u16(cell.x as u16).u16(cell.y as u16);
        }
    }
    message.into_bytes()
}

/// Writes links: for each its number, its price, the area of its entries, the north-western
/// cell of its end, and whether it leads on all layers.
pub(crate) fn links<'a>(stage: u8, links: impl Iterator<Item = (LinkId, &'a Link)>) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::LINKS);
    message.u8(stage);
    for (id, link) in links {
        let (area, end) = (link.area(), link.end());
        message.u32(id.number()).u32(link.price());
        for place in [area.x, area.y, end.x, end.y] {
            message.u16(place as u16);
        }
        message
            .u8(area.width as u8)
            .u8(area.height as u8)
            .u8(u8::from(link.layers().is_none()));
    }
    message.into_bytes()
}

/// Writes the figures of a stage: a number for each of the page's counters.
pub(crate) fn figures(stage: u8, values: &[f64]) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::FIGURES);
    message.u8(stage);
    for value in values {
        message.f64(*value);
    }
    message.into_bytes()
}

/// The facts about a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellFacts {
    pub(crate) stage: u8,
    pub(crate) cell: Cell,
    /// The layer of the world that all this is about.
    pub(crate) on: LayerId,
    pub(crate) cost: u8,
    pub(crate) ground: u8,
    pub(crate) flow: u8,
    pub(crate) is_loaded: bool,
    /// The engine's number of its island; the largest number for none.
    pub(crate) island: u32,
    pub(crate) is_mainland: bool,
    pub(crate) portals: u8,
    pub(crate) to_go: u64,
    /// Density, speed, discomfort, potential; not a number where there is none.
    pub(crate) crowd: [f32; 4],
}

/// Writes the facts about the cell under the pointer.
pub(crate) fn cell(facts: &CellFacts) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::CELL);
    message
        .u8(facts.stage)
        .i32(facts.cell.x)
        .i32(facts.cell.y)
        .layer(facts.on)
        .u8(facts.cost)
        .u8(facts.ground)
        .u8(facts.flow)
        .u8(u8::from(facts.is_loaded))
        .u32(facts.island)
        .u8(u8::from(facts.is_mainland))
        .u8(facts.portals)
        .u64(facts.to_go);
    for value in facts.crowd {
        message.f32(value);
    }
    message.into_bytes()
}

/// Writes the explanation of a cell's direction.
pub(crate) fn why(stage: u8, cell: Cell, text: &str) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::WHY);
    message.u8(stage).i32(cell.x).i32(cell.y).text(text);
    message.into_bytes()
}

/// The meaning of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NoteKind {
    /// Something was done.
    Done = 0,
    /// The cost of an edit.
    Bill = 1,
    /// Something could not be done.
    Refused = 2,
}

/// Writes a note for the people at the page.
pub(crate) fn note(kind: NoteKind, text: &str) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::NOTE);
    message.u8(kind as u8).text(text);
    message.into_bytes()
}

/// The stage that a slice of an order's life shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum LifeStage {
    /// The order was given.
    #[default]
    Given = 0,
    /// The portal graph is searched.
    Search = 1,
    /// The sectors on the paths are loaded.
    Load = 2,
    /// The loaded sectors are integrated from the goal outward.
    Integrate = 3,
    /// The field is fitted to edits.
    Patch = 4,
    /// All work is done: the directions can be read.
    Flow = 5,
    /// The cells with the goal in sight.
    Sight = 6,
    /// The last claim is gone.
    Freed = 7,
}

/// A slice of an order's life. Each list holds only what this slice did: what was
/// seen or waits stays so until a later slice lists it as taken, aside or served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LifeSlice {
    /// The work since the order was given, in cells.
    pub cells: u64,
    /// The stage of the order.
    pub stage: LifeStage,
    /// The portals that the search took, as columns and rows.
    pub taken: Vec<(u16, u16)>,
    /// The portals that the search has first seen in this slice and not taken.
    pub frontier: Vec<(u16, u16)>,
    /// The portals that the search had seen before this slice and now discarded
    /// without taking them.
    pub aside: Vec<(u16, u16)>,
    /// The sectors loaded.
    pub loaded: Vec<(u16, u16)>,
    /// The sectors settled.
    pub settled: Vec<(u16, u16)>,
    /// Sectors that began to wait, with a cost-to-go at their border.
    pub waiting: Vec<(u16, u16)>,
    /// Sectors that waited before this slice and no longer do.
    pub served: Vec<(u16, u16)>,
    /// Sectors freed.
    pub freed: Vec<(u16, u16)>,
    /// The sectors with their most frequent direction.
    pub flow: Vec<(u16, u16, u16)>,
    /// Runs of cells with the goal in sight: the start of each, and its number
    /// of cells from west to east.
    pub sight: Vec<(u16, u16, u16)>,
}

/// Writes the life of an order.
pub(crate) fn life(order: u64, slices: &[LifeSlice]) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::LIFE);
    message.u64(order).u32(slices.len() as u32);
    for slice in slices {
        message.u64(slice.cells).u8(slice.stage as u8);
        for places in [
            &slice.taken,
            &slice.frontier,
            &slice.aside,
            &slice.loaded,
            &slice.settled,
            &slice.waiting,
            &slice.served,
            &slice.freed,
        ] {
            message.u32(places.len() as u32);
            for &(x, y) in places {
                message.u16(x).u16(y);
            }
        }
        for places in [&slice.flow, &slice.sight] {
            message.u32(places.len() as u32);
            for &(x, y, what) in places {
                message.u16(x).u16(y).u16(what);
            }
        }
    }
    message.into_bytes()
}

/// The state of a studio.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Whether time is paused.
    pub is_paused: bool,
    /// The number of ticks for each tick of a game.
    pub speed: f32,
    /// The cells of work that each tick may do.
    pub budget: u32,
    /// The changes of the map that can be undone.
    pub undos: u32,
    /// The changes that can be redone.
    pub redos: u32,
    /// The number of selected units.
    pub selected: u32,
    /// Whether a click moves the scene's groups of units.
    pub takes_clicks: bool,
    /// How good the paths of orders must be, by the host's numbering.
    pub quality: u8,
    /// The tick at which the replay ends; 0 without a replay.
    pub replay_ends: u32,
}

/// Writes the state of the studio.
pub(crate) fn status(status: &Status) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::STATUS);
    message
        .u8(u8::from(status.is_paused))
        .f32(status.speed)
        .u32(status.budget)
        .u32(status.undos)
        .u32(status.redos)
        .u32(status.selected)
        .u8(u8::from(status.takes_clicks))
        .u8(status.quality)
        .u32(status.replay_ends);
    message.into_bytes()
}

/// The names in the lists that a page offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The scenes.
    pub scenes: Vec<SceneInfo>,
    /// Kinds of new maps.
    pub maps: Vec<String>,
    /// The readings of a field.
    pub readings: Vec<String>,
    /// How good the paths of orders can be asked to be.
    pub qualities: Vec<String>,
    /// Templates that can be stamped, with their sizes.
    pub templates: Vec<(String, u8, u8)>,
    /// The brushes that paint.
    pub brushes: Vec<BrushInfo>,
}

/// A scene that a page offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneInfo {
    /// The name.
    pub name: String,
    /// What it shows.
    pub about: String,
    /// The group in which the page lists it.
    pub group: String,
    /// A small picture: the numbers of columns and rows; then, row by row, runs of a
    /// colour. A byte holds the colour and, in its lower half, the run's length less one.
    pub picture: Vec<u8>,
}

/// A brush of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BrushInfo {
    /// The group in which the page lists it.
    pub group: &'static str,
    /// The name.
    pub name: String,
    /// What to know of it; may be empty.
    pub hint: &'static str,
    /// The least amount, the greatest, and the usual one; all 0 if it takes none.
    pub amounts: [u8; 3],
    /// The layer that shows what it paints, if that is not the ground.
    pub layer: Option<Overlay>,
}

/// Writes the lists.
pub(crate) fn catalogue(catalogue: &Catalogue) -> Vec<u8> {
    let mut message = Writer::of_kind(kind::CATALOGUE);
    message.u8(catalogue.scenes.len() as u8);
    for scene in &catalogue.scenes {
        message
            .text(&scene.name)
            .text(&scene.about)
            .text(&scene.group)
            .u16(scene.picture.len() as u16)
            .raw(&scene.picture);
    }
    for names in [&catalogue.maps, &catalogue.readings, &catalogue.qualities] {
        message.u8(names.len() as u8);
        for name in names {
            message.text(name);
        }
    }
    message.u8(catalogue.templates.len() as u8);
    for (name, width, height) in &catalogue.templates {
        message.text(name).u8(*width).u8(*height);
    }
    message.u8(catalogue.brushes.len() as u8);
    for brush in &catalogue.brushes {
        let [least, most, usual] = brush.amounts;
        let layer = brush.layer.map_or(u8::MAX, |layer| layer as u8);
        message.text(brush.group).text(&brush.name).text(brush.hint);
        message.u8(least).u8(most).u8(usual).u8(layer);
    }
    message.into_bytes()
}

#[cfg(test)]
mod tests;
