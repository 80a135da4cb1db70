//! What `wide` lacks, or does not do alike on all machines: moving bytes, interleaving
//! 16-bit words, and the lesser of two floats.
//!
//! The only file that asks for which machine it is compiled.

#[cfg(target_endian = "big")]
compile_error!(
    "flowtiles takes the lowest byte of a number for its first: it needs a little-endian machine"
);

#[cfg(not(target_feature = "simd128"))]
use bytemuck::cast;
#[cfg(feature = "steer")]
use wide::f32x4;
use wide::{u8x16, u16x8, u32x4};

/// Moves each byte up by `N`; zeros fill the lanes that become free.
#[inline(always)]
pub(crate) fn up<const N: i32>(bytes: u8x16) -> u8x16 {
    // PERF: `wide` shuffles bytes one by one on SSE2.
    #[cfg(target_arch = "x86_64")]
    return cast(safe_arch::byte_shl_imm_u128_m128i::<N>(cast(bytes)));
    #[cfg(not(target_arch = "x86_64"))]
    bytes.shuffle_zeroing(const { moved(-N) })
}

/// Moves each byte down by `N`; zeros fill the lanes that become free.
#[inline(always)]
pub(crate) fn down<const N: i32>(bytes: u8x16) -> u8x16 {
    #[cfg(target_arch = "x86_64")]
    return cast(safe_arch::byte_shr_imm_u128_m128i::<N>(cast(bytes)));
    #[cfg(not(target_arch = "x86_64"))]
    bytes.shuffle_zeroing(const { moved(N) })
}

/// The lanes from which bytes come that move down by so many lanes; 255 for none.
// PERF: as constants, they become an `ext` on aarch64, and an `i8x16.shuffle` on wasm32.
#[cfg(not(target_arch = "x86_64"))]
const fn moved(down: i32) -> u8x16 {
    let mut from = [255; 16];
    let mut lane = 0;
    while lane < 16 {
        let at = lane as i32 + down;
        if at >= 0 && at < 16 {
            from[lane] = at as u8;
        }
        lane += 1;
    }
    u8x16::new(from)
}

/// Interleaves words: those of the lower halves, and those of the upper halves.
#[inline(always)]
pub(crate) fn zip16(a: u16x8, b: u16x8) -> (u16x8, u16x8) {
    #[cfg(target_arch = "x86_64")]
    {
        use safe_arch::{unpack_high_i16_m128i, unpack_low_i16_m128i};
        let (a, b) = (cast(a), cast(b));
        let (low, high) = (unpack_low_i16_m128i(a, b), unpack_high_i16_m128i(a, b));
        (cast(low), cast(high))
    }
    #[cfg(target_feature = "simd128")]
    {
        use std::arch::wasm32::u16x8_shuffle;
        let (a, b) = (a.into(), b.into());
        let low = u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b);
        let high = u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b);
        (low.into(), high.into())
    }
    #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
    {
        use crate::arrays::Mapped;
        use wide::ShuffleExt;
        const LOW: [u8; 16] = [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23];
        let both: [u8x16; 2] = [cast(a), cast(b)];
        let take = |from: [u8; 16]| cast(both.shuffle_zeroing(u8x16::new(from)));
        (take(LOW), take(LOW.mapped(|lane| lane + 8)))
    }
}

/// Returns lanes 0 and 2 of both, and lanes 1 and 3 of both.
#[inline(always)]
pub(crate) fn evens_and_odds(a: u32x4, b: u32x4) -> (u32x4, u32x4) {
    let (low, high) = (a.unpack_lo(b), a.unpack_hi(b));
    (low.unpack_lo(high), low.unpack_hi(high))
}

/// Returns `a` where it is less than `b`, and `b` elsewhere, also where one is NaN.
#[cfg(feature = "steer")]
#[inline(always)]
pub(crate) fn lesser(a: f32x4, b: f32x4) -> f32x4 {
    // `fast_min` is that on x86-64 alone; elsewhere zeros and NaN differ.
    #[cfg(target_arch = "x86_64")]
    return a.fast_min(b);
    #[cfg(target_feature = "simd128")]
    return b.fast_min(a);
    #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
    a.simd_lt(b).bitselect(a, b)
}

/// Returns `a` where it is greater than `b`, and `b` elsewhere, also where one is NaN.
#[cfg(feature = "steer")]
#[inline(always)]
pub(crate) fn greater(a: f32x4, b: f32x4) -> f32x4 {
    #[cfg(target_arch = "x86_64")]
    return a.fast_max(b);
    #[cfg(target_feature = "simd128")]
    return b.fast_max(a);
    #[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
    a.simd_gt(b).bitselect(a, b)
}
