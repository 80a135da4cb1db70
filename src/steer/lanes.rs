//! Four numbers at once, for what a step does most: comparing a unit with its
//! neighbours.
//!
//! Only + − × ÷, √ and comparisons, which IEEE 754 defines to the bit. So SSE2
//! registers (`sse2`) and plain arrays (`arrays`), for all other machines, give
//! the same results, as the tests below check, and both are those of a loop over
//! single numbers. Sums over neighbours are kept in their order: a lane holds one
//! of the sums, not one of the neighbours.

#[cfg(any(test, portable_lanes, not(target_arch = "x86_64")))]
mod arrays;
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
mod sse2;

#[cfg(any(portable_lanes, not(target_arch = "x86_64")))]
pub(super) use arrays::{ArrayFour as Four, ArrayMask as Mask};
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
pub(super) use sse2::{SseFour as Four, SseMask as Mask};

/// Returns the bits of the first lanes.
#[inline(always)]
pub(super) const fn first(count: usize) -> u32 {
    if count < 4 { (1 << count) - 1 } else { 15 }
}

/// The places of the lanes that are set in four bits, in order.
const SET: [[u32; 4]; 16] = {
    let mut lists = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut lane, mut count) = (0, 0);
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                lists[bits][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    lists
};

/// The number of bits that are set in four.
// PERF: a look-up: x86-64 has no instruction for it that every machine knows.
const COUNTS: [u8; 16] = {
    let mut counts = [0; 16];
    let mut bits = 1;
    while bits < 16 {
        counts[bits] = counts[bits / 2] + bits as u8 % 2;
        bits += 1;
    }
    counts
};

/// Up to four places: those that are set, and a spare one in the other lanes.
#[derive(Clone, Copy)]
pub(super) struct FourPlaces {
    pub(super) places: [u32; 4],
    pub(super) count: usize,
}

impl FourPlaces {
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.places[..self.count.min(4)]
    }

    /// The lanes that have a place.
    #[inline(always)]
    pub(super) fn mask(&self) -> Mask {
        Mask::first(self.count)
    }
}

/// A list of places that grows by up to four at once, without branches.
pub(super) struct PlaceList<const N: usize> {
    places: [u32; N],
    count: usize,
}

impl<const N: usize> PlaceList<N> {
    pub(super) const fn new() -> Self {
        Self {
            places: [0; N],
            count: 0,
        }
    }

    /// Keeps only these places.
    pub(super) fn keep(&mut self, places: &[u32]) {
        self.places[..places.len()].copy_from_slice(places);
        self.count = places.len();
    }

    pub(super) const fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds `first` and the three places after it, those whose bits are set. The
    /// list must not be [full](Self::is_full).
    #[inline(always)]
    pub(super) fn add(&mut self, first: usize, bits: u32) {
        let set = SET[bits as usize & 15];
        if let Some(room) = self.places[self.count..].first_chunk_mut() {
            *room = set.map(|lane| first as u32 + lane);
        }
        self.count += usize::from(COUNTS[bits as usize & 15]);
    }

    /// Whether it is to be worked off before more is added.
    pub(super) const fn is_full(&self) -> bool {
        self.count > N - 8
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.places[..self.count]
    }

    /// Fills the lanes after the last place with a spare one.
    #[inline(always)]
    pub(super) fn seal(&mut self, spare: usize) {
        if let Some(room) = self.places[self.count..].first_chunk_mut() {
            *room = [spare as u32; 4];
        }
    }

    /// Returns up to four places of a [sealed](Self::seal) list, from the one at
    /// `first` on; `None` at the end.
    #[inline(always)]
    pub(super) fn four(&self, first: usize) -> Option<FourPlaces> {
        let count = self.count.checked_sub(first).filter(|&count| count > 0)?;
        let places = *self.places[first..].first_chunk()?;
        Some(FourPlaces { places, count })
    }
}

#[cfg(all(test, target_arch = "x86_64", not(portable_lanes)))]
mod tests {
    use super::*;
    use crate::draws::draws;

    /// Numbers of all sizes, zeros of both signs, and what is no number.
    fn drawn(below: &mut impl FnMut(u32) -> u32) -> [f32; 4] {
        std::array::from_fn(|_| match below(9) {
            0 => [0.0, -0.0, f32::NAN, f32::INFINITY, 1e-40, -1.0][below(6) as usize],
            1 => f32::from_bits(below(1 << 31) << 1 | below(2)),
            _ => below(4_000) as f32 / 100.0 - 20.0,
        })
    }

    #[test]
    fn both_kinds_of_lanes_give_the_same_bits() {
        let mut below = draws(6);
        for _ in 0..20_000 {
            let [a, b] = [drawn(&mut below), drawn(&mut below)];
            let bits = below(16);
            macro_rules! hold {
                ($operation:expr) => {{
                    let fast = {
                        use super::sse2::{SseFour as Four, SseMask as Mask};
                        let operation: fn(Four, Four, Mask) -> [f32; 4] = $operation;
                        operation(Four::of(a), Four::of(b), Mask::of(bits))
                    };
                    let plain = {
                        use super::arrays::{ArrayFour as Four, ArrayMask as Mask};
                        let operation: fn(Four, Four, Mask) -> [f32; 4] = $operation;
                        operation(Four::of(a), Four::of(b), Mask::of(bits))
                    };
                    for (fast, plain) in fast.into_iter().zip(plain) {
                        let same = fast.to_bits() == plain.to_bits();
                        assert!(same || fast.is_nan() && plain.is_nan(), "{a:?} {b:?}");
                    }
                }};
            }
            hold!(|a, b, _| (a + b).array());
            hold!(|a, b, _| (a - b).array());
            hold!(|a, b, _| (a * b).array());
            hold!(|a, b, _| (a / b).array());
            hold!(|a, _, _| a.sqrt().array());
            hold!(|a, _, mask| a.at(mask).array());
            hold!(|a, _, _| (Four::load(&a.array(), 0) + Four::all(0.5)).array());
            hold!(|a, b, _| [a.at(Mask::first(2)).below(b.at(Mask::of(15))).bits() as f32; 4]);
            hold!(|a, b, _| [a.below(b).bits() as f32; 4]);
            hold!(|a, b, _| [a.up_to(b).bits() as f32; 4]);
            hold!(|a, b, mask| [a.below(b).and(mask).bits() as f32; 4]);
            hold!(|a, b, _| Four::turned([a, b, a, b])[1].array());
            hold!(|a, b, _| Four::turned([a, b, b, a])[3].array());
            hold!(|a, _, mask| a.negative_at(mask).array());
            hold!(|a, _, _| a.abs().array());
            hold!(|a, b, _| a.lesser(b).array());
            hold!(|a, b, _| a.greater(b).array());
            hold!(|a, b, mask| mask.choose(a, b).array());
            hold!(|a, b, mask| [a.below(b).or(mask).bits() as f32; 4]);
            hold!(|a, _, _| {
                let words = a.array().map(f32::to_bits);
                [Mask::differing(&words, words[2]).bits() as f32; 4]
            });
            hold!(|a, _, _| {
                let words = a.array().map(f32::to_bits);
                [Mask::equal(&words, words[1]).bits() as f32; 4]
            });
            hold!(|a, _, _| {
                let words = a.array().map(f32::to_bits);
                [Mask::highest_bits(&words).bits() as f32; 4]
            });
        }
    }

    #[test]
    fn places_are_those_of_the_bits_in_order() {
        let mut places = PlaceList::<16>::new();
        places.add(40, 0b1010);
        places.add(44, 0);
        places.add(48, 0b1111);
        assert_eq!(places.as_slice(), [41, 43, 48, 49, 50, 51]);
        assert!(!places.is_full());
        places.add(60, 0b0101);
        places.add(64, 0b0001);
        assert!(places.is_full());
        places.keep(&[7, 60, 2, 3, 9]);
        places.add(61, 1);
        assert_eq!(places.as_slice(), [7, 60, 2, 3, 9, 61]);
        places.seal(5);
        let four = |first| {
            places
                .four(first)
                .map(|four| (four.places, four.as_slice().len()))
        };
        assert_eq!(four(0), Some(([7, 60, 2, 3], 4)));
        assert_eq!((four(4), four(8)), (Some(([9, 61, 5, 5], 2)), None));
    }
}
