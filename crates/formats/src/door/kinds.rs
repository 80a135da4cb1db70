//! The costs of the letters and colours of map files.

use crate::movingai::Terrain;
#[cfg(feature = "png")]
use crate::picture::Palette;

/// The costs of the letters of Moving AI maps and of the colours of pictures,
/// for both [`MapReader`](super::MapReader) and
/// [`MapWriter`](super::MapWriter).
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
    pub(super) terrain: Terrain,
    #[cfg(feature = "png")]
    pub(super) palette: Option<Palette>,
}

impl Default for Kinds {
    fn default() -> Self {
        Self::new()
    }
}

impl Kinds {
    /// Returns the letters of [`Terrain::game`] without a palette: pictures are
    /// grey.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            terrain: Terrain::game(),
            #[cfg(feature = "png")]
            palette: None,
        }
    }

    /// Returns these kinds with other letters.
    #[must_use]
    pub fn with_terrain(mut self, terrain: Terrain) -> Self {
        self.terrain = terrain;
        self
    }

    /// Returns these kinds with a palette.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn with_palette(mut self, palette: Palette) -> Self {
        self.palette = Some(palette);
        self
    }
}

impl From<Terrain> for Kinds {
    fn from(terrain: Terrain) -> Self {
        Self::new().with_terrain(terrain)
    }
}

#[cfg(feature = "png")]
impl From<Palette> for Kinds {
    fn from(palette: Palette) -> Self {
        Self::new().with_palette(palette)
    }
}
