//! Reading a map of any format.

use std::fs::File;
use std::io::{Error, Read};
use std::path::Path;

use flowtiles::{Cell, CostMap};

use crate::{
    Format, Kinds, Lack, MAX_FILE_CELLS, Place, ReadError, read_flow, read_movingai, read_text,
};

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
    #[cfg(feature = "ldtk")]
    choice: crate::LdtkChoice,
}

/// A map read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadedMap {
    /// The format that the file was read as.
    pub format: Format,
    /// The costs of the map's cells.
    pub costs: CostMap,
    /// The cells of the spawn points of a Tiled map (the objects in layers named
    /// `spawn`) or of LDtk levels (the entities of that name), in the order of the
    /// file, on the map or off it; empty for other formats.
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
            #[cfg(feature = "ldtk")]
            choice: crate::LdtkChoice {
                level: None,
                layer: None,
            },
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
    /// cell, so the file's length limits them, and the maps of editors have limits of
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

    /// Returns the reader for other levels, or another layer, of an LDtk project.
    #[cfg(feature = "ldtk")]
    #[must_use]
    pub fn with_choice(mut self, choice: crate::LdtkChoice) -> Self {
        self.choice = choice;
        self
    }

    /// Reads a map from bytes. Tilesets and levels in separate files are refused,
    /// since bytes have no folder.
    ///
    /// # Errors
    /// For the first fault in the bytes, with its place.
    pub fn read(&self, format: Format, bytes: &[u8]) -> Result<CostMap, ReadError> {
        Ok(self.read_in(format, bytes, None)?.costs)
    }

    /// Reads a map from the bytes of a file with this name. The format is that of the first
    /// bytes if they show one, otherwise that of the name's extension; which editor has
    /// written JSON, an extension of LDtk decides.
    ///
    /// # Errors
    /// If the format is unknown, and as [`read`](Self::read).
    pub fn read_named(&self, name: &Path, bytes: &[u8]) -> Result<CostMap, ReadError> {
        self.read(self.format_of(name, bytes)?, bytes)
    }

    /// Reads a map from a file, of the format that [`read_named`](Self::read_named) would
    /// take it for.
    ///
    /// # Errors
    /// If the file cannot be read or is too large, if its format is unknown,
    /// and for the first fault in the bytes, with its place. The error names the file.
    pub fn read_file(&self, path: &Path) -> Result<LoadedMap, ReadError> {
        self.read_path(path).map_err(|error| error.in_file(path))
    }

    fn read_path(&self, path: &Path) -> Result<LoadedMap, ReadError> {
        let unreadable = |error: Error| {
            let what = format!("cannot be read ({error}): give the path of a file that can");
            Place::File.fault(what)
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        let head = file.by_ref().take(HEAD).read_to_end(&mut bytes);
        head.map_err(unreadable)?;
        let format = self.format_of(path, &bytes)?;
        let limit = match format {
            #[cfg(feature = "tiled")]
            Format::Tmx | Format::Tmj => crate::MAX_TILED_BYTES,
            #[cfg(feature = "ldtk")]
            Format::Ldtk => crate::MAX_LDTK_BYTES,
            _ => MAX_BYTES,
        };
        let room = (limit + 1).saturating_sub(bytes.len() as u64);
        let rest = file.take(room).read_to_end(&mut bytes);
        rest.map_err(unreadable)?;
        if bytes.len() as u64 > limit {
            let what = "the most that are read: cut the map into several";
            let what = format!("the file has more than {limit} bytes, {what}");
            return Err(Place::File.fault(what));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_here = folder.as_os_str().is_empty();
        let folder = if is_here { Path::new(".") } else { folder };
        self.read_in(format, &bytes, Some(folder))
    }

    /// Returns the format in which a file with this name and these first bytes
    /// is read.
    ///
    /// # Errors
    /// If neither shows the format, and the reader is not for one.
    pub fn format_of(&self, path: &Path, head: &[u8]) -> Result<Format, ReadError> {
        let named = Format::of_path(path);
        let shown = || match Format::of_bytes(head) {
            // The header of LDtk may come late, and Tiled has none.
            Some(Format::Tmj) if named == Some(Format::Ldtk) => named,
            shown => shown.or(named),
        };
        self.format.or_else(shown).ok_or_else(|| {
            let all = Format::ALL.map(|format| format!(" .{format}")).concat();
            let what = "the format of the map is unknown: give the file the extension";
            let error = Place::File.fault(format!("{what}{all}, or name the format"));
            error.lacking(Lack::Format)
        })
    }

    #[cfg_attr(
        not(any(feature = "ldtk", feature = "tiled")),
        expect(unused_variables)
    )]
    fn read_in(
        &self,
        format: Format,
        bytes: &[u8],
        folder: Option<&Path>,
    ) -> Result<LoadedMap, ReadError> {
        let costs = match format {
            Format::MovingAi => read_movingai(bytes, &self.kinds.terrain)?,
            Format::Text => read_text(bytes)?,
            Format::Flow => read_flow(bytes, self.cells_max)?,
            #[cfg(feature = "png")]
            Format::Png => match &self.kinds.heights {
                Some(heights) => crate::read_heights(bytes, heights, self.cells_max)?,
                None => crate::read_png(bytes, self.kinds.palette.as_ref(), self.cells_max)?,
            },
            #[cfg(feature = "tiled")]
            Format::Tmx => return crate::read_tmx(bytes, folder),
            #[cfg(feature = "tiled")]
            Format::Tmj => return crate::read_tmj(bytes, folder),
            #[cfg(feature = "ldtk")]
            Format::Ldtk => {
                return crate::read_ldtk(bytes, &self.kinds.names, &self.choice, folder);
            }
            #[cfg(not(all(feature = "ldtk", feature = "png", feature = "tiled")))]
            format => return Err(Place::File.fault(format.not_built())),
        };
        Ok(LoadedMap {
            format,
            costs,
            spawns: Vec::new(),
        })
    }
}
