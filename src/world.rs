//! The facade: the one module that knows every stage.

mod budget;
mod facade;
mod inspect;
mod report;

pub use budget::Budget;
pub use facade::{FlowWorld, Sample};
pub use inspect::Integration;
pub use report::{EditReport, Progress, Stats};
