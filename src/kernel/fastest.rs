//! The lanes that are used: the fastest for the target.

/// The fastest lanes there are for the target.
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
pub(super) type Fast = super::lanes::sse2::SseWords;
/// The fastest lanes there are for the target.
#[cfg(not(all(target_arch = "x86_64", not(portable_lanes))))]
pub(super) type Fast = super::lanes::arrays::ArrayWords;
