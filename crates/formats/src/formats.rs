//! The formats, by name, extension and first bytes, and the costs of their
//! letters, names and colours.

use std::fmt;
use std::path::Path;

#[cfg(feature = "png")]
use crate::{Heights, Palette};
use crate::{Names, Terrain, flow, text};

/// The first bytes of every PNG picture.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// What LDtk writes first of all, and within how many bytes.
const LDTK: (&[u8], usize) = (b"\"__header__\"", 64);

/// A format of map files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.map` of the Moving AI benchmarks.
    MovingAi,
    /// `.txt`: one character for each cell.
    Text,
    /// `.flow`: the project's own format.
    Flow,
    /// `.png`: one pixel for each cell (feature `png`).
    Png,
    /// `.tmx` of the Tiled editor (feature `tiled`).
    Tmx,
    /// `.tmj`, or `.json`, of the Tiled editor (feature `tiled`).
    Tmj,
    /// `.ldtk` of the LDtk editor, which is read and not written (feature `ldtk`).
    Ldtk,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::MovingAi,
        Self::Text,
        Self::Flow,
        Self::Png,
        Self::Tmx,
        Self::Tmj,
        Self::Ldtk,
    ];

    /// Returns the extension of the format's files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::MovingAi => "map",
            Self::Text => "txt",
            Self::Flow => "flow",
            Self::Png => "png",
            Self::Tmx => "tmx",
            Self::Tmj => "tmj",
            Self::Ldtk => "ldtk",
        }
    }

    /// Returns the format with the extension of a path, in letters of any case.
    ///
    /// ```
    /// use std::path::Path;
    /// use flowtiles_formats::Format;
    ///
    /// assert_eq!(Format::of_path(Path::new("maps/Arena.MAP")), Some(Format::MovingAi));
    /// assert_eq!(Format::of_path(Path::new("maps/arena")), None);
    /// ```
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "json" => return Some(Self::Tmj),
            "ldtkl" => return Some(Self::Ldtk),
            _ => {}
        }
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.extension() == extension)
    }

    /// Returns the format that the first bytes of a file show, if any.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(PNG) {
            return Some(Self::Png);
        }
        if bytes.starts_with(flow::MAGIC) {
            return Some(Self::Flow);
        }
        let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let plain = plain.trim_ascii_start();
        match plain {
            [b'<', ..] => Some(Self::Tmx),
            [b'{', ..] => {
                let mut head = plain.windows(LDTK.0.len()).take(LDTK.1);
                Some(if head.any(|piece| piece == LDTK.0) {
                    Self::Ldtk
                } else {
                    Self::Tmj
                })
            }
            _ if plain.starts_with(b"type octile") => Some(Self::MovingAi),
            _ => text::looks_like_text(bytes).then_some(Self::Text),
        }
    }

    /// Returns the feature of this crate that the format needs to be read or
    /// written; `None` if it needs none.
    #[must_use]
    pub const fn feature(self) -> Option<&'static str> {
        match self {
            Self::MovingAi | Self::Text | Self::Flow => None,
            Self::Png => Some("png"),
            Self::Tmx | Self::Tmj => Some("tiled"),
            Self::Ldtk => Some("ldtk"),
        }
    }

    /// Whether maps are written in the format, and not only read.
    #[must_use]
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::Ldtk)
    }

    #[cfg(not(all(feature = "ldtk", feature = "png", feature = "tiled")))]
    pub(crate) fn not_built(self) -> String {
        let feature = self.feature().unwrap_or_default();
        format!(".{self} maps need the feature `{feature}`: build flowtiles-formats with it")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

/// The costs of the letters of Moving AI maps, of the names of ground in other
/// maps and of the colours of pictures, for both [`MapReader`](crate::MapReader) and
/// [`MapWriter`](crate::MapWriter).
///
/// ```
/// use flowtiles::Cost;
/// use flowtiles_formats::{Format, Kinds, MapReader, Terrain};
///
/// let terrain = Terrain::game().with(b'C', Cost::new(5)?);
/// let reader = MapReader::new().with_kinds(Kinds::new().with_terrain(terrain));
/// let map = reader.read(Format::MovingAi, b"type octile\nheight 1\nwidth 2\nmap\n.C\n")?;
/// assert_eq!(map.to_rows(), [1, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kinds {
    pub(crate) terrain: Terrain,
    pub(crate) names: Names,
    #[cfg(feature = "png")]
    pub(crate) palette: Option<Palette>,
    #[cfg(feature = "png")]
    pub(crate) heights: Option<Heights>,
}

impl Default for Kinds {
    fn default() -> Self {
        Self::new()
    }
}

impl Kinds {
    /// Returns the letters of [`Terrain::game`] and the names of [`Names::usual`]
    /// without a palette: pictures are grey.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            terrain: Terrain::game(),
            names: Names::usual(),
            #[cfg(feature = "png")]
            palette: None,
            #[cfg(feature = "png")]
            heights: None,
        }
    }

    /// Returns these kinds with other letters.
    #[must_use]
    pub fn with_terrain(mut self, terrain: Terrain) -> Self {
        self.terrain = terrain;
        self
    }

    /// Returns these kinds with other names.
    #[must_use]
    pub fn with_names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// Returns these kinds with a palette.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn with_palette(mut self, palette: Palette) -> Self {
        self.palette = Some(palette);
        self
    }

    /// Returns these kinds for pictures that are height maps. They are read so, and written
    /// as without.
    #[cfg(feature = "png")]
    #[must_use]
    pub const fn with_heights(mut self, heights: Heights) -> Self {
        self.heights = Some(heights);
        self
    }
}

#[cfg(feature = "png")]
impl From<Heights> for Kinds {
    fn from(heights: Heights) -> Self {
        Self::new().with_heights(heights)
    }
}

impl From<Terrain> for Kinds {
    fn from(terrain: Terrain) -> Self {
        Self::new().with_terrain(terrain)
    }
}

impl From<Names> for Kinds {
    fn from(names: Names) -> Self {
        Self::new().with_names(names)
    }
}

#[cfg(feature = "png")]
impl From<Palette> for Kinds {
    fn from(palette: Palette) -> Self {
        Self::new().with_palette(palette)
    }
}
