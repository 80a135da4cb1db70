//! From layers of tiles to costs.

use std::path::Path;

use super::document::{Content, Document, Piece, TileData, TiledLayer, TilesetEntry};
use super::error::{TiledError, TiledFault};
use super::limits::{MAX_LAYER_CELLS, MAX_TILED_BYTES, MAX_TILED_CELLS};
use super::map::TiledMap;
use super::{data, files};
use crate::rows::check_size;
use flowtiles::Cell;
use flowtiles::{Cost, CostMap};

/// The bits of a tile's number that encode its rotation and flips.
const TURNS: u32 = 0xF000_0000;
/// The name of the layers whose objects are spawn points.
const SPAWN: &str = "spawn";

/// A tileset whose tiles have been read.
struct KnownTileset {
    first: u32,
    /// The costs of the tiles, sorted by id.
    costs: Vec<(u32, Cost)>,
    /// An upper bound of all ids, if the file gives one.
    end: Option<u32>,
}

/// The rectangle of tiles that becomes the map.
#[derive(Clone, Copy)]
struct MapTiles {
    x: i64,
    y: i64,
    width: u32,
    height: u32,
}

impl MapTiles {
    /// Returns the index of a cell of the map, row by row; `None` off the map.
    fn place(self, x: i64, y: i64) -> Option<usize> {
        let x = u32::try_from(x).ok().filter(|&x| x < self.width)?;
        let y = u32::try_from(y).ok().filter(|&y| y < self.height)?;
        Some(y as usize * self.width as usize + x as usize)
    }
}

/// Builds the map that a document describes.
pub(super) fn map_of(
    document: &Document<'_>,
    folder: Option<&Path>,
) -> Result<TiledMap, TiledError> {
    if document.orientation != "orthogonal" {
        let found = document.orientation.clone();
        return Err(TiledFault::Orientation { found }.at("the map"));
    }
    let layers = tile_layers(document)?;
    let frame = frame(document, &layers)?;
    check_layers(document, &layers)?;
    let known = known(&document.tilesets, folder)?;
    let has_costs = known.iter().any(|set| !set.costs.is_empty())
        || layers.iter().any(|tiles| tiles.layer.rule.cost().is_some());
    if !has_costs {
        return Err(TiledFault::NoCosts.at("the map"));
    }
    let cells = frame.width as usize * frame.height as usize;
    let mut costs = vec![Cost::OPEN.value(); cells];
    for tiles in &layers {
        for piece in tiles.pieces {
            lay(piece, tiles, frame, &known, &mut costs)?;
        }
    }
    let made = CostMap::from_rows(frame.width, frame.height, &costs);
    Ok(TiledMap {
        costs: made.expect("the size was checked, and costs are never 0"),
        spawns: spawns(document, frame)?,
    })
}

/// A layer of tiles that counts, with its position.
struct TileLayer<'a> {
    layer: &'a TiledLayer<'a>,
    pieces: &'a [Piece<'a>],
    /// The cells by which it is moved to the east and to the south.
    shift: (i64, i64),
}

impl TileLayer<'_> {
    /// Returns the first column and row that a piece covers, and those after
    /// the last.
    fn sides(&self, piece: &Piece<'_>) -> [i64; 4] {
        let x = i64::from(piece.x) + self.shift.0;
        let y = i64::from(piece.y) + self.shift.1;
        let (width, height) = (i64::from(piece.width), i64::from(piece.height));
        [x, y, x + width, y + height]
    }
}

/// Returns the layers of tiles that are not ignored.
fn tile_layers<'a>(document: &'a Document<'_>) -> Result<Vec<TileLayer<'a>>, TiledError> {
    let mut layers = Vec::new();
    for layer in &document.layers {
        let Content::TileData(pieces) = &layer.content else {
            continue;
        };
        if layer.rule.is_ignored {
            continue;
        }
        let whole = |pixels: f64, side: u32| {
            let cells = pixels / f64::from(side);
            let is_whole = cells.fract() == 0.0 && cells.abs() < 1e9;
            if pixels == 0.0 {
                Some(0)
            } else {
                is_whole.then_some(cells as i64)
            }
        };
        let ((x, y), (width, height)) = (layer.offset, document.tile);
        let shift = whole(x, width).zip(whole(y, height)).ok_or_else(|| {
            let found = (x.to_string(), y.to_string());
            let tile = document.tile;
            TiledFault::Offset { found, tile }.at(place(layer))
        })?;
        layers.push(TileLayer {
            layer,
            pieces,
            shift,
        });
    }
    Ok(layers)
}

/// Returns the rectangle of the map among the tiles; for an infinite map, the
/// rectangle that its pieces cover.
fn frame(document: &Document<'_>, layers: &[TileLayer<'_>]) -> Result<MapTiles, TiledError> {
    let mut frame = MapTiles {
        x: 0,
        y: 0,
        width: document.width,
        height: document.height,
    };
    if document.is_infinite {
        let pieces = layers
            .iter()
            .flat_map(|tiles| tiles.pieces.iter().map(|piece| tiles.sides(piece)));
        let bounds = pieces.reduce(|a, b| {
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
        frame = MapTiles {
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
fn check_layers(document: &Document<'_>, layers: &[TileLayer<'_>]) -> Result<(), TiledError> {
    let mut cells = 0_u64;
    for TileLayer { layer, pieces, .. } in layers {
        for piece in *pieces {
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

fn place(layer: &TiledLayer<'_>) -> String {
    format!("layer `{}`", layer.name)
}

/// Reads the tilesets, also those in separate files, and returns them in the
/// order of their tiles' numbers.
fn known(entries: &[TilesetEntry], folder: Option<&Path>) -> Result<Vec<KnownTileset>, TiledError> {
    let mut known = Vec::new();
    let mut room = MAX_TILED_BYTES;
    for entry in entries {
        let read;
        let set = match &entry.tiles {
            TileData::Here(set) => set,
            TileData::InFile(name) => {
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
        known.push(KnownTileset { first, costs, end });
    }
    known.sort_by_key(|set| set.first);
    Ok(known)
}

/// Writes a piece of a layer over what lies below it.
fn lay(
    piece: &Piece<'_>,
    tiles: &TileLayer<'_>,
    frame: MapTiles,
    known: &[KnownTileset],
    costs: &mut [u8],
) -> Result<(), TiledError> {
    let layer = tiles.layer;
    let cells = u64::from(piece.width) * u64::from(piece.height);
    let numbers = data::decode(&piece.data, cells).map_err(|fault| fault.at(place(layer)))?;
    let [left, top, ..] = tiles.sides(piece);
    let mut last: Option<(u32, Option<Cost>)> = None;
    for (at, &number) in numbers.iter().enumerate() {
        let number = number & !TURNS;
        if number == 0 {
            continue;
        }
        let (x, y) = (at % piece.width as usize, at / piece.width as usize);
        // Both numbers stay within the limits of a map's size, on the map or
        // off it.
        let (x, y) = (left + x as i64 - frame.x, top + y as i64 - frame.y);
        let fault = |fault: TiledFault| {
            let cell = Cell::new(x as i32, y as i32);
            fault.at(format!("{}, cell {cell}", place(layer)))
        };
        let cost = match last {
            Some((same, cost)) if same == number => cost,
            _ => cost_of(number, known).map_err(fault)?,
        };
        last = Some((number, cost));
        let Some(cost) = cost.or(layer.rule.cost()) else {
            continue;
        };
        let place = frame.place(x, y).ok_or_else(|| fault(TiledFault::OffMap))?;
        costs[place] = cost.value();
    }
    Ok(())
}

/// Returns the cost that the tile of a number has by its properties, if any.
fn cost_of(number: u32, known: &[KnownTileset]) -> Result<Option<Cost>, TiledFault> {
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

/// Returns the cells of the objects in layers of spawn points.
fn spawns(document: &Document<'_>, frame: MapTiles) -> Result<Vec<Cell>, TiledError> {
    let mut spawns = Vec::new();
    for layer in &document.layers {
        let Content::Objects(objects) = &layer.content else {
            continue;
        };
        if !layer.name.eq_ignore_ascii_case(SPAWN) || layer.rule.is_ignored {
            continue;
        }
        for &(x, y) in objects {
            let cell = |at: f64, side: u32, origin: i64| {
                let cell = (at / f64::from(side)).floor();
                let is_whole = cell.is_finite() && cell.abs() < 1e9;
                is_whole.then(|| i32::try_from(cell as i64 - origin).ok())?
            };
            let cell_x = cell(x + layer.offset.0, document.tile.0, frame.x);
            let cell_y = cell(y + layer.offset.1, document.tile.1, frame.y);
            let Some((x, y)) = cell_x.zip(cell_y) else {
                return Err(TiledFault::Attribute { name: "x, y" }.at(place(layer)));
            };
            spawns.push(Cell::new(x, y));
        }
    }
    Ok(spawns)
}
