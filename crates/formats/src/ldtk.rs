//! Projects of the LDtk editor: `.ldtk`, with their levels inside or in `.ldtkl` files.
//!
//! ```text
//!   .ldtk ──▶ Project ──▶ levels that are chosen ──▶ Placed ──▶ CostMap, spawns
//!                              ▲                    (grids of
//!                    .ldtkl of the same folder       one size)
//! ```
//!
//! The values of a layer are parsed when the levels are laid, one layer at a time: after the
//! sizes of all were checked, and only of levels that are chosen.
//!
//! The values of int-grid layers are kinds of ground: [`Names`] has the cost of each, by the
//! value's name. In the file the top layer is the first; where it is empty, what lies below
//! counts. Levels lie where they are in their world; between them are walls.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use flowtiles::{Cell, Cost, CostMap};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::editor::{Editor, is_spawn};
use crate::rows::check_size;
use crate::{Format, Lack, LoadedMap, Names, Place, ReadError};

/// The most bytes that an LDtk project, or all its levels in files together, may have:
/// 128 MiB.
pub const MAX_LDTK_BYTES: u64 = 128 << 20;
/// The most cells that the chosen levels of an LDtk project may cover: 2²⁴.
pub const MAX_LDTK_CELLS: u64 = 1 << 24;

const EDITOR: Editor = Editor {
    name: "LDtk",
    bytes_max: MAX_LDTK_BYTES,
    remedy: "choose one level, save levels in separate files, or cut the project into several",
    kind: "level",
    instead: "save the project without separate level files",
};

/// What is read of an LDtk project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LdtkChoice {
    /// The level, or the world, with this name; without it, all levels of the only world.
    pub level: Option<String>,
    /// The int-grid layer with this name; without it, all.
    pub layer: Option<String>,
}

#[derive(Deserialize)]
struct Project<'a> {
    defs: Option<Definitions>,
    #[serde(rename = "worldLayout")]
    layout: Option<String>,
    #[serde(default, borrow)]
    levels: Vec<Level<'a>>,
    /// The worlds, if the project has several: then it has no other levels.
    #[serde(default)]
    worlds: Vec<World<'a>>,
}

#[derive(Deserialize)]
struct World<'a> {
    identifier: String,
    #[serde(rename = "worldLayout")]
    layout: Option<String>,
    #[serde(borrow)]
    levels: Vec<Level<'a>>,
}

#[derive(Deserialize)]
struct Definitions {
    layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
struct LayerDefinition {
    uid: i64,
    #[serde(rename = "intGridValues", default)]
    values: Vec<Value>,
}

#[derive(Deserialize)]
struct Value {
    value: u32,
    identifier: Option<String>,
}

#[derive(Deserialize)]
struct Level<'a> {
    identifier: String,
    #[serde(rename = "worldX")]
    x: i32,
    #[serde(rename = "worldY")]
    y: i32,
    #[serde(rename = "externalRelPath")]
    file: Option<String>,
    #[serde(rename = "layerInstances", borrow)]
    layers: Option<Vec<Layer<'a>>>,
}

#[derive(Deserialize)]
struct Layer<'a> {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__cWid")]
    width: u32,
    #[serde(rename = "__cHei")]
    height: u32,
    #[serde(rename = "__gridSize")]
    grid: u32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    x: i32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    y: i32,
    #[serde(rename = "layerDefUid")]
    definition: i64,
    /// The values of the cells, as the file has them.
    #[serde(rename = "intGridCsv", borrow)]
    cells: Option<&'a RawValue>,
    #[serde(rename = "entityInstances", default)]
    entities: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__grid")]
    at: [i32; 2],
}

/// A level with its int-grid layers, the lowest first, and the pixels at its corner.
struct Placed<'a> {
    level: &'a Level<'a>,
    grids: Vec<&'a Layer<'a>>,
    x: i64,
    y: i64,
}

/// Reads a project: the levels that `choice` names, laid out as in their world. Levels in
/// separate files are read from `folder`, or refused if there is none.
///
/// # Errors
/// For the first fault, with its place: also for a value without a cost, for levels that
/// overlap or that lie in a row without coordinates, and for grids of different sizes.
pub fn read_ldtk(
    bytes: &[u8],
    names: &Names,
    choice: &LdtkChoice,
    folder: Option<&Path>,
) -> Result<LoadedMap, ReadError> {
    let mut project: Project<'_> = EDITOR.parse(EDITOR.text_of(bytes)?)?;
    let definitions = project.defs.take().ok_or_else(|| {
        let what = "not an LDtk project, or only one level of it: read the project (.ldtk), and \
                    choose the level by its name";
        Place::File.fault(what)
    })?;
    let levels = chosen(project, choice.level.as_deref())?;
    let mut files = vec![None; levels.len()];
    let levels = load(levels, folder, &mut files)?;
    let levels = levels
        .iter()
        .map(|level| placed(level, choice.layer.as_deref()));
    lay(&levels.collect::<Result<Vec<_>, _>>()?, &definitions, names)
}

fn the_project(what: String) -> ReadError {
    Place::Part("the project".to_owned()).fault(what)
}

/// Returns the levels with this name, or of the world with this name.
fn chosen<'a>(project: Project<'a>, name: Option<&str>) -> Result<Vec<Level<'a>>, ReadError> {
    let mut worlds = project.worlds;
    let (identifier, layout) = (String::new(), project.layout);
    worlds.push(World {
        identifier,
        layout,
        levels: project.levels,
    });
    worlds.retain(|world| !world.levels.is_empty());
    if worlds.is_empty() {
        return Err(the_project("it has no level: draw one in LDtk".to_owned()));
    }
    let listed = |names: Vec<&String>| {
        let shown = names.iter().take(9).map(|name| format!(" `{name}`"));
        let more = if names.len() > 9 { " …" } else { "" };
        shown.collect::<String>() + more
    };
    let all = || worlds.iter().flat_map(|world| &world.levels);
    let names = listed(all().map(|level| &level.identifier).collect());
    let Some(name) = name else {
        if worlds.len() > 1 {
            let of_worlds = listed(worlds.iter().map(|world| &world.identifier).collect());
            return Err(the_project(format!(
                "it has several worlds: choose one of{of_worlds}"
            )));
        }
        return laid_out(worlds.remove(0), &names);
    };
    if all().any(|level| level.identifier == name) {
        let mut levels = worlds.into_iter().flat_map(|world| world.levels);
        return Ok(levels
            .find(|level| level.identifier == name)
            .into_iter()
            .collect());
    }
    let world = worlds.into_iter().find(|world| world.identifier == name);
    let world = world
        .ok_or_else(|| the_project(format!("no level is called `{name}`: choose one of{names}")))?;
    laid_out(world, &names)
}

/// Returns the levels of a world, if they have coordinates or if there is one.
fn laid_out<'a>(world: World<'a>, names: &str) -> Result<Vec<Level<'a>>, ReadError> {
    let layout = world.layout.unwrap_or_default();
    if world.levels.len() > 1 && !matches!(layout.as_str(), "Free" | "GridVania") {
        return Err(the_project(format!(
            "its levels lie in a row (`{layout}`) and not side by side on one map: choose one \
             of{names}, or the layout GridVania or Free in LDtk (World > World settings)"
        )));
    }
    Ok(world.levels)
}

/// Reads the levels that are in files of their own; what these hold is kept in `files`.
fn load<'a>(
    mut levels: Vec<Level<'a>>,
    folder: Option<&Path>,
    files: &'a mut [Option<Vec<u8>>],
) -> Result<Vec<Level<'a>>, ReadError> {
    let mut beside = EDITOR.beside(folder);
    let levels_and_files = levels.iter_mut().zip(files);
    for (level, file) in levels_and_files.filter(|(level, _)| level.layers.is_none()) {
        let Some(name) = &level.file else { continue };
        let read = beside.read(name);
        let bytes = file.insert(read.map_err(|what| level_place(level).fault(what))?);
        let text = EDITOR.text_of(bytes);
        let read = text.and_then(|text| EDITOR.parse::<Level<'_>>(text));
        let read = read.map_err(|error| {
            let place = format!("{}, file `{name}`, {}", level_place(level), error.at);
            Place::Part(place).fault(error.what)
        })?;
        level.layers = read.layers;
    }
    Ok(levels)
}

/// Chooses the int-grid layers of a level, which must have grids of one size.
fn placed<'a>(level: &'a Level<'_>, name: Option<&str>) -> Result<Placed<'a>, ReadError> {
    let fault = |what: String| level_place(level).fault(what);
    let is_chosen = |layer: &&Layer<'_>| {
        layer.kind == "IntGrid" && name.is_none_or(|name| layer.identifier == name)
    };
    let layers = level.layers.iter().flatten();
    let grids: Vec<&Layer<'_>> = layers.filter(is_chosen).rev().collect();
    let first = *grids.first().ok_or_else(|| {
        let called = name.map_or(String::new(), |name| format!(" called `{name}`"));
        fault(format!(
            "it has no layer of integers{called}: add an IntGrid layer in LDtk"
        ))
    })?;
    let shape = |layer: &Layer<'_>| (layer.width, layer.height, layer.grid, layer.x, layer.y);
    if let Some(other) = grids.iter().find(|layer| shape(layer) != shape(first)) {
        return Err(fault(format!(
            "the layers `{}` and `{}` have grids of different sizes or offsets: choose one of \
             the two",
            first.identifier, other.identifier
        )));
    }
    let (width, height) = (first.width, first.height);
    check_size(width, height, MAX_LDTK_CELLS).map_err(fault)?;
    let cells = width as usize * height as usize;
    for layer in &grids {
        let found = layer.cells.map_or(0, |cells| count_of(cells.get()));
        if found != cells || layer.grid == 0 {
            return Err(layer_place(level, layer).fault(format!(
                "it has {found} values for {width}×{height} cells of {} pixels: save the project \
                 with LDtk 1.0 or later",
                layer.grid
            )));
        }
    }
    let (x, y) = (i64::from(level.x), i64::from(level.y));
    let (x, y) = (x + i64::from(first.x), y + i64::from(first.y));
    Ok(Placed { level, grids, x, y })
}

/// Returns the number of values in the text of a list of numbers, before any is parsed.
fn count_of(list: &str) -> usize {
    let commas = list.bytes().filter(|&letter| letter == b',').count();
    match list.trim_matches(['[', ']']).trim_ascii() {
        "" => 0,
        _ => commas + 1,
    }
}

/// Parses the values of a layer whose number was checked.
fn values_of(level: &Level<'_>, layer: &Layer<'_>) -> Result<Vec<u32>, ReadError> {
    let list = layer.cells.map_or("[]", RawValue::get);
    let values = EDITOR.parse(list);
    values.map_err(|error| layer_place(level, layer).fault(error.what))
}

fn level_place(level: &Level<'_>) -> Place {
    Place::Part(format!("level `{}`", level.identifier))
}

fn layer_place(level: &Level<'_>, layer: &Layer<'_>) -> Place {
    Place::Part(format!(
        "{}, layer `{}`",
        level_place(level),
        layer.identifier
    ))
}

/// Lays levels, of which there is at least one, on one map.
fn lay(
    levels: &[Placed<'_>],
    definitions: &Definitions,
    names: &Names,
) -> Result<LoadedMap, ReadError> {
    let low = |at: fn(&Placed<'_>) -> i64| levels.iter().map(at).min().unwrap_or(0);
    let (left, top) = (low(|level| level.x), low(|level| level.y));
    let grid = levels[0].grids[0].grid;
    let mut corners = Vec::new();
    let (mut width, mut height) = (0, 0);
    for placed in levels {
        let layer = placed.grids[0];
        let (x, y, side) = (placed.x - left, placed.y - top, i64::from(grid));
        if layer.grid != grid || x % side != 0 || y % side != 0 {
            return Err(layer_place(placed.level, layer).fault(format!(
                "its cells of {} pixels, {x},{y} pixels from the corner of all levels, are not \
                 on the grid of {grid} pixels of level `{}`: move the level in LDtk, or choose \
                 one level",
                layer.grid, levels[0].level.identifier
            )));
        }
        let (x, y) = (x / side, y / side);
        corners.push((x, y));
        width = width.max(x + i64::from(layer.width));
        height = height.max(y + i64::from(layer.height));
    }
    let side = |side: i64| u32::try_from(side).unwrap_or(u32::MAX);
    check_size(side(width), side(height), MAX_LDTK_CELLS).map_err(the_project)?;
    let empty = names.cost("empty").unwrap_or(Cost::OPEN).value();
    // Cells of no level are 0 for now.
    let mut costs = vec![0; width as usize * height as usize];
    for (placed, &(x, y)) in levels.iter().zip(&corners) {
        let row = |y: i64| (y * width + x) as usize;
        let across = placed.grids[0].width as usize;
        for y in y..y + i64::from(placed.grids[0].height) {
            let cells = &mut costs[row(y)..][..across];
            if cells.iter().any(|&cost| cost != 0) {
                let what = "it overlaps another level: choose one level, or a layout without \
                            overlaps in LDtk";
                return Err(level_place(placed.level).fault(what));
            }
            cells.fill(empty);
        }
        for layer in &placed.grids {
            let values = values_of(placed.level, layer)?.into_iter().enumerate();
            let mut known = BTreeMap::new();
            for (at, value) in values.filter(|&(_, value)| value != 0) {
                let cost = match known.entry(value) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let cost = cost_of(value, layer, definitions, names);
                        let cost = cost.map_err(|fault| {
                            let cell = Cell::new((at % across) as i32, (at / across) as i32);
                            without_cost(placed.level, layer, cell, fault)
                        })?;
                        *new.insert(cost.value())
                    }
                };
                costs[row(y + (at / across) as i64) + at % across] = cost;
            }
        }
    }
    for cost in costs.iter_mut().filter(|cost| **cost == 0) {
        *cost = Cost::WALL.value();
    }
    let made = CostMap::from_rows(width as u32, height as u32, &costs);
    Ok(LoadedMap {
        format: Format::Ldtk,
        costs: made.expect("the size was checked, and no cost is 0 any more"),
        spawns: spawns(levels, (left, top), grid)?,
    })
}

/// Returns the error for a cell whose value has no cost.
fn without_cost(
    level: &Level<'_>,
    layer: &Layer<'_>,
    cell: Cell,
    (what, lacks): (String, Option<Lack>),
) -> ReadError {
    let place = layer_place(level, layer);
    let error = Place::Part(format!("{place}, cell {cell}")).fault(what);
    ReadError { lacks, ..error }
}

/// Returns the cost of a value: by its name, or if it has none, by its number or the name of
/// its layer.
fn cost_of(
    value: u32,
    layer: &Layer<'_>,
    definitions: &Definitions,
    names: &Names,
) -> Result<Cost, (String, Option<Lack>)> {
    let mut layers = definitions.layers.iter();
    let defined = layers.find(|known| known.uid == layer.definition);
    let mut defined = defined.into_iter().flat_map(|known| &known.values);
    let defined = defined.find(|known| known.value == value).ok_or_else(|| {
        let what = format!("the layer has no value {value}: save the project from LDtk again");
        (what, None)
    })?;
    let named = defined.identifier.clone().filter(|name| !name.is_empty());
    let cost = match &named {
        Some(name) => names.cost(name),
        None => names
            .cost(&value.to_string())
            .or_else(|| names.cost(&layer.identifier)),
    };
    cost.ok_or_else(|| {
        let name = named.unwrap_or_else(|| value.to_string());
        let what = format!("the value {value}, `{name}`, has no cost: give the name one");
        (what, Some(Lack::Name(name)))
    })
}

/// Returns the cells of the entities that are spawn points.
fn spawns(
    levels: &[Placed<'_>],
    (left, top): (i64, i64),
    grid: u32,
) -> Result<Vec<Cell>, ReadError> {
    let mut spawns = Vec::new();
    for Placed { level, .. } in levels {
        for layer in level.layers.iter().flatten() {
            let all = layer.entities.iter();
            for entity in all.filter(|at| is_spawn(&at.identifier) || is_spawn(&layer.identifier)) {
                // The cells of a layer of entities may have another size.
                let cell = |at: i32, offset: i32, corner: i32, origin: i64| {
                    let middle =
                        i128::from(at) * i128::from(layer.grid) + i128::from(layer.grid / 2);
                    let pixel = middle + i128::from(offset) + i128::from(corner);
                    i32::try_from((pixel - i128::from(origin)).div_euclid(i128::from(grid))).ok()
                };
                let [x, y] = entity.at;
                let found = cell(x, layer.x, level.x, left).zip(cell(y, layer.y, level.y, top));
                let (x, y) = found.ok_or_else(|| {
                    let what = "a spawn point lies too far away: move it onto the level in LDtk";
                    layer_place(level, layer).fault(what)
                })?;
                spawns.push(Cell::new(x, y));
            }
        }
    }
    Ok(spawns)
}
