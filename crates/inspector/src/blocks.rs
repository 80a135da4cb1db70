//! Builds the blocks of each layer from a world.

use flowtiles::{Cell, Cost, Rect, SECTOR_SIDE, Sample, Sector};

use crate::ground::{Material, Texel, plain};
use crate::layer::{BLOCK_SIDE, BlockKey, Layer};
use crate::loaded::LoadedSectors;
use crate::shown::{Fields, Shown, ShownOrder};
use crate::wire::Writer;

/// Cells of a flow block that are no direction.
pub(crate) mod flow {
    /// The goal.
    pub(crate) const HERE: u8 = 8;
    /// The direction is not there yet.
    pub(crate) const WAITING: u8 = 9;
    /// The order does not lead here.
    pub(crate) const OFF_ROUTE: u8 = 10;
    /// The goal cannot be reached from here.
    pub(crate) const UNREACHABLE: u8 = 11;
    /// A wall.
    pub(crate) const WALL: u8 = 12;
    /// The sector is not loaded.
    pub(crate) const NOT_LOADED: u8 = 15;
    /// Added to a direction from which the goal is in sight.
    pub(crate) const IN_SIGHT: u8 = 16;
    /// Added to a first direction, while the tile waits.
    pub(crate) const FIRST: u8 = 32;
}

/// No cost-to-go.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// The sector of a cell.
pub(crate) const fn sector_of(cell: Cell) -> Sector {
    Sector::new(
        cell.x.div_euclid(SECTOR_SIDE),
        cell.y.div_euclid(SECTOR_SIDE),
    )
}

/// The cell that stands for a texel of a block.
fn cell_of(key: BlockKey, column: i32, row: i32) -> Cell {
    let (x, y) = key.origin();
    let middle = (1 << key.level) >> 1;
    Cell::new(
        x + (column << key.level) + middle,
        y + (row << key.level) + middle,
    )
}

/// How many rows a block of a layer is built in.
pub(crate) const fn rows(layer: Layer) -> i32 {
    match layer {
        Layer::Ground => BLOCK_SIDE + 2,
        Layer::Flow | Layer::Integration | Layer::Islands => BLOCK_SIDE,
        Layer::Graph => BLOCK_SIDE / SECTOR_SIDE,
        Layer::Loaded
        | Layer::Portals
        | Layer::Density
        | Layer::Speed
        | Layer::Discomfort
        | Layer::Potential => 1,
    }
}

/// Adds a row of the ground. Four bytes a texel, with a border of one texel around
/// the block: material, cost (0 off the map), light, tone.
pub(crate) fn ground(key: BlockKey, row: i32, shown: &Shown<'_>, bytes: &mut Vec<u8>) {
    let costs = shown.world.costs();
    for column in -1..=BLOCK_SIDE {
        let cell = cell_of(key, column, row - 1);
        let Some(cost) = costs.get(cell) else {
            bytes.extend([Material::Outside as u8, 0, 128, 128]);
            continue;
        };
        let painted = shown.ground.texel(cell, cost);
        let Texel {
            material,
            light,
            tone,
        } = painted.unwrap_or_else(|| plain(cost));
        bytes.extend([material as u8, cost.value(), light, tone]);
    }
}

/// Adds a row of texels.
pub(crate) fn texels<const N: usize>(
    key: BlockKey,
    row: i32,
    bytes: &mut Vec<u8>,
    texel: impl Fn(Cell) -> [u8; N],
) {
    for column in 0..BLOCK_SIDE {
        bytes.extend(texel(cell_of(key, column, row)));
    }
}

/// What a cell says, in a byte.
pub(crate) fn flow_byte(shown: &Shown<'_>, order: &ShownOrder<'_>, cell: Cell) -> u8 {
    let cost = shown.world.costs().get(cell);
    if cost.is_none_or(Cost::is_wall) {
        return flow::WALL;
    }
    if !shown
        .world
        .inspect()
        .is_loaded(order.order, sector_of(cell))
    {
        return flow::NOT_LOADED;
    }
    match shown.world.sample(order.order, cell) {
        Sample::Go(direction) => direction as u8,
        Sample::InSight(direction) => direction as u8 | flow::IN_SIGHT,
        Sample::Toward(direction) => direction as u8 | flow::FIRST,
        Sample::Arrived => flow::HERE,
        Sample::OffRoute => flow::OFF_ROUTE,
        Sample::Unreachable => flow::UNREACHABLE,
        _ => flow::WAITING,
    }
}

/// A byte a texel for values of a crowd: 0 where there is none, then 1 to 255.
pub(crate) fn amounts(key: BlockKey, fields: &dyn Fields) -> Vec<u8> {
    let rows = 0..BLOCK_SIDE;
    let texels = rows.flat_map(|row| (0..BLOCK_SIDE).map(move |column| (column, row)));
    let values: Vec<Option<f32>> = texels
        .map(|(column, row)| fields.value(key.layer, cell_of(key, column, row)))
        .collect();
    let full = fields.full(key.layer).max(f32::MIN_POSITIVE);
    let byte = |value: Option<f32>| match value {
        Some(value) if value.is_finite() => 1 + (value / full * 254.0).clamp(0.0, 254.0) as u8,
        _ => 0,
    };
    values.into_iter().map(byte).collect()
}

/// The most sectors along a side that a block of loaded sectors has a byte for.
const SECTORS_MAX: i32 = 160;

/// Two bytes for the side, then a byte a sector with a border of one around: a
/// bit for each order that has it loaded, the highest for those freed lately.
pub(crate) fn loaded(key: BlockKey, loaded: &LoadedSectors) -> Vec<u8> {
    let sectors = key.cells() / SECTOR_SIDE;
    let side = sectors.min(SECTORS_MAX);
    let each = sectors / side;
    let (x, y) = key.origin();
    let (x, y) = (x / SECTOR_SIDE, y / SECTOR_SIDE);
    let mut bytes = Writer::default();
    bytes.u16(side as u16);
    for row in -1..=side {
        for column in -1..=side {
            bytes.u8(loaded.bits(x + column * each, y + row * each));
        }
    }
    bytes.into_bytes()
}

/// Portals whose own place lies in the block, ten bytes each: where the window
/// begins (columns and rows from the block's corner), its length, which way the
/// border runs, and where its gate is.
pub(crate) fn portals(key: BlockKey, shown: &Shown<'_>) -> Vec<u8> {
    let (x, y) = key.origin();
    let side = key.cells();
    let area = Rect::new(x, y, side as u32, side as u32);
    let mut bytes = Writer::default();
    for portal in shown.world.inspect().portal_graph().portals_in(area) {
        let [near, far] = portal.windows;
        if !area.contains(portal.gates[0]) {
            continue;
        }
        let stands = near.x != far.x;
        bytes
            .u16((near.x - x) as u16)
            .u16((near.y - y) as u16)
            .u8(if stands { near.height } else { near.width } as u8)
            .u8(u8::from(stands))
            .u16((portal.gates[0].x - x) as u16)
            .u16((portal.gates[0].y - y) as u16);
    }
    bytes.into_bytes()
}

/// Edges between portals of which the one with the lower number has its place
/// in a row of sectors of the block, twelve bytes each: both places from the
/// block's corner, and the price.
pub(crate) fn graph(key: BlockKey, row: i32, shown: &Shown<'_>) -> Vec<u8> {
    let (x, y) = key.origin();
    let top = y + row * SECTOR_SIDE;
    let area = Rect::new(x, top, key.cells() as u32, SECTOR_SIDE as u32);
    let graph = shown.world.inspect().portal_graph();
    let mut bytes = Writer::default();
    for portal in graph.portals_in(area) {
        let from = portal.gates[0];
        if !area.contains(from) {
            continue;
        }
        for (other, edge) in graph.edges(portal.id) {
            let Some(to) = graph.portal(other).filter(|_| portal.id < other) else {
                continue;
            };
            let to = to.gates[0];
            for number in [from.x - x, from.y - y, to.x - x, to.y - y] {
                bytes.u16(number as i16 as u16);
            }
            bytes.u32(edge.cost);
        }
    }
    bytes.into_bytes()
}

/// How much of each cell units cover, counted from the units.
pub(crate) fn density(key: BlockKey, shown: &Shown<'_>) -> Vec<u8> {
    if shown.fields.has(Layer::Density) {
        return amounts(key, shown.fields);
    }
    let (x, y) = key.origin();
    let mut covered = vec![0.0f32; (BLOCK_SIDE * BLOCK_SIDE) as usize];
    let cells_each = ((1 << key.level) * (1 << key.level)) as f32;
    let area = Rect::new(x, y, key.cells() as u32, key.cells() as u32);
    for mark in shown.marks {
        if mark.is_in(area) {
            let column = (mark.position[0] as i32 - x) >> key.level;
            let row = (mark.position[1] as i32 - y) >> key.level;
            let area = std::f32::consts::PI * mark.radius * mark.radius;
            covered[(row * BLOCK_SIDE + column) as usize] += area / cells_each;
        }
    }
    // Full where a cell is covered once over.
    covered
        .iter()
        .map(|covered| (covered * 255.0).min(255.0) as u8)
        .collect()
}
