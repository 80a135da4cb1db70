//! The method by which the bands of a crowd scene find their path: turns the
//! command's `--method` into a reading of the engine.

use flowtiles::steer::Reading;
use serde::Serialize;

/// A method of steering a whole scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The flow field alone; units step aside for each other.
    Plain,
    /// Continuum Crowds: each group's potential depends on the others.
    Crowd,
}

impl Method {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Crowd => "crowd",
        }
    }
}

/// The reading of a band.
pub const fn reading(method: Method) -> Reading {
    match method {
        Method::Plain => Reading::Ahead,
        Method::Crowd => Reading::Crowd,
    }
}
