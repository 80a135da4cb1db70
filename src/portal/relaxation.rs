//! Relaxation: which portals of a sector a new path reaches at a lower cost
//! than known so far. It is the innermost step of a search, done for all
//! portals of the sector at once.
//!
//! A path's cost is that of a walk through the sector plus that of the rest of
//! the path. The walks of four lanes at a time are widened, the rest is added,
//! and the known costs are subtracted. The signs of the differences are the
//! answer.
//!
//! PERF: 12 instructions for four lanes. For the plain loop the compiler emits
//! 58, since SSE2 cannot compare 64-bit numbers.

/// Returns a bit for each lane in which a walk plus `onward` costs less than
/// what is known. Costs stay below 2⁶². There are at most 32 lanes, a multiple
/// of four.
#[inline(always)]
pub(crate) fn better(known: &[u64], walks: &[u16], onward: u64) -> u32 {
    let fours = known.as_chunks().0.iter().zip(walks.as_chunks().0);
    let mut found = 0;
    for (four, (known, walks)) in fours.enumerate() {
        found |= better_of_four(known, walks, onward) << (4 * four);
    }
    found
}

/// Does the same for walks that do not fit into 16 bits.
pub(crate) fn better_wide(known: &[u64], walks: &[u32], onward: u64) -> u32 {
    let lanes = known.iter().zip(walks).enumerate();
    lanes.fold(0, |found, (lane, (&known, &walk))| {
        found | u32::from(onward + u64::from(walk) < known) << lane
    })
}

#[cfg(any(test, portable_lanes, not(target_arch = "x86_64")))]
fn plainly(known: &[u64; 4], walks: &[u16; 4], onward: u64) -> u32 {
    let lanes = std::array::from_fn::<u32, 4, _>(|lane| {
        u32::from(onward + u64::from(walks[lane]) < known[lane]) << lane
    });
    lanes.iter().sum()
}

#[cfg(any(portable_lanes, not(target_arch = "x86_64")))]
use plainly as better_of_four;

#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
#[inline(always)]
fn better_of_four(known: &[u64; 4], walks: &[u16; 4], onward: u64) -> u32 {
    use safe_arch::{
        add_i64_m128i, cast_to_m128_from_m128i, m128i, move_mask_m128, set_i64_m128i_s,
        set_splat_i64_m128i, shuffle_abi_f32_all_m128, sub_i64_m128i, unpack_high_i32_m128i,
        unpack_low_i16_m128i, unpack_low_i32_m128i, zeroed_m128i,
    };
    let [a, b, c, d] = walks.map(u64::from);
    let (zero, onward) = (zeroed_m128i(), set_splat_i64_m128i(onward as i64));
    let walks = set_i64_m128i_s((a | b << 16 | c << 32 | d << 48) as i64);
    let walks = unpack_low_i16_m128i(walks, zero);
    let off = |walks: m128i, first: u64, second: u64| {
        let cost = add_i64_m128i(walks, onward);
        let off = sub_i64_m128i(cost, m128i::from([first as i64, second as i64]));
        cast_to_m128_from_m128i(off)
    };
    let low = off(unpack_low_i32_m128i(walks, zero), known[0], known[1]);
    let high = off(unpack_high_i32_m128i(walks, zero), known[2], known[3]);
    move_mask_m128(shuffle_abi_f32_all_m128::<0b11_01_11_01>(low, high)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lanes_found_are_those_of_the_plain_loop() {
        let mut state = 3_u64;
        let mut draw = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 20) % below
        };
        for turn in 0..10_000_u64 {
            let onward = draw([100, 1 << 40, 1 << 61][(turn % 3) as usize]);
            let walks: [u16; 12] = std::array::from_fn(|_| match draw(4) {
                0 => u16::MAX,
                _ => draw(2000) as u16,
            });
            let known: [u64; 12] = std::array::from_fn(|lane| match draw(4) {
                0 => 1 << 62,
                1 => 0,
                2 => onward + u64::from(walks[lane]),
                _ => onward + draw(2000),
            });
            let wide = walks.map(u32::from);
            let found = better(&known, &walks, onward);
            assert_eq!(found, better_wide(&known, &wide, onward));
            let first = (known.first_chunk().unwrap(), walks.first_chunk().unwrap());
            assert_eq!(found & 15, plainly(first.0, first.1, onward));
        }
    }
}
