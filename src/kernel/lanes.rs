//! Vectors of lanes: sixteen bytes, or eight 16-bit words, processed together.
//!
//! The traits have the operations that the kernels need, and no others. There
//! are two implementations: plain arrays (`arrays`), which run anywhere and are
//! easy to read, and SSE2 (`sse2`), which every x86-64 has. Tests hold the two
//! equal, byte for byte. [`Fast`](super::fastest::Fast) is the one in use.
//!
//! ```text
//!             lane  0  1  2 …              up::<1>()   0 a b c …
//!   Bytes           a  b  c …              down::<1>() b c d …
//!                                          zip8 with   a A b B c C …
//! ```
//!
//! A shift fills the lanes that become free with zero. The kernels rely on it:
//! to them zero means "unreached".

#[cfg(any(test, portable_lanes, not(target_arch = "x86_64")))]
pub(super) mod arrays;
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
pub(super) mod sse2;

/// Sixteen bytes.
pub(super) trait Bytes: Copy {
    fn all(value: u8) -> Self;
    fn load(lanes: &[u8; 16]) -> Self;
    fn store(self) -> [u8; 16];
    /// Returns 255 in each lane whose bit is set.
    fn mask(bits: u16) -> Self;
    /// Returns one bit for each lane of a mask.
    fn bits(self) -> u16;
    /// Returns `top - value`, clamped to 0..=255.
    fn below(top: u32, values: [u32; 12]) -> Self;
    /// Returns `top - lane`, or [`NO_PATH`](super::NO_PATH) where the lane is 0.
    fn under(self, top: u32) -> [u32; 12];

    /// Saturates at 255.
    fn plus(self, other: Self) -> Self;
    /// Saturates at 0.
    fn minus(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Returns a mask of the equal lanes.
    fn equal(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Clears the bits that are set in `other`.
    fn without(self, other: Self) -> Self;

    /// Moves each lane up by `N`.
    fn up<const N: i32>(self) -> Self;
    /// Moves each lane down by `N`.
    fn down<const N: i32>(self) -> Self;

    /// Interleaves the lanes of `self` and `other`: those of the lower halves,
    /// and those of the upper halves.
    fn zip8(self, other: Self) -> (Self, Self);
    /// Interleaves groups of two lanes.
    fn zip16(self, other: Self) -> (Self, Self);
    /// Interleaves groups of four lanes.
    fn zip32(self, other: Self) -> (Self, Self);
    /// Interleaves groups of eight lanes.
    fn zip64(self, other: Self) -> (Self, Self);
    /// Returns lanes 0, 2, 4 … of `self`, then those of `other`.
    fn evens(self, other: Self) -> Self;
    /// Returns lanes 1, 3, 5 … of `self`, then those of `other`.
    fn odds(self, other: Self) -> Self;
}

/// Eight 16-bit words. They are signed because SSE2 has no unsigned maximum of
/// words; the kernels keep them in 0..=32767.
pub(super) trait Words: Copy {
    type Bytes: Bytes;

    fn all(value: i16) -> Self;
    fn load(lanes: &[i16; 8]) -> Self;
    fn store(self) -> [i16; 8];
    /// Returns `top - value`, clamped to 0..=32767: for the values 0, 2, 4 …
    /// and for the values 1, 3, 5 ….
    fn below(top: u32, values: [u32; 12]) -> (Self, Self);
    /// Returns bytes 0, 2, 4 … as words.
    fn evens(bytes: Self::Bytes) -> Self;
    /// Returns bytes 1, 3, 5 … as words.
    fn odds(bytes: Self::Bytes) -> Self;
    /// Packs two masks of words into one mask of bytes.
    fn pack(self, other: Self) -> Self::Bytes;

    /// Divides what values lie above the lowest by a cost above 1; [`NO_PATH`] stays.
    /// Returns false if a value is no multiple, or 65,536 or more above the lowest.
    ///
    /// [`NO_PATH`]: super::NO_PATH
    fn divided(values: [u32; 12], lowest: u32, cost: u8) -> ([u32; 12], bool);
    /// Undoes [`divided`](Self::divided), for results below 65,536.
    fn multiplied(units: [u32; 12], lowest: u32, cost: u8) -> [u32; 12];

    /// Saturates at 32767.
    fn plus(self, other: Self) -> Self;
    /// Saturates at −32768.
    fn minus(self, other: Self) -> Self;
    /// Returns the lower sixteen bits of the product.
    fn times(self, other: Self) -> Self;
    /// Shifts the bits down by one: a mask becomes 32767.
    fn halved(self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Returns a mask of the equal lanes.
    fn equal(self, other: Self) -> Self;
    /// Returns a mask of the lanes in which `self` is greater.
    fn above(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Clears the bits that are set in `other`.
    fn without(self, other: Self) -> Self;

    /// Moves each lane up by one.
    fn up(self) -> Self;
    /// Moves each lane down by one.
    fn down(self) -> Self;
}

/// The error if values lie too far apart for the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooFar;
