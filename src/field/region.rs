//! Integration: costs-to-go over the loaded sectors, and their directions.
//!
//! Sectors wait in a queue, ordered by the lowest value that has reached their
//! border. The first one is settled: a kernel brings its tile to the fixpoint of
//! the step rule inside the halo of its neighbours' border cells, and reports which
//! halo cells a step into the tile would improve. The neighbours that own those
//! cells join the queue. A sector whose border improves again is settled again;
//! since the lowest value goes first, this is rare: on most maps a tile is settled
//! 1.04 times.
//!
//! ```text
//!   goal → [3] → [2] → [5]      the values spread outward like a wave; a
//!           ↓     ↓     ↓       path that returns to a sector only lowers
//!          [6] → [4] → [1]      values there
//! ```
//!
//! When the queue is empty, no step between loaded cells can lower a value: the
//! whole region is at the fixpoint, across borders and sector corners too. Each
//! tile's directions come from its last settling, and still hold: if the cell that
//! a direction points to had improved since, the step would have improved the tile,
//! which would have been settled again. A second step may have become exactly as
//! good. The tile it leads into reports this when it is settled, and the earlier of
//! the two in the order of directions is kept. So the directions depend on the
//! final values alone, not on the order of settling.
//!
//! [`near`] tiles keep values as 32-bit offsets from the lowest goal. If these do
//! not fit, the region starts again with [`far`] tiles.
//!
//! Sectors are loaded one by one, before the region starts or while it grows. A
//! region may continue a field: see `resume`.

mod links;
mod resume;

use super::far;
use super::flow::{Flow, FlowField, FlowTile, KeptCosts};
use super::loaded::{Loaded, NOT_LOADED, Ring, Woken};
use super::near;
use super::nine::{Nine, NineRoom};
use super::region_links::RegionLinks;
use super::sources::Sources;
use crate::budget::{Paused, TILE_WORK, Work};
use crate::cost::{CostMap, CostTile};
use crate::grid::{Cell, Direction, Extent, SECTOR_CELLS, Sector, SectorId};
use crate::heuristic::Estimate;
use crate::kernel::{Borders, UNREACHED};
use crate::map::AffectedSector;
use crate::queue::BucketRing;

/// The most tiles for which a region that grows everywhere reserves memory. Beyond
/// them it reallocates as it grows.
///
/// PERF: without the reservation a field of 10,000 tiles takes twice as long, since
/// the system clears new pages at each reallocation.
const RESERVED: usize = 1 << 18;
/// Other regions reserve memory for all their tiles if they expect more than `FEW`,
/// and for `MORE` times as many when they outgrow it: moving tens of thousands of
/// tiles would take milliseconds in the middle of a tick. Small regions start at
/// the size that most orders need.
const FEW: usize = 2048;
const MORE: usize = 64;
const ROOM: usize = 64;

/// A region being integrated; see the module.
#[derive(Clone)]
pub(crate) struct Region {
    loaded: Loaded,
    tiles: KeptCosts,
    flows: Vec<FlowTile>,
    /// The number of tiles for which memory is reserved.
    room: usize,
    /// The lowest value waiting at each tile's border; [`UNREACHED`] for none.
    waiting: Vec<u64>,
    ring: BucketRing<u32>,
    sources: Sources,
    links: RegionLinks,
    growth: Option<Growth>,
    /// Set if the region continues a field.
    resumed: Option<Resumed>,
    settlings: u64,
}

/// The state of a region that continues a field.
#[derive(Clone, Copy)]
struct Resumed {
    /// The next tile to be offered the values around it; at first, the first tile
    /// that is not the field's.
    next: u32,
    /// The base of the field's values.
    base: u64,
}

/// The state of one sector while its region is integrated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileState {
    pub(crate) sector: Sector,
    /// Whether any of its cells has a direction, or is a goal.
    pub(crate) is_settled: bool,
    /// The lowest value that waits at its border.
    pub(crate) waiting: Option<u64>,
}

/// Which further sectors a region may load while it is integrated.
#[derive(Clone)]
pub(crate) enum Growth {
    /// Sectors that a relevant path may cross. A path through a sector costs at
    /// least the value at its border plus the estimate from the sector to the units.
    /// If that exceeds `limit`, the cost of the most expensive relevant path, no
    /// relevant path crosses the sector.
    Within { estimate: Box<Estimate>, limit: u64 },
    /// All sectors that a path can reach.
    Everywhere,
}

impl Growth {
    fn reaches(&self, sector: Sector, value: u64) -> bool {
        match self {
            Self::Within { estimate, limit } => {
                value.saturating_add(estimate.price_from_sector(sector)) <= *limit
            }
            Self::Everywhere => true,
        }
    }
}

impl Region {
    /// Returns a region without sectors. [Load](Self::load) at most `sectors_max` of them,
    /// then [start](Self::start) it. With `growth` it loads more by itself.
    pub(crate) fn new(
        extent: Extent,
        sectors_max: usize,
        growth: Option<Growth>,
        ring: BucketRing<u32>,
    ) -> Self {
        let room = match growth {
            Some(Growth::Everywhere) => extent.sector_count().min(RESERVED),
            _ if sectors_max > FEW => sectors_max,
            _ => ROOM,
        };
        Self {
            loaded: Loaded::new(extent),
            tiles: KeptCosts::Near(Vec::with_capacity(room)),
            flows: Vec::with_capacity(room),
            room,
            waiting: Vec::with_capacity(room),
            ring,
            sources: Sources::default(),
            links: RegionLinks::default(),
            growth,
            resumed: None,
            settlings: 0,
        }
    }

    /// Loads a sector on the map, if it is not loaded.
    pub(crate) fn load(&mut self, sector: Sector) {
        if !self.has_sector(sector) {
            self.add(sector, Flow::NOTHING, Borders::CLOSED);
        }
    }

    /// Sets the goals, once the sectors are loaded; goals outside them are ignored.
    /// Nothing is settled yet.
    pub(crate) fn start(&mut self, goals: impl Iterator<Item = (Cell, u64)>) {
        self.sources = Sources::new(&self.loaded, goals);
        if self.sources.fit_near() && self.take_over_base() {
            self.wake_goals();
        } else {
            self.go_far();
        }
    }

    pub(crate) fn has_sector(&self, sector: Sector) -> bool {
        self.loaded.index(sector) != NOT_LOADED
    }

    /// Whether the sector of a cell is loaded.
    pub(crate) fn covers(&self, cell: Cell) -> bool {
        let extent = self.loaded.extent;
        self.has_sector(extent.sector(extent.locate(cell).0))
    }

    /// Whether a sector on the map that is not loaded, with former costs that are
    /// kept, may still be loaded.
    pub(crate) fn may_load(&self, sector: Sector) -> bool {
        self.growth.is_some() && self.loaded.keeps(sector)
    }

    /// Keeps the former costs of a sector that has changed, if they may have been read.
    pub(crate) fn keep(&mut self, id: SectorId, former: &CostTile) {
        let sector = self.loaded.extent.sector(id);
        let mut around = Direction::ALL.into_iter();
        let known = self.has_sector(sector)
            || around.any(|way| {
                let beside = self.loaded.beside(sector, way);
                beside.is_some_and(|beside| self.has_sector(beside))
            });
        if known {
            self.loaded.keep(sector, former);
        }
    }

    /// Adds the tiles with goals to the queue, except where the continued field
    /// already leads to the goal.
    fn wake_goals(&mut self) {
        self.ring.restart(self.sources.base());
        for &(index, slot, value) in self.sources.all() {
            if Flow::of(self.flows[index as usize][slot.index()]).leads_on() {
                continue;
            }
            let waiting = &mut self.waiting[index as usize];
            if value < *waiting {
                *waiting = value;
                self.ring.push(value, index);
            }
        }
    }

    /// Settles waiting tiles until none waits.
    pub(crate) fn advance(&mut self, costs: &CostMap, work: &mut Work) -> Result<(), Paused> {
        self.offer_new(work)?;
        while self.ring.lowest().is_some() {
            work.check()?;
            let Some((key, index)) = self.ring.pop() else {
                break;
            };
            if self.waiting[index as usize] != key {
                continue;
            }
            let ring = self.loaded.ring(self.loaded.sector(index));
            self.waiting[index as usize] = UNREACHED;
            self.settlings += 1;
            work.count(TILE_WORK);
            match self.settle(costs, index, &ring) {
                Some(woken) => {
                    self.wake(index, key, &ring, woken);
                    if !self.links.is_empty() && !self.follow_links(costs, index, key) {
                        self.go_far();
                    }
                }
                None => self.go_far(),
            }
        }
        Ok(())
    }

    /// Settles a tile; returns `None` if its values are too far from the goal's for
    /// near tiles.
    fn settle(&mut self, costs: &CostMap, index: u32, ring: &Ring) -> Option<Woken> {
        let (flows, sources) = (&mut self.flows, &self.sources);
        let sector = self.loaded.sector(index);
        let entries = self.links.values_in(&self.loaded, sector);
        let mut room = NineRoom::default();
        let nine = Nine::around(costs, &self.loaded, sector, &mut room)?;
        match &mut self.tiles {
            KeptCosts::Near(tiles) => {
                near::settle(tiles, flows, &nine, sources, entries, index, ring)
            }
            KeptCosts::Far(tiles) => Some(far::settle(
                tiles, flows, &nine, sources, entries, index, ring,
            )),
        }
    }

    /// Settles a loaded sector again from the values at its border. Returns `false`
    /// if it is not loaded.
    pub(crate) fn rebuild(&mut self, costs: &CostMap, sector: Sector) -> bool {
        if self.loaded.extent.sector_id(sector).is_none() {
            return false;
        }
        let index = self.loaded.index(sector);
        let ring = self.loaded.ring(sector);
        index != NOT_LOADED && self.settle(costs, index, &ring).is_some()
    }

    /// Adds the woken neighbours of a tile to the queue. They come after the tile
    /// taken last, since keys never fall.
    fn wake(&mut self, index: u32, key: u64, ring: &Ring, woken: Woken) {
        for (number, value) in woken.into_iter().enumerate() {
            if value == UNREACHED {
                continue;
            }
            let mut beside = ring[number];
            if beside == NOT_LOADED {
                let sector = self.loaded.sector(index);
                match self.grow(sector, Direction::ALL[number], value) {
                    Some(index) => beside = index,
                    None => continue,
                }
            }
            self.wait(beside, value.max(key));
        }
    }

    /// Adds a tile to the queue, if it does not wait at a lower key.
    fn wait(&mut self, index: u32, key: u64) {
        if key < self.waiting[index as usize] {
            self.waiting[index as usize] = key;
            self.ring.push(key, index);
        }
    }

    /// Loads a neighbour that this value has reached, if the region may grow there.
    fn grow(&mut self, sector: Sector, direction: Direction, value: u64) -> Option<u32> {
        let growth = self.growth.as_ref()?;
        let beside = self.loaded.beside(sector, direction)?;
        growth
            .reaches(beside, value)
            .then(|| self.add(beside, Flow::NOTHING, Borders::CLOSED))
    }

    /// Adds a sector with these directions and borders; returns its index.
    fn add(&mut self, sector: Sector, flow: FlowTile, borders: Borders) -> u32 {
        if self.loaded.len() == self.room {
            self.reserve();
        }
        let index = self.loaded.add(sector);
        self.waiting.push(UNREACHED);
        self.flows.push(flow);
        self.tiles.push(borders);
        index
    }

    #[cold]
    fn reserve(&mut self) {
        let times = if self.room < FEW { 2 } else { MORE };
        let most = self.loaded.extent.sector_count();
        let more = (times * self.room).min(most).saturating_sub(self.room);
        self.waiting.reserve_exact(more);
        self.flows.reserve_exact(more);
        self.tiles.reserve_exact(more);
        self.room += more;
    }

    /// Starts again with far tiles, which hold any value.
    #[cold]
    fn go_far(&mut self) {
        self.resumed = None;
        self.links.reset();
        self.tiles = KeptCosts::Far(vec![[UNREACHED; SECTOR_CELLS]; self.loaded.len()]);
        self.flows.fill(Flow::NOTHING);
        self.waiting.fill(UNREACHED);
        self.wake_goals();
    }

    /// Withdraws the directions that a change has made invalid.
    pub(crate) fn invalidate(&mut self, costs: &CostMap, affected: AffectedSector) {
        let index = self.loaded.index(affected.sector);
        if let Some(tile) = self.flows.get_mut(index as usize) {
            Flow::invalidate(tile, costs, affected);
        }
    }

    /// After settling: gives a sector that has changed since directions out of it
    /// over its present ground, until the region is made again; see
    /// [`patch`](super::patch). If this is impossible, withdraws its directions.
    pub(crate) fn patch(&mut self, costs: &CostMap, sector: Sector) {
        let changed = true;
        self.invalidate(costs, AffectedSector { sector, changed });
        let index = self.loaded.index(sector);
        let KeptCosts::Near(tiles) = &self.tiles else {
            return;
        };
        // Nothing is kept there, so these are the present costs.
        let now = Loaded::new(costs.extent());
        let mut room = NineRoom::default();
        if index != NOT_LOADED
            && let Some(nine) = Nine::around(costs, &now, sector, &mut room)
        {
            let (flow, ring) = (&mut self.flows[index as usize], self.loaded.ring(sector));
            // Without links: a unit that takes one may come back here. For the same reason no
            // path may lead to where one ends here, unless it is cheaper there.
            let exits = self.links.ends_in(&self.loaded, sector);
            near::patch(tiles, flow, &nine, &self.sources, exits, index, &ring);
        }
    }

    /// Returns the loaded sectors with the state of each, in the order of loading.
    pub(crate) fn states(&self) -> impl Iterator<Item = TileState> {
        let tiles = self.flows.iter().zip(&self.waiting);
        let indices = 0..self.loaded.len() as u32;
        indices
            .zip(tiles)
            .map(|(index, (flows, &waiting))| TileState {
                sector: self.loaded.sector(index),
                is_settled: flows.iter().any(|&byte| Flow::of(byte).leads_on()),
                waiting: (waiting != UNREACHED).then_some(waiting),
            })
    }

    /// Returns how many times a tile was settled.
    pub(crate) const fn settlings(&self) -> u64 {
        self.settlings
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tiles.bytes()
            + size_of_val::<[FlowTile]>(&self.flows)
            + self.loaded.bytes()
            + self.waiting.capacity() * size_of::<u64>()
            + self.ring.bytes()
            + self.sources.bytes()
            + self.links.bytes()
    }

    /// Returns the directions and the values that each tile keeps as a field, and the
    /// queue for reuse.
    pub(crate) fn into_field(mut self) -> (FlowField, BucketRing<u32>) {
        let entered = self.mark_entries();
        let (indices, base) = (self.loaded.into_indices(), self.sources.base());
        let field = FlowField::new(indices, self.flows, base, self.tiles, entered);
        (field, self.ring)
    }
}
