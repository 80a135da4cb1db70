use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tracing::debug_span;

use super::{FlowWorld, Limits, whole_file};
use crate::bytes::{Digest, Fault, Reader, Writer};
use crate::cost::{CostMap, Stamps};
use crate::map::MapBuild;
use crate::order::{Book, Order};

/// What every save begins with.
const MAGIC: &[u8; 8] = b"FLOWSAVE";
/// The version of the format that is written.
const VERSION: u32 = 1;
/// And that of a save which lies over a source of costs.
const OVER_SOURCE: u32 = 2;
/// The most that a tick can do too much, in cells: no piece of work counts so much.
const OWED_MAX: u64 = 1 << 16;
/// Magic, version, length of the body.
const HEAD: usize = 8 + 4 + 8;
/// The digest at the end.
const TAIL: usize = 8;

/// Saves and loads: costs, stamps, blockers, orders, limits. All else is
/// derived again. The format is told in `docs/save-format.md`.
impl FlowWorld {
    /// The world as bytes. Two worlds that were given the same have the same
    /// bytes.
    ///
    /// Of costs in a [source](crate::CostSource) only the digest is saved, and
    /// what was edited: such a save is [loaded over](Self::load_over) the source
    /// again.
    ///
    /// ```
    /// use flowtiles::{CostMap, FlowWorld};
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (loaded, _) = FlowWorld::load(&world.save())?;
    /// assert_eq!(loaded.save(), world.save());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut body = Writer::default();
        let mut version = VERSION;
        if let Some(source) = self.map.costs.source_digest() {
            version = OVER_SOURCE;
            body.raw(&source.to_le_bytes());
        }
        let Limits {
            orders,
            units,
            stamps,
            blocked,
            cache_bytes,
        } = self.limits;
        for limit in [orders, units, stamps, blocked] {
            body.number(u64::from(limit));
        }
        body.number(cache_bytes);
        body.number(self.owed);
        self.map.costs.pack_ground(&self.map.stamps, &mut body);
        self.map.stamps.pack(&self.map.costs, &mut body);
        self.book.pack(&self.map, &mut body);
        let body = body.into_bytes();
        let mut out = Writer::default();
        out.raw(MAGIC);
        out.raw(&version.to_le_bytes());
        out.raw(&(body.len() as u64).to_le_bytes());
        out.raw(&body);
        let mut bytes = out.into_bytes();
        let digest = Digest::of(&bytes);
        bytes.extend_from_slice(&digest.to_le_bytes());
        bytes
    }

    /// A world from the bytes of a save, and one claim on each of its orders,
    /// by number: an order whose claim is dropped is over.
    ///
    /// Orders and stamps keep their numbers. Portals, in-sector costs, islands
    /// and the fields of orders that had no work left are there at once, these
    /// byte for byte as they were: the world's [`state_hash`](Self::state_hash)
    /// is that of the world that was saved. An order that had work left is
    /// planned from the start by the ticks that follow, and may come to other
    /// ways of the same cost.
    ///
    /// How an order came by its field is not saved. So if a loaded world is to
    /// stay the same as another, as in lockstep, both must be loaded: the one
    /// that made the save too.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 50), &[Cell::new(5, 5)])?;
    /// world.tick(Budget::UNLIMITED);
    /// let (loaded, claims) = FlowWorld::load(&world.save())?;
    /// assert_eq!(claims[0].number(), order.number());
    /// assert_eq!(loaded.state_hash(), world.state_hash());
    /// assert!(FlowWorld::load(b"no save").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes are no save, one of a later version, or damaged. Then there
    /// is no world, and no more memory was used than the bytes bore out. But a
    /// large map of open ground takes few bytes: what others have sent is loaded
    /// [within](Self::load_within) a limit.
    pub fn load(bytes: &[u8]) -> Result<(Self, Vec<Order>), LoadError> {
        Self::load_within(bytes, u64::MAX)
    }

    /// A world from the bytes of a save, if its map has no more than so many
    /// cells; otherwise as [`load`](Self::load). A world takes some bytes a cell
    /// at most, and about a microsecond for each hundred.
    ///
    /// ```
    /// use flowtiles::{CostMap, FlowWorld, LoadError};
    /// let save = FlowWorld::new(CostMap::open(3000, 2000)?).save();
    /// assert!(FlowWorld::load_within(&save, 3000 * 2000).is_ok());
    /// let error = FlowWorld::load_within(&save, 1_000_000);
    /// assert!(matches!(error, Err(LoadError::TooLarge { width: 3000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load), and if the map is larger; that is known before any
    /// of it is made.
    pub fn load_within(bytes: &[u8], cells_max: u64) -> Result<(Self, Vec<Order>), LoadError> {
        let Save { over: None, rest } = Save::open(bytes)? else {
            return Err(LoadError::OverSource);
        };
        let [width, height] = size_told(rest.clone()).map_err(in_body)?;
        if width.saturating_mul(height) > cells_max {
            return Err(LoadError::TooLarge {
                width,
                height,
                cells_max,
            });
        }
        Self::unpack(rest, None)
    }

    /// A world from the bytes of a save that lies over a
    /// [source](crate::CostSource) of costs: `under` is a map over that source,
    /// as [`CostMap::from_source`] makes it. Otherwise as [`load`](Self::load).
    ///
    /// # Errors
    /// As [`load`](Self::load), and if the save lies over no source or over one
    /// with another [digest](CostMap::source_digest).
    pub fn load_over(bytes: &[u8], under: CostMap) -> Result<(Self, Vec<Order>), LoadError> {
        let Save { over, rest } = Save::open(bytes)?;
        let found = under.source_digest();
        if over.is_none() || over != found {
            return Err(LoadError::OtherSource {
                expected: over,
                found,
            });
        }
        Self::unpack(rest, Some(under))
    }

    fn unpack(
        mut reader: Reader<'_>,
        under: Option<CostMap>,
    ) -> Result<(Self, Vec<Order>), LoadError> {
        let _span = debug_span!("load").entered();
        Self::unpack_body(&mut reader, under).map_err(in_body)
    }

    fn unpack_body(
        reader: &mut Reader<'_>,
        under: Option<CostMap>,
    ) -> Result<(Self, Vec<Order>), Fault> {
        let mut limit = || {
            let limit = reader.below(1 << 32, "a limit is too high");
            limit.map(|limit| limit as u32)
        };
        let limits = Limits {
            orders: limit()?,
            units: limit()?,
            stamps: limit()?,
            blocked: limit()?,
            cache_bytes: reader.number()?,
        };
        let owed = reader.below(OWED_MAX, "more is owed than a tick can do too much")?;
        let from = reader.at();
        let mut costs = CostMap::unpack_ground(under, reader)?;
        let stamps = Stamps::unpack(&mut costs, reader)?;
        let mut written = Writer::default();
        costs.pack_ground(&stamps, &mut written);
        stamps.pack(&costs, &mut written);
        reader.hold_to(from, &written.into_bytes())?;
        let mut world = Self::of_chart(MapBuild::new(costs, stamps).finish());
        let (book, orders) = Book::unpack(&world.map, &mut world.scratch, reader)?;
        reader.end()?;
        world.book = book;
        (world.limits, world.owed) = (limits, owed);
        Ok((world, orders))
    }

    /// Another claim on a living order, by its number; `None` if no order that
    /// lives has it.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 50), &[])?;
    /// assert_eq!(world.order_with_number(order.number()), Some(order));
    /// assert_eq!(world.order_with_number(7), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn order_with_number(&self, number: u64) -> Option<Order> {
        self.book.order_with_number(number)
    }

    /// Saves into a file: beside it first, under a name of its own, and then in
    /// its place, so that a save is never half there, whoever else saves to the
    /// same place meanwhile. Returns once the disk has both the file and its name.
    ///
    /// The name beside it is the file's with 16 hexadecimal digits and `.new` at
    /// the end. If the process is killed, that file may stay behind; the next
    /// save to the same place removes it.
    ///
    /// ```
    /// use flowtiles::{CostMap, FlowWorld};
    /// let path = std::env::temp_dir().join(format!("flowtiles-{}.save", std::process::id()));
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.save_to(&path)?;
    /// let (loaded, _) = FlowWorld::load_from(&path)?;
    /// assert_eq!(loaded.state_hash(), world.state_hash());
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be written; what was there before is there still. And
    /// if it is written, but the disk may not know its name; the error says so.
    pub fn save_to(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let place = path.display();
        whole_file::replace(path, &self.save()).map_err(|error| {
            let told = format!("{place} cannot be written ({error}): name a place that can");
            io::Error::new(error.kind(), told)
        })?;
        whole_file::sync_folder(path).map_err(|error| {
            let told = format!(
                "{place} is written, but its folder cannot be synced ({error}): \
                 a loss of power now may bring back what was there before"
            );
            io::Error::new(error.kind(), told)
        })
    }

    /// [Loads](Self::load) the save in a file.
    ///
    /// ```
    /// use flowtiles::{FlowWorld, LoadError};
    /// let missing = FlowWorld::load_from("no/such/file.save");
    /// assert!(matches!(missing, Err(LoadError::File { .. })));
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read, and as [`load`](Self::load) does.
    pub fn load_from(path: impl AsRef<Path>) -> Result<(Self, Vec<Order>), LoadError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| LoadError::File {
            path: path.to_owned(),
            error,
        })?;
        Self::load(&bytes)
    }
}

/// The width and the height that the body of a save tells.
fn size_told(mut body: Reader<'_>) -> Result<[u64; 2], Fault> {
    for _limit_or_debt in 0..6 {
        body.number()?;
    }
    Ok([body.number()?, body.number()?])
}

/// A fault in the body, with its place in the save.
const fn in_body(Fault { at, what }: Fault) -> LoadError {
    let at = HEAD + at;
    LoadError::Body { at, what }
}

/// A save whose frame is sound.
struct Save<'a> {
    /// The digest of the source that it lies over.
    over: Option<u64>,
    /// The rest of the body.
    rest: Reader<'a>,
}

impl<'a> Save<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let (version, body) = body_of(bytes)?;
        let mut rest = Reader::new(body);
        if version == VERSION {
            return Ok(Self { over: None, rest });
        }
        let over = rest.raw(8).map_err(in_body)?;
        Ok(Self {
            over: Some(u64::from_le_bytes(word(over))),
            rest,
        })
    }
}

/// The version and the body of a save whose frame is sound.
fn body_of(bytes: &[u8]) -> Result<(u32, &[u8]), LoadError> {
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err(LoadError::NotASave);
    }
    let found = bytes.len() as u64;
    if bytes.len() < HEAD {
        let expected = (HEAD + TAIL) as u64;
        return Err(LoadError::Length { expected, found });
    }
    let version = u32::from_le_bytes(word(&bytes[8..12]));
    if version != VERSION && version != OVER_SOURCE {
        return Err(LoadError::Version { version });
    }
    let length = u64::from_le_bytes(word(&bytes[12..HEAD]));
    let expected = length.saturating_add((HEAD + TAIL) as u64);
    if expected != found {
        return Err(LoadError::Length { expected, found });
    }
    let (told, digest) = bytes.split_at(bytes.len() - TAIL);
    if Digest::of(told) != u64::from_le_bytes(word(digest)) {
        return Err(LoadError::Damaged);
    }
    Ok((version, &told[HEAD..]))
}

/// Bytes of known number as an array.
fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(bytes);
    word
}

/// Why there is no world in some bytes.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    File {
        /// Where it should be.
        path: PathBuf,
        /// Why it cannot be read.
        error: io::Error,
    },
    /// The bytes do not begin as a save does.
    NotASave,
    /// The save is of a version of the format that is not known here.
    Version {
        /// That version.
        version: u32,
    },
    /// The save lies over a source of costs, and none was given.
    OverSource,
    /// The save lies over another source of costs than that given, or over
    /// none.
    OtherSource {
        /// The digest of the save's source.
        expected: Option<u64>,
        /// The digest of the source under the map given.
        found: Option<u64>,
    },
    /// The save is cut off, or something follows it.
    Length {
        /// Bytes it should have.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// The bytes are not those that were written.
    Damaged,
    /// The map is larger than the caller allows.
    TooLarge {
        /// The map's width.
        width: u64,
        /// The map's height.
        height: u64,
        /// The most cells that are allowed.
        cells_max: u64,
    },
    /// The bytes were written so, but make no world.
    Body {
        /// How many bytes in.
        at: usize,
        /// What is wrong.
        what: &'static str,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(
                f,
                "{} cannot be read ({error}): give the path of a save",
                path.display()
            ),
            Self::NotASave => f.write_str(
                "the bytes do not begin with FLOWSAVE: give what `FlowWorld::save` wrote",
            ),
            Self::Version { version } => write!(
                f,
                "the save has version {version} of the format and only {VERSION} and {OVER_SOURCE} are known: \
                 load it with the version of flowtiles that wrote it"
            ),
            Self::OverSource => f.write_str(
                "the save holds only what was changed of a source of costs: \
                 load it with `FlowWorld::load_over` and a map over that source",
            ),
            Self::OtherSource { expected: None, .. } => {
                f.write_str("the save lies over no source of costs: load it with `FlowWorld::load`")
            }
            Self::OtherSource {
                expected: Some(expected),
                found: None,
            } => write!(
                f,
                "the map given has no source and the save lies over the one with digest \
                 {expected:016x}: give a map made by `CostMap::from_source`"
            ),
            Self::OtherSource {
                expected: Some(expected),
                found: Some(found),
            } => write!(
                f,
                "the save lies over a source of costs with digest {expected:016x} and the one \
                 given has {found:016x}: give the source that was there when it was saved"
            ),
            Self::Length { expected, found } => write!(
                f,
                "the save should have {expected} bytes and has {found}: \
                 it was cut off or added to, so take another copy"
            ),
            Self::Damaged => f.write_str(
                "the save's digest does not fit its bytes: it was damaged, so take another copy",
            ),
            Self::TooLarge {
                width,
                height,
                cells_max,
            } => write!(
                f,
                "the save tells of a map of {width}×{height} cells and only {cells_max} cells are \
                 allowed: take a smaller one, or allow more with `FlowWorld::load_within`"
            ),
            Self::Body { at, what } => write!(
                f,
                "the save makes no world, {at} bytes in: {what}; \
                 it was not written by `FlowWorld::save`"
            ),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { error, .. } => Some(error),
            _ => None,
        }
    }
}
