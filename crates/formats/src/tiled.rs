//! Maps of the Tiled editor: `.tmx` (XML) and `.tmj` (JSON).
//!
//! ```text
//!   .tmx ──▶ xml  ──┐
//!                   ├──▶ Document ──▶ costs ──▶ CostMap, spawns
//!   .tmj ──▶ json ──┘        ▲
//!                    .tsx, .tsj of the same folder
//! ```
//!
//! Properties give the cost of a tile: `cost` (1 to 255) or `wall` (true),
//! first those of the tile, else those of its layer. Layers lie on open ground
//! in the order of the file, later ones on top; a tile without either property
//! changes nothing. All sizes that the file claims are checked before memory is
//! allocated for them, and compressed layers are unpacked only up to the size
//! of the map.

mod costs;
mod data;
mod document;
mod error;
mod files;
mod json;
mod limits;
mod map;
mod screen;
mod text;
mod write;
mod xml;

use std::path::Path;

pub use error::{TiledError, TiledFault};
pub use limits::{MAX_TILED_BYTES, MAX_TILED_CELLS};
pub use map::TiledMap;
use text::text_of;
pub use write::{write_tmj, write_tmx};

/// Reads a map from XML. Tilesets in separate files are read from `folder`, or
/// refused if there is none.
///
/// # Errors
/// For the first fault, with its place.
pub fn read_tmx(bytes: &[u8], folder: Option<&Path>) -> Result<TiledMap, TiledError> {
    let text = text_of(bytes)?;
    xml::with_map(text, |document| costs::map_of(document, folder))
}

/// Reads a map from JSON. Tilesets in separate files are read from `folder`, or
/// refused if there is none.
///
/// # Errors
/// For the first fault, with its place.
pub fn read_tmj(bytes: &[u8], folder: Option<&Path>) -> Result<TiledMap, TiledError> {
    let text = text_of(bytes)?;
    costs::map_of(&json::map(text)?, folder)
}
