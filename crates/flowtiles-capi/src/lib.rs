//! [flowtiles](https://docs.rs/flowtiles) over a C ABI: worlds, orders and armies for C,
//! C++, C#, Python, and as WebAssembly for JavaScript.
//!
//! # Handles
//!
//! Worlds, orders and armies are named by handles: 64-bit integers, never 0. A handle is
//! looked up in a table, never followed as a pointer. So one that was freed, that names
//! another kind of thing, or that this library never gave is answered with an error.
//! Groups, layers, links and units are no handles but ids, of their army or world alone. 0 is
//! an id like others: that of the first group, of the ground's own layer, of the first link.
//!
//! An order and an army belong to the world that they were made for. Freeing a world
//! leaves their handles, which then answer [`FLOWTILES_ERROR_STALE`] and are to be freed too.
//!
//! # Results
//!
//! Every call that can fail returns a [`flowtiles_status`], and what it finds is written
//! through a pointer. After an error [`flowtiles_last_error`] says in words what is wrong
//! and what to do. Unless something else is said, a call that fails has changed nothing
//! and written nothing.
//!
//! # Memory
//!
//! All arrays are the caller's: the library reads or writes them during the call and
//! keeps none. A call that fills an array takes its room as `capacity` and writes the
//! number of entries as `count`; if there are more than fit, it writes their number and
//! nothing else, and returns [`FLOWTILES_ERROR_CAPACITY`]. `NULL` with a capacity of 0 asks for
//! the number alone.
//!
//! # Units
//!
//! Cells are columns from the west and rows from the north, from 0. Positions, distances
//! and radii are in cells, so (3.5, 4.5) is the middle of cell (3, 4); speeds are in
//! cells a second. Work is counted in cells.
//!
//! # Threads
//!
//! Every call may be made on any thread. Two that change one world or army wait for each
//! other; those that only read run at the same time.
//!
//! # Safety
//!
//! For all functions: a pointer is `NULL` or leads to as many values as the call says,
//! which nothing else changes during the call; they are readable, and writable where it
//! is not `const`. Outputs need not be initialised. An array must not be `NULL` unless
//! its length is 0; another pointer only where `NULL` is said to be allowed, and is
//! otherwise answered with [`FLOWTILES_ERROR_NULL`].

#![allow(
    unsafe_code,
    reason = "C passes pointers and finds functions by name; both are kept in memory.rs and \
              in the signatures, and the engine itself has none"
)]
#![allow(
    clippy::missing_safety_doc,
    reason = "the head of the crate has it, once for all functions"
)]
#![allow(non_camel_case_types, reason = "these are the names of C")]

mod army;
mod convert;
mod fog;
mod handles;
mod memory;
mod order;
mod questions;
mod sending;
mod stamps;
mod status;
mod types;
mod world;

pub use army::*;
pub use fog::*;
pub use memory::{flowtiles_alloc, flowtiles_dealloc};
pub use order::*;
pub use questions::*;
pub use sending::*;
pub use stamps::*;
pub use status::*;
pub use types::*;
pub use world::*;

/// The version of this interface: of the functions, structs and numbers. It grows with
/// every change that a compiled caller would notice.
pub const FLOWTILES_ABI_VERSION: u32 = 4;

/// Returns the [version](FLOWTILES_ABI_VERSION) of the library that was loaded. A caller
/// compares it with the one that it was compiled for.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_abi_version() -> u32 {
    FLOWTILES_ABI_VERSION
}
