//! The tests of the library that use what is public, but for the corpus: one program, since linking
//! one is quicker than linking ten.

mod draws;
mod oracle;

#[cfg(feature = "steer")]
mod crowd;

mod docs;
mod engine;
mod features;
mod layers;
mod public_api;

#[cfg(feature = "steer")]
mod armies;
#[cfg(all(feature = "crowd", feature = "steer"))]
mod crowds;
#[cfg(all(feature = "crowd", feature = "steer"))]
mod errors;
#[cfg(all(
    feature = "crowd",
    feature = "mint",
    feature = "serde",
    feature = "steer"
))]
mod interop;
#[cfg(feature = "steer")]
mod steering;
