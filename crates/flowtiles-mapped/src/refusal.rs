//! The errors of opening a file of costs.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reasons for which a file cannot be a source of costs.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The file cannot be read.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The contents are not those of such a file.
    Content {
        /// The path of the file.
        path: PathBuf,
        /// The fault, and what to do about it.
        what: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(
                f,
                "{} cannot be read ({error}): give a file that `flowtiles_mapped::write` made",
                path.display()
            ),
            Self::Content { path, what } => write!(f, "{}: {what}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { error, .. } => Some(error),
            Self::Content { .. } => None,
        }
    }
}
