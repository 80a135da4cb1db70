//! Links: one-way connections between cells that do not lie beside each other.

use std::fmt;

use super::{FlowWorld, Inspection};
use crate::cost::{LayerId, Link, LinkId, MAX_AREA, MAX_LINK_CELLS, OffMap};
use crate::grid::{Cell, CellRect};
use crate::map::{Change, LinkedGraph};

/// Links: teleporters, cliffs to jump down, ferries, and stairs to another storey.
///
/// Where the best path leads through a link, [`sample`](Self::sample) answers
/// [`Sample::Link`](crate::Sample::Link) at its entry: the game moves the unit to the end, at
/// once or after a crossing of any length, and the directions go on there. Costs-to-go
/// descend through links. Orders of every quality use them, and answers about what a unit can
/// reach take them into account.
///
/// ```
/// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Link, Sample};
/// let mut map = CostMap::open(60, 20)?;
/// map.edit(CellRect::new(30, 0, 1, 20), Cost::WALL)?; // a river without a bridge
/// let mut world = FlowWorld::new(map);
/// let (west, east) = (Cell::new(5, 9), Cell::new(55, 9));
/// assert!(!world.reachable(west, east));
///
/// let landing = Cell::new(29, 15);
/// let ferry = world.add_link(Link::new(landing, Cell::new(31, 15)).with_price(100))?;
/// assert!(world.reachable(west, east) && !world.reachable(east, west));
/// let order = world.order(east, &[west])?;
/// world.tick(Budget::UNLIMITED);
/// let mut unit = west;
/// while unit != east {
///     unit = match world.sample(&order, unit) {
///         Sample::Link(link) => {
///             let link = world.link(link).expect("it is there");
///             link.end_of(unit).expect("the unit stands in its area")
///         }
///         sample => unit.step(sample.direction().expect("the order is planned")),
///     };
/// }
/// world.remove_link(ferry);
/// assert!(!world.reachable(west, east));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A bridge over a road, or a tunnel under it, is a strip of cells elsewhere on the map,
/// with a link at each end and for each way: so units pass above and below at the same
/// time, and the game draws those on the strip where the bridge is.
impl FlowWorld {
    /// Adds a link. Orders whose paths may lead through it are planned again.
    ///
    /// A cell of it leads on while neither of its ends is a wall to the unit's layer; for a
    /// wide body the cells are anchors.
    ///
    /// # Errors
    /// If the area is empty, has more than 100 cells, or overlaps its end; if area or end are
    /// off the map in part; if the price is 0; if it is limited to no layer, or to one that
    /// does not exist; or if all links together would have more than [`MAX_LINK_CELLS`] cells.
    pub fn add_link(&mut self, link: Link) -> Result<LinkId, LinkError> {
        let (area, end) = (link.area(), link.end());
        if link.size() == 0 || link.size() > MAX_AREA {
            return Err(LinkError::Size { area });
        }
        self.costs().check(area)?;
        self.costs().check(end)?;
        if !area.intersection(end).is_empty() {
            return Err(LinkError::Overlap { area, end });
        }
        if link.price() == 0 {
            return Err(LinkError::NoPrice);
        }
        let layers = link.layers();
        if layers.as_ref().is_some_and(Vec::is_empty) {
            return Err(LinkError::OnNoLayer);
        }
        let is_unknown = |layer: &LayerId| self.movement(*layer).is_none();
        if let Some(layer) = layers.into_iter().flatten().find(is_unknown) {
            return Err(LinkError::NoLayer { layer });
        }
        if self.layers.links().size() + link.size() > MAX_LINK_CELLS {
            return Err(LinkError::Full);
        }
        let id = self.layers.add_link(link).ok_or(LinkError::Full)?;
        self.invalidate_links();
        Ok(id)
    }

    /// Removes a link and returns it; `None` if there is no such link. From this call on no
    /// unit is sent into it. Orders that might lead through it are planned again.
    pub fn remove_link(&mut self, id: LinkId) -> Option<Link> {
        let link = self.layers.remove_link(id)?;
        self.invalidate_links();
        Some(link)
    }

    /// Returns a link; `None` if it is gone.
    #[must_use]
    pub fn link(&self, id: LinkId) -> Option<&Link> {
        self.layers.links().get(id)
    }

    /// Invalidates the orders, since other links are open.
    fn invalidate_links(&mut self) {
        let change = Change {
            links_moved: true,
            ..Change::default()
        };
        self.book.on_change(|layer| self.layers.get(layer), &change);
    }
}

/// Links.
impl<'w> Inspection<'w> {
    /// Returns the links, the oldest first.
    pub fn links(self) -> impl Iterator<Item = (LinkId, &'w Link)> {
        self.world.layers.links().iter()
    }

    /// Returns the portal graph with the layer's open links, and with these cells, as a
    /// graph of petgraph: a shortest path in it costs what a route from cell to cell does.
    /// Cells that are walls or off the map are left out. It is made at each call, for tests
    /// and tools.
    #[must_use]
    pub fn linked_graph(self, cells: &[Cell]) -> LinkedGraph {
        self.map.linked_graph(cells)
    }
}

/// Why a link was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// A part of the area or of the end is off the map.
    OffMap(OffMap),
    /// The area has no cells, or too many.
    Size {
        /// The area given.
        area: CellRect,
    },
    /// The end overlaps the area.
    Overlap {
        /// The area given.
        area: CellRect,
        /// The end, of the same size.
        end: CellRect,
    },
    /// The price is 0.
    NoPrice,
    /// The link is limited to no layer at all.
    OnNoLayer,
    /// The link is limited to a layer that the world does not have.
    NoLayer {
        /// The layer.
        layer: LayerId,
    },
    /// The links have as many cells as they can have, or as many links have been as there are
    /// numbers.
    Full,
}

impl From<OffMap> for LinkError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::Size { area } => write!(
                f,
                "a link cannot begin in {area}: give an area of 1 to {MAX_AREA} cells"
            ),
            Self::Overlap { area, end } => {
                write!(f, "a link cannot lead from {area} to {end}: they overlap")
            }
            Self::NoPrice => f.write_str("a link cannot cost nothing: give a price of at least 1"),
            Self::OnNoLayer => f.write_str("a link cannot be on no layer: give at least one"),
            Self::NoLayer { layer } => write!(
                f,
                "a link cannot be on {layer}: the world has no such layer; add it first"
            ),
            Self::Full => write!(
                f,
                "the links of a world have at most {MAX_LINK_CELLS} cells: remove one with `remove_link`"
            ),
        }
    }
}

impl std::error::Error for LinkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            _ => None,
        }
    }
}
