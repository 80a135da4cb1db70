//! Writing a map in any format.

use std::fmt;

use super::read::not_built;
use super::{Format, Kinds};
use crate::flow::write_flow;
use crate::movingai::{NoLetter, write_map};
#[cfg(feature = "png")]
use crate::picture::{NoColour, Palette, write_png};
use crate::rows::{SizeFault, check_size, map_from_rows};
use crate::text::write_text;
#[cfg(feature = "tiled")]
use crate::tiled::{write_tmj, write_tmx};
use flowtiles::{Cost, CostMap};

/// The most cells that are written in a format in which every cell takes space.
const MAX_CELLS: u64 = crate::rows::MAX_FILE_CELLS;

/// A writer for maps in every format.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles_formats::{Format, MapWriter, WriteError};
///
/// let mut map = CostMap::open(3, 1)?;
/// map.edit(Cell::new(1, 0), Cost::new(4)?)?;
/// let exact = MapWriter::new();
/// assert_eq!(exact.write(Format::Text, &map)?.bytes, b".4.\n");
/// // Moving AI letters have no cost 4: refused, or replaced by the nearest.
/// assert!(matches!(exact.write(Format::MovingAi, &map), Err(WriteError::MovingAi(_))));
/// let written = MapWriter::new().lossy().write(Format::MovingAi, &map)?;
/// assert_eq!(written.losses[0].to_string(), "1 cell of cost 4 written as 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapWriter {
    kinds: Kinds,
    is_lossy: bool,
}

/// A written map.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The losses, in the order of the costs.
    pub losses: Vec<Loss>,
}

/// Cells that were written with another cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The cost in the map.
    pub cost: Cost,
    /// The cost that was written.
    pub written: Cost,
    /// The number of cells.
    pub cells: u64,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |cost: Cost| match cost {
            Cost::WALL => "wall".to_owned(),
            cost => cost.value().to_string(),
        };
        let cells = if self.cells == 1 { "cell" } else { "cells" };
        let (from, to) = (name(self.cost), name(self.written));
        write!(f, "{} {cells} of cost {from} written as {to}", self.cells)
    }
}

impl Default for MapWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl MapWriter {
    /// Returns a writer with [`Kinds::new`] that refuses to lose a cost.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            kinds: Kinds::new(),
            is_lossy: false,
        }
    }

    /// Returns the writer with other costs for letters and colours.
    #[must_use]
    pub fn with_kinds(mut self, kinds: impl Into<Kinds>) -> Self {
        self.kinds = kinds.into();
        self
    }

    /// Returns the writer in a form that replaces a cost without a
    /// representation in the format by the nearest that has one (of two, the
    /// lower). Walls stay walls, and open cells stay open.
    #[must_use]
    pub const fn lossy(mut self) -> Self {
        self.is_lossy = true;
        self
    }

    /// Writes a map.
    ///
    /// # Errors
    /// If the map is too large for the format, if the format has no
    /// representation for a cost, or if the format is not built in.
    pub fn write(&self, format: Format, map: &CostMap) -> Result<Written, WriteError> {
        // A `.flow` file of plain ground is small, whatever the map's size.
        if format != Format::Flow {
            check_size(map.width(), map.height(), MAX_CELLS).map_err(WriteError::Size)?;
        }
        let (changed, losses) = match self.has(format) {
            Some(has) if self.is_lossy => bring_near(map, &has),
            _ => (None, Vec::new()),
        };
        let bytes = self.bytes(format, changed.as_ref().unwrap_or(map))?;
        Ok(Written { bytes, losses })
    }

    /// Returns the costs that a format can represent, by value; `None` if it
    /// can represent all.
    fn has(&self, format: Format) -> Option<[bool; 256]> {
        match format {
            Format::MovingAi => Some(self.kinds.terrain.letters().map(|letter| letter.is_some())),
            #[cfg(feature = "png")]
            Format::Png => self.kinds.palette.as_ref().map(Palette::has),
            _ => None,
        }
    }

    fn bytes(&self, format: Format, map: &CostMap) -> Result<Vec<u8>, WriteError> {
        match format {
            Format::MovingAi => {
                let text = write_map(map, &self.kinds.terrain).map_err(WriteError::MovingAi)?;
                Ok(text.into_bytes())
            }
            Format::Text => Ok(write_text(map).into_bytes()),
            Format::Flow => Ok(write_flow(map)),
            #[cfg(feature = "png")]
            Format::Png => write_png(map, self.kinds.palette.as_ref()).map_err(WriteError::Png),
            #[cfg(feature = "tiled")]
            Format::Tmx | Format::Tmj => {
                let text = match format {
                    Format::Tmx => write_tmx(map),
                    _ => write_tmj(map),
                };
                Ok(text.map_err(WriteError::Size)?.into_bytes())
            }
            #[cfg(not(all(feature = "png", feature = "tiled")))]
            format => Err(WriteError::NotBuilt { format }),
        }
    }
}

/// Returns the map with each cost that is not in `has` replaced by the nearest
/// that is, and the losses. Costs without any replacement stay.
fn bring_near(map: &CostMap, has: &[bool; 256]) -> (Option<CostMap>, Vec<Loss>) {
    let rows = map.to_rows();
    let mut counts = [0_u64; 256];
    for &cost in &rows {
        counts[usize::from(cost)] += 1;
    }
    let mut near: Vec<u8> = (0..=u8::MAX).collect();
    let mut losses = Vec::new();
    for cost in 1..Cost::WALL.value() {
        let cells = counts[usize::from(cost)];
        if cells == 0 || has[usize::from(cost)] {
            continue;
        }
        let open = (1..Cost::WALL.value()).filter(|&other| has[usize::from(other)]);
        let nearest = open.min_by_key(|&other| other.abs_diff(cost)).unwrap_or(0);
        if let (Ok(from), Ok(written)) = (Cost::new(cost), Cost::new(nearest)) {
            near[usize::from(cost)] = nearest;
            losses.push(Loss {
                cost: from,
                written,
                cells,
            });
        }
    }
    if losses.is_empty() {
        return (None, losses);
    }
    let width = map.width() as usize;
    let changed = map_from_rows(map.width(), map.height(), |y, row| {
        let from = &rows[y as usize * width..][..width];
        for (to, &cost) in row.iter_mut().zip(from) {
            *to = near[usize::from(cost)];
        }
        Ok::<(), ()>(())
    });
    (changed.ok(), losses)
}

/// Why a map could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The map is too large for the format.
    Size(SizeFault),
    /// The crate was built without the feature for the format.
    NotBuilt {
        /// The format.
        format: Format,
    },
    /// A cost has no letter.
    MovingAi(NoLetter),
    /// A cost has no colour.
    #[cfg(feature = "png")]
    Png(NoColour),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(fault) => fault.fmt(f),
            Self::NotBuilt { format } => not_built(*format, f),
            Self::MovingAi(error) => error.fmt(f),
            #[cfg(feature = "png")]
            Self::Png(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::MovingAi(error) => Some(error),
            #[cfg(feature = "png")]
            Self::Png(error) => Some(error),
            Self::Size(_) | Self::NotBuilt { .. } => None,
        }
    }
}
