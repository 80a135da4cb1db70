//! File formats: text and bytes from outside, turned into costs at the door.
//!
//! ```text
//!   bytes ──▶ read_map ──▶ CostMap      every fault with its line, its column
//!   bytes ──▶ read_scenario ──▶ entries       and what to do about it
//! ```
//!
//! Whatever is wrong with the bytes is found here, once; what comes out needs
//! no second look. A header is never believed before the body bears it out,
//! so a few bytes cannot claim gigabytes.

mod movingai;

pub use movingai::{
    MapError, MapFault, NoLetter, Place, ScenarioEntry, ScenarioError, ScenarioFault, Terrain,
    read_map, read_scenario, write_map,
};
