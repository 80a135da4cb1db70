//! The portals on a path through a cluster.
//!
//! The clique has the cost of the path, not its portals. A small search inside the
//! cluster finds them, from the portal where the path leaves to the portal where it
//! enters. Like the [search](super::search) above, it settles a whole sector at a time. It
//! knows the cost beforehand, so it drops everything that would cost more, and ends as soon
//! as it comes upon a path of that cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::step::PathStep;
use crate::clusters::{SectorRect, SideOfSector};
use crate::grid::{Cell, Sector};
use crate::kernel::octile;
use crate::map::Map;
use crate::portal::{
    PackedCrossing, PortalId, PortalSlot, PortalSlots, Rows, SectorWalks, WalkCost, relax,
};

/// Work of settling a sector, in cells, and the number of lanes relaxed that count as one
/// cell.
const SETTLE_WORK: u64 = 8;
const LANES_OF_WORK: u64 = 32;
/// Work of passing a better cost on, and of a portal that is looked up.
const PASS_WORK: u64 = 2;
const STEP_WORK: u64 = 1;

/// Returns the portals of a cheapest path between two rim portals of a cluster,
/// which costs `price`, and the work. Without the two portals themselves; the cost of each is
/// that to the end portal.
pub(super) fn portals_between(
    map: &Map,
    room: &mut UnpackingRoom,
    sectors: SectorRect,
    [from, to]: [PortalId; 2],
    price: u32,
) -> (Vec<PathStep>, u64) {
    if let Some(path) = over_open_ground(map, sectors, [from, to], price) {
        let work = STEP_WORK * path.len() as u64;
        return (path, work);
    }
    let from_cell = map.graph.own_cell(from).unwrap_or_default();
    room.clear(sectors.count());
    let mut unpacking = Unpacking {
        map,
        sectors,
        from_cell,
        price: price.into(),
        lowest: map.costs.lowest().into(),
        room,
        work: 0,
    };
    let [first, last] = [from, to].map(|portal| unpacking.inside(portal));
    let (Some(first), Some(last)) = (first, last) else {
        return (Vec::new(), 0);
    };
    unpacking.search(first, last);
    (unpacking.path(first, last), unpacking.work)
}

/// Looks up the portals of a path through a whole cluster of open ground.
fn over_open_ground(
    map: &Map,
    sectors: SectorRect,
    ends: [PortalId; 2],
    price: u32,
) -> Option<Vec<PathStep>> {
    let inside = |portal: PortalId| {
        let (sector, slot) = slot_inside(sectors, portal)?;
        let side = slot.side();
        Some(SideOfSector { sector, side })
    };
    let [mut at, end] = [inside(ends[0])?, inside(ends[1])?];
    let (paths, cost) = map.clusters.open_paths(&map.graph, sectors, end)?;
    let cost = u32::from(cost.value());
    // After an edit the price may be that of other ground.
    if paths.step(sectors, at).to_end * cost != price {
        return None;
    }
    let mut path = Vec::new();
    loop {
        let exit = SideOfSector {
            side: paths.step(sectors, at).exit,
            ..at
        };
        if exit == end {
            return Some(path);
        }
        at = exit.beyond();
        path.push(PathStep {
            portal: PortalSlot::new(exit.side, 0).id(exit.sector),
            into: at.sector,
            cost: (paths.step(sectors, at).to_end * cost).into(),
            is_in_cluster: true,
        });
    }
}

/// Returns the sector of a cluster at which a rim portal lies, and the portal's slot there.
fn slot_inside(sectors: SectorRect, portal: PortalId) -> Option<(Sector, PortalSlot)> {
    let sector = portal
        .sectors()
        .into_iter()
        .find(|&sector| sectors.contains(sector))?;
    Some((sector, PortalSlot::of(portal, sector)))
}

/// A portal as one of the cluster's sectors sees it: the sector's number in the cluster,
/// and the portal's lane there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct InnerLane {
    number: usize,
    lane: usize,
}

/// What is known of a sector, by the lanes of its portals.
#[derive(Clone, Debug)]
struct InnerSector {
    /// The costs of the best known paths to the end.
    costs: [u64; PortalSlots::LANES_MAX],
    /// For costs of paths through the sector: the lane by which they leave it.
    next: [u8; PortalSlots::LANES_MAX],
    /// A bit for each lane whose cost has come from outside, and for each that is to be
    /// relaxed.
    leads_out: u32,
    fresh: u32,
    /// The number of the path for which all this is known.
    path: u32,
}

const UNKNOWN: u64 = 1 << 62;

impl InnerSector {
    const UNKNOWN: Self = Self {
        costs: [UNKNOWN; PortalSlots::LANES_MAX],
        next: [0; PortalSlots::LANES_MAX],
        leads_out: 0,
        fresh: 0,
        path: 0,
    };
}

/// Returns the numbers of the bits that are set.
fn bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

/// Memory for unpacking paths, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct UnpackingRoom {
    sectors: Vec<InnerSector>,
    /// The sectors to settle, the lowest key first, and among equals the newest: the key,
    /// and behind it the number of entries that may still come.
    queue: BinaryHeap<(Reverse<u64>, u32)>,
    /// Distinguishes the sectors known on this path from those of paths before.
    path: u32,
}

impl UnpackingRoom {
    fn clear(&mut self, count: usize) {
        self.queue.clear();
        self.path += 1;
        if self.sectors.len() < count {
            self.sectors.resize(count, InnerSector::UNKNOWN);
        }
    }

    /// Notes a cost that comes to a sector from outside; returns whether it is the best so
    /// far.
    #[inline]
    fn arrive(&mut self, InnerLane { number, lane }: InnerLane, cost: u64) -> bool {
        let sector = &mut self.sectors[number];
        if sector.path != self.path {
            *sector = InnerSector {
                path: self.path,
                ..InnerSector::UNKNOWN
            };
        }
        let is_better = cost < sector.costs[lane];
        if is_better {
            sector.costs[lane] = cost;
            sector.leads_out |= 1 << lane;
            sector.fresh |= 1 << lane;
        }
        is_better
    }

    fn cost(&self, InnerLane { number, lane }: InnerLane) -> u64 {
        let sector = &self.sectors[number];
        if sector.path == self.path {
            sector.costs[lane]
        } else {
            UNKNOWN
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.sectors.capacity() * size_of::<InnerSector>()
            + self.queue.capacity() * size_of::<(Reverse<u64>, u32)>()
    }
}

struct Unpacking<'a> {
    map: &'a Map,
    sectors: SectorRect,
    /// The own cell of the portal at which the path begins, and its cost.
    from_cell: Cell,
    price: u64,
    lowest: u64,
    room: &'a mut UnpackingRoom,
    work: u64,
}

impl<'a> Unpacking<'a> {
    fn walks(&self, number: usize) -> &'a SectorWalks {
        self.map.graph.sector_walks(self.sectors.sector(number))
    }

    fn lane(&self, sector: Sector, slot: PortalSlot) -> InnerLane {
        let slots = self.map.graph.sector_walks(sector).portal_slots();
        InnerLane {
            number: self.sectors.number(sector),
            lane: slots.lane(slot),
        }
    }

    /// Returns a rim portal as the sector inside sees it.
    fn inside(&self, portal: PortalId) -> Option<InnerLane> {
        let (sector, slot) = slot_inside(self.sectors, portal)?;
        let slots = self.map.graph.sector_walks(sector).portal_slots();
        slots.has(slot).then(|| self.lane(sector, slot))
    }

    fn slot(&self, InnerLane { number, lane }: InnerLane) -> PortalSlot {
        self.walks(number).crossing(lane).portal_slot()
    }

    /// Returns the same portal as the sector on the far side sees it; `None` outside the
    /// cluster.
    fn beyond(&self, at: InnerLane, slot: PortalSlot) -> Option<InnerLane> {
        let sector = slot.side().beyond(self.sectors.sector(at.number));
        self.sectors
            .contains(sector)
            .then(|| self.lane(sector, slot.beyond()))
    }

    /// Settles sectors until a path from the first portal to the last is known.
    fn search(&mut self, first: InnerLane, last: InnerLane) {
        self.room.arrive(last, 0);
        self.line_up(last.number, 0);
        while self.room.cost(first) > self.price {
            let Some((_, number)) = self.room.queue.pop() else {
                return;
            };
            if self.room.sectors[number as usize].fresh != 0 {
                self.settle(number as usize);
            }
        }
    }

    fn line_up(&mut self, number: usize, key: u64) {
        self.work += PASS_WORK;
        let entry = Reverse(key << 32 | u64::from(u32::MAX - self.work as u32));
        self.room.queue.push((entry, number as u32));
    }

    fn settle(&mut self, number: usize) {
        let (map, sector) = (self.map, self.sectors.sector(number));
        let walks = map.graph.sector_walks(sector);
        match walks.rows() {
            Rows::Narrow(rows) => self.settle_by(sector, number, walks, rows),
            Rows::Wide(rows) => self.settle_by(sector, number, walks, rows),
        }
    }

    /// Relaxes the fresh lanes of a sector, and passes better costs on to the sectors
    /// around.
    #[inline(always)]
    fn settle_by<T: WalkCost>(
        &mut self,
        sector: Sector,
        number: usize,
        walks: &SectorWalks,
        table: &[T],
    ) {
        let stride = walks.portal_slots().lanes();
        let InnerSector {
            costs,
            next,
            leads_out,
            fresh,
            ..
        } = &mut self.room.sectors[number];
        let known = &costs[..stride];
        let lanes = std::mem::take(fresh);
        let base = bits(lanes).map(|lane| known[lane]).min().unwrap_or(0);
        // Lanes that cost too much more wait for the next turn.
        *fresh = bits(lanes)
            .filter(|&lane| known[lane] - base > u64::from(T::HIGHEST))
            .fold(0, |far, lane| far | 1 << lane);
        let lanes = lanes & !*fresh;
        let row = |lane: usize| &table[lane * stride..][..stride];
        let more = |lane: usize| T::of((known[lane] - base) as u32);
        let mut relaxed = [T::NO_WALK; PortalSlots::LANES_MAX];
        let lowest = if lanes.is_power_of_two() {
            row(lanes.trailing_zeros() as usize)
        } else {
            let relaxed = &mut relaxed[..stride];
            bits(lanes).for_each(|lane| relax(relaxed, row(lane), more(lane)));
            relaxed
        };
        self.work += SETTLE_WORK + u64::from(lanes.count_ones()) * stride as u64 / LANES_OF_WORK;
        let mut better = T::better(known, lowest, base);
        for lane in bits(better) {
            let cost = lowest[lane];
            if cost == T::NO_WALK || base + u64::from(cost.cost()) > self.price {
                better &= !(1 << lane);
                continue;
            }
            let exit = bits(lanes).find(|&exit| row(exit)[lane].plus(more(exit)) == cost);
            next[lane] = exit.unwrap_or_default() as u8;
        }
        *leads_out &= !better;
        if !walks.is_metric() {
            *fresh |= better;
        }
        if *fresh != 0 {
            self.line_up(number, base);
        }
        for lane in bits(better) {
            let cost = base + u64::from(lowest[lane].cost());
            self.room.sectors[number].costs[lane] = cost;
            self.pass(sector, walks.crossing(lane), cost);
        }
    }

    /// Passes the cost of a path through a sector on to the sector beyond a portal.
    #[inline]
    fn pass(&mut self, sector: Sector, crossing: PackedCrossing, cost: u64) {
        let (origin, (x, y)) = (sector.origin(), crossing.step());
        let dx = origin.x + x - self.from_cell.x;
        let dy = origin.y + y - self.from_cell.y;
        let key = cost + self.lowest * octile(dx.unsigned_abs(), dy.unsigned_abs());
        if key > self.price {
            return;
        }
        let slot = crossing.portal_slot();
        let beyond = slot.side().beyond(sector);
        if self.sectors.contains(beyond) {
            let to = self.lane(beyond, slot.beyond());
            if self.room.arrive(to, cost) {
                self.line_up(to.number, key);
            }
        }
    }

    fn path(&self, first: InnerLane, last: InnerLane) -> Vec<PathStep> {
        let mut path = Vec::new();
        if self.room.cost(first) == UNKNOWN {
            return path;
        }
        let mut at = first;
        while path.len() < self.sectors.count() * PortalSlots::LANES_MAX {
            let sector = &self.room.sectors[at.number];
            let lane = sector.next[at.lane].into();
            let exit = InnerLane { lane, ..at };
            if exit == last {
                break;
            }
            // On uneven ground a path may leave a sector by a portal and come back
            // by it at once.
            let leads_out = sector.leads_out >> lane & 1 != 0;
            let slot = self.slot(exit);
            let beyond = self.beyond(exit, slot).filter(|_| leads_out);
            at = beyond.unwrap_or(exit);
            let into = self.sectors.sector(at.number);
            path.push(PathStep {
                portal: slot.id(self.sectors.sector(exit.number)),
                into,
                cost: self.room.cost(at),
                is_in_cluster: true,
            });
        }
        path
    }
}
