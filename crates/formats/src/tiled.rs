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
mod write;
mod xml;

use std::path::Path;

use crate::editor::Editor;
use crate::{Format, LoadedMap, ReadError};
pub use write::{write_tmj, write_tmx};

/// The most bytes that a Tiled map, or a tileset beside it, may have: 32 MiB.
pub const MAX_TILED_BYTES: u64 = 32 << 20;
/// The most cells that a Tiled map may have: 2²⁴, a square with sides of 4,096
/// cells.
pub const MAX_TILED_CELLS: u64 = 1 << 24;

const NESTED: &str = "elements are nested too deeply or are too many: join groups of layers, and \
                      save layers as CSV";
const EDITOR: Editor = Editor {
    name: "Tiled",
    bytes_max: MAX_TILED_BYTES,
    remedy: "cut the map into several, save its layers compressed, or use fewer tilesets",
    kind: "tileset",
    instead: "embed it in the map",
};

/// Reads a map from XML. Tilesets in separate files are read from `folder`, or
/// refused if there is none.
///
/// # Errors
/// For the first fault, with its place.
pub fn read_tmx(bytes: &[u8], folder: Option<&Path>) -> Result<LoadedMap, ReadError> {
    let tree = xml::parse(EDITOR.text_of(bytes)?)?;
    costs::map_of(Format::Tmx, &xml::map(&tree)?, folder)
}

/// Reads a map from JSON. Tilesets in separate files are read from `folder`, or
/// refused if there is none.
///
/// # Errors
/// For the first fault, with its place.
pub fn read_tmj(bytes: &[u8], folder: Option<&Path>) -> Result<LoadedMap, ReadError> {
    costs::map_of(
        Format::Tmj,
        &document::parse(EDITOR.text_of(bytes)?)?,
        folder,
    )
}

fn wrong(attribute: &str) -> String {
    format!(
        "`{attribute}` is missing or cannot have this value: correct it (sizes are whole numbers \
         from 1 to 65535), or save the file from Tiled again"
    )
}
