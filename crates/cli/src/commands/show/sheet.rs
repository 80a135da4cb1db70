//! A part of a map as lines of text.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use flowtiles::{Cell, CellRect, SECTOR_SIDE, Sector};

/// The unit.
pub const FROM: char = '◉';
/// Its goal.
pub const GOAL: char = '★';
/// A wall.
pub const WALL: char = '#';
/// A cell without a text.
pub const OPEN: char = '·';

/// Sectors laid out as on the map, with lines between them.
pub struct Sheet<'a> {
    pub sectors: &'a [Sector],
    /// The columns and rows of the map.
    pub size: [i32; 2],
    /// What replaces the first letter of a cell's text (of a longer text, the space before it).
    pub marks: &'a [(Cell, char)],
    /// Cells in another colour.
    pub bright: BTreeSet<Cell>,
}

impl Sheet<'_> {
    /// Writes the text of each cell of the sectors.
    pub fn write(&self, text: impl Fn(Cell) -> String, out: &mut impl Write) -> io::Result<()> {
        let side = SECTOR_SIDE as u32;
        let map = CellRect::new(0, 0, self.size[0] as u32, self.size[1] as u32);
        let sectors = self.sectors.iter();
        let texts: BTreeMap<Cell, String> = sectors
            .map(|&Sector { x, y }| CellRect::new(x * SECTOR_SIDE, y * SECTOR_SIDE, side, side))
            .flat_map(|area| map.intersection(area).cells())
            .map(|cell| (cell, text(cell)))
            .collect();
        let widths = texts.values().map(|text| text.chars().count());
        // Texts of one letter need no space between, wider ones do.
        let width = widths.max().filter(|&width| width > 1);
        let width = width.map_or(1, |width| width + 1);
        let margin = self.size[1].to_string().len();
        let span = |along: fn(&Sector) -> i32| {
            let first = self.sectors.iter().map(along).min().unwrap_or(0);
            first..=self.sectors.iter().map(along).max().unwrap_or(-1)
        };
        let columns = span(|sector| sector.x);
        let cells = |sector: i32, axis: usize| {
            let from = sector * SECTOR_SIDE;
            from..(from + SECTOR_SIDE).min(self.size[axis])
        };
        write!(out, "{:margin$} ", "")?;
        for column in columns.clone() {
            let across = width * cells(column, 0).len();
            write!(out, " {:<across$}", column * SECTOR_SIDE)?;
        }
        let lines = columns.clone().map(|column| cells(column, 0).len() * width);
        let lines: String = lines
            .map(|across| format!("┼{}", "─".repeat(across)))
            .collect();
        let border = format!("{:margin$} {lines}┼", "");
        writeln!(out, "\n{border}")?;
        for row in span(|sector| sector.y) {
            for y in cells(row, 1) {
                write!(out, "{y:margin$} ")?;
                for column in columns.clone() {
                    write!(out, "│")?;
                    for cell in cells(column, 0).map(|x| Cell::new(x, y)) {
                        let text = texts.get(&cell).map_or("", String::as_str);
                        self.write_cell(cell, format!("{text:>width$}"), out)?;
                    }
                }
                writeln!(out, "│")?;
            }
            writeln!(out, "{border}")?;
        }
        Ok(())
    }

    fn write_cell(&self, cell: Cell, text: String, out: &mut impl Write) -> io::Result<()> {
        let mark = self.marks.iter().find(|(marked, _)| *marked == cell);
        let text = match mark {
            Some((_, mark)) => std::iter::once(*mark).chain(text.chars().skip(1)).collect(),
            None => text,
        };
        if self.bright.contains(&cell) {
            write!(out, "\x1b[1;33m{text}\x1b[0m")
        } else {
            write!(out, "{text}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sectors: &[Sector], text: impl Fn(Cell) -> String) -> String {
        let mut out = Vec::new();
        let sheet = Sheet {
            sectors,
            size: [12, 2],
            marks: &[(Cell::new(9, 1), GOAL)],
            bright: [Cell::new(0, 0)].into(),
        };
        sheet.write(text, &mut out).unwrap();
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
