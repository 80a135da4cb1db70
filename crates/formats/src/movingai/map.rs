//! Reading and writing the text of a `.map`.

use std::fmt;

use super::Terrain;
use crate::lines::{Lines, Place, TextLine, is_blank};
use crate::rows::check_sides;
use flowtiles::CostMap;
use flowtiles::{Cell, MAX_SIDE, SizeError};

/// The placeholder for a number in an expected header line.
const NUMBER: &str = "N";

/// Reads the text of a `.map`.
///
/// ```
/// use flowtiles::{Cell, Cost};
/// use flowtiles_formats::{Terrain, read_map};
///
/// let text = b"type octile\nheight 2\nwidth 3\nmap\n.S.\n.@.\n";
/// let costs = read_map(text, &Terrain::game())?;
/// assert_eq!(costs.get(Cell::new(1, 1)), Some(Cost::WALL));
///
/// let short = read_map(b"type octile\nheight 2\nwidth 3\nmap\n...\n..", &Terrain::game());
/// assert_eq!(
///     short.unwrap_err().to_string(),
///     "line 6, column 3: the row has 2 of 3 cells: write one letter a cell, or correct `width`"
/// );
/// # Ok::<(), flowtiles_formats::MapError>(())
/// ```
///
/// # Errors
/// For the first fault in the text, with its place. Memory grows only with the
/// rows that are really there, so a short text with a large claimed size never
/// takes much.
pub fn read_map(text: &[u8], terrain: &Terrain) -> Result<CostMap, MapError> {
    let mut lines = Lines::new(text);
    header_line(&mut lines, "type octile")?;
    let height = header_line(&mut lines, "height N")?;
    let width = header_line(&mut lines, "width N")?;
    if let Err(error) = check_sides(width, height) {
        let line = if (1..=MAX_SIDE).contains(&height) {
            3
        } else {
            2
        };
        let place = Place { line, column: 1 };
        return Err(MapFault::Size(error).at(place));
    }
    header_line(&mut lines, "map")?;
    let rows = read_rows(&mut lines, width, height, terrain)?;
    for line in lines {
        if let Some(offset) = line.text.iter().position(|&byte| !is_blank(byte)) {
            return Err(MapFault::Trailing { rows: height }.at(line.place(offset)));
        }
    }
    Ok(CostMap::from_rows(width, height, &rows)
        .expect("the size, the number of cells and each cost were checked above"))
}

/// Reads the header line that has the form `expected`, and returns its number,
/// or 0 if the form has none.
fn header_line(lines: &mut Lines<'_>, expected: &'static str) -> Result<u32, MapError> {
    let line = lines.next_or_empty();
    let fault = |place| MapFault::Header { expected }.at(place);
    let mut found = line.words();
    let mut number = 0;
    for want in expected.split(' ') {
        let word = found.next().ok_or_else(|| fault(line.end()))?;
        if want == NUMBER {
            number = word.number().ok_or_else(|| fault(word.place))?;
        } else if word.text != want.as_bytes() {
            return Err(fault(word.place));
        }
    }
    match found.next() {
        Some(word) => Err(fault(word.place)),
        None => Ok(number),
    }
}

/// Reads `height` rows into costs, row by row.
fn read_rows(
    lines: &mut Lines<'_>,
    width: u32,
    height: u32,
    terrain: &Terrain,
) -> Result<Vec<u8>, MapError> {
    let claimed = u64::from(width) * u64::from(height);
    // No more than the text can hold: the header may be wrong.
    let capacity = claimed.min(lines.bytes_left() as u64);
    let mut costs = Vec::with_capacity(capacity as usize);
    for found in 0..height {
        let Some(line) = lines.next() else {
            let place = lines.next_or_empty().end();
            return Err(MapFault::MissingRows { found, height }.at(place));
        };
        read_row(line, width, terrain, &mut costs)?;
    }
    Ok(costs)
}

fn read_row(
    line: TextLine<'_>,
    width: u32,
    terrain: &Terrain,
    costs: &mut Vec<u8>,
) -> Result<(), MapError> {
    let found = line.text.len();
    if found < width as usize {
        return Err(MapFault::ShortRow { found, width }.at(line.end()));
    }
    if found > width as usize {
        return Err(MapFault::LongRow { found, width }.at(line.place(width as usize)));
    }
    for (offset, &letter) in line.text.iter().enumerate() {
        match terrain.cost(letter) {
            Some(cost) => costs.push(cost.value()),
            None => return Err(MapFault::Letter { letter }.at(line.place(offset))),
        }
    }
    Ok(())
}

/// Writes costs as the text of a `.map`: the inverse of [`read_map`] with the
/// same table.
///
/// # Errors
/// For the first cell whose cost has no letter in the table.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles_formats::{Terrain, write_map};
///
/// let mut costs = CostMap::open(3, 2)?;
/// costs.edit(Cell::new(1, 0), Cost::WALL)?;
/// let text = write_map(&costs, &Terrain::game())?;
/// assert_eq!(text, "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_map(costs: &CostMap, terrain: &Terrain) -> Result<String, NoLetter> {
    let letters = terrain.letters();
    let (width, height) = (costs.width(), costs.height());
    let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    let rows = costs.to_rows();
    text.reserve(rows.len() + height as usize);
    for (y, row) in rows.chunks(width as usize).enumerate() {
        for (x, &cost) in row.iter().enumerate() {
            let letter = letters[usize::from(cost)].ok_or(NoLetter {
                cell: Cell::new(x as i32, y as i32),
                cost,
            })?;
            text.push(char::from(letter));
        }
        text.push('\n');
    }
    Ok(text)
}

/// A fault in the text of a map, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapError {
    /// The place of the fault.
    pub place: Place,
    /// The fault.
    pub fault: MapFault,
}

/// A fault in the text of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapFault {
    /// A line of the header does not have the expected form.
    Header {
        /// The expected line; `N` stands for a number.
        expected: &'static str,
    },
    /// The size is zero or over [`MAX_SIDE`].
    Size(SizeError),
    /// A row has fewer letters than the header claims.
    ShortRow {
        /// The number of letters in the row.
        found: usize,
        /// The number of cells in a row, by the header.
        width: u32,
    },
    /// A row has more letters than the header claims.
    LongRow {
        /// The number of letters in the row.
        found: usize,
        /// The number of cells in a row, by the header.
        width: u32,
    },
    /// The text ends before the last row.
    MissingRows {
        /// The number of rows in the text.
        found: u32,
        /// The number of rows by the header.
        height: u32,
    },
    /// More text follows the last row.
    Trailing {
        /// The number of rows by the header.
        rows: u32,
    },
    /// A letter has no cost in the table.
    Letter {
        /// The byte; not necessarily a letter.
        letter: u8,
    },
}

impl MapFault {
    const fn at(self, place: Place) -> MapError {
        MapError { place, fault: self }
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl fmt::Display for MapFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { expected } => write!(
                f,
                "expected `{expected}` here: a map starts with the four lines `type octile`, \
                 `height N`, `width N`, `map`, with N from 1 to {MAX_SIDE}"
            ),
            Self::Size(error) => error.fmt(f),
            Self::ShortRow { found, width } => write!(
                f,
                "the row has {found} of {width} cells: write one letter a cell, or correct `width`"
            ),
            Self::LongRow { found, width } => write!(
                f,
                "the row has {found} cells and not {width}: shorten it, or correct `width`"
            ),
            Self::MissingRows { found, height } => write!(
                f,
                "the text ends after {found} of {height} rows: add the rest, or correct `height`"
            ),
            Self::Trailing { rows } => write!(
                f,
                "text follows the last of {rows} rows: remove it, or correct `height`"
            ),
            Self::Letter { letter } if letter.is_ascii_graphic() => write!(
                f,
                "the letter `{}` has no cost: give it one, or write another letter",
                char::from(*letter)
            ),
            Self::Letter { letter } => write!(
                f,
                "the byte {letter:#04X} is not a terrain letter: a map is plain ASCII text, \
                 one letter a cell"
            ),
        }
    }
}

impl std::error::Error for MapError {}

/// A cell's cost has no letter in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoLetter {
    /// The first such cell.
    pub cell: Cell,
    /// Its cost.
    pub cost: u8,
}

impl fmt::Display for NoLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the cell {} costs {}, for which there is no letter: give that cost one",
            self.cell, self.cost
        )
    }
}

impl std::error::Error for NoLetter {}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles::Cost;

    fn fault(text: &str) -> (usize, usize, MapFault) {
        let error = read_map(text.as_bytes(), &Terrain::game()).unwrap_err();
        (error.place.line, error.place.column, error.fault)
    }

    #[test]
    fn either_line_end_and_blank_lines_after_the_rows_will_do() {
        let unix = read_map(
            b"type octile\nheight 2\nwidth 2\nmap\n.S\nW@",
            &Terrain::game(),
        );
        let dos = b"type octile\r\nheight\t2 \r\nwidth  2\r\nmap\r\n.S\r\nW@\r\n\r\n \t\r\n";
        assert_eq!(unix, read_map(dos, &Terrain::game()));
        assert_eq!(unix.unwrap().to_rows(), [1, 3, 255, 255]);
    }

    #[test]
    fn a_wrong_header_is_named() {
        let header = |expected| MapFault::Header { expected };
        assert_eq!(fault(""), (1, 1, header("type octile")));
        assert_eq!(fault("type tile\n"), (1, 6, header("type octile")));
        assert_eq!(fault("type octile\nheight\n"), (2, 7, header("height N")));
        assert_eq!(
            fault("type octile\nheight -3\n"),
            (2, 8, header("height N"))
        );
        assert_eq!(
            fault("type octile\nwidth 3\nheight 3\n"),
            (2, 1, header("height N"))
        );
        assert_eq!(
            fault("type octile\nheight 3\nwidth 99999999999\n"),
            (3, 7, header("width N"))
        );
        assert_eq!(
            fault("type octile\nheight 1\nwidth 1\n.\n"),
            (4, 1, header("map"))
        );
        assert_eq!(
            fault("type octile\nheight 1\nwidth 1\nmap x\n"),
            (4, 5, header("map"))
        );
    }

    #[test]
    fn sizes_of_zero_and_over_the_limit_are_refused() {
        let (line, _, zero) = fault("type octile\nheight 0\nwidth 3\nmap\n");
        assert!(line == 2 && matches!(zero, MapFault::Size(SizeError::Empty { .. })));
        let (line, _, large) = fault("type octile\nheight 1\nwidth 65536\nmap\n");
        assert!(line == 3 && matches!(large, MapFault::Size(SizeError::TooLarge { .. })));
    }

    #[test]
    fn a_header_that_claims_too_much_costs_nothing() {
        let claim = "type octile\nheight 65535\nwidth 65535\nmap\n..........";
        let (found, width) = (10, 65535);
        assert_eq!(fault(claim), (5, 11, MapFault::ShortRow { found, width }));
    }

    #[test]
    fn rows_must_be_as_the_header_says() {
        let body = |rows: &str| fault(&format!("type octile\nheight 2\nwidth 3\nmap\n{rows}"));
        let width = 3;
        assert_eq!(
            body("...\n..\n"),
            (6, 3, MapFault::ShortRow { found: 2, width })
        );
        assert_eq!(
            body("...\n.... \n"),
            (6, 4, MapFault::LongRow { found: 5, width })
        );
        let missing = MapFault::MissingRows {
            found: 1,
            height: 2,
        };
        assert_eq!(body("...\n"), (6, 1, missing));
        assert_eq!(
            body("...\n...\n\n x\n"),
            (8, 2, MapFault::Trailing { rows: 2 })
        );
        assert_eq!(
            body("...\n.q.\n"),
            (6, 2, MapFault::Letter { letter: b'q' })
        );
        assert_eq!(body("...\n.é\n"), (6, 2, MapFault::Letter { letter: 0xC3 }));
    }

    #[test]
    fn the_benchmark_table_closes_every_letter_but_not_every_byte() {
        let text = b"type octile\nheight 1\nwidth 6\nmap\n.GSWq@\n";
        let costs = read_map(text, &Terrain::benchmark()).unwrap();
        assert_eq!(costs.to_rows(), [1, 1, 1, 255, 255, 255]);
        let binary = b"type octile\nheight 1\nwidth 1\nmap\n\x00\n";
        assert!(read_map(binary, &Terrain::benchmark()).is_err());
    }

    #[test]
    fn kinds_of_ground_keep_their_letters() {
        let rows = ".SWT@\n@TWS.\n";
        let text = format!("type octile\nheight 2\nwidth 5\nmap\n{rows}");
        let kinds = read_map(text.as_bytes(), &Terrain::kinds()).unwrap();
        let mut found = kinds.to_rows();
        assert_eq!(write_map(&kinds, &Terrain::kinds()), Ok(text.clone()));
        // To those who only walk, what is no ground is a wall.
        for kind in &mut found {
            if [Terrain::WATER, Terrain::TREES]
                .map(Cost::value)
                .contains(kind)
            {
                *kind = Cost::WALL.value();
            }
        }
        let costs = read_map(text.as_bytes(), &Terrain::game()).unwrap();
        assert_eq!(costs.to_rows(), found);
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut table = Terrain::game();
        for letter in b'a'..=b'z' {
            table = table.with(letter, Cost::new(letter).unwrap());
        }
        let rows: Vec<u8> = (0..25 * 14usize)
            .map(|i| [1, 3, 255, b'a', b'x'][i * 7 % 5])
            .collect();
        let costs = CostMap::from_rows(25, 14, &rows).unwrap();
        let text = write_map(&costs, &table).unwrap();
        assert_eq!(read_map(text.as_bytes(), &table), Ok(costs.clone()));
        let error = write_map(&costs, &Terrain::game()).unwrap_err();
        assert_eq!((error.cell, error.cost), (Cell::new(2, 0), b'x'));
    }
}
