//! The facade: the one module that knows every stage.

mod facade;
mod inspect;
mod report;
mod sample;

pub use facade::FlowWorld;
pub use inspect::Integration;
pub use report::{EditReport, ImageError, Progress, Stats};
pub use sample::Sample;
