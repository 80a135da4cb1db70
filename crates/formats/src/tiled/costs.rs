//! From layers of tiles to costs.

use std::path::Path;

use flowtiles::{Cell, Cost, CostMap};

use super::document::{Chunk, Document, Layer, Tileset, parse};
use super::{EDITOR, MAX_TILED_CELLS, data, wrong, xml};
use crate::editor::{Beside, is_spawn};
use crate::rows::check_size;
use crate::{Format, LoadedMap, Place, ReadError};

/// The most cells of all layers together.
const MAX_LAYER_CELLS: u64 = 1 << 26;
/// The bits of a tile's number that encode its rotation and flips.
const TURNS: u32 = 0xF000_0000;
/// The farthest cell to which a layer may be moved.
const FAR: f64 = 1e9;

/// A layer that is not ignored, with the pixels by which it and its groups are
/// moved.
struct Moved<'a> {
    layer: &'a Layer<'a>,
    x: f64,
    y: f64,
}

/// A rectangle of tiles.
struct Piece<'a> {
    layer: &'a Layer<'a>,
    data: &'a str,
    left: i64,
    top: i64,
    width: u32,
    height: u32,
}

/// A tileset whose tiles have been read.
struct KnownTileset {
    first: u32,
    /// The costs of the tiles, sorted by id.
    costs: Vec<(u32, Cost)>,
    /// An upper bound of all ids, if the file gives one.
    end: Option<u32>,
}

/// Builds the map that a document describes.
pub(super) fn map_of(
    format: Format,
    document: &Document<'_>,
    folder: Option<&Path>,
) -> Result<LoadedMap, ReadError> {
    let fault = |what: String| Place::Part("the map".to_owned()).fault(what);
    let orientation = &document.orientation;
    if orientation != "orthogonal" {
        return Err(fault(format!(
            "the map is `{orientation}`, and only orthogonal maps have square cells: choose Map > \
             Map Properties > Orientation > Orthogonal in Tiled"
        )));
    }
    let mut layers = Vec::new();
    flatten(&document.layers, (0.0, 0.0), &mut layers);
    let (tile_layers, others): (Vec<_>, _) = layers
        .into_iter()
        .partition(|moved| moved.layer.kind == "tilelayer");
    let mut pieces = Vec::new();
    for moved in &tile_layers {
        pieces.extend(pieces_of(document, moved)?);
    }
    let (mut origin, mut width, mut height) = ((0, 0), document.width, document.height);
    if document.infinite {
        let low = |side: fn(&Piece<'_>) -> i64| pieces.iter().map(side).min().unwrap_or(0);
        let high = |side: fn(&Piece<'_>) -> i64| pieces.iter().map(side).max().unwrap_or(0);
        origin = (low(|piece| piece.left), low(|piece| piece.top));
        let right = high(|piece| piece.left + i64::from(piece.width));
        let bottom = high(|piece| piece.top + i64::from(piece.height));
        width = u32::try_from(right - origin.0).unwrap_or(u32::MAX);
        height = u32::try_from(bottom - origin.1).unwrap_or(u32::MAX);
    }
    check_size(width, height, MAX_TILED_CELLS).map_err(fault)?;
    // The sizes of all layers are checked before any is decoded.
    let mut cells = 0_u64;
    for piece in &pieces {
        let (across, down) = (piece.width, piece.height);
        if !document.infinite && (across, down) != (width, height) {
            return Err(place(piece.layer).fault(format!(
                "the layer has {across}×{down} cells and the map {width}×{height}: resize the map \
                 in Tiled"
            )));
        }
        cells = cells.saturating_add(u64::from(across) * u64::from(down));
        if cells > MAX_LAYER_CELLS {
            return Err(place(piece.layer).fault(format!(
                "the layers up to here have more than {MAX_LAYER_CELLS} cells together: give \
                 layers that are for show the property `ignore`"
            )));
        }
    }
    let known = known(&document.tilesets, folder)?;
    let has_cost = |moved: &Moved<'_>| moved.layer.rule.cost().is_some();
    if known.iter().all(|set| set.costs.is_empty()) && !tile_layers.iter().any(has_cost) {
        let what = "no tile and no layer has a cost: give tiles or layers the property `cost` (1 \
                    to 255) or `wall` (true)";
        return Err(fault(what.to_owned()));
    }
    let mut costs = vec![Cost::OPEN.value(); width as usize * height as usize];
    for piece in &mut pieces {
        piece.left -= origin.0;
        piece.top -= origin.1;
        lay(piece, &known, width as usize, &mut costs)?;
    }
    let made = CostMap::from_rows(width, height, &costs);
    Ok(LoadedMap {
        format,
        costs: made.expect("the size was checked, and costs are never 0"),
        spawns: spawns(document, &others, origin)?,
    })
}

/// Collects layers in the order of the file, groups before those inside.
fn flatten<'a>(layers: &'a [Layer<'a>], (x, y): (f64, f64), found: &mut Vec<Moved<'a>>) {
    for layer in layers.iter().filter(|layer| !layer.rule.is_ignored) {
        let (x, y) = (x + layer.x, y + layer.y);
        found.push(Moved { layer, x, y });
        flatten(&layer.layers, (x, y), found);
    }
}

fn place(layer: &Layer<'_>) -> Place {
    Place::Part(format!("layer `{}`", layer.name))
}

/// Returns the rectangles of a layer of tiles.
fn pieces_of<'a>(
    document: &Document<'_>,
    &Moved { layer, x, y }: &Moved<'a>,
) -> Result<Vec<Piece<'a>>, ReadError> {
    let (tile_width, tile_height) = (document.tile_width, document.tile_height);
    let cells = |pixels: f64, side: u32| {
        let cells = if pixels == 0.0 {
            0.0
        } else {
            pixels / f64::from(side)
        };
        (cells.fract() == 0.0 && cells.abs() < FAR).then_some(cells as i64)
    };
    let (right, down) = cells(x, tile_width)
        .zip(cells(y, tile_height))
        .ok_or_else(|| {
            place(layer).fault(format!(
            "the layer is moved by {x},{y} pixels (its groups with it), which are not whole tiles \
             of {tile_width}×{tile_height}: correct its offset in Tiled, or give it the property \
             `ignore`"
        ))
        })?;
    let missing = |name| move || place(layer).fault(wrong(name));
    let rectangles: Vec<_> = if document.infinite {
        let chunks = layer.chunks.as_ref().ok_or_else(missing("chunks"))?;
        let sides = |chunk: &'a Chunk<'a>| (Some(chunk.width), Some(chunk.height), &chunk.data);
        chunks
            .iter()
            .map(|chunk| (chunk.x, chunk.y, sides(chunk)))
            .collect()
    } else {
        vec![(0, 0, (layer.width, layer.height, &layer.data))]
    };
    let pieces = rectangles.into_iter().map(|(x, y, (width, height, data))| {
        Ok(Piece {
            layer,
            data: data.as_deref().ok_or_else(missing("data"))?,
            left: i64::from(x) + right,
            top: i64::from(y) + down,
            width: width.ok_or_else(missing("width"))?,
            height: height.ok_or_else(missing("height"))?,
        })
    });
    pieces.collect()
}

/// Reads the tilesets, also those in separate files, and returns them in the
/// order of their tiles' numbers.
fn known(sets: &[Tileset], folder: Option<&Path>) -> Result<Vec<KnownTileset>, ReadError> {
    let mut known = Vec::new();
    let mut beside = EDITOR.beside(folder);
    for entry in sets {
        let file = entry.source.as_deref();
        let file = file.map(|name| in_file(name, &mut beside)).transpose()?;
        let set = file.as_ref().unwrap_or(entry);
        if entry.first == 0 {
            let at = Place::Part(format!("tileset `{}`", set.name));
            return Err(at.fault(wrong("firstgid")));
        }
        let costs = set.tiles.iter();
        let costs = costs.filter_map(|tile| Some((tile.id, tile.rule.cost()?)));
        let mut costs: Vec<_> = costs.collect();
        costs.sort_by_key(|&(id, _)| id);
        // The ids of a set of single pictures may have gaps.
        let ends = set.tiles.iter().map(|tile| tile.id.saturating_add(1));
        let end = set.count.map(|count| ends.fold(count, u32::max));
        known.push(KnownTileset {
            first: entry.first,
            costs,
            end,
        });
    }
    known.sort_by_key(|set| set.first);
    Ok(known)
}

/// Reads the tileset that the map refers to by this name.
fn in_file(name: &str, beside: &mut Beside<'_>) -> Result<Tileset, ReadError> {
    let at = format!("tileset `{name}`");
    let bytes = beside.read(name);
    let bytes = bytes.map_err(|what| Place::Part(at.clone()).fault(what))?;
    let read = EDITOR.text_of(&bytes).and_then(|text| {
        if text.trim_start().starts_with('{') {
            return parse(text);
        }
        let tree = xml::parse(text)?;
        xml::tileset(xml::root(&tree, "tileset")?)
    });
    read.map_err(|error| Place::Part(format!("{at}, {}", error.at)).fault(error.what))
}

/// Writes a piece of a layer over what lies below it.
fn lay(
    piece: &Piece<'_>,
    known: &[KnownTileset],
    width: usize,
    costs: &mut [u8],
) -> Result<(), ReadError> {
    let layer = piece.layer;
    let cells = u64::from(piece.width) * u64::from(piece.height);
    let numbers = data::decode(piece.data, &layer.encoding, &layer.compression, cells);
    let numbers = numbers.map_err(|what| place(layer).fault(what))?;
    let mut last: Option<(u32, Option<Cost>)> = None;
    for (at, number) in numbers.into_iter().enumerate() {
        let number = number & !TURNS;
        if number == 0 {
            continue;
        }
        let x = piece.left + (at % piece.width as usize) as i64;
        let y = piece.top + (at / piece.width as usize) as i64;
        let fault = |what: String| {
            let cell = Cell::new(x as i32, y as i32);
            Place::Part(format!("{}, cell {cell}", place(layer))).fault(what)
        };
        let of_tile = match last {
            Some((same, cost)) if same == number => cost,
            _ => cost_of(number, known).ok_or_else(|| {
                fault(format!(
                    "the tile {number} is in no tileset: add the tileset, or remove the tile"
                ))
            })?,
        };
        last = Some((number, of_tile));
        let Some(cost) = of_tile.or(layer.rule.cost()) else {
            continue;
        };
        let inside = |at: i64, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
        let row = inside(y, costs.len() / width).map(|y| y * width);
        let to = inside(x, width)
            .zip(row)
            .map(|(x, row)| &mut costs[row + x]);
        *to.ok_or_else(|| {
            let what = "the offset of the layer moves this tile, which has a cost, off the map: \
                        remove the tile or correct the offset in Tiled";
            fault(what.to_owned())
        })? = cost.value();
    }
    Ok(())
}

/// Returns the cost that the tile of a number has by its properties, if any;
/// `None` if the number is in no tileset.
fn cost_of(number: u32, known: &[KnownTileset]) -> Option<Option<Cost>> {
    let after = known.partition_point(|set| set.first <= number);
    let set = &known[after.checked_sub(1)?];
    let id = number - set.first;
    if set.end.is_some_and(|end| id >= end) {
        return None;
    }
    let found = set.costs.binary_search_by_key(&id, |&(id, _)| id);
    Some(found.ok().map(|at| set.costs[at].1))
}

/// Returns the cells of the objects in layers of spawn points.
fn spawns(
    document: &Document<'_>,
    layers: &[Moved<'_>],
    origin: (i64, i64),
) -> Result<Vec<Cell>, ReadError> {
    let cell = |at: f64, side: u32, origin: i64| {
        let cell = (at / f64::from(side)).floor();
        let cell = (cell.abs() < FAR).then(|| cell as i64 - origin);
        cell.and_then(|cell| i32::try_from(cell).ok())
    };
    let mut spawns = Vec::new();
    for Moved { layer, x, y } in layers {
        if layer.kind != "objectgroup" || !is_spawn(&layer.name) {
            continue;
        }
        for object in &layer.objects {
            let down = if object.tile.is_some() { -0.5 } else { 0.5 };
            let x = x + object.x + 0.5 * object.width;
            let y = y + object.y + down * object.height;
            let x = cell(x, document.tile_width, origin.0);
            let y = cell(y, document.tile_height, origin.1);
            let found = x.zip(y).map(|(x, y)| Cell::new(x, y));
            spawns.push(found.ok_or_else(|| place(layer).fault(wrong("x, y")))?);
        }
    }
    Ok(spawns)
}
