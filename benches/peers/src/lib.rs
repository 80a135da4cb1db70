//! What the comparisons of paths, of crowds and of walks share. See `README.md` beside this
//! package's manifest.

pub mod clock;
#[cfg(feature = "maps")]
pub mod ground;
pub mod machine;
#[cfg(feature = "maps")]
pub mod maps;
pub mod markdown;
pub mod numbers;
pub mod random;
#[cfg(feature = "maps")]
pub mod task;
