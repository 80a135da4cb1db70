//! The lanes in use: the fastest available on the target.

/// SSE2 registers.
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
pub(super) type Fast = super::lanes::sse2::SseWords;
/// Plain arrays.
#[cfg(not(all(target_arch = "x86_64", not(portable_lanes))))]
pub(super) type Fast = super::lanes::arrays::ArrayWords;
