//! The facade: the one module that knows every stage.

mod build;
mod editing;
mod facade;
mod fogging;
mod gating;
mod inspect;
mod layered;
mod limits;
mod linking;
mod ordering;
mod path;
mod provisional;
mod questions;
mod report;
mod rows;
mod sample;
mod save;
mod shared;
mod stamping;
mod state;
mod surcharging;
mod ticking;
mod watch;

pub use build::{BuildProgress, WorldBuild};
pub use facade::FlowWorld;
#[cfg(feature = "steer")]
pub(crate) use facade::Sampler;
#[cfg(feature = "steer")]
pub(crate) use fogging::Eye;
pub use fogging::FogError;
pub use gating::GateError;
pub use inspect::{Inspection, Integration};
pub use layered::LayerView;
pub use limits::{BlockError, Limits, StampError};
pub use linking::LinkError;
pub use path::Waypoint;
pub use report::{EditReport, Progress, Stats};
pub use rows::RowsError;
pub use sample::Sample;
pub use save::LoadError;
pub use shared::SharedWorld;
pub use state::StateParts;
pub use surcharging::{SurchargeError, SurchargeReport};
pub use watch::{OrderStage, PricedPortal, Watch};
