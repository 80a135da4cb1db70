//! Links: one-way connections between cells that do not lie beside each other.
//!
//! ```text
//!   area       ▓▓▓▓▓▓▓▓▓▓     A unit in a cell of the area enters the link, and
//!   ┌─────┐    ▓▓       ▓     leaves it in the cell at the same place of the end.
//!   │ a b │ ══════► a b ▓     So a column keeps its width, and its order.
//!   └─────┘    ▓▓       ▓
//! ```
//!
//! A link may be a teleporter, a cliff down which one can jump, a ferry, a stair to
//! another storey that lies elsewhere on the map, or a bridge over a road.
//!
//! The portal graph, the cliques and the islands do not know links: they stay functions
//! of the costs alone, and an edit stays local. What runs from the goal outward knows
//! them: the search, the region, and which islands reach a goal.

use std::collections::BTreeMap;
use std::fmt;

use super::LayerId;
use crate::bytes::{Fault, Reader, Writer};
use crate::grid::{Cell, CellRect, Extent};

/// The most cells in the areas of all links of a world: every order visits all of them.
pub const MAX_LINK_CELLS: u64 = 1 << 12;

/// The most cells in the area of one link.
pub(crate) const MAX_AREA: u64 = 100;

/// The id of a link: its number. No number is used twice in one world, even across
/// saves and loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(u32);

impl LinkId {
    /// Returns the number, for a game's own saves.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the id with this number. Whether such a link exists, only the world
    /// knows.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }
}

impl fmt::Display for LinkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link {}", self.0)
    }
}

/// A one-way connection: from each cell of an area to the cell at the same place of an
/// area of the same size elsewhere.
///
/// ```
/// use flowtiles::{Cell, CellRect, Link};
/// let gate = Link::new(Cell::new(5, 5), Cell::new(90, 40)).with_price(50);
/// assert_eq!(gate.end_of(Cell::new(5, 5)), Some(Cell::new(90, 40)));
/// // A ramp three cells wide keeps three lanes.
/// let ramp = Link::new(CellRect::new(10, 20, 3, 1), Cell::new(60, 2));
/// assert_eq!(ramp.end_of(Cell::new(12, 20)), Some(Cell::new(62, 2)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    area: CellRect,
    end: Cell,
    price: u32,
    /// The numbers of the layers on which it leads, in order; `None` for all.
    layers: Option<Vec<u16>>,
}

impl Link {
    /// Creates a link from a cell or an area. `end` is the cell to which the area's
    /// north-western one leads. To go through it costs as much as a straight step over
    /// ground of cost 1.
    #[must_use]
    pub fn new(area: impl Into<CellRect>, end: Cell) -> Self {
        Self {
            area: area.into(),
            end,
            price: 5,
            layers: None,
        }
    }

    /// Sets what it costs to go through, in fifths of a straight step over ground of
    /// cost 1: a ferry that takes 20 seconds is as dear as the cells that its unit walks
    /// in that time, times five. The price must be at least 1.
    #[must_use]
    pub fn with_price(self, price: u32) -> Self {
        Self { price, ..self }
    }

    /// Limits the link to units on these layers, of any team.
    #[must_use]
    pub fn only_on(mut self, layers: impl IntoIterator<Item = LayerId>) -> Self {
        let mut numbers: Vec<u16> = layers.into_iter().map(LayerId::number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.layers = Some(numbers);
        self
    }

    /// Returns the area whose cells lead into it.
    #[must_use]
    pub const fn area(&self) -> CellRect {
        self.area
    }

    /// Returns the area to which it leads.
    #[must_use]
    pub const fn end(&self) -> CellRect {
        let Cell { x, y } = self.end;
        CellRect::new(x, y, self.area.width, self.area.height)
    }

    /// Returns the price.
    #[must_use]
    pub const fn price(&self) -> u32 {
        self.price
    }

    /// Returns the layers to which it is limited, by number; `None` if it leads on all.
    #[must_use]
    pub fn layers(&self) -> Option<Vec<LayerId>> {
        let numbers = self.layers.as_ref()?.iter();
        Some(
            numbers
                .map(|&number| LayerId::from_number(number))
                .collect(),
        )
    }

    /// Returns the number of cells of its area.
    pub(crate) const fn size(&self) -> u64 {
        self.area.width as u64 * self.area.height as u64
    }

    /// Returns the cell to which it leads from a cell of its area; `None` for other cells,
    /// and if the end would be beyond all maps.
    #[must_use]
    pub const fn end_of(&self, cell: Cell) -> Option<Cell> {
        if !self.area.contains(cell) {
            return None;
        }
        let (x, y) = (cell.x - self.area.x, cell.y - self.area.y);
        match (self.end.x.checked_add(x), self.end.y.checked_add(y)) {
            (Some(x), Some(y)) => Some(Cell::new(x, y)),
            _ => None,
        }
    }

    /// Whether it leads on the layer with this number.
    fn is_on(&self, layer: u16) -> bool {
        let layers = self.layers.as_ref();
        layers.is_none_or(|layers| layers.binary_search(&layer).is_ok())
    }
}

/// One cell of a link's area, and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellLink {
    pub(crate) id: LinkId,
    pub(crate) entry: Cell,
    pub(crate) exit: Cell,
    pub(crate) price: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    all: BTreeMap<u32, Link>,
    next: u32,
}

impl Links {
    /// Adds a link; `None` if there is no number left for it.
    pub(crate) fn add(&mut self, link: Link) -> Option<LinkId> {
        let id = LinkId(self.next);
        self.next = self.next.checked_add(1)?;
        self.all.insert(id.0, link);
        Some(id)
    }

    pub(crate) fn remove(&mut self, id: LinkId) -> Option<Link> {
        self.all.remove(&id.0)
    }

    pub(crate) fn get(&self, id: LinkId) -> Option<&Link> {
        self.all.get(&id.0)
    }

    /// Returns the number of cells in the areas of all links.
    pub(crate) fn size(&self) -> u64 {
        self.all.values().map(Link::size).sum()
    }

    /// Returns the links, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (LinkId, &Link)> {
        self.all
            .iter()
            .map(|(&number, link)| (LinkId(number), link))
    }

    /// Whether there are links, or have been.
    pub(crate) const fn have_been(&self) -> bool {
        self.next > 0
    }

    /// Returns the cells of all links on a layer: by link, and row by row.
    pub(crate) fn on(&self, layer: u16) -> Vec<CellLink> {
        self.iter()
            .filter(|(_, link)| link.is_on(layer))
            .flat_map(|(id, link)| {
                link.area.cells().filter_map(move |entry| {
                    let exit = link.end_of(entry)?;
                    let price = link.price;
                    Some(CellLink {
                        id,
                        entry,
                        exit,
                        price,
                    })
                })
            })
            .collect()
    }

    pub(crate) fn pack(&self, out: &mut Writer) {
        out.number(u64::from(self.next));
        out.count(self.all.len());
        for (&number, link) in &self.all {
            out.number(u64::from(number));
            for side in [link.area.x, link.area.y, link.end.x, link.end.y] {
                out.number(u64::from(side as u32));
            }
            for side in [link.area.width, link.area.height, link.price] {
                out.number(u64::from(side));
            }
            let layers = link.layers.as_deref().unwrap_or_default();
            out.count(layers.len());
            for &layer in layers {
                out.number(u64::from(layer));
            }
        }
    }

    /// Reads what [`pack`](Self::pack) wrote, for a world with this many layers.
    pub(crate) fn unpack(
        extent: Extent,
        layers: u16,
        reader: &mut Reader<'_>,
    ) -> Result<Self, Fault> {
        let next = reader.below(1 << 32, "too many links have been")?;
        let mut links = Self {
            next: next as u32,
            ..Self::default()
        };
        let mut left = 0..next;
        let count = reader.below(MAX_LINK_CELLS + 1, "there are too many links")?;
        let mut cells = 0;
        for _ in 0..count {
            let number = reader.rising(
                &mut left,
                "the number of a link is too high, or not in order",
            )?;
            let link = Link::unpack(extent, layers, reader)?;
            cells += link.size();
            links.all.insert(number as u32, link);
            if cells > MAX_LINK_CELLS {
                return Err(reader.fault("the links have too many cells"));
            }
        }
        Ok(links)
    }
}

impl Link {
    fn unpack(extent: Extent, layers: u16, reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let off = "a link is off the map";
        let (width, height) = (extent.width() as u64, extent.height() as u64);
        let x = reader.below(width, off)? as i32;
        let y = reader.below(height, off)? as i32;
        let end_x = reader.below(width, off)? as i32;
        let end_y = reader.below(height, off)? as i32;
        let most = MAX_AREA + 1;
        let width = reader.below(most, "a link is too wide")? as u32;
        let height = reader.below(most, "a link is too high")? as u32;
        let price = reader.below(1 << 32, "the price of a link is too high")? as u32;
        let mut link = Self::new(CellRect::new(x, y, width, height), Cell::new(end_x, end_y));
        link.price = price;
        let mut numbers: Vec<u16> = Vec::new();
        for _ in 0..reader.number()? {
            let layer = reader.below(u64::from(layers), "a link is on no layer")? as u16;
            if numbers.last().is_some_and(|&last| last >= layer) {
                return Err(reader.fault("the layers of a link are not in order"));
            }
            numbers.push(layer);
        }
        link.layers = (!numbers.is_empty()).then_some(numbers);
        if link.size() == 0 || link.size() > MAX_AREA || price == 0 {
            return Err(reader.fault("a link has no cells, too many, or no price"));
        }
        if !extent.contains_rect(link.area) || !extent.contains_rect(link.end()) {
            return Err(reader.fault(off));
        }
        if !link.area.intersection(link.end()).is_empty() {
            return Err(reader.fault("a link leads into its own area"));
        }
        Ok(link)
    }
}
