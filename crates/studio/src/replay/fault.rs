//! Why a battle cannot continue.

use std::fmt;

/// Why a battle cannot continue.
#[derive(Debug)]
pub enum Fault {
    /// An input cannot be carried out.
    Refused(String),
    /// A result differs from the expected one.
    Differs(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(fault) | Self::Differs(fault) => f.write_str(fault),
        }
    }
}

pub fn refused(error: impl fmt::Display) -> Fault {
    Fault::Refused(error.to_string())
}

pub fn differs(error: impl fmt::Display) -> Fault {
    Fault::Differs(error.to_string())
}
