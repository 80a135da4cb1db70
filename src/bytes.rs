//! Bytes that leave the engine and come back: written, read and digested the
//! same way on every machine.
//!
//! ```text
//!   world ──▶ Writer ──▶ bytes ──▶ Reader ──▶ world    every fault with its place
//!                          │
//!                        Digest ──▶ 64 bits            to tell equal from not
//! ```
//!
//! Numbers are written in groups of seven bits, the lowest first, so that
//! small ones take one byte. A reader never believes a count before the bytes
//! bear it out: what it hands out was there.

mod digest;
mod reader;
mod writer;

pub use digest::Digest;
pub(crate) use reader::{Fault, Reader};
pub(crate) use writer::Writer;
