//! Rectangles of cells.

use std::fmt;

use super::{Cell, SECTOR_SIDE};

/// A rectangle of cells: its north-west corner, width and height.
///
/// A single [`Cell`] converts into the rectangle of that cell, so functions
/// that take `impl Into<CellRect>` also take cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellRect {
    /// Westmost column.
    pub x: i32,
    /// Northmost row.
    pub y: i32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl CellRect {
    /// Returns the rectangle of `width`×`height` cells with its north-west
    /// corner at (`x`, `y`).
    #[must_use]
    pub const fn new(x: i32, y: i32, width: u32, height: u32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// Whether the rectangle has no cells.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Whether `cell` lies inside.
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        let dx = cell.x as i64 - self.x as i64;
        let dy = cell.y as i64 - self.y as i64;
        dx >= 0 && dy >= 0 && dx < self.width as i64 && dy < self.height as i64
    }

    /// Returns the cells that both rectangles contain; empty if there are none.
    #[must_use]
    pub const fn intersection(&self, other: Self) -> Self {
        const fn overlap(a: i32, a_length: u32, b: i32, b_length: u32) -> (i32, u32) {
            let from = if a > b { a } else { b };
            let (a_end, b_end) = (a as i64 + a_length as i64, b as i64 + b_length as i64);
            let to = if a_end < b_end { a_end } else { b_end };
            let length = to - from as i64;
            (from, if length > 0 { length as u32 } else { 0 })
        }
        let (x, width) = overlap(self.x, self.width, other.x, other.width);
        let (y, height) = overlap(self.y, self.height, other.y, other.height);
        Self::new(x, y, width, height)
    }

    /// Returns the smallest rectangle around two that lie on a map and are not
    /// empty.
    pub(crate) fn around(&self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width as i32).max(other.x + other.width as i32);
        let bottom = (self.y + self.height as i32).max(other.y + other.height as i32);
        Self::new(x, y, (right - x) as u32, (bottom - y) as u32)
    }

    /// Returns the rectangle, larger by this many cells on each side. It must lie on a
    /// map.
    pub(crate) const fn grown(&self, by: u32) -> Self {
        let (x, y) = (self.x - by as i32, self.y - by as i32);
        Self::new(x, y, self.width + 2 * by, self.height + 2 * by)
    }

    /// Cuts the rectangle along the borders of sectors, row by row, into pieces
    /// of at most `sectors` sectors a side (at least one). A large edit can be
    /// made piece by piece this way.
    ///
    /// ```
    /// use flowtiles::CellRect;
    /// let pieces: Vec<CellRect> = CellRect::new(5, 0, 30, 10).pieces(2).collect();
    /// assert_eq!(pieces, [CellRect::new(5, 0, 15, 10), CellRect::new(20, 0, 15, 10)]);
    /// ```
    pub fn pieces(self, sectors: u32) -> impl Iterator<Item = Self> {
        let side = i64::from(sectors.max(1)) * i64::from(SECTOR_SIDE);
        let rows = spans(self.y, self.height, side);
        rows.flat_map(move |(y, height)| {
            let columns = spans(self.x, self.width, side);
            columns.map(move |(x, width)| Self::new(x, y, width, height))
        })
    }

    /// Returns the cells, row by row. The rectangle must lie on a map:
    /// coordinates past `i32::MAX` are not cells.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        (0..height).flat_map(move |dy| {
            (0..width).map(move |dx| {
                Cell::new(
                    (i64::from(self.x) + dx) as i32,
                    (i64::from(self.y) + dy) as i32,
                )
            })
        })
    }
}

/// Splits an interval at the multiples of `side`; returns the start and length
/// of each part.
fn spans(from: i32, length: u32, side: i64) -> impl Iterator<Item = (i32, u32)> {
    let end = i64::from(from) + i64::from(length);
    let mut from = i64::from(from);
    std::iter::from_fn(move || {
        let begin = from;
        from = ((begin.div_euclid(side) + 1) * side).min(end);
        (begin < end).then_some((begin as i32, (from - begin) as u32))
    })
}

impl From<Cell> for CellRect {
    fn from(cell: Cell) -> Self {
        Self::new(cell.x, cell.y, 1, 1)
    }
}

impl fmt::Display for CellRect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}×{} cells at ({}, {})",
            self.width, self.height, self.x, self.y
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_rect_each_in_its_own_sectors() {
        for area in [
            CellRect::new(-13, 7, 45, 21),
            CellRect::new(0, 0, 10, 10),
            CellRect::new(9, 9, 2, 1),
            CellRect::new(3, 3, 0, 5),
        ] {
            for sectors in [0, 1, 2, 7, u32::MAX] {
                let side = i64::from(sectors.max(1)) * 10;
                let block = |cell: Cell| [cell.x, cell.y].map(|at| i64::from(at).div_euclid(side));
                let mut cells = Vec::new();
                for piece in area.pieces(sectors) {
                    let mut blocks: Vec<_> = piece.cells().map(block).collect();
                    blocks.dedup();
                    assert_eq!(blocks.len(), 1, "{piece} of {area}");
                    cells.extend(piece.cells());
                }
                cells.sort_by_key(|cell| (cell.y, cell.x));
                assert!(cells.into_iter().eq(area.cells()), "{area} by {sectors}");
            }
        }
        let far = CellRect::new(i32::MAX - 5, i32::MIN, 5, 3);
        assert_eq!(far.pieces(1).map(|piece| piece.width).sum::<u32>(), 5);
    }

    #[test]
    fn an_intersection_holds_what_both_hold() {
        let a = CellRect::new(-3, 2, 10, 5);
        for b in [
            CellRect::new(0, 0, 3, 3),
            CellRect::new(-10, -10, 8, 40),
            CellRect::new(6, 6, u32::MAX, u32::MAX),
            CellRect::new(7, 2, 4, 4),
            CellRect::new(i32::MIN, i32::MIN, u32::MAX, u32::MAX),
        ] {
            let both = a.intersection(b);
            assert_eq!(both, b.intersection(a));
            for cell in CellRect::new(-12, -12, 40, 40).cells() {
                assert_eq!(both.contains(cell), a.contains(cell) && b.contains(cell));
            }
        }
    }
}
