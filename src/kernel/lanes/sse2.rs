//! Lanes as SSE2 registers, which every x86-64 has.
//!
//! Most operations are one instruction, the others a few. `safe_arch` offers
//! them as safe functions, and only for targets that have them. So no `unsafe`
//! is needed here.
//!
//! PERF: compiled for AVX (`-C target-cpu=native`) the same code is 15–30 %
//! faster, since AVX instructions need not overwrite an operand. So
//! [`settle`](crate::kernel::settle()) has a second build for AVX2.

use safe_arch::{
    add_i32_m128i, add_saturating_i16_m128i, add_saturating_u8_m128i, bitand_m128i,
    bitandnot_m128i, bitor_m128i, bitxor_m128i, byte_shl_imm_u128_m128i, byte_shr_imm_u128_m128i,
    cast_to_m128_from_m128i, cast_to_m128i_from_m128, cmp_eq_mask_i8_m128i, cmp_eq_mask_i16_m128i,
    cmp_eq_mask_i32_m128i, cmp_gt_mask_i16_m128i, m128i, max_i16_m128i, max_u8_m128i,
    move_mask_i8_m128i, mul_i16_keep_low_m128i, mul_u16_keep_high_m128i, pack_i16_to_i8_m128i,
    pack_i16_to_u8_m128i, pack_i32_to_i16_m128i, set_i32_m128i_s, set_splat_i8_m128i,
    set_splat_i16_m128i, set_splat_i32_m128i, shl_imm_u32_m128i, shr_imm_u16_m128i,
    shuffle_abi_f32_all_m128, shuffle_ai_f32_all_m128i, shuffle_ai_i16_l64all_m128i, sub_i32_m128i,
    sub_saturating_i16_m128i, sub_saturating_u8_m128i, unpack_high_i8_m128i, unpack_high_i16_m128i,
    unpack_high_i32_m128i, unpack_high_i64_m128i, unpack_low_i8_m128i, unpack_low_i16_m128i,
    unpack_low_i32_m128i, unpack_low_i64_m128i, zeroed_m128i,
};

use super::{Bytes, Words};
use crate::kernel::halo::NO_PATH;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct SseBytes(m128i);

#[derive(Clone, Copy)]
pub(in crate::kernel) struct SseWords(m128i);

/// Defines operations of one instruction that acts on each pair of lanes.
macro_rules! lane_by_lane {
    ($($name:ident: $operation:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self($operation(self.0, other.0))
        })*
    };
}

/// Defines operations of two instructions, one for the lower and one for the
/// upper halves.
macro_rules! half_by_half {
    ($($name:ident: $low:ident, $high:ident,)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> (Self, Self) {
            (Self($low(self.0, other.0)), Self($high(self.0, other.0)))
        })*
    };
}

/// Returns `top - value`, as three registers of 32-bit lanes.
#[inline(always)]
fn differences(top: u32, v: [u32; 12]) -> [m128i; 3] {
    let top = set_splat_i32_m128i(top as i32);
    fours(v).map(|values| sub_i32_m128i(top, values))
}

/// Returns values as three registers of 32-bit lanes.
#[inline(always)]
fn fours(v: [u32; 12]) -> [m128i; 3] {
    [
        m128i::from([v[0], v[1], v[2], v[3]]),
        m128i::from([v[4], v[5], v[6], v[7]]),
        m128i::from([v[8], v[9], v[10], v[11]]),
    ]
}

#[inline(always)]
const fn twelve([[a, b, c, d], [e, f, g, h], [i, j, k, l]]: [[u32; 4]; 3]) -> [u32; 12] {
    [a, b, c, d, e, f, g, h, i, j, k, l]
}

impl Bytes for SseBytes {
    #[inline(always)]
    fn all(value: u8) -> Self {
        Self(set_splat_i8_m128i(value as i8))
    }

    #[inline(always)]
    fn load(lanes: &[u8; 16]) -> Self {
        Self(m128i::from(*lanes))
    }

    #[inline(always)]
    fn store(self) -> [u8; 16] {
        self.0.into()
    }

    /// Copies each of the two bytes into eight lanes, and keeps one bit in each
    /// lane.
    #[inline(always)]
    fn mask(bits: u16) -> Self {
        let bytes = set_i32_m128i_s(i32::from(bits));
        let pairs = unpack_low_i8_m128i(bytes, bytes);
        let fours = shuffle_ai_i16_l64all_m128i::<0b01_01_00_00>(pairs);
        let eights = shuffle_ai_f32_all_m128i::<0b01_01_00_00>(fours);
        let bit = m128i::from([1_u8, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        Self(cmp_eq_mask_i8_m128i(bitand_m128i(eights, bit), bit))
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        move_mask_i8_m128i(self.0) as u16
    }

    #[inline(always)]
    fn below(top: u32, values: [u32; 12]) -> Self {
        let [a, b, c] = differences(top, values);
        let low = pack_i32_to_i16_m128i(a, b);
        let high = pack_i32_to_i16_m128i(c, zeroed_m128i());
        Self(pack_i16_to_u8_m128i(low, high))
    }

    #[inline(always)]
    fn under(self, top: u32) -> [u32; 12] {
        let zero = zeroed_m128i();
        let low = unpack_low_i8_m128i(self.0, zero);
        let high = unpack_high_i8_m128i(self.0, zero);
        let top = set_splat_i32_m128i(top as i32);
        let no_path = set_splat_i32_m128i(NO_PATH as i32);
        let under = |below: m128i| -> [u32; 4] {
            // `NO_PATH` has all bits set that a value can have.
            let none = bitand_m128i(cmp_eq_mask_i32_m128i(below, zero), no_path);
            bitor_m128i(sub_i32_m128i(top, below), none).into()
        };
        twelve([
            under(unpack_low_i16_m128i(low, zero)),
            under(unpack_high_i16_m128i(low, zero)),
            under(unpack_low_i16_m128i(high, zero)),
        ])
    }

    lane_by_lane! {
        plus: add_saturating_u8_m128i,
        minus: sub_saturating_u8_m128i,
        max: max_u8_m128i,
        equal: cmp_eq_mask_i8_m128i,
        and: bitand_m128i,
        or: bitor_m128i,
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(bitandnot_m128i(other.0, self.0))
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        Self(byte_shl_imm_u128_m128i::<N>(self.0))
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        Self(byte_shr_imm_u128_m128i::<N>(self.0))
    }

    half_by_half! {
        zip8: unpack_low_i8_m128i, unpack_high_i8_m128i,
        zip16: unpack_low_i16_m128i, unpack_high_i16_m128i,
        zip32: unpack_low_i32_m128i, unpack_high_i32_m128i,
        zip64: unpack_low_i64_m128i, unpack_high_i64_m128i,
    }

    #[inline(always)]
    fn evens(self, other: Self) -> Self {
        let SseWords(low) = SseWords::evens(self);
        let SseWords(high) = SseWords::evens(other);
        Self(pack_i16_to_u8_m128i(low, high))
    }

    #[inline(always)]
    fn odds(self, other: Self) -> Self {
        let SseWords(low) = SseWords::odds(self);
        let SseWords(high) = SseWords::odds(other);
        Self(pack_i16_to_u8_m128i(low, high))
    }
}

impl Words for SseWords {
    type Bytes = SseBytes;

    #[inline(always)]
    fn all(value: i16) -> Self {
        Self(set_splat_i16_m128i(value))
    }

    #[inline(always)]
    fn load(lanes: &[i16; 8]) -> Self {
        Self(m128i::from(*lanes))
    }

    #[inline(always)]
    fn store(self) -> [i16; 8] {
        self.0.into()
    }

    /// Takes every other 32-bit lane of two registers in one shuffle. SSE2 has
    /// this shuffle for floats only; it copies the bits unchanged.
    #[inline(always)]
    fn below(top: u32, values: [u32; 12]) -> (Self, Self) {
        const EVENS: i32 = 0b10_00_10_00;
        const ODDS: i32 = 0b11_01_11_01;
        let [a, b, c] = differences(top, values).map(cast_to_m128_from_m128i);
        let zero = zeroed_m128i();
        let none = cast_to_m128_from_m128i(zero);
        let pack = |low, high| {
            let (low, high) = (cast_to_m128i_from_m128(low), cast_to_m128i_from_m128(high));
            Self(max_i16_m128i(pack_i32_to_i16_m128i(low, high), zero))
        };
        (
            pack(
                shuffle_abi_f32_all_m128::<EVENS>(a, b),
                shuffle_abi_f32_all_m128::<EVENS>(c, none),
            ),
            pack(
                shuffle_abi_f32_all_m128::<ODDS>(a, b),
                shuffle_abi_f32_all_m128::<ODDS>(c, none),
            ),
        )
    }

    #[inline(always)]
    fn evens(bytes: SseBytes) -> Self {
        Self(bitand_m128i(bytes.0, set_splat_i16_m128i(255)))
    }

    #[inline(always)]
    fn odds(bytes: SseBytes) -> Self {
        Self(shr_imm_u16_m128i::<8>(bytes.0))
    }

    #[inline(always)]
    fn pack(self, other: Self) -> SseBytes {
        SseBytes(pack_i16_to_i8_m128i(self.0, other.0))
    }

    /// Multiplies by a reciprocal, which is exact for multiples of the cost. Its
    /// factors have 16 bits, in the lower halves of the lanes.
    #[inline(always)]
    fn divided(values: [u32; 12], lowest: u32, cost: u8) -> ([u32; 12], bool) {
        let lowest = set_splat_i32_m128i(lowest as i32);
        let reciprocal = set_splat_i32_m128i(65_536 / i32::from(cost) + 1);
        let cost = set_splat_i32_m128i(cost.into());
        let no_path = set_splat_i32_m128i(NO_PATH as i32);
        let mut rest = zeroed_m128i();
        let lanes = fours(values).map(|values| -> [u32; 4] {
            let none = cmp_eq_mask_i32_m128i(values, no_path);
            let above = sub_i32_m128i(values, lowest);
            let units = mul_u16_keep_high_m128i(above, reciprocal);
            let multiple = mul_i16_keep_low_m128i(units, cost);
            let wrong = bitandnot_m128i(none, bitxor_m128i(above, multiple));
            rest = bitor_m128i(rest, wrong);
            let units = bitandnot_m128i(none, units);
            bitor_m128i(units, bitand_m128i(none, no_path)).into()
        });
        let right = cmp_eq_mask_i8_m128i(rest, zeroed_m128i());
        (twelve(lanes), move_mask_i8_m128i(right) == 0xFFFF)
    }

    #[inline(always)]
    fn multiplied(units: [u32; 12], lowest: u32, cost: u8) -> [u32; 12] {
        let lowest = set_splat_i32_m128i(lowest as i32);
        let cost = set_splat_i32_m128i(cost.into());
        let no_path = set_splat_i32_m128i(NO_PATH as i32);
        twelve(fours(units).map(|units| -> [u32; 4] {
            let none = cmp_eq_mask_i32_m128i(units, no_path);
            let low = mul_i16_keep_low_m128i(units, cost);
            let high = shl_imm_u32_m128i::<16>(mul_u16_keep_high_m128i(units, cost));
            let value = add_i32_m128i(lowest, bitor_m128i(low, high));
            let value = bitandnot_m128i(none, value);
            bitor_m128i(value, bitand_m128i(none, no_path)).into()
        }))
    }

    lane_by_lane! {
        plus: add_saturating_i16_m128i,
        minus: sub_saturating_i16_m128i,
        times: mul_i16_keep_low_m128i,
        max: max_i16_m128i,
        equal: cmp_eq_mask_i16_m128i,
        above: cmp_gt_mask_i16_m128i,
        and: bitand_m128i,
        or: bitor_m128i,
    }

    #[inline(always)]
    fn halved(self) -> Self {
        Self(shr_imm_u16_m128i::<1>(self.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(bitandnot_m128i(other.0, self.0))
    }

    #[inline(always)]
    fn up(self) -> Self {
        Self(byte_shl_imm_u128_m128i::<2>(self.0))
    }

    #[inline(always)]
    fn down(self) -> Self {
        Self(byte_shr_imm_u128_m128i::<2>(self.0))
    }
}
