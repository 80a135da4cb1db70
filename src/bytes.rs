//! Bytes that leave the engine and come back: written, read and digested the
//! same way on every machine.
//!
//! ```text
//!   world ──▶ Writer ──▶ bytes ──▶ Reader ──▶ world    errors have a position
//!                          │
//!                        Digest ──▶ 64 bits            for comparison
//! ```
//!
//! Numbers are written in groups of seven bits, the lowest first, so that small
//! ones take one byte. A reader does not trust a count before it has read the
//! bytes that it counts.

mod digest;
mod envelope;
mod reader;
mod writer;

pub use digest::Digest;
pub(crate) use envelope::{EnvelopeFault, HEAD, open, seal};
pub(crate) use reader::{Fault, Reader};
pub(crate) use writer::Writer;
