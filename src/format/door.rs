//! One door for maps of every format: what the bytes or the name of a file say
//! it is, how it is read, and how it is written.

mod formats;
mod kinds;
mod read;
mod write;

pub use formats::Format;
pub use kinds::Kinds;
pub use read::{LoadedMap, MapReader, ReadError};
pub use write::{Loss, MapWriter, WriteError, Written};
