//! One door for maps of every format: what the bytes or the name of a file say
//! it is, how it is read, and how it is written.

mod kinds;
mod read;
mod write;

pub use kinds::Format;
pub use read::{LoadedMap, MapReader, ReadError};
pub use write::{Loss, MapWriter, WriteError, Written};
