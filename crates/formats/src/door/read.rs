//! Reading a map of any format.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Format, Kinds};
use crate::flow::{FlowError, read_flow};
use crate::movingai::{MapError, read_map};
#[cfg(feature = "png")]
use crate::picture::{PictureError, read_png};
use crate::rows::MAX_FILE_CELLS;
use crate::text::{TextMapError, read_text};
#[cfg(feature = "tiled")]
use crate::tiled::{MAX_TILED_BYTES, TiledError, TiledMap, read_tmj, read_tmx};
use flowtiles::Cell;
use flowtiles::CostMap;

/// The number of first bytes in which the format of a file is detected.
const HEAD: u64 = 1 << 16;
/// The most bytes that a file may have.
const MAX_BYTES: u64 = 1 << 30;

/// A reader for map files of every format, with the costs of their letters and
/// colours.
///
/// ```
/// use flowtiles_formats::{Format, MapReader};
///
/// let reader = MapReader::new();
/// let map = reader.read(Format::Text, b"..#\n...\n")?;
/// assert_eq!((map.width(), map.height()), (3, 2));
/// # Ok::<(), flowtiles_formats::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapReader {
    kinds: Kinds,
    cells_max: u64,
    format: Option<Format>,
}

/// A map read from a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedMap {
    /// The format that the file was read as.
    pub format: Format,
    /// The costs of the map's cells.
    pub costs: CostMap,
    /// The cells of the objects in layers named `spawn` of a Tiled map, on the
    /// map or off it; empty for other formats.
    pub spawns: Vec<Cell>,
}

impl Default for MapReader {
    fn default() -> Self {
        Self::new()
    }
}

impl MapReader {
    /// Returns a reader with [`Kinds::new`], for maps of up to
    /// [`MAX_FILE_CELLS`] cells.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            kinds: Kinds::new(),
            cells_max: MAX_FILE_CELLS,
            format: None,
        }
    }

    /// Returns the reader with other costs for letters and colours.
    #[must_use]
    pub fn with_kinds(mut self, kinds: impl Into<Kinds>) -> Self {
        self.kinds = kinds.into();
        self
    }

    /// Returns the reader with another limit for the size that a `.flow` map or
    /// a picture claims. Moving AI and text maps have at least a byte for each
    /// cell, so the file's length limits them, and Tiled maps have a limit of
    /// their own.
    #[must_use]
    pub const fn with_cells_max(mut self, cells_max: u64) -> Self {
        self.cells_max = cells_max;
        self
    }

    /// Returns the reader for files of one format, regardless of their names
    /// and first bytes.
    #[must_use]
    pub const fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Reads a map from bytes. Tilesets in separate files are refused, since
    /// bytes have no folder.
    ///
    /// # Errors
    /// For the first fault in the bytes, with its place.
    pub fn read(&self, format: Format, bytes: &[u8]) -> Result<CostMap, ReadError> {
        Ok(self.read_in(format, bytes, None)?.costs)
    }

    /// Reads a map from a file. The format is that of the first bytes if they
    /// show one, otherwise that of the extension.
    ///
    /// # Errors
    /// If the file cannot be read or is too large, if its format is unknown,
    /// and for the first fault in the bytes, with its place.
    pub fn read_file(&self, path: &Path) -> Result<LoadedMap, ReadError> {
        let mut file = File::open(path).map_err(ReadError::File)?;
        let mut bytes = Vec::new();
        let head = file.by_ref().take(HEAD).read_to_end(&mut bytes);
        head.map_err(ReadError::File)?;
        let format = self
            .format
            .or_else(|| Format::of_bytes(&bytes))
            .or_else(|| Format::of_path(path))
            .ok_or(ReadError::Unknown)?;
        let limit = bytes_max(format);
        let room = (limit + 1).saturating_sub(bytes.len() as u64);
        let rest = file.take(room).read_to_end(&mut bytes);
        rest.map_err(ReadError::File)?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::Bytes { limit });
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_here = folder.as_os_str().is_empty();
        let folder = if is_here { Path::new(".") } else { folder };
        self.read_in(format, &bytes, Some(folder))
    }

    fn read_in(
        &self,
        format: Format,
        bytes: &[u8],
        folder: Option<&Path>,
    ) -> Result<LoadedMap, ReadError> {
        let costs = match format {
            Format::MovingAi => {
                read_map(bytes, &self.kinds.terrain).map_err(ReadError::MovingAi)?
            }
            Format::Text => read_text(bytes).map_err(ReadError::Text)?,
            Format::Flow => read_flow(bytes, self.cells_max).map_err(ReadError::Flow)?,
            Format::Png => self.read_picture(bytes)?,
            Format::Tmx | Format::Tmj => return read_tiled(format, bytes, folder),
        };
        Ok(LoadedMap {
            format,
            costs,
            spawns: Vec::new(),
        })
    }

    #[cfg(feature = "png")]
    fn read_picture(&self, bytes: &[u8]) -> Result<CostMap, ReadError> {
        read_png(bytes, self.kinds.palette.as_ref(), self.cells_max).map_err(ReadError::Png)
    }

    #[cfg(not(feature = "png"))]
    fn read_picture(&self, _: &[u8]) -> Result<CostMap, ReadError> {
        let format = Format::Png;
        Err(ReadError::NotBuilt { format })
    }
}

#[cfg(feature = "tiled")]
fn read_tiled(format: Format, bytes: &[u8], folder: Option<&Path>) -> Result<LoadedMap, ReadError> {
    let read = if format == Format::Tmx {
        read_tmx(bytes, folder)
    } else {
        read_tmj(bytes, folder)
    };
    let TiledMap { costs, spawns } = read.map_err(ReadError::Tiled)?;
    Ok(LoadedMap {
        format,
        costs,
        spawns,
    })
}

#[cfg(not(feature = "tiled"))]
fn read_tiled(format: Format, _: &[u8], _: Option<&Path>) -> Result<LoadedMap, ReadError> {
    Err(ReadError::NotBuilt { format })
}

const fn bytes_max(format: Format) -> u64 {
    match format {
        #[cfg(feature = "tiled")]
        Format::Tmx | Format::Tmj => MAX_TILED_BYTES,
        _ => MAX_BYTES,
    }
}

/// Why a file or bytes could not be read as a map.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    File(io::Error),
    /// The file has too many bytes.
    Bytes {
        /// The most bytes that it may have.
        limit: u64,
    },
    /// Neither the name nor the first bytes show the format of the map.
    Unknown,
    /// The crate was built without the feature for the format.
    NotBuilt {
        /// The format.
        format: Format,
    },
    /// A fault of a Moving AI map.
    MovingAi(MapError),
    /// A fault of a map in text.
    Text(TextMapError),
    /// A fault of a `.flow` map.
    Flow(FlowError),
    /// A fault of a picture.
    #[cfg(feature = "png")]
    Png(PictureError),
    /// A fault of a Tiled map.
    #[cfg(feature = "tiled")]
    Tiled(TiledError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(
                f,
                "cannot be read ({error}): give the path of a file that can"
            ),
            Self::Bytes { limit } => write!(
                f,
                "the file has more than {limit} bytes, the most that are read: \
                 cut the map into several"
            ),
            Self::Unknown => {
                f.write_str("the format of the map is unknown: give the file the extension")?;
                for format in Format::ALL {
                    write!(f, " .{format}")?;
                }
                f.write_str(", or name the format")
            }
            Self::NotBuilt { format } => not_built(*format, f),
            Self::MovingAi(error) => error.fmt(f),
            Self::Text(error) => error.fmt(f),
            Self::Flow(error) => error.fmt(f),
            #[cfg(feature = "png")]
            Self::Png(error) => error.fmt(f),
            #[cfg(feature = "tiled")]
            Self::Tiled(error) => error.fmt(f),
        }
    }
}

pub(super) fn not_built(format: Format, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let feature = format.feature().unwrap_or_default();
    write!(
        f,
        ".{format} maps need the feature `{feature}`: build flowtiles with it"
    )
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::MovingAi(error) => Some(error),
            Self::Text(error) => Some(error),
            Self::Flow(error) => Some(error),
            #[cfg(feature = "png")]
            Self::Png(error) => Some(error),
            #[cfg(feature = "tiled")]
            Self::Tiled(error) => Some(error),
            Self::Bytes { .. } | Self::Unknown | Self::NotBuilt { .. } => None,
        }
    }
}
