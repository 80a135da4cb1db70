//! Integration: costs-to-go over the loaded sectors, and their directions.
//!
//! Sectors wait in a queue, ordered by the lowest value that has come to their
//! border. The first is settled: a kernel brings its tile to the fixpoint of
//! the step rule inside the ring of its neighbours' border cells, and tells
//! which cells of that ring a step into the tile would improve. The neighbours
//! that own those cells are put in the queue. A sector whose border improves
//! again is settled again; since the lowest goes first, that is rare.
//!
//! ```text
//!   goal → [3] → [2] → [5]      the values spread as the rings of a wave;
//!           ↓     ↓     ↓       a route that comes back to a sector only
//!          [6] → [4] → [1]      lowers what is there
//! ```
//!
//! When the queue is empty no step from a loaded cell to a loaded cell can
//! lower any value: the whole region is at the fixpoint, across borders and
//! sector corners as inside a sector. Each tile's directions come from its last
//! settling, and still hold: had a cell that one of them points to become
//! better since, that step would have improved the tile, and it would have been
//! settled again. What may have come about since is one more step that leads
//! on as well as the one held. The tile that it leads into tells so when it is
//! settled, and of both the first in the order of directions is kept. So what
//! a cell says depends on the final values alone, and not on who came first.
//!
//! Values are kept as 32-bit offsets from the lowest goal by [`Near`] tiles. A
//! region in which they would not fit starts again with [`Far`] tiles.
//!
//! Its sectors are named one by one, before it starts or as it grows. It may go
//! on from a field: see `resume`.

mod resume;

use super::far::Far;
use super::flow::{Flow, FlowField, FlowTile};
use super::light::Lamp;
use super::loaded::{Loaded, NOT_LOADED, Ring, Woken};
use super::near::Near;
use super::nine::{Nine, NineRoom};
use super::sources::Sources;
use crate::budget::{Paused, TILE_WORK, Work};
use crate::cost::CostMap;
use crate::grid::{Cell, Direction, Extent, Sector, SectorId, Slot};
use crate::heuristic::Estimate;
use crate::kernel::{Borders, UNREACHED};
use crate::queue::BucketRing;

/// For so many tiles at most a region that grows everywhere puts room by: where
/// there are more, some are moved as it grows.
///
/// PERF: without, a field of 10,000 tiles takes twice as long: each time it grows
/// the system has to clear other pages.
const RESERVED: usize = 1 << 18;
/// Where others may have more than a few tiles they put room by for all, and where
/// they come to have more than a few, for so many times as many: to move tens of
/// thousands is a matter of milliseconds, in the midst of a tick. For few they put
/// by what most orders take.
const FEW: usize = 2048;
const MORE: usize = 64;
const ROOM: usize = 64;

/// A region being integrated; see the module.
#[derive(Clone)]
pub(crate) struct Region {
    loaded: Loaded,
    tiles: RegionTiles,
    /// For how many tiles room is put by.
    room: usize,
    /// The lowest value waiting at each tile's border; [`UNREACHED`] for none.
    waiting: Vec<u64>,
    ring: BucketRing<u32>,
    sources: Sources,
    growth: Option<Growth>,
    /// Of a region that goes on from a field.
    resumed: Option<Resumed>,
    /// Lit at the goal once nothing waits.
    lamp: Option<Lamp>,
    settlings: u64,
}

/// What remains to be done to go on from a field.
#[derive(Clone, Copy)]
struct Resumed {
    /// The first tile that has not been offered the values around it. At first, the
    /// first that is not the field's.
    next: u32,
    /// What the values of the field's tiles are counted from.
    base: u64,
}

/// How far a region under way has brought one of its sectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileState {
    pub(crate) sector: Sector,
    /// Whether any of its cells has a direction, or is a goal.
    pub(crate) is_settled: bool,
    /// The lowest value that waits at its border.
    pub(crate) waiting: Option<u64>,
}

/// How far a region may load sectors of its own accord.
#[derive(Clone)]
pub(crate) enum Growth {
    /// Where ways that matter may lead. A way through a sector costs at least
    /// what has come to its border, and from the sector on to the units what the
    /// aim says. Where that is more than the limit, the price of the dearest way
    /// that matters, no way that does leads through it.
    Within { aim: Box<Estimate>, limit: u64 },
    /// Wherever a way leads.
    Everywhere,
}

#[derive(Clone)]
enum RegionTiles {
    Near(Near),
    Far(Far),
}

impl RegionTiles {
    fn flows(&self) -> &[FlowTile] {
        match self {
            Self::Near(near) => near.flows(),
            Self::Far(far) => far.flows(),
        }
    }

    fn flows_mut(&mut self) -> &mut [FlowTile] {
        match self {
            Self::Near(near) => near.flows_mut(),
            Self::Far(far) => far.flows_mut(),
        }
    }
}

impl Growth {
    fn reaches(&self, sector: Sector, value: u64) -> bool {
        match self {
            Self::Within { aim, limit } => {
                value.saturating_add(aim.price_from_sector(sector)) <= *limit
            }
            Self::Everywhere => true,
        }
    }
}

impl Region {
    /// A region of no sectors yet: they are to be [loaded](Self::load), so many
    /// at most, and then it is [started](Self::start). With `growth` it loads
    /// more as it goes.
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
            tiles: RegionTiles::Near(Near::with_room(room)),
            room,
            waiting: Vec::with_capacity(room),
            ring,
            sources: Sources::default(),
            growth,
            resumed: None,
            lamp: None,
            settlings: 0,
        }
    }

    /// Loads a sector on the map, if it is not loaded.
    pub(crate) fn load(&mut self, sector: Sector) {
        if !self.holds(sector) {
            self.add(sector, Flow::NOTHING, Borders::CLOSED);
        }
    }

    /// Loads the neighbours of a sector, those that are on the map.
    pub(crate) fn load_around(&mut self, sector: Sector) {
        for direction in Direction::ALL {
            if let Some(beside) = self.loaded.beside(sector, direction) {
                self.load(beside);
            }
        }
    }

    /// Gives it its goals, once its sectors are loaded; goals outside them count
    /// for nothing. Nothing is settled yet.
    pub(crate) fn start(&mut self, goals: impl Iterator<Item = (Cell, u64)>) {
        self.sources = Sources::new(&self.loaded, goals);
        match self.sources.fit_near() && self.take_over_base() {
            true => self.wake_goals(),
            false => self.go_far(),
        }
    }

    /// How many sectors are loaded.
    pub(crate) const fn sector_count(&self) -> usize {
        self.loaded.len()
    }

    /// Whether a sector is loaded.
    pub(crate) fn holds(&self, sector: Sector) -> bool {
        self.loaded.place(sector) != NOT_LOADED
    }

    /// Whether a sector on the map that is not loaded may yet be, with costs that
    /// are kept as they were.
    pub(crate) fn may_load(&self, sector: Sector) -> bool {
        self.growth.is_some() && self.loaded.keeps(sector)
    }

    /// Keeps a sector's costs as they are, if they have been looked at: the
    /// map is about to change.
    pub(crate) fn keep(&mut self, costs: &CostMap, id: SectorId) {
        let sector = self.loaded.extent.sector(id);
        let mut around = Direction::ALL.into_iter();
        let known = self.holds(sector)
            || around.any(|way| {
                let beside = self.loaded.beside(sector, way);
                beside.is_some_and(|beside| self.holds(beside))
            });
        if known {
            self.loaded.keep(costs, sector);
        }
    }

    /// Puts the tiles with goals in the queue, but those to which a field leads
    /// already.
    fn wake_goals(&mut self) {
        self.ring.restart(self.sources.base());
        for &(place, slot, value) in self.sources.all() {
            if Flow::of(self.tiles.flows()[place as usize][slot.index()]).leads_on() {
                continue;
            }
            let waiting = &mut self.waiting[place as usize];
            if value < *waiting {
                *waiting = value;
                self.ring.push(value, place);
            }
        }
    }

    /// Settles waiting tiles until none waits, and then finds out from where
    /// the goal is in sight.
    pub(crate) fn advance(&mut self, costs: &CostMap, work: &mut Work) -> Result<(), Paused> {
        self.offer_new(work)?;
        while self.ring.lowest().is_some() {
            work.check()?;
            let Some((key, place)) = self.ring.pop() else {
                break;
            };
            if self.waiting[place as usize] != key {
                continue;
            }
            let ring = self.loaded.ring(self.loaded.sector(place));
            self.waiting[place as usize] = UNREACHED;
            self.settlings += 1;
            work.count(TILE_WORK);
            match self.settle(costs, place, &ring) {
                Some(woken) => self.wake(place, key, &ring, woken),
                None => self.go_far(),
            }
        }
        self.shine(costs, work)
    }

    /// Lights the lamp at the goal, if there is but one.
    fn shine(&mut self, costs: &CostMap, work: &mut Work) -> Result<(), Paused> {
        let [(place, slot, _)] = *self.sources.all() else {
            return Ok(());
        };
        let sector = self.loaded.sector(place);
        let lamp = self.lamp.get_or_insert_with(|| Lamp::new(sector, slot));
        lamp.shine(costs, &self.loaded, self.tiles.flows_mut(), work)
    }

    /// Settles a tile; `None` if its values have grown too far from the goal's
    /// for near tiles.
    fn settle(&mut self, costs: &CostMap, place: u32, ring: &Ring) -> Option<Woken> {
        match &mut self.tiles {
            RegionTiles::Near(near) => near.settle(costs, &self.loaded, &self.sources, place, ring),
            RegionTiles::Far(far) => {
                Some(far.settle(costs, &self.loaded, &self.sources, place, ring))
            }
        }
    }

    /// Settles a loaded sector anew from what stands at its border; false if it
    /// is not loaded.
    pub(crate) fn rebuild(&mut self, costs: &CostMap, sector: Sector) -> bool {
        if self.loaded.extent.sector_id(sector).is_none() {
            return false;
        }
        let place = self.loaded.place(sector);
        let ring = self.loaded.ring(sector);
        place != NOT_LOADED && self.settle(costs, place, &ring).is_some()
    }

    /// Puts the woken neighbours of a tile in the queue. They come after what
    /// was taken last: keys never fall.
    fn wake(&mut self, place: u32, key: u64, ring: &Ring, woken: Woken) {
        for (number, value) in woken.into_iter().enumerate() {
            if value == UNREACHED {
                continue;
            }
            let mut beside = ring[number];
            if beside == NOT_LOADED {
                let sector = self.loaded.sector(place);
                match self.grow(sector, Direction::ALL[number], value) {
                    Some(place) => beside = place,
                    None => continue,
                }
            }
            let key = value.max(key);
            if key < self.waiting[beside as usize] {
                self.waiting[beside as usize] = key;
                self.ring.push(key, beside);
            }
        }
    }

    /// Loads a neighbour that this value has come to, if the region may grow
    /// there.
    fn grow(&mut self, sector: Sector, direction: Direction, value: u64) -> Option<u32> {
        let growth = self.growth.as_ref()?;
        let beside = self.loaded.beside(sector, direction)?;
        let reaches = growth.reaches(beside, value);
        reaches.then(|| self.add(beside, Flow::NOTHING, Borders::CLOSED))
    }

    /// Adds a sector with these directions and borders; tells its place.
    fn add(&mut self, sector: Sector, flow: FlowTile, borders: Borders) -> u32 {
        if self.loaded.len() == self.room {
            self.put_room_by();
        }
        let place = self.loaded.add(sector);
        self.waiting.push(UNREACHED);
        match &mut self.tiles {
            RegionTiles::Near(near) => near.add(flow, borders),
            RegionTiles::Far(far) => far.add(),
        }
        place
    }

    /// Puts room by for more tiles.
    #[cold]
    fn put_room_by(&mut self) {
        let times = if self.room < FEW { 2 } else { MORE };
        let most = self.loaded.extent.sector_count();
        let more = (times * self.room).min(most).saturating_sub(self.room);
        self.waiting.reserve_exact(more);
        match &mut self.tiles {
            RegionTiles::Near(near) => near.reserve(more),
            RegionTiles::Far(far) => far.reserve(more),
        }
        self.room += more;
    }

    /// Starts again with tiles that hold any value.
    #[cold]
    fn go_far(&mut self) {
        self.resumed = None;
        self.tiles = RegionTiles::Far(Far::new(self.loaded.len()));
        self.waiting.fill(UNREACHED);
        self.wake_goals();
    }

    /// Takes back what every cell of a sector says for which `doubtful` holds.
    pub(crate) fn doubt(&mut self, sector: Sector, doubtful: impl Fn(Slot, Flow) -> bool) {
        let place = self.loaded.place(sector);
        if let Some(tile) = self.tiles.flows_mut().get_mut(place as usize) {
            Flow::doubt(tile, doubtful);
        }
    }

    /// Once all is settled: has a sector that has changed since lead out by the
    /// ground as it is now, until the region is made anew; see
    /// [`patch`](super::patch). Where that is not to be had, its directions are
    /// taken back.
    pub(crate) fn patch(&mut self, costs: &CostMap, sector: Sector) {
        self.doubt(sector, |_, _| true);
        let place = self.loaded.place(sector);
        let RegionTiles::Near(near) = &mut self.tiles else {
            return;
        };
        // As nothing is kept there, these are the costs as they are.
        let (now, mut room) = (Loaded::new(costs.extent()), NineRoom::default());
        if place != NOT_LOADED
            && let Some(nine) = Nine::around(costs, &now, sector, &mut room)
        {
            near.patch(&nine, &self.sources, place, &self.loaded.ring(sector));
        }
    }

    /// The loaded sectors and how far each has come, in the order of loading.
    pub(crate) fn states(&self) -> impl Iterator<Item = TileState> {
        let tiles = self.tiles.flows().iter().zip(&self.waiting);
        let places = 0..self.loaded.len() as u32;
        places
            .zip(tiles)
            .map(|(place, (flows, &waiting))| TileState {
                sector: self.loaded.sector(place),
                is_settled: flows.iter().any(|&byte| Flow::of(byte).leads_on()),
                waiting: (waiting != UNREACHED).then_some(waiting),
            })
    }

    /// How many times a tile was settled.
    pub(crate) const fn settlings(&self) -> u64 {
        self.settlings
    }

    pub(crate) fn bytes(&self) -> usize {
        let tiles = match &self.tiles {
            RegionTiles::Near(near) => near.bytes(),
            RegionTiles::Far(far) => far.bytes(),
        };
        tiles
            + self.loaded.bytes()
            + self.waiting.capacity() * size_of::<u64>()
            + self.ring.bytes()
            + self.lamp.as_ref().map_or(0, Lamp::bytes)
            + self.sources.bytes()
    }

    /// Keeps the directions, and what each tile keeps of its values; the queue is
    /// left for others.
    pub(crate) fn into_field(self) -> (FlowField, BucketRing<u32>) {
        let (flows, kept) = match self.tiles {
            RegionTiles::Near(near) => near.into_parts(self.sources.base()),
            RegionTiles::Far(far) => far.into_parts(),
        };
        let lit = self.lamp.map(|lamp| lamp.goal());
        let field = FlowField::new(self.loaded.into_places(), flows, kept, lit);
        (field, self.ring)
    }
}
