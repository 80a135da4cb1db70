//! Lanes as plain arrays: the readable definition of each operation.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

use crate::vector::{greater, lesser};

#[derive(Clone, Copy)]
pub(super) struct ArrayFour([f32; 4]);

#[derive(Clone, Copy)]
pub(super) struct ArrayMask(u32);

/// Defines an operation on each pair of lanes.
macro_rules! lane_by_lane {
    ($name:ident $method:ident: $operation:tt) => {
        impl $name for ArrayFour {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(from_fn(|lane| self.0[lane] $operation other.0[lane]))
            }
        }
    };
}

lane_by_lane!(Add add: +);
lane_by_lane!(Sub sub: -);
lane_by_lane!(Mul mul: *);
lane_by_lane!(Div div: /);

impl ArrayFour {
    #[inline(always)]
    pub(super) const fn all(value: f32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    pub(super) const fn of(lanes: [f32; 4]) -> Self {
        Self(lanes)
    }

    #[inline(always)]
    pub(super) fn load(numbers: &[f32], at: usize) -> Self {
        Self(from_fn(|lane| numbers[at + lane]))
    }

    #[inline(always)]
    pub(super) const fn array(self) -> [f32; 4] {
        self.0
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    pub(super) fn lesser(self, other: Self) -> Self {
        Self(from_fn(|lane| lesser(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    pub(super) fn greater(self, other: Self) -> Self {
        Self(from_fn(|lane| greater(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    pub(super) fn negative_at(self, mask: ArrayMask) -> Self {
        let sign = |lane: usize| (mask.0 >> lane & 1) << 31;
        Self(from_fn(|lane| {
            f32::from_bits(self.0[lane].to_bits() | sign(lane))
        }))
    }

    #[inline(always)]
    pub(super) fn at(self, mask: ArrayMask) -> Self {
        let is_set = |lane: usize| mask.0 >> lane & 1 == 1;
        Self(from_fn(
            |lane| if is_set(lane) { self.0[lane] } else { 0.0 },
        ))
    }

    #[inline(always)]
    pub(super) fn below(self, other: Self) -> ArrayMask {
        ArrayMask::from_lanes(|lane| self.0[lane] < other.0[lane])
    }

    #[inline(always)]
    pub(super) fn up_to(self, other: Self) -> ArrayMask {
        ArrayMask::from_lanes(|lane| self.0[lane] <= other.0[lane])
    }

    #[inline(always)]
    pub(super) fn turned(rows: [Self; 4]) -> [Self; 4] {
        from_fn(|column| Self(from_fn(|row| rows[row].0[column])))
    }
}

impl ArrayMask {
    #[inline(always)]
    fn from_lanes(is_set: impl Fn(usize) -> bool) -> Self {
        let bit = |lane: usize| u32::from(is_set(lane)) << lane;
        Self(bit(0) | bit(1) | bit(2) | bit(3))
    }

    #[inline(always)]
    pub(super) const fn of(bits: u32) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) const fn first(count: usize) -> Self {
        Self::of(super::first(count))
    }

    #[inline(always)]
    pub(super) fn equal(words: &[u32; 4], word: u32) -> Self {
        Self::from_lanes(|lane| words[lane] == word)
    }

    #[inline(always)]
    pub(super) fn highest_bits(words: &[u32; 4]) -> Self {
        Self::from_lanes(|lane| words[lane] >> 31 == 1)
    }

    #[inline(always)]
    pub(super) fn differing(words: &[u32; 4], word: u32) -> Self {
        Self::from_lanes(|lane| words[lane] != word)
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    pub(super) fn choose(self, set: ArrayFour, unset: ArrayFour) -> ArrayFour {
        let is_set = |lane: usize| self.0 >> lane & 1 == 1;
        ArrayFour(from_fn(|lane| {
            if is_set(lane) {
                set.0[lane]
            } else {
                unset.0[lane]
            }
        }))
    }
}
