//! Maps as plain text, one character for each cell.
//!
//! Rows alone need no header: `.` is open ground (cost 1), `#` a wall, and a
//! digit `1` to `9` is the cost itself.
//!
//! ```text
//! ..#3
//! ..#.
//! ....
//! ```
//!
//! A header gives characters to other costs. If there are more costs than
//! characters, every cell is two hexadecimal digits.
//!
//! ```text
//! flowtiles map          flowtiles map
//! cost ~ 40              hex
//! map                    map
//! ..~~                   01012828
//! ..#~                   0101ff28
//! ```

use std::fmt;

use super::lines::{Lines, Place, TextLine, is_blank};
use super::rows::{SizeFault, check_size};
use flowtiles::{Cost, CostMap};

/// The first line of a text with a header.
const TITLE: &[u8] = b"flowtiles map";
/// The characters that the writer gives to costs without one, in this order.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The cost of each character; 0 for characters without one.
type Legend = [u8; 256];

/// Reads a map from text.
///
/// ```
/// use flowtiles_formats::read_text;
///
/// let map = read_text(b"..#3\n..#.\n")?;
/// assert_eq!(map.to_rows(), [1, 1, 255, 3, 1, 1, 255, 1]);
/// let map = read_text(b"flowtiles map\ncost ~ 40\nmap\n.~\n")?;
/// assert_eq!(map.to_rows(), [1, 40]);
/// let error = read_text(b"..#3\n..q.\n").unwrap_err();
/// assert!(error.to_string().starts_with("line 2, column 3: "));
/// # Ok::<(), flowtiles_formats::TextMapError>(())
/// ```
///
/// # Errors
/// For the first fault in the text, with its place.
pub fn read_text(text: &[u8]) -> Result<CostMap, TextMapError> {
    let mut lines = Lines::new(text);
    let first = lines.next_or_empty();
    let (legend, first) = if first.text == TITLE {
        (read_header(&mut lines)?, lines.next_or_empty())
    } else {
        (Some(plain_legend()), first)
    };
    let costs = |line: TextLine<'_>| match &legend {
        Some(legend) => read_row(line, legend),
        None => read_hex_row(line),
    };
    let mut rows = costs(first)?;
    let width = rows.len();
    let too_large = |height| match check_size(clamped(width), height, u64::MAX) {
        Ok(()) => None,
        Err(fault) => Some(TextFault::Size(fault)),
    };
    if let Some(fault) = too_large(1) {
        return Err(fault.at(first.place(0)));
    }
    let mut height = 1;
    while let Some(line) = lines.next() {
        if line.text.iter().all(|&byte| is_blank(byte)) {
            no_more(line, &mut lines)?;
            break;
        }
        let row = costs(line)?;
        if row.len() != width {
            let found = row.len();
            return Err(TextFault::Width { found, width }.at(line.end()));
        }
        height += 1;
        if let Some(fault) = too_large(height) {
            return Err(fault.at(line.place(0)));
        }
        rows.extend_from_slice(&row);
    }
    let made = CostMap::from_rows(clamped(width), height, &rows);
    Ok(made.expect("the size, the number of cells and each cost were checked above"))
}

/// Converts a length to a side of a map; one beyond `u32` becomes a side that
/// is too large.
fn clamped(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Checks that only blank lines follow.
fn no_more<'a>(blank: TextLine<'a>, lines: &mut Lines<'a>) -> Result<(), TextMapError> {
    for line in std::iter::once(blank).chain(lines) {
        if let Some(at) = line.text.iter().position(|&byte| !is_blank(byte)) {
            return Err(TextFault::Trailing.at(line.place(at)));
        }
    }
    Ok(())
}

fn plain_legend() -> Legend {
    let mut legend = [0; 256];
    legend[usize::from(b'.')] = Cost::OPEN.value();
    legend[usize::from(b'#')] = Cost::WALL.value();
    for digit in 1..=9 {
        legend[usize::from(b'0' + digit)] = digit;
    }
    legend
}

/// Reads the header after its title up to the line `map`; `None` if cells are
/// two hexadecimal digits.
fn read_header(lines: &mut Lines<'_>) -> Result<Option<Legend>, TextMapError> {
    let mut legend = Some(plain_legend());
    loop {
        let line = lines.next_or_empty();
        let words: Vec<_> = line.words().take(4).collect();
        let texts: Vec<&[u8]> = words.iter().map(|word| word.text).collect();
        match (&texts[..], &mut legend) {
            ([b"map"], _) => return Ok(legend),
            ([b"hex"], _) => legend = None,
            ([b"cost", [letter], _], Some(legend)) if letter.is_ascii_graphic() => {
                let number = words[2].number().and_then(|cost| u8::try_from(cost).ok());
                let Some(cost) = number.filter(|&cost| cost > 0) else {
                    return Err(TextFault::Cost.at(words[2].place));
                };
                legend[usize::from(*letter)] = cost;
            }
            _ => {
                let place = words.first().map_or(line.end(), |word| word.place);
                return Err(TextFault::Header.at(place));
            }
        }
    }
}

fn read_row(line: TextLine<'_>, legend: &Legend) -> Result<Vec<u8>, TextMapError> {
    let costs: Vec<u8> = line
        .text
        .iter()
        .map(|&at| legend[usize::from(at)])
        .collect();
    match costs.iter().position(|&cost| cost == 0) {
        Some(at) => {
            let letter = line.text[at];
            Err(TextFault::Letter { letter }.at(line.place(at)))
        }
        None => Ok(costs),
    }
}

fn read_hex_row(line: TextLine<'_>) -> Result<Vec<u8>, TextMapError> {
    let (pairs, rest) = line.text.as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let cost = |(at, &[high, low]): (usize, &[u8; 2])| {
        let value = digit(high)
            .zip(digit(low))
            .map(|(high, low)| high << 4 | low);
        let value = value.filter(|&value| value > 0);
        value
            .map(|value| value as u8)
            .ok_or_else(|| TextFault::Hex.at(line.place(2 * at)))
    };
    let costs = pairs
        .iter()
        .enumerate()
        .map(cost)
        .collect::<Result<_, _>>()?;
    if rest.is_empty() {
        Ok(costs)
    } else {
        Err(TextFault::Hex.at(line.place(line.text.len() - 1)))
    }
}

/// Writes a map as text: the inverse of [`read_text`], for every cost.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles_formats::write_text;
///
/// let mut map = CostMap::open(3, 2)?;
/// map.edit(Cell::new(1, 0), Cost::WALL)?;
/// assert_eq!(write_text(&map), ".#.\n...\n");
/// map.edit(Cell::new(2, 1), Cost::new(40)?)?;
/// assert_eq!(write_text(&map), "flowtiles map\ncost a 40\nmap\n.#.\n..a\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write_text(map: &CostMap) -> String {
    let rows = map.to_rows();
    let mut letters = [0_u8; 256];
    for (letter, &cost) in plain_legend().iter().enumerate() {
        // In the order of characters, `.` and `#` come before `1`.
        if cost > 0 && letters[usize::from(cost)] == 0 {
            letters[usize::from(cost)] = letter as u8;
        }
    }
    let mut is_used = [false; 256];
    for &cost in &rows {
        is_used[usize::from(cost)] = true;
    }
    let missing: Vec<u8> = (1..=u8::MAX)
        .filter(|&cost| is_used[usize::from(cost)] && letters[usize::from(cost)] == 0)
        .collect();
    let mut text = String::new();
    let is_hex = missing.len() > LETTERS.len();
    if !missing.is_empty() {
        text.push_str("flowtiles map\n");
        if is_hex {
            text.push_str("hex\n");
        } else {
            for (&cost, &letter) in missing.iter().zip(LETTERS) {
                letters[usize::from(cost)] = letter;
                text.push_str(&format!("cost {} {cost}\n", char::from(letter)));
            }
        }
        text.push_str("map\n");
    }
    text.reserve(rows.len() * if is_hex { 2 } else { 1 } + map.height() as usize);
    for row in rows.chunks(map.width() as usize) {
        for &cost in row {
            if is_hex {
                text.extend([cost >> 4, cost & 15].map(hex_digit));
            } else {
                text.push(char::from(letters[usize::from(cost)]));
            }
        }
        text.push('\n');
    }
    text
}

fn hex_digit(value: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(value)])
}

/// Whether bytes look like a map in text: they begin with the title, or with a
/// line of characters that need no header.
pub(super) fn looks_like_text(bytes: &[u8]) -> bool {
    let first = Lines::new(bytes).next_or_empty().text;
    let legend = plain_legend();
    let is_row = !first.is_empty() && first.iter().all(|&byte| legend[usize::from(byte)] > 0);
    first == TITLE || is_row
}

/// A fault in a map in text, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextMapError {
    /// The place of the fault.
    pub place: Place,
    /// The fault.
    pub fault: TextFault,
}

/// A fault in a map in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFault {
    /// A line of the header has an unknown form.
    Header,
    /// The number of a `cost` line is not 1 to 255.
    Cost,
    /// A character has no cost.
    Letter {
        /// The byte.
        letter: u8,
    },
    /// A cell is not two hexadecimal digits from 01 to ff.
    Hex,
    /// A row is not as wide as the first.
    Width {
        /// The number of cells in the row.
        found: usize,
        /// The number of cells in the first row.
        width: usize,
    },
    /// More text follows after a blank line.
    Trailing,
    /// The map has no cells, or too many.
    Size(SizeFault),
}

impl TextFault {
    const fn at(self, place: Place) -> TextMapError {
        TextMapError { place, fault: self }
    }
}

impl fmt::Display for TextMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str(
                "this is not a header line: write `cost CHARACTER NUMBER` or `hex` \
                 (after which characters have no costs), and `map` before the first row",
            ),
            Self::Cost => f.write_str("the cost is not a whole number from 1 to 255: correct it"),
            Self::Letter { letter } if letter.is_ascii_graphic() => write!(
                f,
                "the character `{0}` has no cost: write `.`, `#` or 1 to 9, or add the line \
                 `cost {0} NUMBER` to the header (a file without one gets these first lines: \
                 `flowtiles map`, `cost {0} NUMBER`, `map`)",
                char::from(*letter)
            ),
            Self::Letter { letter } => write!(
                f,
                "the byte {letter:#04X} has no cost: write one ASCII character for each cell"
            ),
            Self::Hex => f.write_str(
                "expected two hexadecimal digits from 01 to ff for each cell: correct them",
            ),
            Self::Width { found, width } => write!(
                f,
                "the row has {found} cells and the first has {width}: make them equally long"
            ),
            Self::Trailing => {
                f.write_str("text follows after a blank line: remove one or the other")
            }
            Self::Size(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for TextMapError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (usize, usize, TextFault) {
        let error = read_text(text.as_bytes()).unwrap_err();
        (error.place.line, error.place.column, error.fault)
    }

    #[test]
    fn faults_are_reported_with_their_place() {
        let letter = |letter| TextFault::Letter { letter };
        assert!(matches!(fault(""), (1, 1, TextFault::Size(_))));
        assert!(matches!(fault("\n..\n"), (1, 1, TextFault::Size(_))));
        assert_eq!(fault("..\n.q\n"), (2, 2, letter(b'q')));
        assert_eq!(fault(".0"), (1, 2, letter(b'0')));
        let (found, width) = (3, 2);
        assert_eq!(
            fault("..\n...\n"),
            (2, 4, TextFault::Width { found, width })
        );
        assert_eq!(fault("..\n\n \n .."), (4, 2, TextFault::Trailing));
        let header = |rest: &str| fault(&format!("flowtiles map\n{rest}"));
        assert_eq!(header(""), (2, 1, TextFault::Header));
        assert_eq!(header("cost ab 3\nmap\n."), (2, 1, TextFault::Header));
        assert_eq!(header("cost a 256\nmap\n."), (2, 8, TextFault::Cost));
        assert_eq!(header("cost a 0\nmap\n."), (2, 8, TextFault::Cost));
        assert_eq!(header("hex\ncost a 3\nmap\n."), (3, 1, TextFault::Header));
        assert_eq!(header("hex\nmap\n01ff0\n"), (4, 5, TextFault::Hex));
        assert_eq!(header("hex\nmap\n0100\n"), (4, 3, TextFault::Hex));
        assert!(matches!(header("map\n"), (3, 1, TextFault::Size(_))));
    }

    #[test]
    fn a_header_may_give_any_character_another_cost() {
        let text = b"flowtiles map\r\ncost # 7\r\ncost \xC2 3\r\nmap\r\n#\r\n";
        assert!(read_text(text).is_err(), "only ASCII");
        let text = b"flowtiles map\r\ncost # 7\r\nmap\r\n#.\r\n\r\n";
        assert_eq!(read_text(text).unwrap().to_rows(), [7, 1]);
    }

    #[test]
    fn every_set_of_costs_comes_back() {
        for kinds in [1, 2, 9, 10, 11, 62, 63, 64, 255_usize] {
            let rows: Vec<u8> = (0..17 * 23).map(|at| (255 - at % kinds) as u8).collect();
            let map = CostMap::from_rows(17, 23, &rows).unwrap();
            let text = write_text(&map);
            assert_eq!(read_text(text.as_bytes()), Ok(map), "{kinds}");
            assert!(looks_like_text(text.as_bytes()));
        }
    }
}
