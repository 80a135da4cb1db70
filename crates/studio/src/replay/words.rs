//! The words of a line of a replay, read and written.

use std::fmt;
use std::str::{FromStr, Split};

use flowtiles::{Cell, CellRect};

/// The words of a line, read one after the other. A reader returns `None` for a
/// word that does not fit.
pub struct Words<'a>(Split<'a, char>);

impl<'a> Words<'a> {
    pub fn of(line: &'a str) -> Self {
        Self(line.split(' '))
    }

    pub fn word(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    pub fn number<T: FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    pub fn cell(&mut self) -> Option<Cell> {
        Some(Cell::new(self.number()?, self.number()?))
    }

    pub fn area(&mut self) -> Option<CellRect> {
        let Cell { x, y } = self.cell()?;
        Some(CellRect::new(x, y, self.number()?, self.number()?))
    }

    /// Reads all remaining words as cells.
    pub fn cells(&mut self) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        while let Some(x) = self.word() {
            cells.push(Cell::new(x.parse().ok()?, self.number()?));
        }
        Some(cells)
    }

    /// Reads all remaining words as numbers.
    pub fn numbers<T: FromStr>(&mut self) -> Option<Vec<T>> {
        let mut numbers = Vec::new();
        while let Some(word) = self.word() {
            numbers.push(word.parse().ok()?);
        }
        Some(numbers)
    }

    /// Returns all remaining words as one text.
    pub fn rest(&mut self) -> String {
        self.0.by_ref().collect::<Vec<_>>().join(" ")
    }

    pub fn hash(&mut self) -> Option<u64> {
        u64::from_str_radix(self.word()?, 16).ok()
    }

    /// Whether no word is left.
    pub fn are_over(&mut self) -> bool {
        self.word().is_none()
    }
}

/// Bytes as two letters each.
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The bytes of a [`Hex`].
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

/// Cells after other words.
pub struct Cells<'a>(pub &'a [Cell]);

impl fmt::Display for Cells<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cells = self.0.iter();
        cells.try_for_each(|Cell { x, y }| write!(f, " {x} {y}"))
    }
}
