//! A part of a map as lines of text.

use std::io::{self, Write};

use flowtiles::{Cell, SECTOR_SIDE, Sector};

/// The unit.
pub const FROM: char = '◉';
/// Its goal.
pub const GOAL: char = '★';
/// A wall.
pub const WALL: char = '#';
/// A cell without a text.
pub const OPEN: char = '·';

/// Text for the cells of some sectors, laid out as on the map with lines
/// between the sectors.
pub struct TextSheet {
    columns: std::ops::RangeInclusive<i32>,
    rows: std::ops::RangeInclusive<i32>,
    size: Cell,
    marks: Vec<(Cell, char)>,
    /// Cells with a text, row by row.
    texts: Vec<(Cell, String)>,
}

impl TextSheet {
    /// Creates a sheet for these sectors of a map with `size` columns and rows,
    /// from the text of each cell and the marks that replace the first letter.
    pub fn new(
        sectors: &[Sector],
        size: Cell,
        marks: Vec<(Cell, char)>,
        text: impl Fn(Cell) -> String,
    ) -> Self {
        let span = |along: fn(&Sector) -> i32| {
            let first = sectors.iter().map(along).min().unwrap_or(0);
            let last = sectors.iter().map(along).max().unwrap_or(-1);
            first..=last
        };
        let mut texts: Vec<(Cell, String)> = sectors
            .iter()
            .flat_map(|sector| cells(*sector, size))
            .map(|cell| (cell, text(cell)))
            .collect();
        texts.sort_unstable_by_key(|(cell, _)| (cell.y, cell.x));
        Self {
            columns: span(|sector| sector.x),
            rows: span(|sector| sector.y),
            size,
            marks,
            texts,
        }
    }

    /// Prints the sheet, with the cells of `bright` in another colour.
    pub fn write(&self, bright: &[Cell], out: &mut impl Write) -> io::Result<()> {
        let width = self
            .texts
            .iter()
            .map(|(_, text)| text.chars().count())
            .max();
        // Texts of one letter need no space between, wider ones do.
        let width = width.map_or(1, |width| if width > 1 { width + 1 } else { 1 });
        let margin = self.size.y.to_string().len();
        let mut bright = bright.to_vec();
        bright.sort_unstable();
        write!(out, "{:margin$} ", "")?;
        for column in self.columns.clone() {
            let across = width * self.cells_across(column);
            write!(out, " {:<across$}", column * SECTOR_SIDE)?;
        }
        writeln!(out)?;
        for row in self.rows.clone() {
            self.write_border(width, margin, out)?;
            for y in row * SECTOR_SIDE..((row + 1) * SECTOR_SIDE).min(self.size.y) {
                write!(out, "{y:margin$} ")?;
                self.write_row(y, width, &bright, out)?;
                writeln!(out, "│")?;
            }
        }
        self.write_border(width, margin, out)
    }

    fn cells_across(&self, column: i32) -> usize {
        (self.size.x - column * SECTOR_SIDE).clamp(0, SECTOR_SIDE) as usize
    }

    fn write_border(&self, width: usize, margin: usize, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{:margin$} ", "")?;
        for column in self.columns.clone() {
            write!(out, "┼{}", "─".repeat(width * self.cells_across(column)))?;
        }
        writeln!(out, "┼")
    }

    fn write_row(
        &self,
        y: i32,
        width: usize,
        bright: &[Cell],
        out: &mut impl Write,
    ) -> io::Result<()> {
        for column in self.columns.clone() {
            write!(out, "│")?;
            for x in column * SECTOR_SIDE..((column + 1) * SECTOR_SIDE).min(self.size.x) {
                let cell = Cell::new(x, y);
                let text = format!("{:>width$}", self.text(cell));
                let text = self.marked(cell, text);
                if bright.binary_search(&cell).is_ok() {
                    write!(out, "\x1b[1;33m{text}\x1b[0m")?;
                } else {
                    write!(out, "{text}")?;
                }
            }
        }
        Ok(())
    }

    fn text(&self, cell: Cell) -> &str {
        let found = self
            .texts
            .binary_search_by_key(&(cell.y, cell.x), |(cell, _)| (cell.y, cell.x));
        found.map_or("", |at| &self.texts[at].1)
    }

    /// Returns the text with its first letter replaced by the cell's mark (of a
    /// longer text, the space before it).
    fn marked(&self, cell: Cell, text: String) -> String {
        let mark = self.marks.iter().find(|(marked, _)| *marked == cell);
        match mark {
            Some((_, mark)) => std::iter::once(*mark).chain(text.chars().skip(1)).collect(),
            None => text,
        }
    }
}

/// The cells of a sector that are on the map.
fn cells(sector: Sector, size: Cell) -> impl Iterator<Item = Cell> {
    let (x, y) = (sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
    (y..(y + SECTOR_SIDE).min(size.y))
        .flat_map(move |y| (x..(x + SECTOR_SIDE).min(size.x)).map(move |x| Cell::new(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sectors: &[Sector], text: impl Fn(Cell) -> String) -> String {
        let marks = vec![(Cell::new(9, 1), GOAL)];
        let mut out = Vec::new();
        let sheet = TextSheet::new(sectors, Cell::new(12, 2), marks, text);
        sheet.write(&[Cell::new(0, 0)], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn ragged_sectors_lie_side_by_side() {
        let both = [Sector::new(0, 0), Sector::new(1, 0)];
        let text = written(&both, |cell| cell.y.to_string());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  ┼──────────┼──┼");
        assert_eq!(lines[2], "0 │\x1b[1;33m0\x1b[0m000000000│00│");
        assert_eq!(lines[3], "1 │111111111★│11│");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn wide_texts_keep_apart_and_hidden_sectors_are_blank() {
        let text = written(&[Sector::new(1, 0)], |cell| (cell.x * 10).to_string());
        assert_eq!(text.lines().nth(3), Some("1 │ 100 110│"));
    }
}
