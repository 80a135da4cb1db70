//! The maps of the Moving AI grid benchmarks.
//!
//! A `.map` is a header of four lines and one letter for each cell:
//!
//! ```text
//! type octile
//! height 3
//! width 5
//! map
//! ..@..
//! ..@SS
//! .....
//! ```
//!
//! A [`Terrain`] gives the costs of the letters, since the same letter means
//! different things in different files. Lines may end in LF or CR LF, and tabs
//! or spaces separate fields.

use flowtiles::{CostMap, MAX_SIDE};

use crate::lines::Lines;
use crate::rows::{check_size, signs_of};
use crate::{Lack, Place, ReadError, Terrain, WriteError};

/// Reads the text of a `.map`.
///
/// ```
/// use flowtiles::{Cell, Cost};
/// use flowtiles_formats::{Terrain, read_movingai};
///
/// let text = b"type octile\nheight 2\nwidth 3\nmap\n.S.\n.@.\n";
/// let costs = read_movingai(text, &Terrain::game())?;
/// assert_eq!(costs.get(Cell::new(1, 1)), Some(Cost::WALL));
///
/// let short = read_movingai(b"type octile\nheight 2\nwidth 3\nmap\n...\n..", &Terrain::game());
/// assert_eq!(
///     short.unwrap_err().to_string(),
///     "line 6, column 3: the row has 2 of 3 cells: write one letter a cell, or correct `width`"
/// );
/// # Ok::<(), flowtiles_formats::ReadError>(())
/// ```
///
/// # Errors
/// For the first fault in the text, with its place. Memory grows only with the
/// rows that are really there, so a short text with a large claimed size never
/// takes much.
pub fn read_movingai(text: &[u8], terrain: &Terrain) -> Result<CostMap, ReadError> {
    let mut lines = Lines::new(text);
    header_line(&mut lines, "type octile")?;
    let height = header_line(&mut lines, "height N")?;
    let width = header_line(&mut lines, "width N")?;
    check_size(width, height, u64::MAX).map_err(|what| {
        let line = 2 + usize::from((1..=MAX_SIDE).contains(&height));
        Place::Line { line, column: 1 }.fault(what)
    })?;
    header_line(&mut lines, "map")?;
    // No more than the text can hold: the header may be wrong.
    let claimed = u64::from(width) * u64::from(height);
    let mut costs = Vec::with_capacity(claimed.min(text.len() as u64) as usize);
    for row in 0..height {
        let Some(line) = lines.next() else {
            let what = format!(
                "the text ends after {row} of {height} rows: add the rest, or correct `height`"
            );
            return Err(lines.next_or_empty().end().fault(what));
        };
        let (found, wanted) = (line.text.len(), width as usize);
        if found < wanted {
            return Err(line.end().fault(format!(
                "the row has {found} of {width} cells: write one letter a cell, or correct `width`"
            )));
        }
        if found > wanted {
            return Err(line.place(wanted).fault(format!(
                "the row has {found} cells and not {width}: shorten it, or correct `width`"
            )));
        }
        for (at, &letter) in line.text.iter().enumerate() {
            let cost = terrain.cost(letter);
            let cost = cost.ok_or_else(|| unknown_letter(line.place(at), letter))?;
            costs.push(cost.value());
        }
    }
    lines.end(&format!(
        "text follows the last of {height} rows: remove it, or correct `height`"
    ))?;
    let made = CostMap::from_rows(width, height, &costs);
    Ok(made.expect("the size, the number of cells and each cost were checked above"))
}

/// Reads the header line that has the form `expected`, in which `N` stands for
/// a number, and returns that number, or 0 if there is none.
fn header_line(lines: &mut Lines<'_>, expected: &str) -> Result<u32, ReadError> {
    let line = lines.next_or_empty();
    let mut words = line.words();
    let mut number = Some(0);
    for want in expected.split(' ').map(Some).chain([None]) {
        let word = words.next();
        if want == Some("N") {
            number = word.and_then(|word| word.number());
        }
        let is_text = word.map(|word| word.text) == want.map(str::as_bytes);
        if number.is_none() || want != Some("N") && !is_text {
            let at = word.map_or(line.end(), |word| line.place(word.start));
            return Err(at.fault(format!(
                "expected `{expected}` here: a map starts with the four lines `type octile`, \
                 `height N`, `width N`, `map`, with N from 1 to {MAX_SIDE}"
            )));
        }
    }
    Ok(number.unwrap_or(0))
}

fn unknown_letter(at: Place, letter: u8) -> ReadError {
    if letter.is_ascii_graphic() {
        let what = format!(
            "the letter `{}` has no cost: give it one, or write another letter",
            char::from(letter)
        );
        at.fault(what).lacking(Lack::Letter(letter))
    } else {
        at.fault(format!(
            "the byte {letter:#04X} is not a terrain letter: a map is plain ASCII text, \
             one letter a cell"
        ))
    }
}

/// Writes costs as the text of a `.map`: the inverse of [`read_movingai`] with the
/// same table.
///
/// # Errors
/// For the first cell whose cost has no letter in the table.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles_formats::{Terrain, write_movingai};
///
/// let mut costs = CostMap::open(3, 2)?;
/// costs.edit(Cell::new(1, 0), Cost::WALL)?;
/// let text = write_movingai(&costs, &Terrain::game())?;
/// assert_eq!(text, "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_movingai(costs: &CostMap, terrain: &Terrain) -> Result<String, WriteError> {
    let (width, height) = (costs.width(), costs.height());
    let letters = terrain.letters().map(|letter| letter.map(char::from));
    let rows = signs_of(costs, &letters, "there is no letter: give that cost one")?;
    let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    text.reserve(rows.len() + height as usize);
    for row in rows.chunks(width as usize) {
        text.extend(row);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles::Cost;

    #[test]
    fn either_line_end_and_blank_lines_after_the_rows_will_do() {
        let unix = b"type octile\nheight 2\nwidth 2\nmap\n.S\nW@";
        let unix = read_movingai(unix, &Terrain::game());
        let dos = b"type octile\r\nheight\t2 \r\nwidth  2\r\nmap\r\n.S\r\nW@\r\n\r\n \t\r\n";
        assert_eq!(unix, read_movingai(dos, &Terrain::game()));
        assert_eq!(unix.unwrap().to_rows(), [1, 3, 255, 255]);
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let refused = |text: &str, told: &str| {
            let found = read_movingai(text.as_bytes(), &Terrain::game())
                .unwrap_err()
                .to_string();
            assert!(found.starts_with(told), "{found}, not {told}");
        };
        refused("", "line 1, column 1: expected `type octile` here");
        let header = |text: &str, told: &str| refused(&format!("type octile\n{text}"), told);
        refused(
            "type tile\n",
            "line 1, column 6: expected `type octile` here",
        );
        header("height\n", "line 2, column 7: expected `height N` here");
        header("height -3\n", "line 2, column 8: expected `height N` here");
        header("width 3\n", "line 2, column 1: expected `height N` here");
        header(
            "height 3\nwidth 99999999999\n",
            "line 3, column 7: expected `width N`",
        );
        header(
            "height 1\nwidth 1\n.\n",
            "line 4, column 1: expected `map` here",
        );
        header(
            "height 1\nwidth 1\nmap x\n",
            "line 4, column 5: expected `map` here",
        );
        header(
            "height 0\nwidth 3\n",
            "line 2, column 1: a map of 3×0 cells has no cells",
        );
        header(
            "height 1\nwidth 65536\n",
            "line 3, column 1: a map of 65536×1 cells is over",
        );
        let claim = "height 65535\nwidth 65535\nmap\n..........";
        header(claim, "line 5, column 11: the row has 10 of 65535 cells");
        let rows =
            |rows: &str, told: &str| header(&format!("height 2\nwidth 3\nmap\n{rows}"), told);
        rows("...\n..\n", "line 6, column 3: the row has 2 of 3 cells");
        rows(
            "...\n.... \n",
            "line 6, column 4: the row has 5 cells and not 3",
        );
        rows("...\n", "line 6, column 1: the text ends after 1 of 2 rows");
        rows(
            "...\n...\n\n x\n",
            "line 8, column 2: text follows the last of 2 rows",
        );
        rows(
            "...\n.q.\n",
            "line 6, column 2: the letter `q` has no cost: give it one",
        );
        rows(
            "...\n.é\n",
            "line 6, column 2: the byte 0xC3 is not a terrain letter",
        );
    }

    #[test]
    fn the_benchmark_table_closes_every_letter_but_not_every_byte() {
        let text = b"type octile\nheight 1\nwidth 6\nmap\n.GSWq@\n";
        let costs = read_movingai(text, &Terrain::benchmark()).unwrap();
        assert_eq!(costs.to_rows(), [1, 1, 1, 255, 255, 255]);
        let binary = b"type octile\nheight 1\nwidth 1\nmap\n\x00\n";
        assert!(read_movingai(binary, &Terrain::benchmark()).is_err());
    }

    #[test]
    fn kinds_of_ground_keep_their_letters() {
        let rows = ".SWT@\n@TWS.\n";
        let text = format!("type octile\nheight 2\nwidth 5\nmap\n{rows}");
        let kinds = read_movingai(text.as_bytes(), &Terrain::kinds()).unwrap();
        let mut found = kinds.to_rows();
        assert_eq!(write_movingai(&kinds, &Terrain::kinds()), Ok(text.clone()));
        // To those who only walk, what is no ground is a wall.
        for kind in &mut found {
            if [Terrain::WATER, Terrain::TREES]
                .map(Cost::value)
                .contains(kind)
            {
                *kind = Cost::WALL.value();
            }
        }
        let costs = read_movingai(text.as_bytes(), &Terrain::game()).unwrap();
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
        let text = write_movingai(&costs, &table).unwrap();
        assert_eq!(read_movingai(text.as_bytes(), &table), Ok(costs.clone()));
        let error = write_movingai(&costs, &Terrain::game()).unwrap_err();
        assert_eq!(error.cost, Cost::new(b'x').ok());
        assert!(
            error
                .what
                .starts_with("the cell (2, 0) costs 120, for which there is no letter")
        );
    }
}
