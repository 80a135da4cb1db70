//! Tiles with values near the goal's: 32-bit offsets, only the borders kept.
//!
//! A tile's neighbours need only its border, so only the border's values are
//! kept: four sides of ten. The inner values live in the kernel's registers
//! while the tile is settled, and leave them as directions.

use super::flow::{Flow, FlowTile};
use super::loaded::{Ring, Woken, cell_beside};
use super::nine::Nine;
use super::patch::ValuesAround;
use super::sources::{FAR_LIMIT, Sources};
use crate::arrays::Mapped;
use crate::grid::{Direction, SECTOR_SIDE, Slot};
use crate::kernel::{
    self, Borders, CLOSED_SIDE, Ground, Halo, NO_PATH, Seed, Settling, SideValues, UNREACHED, Wake,
};

/// For each side the steps that lead into the tile over it, in the order of
/// [`Direction::ALL`], and the offset of each step's end along the border.
const INWARD: [[(Direction, i32); 3]; 4] = {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    [
        [(South, 0), (SouthEast, 1), (SouthWest, -1)],
        [(West, 0), (SouthWest, 1), (NorthWest, -1)],
        [(North, 0), (NorthEast, 1), (NorthWest, -1)],
        [(East, 0), (NorthEast, -1), (SouthEast, 1)],
    ]
};

const LAST: usize = SECTOR_SIDE as usize - 1;

/// Counts all values from a base that is lower by this much. Returns whether all
/// of them are still within the limit.
pub(super) fn lower_base(tiles: &mut [Borders], by: u32) -> bool {
    tiles
        .iter_mut()
        .flat_map(|tile| &mut tile.sides)
        .fold(true, |fits, side| {
            *side = SideValues::of(side.values.mapped(|value| match value {
                NO_PATH => NO_PATH,
                value => value + by,
            }));
            fits && side
                .values
                .iter()
                .all(|&value| value == NO_PATH || u64::from(value) < FAR_LIMIT)
        })
}

/// Settles a tile; returns the values that wake its neighbours, or `None` if one
/// of them exceeds the limit.
#[inline(always)]
pub(super) fn settle(
    tiles: &mut [Borders],
    flows: &mut [FlowTile],
    nine: &Nine<'_>,
    sources: &Sources,
    entries: Vec<(Slot, u64)>,
    index: u32,
    ring: &Ring,
) -> Option<Woken> {
    let mut borders = Borders::CLOSED;
    let mut seeds = seeds(sources, index);
    seeds.extend(entries.into_iter().map(|entry| seed(sources, entry)));
    let tile = Settling {
        halo: halo(tiles, ring),
        seeds: &seeds,
        flow: &mut flows[index as usize],
        borders: &mut borders,
    };
    let wake = run(nine, tile);
    if wake.equal != [0; 4] {
        prefer_first(tiles, flows, nine, index, ring, &borders, wake.equal);
    }
    tiles[index as usize] = borders;
    woken(&borders, wake, sources.base())
}

/// On ties, neighbour cells switch to the first direction in
/// [`Direction::ALL`].
///
/// A neighbour may have chosen its directions before this tile had its
/// values:
///
/// ```text
///   neighbour      5 ← 10       10 = 5 + 5 by a step west, found first
///  ────────────────────┼─────
///   this tile          5        10 = 5 + 5 by a step south, found now;
///                               South comes before West: 10 turns south
/// ```
///
/// Only cells next to border values that have changed are looked at. Ties of
/// the other cells were decided when those values were settled.
#[inline(never)]
fn prefer_first(
    tiles: &[Borders],
    flows: &mut [FlowTile],
    nine: &Nine<'_>,
    index: u32,
    ring: &Ring,
    borders: &Borders,
    equal: [u16; 4],
) {
    for (side, tied) in equal.into_iter().enumerate() {
        let before = &tiles[index as usize].sides[side].values;
        let now = &borders.sides[side].values;
        if tied == 0 || before == now {
            continue;
        }
        for (x, y) in Wake::cells(side, tied & beside(differences(before, now))) {
            let Some((neighbour, slot)) = cell_beside(ring, x, y) else {
                continue;
            };
            let along = if side % 2 == 0 { x } else { y };
            let facing = &tiles[neighbour as usize].sides[(side + 2) % 4];
            let value = facing.values[along.rem_euclid(SECTOR_SIDE) as usize];
            let flow = &mut flows[neighbour as usize][slot.index()];
            let first = INWARD[side].iter().find(|&&(direction, aside)| {
                // If the value in the tile is higher, the difference wraps to
                // a price that no step has.
                let inside = now.get((along + aside) as usize);
                let price = inside.map(|inside| value.wrapping_sub(*inside));
                Flow::of(*flow).is_behind(direction)
                    && price.is_some_and(|price| nine.allows(x, y, direction, price))
            });
            if let Some(&(direction, _)) = first {
                *flow = direction as u8;
            }
        }
    }
}

/// Gives a tile new directions over changed ground; see
/// [`patch`](mod@super::patch). Its border values stay as they were settled.
pub(super) fn patch(
    tiles: &[Borders],
    flow: &mut FlowTile,
    nine: &Nine<'_>,
    sources: &Sources,
    exits: Vec<(Slot, u64)>,
    index: u32,
    ring: &Ring,
) {
    let mut seeds = seeds(sources, index);
    seeds.retain(|seed| !nine.is_wall(seed.slot.x(), seed.slot.y()));
    let own = &tiles[index as usize];
    let mut entered = seeds.clone();
    entered.extend(exits.into_iter().map(|exit| seed(sources, exit)));
    let ahead = ValuesAround::of(nine, &halo(tiles, ring), own, &entered);
    let tile = Settling {
        halo: ahead.halo(),
        seeds: &seeds,
        flow,
        borders: &mut Borders::CLOSED.clone(),
    };
    run(nine, tile);
}

/// Returns the lowest value around a tile, or `None` if there is none.
pub(super) fn lowest_around(tiles: &[Borders], sources: &Sources, ring: &Ring) -> Option<u64> {
    match halo(tiles, ring).lowest() {
        NO_PATH => None,
        lowest => Some(sources.base() + u64::from(lowest)),
    }
}

/// The halo cells from which a step leads to one of these border cells, as bits.
/// Bit `i + 1` is the cell opposite border cell `i`, as in [`Wake`].
const fn beside(cells: u16) -> u16 {
    cells | cells << 1 | cells << 2
}

/// The positions at which two borders differ, as bits.
fn differences(one: &[u32; SECTOR_SIDE as usize], other: &[u32; SECTOR_SIDE as usize]) -> u16 {
    one.iter()
        .zip(other)
        .enumerate()
        .fold(0, |bits, (at, (one, other))| {
            bits | u16::from(one != other) << at
        })
}

/// Settles a tile with the kernel that its ground allows.
#[inline(always)]
fn run(nine: &Nine<'_>, tile: Settling<'_>) -> Wake {
    if let Some(cost) = nine.clear_cost() {
        kernel::settle(Ground::Clear(cost), tile)
    } else if let Some(cost) = nine.one_cost() {
        kernel::settle(Ground::Walls(&nine.walls(), cost), tile)
    } else {
        kernel::settle(Ground::Costs(&nine.costs()), tile)
    }
}

/// The neighbours' border cells that face a tile.
#[inline]
fn halo<'a>(tiles: &'a [Borders], ring: &Ring) -> Halo<'a> {
    let borders = |direction: Direction| tiles.get(ring[direction as usize] as usize);
    let side = |direction, facing: Direction| match borders(direction) {
        Some(borders) => &borders.sides[facing as usize],
        None => &CLOSED_SIDE,
    };
    let corner = |direction, facing: Direction, at: usize| match borders(direction) {
        Some(borders) => borders.sides[facing as usize].values[at],
        None => NO_PATH,
    };
    Halo {
        sides: [
            side(Direction::North, Direction::South),
            side(Direction::East, Direction::West),
            side(Direction::South, Direction::North),
            side(Direction::West, Direction::East),
        ],
        corners: [
            corner(Direction::NorthEast, Direction::South, 0),
            corner(Direction::SouthEast, Direction::North, 0),
            corner(Direction::SouthWest, Direction::North, LAST),
            corner(Direction::NorthWest, Direction::South, LAST),
        ],
    }
}

/// The goals of a tile, in the kernel's form.
#[inline]
fn seeds(sources: &Sources, index: u32) -> Vec<Seed> {
    sources
        .of(index)
        .iter()
        .map(|&(_, slot, value)| seed(sources, (slot, value)))
        .collect()
}

const fn seed(sources: &Sources, (slot, value): (Slot, u64)) -> Seed {
    Seed {
        slot,
        value: (value - sources.base()) as u32,
    }
}

/// For each neighbour with a cell that a step into the tile would improve, the
/// lowest border value that such a step may lead to. `None` if a value exceeds the
/// limit.
fn woken(borders: &Borders, wake: Wake, base: u64) -> Option<Woken> {
    let mut woken = [UNREACHED; 8];
    let lines = wake.better;
    for (side, line) in lines.into_iter().enumerate() {
        // A step leads straight in or to either side.
        let cells = line & BETWEEN;
        let cells = (cells << 1 | cells | cells >> 1) >> 1;
        woken[side] = lowest(&borders.sides[side], cells)?;
    }
    // The corners are the ends of the northern and the southern line.
    let ends = [
        (Direction::NorthEast, Direction::North, LAST),
        (Direction::SouthEast, Direction::South, LAST),
        (Direction::SouthWest, Direction::South, 0),
        (Direction::NorthWest, Direction::North, 0),
    ];
    for (corner, side, at) in ends {
        let bit = if at == 0 { 0 } else { SECTOR_SIDE + 1 };
        let cell = (lines[side as usize] >> bit & 1) << at;
        woken[corner as usize] = lowest(&borders.sides[side as usize], cell)?;
    }
    Some(woken.mapped(|value| match value {
        UNREACHED => UNREACHED,
        value => base + value,
    }))
}

/// The bits of the cells of a halo side without its corners.
const BETWEEN: u16 = ALL << 1;

/// The bits of all cells of a border.
const ALL: u16 = (1 << SECTOR_SIDE) - 1;

/// The lowest value of the cells whose bits are set; [`UNREACHED`] for none.
/// `None` if a value exceeds the limit.
fn lowest(side: &SideValues, mut cells: u16) -> Option<u64> {
    cells &= ALL;
    // Most often all of a border wakes, or none of it.
    let all_bits = || side.values.iter().fold(0, |bits, value| bits | value);
    if cells == ALL && u64::from(all_bits()) < FAR_LIMIT {
        return Some(side.lowest.into());
    }
    let mut lowest = UNREACHED;
    while cells != 0 {
        let value = side.values[cells.trailing_zeros() as usize];
        cells &= cells - 1;
        if value != NO_PATH {
            if u64::from(value) >= FAR_LIMIT {
                return None;
            }
            lowest = lowest.min(u64::from(value));
        }
    }
    Some(lowest)
}
