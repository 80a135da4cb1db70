//! Numbers that tests draw: the same in every run.

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
