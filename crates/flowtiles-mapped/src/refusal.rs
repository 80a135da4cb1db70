//! The errors of opening a file of costs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::VERSION;

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

impl OpenError {
    pub(crate) fn file(path: &Path, error: io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            error,
        }
    }

    pub(crate) fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    pub(crate) fn version(path: &Path, version: u32) -> Self {
        Self::content(
            path,
            format!(
                "it has format version {version}, but only {VERSION} is known: \
                 read it with the version of flowtiles-mapped that wrote it"
            ),
        )
    }
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
