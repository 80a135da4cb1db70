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

use flowtiles::{Cost, CostMap};

use crate::ReadError;
use crate::lines::{Lines, TextLine};
use crate::rows::{check_size, costs_in};

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
/// # Ok::<(), flowtiles_formats::ReadError>(())
/// ```
///
/// # Errors
/// For the first fault in the text, with its place.
pub fn read_text(text: &[u8]) -> Result<CostMap, ReadError> {
    let mut lines = Lines::new(text);
    let mut line = lines.next_or_empty();
    let mut legend = Some(plain_legend());
    if line.text == TITLE {
        legend = read_header(&mut lines)?;
        line = lines.next_or_empty();
    }
    let (mut costs, mut width, mut height) = (Vec::new(), 0, 0);
    loop {
        let row = match &legend {
            Some(legend) => read_row(line, legend),
            None => read_hex_row(line),
        }?;
        if height == 0 {
            width = row.len();
        }
        let found = row.len();
        if found != width {
            return Err(line.end().fault(format!(
                "the row has {found} cells and the first has {width}: make them equally long"
            )));
        }
        height += 1;
        check_size(width_of(width), height, u64::MAX).map_err(|what| line.place(0).fault(what))?;
        costs.extend(row);
        match lines.next() {
            Some(next) if next.words().next().is_some() => line = next,
            _ => break,
        }
    }
    lines.end("text follows after a blank line: remove one or the other")?;
    let made = CostMap::from_rows(width_of(width), height, &costs);
    Ok(made.expect("the size, the number of cells and each cost were checked above"))
}

/// Converts a length to a side of a map; one beyond `u32` becomes a side that
/// is too large.
fn width_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
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
fn read_header(lines: &mut Lines<'_>) -> Result<Option<Legend>, ReadError> {
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
                legend[usize::from(*letter)] =
                    number.filter(|&cost| cost > 0).ok_or_else(|| {
                        words[2].fault("the cost is not a whole number from 1 to 255: correct it")
                    })?;
            }
            _ => {
                let start = words.first().map_or(line.text.len(), |word| word.start);
                return Err(line.place(start).fault(
                    "this is not a header line: write `cost CHARACTER NUMBER` or `hex` \
                     (after which characters have no costs), and `map` before the first row",
                ));
            }
        }
    }
}

fn read_row(line: TextLine<'_>, legend: &Legend) -> Result<Vec<u8>, ReadError> {
    let cells = line.text.iter().enumerate();
    let cells = cells.map(|(at, &letter)| match legend[usize::from(letter)] {
        0 => Err(line.place(at).fault(no_letter(letter))),
        cost => Ok(cost),
    });
    cells.collect()
}

fn no_letter(letter: u8) -> String {
    if letter.is_ascii_graphic() {
        format!(
            "the character `{0}` has no cost: write `.`, `#` or 1 to 9, or add the line \
             `cost {0} NUMBER` to the header (a file without one gets these first lines: \
             `flowtiles map`, `cost {0} NUMBER`, `map`)",
            char::from(letter)
        )
    } else {
        format!("the byte {letter:#04X} has no cost: write one ASCII character for each cell")
    }
}

fn read_hex_row(line: TextLine<'_>) -> Result<Vec<u8>, ReadError> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let cells = line.text.chunks(2).enumerate().map(|(at, cell)| {
        let digits = digit(&cell[0]).zip(cell.get(1).and_then(digit));
        let cost = digits.map_or(0, |(high, low)| (high << 4 | low) as u8);
        let no_cost = || {
            let what = "expected two hexadecimal digits from 01 to ff for each cell: correct them";
            line.place(2 * at).fault(what)
        };
        (cost > 0).then_some(cost).ok_or_else(no_cost)
    });
    cells.collect()
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
    let mut missing = costs_in(&rows);
    missing.retain(|&cost| letters[usize::from(cost)] == 0);
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
pub(crate) fn looks_like_text(bytes: &[u8]) -> bool {
    let first = Lines::new(bytes).next_or_empty().text;
    let legend = plain_legend();
    let is_row = !first.is_empty() && first.iter().all(|&byte| legend[usize::from(byte)] > 0);
    first == TITLE || is_row
}
