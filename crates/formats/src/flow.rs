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
//! The cells come sector by sector, row by row in both:
//!
//! ```text
//!   c         one cell of cost c
//!   0 n c     n cells of cost c, also beyond the end of a sector
//! ```
//!
//! Numbers are written in groups of seven bits, the lowest first; all bytes but
//! the last have their high bit set.

use std::fmt;

use super::rows::{SizeFault, check_size, map_from_sectors};
use flowtiles::{Cell, Cost, CostMap, Digest, SECTOR_SIDE, Sector, SectorCosts};

pub(super) const MAGIC: &[u8; 8] = b"FLOWCOST";
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
    let side = SECTOR_SIDE as usize;
    let (width, height) = (map.width() as i32, map.height() as i32);
    for top in (0..height).step_by(side) {
        for left in (0..width).step_by(side) {
            let rows = top..height.min(top + SECTOR_SIDE);
            let columns = left..width.min(left + SECTOR_SIDE);
            for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
                let here = map.get(Cell::new(x, y)).map_or(u8::MAX, Cost::value);
                if here != cost {
                    push_run(&mut body, count, cost);
                    (count, cost) = (0, here);
                }
                count += 1;
            }
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
pub fn read_flow(bytes: &[u8], cells_max: u64) -> Result<CostMap, FlowError> {
    if !bytes.starts_with(MAGIC) {
        return Err(FlowError::NotAMap);
    }
    let (version, expected) = head(bytes).ok_or(FlowError::Length {
        expected: (HEAD + TAIL) as u64,
        found: bytes.len() as u64,
    })?;
    if version != VERSION {
        return Err(FlowError::Version { version });
    }
    let found = bytes.len() as u64;
    if expected != Some(found) {
        let expected = expected.unwrap_or(u64::MAX);
        return Err(FlowError::Length { expected, found });
    }
    let (content, tail) = bytes.split_at(bytes.len() - TAIL);
    if tail != digest(content) {
        return Err(FlowError::Damaged);
    }
    let mut reader = Reader {
        bytes: content,
        at: HEAD,
        left: 0,
        cost: 0,
    };
    let side = |side: u64| u32::try_from(side).unwrap_or(u32::MAX);
    let (width, height) = (side(reader.number()?), side(reader.number()?));
    check_size(width, height, cells_max).map_err(FlowError::Size)?;
    let map = map_from_sectors(width, height, |sector: Sector| {
        let left = |length: u32, at: i32| (length as usize).min((at * SECTOR_SIDE) as usize);
        let columns = left(width, sector.x + 1) - left(width, sector.x);
        let rows = left(height, sector.y + 1) - left(height, sector.y);
        reader.sector(columns, rows)
    })?;
    if reader.left > 0 || reader.at < content.len() {
        return Err(reader.fault("there are more cells than the size says"));
    }
    Ok(map)
}

/// Returns the version, and the number of bytes of the whole file by its header
/// (`None` if it overflows); `None` if the header is cut off.
fn head(bytes: &[u8]) -> Option<(u32, Option<u64>)> {
    let (version, rest) = bytes.get(MAGIC.len()..)?.split_first_chunk()?;
    let (length, _) = rest.split_first_chunk()?;
    let length = u64::from_le_bytes(*length).checked_add((HEAD + TAIL) as u64);
    (bytes.len() >= HEAD + TAIL).then(|| (u32::from_le_bytes(*version), length))
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
    const fn fault(&self, what: &'static str) -> FlowError {
        FlowError::Body { at: self.at, what }
    }

    fn byte(&mut self) -> Result<u8, FlowError> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or(self.fault("the bytes end too soon"))?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, FlowError> {
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
    fn begin_run(&mut self) -> Result<(), FlowError> {
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

    /// Reads the cells of a sector on the map.
    fn sector(&mut self, columns: usize, rows: usize) -> Result<SectorCosts, FlowError> {
        self.begin_run()?;
        let cells = (columns * rows) as u64;
        if let (true, Ok(cost)) = (self.left >= cells, Cost::new(self.cost)) {
            self.left -= cells;
            return Ok(SectorCosts::Even(cost));
        }
        let mut costs = [u8::MAX; (SECTOR_SIDE * SECTOR_SIDE) as usize];
        for row in costs.chunks_exact_mut(SECTOR_SIDE as usize).take(rows) {
            for cell in &mut row[..columns] {
                self.begin_run()?;
                self.left -= 1;
                *cell = self.cost;
            }
        }
        Ok(SectorCosts::Cells(costs))
    }
}

/// The reasons for which bytes are not a map of the project's own format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlowError {
    /// The bytes do not begin with the magic letters.
    NotAMap,
    /// The version is unknown.
    Version {
        /// The version.
        version: u32,
    },
    /// The file is cut off, or bytes follow it.
    Length {
        /// The number of bytes that it should have.
        expected: u64,
        /// The number of bytes that it has.
        found: u64,
    },
    /// The digest does not match the bytes.
    Damaged,
    /// The size is refused.
    Size(SizeFault),
    /// The bytes are intact but do not describe a map.
    Body {
        /// The offset of the fault, in bytes.
        at: usize,
        /// The fault.
        what: &'static str,
    },
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMap => {
                f.write_str("byte 0: the bytes do not begin with FLOWCOST: give a .flow map")
            }
            Self::Version { version } => write!(
                f,
                "byte 8: the map has version {version} of the format and only {VERSION} is known: \
                 read it with the version of flowtiles that wrote it"
            ),
            Self::Length { expected, found } => write!(
                f,
                "byte {found}: the map should have {expected} bytes and has {found}: \
                 it was cut off or added to, so take another copy"
            ),
            Self::Damaged => f.write_str(
                "the map's digest does not fit its bytes: it was damaged, so take another copy",
            ),
            Self::Size(fault) => write!(f, "byte {HEAD}: {fault}"),
            Self::Body { at, what } => write!(
                f,
                "byte {at}: {what}; the file was not written by flowtiles, so write it again"
            ),
        }
    }
}

impl std::error::Error for FlowError {}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles::Sector;
    use flowtiles::{Cost, CostSource, SectorCosts};

    /// Returns a file with a body that the writer would not write.
    fn sealed(body: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes.extend(digest(&bytes));
        bytes
    }

    #[test]
    fn sealed_bodies_that_lie_are_refused_by_their_place() {
        let read = |body: &[u8]| read_flow(&sealed(body), 1000);
        assert!(read(&[10, 10, 0, 100, 1]).is_ok());
        assert!(read(&[2, 1, 7, 255]).is_ok());
        let at = |body: &[u8]| match read(body) {
            Err(FlowError::Body { at, .. }) => at,
            other => panic!("{other:?}"),
        };
        assert_eq!(at(&[10]), HEAD + 1);
        assert_eq!(at(&[10, 10, 0, 99, 1]), HEAD + 5, "a cell is missing");
        assert_eq!(at(&[10, 10, 0, 101, 1]), HEAD + 5, "a cell is left over");
        assert_eq!(at(&[10, 10, 0, 100, 0]), HEAD + 5, "they cost 0");
        assert_eq!(at(&[10, 10, 0, 0, 1]), HEAD + 5, "an empty run");
        assert_eq!(at(&[10, 10, 0, 100, 1, 1]), HEAD + 5, "a byte is left over");
        let huge = [0xFF, 0xFF, 3, 0xFF, 0xFF, 3, 0, 1];
        assert!(matches!(
            read(&huge),
            Err(FlowError::Size(SizeFault::Cells { .. }))
        ));
        assert!(matches!(
            read(&[0, 1, 0, 1]),
            Err(FlowError::Size(SizeFault::Size(_)))
        ));
        let long = [&[0xFF; 9][..], &[1; 9]].concat();
        assert_eq!(at(&long), HEAD + 9);
    }

    #[test]
    fn a_map_over_a_source_is_written_whole() {
        struct Chequers;
        impl CostSource for Chequers {
            fn size(&self) -> (u32, u32) {
                (37, 21)
            }
            fn sector(&self, sector: Sector) -> SectorCosts {
                let is_odd = (sector.x + sector.y) % 2 == 1;
                SectorCosts::Even(if is_odd { Cost::WALL } else { Cost::OPEN })
            }
        }
        let map = CostMap::from_source(Chequers).unwrap();
        let read = read_flow(&write_flow(&map), 1000).unwrap();
        assert_eq!(read.source_digest(), None);
        assert_eq!(read.to_rows(), map.to_rows());
    }
}
