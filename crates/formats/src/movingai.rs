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
