//! What a search knows of the portals it has come to.

use super::target::TargetId;
use crate::grid::{Extent, Sector, SectorBounds, SectorPages};
use crate::portal::{PackedGate, PortalGraph, PortalId, PortalSlot, PortalSlots, Side, TableEntry};

/// Price of a way that is not known.
const UNKNOWN: u64 = 1 << 62;

/// In how many sectors portals are made untold at once.
const AT_ONCE: u32 = 64;

/// From so many sectors on, room is put by for so many times as many at once, if
/// the map has them: to move tens of thousands is a matter of milliseconds, in the
/// midst of a tick.
const MANY: usize = 4096;
const MORE: usize = 64;

/// What is known of a sector: of the ways through it, from each portal around
/// it, and of those portals whether they are taken.
///
/// A portal has two sectors, and so two costs: that of the best way through
/// the one, and through the other. The search takes it with the lower of them,
/// and goes on into the other sector: it has *entered* that one.
///
/// As large as a cache line, and each on one.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    sector: Sector,
    /// The portals around it: the lane of each is its rank among them.
    portal_slots: PortalSlots,
    /// Where its costs begin, and how many there are.
    costs: u32,
    lanes: u32,
    /// Portals taken with a way through this sector.
    through: PortalSlots,
    /// Portals taken with a way through the sector beyond.
    entered: PortalSlots,
    /// Portals whose way through this sector ends in it, at a goal.
    ending: PortalSlots,
    told: PortalSlots,
    target: TargetId,
    /// Where the blocks of the sectors around are, in the order of the sides;
    /// found out when first asked for.
    beside: [Seat; 4],
}

const _: () = assert!(size_of::<Block>() == 64);

impl Block {
    const fn taken(&self) -> PortalSlots {
        self.through.or(self.entered)
    }

    #[inline]
    const fn place(&self, portal_slot: PortalSlot) -> usize {
        self.costs as usize + self.portal_slots.lane(portal_slot)
    }

    /// Where its costs are.
    #[inline]
    const fn places(&self) -> std::ops::Range<usize> {
        let first = self.costs as usize;
        first..first + self.lanes as usize
    }
}

/// The nodes of one search: only where it has been.
///
/// Made to be used again: clearing costs as much as was touched.
#[derive(Debug)]
pub(super) struct Nodes {
    seats: SectorPages<Seat>,
    blocks: Vec<Block>,
    /// The costs of all blocks, each with as many as it has lanes. Lanes
    /// without a portal cost nothing, so that no way there is ever better.
    costs: Vec<u64>,
    /// Around the sectors of all blocks.
    bounds: SectorBounds,
    /// How many sectors the map has.
    sectors_max: usize,
}

/// Where the block of a sector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat(u32);

impl Seat {
    const UNKNOWN: Self = Self(u32::MAX);
}

/// A portal as one of its sectors sees it: the seat, and its portal slot there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeNumber(u32);

impl NodeNumber {
    const SLOT_BITS: u32 = 5;

    #[inline]
    pub(super) const fn new(seat: Seat, portal_slot: PortalSlot) -> Self {
        Self(seat.0 << Self::SLOT_BITS | portal_slot.number())
    }

    #[inline]
    pub(super) const fn seat(self) -> Seat {
        Seat(self.0 >> Self::SLOT_BITS)
    }

    #[inline]
    pub(super) const fn portal_slot(self) -> PortalSlot {
        PortalSlot::of_number(self.0 & ((1 << Self::SLOT_BITS) - 1))
    }
}

/// A sector that was entered, by a portal in this lane.
#[derive(Clone, Copy)]
pub(super) struct Entered {
    pub(super) seat: Seat,
    pub(super) sector: Sector,
    pub(super) lanes: usize,
    pub(super) lane: usize,
}

/// A portal as it was taken.
pub(super) struct Taken {
    pub(super) portal: PortalId,
    pub(super) cost: u64,
    /// The sector that its way comes from, and the one it leads through.
    pub(super) from: Sector,
    pub(super) through: Sector,
    /// The portal by which it leaves that; none where it ends.
    pub(super) next: Option<(PortalId, NodeNumber)>,
}

impl Nodes {
    pub(super) fn new(extent: Extent) -> Self {
        Self {
            seats: SectorPages::new(extent, Seat::UNKNOWN),
            sectors_max: extent.sector_count(),
            ..Self::none()
        }
    }

    /// No nodes, and no room for any.
    pub(super) const fn none() -> Self {
        Self {
            seats: SectorPages::none(Seat::UNKNOWN),
            blocks: Vec::new(),
            costs: Vec::new(),
            bounds: SectorBounds::NONE,
            sectors_max: 0,
        }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.seats.is_none()
    }

    /// Forgets all, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.seats.clear();
        self.blocks.clear();
        self.costs.clear();
        self.bounds = SectorBounds::NONE;
    }

    /// Where a sector's block is, to be written to.
    #[inline]
    pub(super) fn seat(&mut self, graph: &PortalGraph, sector: Sector) -> Seat {
        match *self.seats.get(sector) {
            Seat::UNKNOWN => self.add(graph, sector),
            seat => seat,
        }
    }

    #[inline(never)]
    fn add(&mut self, graph: &PortalGraph, sector: Sector) -> Seat {
        let portal_slots = graph.links(sector).portal_slots();
        let seat = Seat(self.blocks.len() as u32);
        if self.blocks.len() == self.blocks.capacity() && self.blocks.len() >= MANY {
            self.put_room_by();
        }
        self.bounds.take_in(sector);
        self.blocks.push(Block {
            sector,
            portal_slots,
            costs: self.costs.len() as u32,
            lanes: portal_slots.lanes() as u32,
            through: PortalSlots::NONE,
            entered: PortalSlots::NONE,
            ending: PortalSlots::NONE,
            told: PortalSlots::NONE,
            target: TargetId::NONE,
            beside: [Seat::UNKNOWN; 4],
        });
        self.add_costs(portal_slots);
        *self.seats.get_mut(sector) = seat;
        seat
    }

    /// Puts room by for sectors to come, and for their costs, should they have as
    /// many as those before.
    #[cold]
    fn put_room_by(&mut self) {
        let known = self.blocks.len();
        let more = (known * MORE).min(self.sectors_max).saturating_sub(known);
        self.blocks.reserve_exact(more);
        self.costs.reserve(self.costs.len() / known * more);
    }

    fn add_costs(&mut self, portal_slots: PortalSlots) {
        let end = self.costs.len() + portal_slots.count();
        self.costs
            .resize(self.costs.len() + portal_slots.lanes(), UNKNOWN);
        self.costs[end..].fill(0);
    }

    /// The sector has other portals than it had: keeps what is known of those
    /// that it still has.
    pub(super) fn refit(&mut self, graph: &PortalGraph, sector: Sector) {
        let Seat(seat) = *self.seats.get(sector);
        let portal_slots = graph.links(sector).portal_slots();
        let Some(&before) = self.blocks.get(seat as usize) else {
            return;
        };
        if before.portal_slots == portal_slots {
            return;
        }
        let block = &mut self.blocks[seat as usize];
        block.portal_slots = portal_slots;
        block.costs = self.costs.len() as u32;
        block.lanes = portal_slots.lanes() as u32;
        for known in [
            &mut block.through,
            &mut block.entered,
            &mut block.ending,
            &mut block.told,
        ] {
            *known = known.and(portal_slots);
        }
        let after = *block;
        self.add_costs(portal_slots);
        for portal_slot in portal_slots.and(before.portal_slots) {
            self.costs[after.place(portal_slot)] = self.costs[before.place(portal_slot)];
        }
    }

    fn block(&self, sector: Sector) -> Option<&Block> {
        self.blocks.get(self.seats.get(sector).0 as usize)
    }

    /// Where the block of the sector on one side is. That sector must be on
    /// the map.
    #[inline]
    fn beside(&mut self, graph: &PortalGraph, seat: Seat, side: Side) -> Seat {
        match self.blocks[seat.0 as usize].beside[side as usize] {
            Seat::UNKNOWN => self.find_beside(graph, seat, side),
            beside => beside,
        }
    }

    #[inline(never)]
    fn find_beside(&mut self, graph: &PortalGraph, seat: Seat, side: Side) -> Seat {
        let sector = side.beyond(self.blocks[seat.0 as usize].sector);
        let beside = self.seat(graph, sector);
        self.blocks[seat.0 as usize].beside[side as usize] = beside;
        self.blocks[beside.0 as usize].beside[side.opposite() as usize] = seat;
        beside
    }

    /// The sector that has a seat.
    #[inline]
    pub(super) fn sector(&self, seat: Seat) -> Sector {
        self.blocks[seat.0 as usize].sector
    }

    /// Notes a way from a portal around a sector that ends in that sector, if
    /// it is the best so far and the portal is not taken.
    pub(super) fn end_at(&mut self, seat: Seat, portal_slot: PortalSlot, cost: u64) {
        let block = &mut self.blocks[seat.0 as usize];
        let known = &mut self.costs[block.place(portal_slot)];
        if cost < *known && !block.taken().has(portal_slot) {
            *known = cost;
            block.ending = block.ending.with(portal_slot);
        }
    }

    /// Takes a portal with the way through a sector that is known; `None` if
    /// it has been taken.
    #[inline]
    pub(super) fn take(&mut self, id: NodeNumber) -> Option<u64> {
        let (block, portal_slot) = (&mut self.blocks[id.seat().0 as usize], id.portal_slot());
        if !block.portal_slots.but(block.taken()).has(portal_slot) {
            return None;
        }
        block.through = block.through.with(portal_slot);
        Some(self.costs[block.place(portal_slot)])
    }

    /// Enters the sector beyond a portal just taken.
    #[inline]
    pub(super) fn enter(&mut self, graph: &PortalGraph, id: NodeNumber, cost: u64) -> Entered {
        let seat = self.beside(graph, id.seat(), id.portal_slot().side());
        let (block, portal_slot) = (&mut self.blocks[seat.0 as usize], id.portal_slot().beyond());
        block.entered = block.entered.with(portal_slot);
        let lane = block.portal_slots.lane(portal_slot);
        self.costs[block.costs as usize + lane] = cost;
        Entered {
            seat,
            sector: block.sector,
            lanes: block.lanes as usize,
            lane,
        }
    }

    /// Notes what ways through a sector, on from where it was entered, make of
    /// the portals around it; tells `visit` those for which they are the best
    /// so far: their gates, and the prices.
    #[inline(always)]
    pub(super) fn improve<T: TableEntry>(
        &mut self,
        seat: Seat,
        onward: u64,
        [gates, walks]: [&[T]; 2],
        mut visit: impl FnMut(PackedGate, u64),
    ) {
        let block = &mut self.blocks[seat.0 as usize];
        let costs = &mut self.costs[block.places()];
        let mut better = T::better(costs, walks, onward);
        while better != 0 {
            let lane = better.trailing_zeros() as usize;
            better &= better - 1;
            let gate = gates[lane].gate();
            let portal_slot = gate.portal_slot();
            if walks[lane] == T::NONE || block.taken().has(portal_slot) {
                continue;
            }
            let cost = onward + u64::from(walks[lane].cost());
            costs[lane] = cost;
            block.ending = block.ending.without(portal_slot);
            visit(gate, cost);
        }
    }

    /// The price from a portal that has been taken.
    pub(super) fn cost(&self, id: PortalId) -> Option<u64> {
        let node = self.node(id)?;
        let block = &self.blocks[node.seat().0 as usize];
        Some(self.costs[block.place(node.portal_slot())])
    }

    /// A portal that has been taken, as the sector its way leads through sees
    /// it.
    pub(super) fn node(&self, id: PortalId) -> Option<NodeNumber> {
        let mut seen = id.sectors().into_iter().filter_map(|sector| {
            let seat = *self.seats.get(sector);
            let (block, portal_slot) = (
                self.blocks.get(seat.0 as usize)?,
                PortalSlot::of(id, sector),
            );
            block
                .through
                .has(portal_slot)
                .then(|| NodeNumber::new(seat, portal_slot))
        });
        seen.next()
    }

    /// By which portal a way leaves the sector that it leads through; `None`
    /// where it ends there.
    fn exit(
        &self,
        graph: &PortalGraph,
        block: &Block,
        portal_slot: PortalSlot,
    ) -> Option<PortalSlot> {
        if block.ending.has(portal_slot) {
            return None;
        }
        let cost = self.costs[block.place(portal_slot)];
        let mut entered = block.entered;
        if let (Some(only), None) = (entered.next(), entered.next()) {
            return (self.costs[block.place(only)] <= cost).then_some(only);
        }
        let links = graph.links(block.sector);
        let ways = block.entered.filter_map(|exit| {
            let on = self.costs[block.place(exit)];
            let walk = u64::from(links.walk(portal_slot, exit)?);
            (on < cost || on == cost && walk == 0).then_some((on + walk, exit))
        });
        // The walk that made the cost; after an edit, the nearest to it. Two
        // portals whose own places are one corner cell may cost the same; they
        // do not come twice in a row, so a way has an end.
        ways.min().map(|(_, exit)| exit)
    }

    /// Whether a sector lies in the rectangle around all that was read, or
    /// just beside it.
    pub(super) const fn may_be_beside(&self, sector: Sector) -> bool {
        self.bounds.is_near(sector)
    }

    /// Whether anything was read of a sector.
    pub(super) fn has_seen(&self, sector: Sector) -> bool {
        self.block(sector).is_some()
    }

    /// How many sectors are known.
    pub(super) const fn seats(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// The portals of the sector with this number that are known and not taken,
    /// and the prices from them.
    pub(super) fn frontier_at(
        &self,
        seat: u32,
    ) -> impl Iterator<Item = (NodeNumber, PortalId, u64)> {
        let block = &self.blocks[seat as usize];
        let waiting = block
            .portal_slots
            .filter(|&portal_slot| !block.taken().has(portal_slot));
        let known = waiting.map(|portal_slot| (portal_slot, self.costs[block.place(portal_slot)]));
        let known = known.filter(|&(_, cost)| cost < UNKNOWN);
        known.map(move |(portal_slot, cost)| {
            let id = NodeNumber::new(Seat(seat), portal_slot);
            (id, portal_slot.id(block.sector), cost)
        })
    }

    /// The portals that are taken, and the prices from them; sector by sector, in
    /// the order in which the search came to those.
    pub(super) fn taken(&self) -> impl Iterator<Item = (PortalId, u64)> {
        self.blocks.iter().flat_map(move |block| {
            let taken = block.through.into_iter();
            taken.map(move |portal_slot| {
                (
                    portal_slot.id(block.sector),
                    self.costs[block.place(portal_slot)],
                )
            })
        })
    }

    /// The target in a sector.
    pub(super) fn target(&self, sector: Sector) -> TargetId {
        self.block(sector)
            .map_or(TargetId::NONE, |block| block.target)
    }

    pub(super) fn set_target(&mut self, graph: &PortalGraph, sector: Sector, target: TargetId) {
        let Seat(seat) = self.seat(graph, sector);
        self.blocks[seat as usize].target = target;
    }

    /// Has the portals of some sectors told anew, from the one with this number
    /// on; tells the number of the next. See [`tell`](Self::tell).
    pub(super) fn untell(&mut self, first: u32) -> u32 {
        let end = self.seats().min(first + AT_ONCE);
        for block in &mut self.blocks[first as usize..end as usize] {
            block.told = PortalSlots::NONE;
        }
        end
    }

    /// A taken portal, and how its way goes on, the first time it is asked
    /// for.
    pub(super) fn tell(&mut self, graph: &PortalGraph, node: NodeNumber) -> Option<Taken> {
        let (seat, portal_slot) = (node.seat().0 as usize, node.portal_slot());
        let block = &mut self.blocks[seat];
        if block.told.has(portal_slot) {
            return None;
        }
        block.told = block.told.with(portal_slot);
        let block = &self.blocks[seat];
        let next = self.exit(graph, block, portal_slot).map(|exit| {
            let beyond = block.beside[exit.side() as usize];
            (
                exit.id(block.sector),
                NodeNumber::new(beyond, exit.beyond()),
            )
        });
        Some(Taken {
            portal: portal_slot.id(block.sector),
            cost: self.costs[block.place(portal_slot)],
            from: portal_slot.side().beyond(block.sector),
            through: block.sector,
            next,
        })
    }

    /// Of room that is put by and was never written to there is no memory yet.
    pub(super) fn bytes(&self) -> usize {
        self.seats.bytes()
            + size_of_val::<[Block]>(&self.blocks)
            + size_of_val::<[u64]>(&self.costs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Cost, CostMap};
    use crate::grid::{Cell, Rect};

    fn known(nodes: &Nodes) -> Vec<(PortalId, u64)> {
        let seats = 0..nodes.seats();
        let all = seats.flat_map(|seat| nodes.frontier_at(seat));
        all.map(|(_, id, cost)| (id, cost)).collect()
    }

    #[test]
    fn a_portal_is_taken_once_and_leads_on_into_the_sector_beyond() {
        let map = CostMap::open(40, 10).unwrap();
        let graph = PortalGraph::new(&map);
        let mut nodes = Nodes::new(map.extent());
        let (here, beyond) = (Sector::new(1, 0), Sector::new(2, 0));
        let seat = nodes.seat(&graph, here);
        let east = PortalSlot::new(Side::East, 0);
        assert!(known(&nodes).is_empty());
        nodes.end_at(seat, east, 30);
        nodes.end_at(seat, east, 40);
        let portal = east.id(here);
        assert_eq!(known(&nodes), [(portal, 30)]);

        let id = NodeNumber::new(seat, east);
        assert_eq!(nodes.take(id), Some(30));
        assert_eq!(nodes.take(id), None);
        let entered = nodes.enter(&graph, id, 30);
        assert_eq!(entered.sector, beyond);
        assert_eq!(
            nodes.take(NodeNumber::new(entered.seat, east.beyond())),
            None
        );
        assert_eq!(nodes.cost(portal), Some(30));

        let crate::portal::ArrivalRow::Narrow(gates, walks) =
            graph.links(beyond).row(entered.lanes, entered.lane)
        else {
            panic!("open ground is cheap");
        };
        let mut found = Vec::new();
        for _ in 0..2 {
            nodes.improve(entered.seat, 30, [gates, walks], |gate, cost| {
                found.push((gate.portal_slot().id(beyond), cost));
            });
        }
        let far = east.id(beyond);
        assert_eq!(found, [(far, 30 + 10 * 5)]);
        assert_eq!(known(&nodes), [(far, 80)]);
        let node = nodes.node(portal).unwrap();
        let taken = nodes.tell(&graph, node).unwrap();
        assert_eq!((taken.from, taken.through), (beyond, here));
        assert!(taken.next.is_none());
        assert!(nodes.tell(&graph, node).is_none());
        assert_eq!(nodes.take(NodeNumber::new(entered.seat, east)), Some(80));
        let far_node = nodes.node(far).unwrap();
        let taken = nodes.tell(&graph, far_node).unwrap();
        assert_eq!((taken.portal, taken.through), (far, beyond));
        assert_eq!(taken.next, Some((portal, node)));
    }

    #[test]
    fn what_is_known_fits_the_portals_after_an_edit() {
        let mut map = CostMap::open(40, 10).unwrap();
        let mut graph = PortalGraph::new(&map);
        let mut nodes = Nodes::new(map.extent());
        let (here, east) = (Sector::new(1, 0), PortalSlot::new(Side::East, 0));
        let seat = nodes.seat(&graph, here);
        nodes.end_at(seat, east, 30);
        nodes.end_at(seat, PortalSlot::new(Side::West, 0), 20);
        let wall = Rect::new(9, 0, 1, 5);
        map.edit(wall, Cost::WALL).unwrap();
        let changed = map.extent().locate(Cell::new(9, 0)).0;
        graph.repair(&map, &[changed]);
        for sector in [Sector::new(0, 0), here] {
            nodes.refit(&graph, sector);
        }
        assert_eq!(known(&nodes), [(east.id(here), 30)]);
        assert_eq!(nodes.take(NodeNumber::new(seat, east)), Some(30));
        nodes.clear();
        assert!(!nodes.has_seen(here) && known(&nodes).is_empty());
    }
}
