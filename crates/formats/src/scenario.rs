//! The scenarios of the Moving AI grid benchmarks: lists of starts, goals and
//! shortest lengths on a map.

use std::fmt::Write;

use flowtiles::Cell;

use crate::lines::{Lines, TextLine, Word};
use crate::{ReadError, WriteError};

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

/// The most decimals of a length that is written.
const MAX_DECIMALS: i32 = 17;
/// The range of lengths in one bucket of the benchmark sets.
const BUCKET: f64 = 4.0;

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
    /// # Ok::<(), flowtiles_formats::ReadError>(())
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
/// # Ok::<(), flowtiles_formats::ReadError>(())
/// ```
///
/// # Errors
/// For the first fault in the text, with its place.
pub fn read_scenario(text: &[u8]) -> Result<Vec<ScenarioEntry>, ReadError> {
    let mut lines = Lines::new(text);
    let first = lines.next_or_empty();
    let mut words = first.words();
    let wanted: [&[&[u8]]; 3] = [&[b"version"], &[b"1", b"1.0"], &[]];
    for wanted in wanted {
        let word = words.next();
        if word.map_or(!wanted.is_empty(), |word| !wanted.contains(&word.text)) {
            let at = word.map_or(first.end(), |word| first.place(word.start));
            return Err(at.fault("a scenario starts with the line `version 1`: add it"));
        }
    }
    lines
        .filter(|line| line.words().next().is_some())
        .map(read_entry)
        .collect()
}

fn read_entry(line: TextLine<'_>) -> Result<ScenarioEntry, ReadError> {
    let words: Vec<Word<'_>> = line.words().collect();
    // A bucket, a name (which may contain blanks), and the seven fields.
    let fields = words.len().checked_sub(FIELDS.len()).filter(|&at| at >= 2);
    let fields = fields.ok_or_else(|| {
        line.end().fault(format!(
            "the line has {} of 9 fields: write bucket, map, width, height, start x, start y, \
             goal x, goal y, length",
            words.len()
        ))
    })?;
    number(&words[0], "the bucket")?;
    let (name, fields) = words[1..].split_at(fields - 1);
    // The name as it stands in the line, with the blanks between its words.
    let last = name[name.len() - 1];
    let name = &line.text[name[0].start..last.start + last.text.len()];
    let mut numbers = [0; FIELDS.len() - 1];
    for (to, (word, field)) in numbers.iter_mut().zip(fields.iter().zip(FIELDS)) {
        *to = number(word, field)?;
    }
    let [width, height, ..] = numbers;
    let cell = |at: usize| {
        let (x, y) = (numbers[at], numbers[at + 1]);
        if x < width && y < height {
            return Ok(Cell::new(x as i32, y as i32));
        }
        Err(fields[at].fault(format!(
            "the cell ({x}, {y}) is outside the {width}×{height} cells that the line gives: \
             correct the line or leave it out"
        )))
    };
    let (start, goal) = (cell(2)?, cell(4)?);
    let word = fields[FIELDS.len() - 1];
    let (length, decimals) = length(word.text).ok_or_else(|| no_number(&word, "the length"))?;
    Ok(ScenarioEntry {
        line: line.number,
        map: String::from_utf8_lossy(name).into_owned(),
        width,
        height,
        start,
        goal,
        length,
        decimals,
    })
}

/// Reads a number no greater than the largest coordinate.
fn number(word: &Word<'_>, field: &str) -> Result<u32, ReadError> {
    let number = word
        .number()
        .filter(|&number| i32::try_from(number).is_ok());
    number.ok_or_else(|| no_number(word, field))
}

fn no_number(word: &Word<'_>, field: &str) -> ReadError {
    word.fault(format!(
        "{field} is not a valid number: write plain digits, with a point only in the length"
    ))
}

/// Reads the published length, and returns it with its number of decimals. An
/// exponent reduces that number.
fn length(text: &[u8]) -> Option<(f64, i32)> {
    let text = std::str::from_utf8(text).ok()?;
    let length: f64 = text.parse().ok()?;
    if !text.starts_with(|first: char| first.is_ascii_digit()) || !length.is_finite() {
        return None;
    }
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let printed = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let printed = i32::try_from(printed).unwrap_or(i32::MAX);
    Some((length, printed.saturating_sub(power.parse().ok()?)))
}

/// Writes entries as the text of a `.scen`: the inverse of
/// [`read_scenario`]. The line of an entry follows from
/// its place in the list. Its bucket is its length divided by 4, as in the
/// benchmark sets, and its length is printed with its number of decimals.
///
/// ```
/// use flowtiles_formats::{read_scenario, write_scenario};
///
/// let text = "version 1\n0\tarena.map\t49\t49\t1\t11\t3\t13\t2.82843\n";
/// let entries = read_scenario(text.as_bytes())?;
/// assert_eq!(write_scenario(&entries)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// For the first entry that could not be read back.
pub fn write_scenario(entries: &[ScenarioEntry]) -> Result<String, WriteError> {
    let mut text = "version 1\n".to_owned();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(what) = fault(entry) {
            return Err(format!("entry {index}: {what}").into());
        }
        let bucket = ((entry.length / BUCKET) as u32).min(i32::MAX as u32);
        let decimals = entry.decimals.max(0) as usize;
        writeln!(
            text,
            "{bucket}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.decimals$}",
            entry.map,
            entry.width,
            entry.height,
            entry.start.x,
            entry.start.y,
            entry.goal.x,
            entry.goal.y,
            entry.length
        )
        .expect("a String takes all that is written");
    }
    Ok(text)
}

/// Returns why an entry could not be read back.
fn fault(entry: &ScenarioEntry) -> Option<&'static str> {
    let sides = [entry.width, entry.height].map(|side| i32::try_from(side).unwrap_or(0));
    let is_inside = |cell: Cell| (0..sides[0]).contains(&cell.x) && (0..sides[1]).contains(&cell.y);
    let map = entry.map.as_str();
    if map.is_empty() || map.trim_matches([' ', '\t']) != map || map.contains(['\n', '\r']) {
        Some("the map's name is empty, or has blanks around it or a line end: give another name")
    } else if !is_inside(entry.start) || !is_inside(entry.goal) {
        Some("the start or the goal is outside the map's size: correct one of them")
    } else if !entry.length.is_finite() || entry.length.is_sign_negative() {
        Some("the length is not a number of at least 0: correct it")
    } else if entry.decimals > MAX_DECIMALS {
        Some("the length cannot have more than 17 decimals: give fewer")
    } else {
        None
    }
}
