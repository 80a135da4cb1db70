//! Four numbers at once, for what a step does most: comparing a unit with its
//! neighbours.
//!
//! Only + − × ÷, √ and comparisons, which IEEE 754 defines to the bit. So the vectors of
//! `wide` give the same results on every machine, as the tests below check, and both are
//! those of a loop over single numbers. Sums over neighbours are kept in their order: a
//! lane holds one of the sums, not one of the neighbours.
//!
//! Arrays are written out here and in what uses this, not mapped: without optimisation, as in
//! a game's debug build, `map` of an array costs a third of a step.

use std::ops::{Add, Div, Mul, Sub};

use bytemuck::cast;
use wide::{f32x4, i32x4, u32x4};

use crate::lanes::{greater, lesser};

#[cfg(test)]
mod arrays;

/// Returns the bits of the first lanes.
#[inline(always)]
pub(super) const fn first(count: usize) -> u32 {
    if count < 4 { (1 << count) - 1 } else { 15 }
}

#[derive(Clone, Copy)]
pub(crate) struct Four(f32x4);

/// Which of four lanes are set: all bits or none.
#[derive(Clone, Copy)]
pub(crate) struct Mask(u32x4);

macro_rules! lane_by_lane {
    ($name:ident $method:ident: $operation:tt) => {
        impl $name for Four {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $operation other.0)
            }
        }
    };
}

lane_by_lane!(Add add: +);
lane_by_lane!(Sub sub: -);
lane_by_lane!(Mul mul: *);
lane_by_lane!(Div div: /);

impl Four {
    #[inline(always)]
    pub(crate) fn all(value: f32) -> Self {
        Self(f32x4::splat(value))
    }

    #[inline(always)]
    pub(crate) fn of(lanes: [f32; 4]) -> Self {
        Self(f32x4::new(lanes))
    }

    #[inline(always)]
    pub(super) fn load(numbers: &[f32], at: usize) -> Self {
        let four = &numbers[at..at + 4];
        Self::of([four[0], four[1], four[2], four[3]])
    }

    #[inline(always)]
    pub(crate) fn array(self) -> [f32; 4] {
        self.0.to_array()
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// Returns the lesser number in each lane: of equal ones, and with NaN, the other's.
    #[inline(always)]
    pub(crate) fn lesser(self, other: Self) -> Self {
        Self(lesser(self.0, other.0))
    }

    /// Returns the greater number in each lane: of equal ones, and with NaN, the other's.
    #[inline(always)]
    pub(crate) fn greater(self, other: Self) -> Self {
        Self(greater(self.0, other.0))
    }

    /// Returns the numbers with the sign of minus where the mask is set.
    #[inline(always)]
    pub(super) fn negative_at(self, mask: Mask) -> Self {
        Self(self.0 | f32x4::splat(-0.0) & cast::<_, f32x4>(mask.0))
    }

    /// Returns the numbers where the mask is set, and 0 elsewhere.
    #[inline(always)]
    pub(crate) fn at(self, mask: Mask) -> Self {
        Self(self.0 & cast::<_, f32x4>(mask.0))
    }

    #[inline(always)]
    pub(crate) fn below(self, other: Self) -> Mask {
        Mask(cast(self.0.simd_lt(other.0)))
    }

    #[inline(always)]
    pub(crate) fn up_to(self, other: Self) -> Mask {
        Mask(cast(self.0.simd_le(other.0)))
    }

    #[inline(always)]
    pub(crate) fn turned(rows: [Self; 4]) -> [Self; 4] {
        let [one, two, three, four] = rows;
        let [one, two, three, four] = f32x4::transpose([one.0, two.0, three.0, four.0]);
        [Self(one), Self(two), Self(three), Self(four)]
    }
}

/// All bits of the lanes that are set in four bits.
const LANES: [[u32; 4]; 16] = {
    let mut lanes = [[0; 4]; 16];
    let mut at = 0;
    while at < 64 {
        if (at / 4) >> (at % 4) & 1 == 1 {
            lanes[at / 4][at % 4] = !0;
        }
        at += 1;
    }
    lanes
};

impl Mask {
    /// Sets the lanes of the set bits.
    #[inline(always)]
    pub(super) fn of(bits: u32) -> Self {
        Self(u32x4::new(LANES[bits as usize & 15]))
    }

    #[inline(always)]
    pub(super) fn first(count: usize) -> Self {
        Self::of(first(count))
    }

    /// Sets the lanes whose words are this one.
    #[inline(always)]
    pub(crate) fn equal(words: &[u32; 4], word: u32) -> Self {
        Self(u32x4::new(*words).simd_eq(u32x4::splat(word)))
    }

    /// Sets the lanes whose words have the highest bit.
    #[inline(always)]
    pub(super) fn highest_bits(words: &[u32; 4]) -> Self {
        Self(cast(cast::<_, i32x4>(*words).simd_lt(i32x4::ZERO)))
    }

    /// Sets the lanes whose words are not this one.
    #[inline(always)]
    pub(crate) fn differing(words: &[u32; 4], word: u32) -> Self {
        Self(!Self::equal(words, word).0)
    }

    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        cast::<_, f32x4>(self.0).to_bitmask()
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the first numbers where it is set, and the second elsewhere.
    #[inline(always)]
    pub(crate) fn choose(self, set: Four, unset: Four) -> Four {
        Four(cast::<_, f32x4>(self.0).bitselect(set.0, unset.0))
    }
}

#[cfg(test)]
mod tests {
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
    fn lanes_give_the_bits_of_arrays() {
        let mut below = draws(6);
        for _ in 0..20_000 {
            let [a, b] = [drawn(&mut below), drawn(&mut below)];
            let bits = below(16);
            macro_rules! assert_same {
                ($operation:expr) => {{
                    let fast = {
                        use super::{Four, Mask};
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
            assert_same!(|a, b, _| (a + b).array());
            assert_same!(|a, b, _| (a - b).array());
            assert_same!(|a, b, _| (a * b).array());
            assert_same!(|a, b, _| (a / b).array());
            assert_same!(|a, _, _| a.sqrt().array());
            assert_same!(|a, _, mask| a.at(mask).array());
            assert_same!(|a, _, _| (Four::load(&a.array(), 0) + Four::all(0.5)).array());
            assert_same!(
                |a, b, _| [a.at(Mask::first(2)).below(b.at(Mask::of(15))).bits() as f32; 4]
            );
            assert_same!(|a, b, _| [a.below(b).bits() as f32; 4]);
            assert_same!(|a, b, _| [a.up_to(b).bits() as f32; 4]);
            assert_same!(|a, b, mask| [a.below(b).and(mask).bits() as f32; 4]);
            assert_same!(|a, b, _| Four::turned([a, b, a, b])[1].array());
            assert_same!(|a, b, _| Four::turned([a, b, b, a])[3].array());
            assert_same!(|a, _, mask| a.negative_at(mask).array());
            assert_same!(|a, _, _| a.abs().array());
            assert_same!(|a, b, _| a.lesser(b).array());
            assert_same!(|a, b, _| a.greater(b).array());
            assert_same!(|a, b, mask| mask.choose(a, b).array());
            assert_same!(|a, b, mask| [a.below(b).or(mask).bits() as f32; 4]);
            assert_same!(|a, _, _| {
                let words = a.array().map(f32::to_bits);
                [Mask::differing(&words, words[2]).bits() as f32; 4]
            });
            assert_same!(|a, _, _| {
                let words = a.array().map(f32::to_bits);
                [Mask::equal(&words, words[1]).bits() as f32; 4]
            });
            assert_same!(|a, _, _| {
                let words = a.array().map(f32::to_bits);
                [Mask::highest_bits(&words).bits() as f32; 4]
            });
        }
    }
}
