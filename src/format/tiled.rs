//! Maps of the Tiled editor: `.tmx` (XML) and `.tmj` (JSON).
//!
//! ```text
//!   .tmx ──▶ xml  ──┐
//!                   ├──▶ Document ──▶ costs ──▶ CostMap, spawns
//!   .tmj ──▶ json ──┘        ▲
//!                    .tsx, .tsj of the same folder
//! ```
//!
//! What a tile costs is said by properties: `cost` (1 to 255) or `wall` (true)
//! of the tile, else of its layer. Layers are laid on open ground in the order
//! of the file, the later on top; a tile without either property changes
//! nothing. The file's own sizes are checked before room is made for them, and
//! compressed layers are unpacked up to the size that the map says.

mod costs;
mod data;
mod document;
mod error;
mod files;
mod json;
mod screen;
mod write;
mod xml;

use std::path::Path;

use crate::cost::CostMap;
use crate::grid::Cell;
pub use error::{TiledError, TiledFault};
pub use write::{write_tmj, write_tmx};

/// The most bytes that a Tiled map, or a tileset beside it, may have: 32 MiB.
pub const MAX_TILED_BYTES: u64 = 32 << 20;
/// The most cells that a Tiled map may have: 2²⁴, a square of 4,096 cells a
/// side.
pub const MAX_TILED_CELLS: u64 = 1 << 24;
/// Cells of all layers together.
const MAX_LAYER_CELLS: u64 = 1 << 26;

/// A map of the Tiled editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiledMap {
    /// What its cells cost.
    pub costs: CostMap,
    /// The cells in which the objects of layers named `spawn` lie, in the order
    /// of the file. They may lie off the map.
    pub spawns: Vec<Cell>,
}

/// Reads a map from XML. Tilesets in files of their own are read from `folder`,
/// or refused if there is none.
///
/// # Errors
/// For the first fault, with its place.
pub fn read_tmx(bytes: &[u8], folder: Option<&Path>) -> Result<TiledMap, TiledError> {
    let text = text_of(bytes)?;
    xml::with_map(text, |document| costs::map_of(document, folder))
}

/// Reads a map from JSON. Tilesets in files of their own are read from
/// `folder`, or refused if there is none.
///
/// # Errors
/// For the first fault, with its place.
pub fn read_tmj(bytes: &[u8], folder: Option<&Path>) -> Result<TiledMap, TiledError> {
    let text = text_of(bytes)?;
    costs::map_of(&json::map(text)?, folder)
}

/// The text of a file that is not too large.
fn text_of(bytes: &[u8]) -> Result<&str, TiledError> {
    if bytes.len() as u64 > MAX_TILED_BYTES {
        return Err(TiledFault::Bytes.at("the file"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        let what = "it is not UTF-8".to_owned();
        TiledFault::Syntax { what }.at(place)
    })
}
