//! The faults of a map of the Tiled editor.

use std::fmt;

use super::limits::{MAX_LAYER_CELLS, MAX_TILED_BYTES};
use crate::rows::SizeFault;

/// A fault in a map of the Tiled editor, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TiledError {
    /// A line and column, or a layer or tileset by name.
    pub place: String,
    /// The fault.
    pub fault: TiledFault,
}

/// A fault in a map of the Tiled editor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TiledFault {
    /// The map, or all its separate tileset files together, have more than
    /// [`MAX_TILED_BYTES`] bytes.
    Bytes,
    /// The text is not XML or JSON as Tiled writes it.
    Syntax {
        /// The parser's message.
        what: String,
    },
    /// The text ends before its last element or object does.
    CutOff,
    /// The XML has a document type, which could define entities.
    DocumentType,
    /// Elements are nested too deeply, or there are too many.
    Nesting,
    /// An attribute is missing or has an invalid value.
    Attribute {
        /// The attribute.
        name: &'static str,
    },
    /// The map is not orthogonal.
    Orientation {
        /// The orientation of the map.
        found: String,
    },
    /// The size is refused.
    Size(SizeFault),
    /// All layers together have too many cells.
    Layers,
    /// A layer has another size than its map.
    LayerSize {
        /// Width and height of the layer.
        found: (u32, u32),
        /// Width and height of the map.
        map: (u32, u32),
    },
    /// A layer of tiles is moved by a fraction of a tile.
    Offset {
        /// The offset together with that of its groups, in pixels.
        found: (String, String),
        /// Width and height of a tile.
        tile: (u32, u32),
    },
    /// The offset of a layer moves a tile that has a cost off the map.
    OffMap,
    /// Data in an unsupported encoding or compression.
    Encoding {
        /// The encoding or compression.
        found: String,
    },
    /// Data that cannot be decoded.
    Data {
        /// The fault.
        what: &'static str,
    },
    /// The data have another length than the layer's cells.
    Count {
        /// The number of tiles, at least.
        found: u64,
        /// The expected number of tiles.
        expected: u64,
    },
    /// A tile is in no tileset.
    Tile {
        /// The tile's number in the map.
        number: u32,
    },
    /// A property has an invalid value.
    Property {
        /// The property.
        name: &'static str,
    },
    /// No tile and no layer has a cost.
    NoCosts,
    /// A tileset in a separate file was not read.
    Tileset {
        /// The reason.
        what: String,
    },
}

impl TiledFault {
    /// Writes a fault of a layer; nothing for the others.
    fn fmt_of_layer(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LayerSize {
                found: (width, height),
                map: (map_width, map_height),
            } => write!(
                f,
                "the layer has {width}×{height} cells and the map {map_width}×{map_height}: \
                 resize the map in Tiled"
            ),
            Self::Offset {
                found: (x, y),
                tile: (width, height),
            } => write!(
                f,
                "the layer is moved by {x},{y} pixels (its groups with it), which are not whole \
                 tiles of {width}×{height}: correct its offset in Tiled, or give it the property \
                 `ignore`"
            ),
            Self::OffMap => f.write_str(
                "the offset of the layer moves this tile, which has a cost, off the map: remove \
                 the tile or correct the offset in Tiled",
            ),
            Self::Encoding { found } => write!(
                f,
                "data as `{found}` are not read: save them as CSV, or as Base64 uncompressed or \
                 compressed by zlib or gzip"
            ),
            Self::Data { what } => write!(f, "{what}: save the map from Tiled again"),
            Self::Count { found, expected } => {
                if found > expected {
                    write!(f, "there are more than the {expected} tiles of its size")?;
                } else {
                    write!(f, "there are {found} of the {expected} tiles of its size")?;
                }
                f.write_str(": save the map from Tiled again")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn at(self, place: impl Into<String>) -> TiledError {
        TiledError {
            place: place.into(),
            fault: self,
        }
    }
}

impl fmt::Display for TiledError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl fmt::Display for TiledFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => write!(
                f,
                "up to here there are more than {MAX_TILED_BYTES} bytes: cut the map into several, \
                 save its layers compressed, or use fewer tilesets"
            ),
            Self::Syntax { what } => {
                // As the parser calls what it wants.
                let what = what.replace("expected u32", "where a whole number from 0 on belongs");
                write!(
                    f,
                    "the text cannot be parsed ({what}): save it from Tiled again"
                )
            }
            Self::CutOff => f.write_str(
                "the text ends here, before the map does: the file was cut off, so take another \
                 copy or save it from Tiled again",
            ),
            Self::DocumentType => {
                f.write_str("the file has a document type, which is refused: remove <!DOCTYPE …>")
            }
            Self::Nesting => f.write_str(
                "elements are nested too deeply or are too many: join groups of layers, \
                 and save layers as CSV",
            ),
            Self::Attribute { name } => write!(
                f,
                "`{name}` is missing or cannot have this value: correct it (sizes are whole \
                 numbers from 1 to 65535), or save the file from Tiled again"
            ),
            Self::Orientation { found } => write!(
                f,
                "the map is `{found}`, and only orthogonal maps have square cells: choose \
                 Map > Map Properties > Orientation > Orthogonal in Tiled"
            ),
            Self::Size(fault) => fault.fmt(f),
            Self::Layers => write!(
                f,
                "the layers up to here have more than {MAX_LAYER_CELLS} cells together: \
                 give layers that are for show the property `ignore`"
            ),
            Self::LayerSize { .. }
            | Self::Offset { .. }
            | Self::OffMap
            | Self::Encoding { .. }
            | Self::Data { .. }
            | Self::Count { .. } => self.fmt_of_layer(f),
            Self::Tile { number } => write!(
                f,
                "the tile {number} is in no tileset: add the tileset, or remove the tile"
            ),
            Self::Property { name } => write!(
                f,
                "the property `{name}` cannot have this value: give `cost` a whole number from \
                 1 to 255, `wall` and `ignore` true or false"
            ),
            Self::NoCosts => f.write_str(
                "no tile and no layer has a cost: give tiles or layers the property \
                 `cost` (1 to 255) or `wall` (true)",
            ),
            Self::Tileset { what } => f.write_str(what),
        }
    }
}

impl std::error::Error for TiledError {}
