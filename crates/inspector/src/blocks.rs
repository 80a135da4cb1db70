//! Builds the blocks of each layer from a world.

use flowtiles::{Cell, CellRect, Cost, LayerId, SECTOR_SIDE, Sample, Sector};

use crate::ground::{Material, Texel, plain};
use crate::loaded::LoadedSectors;
use crate::overlay::{BLOCK_SIDE, BlockKey, Overlay};
use crate::shown::{Fields, Shown, ShownOrder};
use crate::world_layers::OnLayer;

/// Values of a flow block that are not directions.
pub(crate) mod flow {
    /// The goal.
    pub(crate) const HERE: u8 = 8;
    /// The direction is not ready yet.
    pub(crate) const WAITING: u8 = 9;
    /// The order does not lead here.
    pub(crate) const OFF_ROUTE: u8 = 10;
    /// The goal cannot be reached from here.
    pub(crate) const UNREACHABLE: u8 = 11;
    /// A wall.
    pub(crate) const WALL: u8 = 12;
    /// The entry of a link that the path takes.
    pub(crate) const LINK: u8 = 13;
    /// The sector is not loaded.
    pub(crate) const NOT_LOADED: u8 = 15;
    /// Added to a direction from which the goal is in sight.
    pub(crate) const IN_SIGHT: u8 = 16;
}

/// The value for cells without a cost-to-go.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// Returns the sector of a cell.
pub(crate) const fn sector_of(cell: Cell) -> Sector {
    Sector::new(
        cell.x.div_euclid(SECTOR_SIDE),
        cell.y.div_euclid(SECTOR_SIDE),
    )
}

/// Returns the cell that stands for a texel of a block.
fn cell_of(key: BlockKey, column: i32, row: i32) -> Cell {
    let (x, y) = key.origin();
    let middle = (1 << key.level) >> 1;
    Cell::new(
        x + (column << key.level) + middle,
        y + (row << key.level) + middle,
    )
}

/// Returns cells spread over a texel, its middle first.
pub(crate) fn spread_over(key: BlockKey, middle: Cell) -> impl Iterator<Item = Cell> {
    let (looks, side) = (key.looks() as i32, 1 << key.level);
    let (x, y) = (middle.x - side / 2, middle.y - side / 2);
    let across = (0..looks).map(move |look| look * side / looks);
    let all = across
        .clone()
        .flat_map(move |down| across.clone().map(move |right| (right, down)));
    std::iter::once(middle).chain(all.map(move |(right, down)| Cell::new(x + right, y + down)))
}

/// Returns the number of rows in which a block is built.
pub(crate) const fn rows(key: BlockKey) -> i32 {
    match key.layer {
        Overlay::Ground => BLOCK_SIDE + 2,
        Overlay::Flow | Overlay::Integration | Overlay::Islands => BLOCK_SIDE,
        Overlay::Graph => key.cells() / SECTOR_SIDE,
        Overlay::Loaded
        | Overlay::Portals
        | Overlay::Density
        | Overlay::Speed
        | Overlay::Discomfort
        | Overlay::Potential => 1,
    }
}

/// Appends a row of the ground, four bytes for each texel, with a border of one
/// texel around the block: material, cost (0 off the map), light, tone.
pub(crate) fn ground(
    key: BlockKey,
    row: i32,
    (shown, on): (&Shown<'_>, &OnLayer<'_>),
    bytes: &mut Vec<u8>,
) {
    let ground = shown.world.costs();
    for column in -1..=BLOCK_SIDE {
        let cell = cell_of(key, column, row - 1);
        let (Some(kind), Some(cost)) = (ground.get(cell), on.costs.get(cell)) else {
            bytes.extend([Material::Outside as u8, 0, 128, 128]);
            continue;
        };
        // A wall that the ground does not have is seen as one, whatever the ground
        // looks like. Where the layer leads over a wall of the ground, that stays in sight.
        let painted = if cost.is_wall() && !kind.is_wall() {
            None
        } else {
            shown.ground.texel(cell, kind)
        };
        let Texel {
            material,
            light,
            tone,
        } = painted.unwrap_or_else(|| plain(cost));
        bytes.extend([material as u8, cost.value(), light, tone]);
    }
}

/// Appends a row of texels.
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

/// Returns the byte for an order's sample at a cell. The order is on the layer, whose walls
/// are those of the field.
pub(crate) fn flow_byte(
    shown: &Shown<'_>,
    on: &OnLayer<'_>,
    order: &ShownOrder<'_>,
    cell: Cell,
) -> u8 {
    let cost = on.costs.get(cell);
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
        Sample::Go(direction) => match shown.world.sees_goal(order.order, cell) {
            Some(_) => direction as u8 | flow::IN_SIGHT,
            None => direction as u8,
        },
        Sample::Link(_) => flow::LINK,
        Sample::Arrived => flow::HERE,
        Sample::OffRoute => flow::OFF_ROUTE,
        Sample::Unreachable => flow::UNREACHABLE,
        _ => flow::WAITING,
    }
}

/// Returns a byte for each texel of a crowd's values: 0 where there is none,
/// else 1 to 255.
pub(crate) fn amounts(key: BlockKey, fields: &dyn Fields, order: Option<u64>) -> Vec<u8> {
    let rows = 0..BLOCK_SIDE;
    let texels = rows.flat_map(|row| (0..BLOCK_SIDE).map(move |column| (column, row)));
    let values: Vec<Option<f32>> = texels
        .map(|(column, row)| fields.value(key.layer, order, cell_of(key, column, row)))
        .collect();
    let full = fields.full(key.layer, order).max(f32::MIN_POSITIVE);
    let byte = |value: Option<f32>| match value {
        Some(value) if value.is_finite() => 1 + (value / full * 254.0).clamp(0.0, 254.0) as u8,
        _ => 0,
    };
    values.into_iter().map(byte).collect()
}

/// The most sectors along a side for which a block of loaded sectors has bytes.
const SECTORS_MAX: i32 = 160;

/// Returns two bytes for the side, then two bytes for each sector, with a border
/// of one sector around: a bit for each order on the layer that has loaded it, the
/// highest for sectors freed lately.
pub(crate) fn loaded(
    key: BlockKey,
    loaded: &LoadedSectors,
    is_on: impl Fn(LayerId) -> bool,
) -> Vec<u8> {
    let layers = loaded.layers_on(is_on);
    let sectors = key.cells() / SECTOR_SIDE;
    let side = sectors.min(SECTORS_MAX);
    let each = sectors / side;
    let (x, y) = key.origin();
    let (x, y) = (x / SECTOR_SIDE, y / SECTOR_SIDE);
    let places = (-1..=side).flat_map(|row| (-1..=side).map(move |column| (column, row)));
    let bits = places.map(|(column, row)| loaded.bits(x + column * each, y + row * each, &layers));
    std::iter::once(side as u16)
        .chain(bits)
        .flat_map(u16::to_le_bytes)
        .collect()
}

/// Returns the portals whose own cell lies in the block, ten bytes each: the
/// start of the window (columns and rows from the block's corner), its length,
/// the direction of the border, and the place of the crossing.
pub(crate) fn portals(key: BlockKey, on: &OnLayer<'_>) -> Vec<u8> {
    let (x, y) = key.origin();
    let side = key.cells();
    let area = CellRect::new(x, y, side as u32, side as u32);
    let mut bytes = Vec::new();
    for portal in on.inside.portal_graph().portals_in(area) {
        let [near, far] = portal.windows;
        if !area.contains(portal.crossing[0]) {
            continue;
        }
        let stands = near.x != far.x;
        let length = if stands { near.height } else { near.width };
        let place = |at: i32| (at as u16).to_le_bytes();
        bytes.extend([place(near.x - x), place(near.y - y)].as_flattened());
        bytes.extend([length as u8, u8::from(stands)]);
        let crossing = portal.crossing[0];
        bytes.extend([place(crossing.x - x), place(crossing.y - y)].as_flattened());
    }
    bytes
}

/// Appends the portals of one row of sectors of the block, and the edges from each
/// to those with higher numbers, twelve bytes each: both places from the block's
/// corner, and the cost. A portal itself is an edge to its own place at cost 0.
pub(crate) fn graph(key: BlockKey, row: i32, on: &OnLayer<'_>) -> Vec<u8> {
    let (x, y) = key.origin();
    let top = y + row * SECTOR_SIDE;
    let area = CellRect::new(x, top, key.cells() as u32, SECTOR_SIDE as u32);
    let graph = on.inside.portal_graph();
    let mut bytes = Vec::new();
    for portal in graph.portals_in(area) {
        let from = portal.crossing[0];
        if !area.contains(from) {
            continue;
        }
        let edges = graph.edges(portal.id);
        let edges = edges.filter(|(other, _)| portal.id < *other);
        let edges = edges.filter_map(|(other, edge)| Some((graph.portal(other)?, edge.cost)));
        let edges = edges.map(|(other, cost)| (other.crossing[0], cost));
        for (to, cost) in std::iter::once((from, 0)).chain(edges) {
            for number in [from.x - x, from.y - y, to.x - x, to.y - y] {
                bytes.extend((number as i16).to_le_bytes());
            }
            bytes.extend(cost.to_le_bytes());
        }
    }
    bytes
}

/// Returns how much of each cell units cover, computed from the units.
pub(crate) fn density(key: BlockKey, shown: &Shown<'_>) -> Vec<u8> {
    if shown.fields.has(Overlay::Density) {
        return amounts(key, shown.fields, None);
    }
    let (x, y) = key.origin();
    let mut covered = vec![0.0f32; (BLOCK_SIDE * BLOCK_SIDE) as usize];
    let cells_each = ((1 << key.level) * (1 << key.level)) as f32;
    let area = CellRect::new(x, y, key.cells() as u32, key.cells() as u32);
    for mark in shown.marks {
        if mark.is_in(area) {
            let column = (mark.position[0] as i32 - x) >> key.level;
            let row = (mark.position[1] as i32 - y) >> key.level;
            let area = std::f32::consts::PI * mark.radius * mark.radius;
            covered[(row * BLOCK_SIDE + column) as usize] += area / cells_each;
        }
    }
    // The value is full when the units' areas add up to the cell's.
    covered
        .iter()
        .map(|covered| (covered * 255.0).min(255.0) as u8)
        .collect()
}
