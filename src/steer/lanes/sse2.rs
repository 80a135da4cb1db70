//! Lanes as SSE2 registers, which every x86-64 has. `safe_arch` offers their
//! instructions as safe functions.

use std::ops::{Add, Div, Mul, Sub};

use safe_arch::{
    add_m128, bitand_m128, bitandnot_m128, bitor_m128, cast_to_m128_from_m128i,
    cmp_eq_mask_i32_m128i, cmp_le_mask_m128, cmp_lt_mask_m128, div_m128, m128, m128i, max_m128,
    min_m128, move_mask_m128, mul_m128, set_splat_i32_m128i, set_splat_m128, shr_imm_i32_m128i,
    sqrt_m128, sub_m128, transpose_four_m128,
};

/// SseFour numbers.
#[derive(Clone, Copy)]
pub(in crate::steer) struct SseFour(m128);

/// Which of four lanes are set: all bits or none.
#[derive(Clone, Copy)]
pub(in crate::steer) struct SseMask(m128);

/// Defines an operation of one instruction.
macro_rules! lane_by_lane {
    ($name:ident $method:ident: $operation:ident) => {
        impl $name for SseFour {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($operation(self.0, other.0))
            }
        }
    };
}

lane_by_lane!(Add add: add_m128);
lane_by_lane!(Sub sub: sub_m128);
lane_by_lane!(Mul mul: mul_m128);
lane_by_lane!(Div div: div_m128);

impl SseFour {
    #[inline(always)]
    pub(in crate::steer) fn all(value: f32) -> Self {
        Self(set_splat_m128(value))
    }

    #[inline(always)]
    pub(in crate::steer) fn of(lanes: [f32; 4]) -> Self {
        Self(m128::from(lanes))
    }

    #[inline(always)]
    pub(in crate::steer) fn load(numbers: &[f32], at: usize) -> Self {
        let four = &numbers[at..at + 4];
        Self(m128::from([four[0], four[1], four[2], four[3]]))
    }

    #[inline(always)]
    pub(in crate::steer) fn array(self) -> [f32; 4] {
        self.0.into()
    }

    #[inline(always)]
    pub(in crate::steer) fn sqrt(self) -> Self {
        Self(sqrt_m128(self.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn abs(self) -> Self {
        Self(bitandnot_m128(set_splat_m128(-0.0), self.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn lesser(self, other: Self) -> Self {
        Self(min_m128(self.0, other.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn greater(self, other: Self) -> Self {
        Self(max_m128(self.0, other.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn negative_at(self, mask: SseMask) -> Self {
        let sign = bitand_m128(mask.0, set_splat_m128(-0.0));
        Self(bitor_m128(self.0, sign))
    }

    #[inline(always)]
    pub(in crate::steer) fn at(self, mask: SseMask) -> Self {
        Self(bitand_m128(self.0, mask.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn below(self, other: Self) -> SseMask {
        SseMask(cmp_lt_mask_m128(self.0, other.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn up_to(self, other: Self) -> SseMask {
        SseMask(cmp_le_mask_m128(self.0, other.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn turned([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let (mut a, mut b, mut c, mut d) = (a.0, b.0, c.0, d.0);
        transpose_four_m128(&mut a, &mut b, &mut c, &mut d);
        [Self(a), Self(b), Self(c), Self(d)]
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

impl SseMask {
    #[inline(always)]
    pub(in crate::steer) fn of(bits: u32) -> Self {
        let lanes = m128i::from(LANES[bits as usize & 15]);
        Self(cast_to_m128_from_m128i(lanes))
    }

    #[inline(always)]
    pub(in crate::steer) fn first(count: usize) -> Self {
        Self::of(super::first(count))
    }

    #[inline(always)]
    pub(in crate::steer) fn equal(words: &[u32; 4], word: u32) -> Self {
        let same = cmp_eq_mask_i32_m128i(m128i::from(*words), set_splat_i32_m128i(word as i32));
        Self(cast_to_m128_from_m128i(same))
    }

    #[inline(always)]
    pub(in crate::steer) fn highest_bits(words: &[u32; 4]) -> Self {
        let high = shr_imm_i32_m128i::<31>(m128i::from(*words));
        Self(cast_to_m128_from_m128i(high))
    }

    #[inline(always)]
    pub(in crate::steer) fn differing(words: &[u32; 4], word: u32) -> Self {
        let same = cmp_eq_mask_i32_m128i(m128i::from(*words), set_splat_i32_m128i(word as i32));
        let all = Self::of(15).0;
        Self(bitandnot_m128(cast_to_m128_from_m128i(same), all))
    }

    #[inline(always)]
    pub(in crate::steer) fn bits(self) -> u32 {
        move_mask_m128(self.0) as u32
    }

    #[inline(always)]
    pub(in crate::steer) fn and(self, other: Self) -> Self {
        Self(bitand_m128(self.0, other.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn or(self, other: Self) -> Self {
        Self(bitor_m128(self.0, other.0))
    }

    #[inline(always)]
    pub(in crate::steer) fn choose(self, set: SseFour, unset: SseFour) -> SseFour {
        let set = bitand_m128(self.0, set.0);
        SseFour(bitor_m128(set, bitandnot_m128(self.0, unset.0)))
    }
}
