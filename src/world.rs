//! The facade: the one module that knows every stage.

mod facade;
mod inspect;
mod report;

pub use facade::{FlowWorld, Sample};
pub use inspect::Integration;
pub use report::{EditReport, Progress, Stats};
