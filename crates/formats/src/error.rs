//! The errors of reading and of writing files.

use std::fmt;
use std::path::{Path, PathBuf};

use flowtiles::Cost;

#[cfg(feature = "png")]
use crate::Colour;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The file as a whole.
    File,
    /// The offset of a byte.
    Byte(usize),
    /// A line, and a byte in it: one past the last if something is missing
    /// there. Both are counted from 1.
    Line {
        /// The line.
        line: usize,
        /// The byte in the line.
        column: usize,
    },
    /// A part that has a name: a pixel, a layer, a tileset.
    Part(String),
}

impl Place {
    pub(crate) fn fault(self, what: impl Into<String>) -> ReadError {
        ReadError {
            file: None,
            at: self,
            what: what.into(),
            lacks: None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the file"),
            Self::Byte(at) => write!(f, "byte {at}"),
            Self::Line { line, column } => write!(f, "line {line}, column {column}"),
            Self::Part(name) => f.write_str(name),
        }
    }
}

/// Why bytes or a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The file, if it was read by its path.
    pub file: Option<PathBuf>,
    /// The place of the fault.
    pub at: Place,
    /// The fault, and what to do about it.
    pub what: String,
    /// What the caller can give the reader so that it reads the file, if that is all that is
    /// missing.
    pub lacks: Option<Lack>,
}

/// What a reader needs and was not given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lack {
    /// The format of the file.
    Format,
    /// The cost of a letter of a Moving AI map.
    Letter(u8),
    /// The cost of a kind of ground with this name.
    Name(String),
    /// The cost of a colour of a picture.
    #[cfg(feature = "png")]
    Colour(Colour),
}

impl ReadError {
    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        self.file = Some(path.to_owned());
        self
    }

    pub(crate) fn lacking(mut self, lack: Lack) -> Self {
        self.lacks = Some(lack);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if self.at != Place::File {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for ReadError {}

/// Why a map or a scenario could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteError {
    /// The fault with its place, and what to do about it.
    pub what: String,
    /// The cost that has no letter or colour, if that is the fault.
    pub cost: Option<Cost>,
}

impl From<String> for WriteError {
    fn from(what: String) -> Self {
        Self { what, cost: None }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for WriteError {}
