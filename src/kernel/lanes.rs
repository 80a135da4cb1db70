//! Lanes: sixteen bytes, or eight 16-bit words, worked on together.
//!
//! What the kernels ask of a vector, and no more. Two families answer it:
//! plain arrays (`arrays`), which run anywhere and are easy
//! to read, and SSE2 (`sse2`), which every x86-64 has. The
//! tests hold the two equal, byte for byte; [`Fast`](super::fastest::Fast) is the one that is used.
//!
//! ```text
//!             lane  0  1  2 …              up::<1>()   0 a b c …
//!   Bytes           a  b  c …              down::<1>() b c d …
//!                                          zip8 with   a A b B c C …
//! ```
//!
//! Lanes that come in empty when others move are zero. The kernels make use
//! of it: to them zero is "no way".

#[cfg(any(test, portable_lanes, not(target_arch = "x86_64")))]
pub(super) mod arrays;
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
pub(super) mod sse2;

/// Sixteen bytes.
pub(super) trait Bytes: Copy {
    fn all(value: u8) -> Self;
    fn load(lanes: &[u8; 16]) -> Self;
    fn store(self) -> [u8; 16];
    /// 255 in each lane whose bit is set.
    fn mask(bits: u16) -> Self;
    /// A bit for each lane of a mask.
    fn bits(self) -> u16;
    /// These two in lanes 0 and 11, the rest zero.
    fn ends(first: u8, last: u8) -> Self;
    /// `top - value`, no less than 0 and no more than 255.
    fn below(top: u32, values: [u32; 12]) -> Self;
    /// `top - lane`, or [`NO_WAY`](super::NO_WAY) where the lane is 0.
    fn under(self, top: u32) -> [u32; 12];

    /// No more than 255.
    fn plus(self, other: Self) -> Self;
    /// No less than 0.
    fn minus(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// A mask.
    fn equal(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Without the bits that `other` has.
    fn without(self, other: Self) -> Self;

    /// Each lane moves up by `N`.
    fn up<const N: i32>(self) -> Self;
    /// Each lane moves down by `N`.
    fn down<const N: i32>(self) -> Self;

    /// Lanes of `self` and `other` by turns: of the lower halves, and of the
    /// upper ones.
    fn zip8(self, other: Self) -> (Self, Self);
    /// The same, two lanes at a time.
    fn zip16(self, other: Self) -> (Self, Self);
    /// The same, four lanes at a time.
    fn zip32(self, other: Self) -> (Self, Self);
    /// The same, eight lanes at a time.
    fn zip64(self, other: Self) -> (Self, Self);
    /// Lanes 0, 2, 4 … of `self`, then those of `other`.
    fn evens(self, other: Self) -> Self;
    /// Lanes 1, 3, 5 … of `self`, then those of `other`.
    fn odds(self, other: Self) -> Self;
}

/// Eight 16-bit words. They are signed because SSE2 has no unsigned maximum of
/// words; the kernels keep them in 0..=32767.
pub(super) trait Words: Copy {
    type Bytes: Bytes;

    fn all(value: i16) -> Self;
    fn load(lanes: &[i16; 8]) -> Self;
    fn store(self) -> [i16; 8];
    /// This in one lane, the rest zero.
    fn only<const LANE: i32>(value: i16) -> Self;
    /// `top - value`, no less than 0 and no more than 32767: of the values 0,
    /// 2, 4 … and of the values 1, 3, 5 ….
    fn below(top: u32, values: [u32; 12]) -> (Self, Self);
    /// Bytes 0, 2, 4 ….
    fn evens(bytes: Self::Bytes) -> Self;
    /// Bytes 1, 3, 5 ….
    fn odds(bytes: Self::Bytes) -> Self;
    /// The lanes of two masks as one mask of bytes.
    fn pack(self, other: Self) -> Self::Bytes;

    /// No more than 32767.
    fn plus(self, other: Self) -> Self;
    /// No less than −32768.
    fn minus(self, other: Self) -> Self;
    /// The lower sixteen bits of the product.
    fn times(self, other: Self) -> Self;
    /// The bits moved down by one: a mask becomes 32767.
    fn halved(self) -> Self;
    fn max(self, other: Self) -> Self;
    /// A mask.
    fn equal(self, other: Self) -> Self;
    /// A mask of the lanes in which `self` is the greater.
    fn above(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Without the bits that `other` has.
    fn without(self, other: Self) -> Self;

    /// Each lane moves up by one.
    fn up(self) -> Self;
    /// Each lane moves down by one.
    fn down(self) -> Self;
}

/// The values lie too far apart for the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooFar;
