//! File formats: bytes from outside, turned into costs at the door, and back.
//!
//! ```text
//!   file or bytes ──▶ MapReader ──▶ CostMap       every fault with its place
//!                        │                        and what to do about it
//!                        ├─ read_map, read_text, read_flow
//!                        ├─ read_png                       feature `png`
//!                        └─ read_tmx, read_tmj             feature `tiled`
//!   CostMap ──▶ MapWriter ──▶ bytes               with what was lost, if asked
//!   bytes ──▶ read_scenario ──▶ entries ──▶ write_scenario
//! ```
//!
//! Whatever is wrong with the bytes is found here, once; what comes out needs
//! no second look. A header is never believed before it is checked against the
//! limits or the body bears it out, so a few bytes cannot claim gigabytes. The
//! formats are described in `docs/map-formats.md`.

mod door;
mod flow;
mod lines;
mod movingai;
#[cfg(feature = "png")]
mod picture;
mod rows;
mod text;
#[cfg(feature = "tiled")]
mod tiled;

pub use door::{
    Format, Kinds, LoadedMap, Loss, MapReader, MapWriter, ReadError, WriteError, Written,
};
pub use flow::{FlowError, read_flow, write_flow};
pub use lines::Place;
pub use movingai::{
    EntryFault, MapError, MapFault, NoLetter, ScenarioEntry, ScenarioError, ScenarioFault, Terrain,
    UnwritableEntry, read_map, read_scenario, write_map, write_scenario,
};
#[cfg(feature = "png")]
pub use picture::{Colour, NoColour, Palette, PaletteError, PictureError, read_png, write_png};
pub use rows::{MAX_FILE_CELLS, SizeFault};
pub use text::{TextError, TextFault, read_text, write_text};
#[cfg(feature = "tiled")]
pub use tiled::{
    MAX_TILED_BYTES, MAX_TILED_CELLS, TiledError, TiledFault, TiledMap, read_tmj, read_tmx,
    write_tmj, write_tmx,
};
