//! One reader and one writer for maps of every format: they find the format by
//! the bytes or the name of a file.

mod formats;
mod kinds;
mod read;
mod write;

pub use formats::Format;
pub use kinds::Kinds;
pub use read::{LoadedMap, MapReader, ReadError};
pub use write::{Loss, MapWriter, WriteError, Written};
