//! The portals that a search has reached, with their costs.

use super::target::TargetId;
use crate::grid::{Extent, Sector, SectorBounds, SectorPages};
use crate::portal::{PackedGate, PortalGraph, PortalId, PortalSlot, PortalSlots, Side, TableEntry};

/// The cost of an unknown path.
const UNKNOWN: u64 = 1 << 62;

/// The number of sectors whose report marks are cleared at once.
const AT_ONCE: u32 = 64;

/// From this many sectors on, memory is reserved for `MORE` times as many, up
/// to the sectors of the map. Moving tens of thousands in the middle of a tick
/// would take milliseconds.
const MANY: usize = 4096;
const MORE: usize = 64;

/// A sector's part of the search: for each portal around the sector the cost of
/// the best path through the sector, and whether the portal is taken.
///
/// A portal has two sectors, and so two costs: of the best path through one
/// sector, and of that through the other. The search takes the portal at the
/// lower cost, and continues into the other sector: it has *entered* that
/// sector.
///
/// A block is as large as a cache line, and aligned to one.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    sector: Sector,
    /// The portals around the sector; a portal's lane is its rank among them.
    portal_slots: PortalSlots,
    /// The index of its first cost, and the number of its costs.
    costs: u32,
    lanes: u32,
    /// Portals taken with a path through this sector.
    through: PortalSlots,
    /// Portals taken with a path through the sector beyond.
    entered: PortalSlots,
    /// Portals whose path through this sector ends in it, at a goal.
    ending: PortalSlots,
    reported: PortalSlots,
    target: TargetId,
    /// The seats of the neighbouring sectors, in the order of the sides; found
    /// when first needed.
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

    /// Returns the range of the block's costs.
    #[inline]
    const fn places(&self) -> std::ops::Range<usize> {
        let first = self.costs as usize;
        first..first + self.lanes as usize
    }
}

/// The nodes of one search: only where it has been.
///
/// Made for reuse: clearing takes time in proportion to what was touched.
#[derive(Debug)]
pub(super) struct Nodes {
    seats: SectorPages<Seat>,
    blocks: Vec<Block>,
    /// The costs of all blocks, one for each lane. A lane without a portal
    /// costs 0, so that no path ever improves it.
    costs: Vec<u64>,
    /// A rectangle around the sectors of all blocks.
    bounds: SectorBounds,
    /// The number of sectors of the map.
    sectors_max: usize,
}

/// The index of a sector's block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat(u32);

impl Seat {
    const UNKNOWN: Self = Self(u32::MAX);
}

/// A portal as seen from one of its sectors: the seat, and the portal slot
/// there.
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

/// A sector just entered, by the portal in this lane.
#[derive(Clone, Copy)]
pub(super) struct Entered {
    pub(super) seat: Seat,
    pub(super) sector: Sector,
    pub(super) lanes: usize,
    pub(super) lane: usize,
}

/// A portal at the time it was taken.
pub(super) struct Taken {
    pub(super) portal: PortalId,
    pub(super) cost: u64,
    /// The sector that its path comes from, and the sector that it leads
    /// through.
    pub(super) from: Sector,
    pub(super) through: Sector,
    /// The portal by which the path leaves that sector; `None` where it ends.
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

    /// Makes empty nodes, without memory for any.
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

    /// Removes all nodes, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.seats.clear();
        self.blocks.clear();
        self.costs.clear();
        self.bounds = SectorBounds::NONE;
    }

    /// Returns the seat of a sector for writing; adds its block if there is
    /// none.
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
            self.reserve_more();
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
            reported: PortalSlots::NONE,
            target: TargetId::NONE,
            beside: [Seat::UNKNOWN; 4],
        });
        self.add_costs(portal_slots);
        *self.seats.get_mut(sector) = seat;
        seat
    }

    /// Reserves memory for further sectors, and for their costs, at the same
    /// number per sector as so far.
    #[cold]
    fn reserve_more(&mut self) {
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

    /// Adapts to a sector's present portals: keeps what is known of those that
    /// still exist.
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
            &mut block.reported,
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

    /// Returns the seat of the neighbouring sector on one side. That sector
    /// must be on the map.
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

    /// Returns the sector of a seat.
    #[inline]
    pub(super) fn sector(&self, seat: Seat) -> Sector {
        self.blocks[seat.0 as usize].sector
    }

    /// Records the cost of a path from a portal of a sector to a goal in that
    /// sector, if it is the best so far and the portal is not taken.
    pub(super) fn end_at(&mut self, seat: Seat, portal_slot: PortalSlot, cost: u64) {
        let block = &mut self.blocks[seat.0 as usize];
        let known = &mut self.costs[block.place(portal_slot)];
        if cost < *known && !block.taken().has(portal_slot) {
            *known = cost;
            block.ending = block.ending.with(portal_slot);
        }
    }

    /// Takes a portal with its known path through a sector; returns its cost,
    /// `None` if it was taken before.
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

    /// Improves the costs of the portals around a sector by paths that lead on
    /// from where it was entered. Calls `visit` with the gate and the new cost
    /// of each portal that improves.
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

    /// Returns the cost from a portal that has been taken.
    pub(super) fn cost(&self, id: PortalId) -> Option<u64> {
        let node = self.node(id)?;
        let block = &self.blocks[node.seat().0 as usize];
        Some(self.costs[block.place(node.portal_slot())])
    }

    /// Returns a portal that has been taken, as seen from the sector that its
    /// path leads through.
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

    /// Returns the portal by which a path leaves the sector that it leads
    /// through; `None` if it ends there.
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
        let paths = block.entered.filter_map(|exit| {
            let on = self.costs[block.place(exit)];
            let walk = u64::from(links.walk(portal_slot, exit)?);
            (on < cost || on == cost && walk == 0).then_some((on + walk, exit))
        });
        // The walk that led to the cost; after an edit, the best remaining one.
        // Two portals whose own cells are the same corner cell may have equal
        // costs. They never come twice in a row, so a path has an end.
        paths.min().map(|(_, exit)| exit)
    }

    /// Whether a sector lies in the rectangle around all sectors read, or just
    /// beside it.
    pub(super) const fn may_be_beside(&self, sector: Sector) -> bool {
        self.bounds.is_near(sector)
    }

    /// Whether a sector was read.
    pub(super) fn has_seen(&self, sector: Sector) -> bool {
        self.block(sector).is_some()
    }

    /// Returns the number of known sectors.
    pub(super) const fn seats(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// Returns the portals of the sector with this number that are known and
    /// not taken, with their costs.
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

    /// Returns the portals taken and their costs, sector by sector, in the
    /// order in which the search reached the sectors.
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

    /// Returns the target in a sector.
    pub(super) fn target(&self, sector: Sector) -> TargetId {
        self.block(sector)
            .map_or(TargetId::NONE, |block| block.target)
    }

    pub(super) fn set_target(&mut self, graph: &PortalGraph, sector: Sector, target: TargetId) {
        let Seat(seat) = self.seat(graph, sector);
        self.blocks[seat as usize].target = target;
    }

    /// Clears the report marks of some sectors, from the one with this number
    /// on; returns the number of the next sector. See [`report`](Self::report).
    pub(super) fn clear_reported(&mut self, first: u32) -> u32 {
        let end = self.seats().min(first + AT_ONCE);
        for block in &mut self.blocks[first as usize..end as usize] {
            block.reported = PortalSlots::NONE;
        }
        end
    }

    /// Returns a taken portal and how its path continues, when it is first
    /// asked for; `None` later.
    pub(super) fn report(&mut self, graph: &PortalGraph, node: NodeNumber) -> Option<Taken> {
        let (seat, portal_slot) = (node.seat().0 as usize, node.portal_slot());
        let block = &mut self.blocks[seat];
        if block.reported.has(portal_slot) {
            return None;
        }
        block.reported = block.reported.with(portal_slot);
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

    /// Reserved memory that was never written to is not counted: the system has
    /// not provided it yet.
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
        let taken = nodes.report(&graph, node).unwrap();
        assert_eq!((taken.from, taken.through), (beyond, here));
        assert!(taken.next.is_none());
        assert!(nodes.report(&graph, node).is_none());
        assert_eq!(nodes.take(NodeNumber::new(entered.seat, east)), Some(80));
        let far_node = nodes.node(far).unwrap();
        let taken = nodes.report(&graph, far_node).unwrap();
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
