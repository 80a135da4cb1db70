//! The ground of a layer, as steering asks about it.
//!
//! A step asks several times for each unit whether a few cells around it are
//! free of walls, and nearly always they are. So the ground is kept as bits, a
//! cell each, in blocks of 64 × 64 that are read when a unit first comes there:
//!
//! ```text
//!   costs                          walls      other than 1
//!   1 1 1 1 4 4 #                  .......      ....111     A block has the 60 columns
//!   1 1 1 1 4 # #      ──►         .....11      ....111     and rows of its place and
//!   1 1 1 1 1 1 1                  .......      .......     the next four, so a small
//!                                                           box lies in one block.
//! ```
//!
//! Blocks hold as long as the [`Edition`] of the costs they were read from.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::cost::{Cost, CostMap, Edition};
use crate::grid::{Cell, CellRect, SECTOR_SIDE, Sector};
use crate::sight::{STRIP, SightGround};
use crate::vector::{Vector, cell_of};

/// The cells from one block to the next, along both axes.
const PITCH: i32 = 6 * SECTOR_SIDE;
const SIDE: usize = u64::BITS as usize;
// A strip of the map is one of the rows of squares in each of its blocks.
const _: () = assert!(PITCH % STRIP == 0);

/// The cells on each side of a unit's own that are looked at before it moves.
/// They are more than a usual unit reaches in a step, pushes included.
const OPEN_CELLS: i32 = 2;
const OPEN_SIDE: usize = 2 * OPEN_CELLS as usize + 1;
/// Slightly less than the distance to the end of these cells, for the rounding of
/// movements.
const OPEN: f32 = OPEN_CELLS as f32 - 0.01;

/// The costs of a layer, and bits of them if they are kept.
#[derive(Clone, Copy)]
pub(crate) struct LayerGround<'w> {
    pub(crate) costs: &'w CostMap,
    bits: Option<&'w GroundBits>,
}

impl<'w> LayerGround<'w> {
    /// The ground for a few questions, for which no bits are worth reading.
    pub(crate) const fn plain(costs: &'w CostMap) -> Self {
        Self { costs, bits: None }
    }

    /// The ground with bits of the same costs.
    pub(super) const fn with_bits(costs: &'w CostMap, bits: &'w GroundBits) -> Self {
        let bits = Some(bits);
        Self { costs, bits }
    }

    #[inline]
    pub(crate) fn is_wall(&self, cell: Cell) -> bool {
        match self.bits {
            Some(bits) => bits.has(self.costs, Bits::Walls, cell),
            None => !self.costs.is_open(cell),
        }
    }

    /// Returns the cells of a row that are walls or off the map, from west to east.
    #[inline]
    pub(super) fn walls_in_row(
        self,
        y: i32,
        columns: RangeInclusive<i32>,
    ) -> impl Iterator<Item = Cell> {
        let left = *columns.start();
        // PERF: among walls a row of a box around a unit is one word.
        let word = self.wall_word(y, left, *columns.end());
        let mut walls = word.unwrap_or(0);
        let known = std::iter::from_fn(move || {
            let x = left.wrapping_add(walls.trailing_zeros() as i32);
            let is_wall = walls != 0;
            walls &= walls.wrapping_sub(1);
            is_wall.then_some(x)
        });
        let cells = word.is_none().then_some(columns).into_iter().flatten();
        let found = cells.filter(move |&x| self.is_wall(Cell::new(x, y)));
        known.chain(found).map(move |x| Cell::new(x, y))
    }

    /// Returns the walls in a row from the column `left` to `right` as bits, if they lie in one
    /// block.
    #[inline]
    fn wall_word(self, y: i32, left: i32, right: i32) -> Option<u64> {
        let from = left % PITCH;
        let wide = right.wrapping_sub(left) as u32;
        if y < 0 || left < 0 || wide.saturating_add(from as u32) >= SIDE as u32 {
            return None;
        }
        let block = self.bits?.block(self.costs, Cell::new(left, y))?;
        let row = block.rows[Bits::Walls as usize][(y % PITCH) as usize];
        Some(row >> from & (2_u64 << wide).wrapping_sub(1))
    }

    /// Whether it is known, without a look at every cell, that no cell of a box
    /// is a wall or off the map.
    #[inline]
    pub(super) fn is_known_free(&self, [columns, rows]: &[RangeInclusive<i32>; 2]) -> bool {
        let low = Cell::new(*columns.start(), *rows.start());
        let high = Cell::new(*columns.end(), *rows.end());
        match self.bits {
            Some(bits) => !bits.any(self.costs, Bits::Walls, low, high),
            None => self.is_in_plain_sector(low, high),
        }
    }

    /// Returns the distance from a position within which all cells are known to
    /// be on the map and to cost 1: [`OPEN`], or 0.
    #[inline]
    pub(crate) fn open_around(&self, position: Vector) -> f32 {
        let Some(bits) = self.bits else {
            return 0.0;
        };
        let Cell { x, y } = cell_of(position);
        let corner = Cell::new(x.saturating_sub(OPEN_CELLS), y.saturating_sub(OPEN_CELLS));
        if bits.any_in_square::<OPEN_SIDE>(self.costs, Bits::Other, corner) {
            0.0
        } else {
            OPEN
        }
    }

    fn is_in_plain_sector(&self, low: Cell, high: Cell) -> bool {
        let sector = |cell: Cell| {
            let [x, y] = [cell.x, cell.y].map(|at| at.div_euclid(SECTOR_SIDE));
            self.costs.extent().sector_id(Sector::new(x, y))
        };
        let first = sector(low);
        first.is_some_and(|id| self.costs.tile(id).is_clear()) && first == sector(high)
    }
}

impl SightGround for LayerGround<'_> {
    #[inline]
    fn cost(&self, cell: Cell) -> Option<Cost> {
        match self.bits {
            Some(bits) if !bits.has(self.costs, Bits::Other, cell) => Some(Cost::OPEN),
            _ => self.costs.get(cell),
        }
    }

    #[inline]
    fn is_known_at_most(&self, highest: Cost, low: Cell, high: Cell) -> bool {
        match self.bits {
            Some(bits) if highest == Cost::OPEN => !bits.any(self.costs, Bits::Other, low, high),
            _ => self.costs.is_known_at_most(highest, low, high),
        }
    }

    #[inline]
    fn has_rows(&self, highest: Cost, low: Cell, high: Cell) -> bool {
        let on_map = [low, high]
            .iter()
            .all(|&cell| self.costs.extent().contains(cell));
        self.bits.is_some() && highest == Cost::OPEN && on_map
    }

    #[inline]
    fn is_strip_known_open(&self, [low, high]: [Cell; 2]) -> bool {
        let Some(bits) = self.bits else {
            return false;
        };
        let Cell { mut x, y } = low;
        while x <= high.x {
            let Some(block) = bits.block(self.costs, Cell::new(x, y)) else {
                return false;
            };
            let from = x % PITCH;
            let wide = (high.x - x).min(PITCH - 1 - from);
            let squares = (2_u32 << ((from + wide) / STRIP)) - (1 << (from / STRIP));
            if u32::from(block.squares[(y % PITCH / STRIP) as usize]) & squares != 0 {
                return false;
            }
            x += wide + 1;
        }
        true
    }

    #[inline]
    fn any_in_row(&self, [low, high]: [Cell; 2], mut blocks: impl FnMut(Cell) -> bool) -> bool {
        let Some(bits) = self.bits else {
            return true;
        };
        let Cell { mut x, y } = low;
        while x <= high.x {
            let Some(block) = bits.block(self.costs, Cell::new(x, y)) else {
                return true;
            };
            let from = x % PITCH;
            let wide = (high.x - x).min(SIDE as i32 - 1 - from);
            let row = block.rows[Bits::Other as usize][(y % PITCH) as usize];
            let mut others = row >> from & (2_u64 << wide).wrapping_sub(1);
            while others != 0 {
                if blocks(Cell::new(x + others.trailing_zeros() as i32, y)) {
                    return true;
                }
                others &= others - 1;
            }
            x += wide + 1;
        }
        false
    }
}

#[derive(Clone, Copy)]
enum Bits {
    /// Set for walls.
    Walls,
    /// Set for cells that cost other than 1.
    Other,
}

/// The bits of a map, as far as they were asked for.
pub(super) struct GroundBits {
    edition: Edition,
    columns: u32,
    /// Each is read when it is first asked for, by whichever thread comes first.
    blocks: Vec<OnceLock<Box<GroundBlock>>>,
}

/// The bits of 64 rows, of both kinds; a cell's bit is that of its column.
struct GroundBlock {
    rows: [[u64; SIDE]; 2],
    /// A bit for each square of [`STRIP`] cells a side: whether one of them costs other than 1.
    squares: [u16; SIDE / STRIP as usize],
    /// Whether any bit of a kind is set: in most blocks of open ground none is.
    any: [bool; 2],
}

impl GroundBlock {
    /// Whether any bit is set in a box that begins at a column and a row; its last column and row
    /// are so many beyond.
    #[inline]
    fn any(&self, kind: Bits, [left, top]: [u32; 2], [wide, tall]: [u32; 2]) -> bool {
        let columns = (2_u64 << wide).wrapping_sub(1) << left;
        let rows = &self.rows[kind as usize][top as usize..=(top + tall) as usize];
        self.any[kind as usize] && rows.iter().fold(0, |bits, row| bits | row) & columns != 0
    }
}

impl GroundBits {
    pub(super) fn new(costs: &CostMap) -> Self {
        let [columns, rows] =
            [costs.width(), costs.height()].map(|side| side.div_ceil(PITCH as u32));
        let blocks = columns as usize * rows as usize;
        Self {
            edition: costs.edition().clone(),
            columns,
            blocks: (0..blocks).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Whether these are the bits of some costs as they are now.
    pub(super) fn are_of(&self, costs: &CostMap) -> bool {
        self.edition.is(costs.edition())
    }

    /// Whether any bit is set in the box between two cells.
    #[inline]
    fn any(&self, costs: &CostMap, kind: Bits, low: Cell, high: Cell) -> bool {
        if low.x < 0 || low.y < 0 {
            return true;
        }
        let (left, top) = (low.x as u32 % PITCH as u32, low.y as u32 % PITCH as u32);
        // An empty box gives numbers that lie in no block.
        let wide = high.x.wrapping_sub(low.x) as u32;
        let tall = high.y.wrapping_sub(low.y) as u32;
        if wide.saturating_add(left) >= SIDE as u32 || tall.saturating_add(top) >= SIDE as u32 {
            return self.any_in_several(costs, kind, low, high);
        }
        let block = self.block(costs, low);
        block.is_none_or(|block| block.any(kind, [left, top], [wide, tall]))
    }

    /// The same for one cell.
    #[inline]
    fn has(&self, costs: &CostMap, kind: Bits, cell: Cell) -> bool {
        if cell.x < 0 || cell.y < 0 {
            return true;
        }
        let [column, row] = [cell.x, cell.y].map(|at| at as u32 % PITCH as u32);
        let block = self.block(costs, cell);
        block.is_none_or(|block| block.rows[kind as usize][row as usize] >> column & 1 == 1)
    }

    /// Whether any bit is set in a square whose north-west cell is `corner`. It is
    /// small, so it lies in one block.
    #[inline]
    fn any_in_square<const N: usize>(&self, costs: &CostMap, kind: Bits, corner: Cell) -> bool {
        const { assert!(N + PITCH as usize <= SIDE + 1) };
        if corner.x < 0 || corner.y < 0 {
            return true;
        }
        let (left, top) = (
            corner.x as usize % PITCH as usize,
            corner.y as usize % PITCH as usize,
        );
        let rows = self
            .block(costs, corner)
            .map(|block| &block.rows[kind as usize][top..]);
        let Some(rows) = rows.and_then(|rows| rows.first_chunk::<N>()) else {
            return true;
        };
        let bits = rows.iter().fold(0, |bits, row| bits | row);
        bits >> left & ((1 << N) - 1) != 0
    }

    /// The same as [`any`](Self::any) for a box that does not lie in one block.
    #[cold]
    fn any_in_several(&self, costs: &CostMap, kind: Bits, low: Cell, high: Cell) -> bool {
        // The last cell of the block under a cell.
        let last = |at: i32| {
            (at / PITCH)
                .saturating_mul(PITCH)
                .saturating_add(SIDE as i32 - 1)
        };
        let mut y = low.y;
        while y <= high.y {
            let bottom = last(y).min(high.y);
            let mut x = low.x;
            while x <= high.x {
                let right = last(x).min(high.x);
                let Some(block) = self.block(costs, Cell::new(x, y)) else {
                    return true;
                };
                let corner = [x, y].map(|at| (at % PITCH) as u32);
                let size = [right - x, bottom - y].map(|side| side as u32);
                if block.any(kind, corner, size) {
                    return true;
                }
                x = right.saturating_add(1);
            }
            y = bottom.saturating_add(1);
        }
        false
    }

    /// Returns the block of a cell that is not west or north of the map.
    #[inline]
    fn block(&self, costs: &CostMap, cell: Cell) -> Option<&GroundBlock> {
        let (column, row) = (cell.x as u32 / PITCH as u32, cell.y as u32 / PITCH as u32);
        if column >= self.columns {
            return None;
        }
        let place = row as usize * self.columns as usize + column as usize;
        let block = self.blocks.get(place)?;
        Some(block.get_or_init(|| read_block(costs, column, row)))
    }
}

#[cold]
fn read_block(costs: &CostMap, column: u32, row: u32) -> Box<GroundBlock> {
    let corner = Cell::new(column as i32 * PITCH, row as i32 * PITCH);
    let map = CellRect::new(0, 0, costs.width(), costs.height());
    let area = CellRect::new(corner.x, corner.y, SIDE as u32, SIDE as u32).intersection(map);
    let mut kinds = [[!0; SIDE]; 2];
    let off_map = (!0_u64).checked_shl(area.width).unwrap_or(0);
    for rows in kinds.iter_mut() {
        rows[..area.height as usize].fill(off_map);
    }
    for sector in costs.extent().sectors_of(area) {
        if costs.is_open_ground(sector) {
            continue;
        }
        let tile = costs.tile(sector);
        let origin = costs.extent().origin(sector);
        let first = (origin.y - corner.y) as usize;
        let lines = tile.costs().chunks_exact(SECTOR_SIDE as usize).enumerate();
        // The block ends inside its last sectors.
        for (y, line) in lines.take(SIDE - first) {
            let other = (0..).zip(line).fold(0_u64, |bits, (x, &cost)| {
                bits | u64::from(cost != Cost::OPEN.value()) << x
            });
            let walls = u64::from(tile.walls().rows[y]);
            for (rows, bits) in kinds.iter_mut().zip([walls, other]) {
                rows[first + y] |= bits << (origin.x - corner.x);
            }
        }
    }
    let any = [0, 1].map(|kind| kinds[kind].iter().any(|&row| row != 0));
    let mut squares = [0; SIDE / STRIP as usize];
    for (at, row) in kinds[Bits::Other as usize].iter().enumerate() {
        let bits = (0..squares.len()).map(|square| {
            let cells = row >> (square * STRIP as usize) & ((1 << STRIP) - 1);
            u16::from(cells != 0) << square
        });
        squares[at / STRIP as usize] |= bits.fold(0, |all, bit| all | bit);
    }
    Box::new(GroundBlock {
        rows: kinds,
        squares,
        any,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;
    use crate::sight::Sight;

    /// Must equal a scan of every cell.
    #[test]
    fn bits_are_those_of_the_costs_wherever_a_box_lies() {
        let mut below = draws(4);
        let mut free = [0, 0];
        let mut boxes = 0;
        for [width, height] in [[190, 131], [60, 64], [7, 3], [121, 200]] {
            let mut costs = CostMap::open(width, height).unwrap();
            for _ in 0..width * height / 40 {
                let cell = Cell::new(below(width) as i32, below(height) as i32);
                let cost = [Cost::WALL, Cost::new(7).unwrap()][below(2) as usize];
                costs.edit(cell, cost).unwrap();
            }
            let bits = GroundBits::new(&costs);
            let ground = LayerGround::with_bits(&costs, &bits);
            let plain = LayerGround::plain(&costs);
            for _ in 0..4_000 {
                let most = [3, 3, 12, 90][below(4) as usize];
                let low = [width, height].map(|side| below(side + 6) as i32 - 3);
                let high = low.map(|low| low + below(most) as i32);
                let spans = [0, 1].map(|axis| low[axis]..=high[axis]);
                let [low, high] = [low, high].map(|[x, y]| Cell::new(x, y));
                let rows = low.y..=high.y;
                let cells = || {
                    rows.clone()
                        .flat_map(|y| (low.x..=high.x).map(move |x| Cell::new(x, y)))
                };
                let walls = cells().any(|cell| plain.is_wall(cell));
                let other = cells().any(|cell| costs.get(cell) != Some(Cost::OPEN));
                let is_open = |on: LayerGround<'_>| on.is_known_at_most(Cost::OPEN, low, high);
                assert_eq!(ground.is_known_free(&spans), !walls, "{low} {high}");
                assert_eq!(is_open(ground), !other, "{low} {high}");
                assert!(!(plain.is_known_free(&spans) && walls), "{low} {high}");
                assert!(!(is_open(plain) && other), "{low} {high}");
                assert_eq!(ground.is_wall(low), plain.is_wall(low), "{low}");
                for on in [ground, plain] {
                    let walls = rows
                        .clone()
                        .flat_map(|y| on.walls_in_row(y, low.x..=high.x));
                    assert!(walls.eq(cells().filter(|&cell| !costs.is_open(cell))));
                }
                assert_eq!(ground.cost(high), costs.get(high), "{high}");
                free[usize::from(walls)] += 1;
                boxes += 1;
            }
            costs.edit(Cell::new(1, 1), Cost::new(9).unwrap()).unwrap();
            assert!(!bits.are_of(&costs));
        }
        assert!(free.iter().all(|&count| count > boxes / 10), "{free:?}");
    }

    /// Lines of all lengths and slopes, from all places in a cell; over costs they go by columns.
    #[test]
    fn sight_by_rows_is_sight_by_columns() {
        let mut below = draws(7);
        let mut seen = [0, 0];
        for part in [3, 12, 60, 400] {
            let [width, height] = [230, 140];
            let mut costs = CostMap::open(width, height).unwrap();
            for _ in 0..width * height / part {
                let cell = Cell::new(below(width) as i32, below(height) as i32);
                let cost = [Cost::WALL, Cost::new(7).unwrap()][below(2) as usize];
                costs.edit(cell, cost).unwrap();
            }
            let bits = GroundBits::new(&costs);
            let ground = LayerGround::with_bits(&costs, &bits);
            for _ in 0..20_000 {
                let clearance = [0, 1, 81, 127, 300][below(5) as usize];
                let sight = Sight {
                    clearance,
                    highest: Cost::OPEN,
                };
                let mut from = [width, height].map(|side| below(side * 256) as i32);
                let near = [300, 3_000, 60_000][below(3) as usize];
                let mut to = from.map(|at| at + below(2 * near) as i32 - near as i32);
                // Some just touch a row or column of cells, go along one, or are a point.
                let touch = |at: i32| at / 256 * 256 + clearance;
                match below(8) {
                    0 => (from, to) = (from.map(touch), to.map(touch)),
                    1 => (from[1], to) = (touch(from[1]), [touch(to[0]), touch(from[1])]),
                    2 => (from[0], to) = (touch(from[0]), [touch(from[0]), touch(to[1])]),
                    3 => (from, to) = (from.map(touch), from.map(touch)),
                    _ => {}
                }
                let by_columns = sight.over(&costs, from, to);
                assert_eq!(sight.wary(&ground, from, to), sight.wary(&costs, from, to));
                assert_eq!(
                    sight.over(&ground, from, to),
                    by_columns,
                    "{sight:?} {from:?} {to:?}"
                );
                seen[usize::from(by_columns)] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 8_000), "{seen:?}");
        // A line over 1,600 rows, as far from the true one as any, and a wall that it touches.
        let mut costs = CostMap::open(1_810, 1_605).unwrap();
        costs.edit(Cell::new(1_688, 1_463), Cost::WALL).unwrap();
        let bits = GroundBits::new(&costs);
        let ground = LayerGround::with_bits(&costs, &bits);
        let (clearance, highest) = (77, Cost::OPEN);
        let sight = Sight { clearance, highest };
        let [from, to] = [[462_176, 64], [429_696, 409_728]];
        assert!(!sight.over(&ground, from, to) && !sight.over(&costs, from, to));
    }
}
