//! One row of the frame as vectors.
//!
//! A lane holds a cell's *closeness*: `top − value`, where `top` is a whole
//! range above the lowest value around the tile. A nearer cell has a higher
//! closeness. An unreached cell has 0: shifts fill free lanes with 0, and
//! saturating subtraction stops there. So a step is a subtraction, the better
//! of two paths is a maximum, and neither needs a test.
//!
//! ```text
//!   values      17  12   7  unreached   base 7, top 7 + 254 = 261
//!   closeness  244 249 254          0
//! ```
//!
//! There are two layouts. [`Single`] is one vector of bytes, one lane per
//! column, for values up to 253 above the lowest. [`Pair`] is two vectors of
//! words, one for the even columns and one for the odd, for values up to 32,765
//! above the lowest.
//!
//! ```text
//!   Single   | 0  1  2  3  4  5  6  7  8  9 10 11  -  -  -  - |
//!   Pair     | 0   2   4   6   8  10   -   - |   even
//!            | 1   3   5   7   9  11   -   - |   odd
//! ```
//!
//! In a pair the western neighbours of the odd columns are the even columns,
//! unshifted. So one shift gives all western neighbours, and one more all
//! eastern ones. Two halves side by side would take six shifts and a carry
//! each.
//!
//! PERF: all 16 bits in place of 15, by unsigned subtraction, cost 13–19 %
//! more, as SSE2 has no unsigned maximum of words.

use super::ground::FRAME;
use super::halo::{Halo, NO_PATH, SideValues};
use super::lanes::{Bytes, Words};
use super::step::{DIAGONAL, STRAIGHT};
use crate::arrays::{Mapped, array_of};
use crate::cost::Cost;

/// Set in the lanes outside the tile: the halo's at both ends, and unused
/// lanes.
pub(super) const OUTSIDE: [u8; 16] = {
    let mut lanes = [255; 16];
    let mut x = 1;
    while x < FRAME - 1 {
        lanes[x] = 0;
        x += 1;
    }
    lanes
};
/// Set in the tile's own lanes.
pub(super) const INSIDE: [u8; 16] = {
    let mut lanes = OUTSIDE;
    let mut lane = 0;
    while lane < 16 {
        lanes[lane] = !lanes[lane];
        lane += 1;
    }
    lanes
};

/// Lanes of closenesses, prices or masks.
pub(super) trait Lanes: Copy {
    const COUNT: usize;
    /// The closeness of the lowest value.
    const TOP: u32;
    /// The highest price of a legal step. From a cell whose closeness is at
    /// most this, a step may saturate to 0 and be lost.
    const LOW: i16;

    fn all(closeness: i16) -> Self;
    fn plus(self, other: Self) -> Self;
    /// May go below 0 in words; callers take the maximum with 0 or more next.
    fn minus(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Clears the bits that are set in `other`.
    fn without(self, other: Self) -> Self;
    /// Returns nonzero lanes where `self` is closer.
    fn above(self, other: Self) -> Self;
    /// Sets all bits of the lanes that are equal.
    fn equal(self, other: Self) -> Self;
    /// Whether any lane is not 0.
    fn any(self) -> bool;
    fn at(self, lane: usize) -> i16;
    fn put(self, lane: usize, closeness: i16) -> Self;
}

/// Whether any closeness is so low that a step from its cell may have been lost.
#[inline(always)]
pub(super) fn any_low<L: Lanes>(all: &[L]) -> bool {
    let none = L::all(0);
    let low = |lanes: &L| {
        let at_most = lanes.minus(L::all(L::LOW)).max(none).equal(none);
        at_most.without(lanes.equal(none))
    };
    all.iter().fold(none, |any, lanes| any.or(low(lanes))).any()
}

/// A row of twelve cells, a lane for each column.
pub(super) trait Row: Lanes {
    /// Sets all bits of the lanes in a mask, which is in the order of columns.
    fn from_mask(mask: Bytes) -> Self;
    /// Turns set lanes into a price that no closeness exceeds.
    fn forbidding(self) -> Self;

    /// Moves each cell's western neighbour into its lane.
    fn west(self) -> Self;
    fn east(self) -> Self;
    /// Moves into each lane the cell two to the west.
    fn west2(self) -> Self;
    fn east2(self) -> Self;

    /// Returns a mask of bytes where both are equal, in the layout's own order.
    fn matches(self, other: Self) -> Bytes;
    /// Reorders a mask from the layout's own order to that of the columns.
    fn by_column(bytes: Bytes) -> Bytes;

    /// Returns this row as the record of a border.
    fn side(self, top: u32) -> SideValues;
    /// Returns columns 1 and 10 of the frame.
    fn border_columns(rows: &[Self; FRAME]) -> (Self, Self);
    /// Returns a row with these closenesses in columns 0 and 11, and 0 elsewhere.
    // PERF: a byte written into a vector that lies in memory delays its next reading.
    fn ends(west: u32, east: u32) -> Self;
    /// Makes a frame of the halo's values. Inner cells are unreached, except
    /// that the first steps in from west and east may be taken already.
    fn gather(halo: &Halo<'_>, top: u32) -> Gathered<Self>;
}

/// A frame filled from the halo.
pub(super) struct Gathered<R> {
    pub(super) rows: [R; FRAME],
    /// The western halo again, as a line.
    pub(super) west: R,
    pub(super) east: R,
}

/// Adds the closeness of the halo's corners to a frame, 0 beyond the range.
#[inline(always)]
fn add_corners<R: Row>(rows: &mut [R; FRAME], halo: &Halo<'_>, top: u32) {
    let [ne, se, sw, nw] = halo
        .corners
        .mapped(|v| (top as i32 - v as i32).max(0) as u32);
    rows[0] = rows[0].or(R::ends(nw, ne));
    rows[FRAME - 1] = rows[FRAME - 1].or(R::ends(sw, se));
}

/// A row of bytes; see the module. `LOW` is the highest price of a legal step.
#[derive(Clone, Copy)]
pub(super) struct Single<const LOW: i16 = ONE>(pub(super) Bytes);

/// The highest price of a legal step on ground of cost 1.
const ONE: i16 = DIAGONAL as i16;

/// Defines the operations on rows that are one operation on the vector.
macro_rules! same_as_bytes {
    ($($name:ident: $operation:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(self.0.$operation(other.0))
        })*
    };
}

impl<const LOW: i16> Lanes for Single<LOW> {
    const COUNT: usize = 16;
    const TOP: u32 = 254;
    const LOW: i16 = LOW;

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self(Bytes::all(closeness as u8))
    }

    same_as_bytes! {
        plus: plus,
        minus: minus,
        max: max,
        and: and,
        or: or,
        without: without,
        above: minus,
        equal: equal,
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.any()
    }

    #[inline(always)]
    fn at(self, lane: usize) -> i16 {
        i16::from(self.0.store()[lane])
    }

    #[inline(always)]
    fn put(self, lane: usize, closeness: i16) -> Self {
        let mut lanes = self.0.store();
        lanes[lane] = closeness as u8;
        Self(Bytes::load(&lanes))
    }
}

impl<const LOW: i16> Row for Single<LOW> {
    #[inline(always)]
    fn from_mask(mask: Bytes) -> Self {
        Self(mask)
    }

    #[inline(always)]
    fn forbidding(self) -> Self {
        self
    }

    #[inline(always)]
    fn west(self) -> Self {
        Self(self.0.up::<1>())
    }

    #[inline(always)]
    fn east(self) -> Self {
        Self(self.0.down::<1>())
    }

    #[inline(always)]
    fn west2(self) -> Self {
        Self(self.0.up::<2>())
    }

    #[inline(always)]
    fn east2(self) -> Self {
        Self(self.0.down::<2>())
    }

    #[inline(always)]
    fn matches(self, other: Self) -> Bytes {
        self.0.equal(other.0)
    }

    #[inline(always)]
    fn by_column(bytes: Bytes) -> Bytes {
        bytes
    }

    #[inline(always)]
    fn side(self, top: u32) -> SideValues {
        let inside = self.0.and(Bytes::load(&INSIDE));
        let best = inside.max(inside.down::<8>());
        let best = best.max(best.down::<4>());
        let best = best.max(best.down::<2>());
        let best = best.max(best.down::<1>());
        let lowest = match best.store()[0] {
            0 => NO_PATH,
            best => top - u32::from(best),
        };
        let values = self.0.under(top);
        SideValues::new(array_of(|i| values[i + 1]), lowest)
    }

    #[inline(always)]
    fn border_columns(rows: &[Self; FRAME]) -> (Self, Self) {
        let [_, west, east, _] = outer_columns(&rows.mapped(|row| row.0));
        (Self(west), Self(east))
    }

    #[inline(always)]
    fn ends(west: u32, east: u32) -> Self {
        Self(Bytes::of_numbers([west, 0, east << 24, 0]))
    }

    /// On ground of cost 1 the price of a step in from the west or east is known here, and
    /// both of its cells are written together. On other ground the second stays unreached.
    #[inline(always)]
    fn gather(halo: &Halo<'_>, top: u32) -> Gathered<Self> {
        let zero = Bytes::all(0);
        let line = |side: &SideValues| {
            Bytes::below(top, side.lanes())
                .up::<1>()
                .and(Bytes::load(&INSIDE))
        };
        // PERF: called by `map`, it may stay a call.
        let [north, east, south, west] = halo.sides;
        let [north, east, south, west] = [line(north), line(east), line(south), line(west)];
        let straight = Bytes::all(if LOW == ONE { STRAIGHT as u8 } else { u8::MAX });
        // Per row two bytes: columns 0 and 1, and columns 10 and 11.
        let (west_low, west_high) = west.zip8(west.minus(straight));
        let (east_low, east_high) = east.minus(straight).zip8(east);
        let wests = [
            west_low.zip16(zero).0,
            west_low.zip16(zero).1,
            west_high.zip16(zero).0,
        ];
        let easts = [
            zero.zip16(east_low).0,
            zero.zip16(east_low).1,
            zero.zip16(east_high).0,
        ];
        let mut rows = [Self(zero); FRAME];
        for (at, four) in rows.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let (west_01, west_23) = wests[at].zip32(zero);
            let (east_01, east_23) = easts[at].zip32(zero);
            (four[0].0, four[1].0) = west_01.zip64(east_01);
            (four[2].0, four[3].0) = west_23.zip64(east_23);
        }
        rows[0] = Self(north);
        rows[FRAME - 1] = Self(south);
        add_corners(&mut rows, halo, top);
        Gathered {
            rows,
            west: Self(west),
            east: Self(east),
        }
    }
}

/// Returns columns 0, 1, 10 and 11 of a frame, each as a line of twelve.
#[inline(always)]
pub(super) fn outer_columns(rows: &[Bytes; FRAME]) -> [Bytes; 4] {
    let zero = Bytes::all(0);
    let twos: [(Bytes, Bytes); 6] = array_of(|i| rows[2 * i].zip16(rows[2 * i + 1]));
    // Pairs of bytes: columns 0 and 1 of rows 0 to 7, and of rows 8 to 11;
    // below, columns 10 and 11.
    let four = |i: usize| twos[i].0.zip32(twos[i + 1].0).0;
    let west = four(0).zip64(four(2)).0;
    let west_rest = four(4).zip64(zero).0;
    let four = |i: usize| twos[i].1.zip32(twos[i + 1].1).0;
    let east = four(0).zip64(four(2)).1;
    let east_rest = four(4).zip64(zero).1;
    [
        west.evens(west_rest),
        west.odds(west_rest),
        east.evens(east_rest),
        east.odds(east_rest),
    ]
}

/// A row of words; see the module.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) even: Words,
    pub(super) odd: Words,
}

impl Pair {
    #[inline(always)]
    pub(super) fn both(&self, of: impl Fn(Words) -> Words) -> Self {
        Self {
            even: of(self.even),
            odd: of(self.odd),
        }
    }

    #[inline(always)]
    pub(super) fn of_bytes(bytes: Bytes) -> Self {
        Self {
            even: Words::evens(bytes),
            odd: Words::odds(bytes),
        }
    }
}

/// Defines the operations that act on each of two halves.
macro_rules! same_as_words {
    ($($name:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self {
                even: self.even.$name(other.even),
                odd: self.odd.$name(other.odd),
            }
        })*
    };
}

impl Lanes for Pair {
    const COUNT: usize = 16;
    const TOP: u32 = i16::MAX as u32 - 1;
    const LOW: i16 = DIAGONAL as i16 * (Cost::WALL.value() as i16 - 1);

    #[inline(always)]
    fn all(closeness: i16) -> Self {
        Self {
            even: Words::all(closeness),
            odd: Words::all(closeness),
        }
    }

    same_as_words! { plus, minus, max, and, or, without, above, equal, }

    #[inline(always)]
    fn any(self) -> bool {
        let none = self.even.or(self.odd).equal(Words::all(0));
        none.pack(none).bits() != u16::MAX
    }

    #[inline(always)]
    fn at(self, x: usize) -> i16 {
        [self.even, self.odd][x % 2].store()[x / 2]
    }

    #[inline(always)]
    fn put(self, x: usize, closeness: i16) -> Self {
        let mut halves = [self.even.store(), self.odd.store()];
        halves[x % 2][x / 2] = closeness;
        let [even, odd] = halves.each_ref().mapped(Words::load);
        Self { even, odd }
    }
}

impl Row for Pair {
    #[inline(always)]
    fn from_mask(mask: Bytes) -> Self {
        Self::of_bytes(mask).equal(Self::all(255))
    }

    #[inline(always)]
    fn forbidding(self) -> Self {
        self.both(Words::halved)
    }

    #[inline(always)]
    fn west(self) -> Self {
        Self {
            even: self.odd.up(),
            odd: self.even,
        }
    }

    #[inline(always)]
    fn east(self) -> Self {
        Self {
            even: self.odd,
            odd: self.even.down(),
        }
    }

    #[inline(always)]
    fn west2(self) -> Self {
        self.both(Words::up)
    }

    #[inline(always)]
    fn east2(self) -> Self {
        self.both(Words::down)
    }

    #[inline(always)]
    fn matches(self, other: Self) -> Bytes {
        self.even.equal(other.even).pack(self.odd.equal(other.odd))
    }

    #[inline(always)]
    fn by_column(bytes: Bytes) -> Bytes {
        bytes.zip8(bytes.down::<8>()).0
    }

    #[inline(always)]
    fn side(self, top: u32) -> SideValues {
        let inside = self.and(Self::from_mask(Bytes::load(&INSIDE)));
        let best = inside.even.max(inside.odd).store();
        let best = best[..6].iter().fold(0, |best, &lane| best.max(lane));
        let value = |closeness: i16| match closeness {
            0 => NO_PATH,
            closeness => top - closeness as u32,
        };
        let (even, odd) = (self.even.store(), self.odd.store());
        let closeness = |x: usize| [even, odd][x % 2][x / 2];
        SideValues::new(array_of(|i| value(closeness(i + 1))), value(best))
    }

    #[inline(always)]
    fn border_columns(rows: &[Self; FRAME]) -> (Self, Self) {
        let zero = Bytes::all(0);
        // Column 1 is word 0 of the odd halves, column 10 is word 5 of the even ones.
        let line = |first: usize, half: fn(&Self) -> Words| {
            let word = |y: usize| half(&rows[first + y]).as_bytes();
            let twos: [_; 3] = array_of(|i| word(4 * i).zip16(word(4 * i + 2)));
            let fours = |[a, b, c]: [Bytes; 3]| a.zip32(b).0.zip64(c.zip32(zero).0);
            let (low, high) = (twos.mapped(|two| two.0), twos.mapped(|two| two.1));
            (
                Words::of_bytes(fours(low).0),
                Words::of_bytes(fours(high).1),
            )
        };
        let column = |half: fn(&Self) -> Words| [line(0, half), line(1, half)];
        let [(even, _), (odd, _)] = column(|row| row.odd);
        let west = Self { even, odd };
        let [(_, even), (_, odd)] = column(|row| row.even);
        (west, Self { even, odd })
    }

    #[inline(always)]
    fn ends(west: u32, east: u32) -> Self {
        let word = |numbers| Words::of_bytes(Bytes::of_numbers(numbers));
        Self {
            even: word([west, 0, 0, 0]),
            odd: word([0, 0, east << 16, 0]),
        }
    }

    #[inline(always)]
    fn gather(halo: &Halo<'_>, top: u32) -> Gathered<Self> {
        let inside = Self::from_mask(Bytes::load(&INSIDE));
        let line = |side: &SideValues| {
            // Value 0 belongs in column 1, so the even values go to the odd
            // half.
            let (odd, even) = Words::below(top, side.lanes());
            let even = even.up();
            Self { even, odd }.and(inside)
        };
        // PERF: called by `map`, it may stay a call.
        let [north, east, south, west] = halo.sides;
        let [north, east, south, west] = [line(north), line(east), line(south), line(west)];
        let wests = [west.even.store(), west.odd.store()];
        let easts = [east.even.store(), east.odd.store()];
        let mut rows = [Self::all(0); FRAME];
        for (y, row) in rows.iter_mut().enumerate() {
            let (lane, half) = (y / 2, y % 2);
            let west = row.put(0, wests[half][lane]);
            *row = west.put(FRAME - 1, easts[half][lane]);
        }
        rows[0] = north;
        rows[FRAME - 1] = south;
        add_corners(&mut rows, halo, top);
        Gathered { rows, west, east }
    }
}
