//! From layers of tiles to costs.

use std::path::Path;

use super::document::{Content, Document, Layer, Piece, Tiles, TilesetEntry};
use super::error::{TiledError, TiledFault};
use super::{MAX_LAYER_CELLS, MAX_TILED_BYTES, MAX_TILED_CELLS, TiledMap, data, files};
use crate::cost::{Cost, CostMap};
use crate::format::rows::check_size;
use crate::grid::Cell;

/// Bits of a tile's number that say how it is turned.
const TURNS: u32 = 0xF000_0000;
/// The layers whose objects are spawn points.
const SPAWN: &str = "spawn";

/// A tileset whose tiles are known.
struct Known {
    first: u32,
    /// By the tile's id in the set.
    costs: Vec<(u32, Cost)>,
    /// All ids are below this, if the file tells.
    end: Option<u32>,
}

/// The rectangle of tiles that becomes the map.
#[derive(Clone, Copy)]
struct Frame {
    x: i64,
    y: i64,
    width: u32,
    height: u32,
}

/// Makes the map that a document tells.
pub(super) fn map_of(
    document: &Document<'_>,
    folder: Option<&Path>,
) -> Result<TiledMap, TiledError> {
    if document.orientation != "orthogonal" {
        let found = document.orientation.clone();
        return Err(TiledFault::Orientation { found }.at("the map"));
    }
    let frame = frame(document)?;
    check_layers(document)?;
    let known = known(&document.tilesets, folder)?;
    let tile_layers = || {
        document
            .layers
            .iter()
            .filter(|layer| !layer.rule.is_ignored)
    };
    let has_costs = known.iter().any(|set| !set.costs.is_empty())
        || tile_layers().any(|layer| layer.rule.cost().is_some());
    if !has_costs {
        return Err(TiledFault::NoCosts.at("the map"));
    }
    let cells = frame.width as usize * frame.height as usize;
    let mut costs = vec![Cost::OPEN.value(); cells];
    for layer in tile_layers() {
        if let Content::Tiles(pieces) = &layer.content {
            for piece in pieces {
                lay(piece, layer, frame, &known, &mut costs)?;
            }
        }
    }
    let made = CostMap::from_rows(frame.width, frame.height, &costs);
    Ok(TiledMap {
        costs: made.expect("the size was checked, and costs are never 0"),
        spawns: spawns(document, frame)?,
    })
}

/// Where the map lies among the tiles: what the pieces cover of an infinite
/// map.
fn frame(document: &Document<'_>) -> Result<Frame, TiledError> {
    let (width, height) = (document.width, document.height);
    let mut frame = Frame {
        x: 0,
        y: 0,
        width,
        height,
    };
    if document.is_infinite {
        let sides = |piece: &Piece<'_>| {
            let (x, y) = (i64::from(piece.x), i64::from(piece.y));
            let (width, height) = (i64::from(piece.width), i64::from(piece.height));
            [x, y, x + width, y + height]
        };
        let pieces = document
            .layers
            .iter()
            .flat_map(|layer| match &layer.content {
                Content::Tiles(pieces) if !layer.rule.is_ignored => &pieces[..],
                _ => &[],
            });
        let bounds = pieces.map(sides).reduce(|a, b| {
            let [left, top, right, bottom] = a;
            [
                left.min(b[0]),
                top.min(b[1]),
                right.max(b[2]),
                bottom.max(b[3]),
            ]
        });
        let [left, top, right, bottom] = bounds.unwrap_or_default();
        let side = |length: i64| u32::try_from(length).unwrap_or(u32::MAX);
        frame = Frame {
            x: left,
            y: top,
            width: side(right - left),
            height: side(bottom - top),
        };
    }
    let checked = check_size(frame.width, frame.height, MAX_TILED_CELLS);
    checked.map_err(|fault| TiledFault::Size(fault).at("the map"))?;
    Ok(frame)
}

/// Checks the sizes of all layers before any is decoded.
fn check_layers(document: &Document<'_>) -> Result<(), TiledError> {
    let mut cells = 0_u64;
    for layer in document
        .layers
        .iter()
        .filter(|layer| !layer.rule.is_ignored)
    {
        let Content::Tiles(pieces) = &layer.content else {
            continue;
        };
        for piece in pieces {
            let found = (piece.width, piece.height);
            let map = (document.width, document.height);
            if !document.is_infinite && found != map {
                return Err(TiledFault::LayerSize { found, map }.at(place(layer)));
            }
            cells = cells.saturating_add(u64::from(found.0) * u64::from(found.1));
            if cells > MAX_LAYER_CELLS {
                return Err(TiledFault::Layers.at(place(layer)));
            }
        }
    }
    Ok(())
}

fn place(layer: &Layer<'_>) -> String {
    format!("layer `{}`", layer.name)
}

/// The tilesets in the order of their tiles' numbers, those in files read.
fn known(entries: &[TilesetEntry], folder: Option<&Path>) -> Result<Vec<Known>, TiledError> {
    let mut known = Vec::new();
    let mut room = MAX_TILED_BYTES;
    for entry in entries {
        let read;
        let set = match &entry.tiles {
            Tiles::Here(set) => set,
            Tiles::InFile(name) => {
                read = files::tileset(name, folder, &mut room)?;
                &read
            }
        };
        let mut costs = set.costs.clone();
        costs.sort_by_key(|&(id, _)| id);
        if entry.first == 0 {
            let place = format!("tileset `{}`", set.name);
            return Err(TiledFault::Attribute { name: "firstgid" }.at(place));
        }
        let first = entry.first;
        let end = set.end;
        known.push(Known { first, costs, end });
    }
    known.sort_by_key(|set| set.first);
    Ok(known)
}

/// Lays a piece of a layer on what lies below it.
fn lay(
    piece: &Piece<'_>,
    layer: &Layer<'_>,
    frame: Frame,
    known: &[Known],
    costs: &mut [u8],
) -> Result<(), TiledError> {
    let cells = u64::from(piece.width) * u64::from(piece.height);
    let numbers = data::decode(&piece.data, cells).map_err(|fault| fault.at(place(layer)))?;
    // Pieces lie inside the frame, which is not larger than a map.
    let left = (i64::from(piece.x) - frame.x) as usize;
    let top = (i64::from(piece.y) - frame.y) as usize;
    let mut last: Option<(u32, Option<Cost>)> = None;
    for (at, &number) in numbers.iter().enumerate() {
        let number = number & !TURNS;
        if number == 0 {
            continue;
        }
        let (x, y) = (at % piece.width as usize, at / piece.width as usize);
        let (x, y) = (left + x, top + y);
        let cost = match last {
            Some((same, cost)) if same == number => cost,
            _ => cost_of(number, known).map_err(|fault| {
                fault.at(format!(
                    "{}, cell {}",
                    place(layer),
                    Cell::new(x as i32, y as i32)
                ))
            })?,
        };
        last = Some((number, cost));
        if let Some(cost) = cost.or(layer.rule.cost()) {
            costs[y * frame.width as usize + x] = cost.value();
        }
    }
    Ok(())
}

/// What the tile with a number says of its cost, if anything.
fn cost_of(number: u32, known: &[Known]) -> Result<Option<Cost>, TiledFault> {
    let after = known.partition_point(|set| set.first <= number);
    let Some(set) = after.checked_sub(1).map(|at| &known[at]) else {
        return Err(TiledFault::Tile { number });
    };
    let id = number - set.first;
    if set.end.is_some_and(|end| id >= end) {
        return Err(TiledFault::Tile { number });
    }
    let found = set.costs.binary_search_by_key(&id, |&(id, _)| id);
    Ok(found.ok().map(|at| set.costs[at].1))
}

/// The cells of the objects in layers for spawn points.
fn spawns(document: &Document<'_>, frame: Frame) -> Result<Vec<Cell>, TiledError> {
    let mut spawns = Vec::new();
    for layer in &document.layers {
        let Content::Objects(objects) = &layer.content else {
            continue;
        };
        if !layer.name.eq_ignore_ascii_case(SPAWN) || layer.rule.is_ignored {
            continue;
        }
        for &(x, y) in objects {
            let cell = |at: f64, side: f64, origin: i64| {
                let cell = (at / side).floor();
                let is_whole = cell.is_finite() && cell.abs() < 1e9;
                is_whole.then(|| i32::try_from(cell as i64 - origin).ok())?
            };
            let cell_x = cell(x, document.tile.0, frame.x);
            let cell_y = cell(y, document.tile.1, frame.y);
            let Some((x, y)) = cell_x.zip(cell_y) else {
                return Err(TiledFault::Attribute { name: "x, y" }.at(place(layer)));
            };
            spawns.push(Cell::new(x, y));
        }
    }
    Ok(spawns)
}
