//! Vectors of lanes: sixteen bytes, or eight 16-bit words, processed together.
//!
//! They have the operations that the kernels need, and no others, on the vectors of
//! `wide`: SSE2 registers on x86-64, NEON on aarch64, simd128 on wasm32, plain arrays on
//! other machines. The results are the same everywhere. Tests compare each operation
//! with one on arrays, byte for byte.
//!
//! ```text
//!             lane  0  1  2 …              up::<1>()   0 a b c …
//!   Bytes           a  b  c …              down::<1>() b c d …
//!                                          zip8 with   a A b B c C …
//! ```
//!
//! A shift fills the lanes that become free with zero. The kernels rely on it:
//! to them zero means "unreached".

use bytemuck::cast;
use wide::{i8x16, i16x8, u8x16, u16x8, u32x4, u64x2};

use super::halo::NO_PATH;
use crate::arrays::Mapped;
use crate::lanes::{down, evens_and_odds, up, zip16};

#[derive(Clone, Copy)]
pub(super) struct Bytes(u8x16);

/// Eight 16-bit words. They are signed because SSE2 has no unsigned maximum of
/// words; the kernels keep them in 0..=32767.
#[derive(Clone, Copy)]
pub(super) struct Words(i16x8);

/// The error if values lie too far apart for the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooFar;

/// Defines operations on each pair of lanes.
macro_rules! lane_by_lane {
    ($($(#[$doc:meta])* $name:ident: $operation:expr,)*) => {
        $($(#[$doc])* #[inline(always)]
        pub(super) fn $name(self, other: Self) -> Self {
            Self($operation(self.0, other.0))
        })*
    };
}

/// Returns values as three vectors.
#[inline(always)]
fn fours(v: [u32; 12]) -> [u32x4; 3] {
    [
        u32x4::new([v[0], v[1], v[2], v[3]]),
        u32x4::new([v[4], v[5], v[6], v[7]]),
        u32x4::new([v[8], v[9], v[10], v[11]]),
    ]
}

#[inline(always)]
fn twelve(fours: [u32x4; 3]) -> [u32; 12] {
    let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = fours.mapped(u32x4::to_array);
    [a, b, c, d, e, f, g, h, i, j, k, l]
}

/// Returns `top - value`.
#[inline(always)]
fn differences(top: u32, values: [u32; 12]) -> [u32x4; 3] {
    fours(values).mapped(|values| u32x4::splat(top) - values)
}

/// Packs 32-bit lanes into words, saturated.
#[inline(always)]
fn packed(low: u32x4, high: u32x4) -> i16x8 {
    i16x8::from_i32x8_saturate(cast([low, high]))
}

impl Bytes {
    #[inline(always)]
    pub(super) fn all(value: u8) -> Self {
        Self(u8x16::splat(value))
    }

    #[inline(always)]
    pub(super) fn load(lanes: &[u8; 16]) -> Self {
        Self(u8x16::new(*lanes))
    }

    #[inline(always)]
    pub(super) fn store(self) -> [u8; 16] {
        self.0.to_array()
    }

    /// Takes each number for four lanes, its lowest byte first.
    #[inline(always)]
    pub(super) fn of_numbers(numbers: [u32; 4]) -> Self {
        Self(cast(u32x4::new(numbers)))
    }

    /// Returns 255 in each lane whose bit is set.
    #[inline(always)]
    pub(super) fn mask(bits: u16) -> Self {
        let bytes = Self::of_numbers([bits.into(), 0, 0, 0]);
        // Each of the two bytes in eight lanes.
        let pairs = bytes.zip8(bytes).0;
        let fours = pairs.zip16(pairs).0;
        let eights = fours.zip32(fours).0;
        let bit = u8x16::new([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        Self((eights.0 & bit).simd_eq(bit))
    }

    /// Returns one bit for each lane of a mask.
    #[inline(always)]
    pub(super) fn bits(self) -> u16 {
        self.0.to_bitmask() as u16
    }

    /// Whether any lane is not 0.
    #[inline(always)]
    pub(super) fn any(self) -> bool {
        self.equal(Self::all(0)).bits() != u16::MAX
    }

    /// Returns `top - value`, clamped to 0..=255.
    #[inline(always)]
    pub(super) fn below(top: u32, values: [u32; 12]) -> Self {
        let [a, b, c] = differences(top, values);
        Self(u8x16::narrow_i16x8(packed(a, b), packed(c, u32x4::ZERO)))
    }

    /// Returns `top - lane`, or [`NO_PATH`] where the lane is 0.
    #[inline(always)]
    pub(super) fn under(self, top: u32) -> [u32; 12] {
        let zero = Self::all(0);
        let (low, high) = self.zip8(zero);
        let ((a, b), (c, _)) = (low.zip16(zero), high.zip16(zero));
        twelve([a, b, c].mapped(|below| {
            let below: u32x4 = cast(below.0);
            // `NO_PATH` has all bits set that a value can have.
            let none = below.simd_eq(u32x4::ZERO) & u32x4::splat(NO_PATH);
            (u32x4::splat(top) - below) | none
        }))
    }

    lane_by_lane! {
        /// Saturates at 255.
        plus: u8x16::saturating_add,
        /// Saturates at 0.
        minus: u8x16::saturating_sub,
        max: u8x16::max,
        /// Returns a mask of the equal lanes.
        equal: u8x16::simd_eq,
        and: |a, b| a & b,
        or: |a, b| a | b,
        /// Clears the bits that are set in `other`.
        without: |a: u8x16, b: u8x16| a & !b,
    }

    /// Moves each lane up by `N`.
    #[inline(always)]
    pub(super) fn up<const N: i32>(self) -> Self {
        Self(up::<N>(self.0))
    }

    /// Moves each lane down by `N`.
    #[inline(always)]
    pub(super) fn down<const N: i32>(self) -> Self {
        Self(down::<N>(self.0))
    }

    /// Interleaves the lanes of `self` and `other`: those of the lower halves,
    /// and those of the upper halves.
    #[inline(always)]
    pub(super) fn zip8(self, other: Self) -> (Self, Self) {
        let (low, high) = (u8x16::unpack_low, u8x16::unpack_high);
        (Self(low(self.0, other.0)), Self(high(self.0, other.0)))
    }

    /// Interleaves groups of two lanes.
    #[inline(always)]
    pub(super) fn zip16(self, other: Self) -> (Self, Self) {
        let (low, high) = zip16(cast(self.0), cast(other.0));
        (Self(cast(low)), Self(cast(high)))
    }

    /// Interleaves groups of four lanes.
    #[inline(always)]
    pub(super) fn zip32(self, other: Self) -> (Self, Self) {
        let (a, b): (u32x4, u32x4) = (cast(self.0), cast(other.0));
        (Self(cast(a.unpack_lo(b))), Self(cast(a.unpack_hi(b))))
    }

    /// Interleaves groups of eight lanes.
    #[inline(always)]
    pub(super) fn zip64(self, other: Self) -> (Self, Self) {
        let (a, b): (u64x2, u64x2) = (cast(self.0), cast(other.0));
        (Self(cast(a.unpack_lo(b))), Self(cast(a.unpack_hi(b))))
    }

    /// Returns lanes 0, 2, 4 … of `self`, then those of `other`.
    #[inline(always)]
    pub(super) fn evens(self, other: Self) -> Self {
        let [low, high] = [self, other].mapped(|bytes| Words::evens(bytes).0);
        Self(u8x16::narrow_i16x8(low, high))
    }

    /// Returns lanes 1, 3, 5 … of `self`, then those of `other`.
    #[inline(always)]
    pub(super) fn odds(self, other: Self) -> Self {
        let [low, high] = [self, other].mapped(|bytes| Words::odds(bytes).0);
        Self(u8x16::narrow_i16x8(low, high))
    }
}

impl Words {
    #[inline(always)]
    pub(super) fn all(value: i16) -> Self {
        Self(i16x8::splat(value))
    }

    #[inline(always)]
    pub(super) fn load(lanes: &[i16; 8]) -> Self {
        Self(i16x8::new(*lanes))
    }

    #[inline(always)]
    pub(super) fn store(self) -> [i16; 8] {
        self.0.to_array()
    }

    /// Returns the same bits as bytes.
    #[inline(always)]
    pub(super) fn as_bytes(self) -> Bytes {
        Bytes(cast(self.0))
    }

    /// Undoes [`as_bytes`](Self::as_bytes).
    #[inline(always)]
    pub(super) fn of_bytes(bytes: Bytes) -> Self {
        Self(cast(bytes.0))
    }

    /// Returns `top - value`, clamped to 0..=32767: for the values 0, 2, 4 …
    /// and for the values 1, 3, 5 ….
    #[inline(always)]
    pub(super) fn below(top: u32, values: [u32; 12]) -> (Self, Self) {
        let [a, b, c] = differences(top, values);
        let (evens, odds) = evens_and_odds(a, b);
        let (last_evens, last_odds) = evens_and_odds(c, u32x4::ZERO);
        let pack = |low, high| Self(packed(low, high).max(i16x8::ZERO));
        (pack(evens, last_evens), pack(odds, last_odds))
    }

    /// Returns bytes 0, 2, 4 … as words.
    #[inline(always)]
    pub(super) fn evens(bytes: Bytes) -> Self {
        Self(cast::<_, i16x8>(bytes.0) & i16x8::splat(255))
    }

    /// Returns bytes 1, 3, 5 … as words.
    #[inline(always)]
    pub(super) fn odds(bytes: Bytes) -> Self {
        Self(cast(cast::<_, u16x8>(bytes.0) >> 8_u32))
    }

    /// Packs two masks of words into one mask of bytes.
    #[inline(always)]
    pub(super) fn pack(self, other: Self) -> Bytes {
        let both = cast([self.0, other.0]);
        Bytes(cast(i8x16::from_i16x16_saturate(both)))
    }

    /// Divides what values lie above the lowest by a cost above 1; [`NO_PATH`] stays.
    /// Returns false if a value is no multiple, or 65,536 or more above the lowest.
    ///
    /// Multiplies by a reciprocal, which is exact for multiples of the cost. Its
    /// factors have 16 bits, in the lower halves of the lanes.
    #[inline(always)]
    pub(super) fn divided(values: [u32; 12], lowest: u32, cost: u8) -> ([u32; 12], bool) {
        let reciprocal: u16x8 = cast(u32x4::splat(65_536 / u32::from(cost) + 1));
        let cost: u16x8 = cast(u32x4::splat(cost.into()));
        let no_path = u32x4::splat(NO_PATH);
        let mut rest = u32x4::ZERO;
        let lanes = fours(values).mapped(|values| {
            let none = values.simd_eq(no_path);
            let above = values - u32x4::splat(lowest);
            let units = cast::<_, u16x8>(above).mul_keep_high(reciprocal);
            let multiple: u32x4 = cast(units * cost);
            rest |= (above ^ multiple) & !none;
            cast::<_, u32x4>(units) & !none | none & no_path
        });
        (twelve(lanes), rest.simd_eq(u32x4::ZERO).to_bitmask() == 15)
    }

    /// Undoes [`divided`](Self::divided), for results below 65,536.
    #[inline(always)]
    pub(super) fn multiplied(units: [u32; 12], lowest: u32, cost: u8) -> [u32; 12] {
        let cost: u16x8 = cast(u32x4::splat(cost.into()));
        let no_path = u32x4::splat(NO_PATH);
        twelve(fours(units).mapped(|units| {
            let none = units.simd_eq(no_path);
            let units: u16x8 = cast(units);
            let low: u32x4 = cast(units * cost);
            let high: u32x4 = cast(units.mul_keep_high(cost));
            let value = u32x4::splat(lowest) + (low | high << 16_u32);
            value & !none | none & no_path
        }))
    }

    lane_by_lane! {
        /// Saturates at 32767.
        plus: i16x8::saturating_add,
        /// Saturates at −32768.
        minus: i16x8::saturating_sub,
        /// Returns the lower sixteen bits of the product.
        times: |a, b| a * b,
        max: i16x8::max,
        /// Returns a mask of the equal lanes.
        equal: i16x8::simd_eq,
        /// Returns a mask of the lanes in which `self` is greater.
        above: i16x8::simd_gt,
        and: |a, b| a & b,
        or: |a, b| a | b,
        /// Clears the bits that are set in `other`.
        without: |a: i16x8, b: i16x8| a & !b,
    }

    /// Shifts the bits down by one: a mask becomes 32767.
    #[inline(always)]
    pub(super) fn halved(self) -> Self {
        Self(cast(cast::<_, u16x8>(self.0) >> 1_u32))
    }

    /// Moves each lane up by one.
    #[inline(always)]
    pub(super) fn up(self) -> Self {
        Self(cast(up::<2>(cast(self.0))))
    }

    /// Moves each lane down by one.
    #[inline(always)]
    pub(super) fn down(self) -> Self {
        Self(cast(down::<2>(cast(self.0))))
    }
}
