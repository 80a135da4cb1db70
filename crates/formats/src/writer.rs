//! Writing a map in any format.

use std::fmt;

use flowtiles::{Cost, CostMap};

use crate::rows::check_size;
use crate::{Format, Kinds, MAX_FILE_CELLS, WriteError, write_flow, write_movingai, write_text};

const NOT_WRITTEN: &str = "LDtk projects are read and not written: choose another format";

/// A writer for maps in every format but those that are only read.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles_formats::{Format, MapWriter};
///
/// let mut map = CostMap::open(3, 1)?;
/// map.edit(Cell::new(1, 0), Cost::new(4)?)?;
/// let exact = MapWriter::new();
/// assert_eq!(exact.write(Format::Text, &map)?.bytes, b".4.\n");
/// // Moving AI letters have no cost 4: refused, or replaced by the nearest.
/// let error = exact.write(Format::MovingAi, &map).unwrap_err();
/// assert!(error.to_string().starts_with("the cell (1, 0) costs 4, for which there is no letter"));
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
    /// representation for a cost, or if the format is only read or not built in.
    pub fn write(&self, format: Format, map: &CostMap) -> Result<Written, WriteError> {
        // A `.flow` file of plain ground is small, whatever the map's size.
        if format != Format::Flow {
            check_size(map.width(), map.height(), MAX_FILE_CELLS)?;
        }
        let (near, losses) = match self.has(format) {
            Some(has) if self.is_lossy => bring_near(map, &has),
            _ => (None, Vec::new()),
        };
        let map = near.as_ref().unwrap_or(map);
        let bytes = match format {
            Format::MovingAi => write_movingai(map, &self.kinds.terrain)?.into_bytes(),
            Format::Text => write_text(map).into_bytes(),
            Format::Flow => write_flow(map),
            #[cfg(feature = "png")]
            Format::Png => crate::write_png(map, self.kinds.palette.as_ref())?,
            #[cfg(feature = "tiled")]
            Format::Tmx => crate::write_tmx(map)?.into_bytes(),
            #[cfg(feature = "tiled")]
            Format::Tmj => crate::write_tmj(map)?.into_bytes(),
            Format::Ldtk => return Err(NOT_WRITTEN.to_owned().into()),
            #[cfg(not(all(feature = "png", feature = "tiled")))]
            format => return Err(format.not_built().into()),
        };
        Ok(Written { bytes, losses })
    }

    /// Returns the costs that a format can represent, by value; `None` if it
    /// can represent all.
    fn has(&self, format: Format) -> Option<[bool; 256]> {
        match format {
            Format::MovingAi => Some(self.kinds.terrain.letters().map(|letter| letter.is_some())),
            #[cfg(feature = "png")]
            Format::Png => {
                let colours = self.kinds.palette.as_ref()?.colours();
                Some(colours.map(|colour| colour.is_some()))
            }
            _ => None,
        }
    }
}

/// Returns the map with each cost that is not in `has` replaced by the nearest
/// that is, and the losses. Costs without any replacement stay.
fn bring_near(map: &CostMap, has: &[bool; 256]) -> (Option<CostMap>, Vec<Loss>) {
    let mut rows = map.to_rows();
    let mut cells = [0; 256];
    for &cost in &rows {
        cells[usize::from(cost)] += 1;
    }
    let open = || (1..Cost::WALL.value()).filter_map(|cost| Cost::new(cost).ok());
    let is_known = |cost: &Cost| has[usize::from(cost.value())];
    let mut near: [u8; 256] = std::array::from_fn(|cost| cost as u8);
    let mut losses = Vec::new();
    for cost in open().filter(|cost| !is_known(cost)) {
        let value = cost.value();
        let nearest = open().filter(is_known);
        let nearest = nearest.min_by_key(|other| other.value().abs_diff(value));
        let cells = cells[usize::from(value)];
        if let (Some(written), 1..) = (nearest, cells) {
            near[usize::from(value)] = written.value();
            losses.push(Loss {
                cost,
                written,
                cells,
            });
        }
    }
    for cost in &mut rows {
        *cost = near[usize::from(*cost)];
    }
    let changed = CostMap::from_rows(map.width(), map.height(), &rows);
    (changed.ok(), losses)
}
