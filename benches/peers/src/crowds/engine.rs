//! What a run asks of an engine, and the three engines.

use std::time::Duration;

use flowtiles::steer::Reading;

use super::army::Marching;
use super::orca::{Orca, Parameters};
use super::scenes::Scene;

/// The seconds of a step.
pub const STEP: f32 = 1.0 / 20.0;

/// An engine in a scene.
pub trait Engine {
    /// Moves all bodies by one step, and returns the processor time of it.
    fn step(&mut self) -> Duration;

    /// Where the bodies are, in the order of the scene.
    fn positions(&self, positions: &mut Vec<[f32; 2]>);

    /// Whether each body has been where it goes.
    fn there(&self) -> &[bool];
}

/// The engines, in the order of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Orca,
    Army,
    Crowd,
}

/// All engines.
pub const KINDS: [Kind; 3] = [Kind::Orca, Kind::Army, Kind::Crowd];

impl Kind {
    /// Returns the name in tables.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Orca => "ORCA",
            Self::Army => "army",
            Self::Crowd => "army with the crowd",
        }
    }

    /// Returns the engine at the start of a scene.
    pub fn begin(self, scene: &Scene, parameters: Parameters) -> Box<dyn Engine> {
        match self {
            Self::Orca => Box::new(Orca::new(scene, parameters)),
            Self::Army => Box::new(Marching::new(scene, Reading::Ahead)),
            Self::Crowd => Box::new(Marching::new(scene, Reading::Crowd)),
        }
    }
}
