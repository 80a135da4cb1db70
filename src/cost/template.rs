//! Templates: rectangles of costs to be stamped on a map.

use std::fmt;
use std::sync::Arc;

use super::Cost;
use crate::grid::{Cell, CellRect, MAX_SIDE};

/// The byte stored for a hole of a template.
pub(super) const HOLE: u8 = 0;

/// A rectangle of costs to be stamped on a map (a building, a bridge, a bomb
/// crater), with holes in which the ground stays as it is.
///
/// Cheap to clone: all clones share the costs.
///
/// ```
/// use flowtiles::{Cost, StampTemplate};
///
/// let barracks = StampTemplate::rows(&[
///     "#####",
///     "#2 2#", // rubble, and in its midst the ground as it was
///     "##.##", // a gate
/// ])?;
/// assert_eq!((barracks.width(), barracks.height()), (5, 3));
/// assert_eq!(barracks.get(2, 1), None);
/// assert_eq!(barracks.get(2, 2), Some(Cost::OPEN));
/// # Ok::<(), flowtiles::error::TemplateError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StampTemplate {
    width: u32,
    height: u32,
    /// Row by row; [`HOLE`] in holes.
    costs: Arc<[u8]>,
}

impl StampTemplate {
    /// Makes a template from costs, row by row; `None` is a hole.
    ///
    /// # Errors
    /// For a side of zero or over [`MAX_SIDE`], and if the number of costs is
    /// not width × height.
    pub fn new(width: u32, height: u32, costs: &[Option<Cost>]) -> Result<Self, TemplateError> {
        let bytes = costs.iter().map(|cost| cost.map_or(HOLE, Cost::value));
        Self::stored(width, height, bytes.collect())
    }

    /// Makes a template from letters: `#` is a wall, `.` open ground, a digit
    /// from 1 to 9 its cost, and a space a hole.
    ///
    /// # Errors
    /// For any other letter, for rows of different lengths, and for a size that
    /// [`StampTemplate::new`] refuses.
    pub fn rows(rows: &[&str]) -> Result<Self, TemplateError> {
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut costs = Vec::new();
        for (y, row) in (0..).zip(rows) {
            for (x, letter) in (0..).zip(row.chars()) {
                costs.push(match letter {
                    ' ' => HOLE,
                    '.' => Cost::OPEN.value(),
                    '#' => Cost::WALL.value(),
                    '1'..='9' => letter as u8 - b'0',
                    _ => return Err(TemplateError::Letter { letter, x, y }),
                });
            }
            let found = row.chars().count() as u64;
            if found != width as u64 {
                let expected = width as u64;
                return Err(TemplateError::Row { y, expected, found });
            }
        }
        let side = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
        Self::stored(side(width), side(rows.len()), costs)
    }

    /// Makes a template from bytes, 0 for holes.
    pub(crate) fn stored(width: u32, height: u32, costs: Vec<u8>) -> Result<Self, TemplateError> {
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(TemplateError::Size { width, height });
        }
        let expected = u64::from(width) * u64::from(height);
        let found = costs.len() as u64;
        if expected != found {
            return Err(TemplateError::Length { expected, found });
        }
        let costs = costs.into();
        Ok(Self {
            width,
            height,
            costs,
        })
    }

    /// Returns the number of cells in a row.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of cells in a column.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the cost in column `x`, row `y`; `None` for a hole and outside.
    #[must_use]
    pub fn get(&self, x: u32, y: u32) -> Option<Cost> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let cost = self.costs[y as usize * self.width as usize + x as usize];
        (cost != HOLE).then(|| Cost::stored(cost))
    }

    /// Returns the cells that the template covers when it is turned and its
    /// north-west corner lies at `at`.
    #[must_use]
    pub const fn area(&self, at: Cell, turn: Turn) -> CellRect {
        match turn {
            Turn::None | Turn::Half => CellRect::new(at.x, at.y, self.width, self.height),
            Turn::Quarter | Turn::ThreeQuarters => {
                CellRect::new(at.x, at.y, self.height, self.width)
            }
        }
    }

    /// Returns the cost in column `x`, row `y` after a turn.
    pub(super) fn turned(&self, turn: Turn, x: u32, y: u32) -> Option<Cost> {
        let (right, bottom) = (self.width - 1, self.height - 1);
        match turn {
            Turn::None => self.get(x, y),
            Turn::Quarter => self.get(y, bottom - x),
            Turn::Half => self.get(right - x, bottom - y),
            Turn::ThreeQuarters => self.get(right - y, x),
        }
    }

    /// Returns the costs, row by row, 0 for holes.
    pub(super) fn stored_costs(&self) -> &[u8] {
        &self.costs
    }
}

impl fmt::Debug for StampTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StampTemplate({}×{})", self.width, self.height)
    }
}

/// How far a template is turned clockwise before it is stamped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// Not turned.
    #[default]
    None,
    /// Its north side faces east.
    Quarter,
    /// Its north side faces south.
    Half,
    /// Its north side faces west.
    ThreeQuarters,
}

impl Turn {
    /// All four turns, each a quarter further than the one before.
    pub const ALL: [Self; 4] = [Self::None, Self::Quarter, Self::Half, Self::ThreeQuarters];
}

/// The error for input that is no template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateError {
    /// A side is zero or over [`MAX_SIDE`].
    Size {
        /// Requested width.
        width: u32,
        /// Requested height.
        height: u32,
    },
    /// The number of costs is not the number of cells.
    Length {
        /// Width × height.
        expected: u64,
        /// Number of costs given.
        found: u64,
    },
    /// A row is not as long as the first.
    Row {
        /// The row, from 0.
        y: u32,
        /// Number of letters in the first row.
        expected: u64,
        /// Number of letters in this row.
        found: u64,
    },
    /// A letter has no meaning.
    Letter {
        /// The letter.
        letter: char,
        /// Its column, from 0.
        x: u32,
        /// Its row, from 0.
        y: u32,
    },
    /// Corners make no polygon with an area, or one whose sides cross or touch.
    Polygon,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                f,
                "a template cannot have {width}×{height} cells: give 1 to {MAX_SIDE} a side"
            ),
            Self::Length { expected, found } => write!(
                f,
                "{found} costs were given where width × height is {expected}: \
                 give one for each cell, row by row, and `None` for holes"
            ),
            Self::Row { y, expected, found } => write!(
                f,
                "row {y} of the template has {found} letters and the first has {expected}: \
                 make them equally long, with spaces for holes"
            ),
            Self::Letter { letter, x, y } => write!(
                f,
                "the letter {letter:?} in column {x}, row {y} of the template means nothing: \
                 use `#` for a wall, `.` or 1 to 9 for a cost, a space for a hole"
            ),
            Self::Polygon => f.write_str(
                "the corners make no polygon with an area: give three or more in the order in \
                 which they go around it, so that no side crosses or touches another",
            ),
        }
    }
}

impl std::error::Error for TemplateError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the template in letters after a turn.
    fn drawn(template: &StampTemplate, turn: Turn) -> Vec<String> {
        let area = template.area(Cell::new(0, 0), turn);
        let letter = |x, y| match template.turned(turn, x, y) {
            None => ' ',
            Some(Cost::WALL) => '#',
            Some(cost) => char::from(b'0' + cost.value()),
        };
        (0..area.height)
            .map(|y| (0..area.width).map(|x| letter(x, y)).collect())
            .collect()
    }

    #[test]
    fn a_template_turns_clockwise() {
        let template = StampTemplate::rows(&["123", "# 4"]).unwrap();
        assert_eq!(drawn(&template, Turn::None), ["123", "# 4"]);
        assert_eq!(drawn(&template, Turn::Quarter), ["#1", " 2", "43"]);
        assert_eq!(drawn(&template, Turn::Half), ["4 #", "321"]);
        assert_eq!(drawn(&template, Turn::ThreeQuarters), ["34", "2 ", "1#"]);
    }

    #[test]
    fn malformed_template_is_refused_with_its_position() {
        let letter = TemplateError::Letter {
            letter: '?',
            x: 1,
            y: 2,
        };
        assert_eq!(StampTemplate::rows(&["..", "..", ".?"]), Err(letter));
        let row = TemplateError::Row {
            y: 1,
            expected: 2,
            found: 3,
        };
        assert_eq!(StampTemplate::rows(&["..", "..."]), Err(row));
        let none: [&[&str]; 2] = [&[], &[""]];
        for rows in none {
            assert!(matches!(
                StampTemplate::rows(rows),
                Err(TemplateError::Size { width: 0, .. })
            ));
        }
        let length = TemplateError::Length {
            expected: 6,
            found: 5,
        };
        assert_eq!(StampTemplate::new(2, 3, &[None; 5]), Err(length));
        assert!(StampTemplate::new(MAX_SIDE + 1, 1, &[]).is_err());
    }
}
