//! The portal graph.

use std::fmt;
use std::ops::Range;

use super::PortalId;
use super::id::{BORDER_PORTALS, Border};
use super::in_sector::WalkMaker;
use super::portal_slot::{OwnedSlots, PortalSlots, Side};
use super::sector_windows::SectorWindows;
use super::walks::SectorWalks;
use super::window::{BorderWindows, NO_WINDOWS, Window, far_slot, near_slot, windows};
use crate::arrays::Mapped;
use crate::cost::CostMap;
use crate::grid::{Cell, CellRect, Extent, Sector, SectorId, Slot};
use crate::threads;

/// The portals of a map, and the costs of walking between them.
///
/// It is kept by sector, so an edit rewrites only the sectors it touches.
///
/// A reference to it is a graph in the sense of `petgraph`: nodes are
/// [`PortalId`]s weighted by [`Portal`]; edges point in the direction a unit
/// walks, and are weighted by [`PortalEdge`]. So petgraph's algorithms
/// (`astar`, `dijkstra`, `kosaraju_scc`, …) and its `Dot` take `&graph`
/// directly.
///
/// [`NodeIndexable`](::petgraph::visit::NodeIndexable) numbers all places along
/// borders, with or without a window, so the indices have gaps. For algorithms
/// that need compact indices, [`to_petgraph`](Self::to_petgraph) makes an owned
/// `petgraph::Graph`. Some of them, such as `articulation_points` and
/// `k_shortest_path`, do not declare the need, and panic on `&graph`.
///
/// The graph is a pure function of the costs: equal costs give equal graphs,
/// whatever edits led to them. Two graphs are equal if all portals and all
/// edges are.
#[derive(Clone, PartialEq, Eq)]
pub struct PortalGraph {
    extent: Extent,
    sectors: Vec<SectorPortals>,
    portals: usize,
}

/// The part of one sector: the windows of its two borders, and the costs
/// between all portals around it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SectorPortals {
    windows: [BorderWindows; 2],
    portal_slots: OwnedSlots,
    walks: SectorWalks,
}

impl SectorPortals {
    /// Returns the number of portals on the sector's own borders.
    const fn count(&self) -> usize {
        self.portal_slots.count()
    }

    const fn border(&self, border: Border) -> (&BorderWindows, OwnedSlots) {
        (&self.windows[border as usize], self.portal_slots)
    }
}

impl PortalGraph {
    /// Derives the graph of a map.
    ///
    /// ```
    /// use flowtiles::graph::PortalGraph;
    /// use flowtiles::CostMap;
    /// // Four sectors in a square share four borders.
    /// let graph = PortalGraph::new(&CostMap::open(20, 20)?);
    /// assert_eq!(graph.portal_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(costs: &CostMap) -> Self {
        let count = costs.extent().sector_count();
        let mut graph = Self::begin(costs.extent());
        graph.add_windows(costs, count);
        graph.add_walks(costs, 0..count);
        graph
    }

    /// Creates a graph without any sector derived.
    pub(crate) fn begin(extent: Extent) -> Self {
        Self {
            extent,
            sectors: Vec::with_capacity(extent.sector_count()),
            portals: 0,
        }
    }

    /// Derives the windows of the next `count` sectors.
    pub(crate) fn add_windows(&mut self, costs: &CostMap, count: usize) {
        let borders = [Border::East, Border::South];
        let first = self.sectors.len();
        let found = |(): &mut (), sector: usize| {
            let sector = SectorId((first + sector) as u32);
            let windows = borders.mapped(|border| find_windows(costs, sector, border));
            SectorPortals {
                portal_slots: OwnedSlots::of(&windows),
                windows,
                walks: SectorWalks::OPEN,
            }
        };
        self.sectors.extend(threads::collect(count, || (), found));
        let new = self.sectors[first..].iter();
        self.portals += new.map(SectorPortals::count).sum::<usize>();
    }

    /// Derives the in-sector costs of these sectors. All sectors must have
    /// their windows.
    pub(crate) fn add_walks(&mut self, costs: &CostMap, sectors: Range<usize>) {
        let derive = |maker: &mut WalkMaker, run: Range<usize>| {
            let first = sectors.start + run.start;
            let sector = |number| SectorId((first + number) as u32);
            self.derive_walks(costs, run.len(), sector, maker)
        };
        let walks = threads::collect_runs(sectors.len(), WalkMaker::default, derive);
        for (sector, walks) in self.sectors[sectors].iter_mut().zip(walks) {
            sector.walks = walks;
        }
    }

    /// Derives again what depends on the costs of the `changed` sectors: the
    /// windows on their borders, and the in-sector costs of each sector that
    /// changed inside or that lost, gained or changed a window. Returns the
    /// sectors with new in-sector costs, in id order.
    pub(crate) fn repair(&mut self, costs: &CostMap, changed: &[SectorId]) -> Vec<SectorId> {
        let mut stale: Vec<SectorId> = Vec::new();
        for &sector in changed {
            stale.push(sector);
            let here = self.extent.sector(sector);
            for side in Side::ALL {
                let (owner, border) = (side.owner(here), side.border());
                let far = self.extent.sector_id(border.beyond(owner));
                let Some(owner) = self.extent.sector_id(owner) else {
                    continue;
                };
                let before = self.sectors[owner.index()].windows[border as usize];
                let after = find_windows(costs, owner, border);
                if before != after {
                    self.put_windows(owner, border, after);
                    stale.push(owner);
                    stale.extend(far);
                }
            }
        }
        stale.sort_unstable();
        stale.dedup();
        let maker = &mut WalkMaker::default();
        let walks = self.derive_walks(costs, stale.len(), |number| stale[number], maker);
        for (sector, walks) in stale.iter().zip(walks) {
            self.sectors[sector.index()].walks = walks;
        }
        stale
    }

    /// Replaces the windows of one border, and updates the number of portals.
    fn put_windows(&mut self, owner: SectorId, border: Border, windows: BorderWindows) {
        let owner = &mut self.sectors[owner.index()];
        self.portals -= owner.count();
        owner.windows[border as usize] = windows;
        owner.portal_slots = OwnedSlots::of(&owner.windows);
        self.portals += owner.count();
    }

    /// Returns the in-sector costs of `count` sectors; `sector` returns the id
    /// of each.
    fn derive_walks(
        &self,
        costs: &CostMap,
        count: usize,
        sector: impl Fn(usize) -> SectorId,
        maker: &mut WalkMaker,
    ) -> Vec<SectorWalks> {
        maker.derive(count, |number, portals| {
            let tile = costs.tile(sector(number));
            let around = self.around(self.extent.sector(sector(number)));
            portals.extend(around.portals(&tile));
            tile
        })
    }

    /// Returns the in-sector costs of a sector on the map.
    #[inline]
    pub(crate) fn sector_walks(&self, sector: Sector) -> &SectorWalks {
        let columns = self.extent.columns() as usize;
        &self.sectors[sector.y as usize * columns + sector.x as usize].walks
    }

    /// Returns the windows and portals around a sector on the map.
    pub(crate) fn around(&self, sector: Sector) -> SectorWindows<'_> {
        let columns = self.extent.columns() as usize;
        let index = sector.y as usize * columns + sector.x as usize;
        let here = &self.sectors[index];
        let (north, north_spots) = match sector.y {
            0 => (&NO_WINDOWS, OwnedSlots::default()),
            _ => self.sectors[index - columns].border(Border::South),
        };
        let (west, west_spots) = match sector.x {
            0 => (&NO_WINDOWS, OwnedSlots::default()),
            _ => self.sectors[index - 1].border(Border::East),
        };
        let [east, south] = &here.windows;
        let portal_slots = PortalSlots::around(north_spots, west_spots, here.portal_slots);
        SectorWindows {
            sector,
            windows: [north, west, east, south],
            portal_slots,
            walks: &here.walks,
        }
    }

    /// Calls `visit` with the two cells of each crossing on a border that a sector
    /// owns: its own cell, and the one beyond.
    #[inline]
    pub(crate) fn for_each_crossing(
        &self,
        near: SectorId,
        border: Border,
        mut visit: impl FnMut(Slot, Slot),
    ) {
        let windows = &self.sectors[near.index()].windows[border as usize];
        for window in windows.iter().filter_map(|packed| packed.window()) {
            visit(
                near_slot(border, window.crossing),
                far_slot(border, window.crossing),
            );
        }
    }

    pub(crate) const fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the number of portals.
    #[must_use]
    pub const fn portal_count(&self) -> usize {
        self.portals
    }

    /// Returns the number of directed edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.sectors.iter().map(|sector| sector.walks.count()).sum()
    }

    pub(crate) fn window(&self, id: PortalId) -> Option<Window> {
        let owner = self.extent.sector_id(id.owner())?;
        if id.offset() >= BORDER_PORTALS {
            return None;
        }
        self.sectors[owner.index()].windows[id.border() as usize][id.offset()].window()
    }

    /// Returns a portal's own cell: the crossing cell on its owner's side.
    pub(crate) fn own_cell(&self, id: PortalId) -> Option<Cell> {
        let window = self.window(id)?;
        Some(id.owner().cell_at(near_slot(id.border(), window.crossing)))
    }

    /// Returns the portal with this id, if it exists.
    #[must_use]
    pub fn portal(&self, id: PortalId) -> Option<Portal> {
        self.window(id).map(|window| Portal::new(id, window))
    }

    /// Returns all portals, in id order.
    pub fn portals(&self) -> impl Iterator<Item = Portal> {
        self.extent.sectors().flat_map(move |sector| {
            let owner = self.extent.sector(sector);
            let ids = (0..2 * BORDER_PORTALS).map(move |local| PortalId::owned(owner, local));
            ids.filter_map(|id| self.portal(id))
        })
    }

    /// Returns the portals on all four sides of a sector, in id order. A sector
    /// off the map has none.
    pub fn portals_of(&self, sector: Sector) -> impl Iterator<Item = Portal> {
        let known = self.extent.sector_id(sector).is_some();
        let around = known.then(|| self.around(sector));
        let ids: Vec<PortalId> = around.iter().flat_map(SectorWindows::ids).collect();
        ids.into_iter().filter_map(move |id| self.portal(id))
    }

    /// Returns the portals with a window cell in an area, on either side of the
    /// border, in id order. The part of the area that is off the map has no
    /// portals.
    pub fn portals_in(&self, area: impl Into<CellRect>) -> impl Iterator<Item = Portal> {
        let area = area.into();
        let (width, height) = (self.extent.width(), self.extent.height());
        let on_map = area.intersection(CellRect::new(0, 0, width as u32, height as u32));
        let mut found: Vec<Portal> = Vec::new();
        if !on_map.is_empty() {
            for sector in self.extent.sectors_of(on_map) {
                let portals = self.portals_of(self.extent.sector(sector));
                found.extend(portals.filter(|portal| {
                    portal
                        .windows
                        .into_iter()
                        .any(|cells| !cells.intersection(on_map).is_empty())
                }));
            }
        }
        found.sort_unstable_by_key(|portal| portal.id);
        found.dedup();
        found.into_iter()
    }

    /// Returns the edges that leave a portal, in the direction a unit walks:
    /// one for each other portal that a walk through one of the portal's two
    /// sectors can reach. Two portals of the same border may be joined by two
    /// edges, one through each sector. Walks through the western (or northern)
    /// sector come first; those of each sector are in id order.
    ///
    /// petgraph's `IntoEdges` has a method of the same name, which yields
    /// [`EdgeBetween`](super::EdgeBetween)s. To call that one, write
    /// `IntoEdges::edges(graph, id)`.
    pub fn edges(&self, from: PortalId) -> impl Iterator<Item = (PortalId, PortalEdge)> {
        self.walks(from, |around, from, edges| around.departures(from, edges))
    }

    /// Returns the edges that end at a portal, each with the portal it leaves.
    pub(crate) fn edges_into(&self, to: PortalId) -> impl Iterator<Item = (PortalId, PortalEdge)> {
        self.walks(to, |around, to, edges| around.arrivals(to, edges))
    }

    /// Returns the walks through both sectors of a portal; `through` collects
    /// those of one sector.
    fn walks(
        &self,
        id: PortalId,
        through: impl Fn(&SectorWindows<'_>, PortalId, &mut Vec<(PortalId, u32)>),
    ) -> std::vec::IntoIter<(PortalId, PortalEdge)> {
        let mut edges = Vec::new();
        if self.window(id).is_some() {
            for sector in id.sectors() {
                let mut walks = Vec::new();
                through(&self.around(sector), id, &mut walks);
                edges.extend(walks.into_iter().map(|(other, cost)| {
                    let through = sector;
                    (other, PortalEdge { cost, through })
                }));
            }
        }
        edges.into_iter()
    }

    /// Returns the number of bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let walks: usize = self.sectors.iter().map(|s| s.walks.bytes()).sum();
        size_of::<Self>() + self.sectors.capacity() * size_of::<SectorPortals>() + walks
    }
}

fn find_windows(costs: &CostMap, owner: SectorId, border: Border) -> BorderWindows {
    let beyond = border.beyond(costs.extent().sector(owner));
    match costs.extent().sector_id(beyond) {
        Some(far) => windows(border, &costs.tile(owner), &costs.tile(far)),
        None => BorderWindows::default(),
    }
}

/// Writes one line for each portal, followed by its outgoing edges, for
/// snapshot tests. Equal graphs have equal texts.
impl fmt::Display for PortalGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for portal in self.portals() {
            writeln!(f, "{portal}")?;
            for (to, edge) in self.edges(portal.id) {
                writeln!(f, "  to {to} for {edge}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for PortalGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortalGraph")
            .field("sectors", &self.sectors.len())
            .field("portals", &self.portals)
            .finish_non_exhaustive()
    }
}

/// A node of the portal graph: a window between two sectors.
///
/// Displayed as id, crossing and width: `0.0e0 (9, 2)–(10, 2) width 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Portal {
    /// Its id.
    pub id: PortalId,
    /// The western or northern sector, then the eastern or southern.
    pub sectors: [Sector; 2],
    /// The window's cells in each of the two sectors.
    pub windows: [CellRect; 2],
    /// The pair of cells that stands for the window in the graph's costs.
    pub crossing: [Cell; 2],
}

impl Portal {
    fn new(id: PortalId, window: Window) -> Self {
        let owner = id.owner();
        let sectors = [owner, id.border().beyond(owner)];
        let cell = |side: usize, along: u8| {
            let slot = [near_slot, far_slot][side](id.border(), along);
            sectors[side].cell_at(slot)
        };
        let length = u32::from(window.length);
        let rect = |side: usize| {
            let Cell { x, y } = cell(side, window.start);
            match id.border() {
                Border::East => CellRect::new(x, y, 1, length),
                Border::South => CellRect::new(x, y, length, 1),
            }
        };
        Self {
            id,
            sectors,
            windows: [rect(0), rect(1)],
            crossing: [cell(0, window.crossing), cell(1, window.crossing)],
        }
    }

    /// Returns the width of the window in cells.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let CellRect { width, height, .. } = self.windows[0];
        if width > height { width } else { height }
    }

    /// Whether a cell belongs to the window, on either side.
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.windows[0].contains(cell) || self.windows[1].contains(cell)
    }
}

impl fmt::Display for Portal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.crossing;
        write!(f, "{} {a}–{b} width {}", self.id, self.width())
    }
}

/// An edge of the portal graph: a walk through one sector.
///
/// Displayed as cost and sector: `50 through [1, 0]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct PortalEdge {
    /// The price of the cheapest walk through the sector, in fifths of an open
    /// straight step.
    ///
    /// It is measured from the western (or northern) crossing cell of the first
    /// portal to that of the second, so the costs along a path of portals add
    /// up. If such a cell lies outside the sector, the walk crosses the border
    /// by one step between this cell and a cell of the window: straight, or
    /// diagonal to either side.
    pub cost: u32,
    /// The sector walked through.
    pub through: Sector,
}

impl fmt::Display for PortalEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} through {}", self.cost, self.through)
    }
}
