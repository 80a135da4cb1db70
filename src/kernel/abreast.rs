//! Many walks through one tile at once: a lane for each arrival.
//!
//! An arrival is the threshold at which walks end. Settling by rows is
//! sequential: each row depends on the one before. Here a vector holds one
//! *cell*, with a lane for each of up to sixteen walkers, and each walker has
//! its own arrival. Prices are the same for all walkers, so one pass over the
//! cells serves them all.
//!
//! ```text
//!   forward    from the four cells passed before:    NW  N  NE
//!                                                     W  ·
//!   backward   the other four, in reverse order:         ·  E
//!                                                    SW  S  SE
//! ```
//!
//! The walkers may be spread over two tiles, eight in each. Then the price of a
//! step is looked up by the set of tiles in which the step is legal.
//!
//! After a pass over a row its rule holds for all its cells, since each cell
//! has seen the cells before it. The row needs another pass only if a row it
//! reads from has changed; two sets of row bits mark these rows. When both sets
//! are empty, both rules hold for every cell.
//!
//! Lanes hold closeness as in [`row`](super::row).

use super::ground::{Costs, FRAME, Walls};
use super::halo::NO_PATH;
use super::lanes::{Bytes, TooFar, Words};
use super::row::{Lanes, Single, any_low};
use super::step::{DIAGONAL, STRAIGHT};
use super::threshold::Threshold;
use super::walkers::Eight;
use crate::arrays::{Mapped, array_of};
use crate::cost::Cost;
use crate::grid::Slot;

const CELLS: usize = FRAME * FRAME;
/// The bits of the tile's own rows or columns.
const INSIDE: u16 = 0x7FE;

/// The price of a step out of each cell, by the tiles in which it is legal, one
/// bit per tile. The price of an illegal step exceeds every closeness.
pub(super) trait WalkPrices<L> {
    fn straight(&self, cell: usize, open: usize) -> L;
    fn diagonal(&self, cell: usize, legal: usize) -> L;
}

/// Every step out of an open cell costs the same.
pub(super) struct OnePrice<L> {
    straight: [L; 4],
    diagonal: [L; 4],
}

/// The number of walkers in each of two tiles.
pub(super) const HALF: usize = 8;

impl OnePrice<Single> {
    /// Prices for walkers that are all in one tile.
    #[inline(always)]
    pub(super) fn in_one() -> Self {
        Self::by([u16::MAX, 0])
    }

    /// Prices for walkers in two tiles: the first [`HALF`] in one, the rest in
    /// the other.
    #[inline(always)]
    pub(super) fn in_two() -> Self {
        const FIRST: u16 = (1 << HALF) - 1;
        Self::by([FIRST, !FIRST])
    }

    /// Makes prices from the set of walkers in each tile.
    #[inline(always)]
    fn by(walkers: [u16; 2]) -> Self {
        let price = |weight: u32, open: usize| {
            let in_tile = |tile: usize| walkers[tile] * (open >> tile & 1) as u16;
            let free = Bytes::mask(in_tile(0) | in_tile(1));
            Single(
                free.and(Bytes::all(weight as u8))
                    .or(Bytes::all(255).without(free)),
            )
        };
        Self {
            straight: array_of(|open| price(STRAIGHT, open)),
            diagonal: array_of(|legal| price(DIAGONAL, legal)),
        }
    }
}

impl<L: Lanes> WalkPrices<L> for OnePrice<L> {
    #[inline(always)]
    fn straight(&self, _: usize, open: usize) -> L {
        self.straight[open]
    }

    #[inline(always)]
    fn diagonal(&self, _: usize, legal: usize) -> L {
        self.diagonal[legal]
    }
}

/// Every cell has its own prices, straight and diagonal.
pub(super) struct CellPrices<L> {
    cells: [(L, L); CELLS],
    /// Combined with a diagonal price: all bits if the step is illegal.
    cover: [L; 2],
}

impl CellPrices<Eight> {
    #[inline(always)]
    pub(super) fn new(costs: &Costs) -> Self {
        let forbidding = Words::all(i16::MAX);
        let mut cells = [(Eight(forbidding), Eight(forbidding)); CELLS];
        for y in 1..FRAME - 1 {
            for x in 1..FRAME - 1 {
                let cost = Words::all(i16::from(costs.0[y][x]));
                let wall = cost.equal(Words::all(Cost::WALL.value().into())).halved();
                let times = |weight: u32| Eight(cost.times(Words::all(weight as i16)).or(wall));
                cells[FRAME * y + x] = (times(STRAIGHT), times(DIAGONAL));
            }
        }
        Self {
            cells,
            cover: [Eight(forbidding), Eight(Words::all(0))],
        }
    }
}

impl<L: Lanes> WalkPrices<L> for CellPrices<L> {
    #[inline(always)]
    fn straight(&self, cell: usize, _: usize) -> L {
        self.cells[cell].0
    }

    #[inline(always)]
    fn diagonal(&self, cell: usize, legal: usize) -> L {
        self.cells[cell].1.or(self.cover[legal])
    }
}

/// The tiles in which each cell is open, and in which its upward diagonals are
/// legal. By row; each column has one bit per tile.
struct LegalSteps<const TILES: usize> {
    open: [u32; FRAME],
    north_east: [u32; FRAME],
    north_west: [u32; FRAME],
}

impl<const TILES: usize> LegalSteps<TILES> {
    #[inline(always)]
    fn new(walls: [&Walls; TILES]) -> Self {
        let open: [u32; FRAME] = array_of(|y| match y {
            0 | 11 => 0,
            _ => Self::by_column(walls.mapped(|walls| !walls.rows[y] & INSIDE)),
        });
        // A diagonal is legal if all four cells of its square are open.
        let pairs = open.mapped(|row| row & row >> TILES);
        let north_east: [u32; FRAME] = array_of(|y| pairs[y] & pairs[y.saturating_sub(1)]);
        Self {
            open,
            north_east,
            north_west: north_east.mapped(|row| row << TILES),
        }
    }

    /// Interleaves the rows of all tiles, column by column.
    #[inline(always)]
    fn by_column(rows: [u16; TILES]) -> u32 {
        if TILES == 1 {
            return u32::from(rows[0]);
        }
        rows.iter()
            .enumerate()
            .fold(0, |bits, (tile, &row)| bits | spread(row) << tile)
    }

    /// Returns the tiles set for column `x` of a row, one bit per tile.
    #[inline(always)]
    fn at(row: u32, x: usize) -> usize {
        (row >> (TILES * x)) as usize & ((1 << TILES) - 1)
    }
}

/// Inserts a zero bit after each bit.
#[inline(always)]
fn spread(row: u16) -> u32 {
    let mut bits = u32::from(row);
    for (shift, mask) in [
        (8, 0x00FF_00FF),
        (4, 0x0F0F_0F0F),
        (2, 0x3333_3333),
        (1, 0x5555_5555),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// A request for one tile: the costs from all of `from` to all of `to`. In
/// `out`, each arrival has `from.len()` entries.
pub(super) struct WalkRequest<'a> {
    pub(super) to: &'a [Threshold],
    pub(super) from: &'a [Threshold],
    pub(super) out: &'a mut [u32],
}

impl<'a> WalkRequest<'a> {
    /// A request that writes into `out`, where no pair is connected yet.
    pub(super) fn new(to: &'a [Threshold], from: &'a [Threshold], out: &'a mut Vec<u32>) -> Self {
        out.clear();
        out.resize(to.len() * from.len(), NO_PATH);
        Self { to, from, out }
    }

    /// Returns the same request, for one more method.
    pub(super) const fn again(&mut self) -> WalkRequest<'_> {
        WalkRequest {
            to: self.to,
            from: self.from,
            out: self.out,
        }
    }
}

/// Walks through one tile, as many arrivals at once as there are lanes.
#[inline(always)]
pub(super) fn walk_abreast<L: Lanes, P: WalkPrices<L>>(
    prices: &P,
    walls: &Walls,
    asked: WalkRequest<'_>,
) -> Result<(), TooFar> {
    let WalkRequest { to, from, out } = asked;
    let legal = LegalSteps::new([walls]);
    let out = out.chunks_mut(from.len() * L::COUNT);
    for (out, to) in out.zip(to.chunks(L::COUNT)) {
        let cells = walk(prices, &legal, to.iter().enumerate());
        if read(&cells, 0, from, out) && any_low(&cells) {
            return Err(TooFar);
        }
    }
    Ok(())
}

/// Walks through two tiles at once, with at most [`HALF`] arrivals in each.
#[inline(always)]
pub(super) fn walk_in_two<L: Lanes, P: WalkPrices<L>>(
    prices: &P,
    walls: [&Walls; 2],
    [first, second]: [WalkRequest<'_>; 2],
) -> Result<(), TooFar> {
    let legal = LegalSteps::new(walls);
    let others = (HALF..).zip(second.to);
    let cells = walk(prices, &legal, first.to.iter().enumerate().chain(others));
    let unjoined = read(&cells, 0, first.from, first.out);
    if (read(&cells, HALF, second.from, second.out) || unjoined) && any_low(&cells) {
        return Err(TooFar);
    }
    Ok(())
}

const fn cell_of(slot: Slot) -> usize {
    (slot.y() as usize + 1) * FRAME + slot.x() as usize + 1
}

/// Walks until both rules hold everywhere, each walker to its own threshold.
#[inline(always)]
fn walk<'a, L: Lanes, P: WalkPrices<L>, const TILES: usize>(
    prices: &P,
    legal: &LegalSteps<TILES>,
    to: impl Iterator<Item = (usize, &'a Threshold)>,
) -> [L; CELLS] {
    let mut cells = [L::all(0); CELLS];
    // The rows for which the forward rule may be broken, and the backward one.
    let (mut ahead, mut back) = (0_u16, 0_u16);
    for (walker, to) in to {
        for &(slot, price) in to.steps() {
            let cell = &mut cells[cell_of(slot)];
            *cell = cell.put(walker, (L::TOP - price) as i16);
            let y = slot.y() + 1;
            ahead |= 3 << y;
            back |= 3 << (y - 1);
        }
    }
    while (ahead | back) & INSIDE != 0 {
        for y in 1..FRAME - 1 {
            if ahead >> y & 1 == 1 {
                ahead &= !(1 << y);
                if forward(&mut cells, prices, legal, y) {
                    ahead |= 2 << y;
                    back |= 3 << (y - 1);
                }
            }
        }
        for y in (1..FRAME - 1).rev() {
            if back >> y & 1 == 1 {
                back &= !(1 << y);
                if backward(&mut cells, prices, legal, y) {
                    back |= 1 << (y - 1);
                    ahead |= 3 << y;
                }
            }
        }
    }
    cells
}

/// Passes over one row from west to east; returns whether a value changed.
#[inline(always)]
fn forward<L: Lanes, P: WalkPrices<L>, const TILES: usize>(
    cells: &mut [L; CELLS],
    prices: &P,
    legal: &LegalSteps<TILES>,
    y: usize,
) -> bool {
    let legal = [legal.open[y], legal.north_west[y], legal.north_east[y]];
    pass::<L, P, TILES>(cells, prices, legal, [y, y - 1], 1..FRAME - 1, 1)
}

/// Passes over one row from east to west; returns whether a value changed.
#[inline(always)]
fn backward<L: Lanes, P: WalkPrices<L>, const TILES: usize>(
    cells: &mut [L; CELLS],
    prices: &P,
    legal: &LegalSteps<TILES>,
    y: usize,
) -> bool {
    // A diagonal is legal both ways, so a cell's south-western diagonal is the
    // north-eastern diagonal of the cell at its other end.
    let south_west = legal.north_east[y + 1] << TILES;
    let south_east = legal.north_west[y + 1] >> TILES;
    let legal = [legal.open[y], south_east, south_west];
    pass::<L, P, TILES>(cells, prices, legal, [y, y + 1], (1..FRAME - 1).rev(), -1)
}

/// Passes over row `y`: each cell looks at the one passed before it, and at the
/// three next to it in the row `beside`. `legal` are the rows of the cells that are
/// open, and of those with a legal diagonal back and ahead. Returns whether a value
/// changed.
#[inline(always)]
fn pass<L: Lanes, P: WalkPrices<L>, const TILES: usize>(
    cells: &mut [L; CELLS],
    prices: &P,
    legal: [u32; 3],
    [y, beside]: [usize; 2],
    columns: impl Iterator<Item = usize> + Clone,
    ahead: isize,
) -> bool {
    let none = L::all(0);
    let (mut changed, mut before) = (none, none);
    let first = columns.clone().next().unwrap_or(0);
    let mut straight = cells[FRAME * beside + first];
    let mut back = cells[(FRAME * beside + first).wrapping_add_signed(-ahead)];
    for x in columns {
        let cell = FRAME * y + x;
        let next = cells[(FRAME * beside + x).wrapping_add_signed(ahead)];
        let [is_open, by_back, by_next] = legal.mapped(|row| LegalSteps::<TILES>::at(row, x));
        let old = cells[cell];
        let new = old
            .max(back.minus(prices.diagonal(cell, by_back)))
            .max(next.minus(prices.diagonal(cell, by_next)))
            .max(straight.max(before).minus(prices.straight(cell, is_open)));
        changed = changed.or(new.minus(old));
        cells[cell] = new;
        back = straight;
        straight = next;
        before = new;
    }
    changed.any()
}

/// Writes the costs that the walkers from `first` on have found; returns
/// whether any pair is not connected.
#[inline(always)]
fn read<L: Lanes>(cells: &[L; CELLS], first: usize, from: &[Threshold], out: &mut [u32]) -> bool {
    let mut unjoined = false;
    let count = from.len();
    for (index, from) in from.iter().enumerate() {
        let best = from
            .steps()
            .iter()
            .map(|&(slot, price)| cells[cell_of(slot)].minus(L::all(price as i16)))
            .fold(L::all(0), L::max);
        for (walker, out) in out.chunks_exact_mut(count).enumerate() {
            out[index] = match best.at(first + walker) {
                0 => NO_PATH,
                closeness => L::TOP - closeness as u32,
            };
            unjoined |= out[index] == NO_PATH;
        }
    }
    unjoined
}
