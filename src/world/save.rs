//! Saves of worlds, and the errors of loading them.
//!
//! A save holds inputs: costs, what lies over them, layers and which of them are derived,
//! links, orders, limits and the work that is owed. A field is a function of costs, goals and
//! loaded sectors. So for an order without work left goals and sectors are saved too, and its
//! field comes back byte for byte. The course of a search is not saved: in lockstep every
//! player loads.

use std::fmt;

use tracing::debug_span;

use super::{FlowWorld, Limits};
use crate::bytes::{EnvelopeFault, Fault, HEAD, Reader, Writer, open, seal};
use crate::cost::{CostMap, Fog, Links, Movement, Opaque, Stamps, Surcharges};
use crate::map::{Layers, MapBuild};
use crate::order::{Book, Order, pack_layers};

/// The first bytes of every save.
const MAGIC: [u8; 8] = *b"FLOWSAVE";
/// The version of the format.
const VERSION: u32 = 1;
/// The parts that a save may have beside those that all have: a bit for each in its first byte.
const SOURCE: u8 = 1;
const LAYERS: u8 = 2;
/// The record of congestion, which earlier builds kept in place of surcharges.
const CONGESTION: u8 = 4;
const LINKS: u8 = 8;
const SURCHARGES: u8 = 16;
/// The layers that are derived though no order uses them.
const SPARE: u8 = 32;
/// What teams with fog know.
const FOG: u8 = 64;
/// The kinds of ground that are opaque.
const OPAQUE: u8 = 128;
/// More than a tick can overdraw its budget, in cells: no single piece of work
/// is so large.
const OWED_MAX: u64 = 1 << 16;

/// Saves and loads: costs, stamps, blockers, gates, links, movements, surcharges, fog, opaque
/// ground, orders, limits, and the work that is owed. Everything else is derived again.
/// `docs/save-format.md` describes the format.
impl FlowWorld {
    /// Returns the world as bytes. Equal worlds have equal bytes.
    ///
    /// If the costs lie over a [source](crate::build::CostSource), the save holds only
    /// the source's digest and the edits. [`load_over`](Self::load_over) loads
    /// it over the same source.
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
        let layers = &self.layers;
        let source = self.costs().source_digest();
        let spare = self.book.spare_layers(layers);
        let parts = parts_of(layers)
            | if source.is_some() { SOURCE } else { 0 }
            | if spare.is_empty() { 0 } else { SPARE };
        let mut body = Writer::default();
        body.byte(parts);
        if let Some(source) = source {
            body.raw(&source.to_le_bytes());
        }
        let Limits {
            orders,
            units,
            stamps,
            blocked,
        } = self.limits;
        for limit in [orders, units, stamps, blocked] {
            body.number(u64::from(limit));
        }
        body.number(self.owed);
        self.costs().pack_ground(layers.stamps(), &mut body);
        layers.stamps().pack(self.costs(), &mut body);
        if parts & LAYERS != 0 {
            layers.pack(&mut body);
        }
        pack_over_layers(layers, parts, &mut body);
        self.book.pack(layers, &mut body);
        if !spare.is_empty() {
            pack_layers(&spare, &mut body);
        }
        seal(MAGIC, VERSION, &body.into_bytes())
    }

    /// Loads a world from the bytes of a save. Returns it with one claim on
    /// each of its orders, by number. An order ends when its claim is dropped.
    ///
    /// Orders and stamps keep their numbers. Portals, in-sector costs, islands
    /// and the fields of orders without work left are ready at once, the fields
    /// byte for byte as they were. The [`state_hash`](Self::state_hash) is that
    /// of the world that was saved. An order with work left is planned from the
    /// start by the ticks that follow, and may get other paths of the same
    /// cost.
    ///
    /// **In lockstep all players load the save**, also the one that saved: a save has no
    /// finished searches, so the loaded world may later part from the one that was saved.
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
    /// If the bytes are not a save, have another version of the format, or are
    /// damaged. Then no world is made, and no more memory was used than the
    /// bytes read so far describe. But a large map of open ground takes few
    /// bytes: load saves from others [within](Self::load_within) a limit.
    pub fn load(bytes: &[u8]) -> Result<(Self, Vec<Order>), LoadError> {
        Self::load_within(bytes, u64::MAX)
    }

    /// Loads a world as [`load`](Self::load) does, if its map has at most
    /// `cells_max` cells. A world takes at most some bytes a cell, and about a
    /// microsecond for each hundred cells. In lockstep all players load, also the one that saved.
    ///
    /// ```
    /// use flowtiles::error::LoadError;
    /// use flowtiles::{CostMap, FlowWorld};
    /// let save = FlowWorld::new(CostMap::open(3000, 2000)?).save();
    /// assert!(FlowWorld::load_within(&save, 3000 * 2000).is_ok());
    /// let error = FlowWorld::load_within(&save, 1_000_000);
    /// assert!(matches!(error, Err(LoadError::TooLarge { width: 3000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load), and if the map is larger. This is checked
    /// before any of the map is made. The cells of each movement layer that is
    /// derived count once more, and so do those of what teams with fog know; of sectors with
    /// surcharges there may be twice as many besides.
    pub fn load_within(bytes: &[u8], cells_max: u64) -> Result<(Self, Vec<Order>), LoadError> {
        let save = Save::open(bytes)?;
        if save.over.is_some() {
            return Err(LoadError::OverSource);
        }
        let [width, height] = size_of_map(save.rest.clone()).map_err(in_body)?;
        if width.saturating_mul(height) > cells_max {
            return Err(LoadError::TooLarge {
                width,
                height,
                cells_max,
            });
        }
        Self::unpack(save, None, cells_max).map_err(in_body)
    }

    /// Loads a world from a save that lies over a [source](crate::build::CostSource)
    /// of costs. `under` is a map over that source, as [`CostMap::from_source`]
    /// makes it. Otherwise it is the same as [`load`](Self::load): in lockstep all players load,
    /// also the one that saved.
    ///
    /// # Errors
    /// As [`load`](Self::load), and if the save lies over no source, or over a
    /// source with another [digest](CostMap::source_digest).
    pub fn load_over(bytes: &[u8], under: CostMap) -> Result<(Self, Vec<Order>), LoadError> {
        let save = Save::open(bytes)?;
        let (expected, found) = (save.over, under.source_digest());
        if expected.is_none() || expected != found {
            return Err(LoadError::OtherSource { expected, found });
        }
        Self::unpack(save, Some(under), u64::MAX).map_err(in_body)
    }

    fn unpack(
        save: Save<'_>,
        under: Option<CostMap>,
        cells_max: u64,
    ) -> Result<(Self, Vec<Order>), Fault> {
        let _span = debug_span!("load").entered();
        let parts = save.parts;
        let reader = &mut { save.rest };
        let mut limit = || {
            let limit = reader.below(1 << 32, "a limit is too high");
            limit.map(|limit| limit as u32)
        };
        let limits = Limits {
            orders: limit()?,
            units: limit()?,
            stamps: limit()?,
            blocked: limit()?,
        };
        let owed = reader.below(OWED_MAX, "the owed work is more than a tick can overdraw")?;
        let from = reader.at();
        let blank = under.clone().filter(|_| parts & FOG != 0);
        let mut costs = CostMap::unpack_ground(under, reader)?;
        let mut stamps = Stamps::unpack(&mut costs, reader)?;
        let mut movements = Vec::new();
        if parts & LAYERS != 0 {
            movements = Movement::unpack_all(reader)?;
            stamps.unpack_gates(&mut costs, reader)?;
        }
        let mut written = Writer::default();
        costs.pack_ground(&stamps, &mut written);
        stamps.pack(&costs, &mut written);
        let mut layers = Layers::new(MapBuild::new(costs).finish(), stamps);
        for movement in movements {
            let added = layers.add(movement);
            added.map_err(|_| reader.fault("there are too many layers"))?;
        }
        if parts & LAYERS != 0 {
            layers.pack(&mut written);
        }
        reader.hold_to(from, &written.into_bytes())?;
        let (extent, count) = (layers.extent(), layers.movements().len());
        if parts & CONGESTION != 0 {
            let congestion = Surcharges::unpack_congestion(extent, count, cells_max, reader)?;
            layers.put_surcharges(congestion);
        }
        let from = reader.at();
        if parts & LINKS != 0 {
            layers.put_links(Links::unpack(extent, count as u16, reader)?);
        }
        if parts & SURCHARGES != 0 {
            layers.put_surcharges(Surcharges::unpack(extent, count, cells_max, reader)?);
        }
        if parts & FOG != 0 {
            let blank = match blank {
                Some(blank) => blank,
                None => CostMap::open(extent.width() as u32, extent.height() as u32)
                    .map_err(|_| reader.fault("a map cannot have this size"))?,
            };
            layers.put_fog(Fog::unpack(&blank, reader)?);
            if layers.cells_with_one_more() > cells_max {
                return Err(reader.fault("what teams know has more cells than are allowed"));
            }
        }
        if parts & OPAQUE != 0 {
            layers.set_opaque(Opaque::unpack(reader)?);
        }
        let found = match parts_of(&layers) {
            found if parts & CONGESTION != 0 => (found & !SURCHARGES) | LAYERS | CONGESTION,
            found => found,
        };
        if parts & !(SOURCE | SPARE) != found {
            return Err(reader.fault("it has other parts than its first byte says"));
        }
        let mut written = Writer::default();
        pack_over_layers(&layers, parts, &mut written);
        reader.hold_to(from, &written.into_bytes())?;
        let mut world = Self::of_layers(layers);
        let (book, orders) = Book::unpack(&mut world.layers, cells_max, reader)?;
        if parts & SPARE != 0 {
            book.unpack_spare_layers(&mut world.layers, cells_max, reader)?;
        }
        reader.end()?;
        world.book = book;
        world.limits = limits;
        world.owed = owed;
        Ok((world, orders))
    }

    /// Returns another claim on the living order with this number, or `None` if
    /// there is none.
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

    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub(crate) fn check_order(&self, order: &Order) {
        self.book.plan(order);
    }
}

/// Writes the links, the surcharges, the fog and the opaque kinds of a save that has them.
fn pack_over_layers(layers: &Layers, parts: u8, out: &mut Writer) {
    if parts & LINKS != 0 {
        layers.links().pack(out);
    }
    if parts & SURCHARGES != 0 {
        layers.surcharges().pack(out);
    }
    if parts & FOG != 0 {
        layers.fog().pack(out);
    }
    if let Some(opaque) = layers.opaque() {
        opaque.pack(out);
    }
}

/// The parts of a world over no source.
fn parts_of(layers: &Layers) -> u8 {
    let mut parts = 0;
    if !layers.surcharges().is_empty() {
        parts |= SURCHARGES;
    }
    if layers.links().have_been() {
        parts |= LINKS;
    }
    if !layers.fog().is_empty() {
        parts |= FOG;
    }
    if layers.are_declared() || parts != 0 {
        parts |= LAYERS;
    }
    if layers.opaque().is_some() {
        parts |= OPAQUE;
    }
    parts
}

/// Reads the width and the height from the body of a save.
fn size_of_map(mut body: Reader<'_>) -> Result<[u64; 2], Fault> {
    for _limit_or_owed in 0..5 {
        body.number()?;
    }
    Ok([body.number()?, body.number()?])
}

/// Turns a fault in the body into an error with its position in the save.
const fn in_body(Fault { at, what }: Fault) -> LoadError {
    let at = HEAD + at;
    LoadError::Body { at, what }
}

/// A save whose magic, version, length and digest are valid.
struct Save<'a> {
    /// The digest of the source that the save lies over.
    over: Option<u64>,
    /// A bit for each part that not all have.
    parts: u8,
    /// The rest of the body.
    rest: Reader<'a>,
}

impl<'a> Save<'a> {
    /// Checks magic, version, length and digest.
    fn open(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let content = open(MAGIC, VERSION, bytes).map_err(LoadError::of_envelope)?;
        let mut rest = Reader::new(content);
        let parts = rest.byte().map_err(in_body)?;
        let over = if parts & SOURCE != 0 {
            Some(u64::from_le_bytes(word(rest.raw(8).map_err(in_body)?)))
        } else {
            None
        };
        Ok(Self { over, parts, rest })
    }
}

/// Returns `bytes` as an array. They must be `N`.
fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(bytes);
    word
}

/// Why a save was not loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin with the magic of a save.
    NotASave,
    /// The version of the format is unknown.
    Version {
        /// The version found.
        version: u32,
    },
    /// The save lies over a source of costs, but no source was given.
    OverSource,
    /// The save lies over another source of costs than the one given, or over
    /// none.
    OtherSource {
        /// The digest of the save's source.
        expected: Option<u64>,
        /// The digest of the source under the map given.
        found: Option<u64>,
    },
    /// The save is cut off, or something follows its end.
    Length {
        /// The number of bytes that its header requires.
        expected: u64,
        /// The number of bytes given.
        found: u64,
    },
    /// The digest shows that bytes have changed since they were written.
    Damaged,
    /// The map is larger than the caller allows.
    TooLarge {
        /// The map's width.
        width: u64,
        /// The map's height.
        height: u64,
        /// The most cells allowed.
        cells_max: u64,
    },
    /// The digest is right, but the content does not make a world.
    Body {
        /// The position of the fault, in bytes.
        at: usize,
        /// What is wrong.
        what: &'static str,
    },
}

impl LoadError {
    const fn of_envelope(fault: EnvelopeFault) -> Self {
        match fault {
            EnvelopeFault::Magic => Self::NotASave,
            EnvelopeFault::Version(version) => Self::Version { version },
            EnvelopeFault::Length { expected, found } => Self::Length { expected, found },
            EnvelopeFault::Digest => Self::Damaged,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASave => f.write_str(
                "the bytes do not begin with FLOWSAVE: give bytes that `FlowWorld::save` wrote",
            ),
            Self::Version { version } => write!(
                f,
                "the save has format version {version}, but only {VERSION} is known: \
                 load it with the version of flowtiles that wrote it"
            ),
            Self::OverSource => f.write_str(
                "the save holds only the changes to a source of costs: \
                 load it with `FlowWorld::load_over` and a map over that source",
            ),
            Self::OtherSource { expected: None, .. } => f.write_str(
                "the save belongs to no source of costs: load it with `FlowWorld::load`",
            ),
            Self::OtherSource {
                expected: Some(expected),
                found: None,
            } => write!(
                f,
                "the save belongs to a source of costs with digest {expected:016x}, but the map given \
                 has no source: give a map made by `CostMap::from_source`"
            ),
            Self::OtherSource {
                expected: Some(expected),
                found: Some(found),
            } => write!(
                f,
                "the save belongs to a source of costs with digest {expected:016x}, but the source \
                 given has {found:016x}: give the source with which it was saved"
            ),
            Self::Length { expected, found } => write!(
                f,
                "the save should have {expected} bytes but has {found}: \
                 it was cut off or extended, so take another copy"
            ),
            Self::Damaged => f.write_str(
                "the save's digest does not match its bytes: it is damaged, so take another copy",
            ),
            Self::TooLarge {
                width,
                height,
                cells_max,
            } => write!(
                f,
                "the save has a map of {width}×{height} cells, but only {cells_max} cells are \
                 allowed: take a smaller map, or allow more with `FlowWorld::load_within`"
            ),
            Self::Body { at, what } => write!(
                f,
                "byte {at} of the save is invalid: {what}; \
                 `FlowWorld::save` did not write this"
            ),
        }
    }
}

impl std::error::Error for LoadError {}
