//! What a search knows of the portals it has come to.

use super::search::Step;
use super::target::TargetId;
use crate::grid::{Extent, Sector};
use crate::portal::{BORDER_PORTALS, PortalId, Side};

/// Sectors of one page along each side.
const PAGE_SIDE: u32 = 4;
const PAGE_SECTORS: u32 = PAGE_SIDE * PAGE_SIDE;
const NO_PAGE: u32 = u32::MAX;

/// What is known of a portal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Price of the best way known to a goal.
    pub(super) cost: u64,
    /// The next step of that way.
    pub(super) next: Step,
    /// Which of its two sectors that way goes through.
    pub(super) side: u8,
}

const BLANK: Node = Node {
    cost: u64::MAX,
    next: Step::GOAL,
    side: 0,
};

/// What is known of a sector: the portals on the two borders that it owns, and
/// whether cells in it are looked for. A bit each says of which portals
/// anything is known, and so which nodes mean something.
#[derive(Clone, Copy, Debug)]
struct Block {
    known: u16,
    taken: u16,
    told: u16,
    target: TargetId,
    /// The first place that the sector owns: says which sector it is.
    first: PortalId,
    /// Where the blocks of the sectors around are, in the order of the sides;
    /// found out when first asked for.
    beside: [Seat; 4],
    nodes: [Node; 2 * BORDER_PORTALS],
}

impl Block {
    const NEW: Self = Self {
        known: 0,
        taken: 0,
        told: 0,
        target: TargetId::NONE,
        first: PortalId::from_number(0),
        beside: [Seat::UNKNOWN; 4],
        nodes: [BLANK; 2 * BORDER_PORTALS],
    };

    /// Makes it that of a sector of which nothing is known; the nodes may stay
    /// as they are.
    const fn begin(&mut self, sector: Sector) {
        self.known = 0;
        self.taken = 0;
        self.told = 0;
        self.target = TargetId::NONE;
        self.first = PortalId::first_of(sector);
        self.beside = [Seat::UNKNOWN; 4];
    }
}

/// The nodes of one search, in pages of 4×4 sectors: only where it has been.
///
/// Made to be used again: clearing costs as much as was touched, and new pages
/// are old ones of which a few words are written.
#[derive(Debug)]
pub(super) struct Nodes {
    pages_in_row: u32,
    /// Where each page begins among the blocks.
    table: Vec<u32>,
    /// The pages there are, in the order in which they were come to.
    pages: Vec<u32>,
    /// The blocks of the pages; behind them some that are not in use.
    blocks: Vec<Block>,
}

/// Where the block of a sector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat(u32);

impl Seat {
    const UNKNOWN: Self = Self(u32::MAX);
}

/// A portal by where its node is: the seat, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    const LOCAL_BITS: u32 = 4;

    #[inline]
    pub(super) const fn new(seat: Seat, local: usize) -> Self {
        Self(seat.0 << Self::LOCAL_BITS | local as u32)
    }

    #[inline]
    pub(super) const fn seat(self) -> Seat {
        Seat(self.0 >> Self::LOCAL_BITS)
    }

    #[inline]
    pub(super) const fn local(self) -> usize {
        (self.0 & ((1 << Self::LOCAL_BITS) - 1)) as usize
    }
}

impl Nodes {
    pub(super) fn new(extent: Extent) -> Self {
        let pages_in_row = (extent.columns() as u32).div_ceil(PAGE_SIDE);
        let rows = (extent.rows() as u32).div_ceil(PAGE_SIDE);
        Self {
            pages_in_row,
            table: vec![NO_PAGE; pages_in_row as usize * rows as usize],
            pages: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// No nodes, and no room for any.
    pub(super) const fn none() -> Self {
        Self {
            pages_in_row: 0,
            table: Vec::new(),
            pages: Vec::new(),
            blocks: Vec::new(),
        }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.pages_in_row == 0
    }

    /// Forgets all, and keeps the room.
    pub(super) fn clear(&mut self) {
        for page in self.pages.drain(..) {
            self.table[page as usize] = NO_PAGE;
        }
    }

    const fn place(&self, sector: Sector) -> (usize, u32) {
        let (x, y) = (sector.x as u32, sector.y as u32);
        (
            (y / PAGE_SIDE * self.pages_in_row + x / PAGE_SIDE) as usize,
            y % PAGE_SIDE * PAGE_SIDE + x % PAGE_SIDE,
        )
    }

    /// Where a sector's block is, to be written to.
    pub(super) fn seat(&mut self, sector: Sector) -> Seat {
        let (page, within) = self.place(sector);
        let first = match self.table[page] {
            NO_PAGE => self.add(page),
            first => first,
        };
        Seat(first + within)
    }

    /// Where the block of the sector on one side is. That sector must be on
    /// the map.
    #[inline]
    pub(super) fn beside(&mut self, seat: Seat, side: Side) -> Seat {
        match self.blocks[seat.0 as usize].beside[side as usize] {
            Seat::UNKNOWN => self.find_beside(seat, side),
            beside => beside,
        }
    }

    #[cold]
    fn find_beside(&mut self, seat: Seat, side: Side) -> Seat {
        let beside = self.seat(side.beyond(self.sector(seat)));
        self.blocks[seat.0 as usize].beside[side as usize] = beside;
        beside
    }

    #[cold]
    fn add(&mut self, page: usize) -> u32 {
        let first = self.pages.len() as u32 * PAGE_SECTORS;
        let end = (first + PAGE_SECTORS) as usize;
        if self.blocks.len() < end {
            self.blocks.resize(end, Block::NEW);
        }
        let corner = self.corner(page as u32);
        let blocks = &mut self.blocks[first as usize..end];
        for (block, within) in blocks.iter_mut().zip(0_i32..) {
            let side = PAGE_SIDE as i32;
            block.begin(Sector::new(
                corner.x + within % side,
                corner.y + within / side,
            ));
        }
        self.pages.push(page as u32);
        self.table[page] = first;
        first
    }

    /// The first sector of a page.
    const fn corner(&self, page: u32) -> Sector {
        Sector::new(
            (page % self.pages_in_row * PAGE_SIDE) as i32,
            (page / self.pages_in_row * PAGE_SIDE) as i32,
        )
    }

    /// The sector that has a seat.
    #[inline]
    pub(super) fn sector(&self, seat: Seat) -> Sector {
        self.blocks[seat.0 as usize].first.owner()
    }

    /// The portal that has a node.
    #[inline]
    pub(super) fn portal(&self, id: NodeId) -> PortalId {
        self.blocks[id.seat().0 as usize].first.beside(id.local())
    }

    /// Notes a way from a portal, if it is the best so far and the portal is
    /// not taken.
    #[inline(always)]
    pub(super) fn improve(&mut self, id: NodeId, node: Node) -> bool {
        let local = id.local();
        let block = &mut self.blocks[id.seat().0 as usize];
        let bit = 1 << local;
        let slot = &mut block.nodes[local];
        if block.known & bit != 0 && (slot.cost <= node.cost || block.taken & bit != 0) {
            return false;
        }
        block.known |= bit;
        *slot = node;
        true
    }

    /// Takes a portal that is known; `None` if it has been taken.
    #[inline]
    pub(super) fn take(&mut self, id: NodeId) -> Option<Node> {
        let (block, local) = (&mut self.blocks[id.seat().0 as usize], id.local());
        let before = block.taken;
        block.taken |= 1 << local;
        (before != block.taken).then(|| block.nodes[local])
    }

    fn block(&self, sector: Sector) -> Option<&Block> {
        let (page, within) = self.place(sector);
        match self.table[page] {
            NO_PAGE => None,
            first => Some(&self.blocks[(first + within) as usize]),
        }
    }

    /// A portal that has been taken.
    pub(super) fn taken(&self, id: PortalId) -> Option<&Node> {
        let block = self.block(id.owner())?;
        (block.taken >> id.local() & 1 == 1).then(|| &block.nodes[id.local()])
    }

    /// Whether anything is known of the portals that a sector owns.
    pub(super) fn has_seen(&self, sector: Sector) -> bool {
        self.block(sector).is_some_and(|block| block.known != 0)
    }

    /// The portals that are known and not taken.
    pub(super) fn frontier(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let used = self.pages.len() * PAGE_SECTORS as usize;
        let blocks = self.blocks[..used].iter().zip(0..);
        blocks.flat_map(|(block, seat)| {
            let locals = 0..block.nodes.len();
            let waiting = block.known & !block.taken;
            locals
                .filter(move |local| waiting >> local & 1 == 1)
                .map(move |local| (NodeId::new(Seat(seat), local), &block.nodes[local]))
        })
    }

    /// The target in a sector.
    pub(super) fn target(&self, sector: Sector) -> TargetId {
        self.block(sector)
            .map_or(TargetId::NONE, |block| block.target)
    }

    pub(super) fn set_target(&mut self, sector: Sector, target: TargetId) {
        let Seat(seat) = self.seat(sector);
        self.blocks[seat as usize].target = target;
    }

    /// Begins to tell portals anew; see [`tell`](Self::tell).
    pub(super) fn untell(&mut self) {
        let used = self.pages.len() * PAGE_SECTORS as usize;
        for block in &mut self.blocks[..used] {
            block.told = 0;
        }
    }

    /// A taken portal, the first time it is asked for.
    pub(super) fn tell(&mut self, id: PortalId) -> Option<Node> {
        let Seat(seat) = self.seat(id.owner());
        let (block, local) = (&mut self.blocks[seat as usize], id.local());
        let before = block.told;
        block.told |= 1 << local;
        (before != block.told).then(|| block.nodes[local])
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.capacity() * size_of::<u32>()
            + self.pages.capacity() * size_of::<u32>()
            + self.blocks.capacity() * size_of::<Block>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(cost: u64) -> Node {
        Node { cost, ..BLANK }
    }

    #[test]
    fn a_taken_portal_stays_as_it_is_and_leaves_the_frontier() {
        let mut nodes = Nodes::new(Extent::new(1000, 70).unwrap());
        let sector = Sector::new(99, 5);
        let at = |nodes: &mut Nodes, local| NodeId::new(nodes.seat(sector), local);
        let (three, seven) = (at(&mut nodes, 3), at(&mut nodes, 7));
        assert!(!nodes.has_seen(sector));
        assert!(nodes.improve(three, node(10)));
        assert!(!nodes.improve(three, node(10)));
        assert!(nodes.improve(three, node(9)));
        assert!(nodes.improve(seven, node(4)));
        let id = PortalId::owned(sector, 3);
        assert_eq!(nodes.portal(three), id);
        assert!(nodes.taken(id).is_none());
        assert_eq!(nodes.take(three).unwrap().cost, 9);
        assert!(nodes.take(three).is_none());
        assert!(!nodes.improve(three, node(1)));
        let left: Vec<NodeId> = nodes.frontier().map(|(id, _)| id).collect();
        assert_eq!(left, [seven]);
    }

    #[test]
    fn the_seats_beside_are_those_of_the_neighbours() {
        let mut nodes = Nodes::new(Extent::new(400, 400).unwrap());
        for (x, y) in [(5, 5), (4, 4), (7, 7), (3, 8)] {
            let seat = nodes.seat(Sector::new(x, y));
            for _ in 0..2 {
                for side in Side::ALL {
                    let beside = side.beyond(Sector::new(x, y));
                    let found = nodes.beside(seat, side);
                    assert_eq!(nodes.sector(found), beside);
                    assert_eq!(found, nodes.seat(beside));
                }
            }
        }
    }

    #[test]
    fn cleared_nodes_know_nothing_and_take_no_more_room() {
        let mut nodes = Nodes::new(Extent::new(400, 400).unwrap());
        for round in 0..3 {
            for sector in [Sector::new(39, 39), Sector::new(0, 0), Sector::new(7, 20)] {
                assert!(!nodes.has_seen(sector), "round {round}");
                assert_eq!(nodes.target(sector), TargetId::NONE);
                let id = NodeId::new(nodes.seat(sector), 0);
                assert!(nodes.improve(id, node(5)));
                assert!(nodes.take(id).is_some());
            }
            assert_eq!(nodes.blocks.len(), 3 * 16);
            nodes.clear();
        }
    }
}
