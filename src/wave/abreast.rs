//! Many walks through one tile at once, a lane for each arrival.
//!
//! Settling by rows has to wait: each row for the one before. Here a vector
//! holds one *cell*, as up to sixteen walkers see it, each with an arrival of
//! its own. Their prices are the same, so one pass over the cells moves all.
//!
//! ```text
//!   forward    from the four cells passed before:    NW  N  NE
//!                                                     W  ·
//!   backward   the other four, in reverse order:         ·  E
//!                                                    SW  S  SE
//! ```
//!
//! A row passed over is closed under its own rule, since each of its cells has
//! seen those before it. It need be passed over again only if a row that it
//! takes from has changed; two sets of row bits say which have to. When both
//! sets are empty every rule holds for every cell.
//!
//! Lanes hold closeness as in [`row`](super::row).

use std::array::from_fn;

use super::ground::{Costs, FRAME, Walls};
use super::halo::NO_WAY;
use super::lanes::{Bytes, Words};
use super::row::{Pair, Row, Single};
use super::settle::TooFar;
use super::step::{DIAGONAL, STRAIGHT};
use super::walks::Threshold;
use crate::cost::Cost;
use crate::grid::Slot;

const CELLS: usize = FRAME * FRAME;
/// The bits of the tile's own rows, and of its columns.
const INSIDE: u16 = 0x7FE;

/// One cell as all walkers see it.
pub(super) trait Walkers: Copy {
    const COUNT: usize;
    const TOP: u32;
    fn all(closeness: i16) -> Self;
    fn minus(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Whether any lane is not 0.
    fn any(self) -> bool;
    /// Marks the lanes so low that a step from them may have been lost.
    fn low(self) -> Self;
    fn at(self, walker: usize) -> i16;
    fn put(self, walker: usize, closeness: i16) -> Self;
}

/// Sixteen walkers in bytes.
#[derive(Clone, Copy)]
pub(super) struct Sixteen<B>(B);

/// Eight walkers in words.
#[derive(Clone, Copy)]
pub(super) struct Eight<W>(W);

macro_rules! same_as_lanes {
    ($($name:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(self.0.$name(other.0))
        })*
    };
}

impl<B: Bytes> Walkers for Sixteen<B> {
    const COUNT: usize = 16;
    const TOP: u32 = Single::<B>::TOP;

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self(B::all(closeness as u8))
    }

    same_as_lanes! { minus, max, or, }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.equal(B::all(0)).bits() != u16::MAX
    }

    #[inline(always)]
    fn low(self) -> Self {
        let none = B::all(0);
        let low = self.0.minus(B::all(Single::<B>::LOW as u8)).equal(none);
        Self(low.without(self.0.equal(none)))
    }

    #[inline(always)]
    fn at(self, walker: usize) -> i16 {
        i16::from(self.0.store()[walker])
    }

    #[inline(always)]
    fn put(self, walker: usize, closeness: i16) -> Self {
        let mut lanes = self.0.store();
        lanes[walker] = closeness as u8;
        Self(B::load(&lanes))
    }
}

impl<W: Words> Walkers for Eight<W> {
    const COUNT: usize = 8;
    const TOP: u32 = Pair::<W>::TOP;

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self(W::all(closeness))
    }

    same_as_lanes! { minus, max, or, }

    #[inline(always)]
    fn any(self) -> bool {
        let none = self.0.equal(W::all(0));
        none.pack(none).bits() != u16::MAX
    }

    #[inline(always)]
    fn low(self) -> Self {
        let high = self.0.above(W::all(Pair::<W>::LOW));
        Self(self.0.above(W::all(0)).without(high))
    }

    #[inline(always)]
    fn at(self, walker: usize) -> i16 {
        self.0.store()[walker]
    }

    #[inline(always)]
    fn put(self, walker: usize, closeness: i16) -> Self {
        let mut lanes = self.0.store();
        lanes[walker] = closeness;
        Self(W::load(&lanes))
    }
}

/// What a step out of each cell costs, the same for all walkers. A step that
/// may not be taken costs more than anyone has.
pub(super) trait WalkPrices<L> {
    fn straight(&self, cell: usize, open: bool) -> L;
    fn diagonal(&self, cell: usize, legal: bool) -> L;
}

/// Every step out of an open cell costs the same.
pub(super) struct OnePrice<L> {
    straight: [L; 2],
    diagonal: [L; 2],
}

impl<B: Bytes> OnePrice<Sixteen<B>> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let price = |weight: u32| Sixteen(B::all(weight as u8));
        let forbidding = price(u8::MAX.into());
        Self {
            straight: [forbidding, price(STRAIGHT)],
            diagonal: [forbidding, price(DIAGONAL)],
        }
    }
}

impl<L: Walkers> WalkPrices<L> for OnePrice<L> {
    #[inline(always)]
    fn straight(&self, _: usize, open: bool) -> L {
        self.straight[usize::from(open)]
    }

    #[inline(always)]
    fn diagonal(&self, _: usize, legal: bool) -> L {
        self.diagonal[usize::from(legal)]
    }
}

/// Every cell has its own prices, straight and diagonal.
pub(super) struct CellPrices<L> {
    cells: [(L, L); CELLS],
    /// What is put over a diagonal price: all bits where it is not legal.
    cover: [L; 2],
}

impl<W: Words> CellPrices<Eight<W>> {
    #[inline(always)]
    pub(super) fn new(costs: &Costs) -> Self {
        let forbidding = W::all(i16::MAX);
        let mut cells = [(Eight(forbidding), Eight(forbidding)); CELLS];
        for y in 1..FRAME - 1 {
            for x in 1..FRAME - 1 {
                let cost = W::all(i16::from(costs.0[y][x]));
                let wall = cost.equal(W::all(Cost::WALL.value().into())).halved();
                let times = |weight: u32| Eight(cost.times(W::all(weight as i16)).or(wall));
                cells[FRAME * y + x] = (times(STRAIGHT), times(DIAGONAL));
            }
        }
        Self {
            cells,
            cover: [Eight(forbidding), Eight(W::all(0))],
        }
    }
}

impl<L: Walkers> WalkPrices<L> for CellPrices<L> {
    #[inline(always)]
    fn straight(&self, cell: usize, _: bool) -> L {
        self.cells[cell].0
    }

    #[inline(always)]
    fn diagonal(&self, cell: usize, legal: bool) -> L {
        self.cells[cell].1.or(self.cover[usize::from(legal)])
    }
}

/// Bit x of row y: whether the cell is open, and whether its diagonals upward
/// are legal.
struct Legal {
    open: [u16; FRAME],
    north_east: [u16; FRAME],
    north_west: [u16; FRAME],
}

impl Legal {
    #[inline(always)]
    fn new(walls: &Walls) -> Self {
        let open: [u16; FRAME] = from_fn(|y| match y {
            0 | 11 => 0,
            _ => !walls.rows[y] & INSIDE,
        });
        // A diagonal is legal if all four cells of its square are open.
        let pairs = open.map(|row| row & row >> 1);
        let north_east: [u16; FRAME] = from_fn(|y| pairs[y] & pairs[y.saturating_sub(1)]);
        Self {
            open,
            north_east,
            north_west: north_east.map(|row| row << 1),
        }
    }
}

/// The costs to all of `to` from all of `from`, `from.len()` for each arrival.
#[inline(always)]
pub(super) fn walk_abreast<L: Walkers, P: WalkPrices<L>>(
    prices: &P,
    walls: &Walls,
    to: &[Threshold],
    from: &[Slot],
    out: &mut [u32],
) -> Result<(), TooFar> {
    let legal = Legal::new(walls);
    let out = out.chunks_mut(from.len() * L::COUNT);
    for (out, to) in out.zip(to.chunks(L::COUNT)) {
        let cells = walk(prices, &legal, to);
        if read(&cells, from, out) && any_low(&cells) {
            return Err(TooFar);
        }
    }
    Ok(())
}

const fn cell_of(slot: Slot) -> usize {
    (slot.y() as usize + 1) * FRAME + slot.x() as usize + 1
}

/// Walks until no rule is broken.
#[inline(always)]
fn walk<L: Walkers, P: WalkPrices<L>>(prices: &P, legal: &Legal, to: &[Threshold]) -> [L; CELLS] {
    let mut cells = [L::all(0); CELLS];
    // The rows for which the forward rule may be broken, and the backward one.
    let (mut ahead, mut back) = (0_u16, 0_u16);
    for (walker, to) in to.iter().enumerate() {
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

/// Passes over one row from west to east; whether anything changed.
#[inline(always)]
fn forward<L: Walkers, P: WalkPrices<L>>(
    cells: &mut [L; CELLS],
    prices: &P,
    legal: &Legal,
    y: usize,
) -> bool {
    let mut changed = L::all(0);
    let (open, north_west, north_east) = (legal.open[y], legal.north_west[y], legal.north_east[y]);
    let (mut nw, mut n, mut w) = (cells[FRAME * (y - 1)], cells[FRAME * (y - 1) + 1], changed);
    for x in 1..FRAME - 1 {
        let cell = FRAME * y + x;
        let ne = cells[cell + 1 - FRAME];
        let by_west = nw.minus(prices.diagonal(cell, north_west >> x & 1 == 1));
        let by_east = ne.minus(prices.diagonal(cell, north_east >> x & 1 == 1));
        let straight = n.max(w).minus(prices.straight(cell, open >> x & 1 == 1));
        let old = cells[cell];
        let new = old.max(by_west.max(by_east)).max(straight);
        changed = changed.or(new.minus(old));
        cells[cell] = new;
        (nw, n, w) = (n, ne, new);
    }
    changed.any()
}

/// Passes over one row from east to west; whether anything changed.
#[inline(always)]
fn backward<L: Walkers, P: WalkPrices<L>>(
    cells: &mut [L; CELLS],
    prices: &P,
    legal: &Legal,
    y: usize,
) -> bool {
    let mut changed = L::all(0);
    // A diagonal is legal both ways, so the one to the south-west is that to
    // the north-east of the cell there.
    let south_west = legal.north_east[y + 1] << 1;
    let south_east = legal.north_west[y + 1] >> 1;
    let open = legal.open[y];
    let last = FRAME * (y + 2) - 1;
    let (mut se, mut s, mut e) = (cells[last], cells[last - 1], changed);
    for x in (1..FRAME - 1).rev() {
        let cell = FRAME * y + x;
        let sw = cells[cell + FRAME - 1];
        let by_west = sw.minus(prices.diagonal(cell, south_west >> x & 1 == 1));
        let by_east = se.minus(prices.diagonal(cell, south_east >> x & 1 == 1));
        let straight = s.max(e).minus(prices.straight(cell, open >> x & 1 == 1));
        let old = cells[cell];
        let new = old.max(by_west.max(by_east)).max(straight);
        changed = changed.or(new.minus(old));
        cells[cell] = new;
        (se, s, e) = (s, sw, new);
    }
    changed.any()
}

/// Writes the costs; whether any pair was not joined.
#[inline(always)]
fn read<L: Walkers>(cells: &[L; CELLS], from: &[Slot], out: &mut [u32]) -> bool {
    let mut unjoined = false;
    for (place, &slot) in from.iter().enumerate() {
        let cell = cells[cell_of(slot)];
        for (walker, out) in out.chunks_exact_mut(from.len()).enumerate() {
            out[place] = match cell.at(walker) {
                0 => NO_WAY,
                closeness => L::TOP - closeness as u32,
            };
            unjoined |= out[place] == NO_WAY;
        }
    }
    unjoined
}

#[inline(always)]
fn any_low<L: Walkers>(cells: &[L; CELLS]) -> bool {
    cells
        .iter()
        .fold(L::all(0), |low, cell| low.or(cell.low()))
        .any()
}
