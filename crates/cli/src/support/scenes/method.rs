//! How the bands of a crowd scene find their way: the one place that turns the
//! command's `--method` into what the engine is given.

use flowtiles::steer::{Reading, Settings};
use serde::Serialize;

/// A way to steer a whole scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The flow field alone; units step aside for each other.
    Plain,
    /// Continuum Crowds: each group's potential sees the others.
    Crowd,
}

impl Method {
    /// As the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Crowd => "crowd",
        }
    }
}

/// How a band reads its direction.
pub const fn reading(method: Method) -> Reading {
    match method {
        Method::Plain => Reading::Ahead,
        Method::Crowd => Reading::Crowd,
    }
}

/// The settings of a scene's army.
pub fn settings(method: Method) -> Settings {
    match method {
        Method::Plain | Method::Crowd => Settings::default(),
    }
}
