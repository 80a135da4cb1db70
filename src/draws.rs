//! Numbers that tests draw: the same in every run.

use std::env;

/// A ninth of a number of draws, times `FLOWTILES_DRAWS`: 1 where it is not set. Under Miri, which
/// is slow, a thousandth of that, at least one.
pub(crate) fn scaled(number: u64) -> u64 {
    let draws = env::var("FLOWTILES_DRAWS").map_or(Ok(1), |draws| draws.parse());
    let draws: u64 = draws.expect("FLOWTILES_DRAWS is a whole number");
    (number * draws).div_ceil(if cfg!(miri) { 9_000 } else { 9 })
}

/// Draws numbers below what it is given.
pub(crate) fn draws(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((state >> 33) % u64::from(below)) as u32
    }
}
