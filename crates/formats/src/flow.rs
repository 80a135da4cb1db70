//! The project's own map format: small, lossless, checked by a digest.
//!
//! ```text
//!   8 bytes   FLOWCOST
//!   4 bytes   the version, the lowest byte first
//!   8 bytes   the length of the body, the lowest byte first
//!             the body: width, height, and the cells
//!   8 bytes   the digest of all bytes before, the lowest byte first
//! ```
//!
//! The cells come row by row:
//!
//! ```text
//!   c         one cell of cost c
//!   0 n c     n cells of cost c, also beyond the end of a row
//! ```
//!
//! Numbers are written in groups of seven bits, the lowest first; all bytes but
//! the last have their high bit set.

use flowtiles::inspect::Digest;
use flowtiles::{Cell, Cost, CostMap};

use crate::rows::{check_size, map_from_rows};
use crate::{Place, ReadError};

pub(crate) const MAGIC: &[u8; 8] = b"FLOWCOST";
const VERSION: u32 = 1;
/// The bytes of the magic, the version and the length.
const HEAD: usize = 20;
/// The bytes of the digest.
const TAIL: usize = 8;
/// The shortest run that is written as one.
const RUN_MIN: u64 = 4;

/// Writes a map as bytes.
#[must_use]
pub fn write_flow(map: &CostMap) -> Vec<u8> {
    let mut body = Vec::new();
    push_number(&mut body, map.width().into());
    push_number(&mut body, map.height().into());
    let (mut count, mut cost) = (0, 0);
    for y in 0..map.height() as i32 {
        for x in 0..map.width() as i32 {
            let here = map.get(Cell::new(x, y)).map_or(u8::MAX, Cost::value);
            if here != cost {
                push_run(&mut body, count, cost);
                (count, cost) = (0, here);
            }
            count += 1;
        }
    }
    push_run(&mut body, count, cost);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes.extend(digest(&bytes));
    bytes
}

fn push_run(body: &mut Vec<u8>, count: u64, cost: u8) {
    if count < RUN_MIN {
        body.extend((0..count).map(|_| cost));
    } else {
        body.push(0);
        push_number(body, count);
        body.push(cost);
    }
}

fn push_number(body: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        body.push(number as u8 | 0x80);
        number >>= 7;
    }
    body.push(number as u8);
}

fn digest(bytes: &[u8]) -> [u8; TAIL] {
    let mut digest = Digest::new();
    digest.bytes(bytes);
    digest.finish().to_le_bytes()
}

/// Reads the bytes that [`write_flow`] wrote, if the map has at most
/// `cells_max` cells.
///
/// ```
/// use flowtiles::CostMap;
/// use flowtiles_formats::{MAX_FILE_CELLS, read_flow, write_flow};
///
/// let map = CostMap::open(4000, 3000)?;
/// let bytes = write_flow(&map);
/// assert!(bytes.len() < 50);
/// assert_eq!(read_flow(&bytes, MAX_FILE_CELLS)?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the bytes are cut off, changed, of a later version, or over the limit.
pub fn read_flow(bytes: &[u8], cells_max: u64) -> Result<CostMap, ReadError> {
    if !bytes.starts_with(MAGIC) {
        let what = "the bytes do not begin with FLOWCOST: give a .flow map";
        return Err(Place::Byte(0).fault(what));
    }
    let found = bytes.len();
    let number = |from: usize, to: usize| {
        let bytes = bytes.get(from..to).unwrap_or_default().iter().rev();
        bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    let expected = number(12, HEAD).saturating_add((HEAD + TAIL) as u64);
    if found >= HEAD && number(8, 12) != u64::from(VERSION) {
        return Err(Place::Byte(8).fault(format!(
            "the map has version {} of the format and only {VERSION} is known: read it with the \
             version of flowtiles that wrote it",
            number(8, 12)
        )));
    }
    if found as u64 != expected {
        return Err(Place::Byte(found).fault(format!(
            "the map should have {expected} bytes and has {found}: it was cut off or added to, so \
             take another copy"
        )));
    }
    let (content, tail) = bytes.split_at(found - TAIL);
    if tail != digest(content) {
        return Err(Place::File.fault(
            "the map's digest does not fit its bytes: it was damaged, so take another copy",
        ));
    }
    let mut reader = Reader {
        bytes: content,
        at: HEAD,
        left: 0,
        cost: 0,
    };
    let side = |side: u64| u32::try_from(side).unwrap_or(u32::MAX);
    let (width, height) = (side(reader.number()?), side(reader.number()?));
    check_size(width, height, cells_max).map_err(|what| Place::Byte(HEAD).fault(what))?;
    let map = map_from_rows(width, height, |_, row| {
        let mut at = 0;
        while at < row.len() {
            reader.begin_run()?;
            let run = reader.left.min((row.len() - at) as u64) as usize;
            row[at..at + run].fill(reader.cost);
            at += run;
            reader.left -= run as u64;
        }
        Ok(())
    })?;
    if reader.left > 0 || reader.at < content.len() {
        return Err(reader.fault("there are more cells than the size says"));
    }
    Ok(map)
}

/// A reader of the body.
struct Reader<'a> {
    /// The bytes of the file before the digest.
    bytes: &'a [u8],
    at: usize,
    /// The cells of the present run that were not yet taken, and their cost.
    left: u64,
    cost: u8,
}

impl Reader<'_> {
    fn fault(&self, what: &str) -> ReadError {
        Place::Byte(self.at).fault(format!(
            "{what}; the file was not written by flowtiles, so write it again"
        ))
    }

    fn byte(&mut self) -> Result<u8, ReadError> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or_else(|| self.fault("the bytes end too soon"))?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, ReadError> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.fault("a number has more than 63 bits"))
    }

    /// Begins the next run, if the present one is at its end.
    fn begin_run(&mut self) -> Result<(), ReadError> {
        if self.left > 0 {
            return Ok(());
        }
        (self.left, self.cost) = (1, self.byte()?);
        if self.cost == 0 {
            (self.left, self.cost) = (self.number()?, self.byte()?);
        }
        if self.left == 0 || self.cost == 0 {
            return Err(self.fault("a run has no cells, or they cost 0"));
        }
        Ok(())
    }
}
