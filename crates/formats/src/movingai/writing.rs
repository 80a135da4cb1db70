//! Writing scenarios as text.

use std::fmt::{self, Write};

use super::ScenarioEntry;

/// The most decimals of a length.
const MAX_DECIMALS: i32 = 17;
/// The range of lengths in one bucket of the benchmark sets.
const BUCKET: f64 = 4.0;

/// Writes entries as the text of a `.scen`: the inverse of
/// [`read_scenario`](super::read_scenario). The line of an entry follows from
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
pub fn write_scenario(entries: &[ScenarioEntry]) -> Result<String, UnwritableEntry> {
    let mut text = "version 1\n".to_owned();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(fault) = fault(entry) {
            return Err(UnwritableEntry { index, fault });
        }
        let ScenarioEntry {
            map,
            width,
            height,
            start,
            goal,
            length,
            decimals,
            ..
        } = entry;
        let decimals = (*decimals).max(0) as usize;
        let bucket = ((length / BUCKET) as u32).min(i32::MAX as u32);
        let (from_x, from_y, to_x, to_y) = (start.x, start.y, goal.x, goal.y);
        writeln!(
            text,
            "{bucket}\t{map}\t{width}\t{height}\t{from_x}\t{from_y}\t{to_x}\t{to_y}\t\
             {length:.decimals$}"
        )
        .expect("a String takes all that is written");
    }
    Ok(text)
}

fn fault(entry: &ScenarioEntry) -> Option<EntryFault> {
    let (width, height) = (i64::from(entry.width), i64::from(entry.height));
    let is_inside = |(x, y): (i32, i32)| {
        (0..width).contains(&i64::from(x)) && (0..height).contains(&i64::from(y))
    };
    let largest = i64::from(i32::MAX);
    let map = entry.map.as_str();
    let is_name = !map.is_empty()
        && !map.starts_with([' ', '\t'])
        && !map.ends_with([' ', '\t'])
        && !map.contains(['\n', '\r']);
    let cells = [entry.start, entry.goal].map(|cell| (cell.x, cell.y));
    if !is_name {
        Some(EntryFault::Map)
    } else if width > largest || height > largest || !cells.into_iter().all(is_inside) {
        Some(EntryFault::Outside)
    } else if !entry.length.is_finite() || entry.length.is_sign_negative() {
        Some(EntryFault::Length)
    } else if entry.decimals > MAX_DECIMALS {
        Some(EntryFault::Decimals)
    } else {
        None
    }
}

/// An entry that cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnwritableEntry {
    /// The place of the entry in the list, from 0.
    pub index: usize,
    /// The fault.
    pub fault: EntryFault,
}

/// A fault in an entry to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryFault {
    /// The name of the map is empty, begins or ends with a blank, or contains a
    /// line end.
    Map,
    /// The start or the goal is outside the size, or the size is over 2³¹ − 1.
    Outside,
    /// The length is negative, infinite or not a number.
    Length,
    /// There are more than 17 decimals.
    Decimals,
}

impl fmt::Display for UnwritableEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: ", self.index)?;
        f.write_str(match self.fault {
            EntryFault::Map => {
                "the map's name is empty, or has blanks around it or a line end: give another name"
            }
            EntryFault::Outside => {
                "the start or the goal is outside the map's size: correct one of them"
            }
            EntryFault::Length => "the length is not a number of at least 0: correct it",
            EntryFault::Decimals => "the length cannot have more than 17 decimals: give fewer",
        })
    }
}

impl std::error::Error for UnwritableEntry {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_scenario;
    use flowtiles::Cell;

    type Twist = fn(&mut ScenarioEntry);

    fn entry() -> ScenarioEntry {
        ScenarioEntry {
            line: 2,
            map: "maps/a b.map".to_owned(),
            width: 9,
            height: 8,
            start: Cell::new(0, 7),
            goal: Cell::new(8, 0),
            length: 10.25,
            decimals: 2,
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut entries = vec![entry(); 3];
        entries[1].length = 0.0;
        entries[1].decimals = 0;
        entries[2].decimals = 17;
        for (index, entry) in entries.iter_mut().enumerate() {
            entry.line = index + 2;
        }
        let text = write_scenario(&entries).unwrap();
        assert_eq!(read_scenario(text.as_bytes()), Ok(entries));
        assert_eq!(write_scenario(&[]).as_deref(), Ok("version 1\n"));
    }

    #[test]
    fn entries_that_would_not_come_back_are_refused() {
        let refused = |change: Twist| {
            let mut wrong = entry();
            change(&mut wrong);
            write_scenario(&[entry(), wrong]).unwrap_err()
        };
        let cases: [(Twist, EntryFault); 7] = [
            (|entry| entry.map.clear(), EntryFault::Map),
            (|entry| entry.map.push(' '), EntryFault::Map),
            (|entry| entry.map.insert(2, '\n'), EntryFault::Map),
            (|entry| entry.goal.x = 9, EntryFault::Outside),
            (|entry| entry.start.y = -1, EntryFault::Outside),
            (|entry| entry.length = f64::NAN, EntryFault::Length),
            (|entry| entry.decimals = 18, EntryFault::Decimals),
        ];
        for (change, fault) in cases {
            let index = 1;
            assert_eq!(refused(change), UnwritableEntry { index, fault });
        }
    }
}
