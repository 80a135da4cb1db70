//! Reading the text of a `.scen`.

use std::fmt;

use crate::lines::{Lines, Place, TextLine, Word};
use flowtiles::Cell;

/// The fields of an entry after the name of its map.
const FIELDS: [&str; 7] = [
    "the map's width",
    "the map's height",
    "the start's x",
    "the start's y",
    "the goal's x",
    "the goal's y",
    "the length",
];

/// One line of a `.scen`: a start, a goal, and the length of the shortest path
/// between them.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioEntry {
    /// The line number in the file, from 1.
    pub line: usize,
    /// The map as the file names it, often with a path from another machine.
    pub map: String,
    /// The width of the map for which the entry was made.
    pub width: u32,
    /// The height of the map for which the entry was made.
    pub height: u32,
    /// The start of the path; inside the size above.
    pub start: Cell,
    /// The end of the path; inside the size above.
    pub goal: Cell,
    /// The published length: 1 for a straight step, √2 for a diagonal.
    pub length: f64,
    /// The number of decimals with which the length is printed.
    pub decimals: i32,
}

impl ScenarioEntry {
    /// Returns the map's file name, without the folders before it.
    ///
    /// ```
    /// # use flowtiles_formats::read_scenario;
    /// let text = b"version 1\n0 maps/dao/arena.map 49 49 1 11 1 12 1\n";
    /// assert_eq!(read_scenario(text)?[0].map_name(), "arena.map");
    /// # Ok::<(), flowtiles_formats::ScenarioError>(())
    /// ```
    #[must_use]
    pub fn map_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or(&self.map)
    }

    /// Whether the file marks the goal as unreachable: a length of 0 between
    /// two different cells.
    #[must_use]
    pub fn says_unreachable(&self) -> bool {
        self.length == 0.0 && self.start != self.goal
    }

    /// Returns how far a correct length may differ from the published one: half
    /// of the last printed digit, or 5·10⁻⁶ of the length (six digits) if that
    /// is more.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        let half_digit = 0.5 * 10f64.powi(self.decimals.saturating_neg());
        half_digit.max(5e-6 * self.length)
    }
}

/// Reads the text of a `.scen` and returns its entries in the file's order.
///
/// ```
/// use flowtiles::Cell;
/// use flowtiles_formats::read_scenario;
///
/// let text = b"version 1\n0\tarena.map\t49\t49\t1\t11\t3\t13\t2.82843\n";
/// let entries = read_scenario(text)?;
/// assert_eq!(entries[0].goal, Cell::new(3, 13));
/// assert!((entries[0].length - 8f64.sqrt()).abs() < entries[0].tolerance());
/// # Ok::<(), flowtiles_formats::ScenarioError>(())
/// ```
///
/// # Errors
/// For the first fault in the text, with its place.
pub fn read_scenario(text: &[u8]) -> Result<Vec<ScenarioEntry>, ScenarioError> {
    let mut lines = Lines::new(text);
    read_version(lines.next_or_empty())?;
    lines
        .filter(|line| line.words().next().is_some())
        .map(read_entry)
        .collect()
}

fn read_version(line: TextLine<'_>) -> Result<(), ScenarioError> {
    let mut words = line.words();
    for want in [&[&b"version"[..]][..], &[b"1", b"1.0"]] {
        let Some(word) = words.next() else {
            return Err(ScenarioFault::Version.at(line.end()));
        };
        if !want.contains(&word.text) {
            return Err(ScenarioFault::Version.at(word.place));
        }
    }
    match words.next() {
        Some(word) => Err(ScenarioFault::Version.at(word.place)),
        None => Ok(()),
    }
}

fn read_entry(line: TextLine<'_>) -> Result<ScenarioEntry, ScenarioError> {
    let words: Vec<Word<'_>> = line.words().collect();
    // A bucket, a name (which may contain blanks), and the seven fields.
    let Some(fields) = words.len().checked_sub(FIELDS.len()).filter(|&at| at >= 2) else {
        return Err(ScenarioFault::Fields { found: words.len() }.at(line.end()));
    };
    number(&words[0], "the bucket")?;
    let (name, fields) = words[1..].split_at(fields - 1);
    let mut numbers = [0; FIELDS.len() - 1];
    for (to, (word, field)) in numbers.iter_mut().zip(fields.iter().zip(FIELDS)) {
        *to = number(word, field)?;
    }
    let [width, height, ..] = numbers;
    let cell = |at: usize| {
        let (x, y) = (numbers[at], numbers[at + 1]);
        if x >= width || y >= height {
            let fault = ScenarioFault::Outside {
                x,
                y,
                width,
                height,
            };
            return Err(fault.at(fields[at].place));
        }
        Ok(Cell::new(x as i32, y as i32))
    };
    let (length, decimals) = length(&fields[FIELDS.len() - 1])?;
    Ok(ScenarioEntry {
        line: line.number,
        map: name_text(line, name),
        width,
        height,
        start: cell(2)?,
        goal: cell(4)?,
        length,
        decimals,
    })
}

/// Returns the name as it stands in the line, with the blanks between its
/// words.
fn name_text(line: TextLine<'_>, words: &[Word<'_>]) -> String {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return String::new();
    };
    let text = &line.text[first.place.column - 1..last.place.column - 1 + last.text.len()];
    String::from_utf8_lossy(text).into_owned()
}

/// Reads a number no greater than the largest coordinate.
fn number(word: &Word<'_>, field: &'static str) -> Result<u32, ScenarioError> {
    word.number()
        .filter(|&number| i32::try_from(number).is_ok())
        .ok_or_else(|| ScenarioFault::Number { field }.at(word.place))
}

/// Reads the published length, and returns it with its number of decimals. An
/// exponent reduces that number.
fn length(word: &Word<'_>) -> Result<(f64, i32), ScenarioError> {
    let fault = || {
        ScenarioFault::Number {
            field: "the length",
        }
        .at(word.place)
    };
    let text = std::str::from_utf8(word.text).map_err(|_| fault())?;
    let plain = text.starts_with(|first: char| first.is_ascii_digit());
    let length: f64 = text.parse().map_err(|_| fault())?;
    if !plain || !length.is_finite() {
        return Err(fault());
    }
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let printed = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let power: i32 = power.parse().map_err(|_| fault())?;
    let printed = i32::try_from(printed).unwrap_or(i32::MAX);
    Ok((length, printed.saturating_sub(power)))
}

/// A fault in the text of a scenario, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScenarioError {
    /// The place of the fault.
    pub place: Place,
    /// The fault.
    pub fault: ScenarioFault,
}

/// A fault in the text of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScenarioFault {
    /// The first line is not `version 1`.
    Version,
    /// A line has too few fields.
    Fields {
        /// The number of fields in the line.
        found: usize,
    },
    /// A field is not a valid number.
    Number {
        /// The name of the field.
        field: &'static str,
    },
    /// The start or the goal is outside the size that the line gives.
    Outside {
        /// The column of the cell.
        x: u32,
        /// The row of the cell.
        y: u32,
        /// The width that the line gives.
        width: u32,
        /// The height that the line gives.
        height: u32,
    },
}

impl ScenarioFault {
    const fn at(self, place: Place) -> ScenarioError {
        ScenarioError { place, fault: self }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl fmt::Display for ScenarioFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version => f.write_str("a scenario starts with the line `version 1`: add it"),
            Self::Fields { found } => write!(
                f,
                "the line has {found} of 9 fields: write bucket, map, width, height, start x, \
                 start y, goal x, goal y, length"
            ),
            Self::Number { field } => write!(
                f,
                "{field} is not a valid number: write plain digits, \
                 with a point only in the length"
            ),
            Self::Outside {
                x,
                y,
                width,
                height,
            } => write!(
                f,
                "the cell ({x}, {y}) is outside the {width}×{height} cells that the line gives: \
                 correct the line or leave it out"
            ),
        }
    }
}

impl std::error::Error for ScenarioError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (usize, usize, ScenarioFault) {
        let error = read_scenario(text.as_bytes()).unwrap_err();
        (error.place.line, error.place.column, error.fault)
    }

    #[test]
    fn tabs_spaces_line_ends_and_names_with_blanks() {
        let text = "version 1.0\r\n0\tmaps\\old place\\a b.map\t9\t8\t0\t1\t2\t3\t4.5\r\n\r\n\
                    7 c.map 9 8 8 7 8 7 0";
        let entries = read_scenario(text.as_bytes()).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].map_name(), "a b.map");
        assert_eq!((entries[0].width, entries[0].height), (9, 8));
        assert_eq!((entries[1].line, entries[1].start), (4, Cell::new(8, 7)));
        assert!(!entries[1].says_unreachable());
    }

    #[test]
    fn the_tolerance_follows_the_printed_digits() {
        let tolerance = |length: &str| {
            let text = format!("version 1\n0 m 9 9 0 0 1 1 {length}\n");
            read_scenario(text.as_bytes()).unwrap()[0].tolerance()
        };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(tolerance("306.97"), 0.005));
        assert!(near(tolerance("1.00000000000"), 5e-6));
        assert!(near(tolerance("2835.11"), 5e-6 * 2835.11));
        assert!(near(tolerance("12"), 0.5));
        assert!(near(tolerance("1.25e3"), 5.0));
    }

    #[test]
    fn faults_are_reported_with_their_place() {
        assert_eq!(fault(""), (1, 1, ScenarioFault::Version));
        assert_eq!(fault("version 2\n"), (1, 9, ScenarioFault::Version));
        assert_eq!(
            fault("version 1\n0 m 9 9 0 0 1 1\n"),
            (2, 16, ScenarioFault::Fields { found: 8 })
        );
        let number = |field| ScenarioFault::Number { field };
        assert_eq!(
            fault("version 1\n0 m 9 9 0 -1 1 1 5\n"),
            (2, 11, number("the start's y"))
        );
        for length in [
            "inf",
            "NaN",
            "-1",
            "1e999",
            "x",
            "+1",
            ".5",
            "1e99999999999",
        ] {
            let text = format!("version 1\n0 m 9 9 0 0 1 1 {length}\n");
            assert_eq!(fault(&text), (2, 17, number("the length")), "{length}");
        }
        let (width, height) = (9, 8);
        let outside = |x, y| ScenarioFault::Outside {
            x,
            y,
            width,
            height,
        };
        assert_eq!(
            fault("version 1\n0 m 9 8 0 0 0 8 5\n"),
            (2, 13, outside(0, 8))
        );
    }
}
