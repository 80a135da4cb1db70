//! The source of costs: a mapped file, checked when it is opened.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use flowtiles::build::{CostSource, SectorCosts};
use flowtiles::inspect::Digest;
use flowtiles::{Cost, MAX_SIDE, SECTOR_SIDE, Sector};
use memmap2::Mmap;

use crate::{BLOCK, FIRST_BLOCK, HEAD, MAGIC, TAIL, VERSION, WORD};

/// A file of costs, mapped into memory.
///
/// [Opening](Self::open) reads the whole file once and checks it. After that,
/// reading a sector takes two reads of memory, or of the disk if the system has
/// dropped the pages meanwhile.
///
/// # The caller's obligation
///
/// The file must not change while it is mapped. [`write`](crate::write())
/// guarantees this for its part: it never changes a file but puts a new one in
/// its place, and a program that has the old file mapped still sees the old
/// one. If another program changes the file in place, the engine detects
/// changed costs when it reads them, and panics; if the file is truncated, the
/// system ends the process.
#[derive(Debug)]
pub struct MappedCosts {
    bytes: Mmap,
    width: u32,
    height: u32,
    /// The offset of the sectors' words.
    words: usize,
}

impl MappedCosts {
    /// Maps the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or is not as [`write`](crate::write()) made
    /// it: cut off, extended, damaged, of another version, or something else.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let bytes = map(path).map_err(|error| OpenError::File {
            path: path.to_owned(),
            error,
        })?;
        Self::of(bytes).map_err(|what| OpenError::Content {
            path: path.to_owned(),
            what,
        })
    }

    /// Checks the bytes of a file, or says what is wrong with them.
    fn of(bytes: Mmap) -> Result<Self, String> {
        let known = bytes.len().min(MAGIC.len());
        if bytes.is_empty() || bytes[..known] != MAGIC[..known] {
            let what = "it does not begin with FLOWCOST: give a file that \
                        `flowtiles_mapped::write` made";
            return Err(what.to_owned());
        }
        if bytes.len() < HEAD {
            return Err(wrong_length(bytes.len(), (HEAD + TAIL) as u64));
        }
        let [version, width, height, blocks] = [8, 12, 16, 20].map(|at| number(&bytes, at));
        if version != VERSION {
            return Err(format!(
                "it has format version {version}, but only {VERSION} is known: \
                 read it with the version of flowtiles-mapped that wrote it"
            ));
        }
        if [width, height]
            .iter()
            .any(|side| !(1..=MAX_SIDE).contains(side))
        {
            return Err(format!(
                "a map cannot have {width}×{height} cells: it is damaged"
            ));
        }
        let [columns, rows] = [width, height].map(|side| side.div_ceil(SECTOR_SIDE as u32));
        let sectors = u64::from(columns) * u64::from(rows);
        let words = HEAD as u64 + BLOCK as u64 * u64::from(blocks);
        let expected = words + WORD as u64 * sectors + TAIL as u64;
        if bytes.len() as u64 != expected {
            return Err(wrong_length(bytes.len(), expected));
        }
        let costs = Self {
            bytes,
            width,
            height,
            words: words as usize,
        };
        costs.check(blocks)?;
        Ok(costs)
    }

    /// Checks all bytes against the digest, and the words against the number of
    /// blocks.
    fn check(&self, blocks: u32) -> Result<(), String> {
        let (told, digest) = self.bytes.split_at(self.bytes.len() - TAIL);
        let mut found = Digest::new();
        for block in told[HEAD..self.words].chunks(BLOCK) {
            found.bytes(block);
        }
        found.bytes(&told[self.words..]);
        found.bytes(&told[..HEAD]);
        if found.finish().to_le_bytes() != digest {
            let what = "its digest does not fit its bytes: it was damaged, so take another copy";
            return Err(what.to_owned());
        }
        let end = u64::from(FIRST_BLOCK) + u64::from(blocks);
        let mut words = told[self.words..].chunks(WORD).map(|word| number(word, 0));
        match words.position(|word| word == 0 || u64::from(word) >= end) {
            None => Ok(()),
            Some(sector) => Err(format!(
                "sector {sector} names a block that is not there: \
                 it was not written by `flowtiles_mapped::write`"
            )),
        }
    }
}

impl CostSource for MappedCosts {
    fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn sector(&self, sector: Sector) -> SectorCosts {
        let columns = self.width.div_ceil(SECTOR_SIDE as u32) as usize;
        let at = sector.y as usize * columns + sector.x as usize;
        let word = number(&self.bytes, self.words + WORD * at);
        match word.checked_sub(FIRST_BLOCK) {
            Some(block) => {
                let mut costs = [0; BLOCK];
                let from = HEAD + BLOCK * block as usize;
                costs.copy_from_slice(&self.bytes[from..from + BLOCK]);
                SectorCosts::Cells(costs)
            }
            // The value is 1 to 255, as checked when the file was opened.
            None => Cost::new(word as u8).map_or(SectorCosts::WALLS, SectorCosts::Even),
        }
    }
}

/// The reasons for which a file cannot be a source of costs.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The file cannot be read.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The contents are not those of such a file.
    Content {
        /// The path of the file.
        path: PathBuf,
        /// The fault, and what to do about it.
        what: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(
                f,
                "{} cannot be read ({error}): give a file that `flowtiles_mapped::write` made",
                path.display()
            ),
            Self::Content { path, what } => write!(f, "{}: {what}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { error, .. } => Some(error),
            Self::Content { .. } => None,
        }
    }
}

fn wrong_length(found: usize, expected: u64) -> String {
    format!(
        "it should have {expected} bytes and has {found}: \
         it was cut off or added to, so take another copy"
    )
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; WORD];
    number.copy_from_slice(&bytes[at..at + WORD]);
    u32::from_le_bytes(number)
}

#[allow(unsafe_code, reason = "mapping a file is always unsafe")]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the map is read-only, and the bytes are only copied out of it, as
    // plain bytes of which any value is valid. Rust cannot check that nothing
    // changes the file meanwhile; the type's documentation requires this of the
    // caller, and the only writer here never does it.
    unsafe { Mmap::map(&file) }
}
