//! The project's own map format: small, lossless, checked by a digest.
//!
//! ```text
//!   8 bytes   FLOWCOST
//!   4 bytes   the version, the lowest byte first
//!   8 bytes   the length of the body, the lowest byte first
//!             the body: width, height, and the ground as in a save
//!   8 bytes   the digest of all bytes before, the lowest byte first
//! ```

use std::fmt;

use super::rows::{SizeFault, check_size, map_from_rows};
use crate::bytes::{Digest, Fault, Reader, Writer};
use crate::cost::{CostMap, Stamps};
use crate::grid::Cell;

pub(super) const MAGIC: &[u8; 8] = b"FLOWCOST";
const VERSION: u32 = 1;
/// The bytes of the magic, the version and the length.
const HEAD: usize = 20;
/// The bytes of the digest.
const TAIL: usize = 8;

/// Writes a map as bytes: sectors of plain ground as runs, others as runs of
/// cells or as their hundred costs.
#[must_use]
pub fn write_flow(map: &CostMap) -> Vec<u8> {
    let mut body = Writer::default();
    match map.source_digest() {
        // A file must be complete by itself: costs from a source are copied
        // into it.
        Some(_) => copied(map).pack_ground(&Stamps::default(), &mut body),
        None => map.pack_ground(&Stamps::default(), &mut body),
    }
    let body = body.into_bytes();
    let mut bytes = Vec::with_capacity(HEAD + body.len() + TAIL);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes.extend_from_slice(&Digest::of(&bytes).to_le_bytes());
    bytes
}

/// Returns the same costs without a source.
fn copied(map: &CostMap) -> CostMap {
    let made = map_from_rows(map.width(), map.height(), |y, row| {
        for (x, cost) in row.iter_mut().enumerate() {
            let told = map.get(Cell::new(x as i32, y as i32));
            *cost = told.map_or(u8::MAX, crate::cost::Cost::value);
        }
        Ok::<(), std::convert::Infallible>(())
    });
    match made {
        Ok(map) => map,
        Err(never) => match never {},
    }
}

/// Reads the bytes that [`write_flow`] wrote, if the map has at most
/// `cells_max` cells.
///
/// ```
/// use flowtiles::CostMap;
/// use flowtiles::format::{MAX_FILE_CELLS, read_flow, write_flow};
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
    let (content, digest) = bytes.split_at(bytes.len() - TAIL);
    if digest != Digest::of(content).to_le_bytes() {
        return Err(FlowError::Damaged);
    }
    let body = &content[HEAD..];
    let wrong = |Fault { at, what }: Fault| FlowError::Body {
        at: HEAD + at,
        what,
    };
    let mut size = Reader::new(body);
    let mut side = || -> Result<u32, Fault> {
        let side = size.number()?;
        Ok(u32::try_from(side).unwrap_or(u32::MAX))
    };
    let (width, height) = (side().map_err(wrong)?, side().map_err(wrong)?);
    check_size(width, height, cells_max).map_err(FlowError::Size)?;
    let mut reader = Reader::new(body);
    let map = CostMap::unpack_ground(None, &mut reader).map_err(wrong)?;
    reader.end().map_err(wrong)?;
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
    use crate::cost::{Cost, CostSource, SectorCosts};
    use crate::grid::Sector;

    /// Returns a file with a body that the writer would not write.
    fn sealed(body: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes.extend(Digest::of(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn sealed_bodies_that_lie_are_refused_by_their_place() {
        let read = |body: &[u8]| read_flow(&sealed(body), 1000);
        assert!(read(&[10, 10, 0, 1]).is_ok());
        let at = |body: &[u8]| match read(body) {
            Err(FlowError::Body { at, .. }) => at,
            other => panic!("{other:?}"),
        };
        assert_eq!(at(&[10]), HEAD + 1);
        assert_eq!(at(&[10, 10, 0, 2]), HEAD + 4);
        assert_eq!(at(&[10, 10, 4, 1]), HEAD + 4, "there is no source");
        assert_eq!(at(&[10, 10, 0, 1, 0]), HEAD + 4, "a byte is left over");
        let huge = [0xFF, 0xFF, 3, 0xFF, 0xFF, 3, 0, 1];
        assert!(matches!(
            read(&huge),
            Err(FlowError::Size(SizeFault::Cells { .. }))
        ));
        assert!(matches!(
            read(&[0, 1, 0, 1]),
            Err(FlowError::Size(SizeFault::Size(_)))
        ));
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
