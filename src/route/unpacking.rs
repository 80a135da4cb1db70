//! The portals on a path through a cluster.
//!
//! The clique has the cost of the path, not its portals. A small A* inside the
//! cluster finds them, from the portal where the path leaves to the portal where
//! it enters. It knows the cost beforehand, so it drops everything that would
//! cost more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::clusters::SectorRect;
use crate::grid::{Cell, Sector};
use crate::kernel::octile;
use crate::map::Map;
use crate::portal::{PORTAL_SLOTS, PortalId, PortalSlot, Rows, SectorWalks, WalkCost};

/// Work of taking a portal from the queue, in cells.
const PORTAL_WORK: u64 = 5;

/// A portal inside a cluster, on a path through it.
pub(super) struct InnerPortal {
    pub(super) portal: PortalId,
    /// The cost from it to the end of the path.
    pub(super) to_end: u32,
    /// The sector that the path enters by it.
    pub(super) into: Sector,
}

/// Returns the portals of a cheapest path between two rim portals of a cluster,
/// which costs `price`, and the work. Without the two portals themselves.
pub(super) fn portals_between(
    map: &Map,
    room: &mut UnpackingRoom,
    sectors: SectorRect,
    [from, to]: [PortalId; 2],
    price: u32,
) -> (Vec<InnerPortal>, u64) {
    let place = map.graph.place(from).unwrap_or_default();
    room.clear(sectors.count() * PORTAL_SLOTS);
    let mut unpacking = Unpacking {
        map,
        sectors,
        place,
        price,
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

/// A portal as one of the cluster's sectors sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct InnerPlace {
    sector: Sector,
    slot: PortalSlot,
}

impl InnerPlace {
    /// Returns the same portal as the sector on the far side sees it.
    const fn beyond(self) -> Self {
        Self {
            sector: self.slot.side().beyond(self.sector),
            slot: self.slot.beyond(),
        }
    }
}

/// The best known path from a portal through a sector to the end.
#[derive(Clone, Copy, Debug)]
struct Node {
    cost: u32,
    /// The portal by which the path leaves the sector.
    next: PortalSlot,
    is_taken: bool,
}

impl Node {
    const UNKNOWN: Self = Self {
        cost: u32::MAX,
        next: PortalSlot::of_number(0),
        is_taken: false,
    };
}

/// Memory for unpacking paths, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct UnpackingRoom {
    nodes: Vec<Node>,
    /// The nodes that are known.
    known: Vec<u32>,
    /// The nodes to take, the lowest key first, and among equals the newest.
    queue: BinaryHeap<(Reverse<u32>, u32, u32)>,
}

impl UnpackingRoom {
    /// Makes all nodes unknown.
    fn clear(&mut self, count: usize) {
        for node in self.known.drain(..) {
            self.nodes[node as usize] = Node::UNKNOWN;
        }
        self.queue.clear();
        if self.nodes.len() < count {
            self.nodes.resize(count, Node::UNKNOWN);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.known.capacity() * size_of::<u32>()
            + self.queue.capacity() * size_of::<(Reverse<u32>, u32, u32)>()
    }
}

struct Unpacking<'a> {
    map: &'a Map,
    sectors: SectorRect,
    /// The own cell of the portal at which the path begins, and its cost.
    place: Cell,
    price: u32,
    room: &'a mut UnpackingRoom,
    work: u64,
}

impl Unpacking<'_> {
    /// Returns a rim portal as the sector inside sees it.
    fn inside(&self, portal: PortalId) -> Option<InnerPlace> {
        let mut sectors = portal.sectors().into_iter();
        let sector = sectors.find(|&sector| self.sectors.contains(sector))?;
        Some(InnerPlace {
            sector,
            slot: PortalSlot::of(portal, sector),
        })
    }

    fn number(&self, InnerPlace { sector, slot }: InnerPlace) -> usize {
        self.sectors.number(sector) * PORTAL_SLOTS + slot.number() as usize
    }

    fn place(&self, number: usize) -> InnerPlace {
        InnerPlace {
            sector: self.sectors.sector(number / PORTAL_SLOTS),
            slot: PortalSlot::of_number((number % PORTAL_SLOTS) as u32),
        }
    }

    /// Takes portals until the first one of the path is among them.
    fn search(&mut self, first: InnerPlace, last: InnerPlace) {
        self.expand(last, 0);
        while let Some((_, _, number)) = self.room.queue.pop() {
            let number = number as usize;
            let here = self.place(number);
            let beyond = here.beyond();
            let is_inside = self.sectors.contains(beyond.sector);
            let is_known = is_inside && self.room.nodes[self.number(beyond)].is_taken;
            let node = &mut self.room.nodes[number];
            if node.is_taken || is_known {
                continue;
            }
            node.is_taken = true;
            let cost = node.cost;
            self.work += PORTAL_WORK;
            if here == first {
                return;
            }
            if is_inside {
                self.expand(beyond, cost);
            }
            if !self.map.graph.sector_walks(here.sector).is_metric() {
                self.expand(here, cost);
            }
        }
    }

    /// Notes the paths that enter a sector and leave it by a portal from which the
    /// end is `cost` away.
    fn expand(&mut self, exit: InnerPlace, cost: u32) {
        let walks = self.map.graph.sector_walks(exit.sector);
        let slots = walks.portal_slots();
        if !slots.has(exit.slot) {
            return;
        }
        let row = slots.lane(exit.slot) * slots.lanes();
        match walks.rows() {
            Rows::Narrow(rows) => self.relax(exit, cost, walks, &rows[row..]),
            Rows::Wide(rows) => self.relax(exit, cost, walks, &rows[row..]),
        }
    }

    fn relax<T: WalkCost>(&mut self, exit: InnerPlace, cost: u32, walks: &SectorWalks, row: &[T]) {
        let (first, origin) = (self.sectors.number(exit.sector), exit.sector.origin());
        let lowest = u64::from(self.map.costs.lowest());
        for (lane, &walk) in row.iter().take(walks.portal_slots().count()).enumerate() {
            let cost = cost.saturating_add(walk.cost());
            if walk == T::NONE || cost > self.price {
                continue;
            }
            let crossing = walks.crossing(lane);
            let number = first * PORTAL_SLOTS + crossing.portal_slot().number() as usize;
            let node = &mut self.room.nodes[number];
            if cost >= node.cost || node.is_taken {
                continue;
            }
            let (x, y) = crossing.step();
            let (dx, dy) = (origin.x + x - self.place.x, origin.y + y - self.place.y);
            let ahead = lowest * octile(dx.unsigned_abs(), dy.unsigned_abs());
            let key = u64::from(cost) + ahead;
            if key <= self.price.into() {
                if node.cost == u32::MAX {
                    self.room.known.push(number as u32);
                }
                (node.cost, node.next) = (cost, exit.slot);
                self.work += 1;
                let entry = (Reverse(key as u32), self.work as u32, number as u32);
                self.room.queue.push(entry);
            }
        }
    }

    /// Follows the path from its first portal to its last.
    fn path(&self, first: InnerPlace, last: InnerPlace) -> Vec<InnerPortal> {
        let mut path = Vec::new();
        let mut at = first;
        while self.room.nodes[self.number(at)].is_taken {
            let exit = InnerPlace {
                sector: at.sector,
                slot: self.room.nodes[self.number(at)].next,
            };
            if exit == last {
                break;
            }
            // On uneven ground a path may leave a sector by a portal and come back
            // by it at once.
            let is_back = self.room.nodes[self.number(exit)].is_taken;
            at = if is_back { exit } else { exit.beyond() };
            path.push(InnerPortal {
                portal: at.slot.id(at.sector),
                to_end: self.room.nodes[self.number(at)].cost,
                into: at.sector,
            });
        }
        path
    }
}
