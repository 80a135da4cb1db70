//! Islands: which cells can reach each other.
//!
//! A diagonal step needs both cells beside it open, so whatever is joined by
//! steps is joined by straight steps. The open cells of a sector fall into
//! *pockets*, joined inside the sector; pockets are joined by the windows of
//! its borders into islands. Two cells can reach each other just if their
//! pockets are of one island: a look-up, whatever the size of the map.

use petgraph::unionfind::UnionFind;

use super::graph::PortalGraph;
use crate::cost::CostMap;
use crate::grid::{Cell, Extent, SECTOR_CELLS, SECTOR_SIDE, SectorId, Slot};

/// The number of an island. It says "same or not", no more: it changes with
/// edits anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Island(u32);

/// The pockets of one sector.
#[derive(Clone, Debug)]
enum Pockets {
    /// No open cell.
    None,
    /// All open cells are joined.
    One(Island),
    /// Several; boxed since few sectors have it.
    Several(Box<Several>),
}

#[derive(Clone, Debug)]
struct Several {
    /// The pocket of each slot; of no meaning for walls.
    pocket: [u8; SECTOR_CELLS],
    /// The island of each pocket.
    islands: Vec<Island>,
}

/// The island of every open cell of a map.
#[derive(Clone, Debug)]
pub(crate) struct Islands {
    extent: Extent,
    sectors: Vec<Pockets>,
    count: usize,
}

impl Islands {
    pub(crate) fn new(costs: &CostMap, graph: &PortalGraph) -> Self {
        let extent = costs.extent();
        let mut islands = Self {
            extent,
            sectors: vec![Pockets::None; extent.sector_count()],
            count: 0,
        };
        for sector in extent.sectors() {
            islands.sectors[sector.index()] = pockets(costs, sector);
        }
        islands.join(graph);
        islands
    }

    /// Derives anew what the costs of `changed` sectors decide.
    pub(crate) fn repair(&mut self, costs: &CostMap, graph: &PortalGraph, changed: &[SectorId]) {
        for &sector in changed {
            self.sectors[sector.index()] = pockets(costs, sector);
        }
        self.join(graph);
    }

    /// Numbers the islands: pockets joined by windows, in order of their first
    /// pocket.
    fn join(&mut self, graph: &PortalGraph) {
        let mut first = Vec::with_capacity(self.sectors.len());
        let mut total = 0_u32;
        for pockets in &self.sectors {
            first.push(total);
            total += pockets.count();
        }
        let mut joined = UnionFind::<u32>::new(total as usize);
        for portal in graph.portals() {
            let [a, b] = portal.gates.map(|gate| {
                let (sector, slot) = self.extent.locate(gate);
                first[sector.index()] + self.sectors[sector.index()].pocket(slot)
            });
            joined.union(a, b);
        }
        let mut numbers = vec![u32::MAX; total as usize];
        let mut count = 0;
        for (pockets, &first) in self.sectors.iter_mut().zip(&first) {
            for pocket in 0..pockets.count() {
                let number = &mut numbers[joined.find_mut(first + pocket) as usize];
                if *number == u32::MAX {
                    *number = count;
                    count += 1;
                }
                pockets.set_island(pocket, Island(*number));
            }
        }
        self.count = count as usize;
    }

    /// How many islands there are.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The island of a cell; `None` for walls and off the map.
    pub(crate) fn of(&self, costs: &CostMap, cell: Cell) -> Option<Island> {
        if !self.extent.contains(cell) {
            return None;
        }
        let (sector, slot) = self.extent.locate(cell);
        if costs.tile(sector).is_wall(slot) {
            return None;
        }
        self.sectors[sector.index()].island(slot)
    }

    /// The open cell nearest to `from` whose island is `wanted`: by the price
    /// of the way over open ground, among equals the one first in the map's
    /// rows. Sectors are looked through in rings, so the work grows with the
    /// distance.
    pub(crate) fn nearest(
        &self,
        costs: &CostMap,
        from: Cell,
        wanted: impl Fn(Island) -> bool,
    ) -> Option<Cell> {
        let origin = self.extent.sector(self.extent.locate(from).0);
        let mut best: Option<(u64, u32, Cell)> = None;
        for ring in 0..self.extent.columns().max(self.extent.rows()) {
            // A cell of this ring is at least so many columns or rows away.
            let away = ((ring - 1) * SECTOR_SIDE + 1).max(0) as u32;
            if best.is_some_and(|(price, ..)| crate::wave::octile(away, 0) > price) {
                break;
            }
            for (x, y) in ring_of(ring) {
                let place = crate::grid::Sector::new(origin.x + x, origin.y + y);
                let Some(sector) = self.extent.sector_id(place) else {
                    continue;
                };
                if self.sectors[sector.index()].any(&wanted) {
                    self.nearest_in(costs, sector, from, &wanted, &mut best);
                }
            }
        }
        best.map(|(.., cell)| cell)
    }

    fn nearest_in(
        &self,
        costs: &CostMap,
        sector: SectorId,
        from: Cell,
        wanted: &impl Fn(Island) -> bool,
        best: &mut Option<(u64, u32, Cell)>,
    ) {
        for slot in Slot::all() {
            let cell = self.extent.cell_at(sector, slot);
            if self.of(costs, cell).is_some_and(wanted) {
                let (dx, dy) = (cell.x.abs_diff(from.x), cell.y.abs_diff(from.y));
                let found = (crate::wave::octile(dx, dy), self.extent.cell_id(cell), cell);
                if best.is_none_or(|best| found < best) {
                    *best = Some(found);
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let several: usize = self.sectors.iter().map(Pockets::bytes).sum();
        self.sectors.capacity() * size_of::<Pockets>() + several
    }
}

impl Pockets {
    const fn count(&self) -> u32 {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Several(several) => several.islands.len() as u32,
        }
    }

    /// The pocket of an open slot.
    fn pocket(&self, slot: Slot) -> u32 {
        match self {
            Self::None | Self::One(_) => 0,
            Self::Several(several) => u32::from(several.pocket[slot.index()]),
        }
    }

    /// The island of an open slot.
    fn island(&self, slot: Slot) -> Option<Island> {
        match self {
            Self::None => None,
            Self::One(island) => Some(*island),
            Self::Several(several) => {
                Some(several.islands[usize::from(several.pocket[slot.index()])])
            }
        }
    }

    fn set_island(&mut self, pocket: u32, number: Island) {
        match self {
            Self::None => {}
            Self::One(island) => *island = number,
            Self::Several(several) => several.islands[pocket as usize] = number,
        }
    }

    fn any(&self, wanted: &impl Fn(Island) -> bool) -> bool {
        match self {
            Self::None => false,
            Self::One(island) => wanted(*island),
            Self::Several(several) => several.islands.iter().any(|&island| wanted(island)),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::None | Self::One(_) => 0,
            Self::Several(several) => {
                size_of::<Several>() + several.islands.capacity() * size_of::<Island>()
            }
        }
    }
}

/// The pockets of a sector, in order of their first slot, islands not yet
/// numbered.
fn pockets(costs: &CostMap, sector: SectorId) -> Pockets {
    let tile = costs.tile(sector);
    let unnumbered = Island(0);
    if tile.is_closed() {
        return Pockets::None;
    }
    if tile.is_clear() {
        return Pockets::One(unnumbered);
    }
    let mut open = tile
        .costs()
        .iter()
        .enumerate()
        .fold(0_u128, |open, (slot, _)| {
            open | u128::from(!tile.is_wall(slot_at(slot))) << slot
        });
    let first = flood(open);
    if first == open {
        return Pockets::One(unnumbered);
    }
    let mut several = Several {
        pocket: [u8::MAX; SECTOR_CELLS],
        islands: Vec::new(),
    };
    while open != 0 {
        let pocket = flood(open);
        open &= !pocket;
        let number = several.islands.len() as u8;
        for (slot, of) in several.pocket.iter_mut().enumerate() {
            if pocket >> slot & 1 == 1 {
                *of = number;
            }
        }
        several.islands.push(unnumbered);
    }
    Pockets::Several(Box::new(several))
}

fn slot_at(index: usize) -> Slot {
    Slot::at(index as i32 % SECTOR_SIDE, index as i32 / SECTOR_SIDE)
}

/// The cells joined to the first of `open`, a bit a slot.
const fn flood(open: u128) -> u128 {
    const ROW: u32 = SECTOR_SIDE as u32;
    const WEST_COLUMN: u128 = {
        let mut column = 0;
        let mut y = 0;
        while y < ROW {
            column |= 1 << (y * ROW);
            y += 1;
        }
        column
    };
    let mut reached = open & open.wrapping_neg();
    loop {
        let east = (reached << 1) & !WEST_COLUMN;
        let west = (reached & !WEST_COLUMN) >> 1;
        let grown = (reached | east | west | reached << ROW | reached >> ROW) & open;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// The offsets of the sectors at Chebyshev distance `ring`.
fn ring_of(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |y| {
        let step = if y.abs() == ring {
            1
        } else {
            (2 * ring).max(1)
        };
        (-ring..=ring).step_by(step as usize).map(move |x| (x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_whole_and_hold_each_sector_once() {
        for ring in 0..4 {
            let mut found: Vec<_> = ring_of(ring).collect();
            assert!(found.iter().all(|(x, y)| x.abs().max(y.abs()) == ring));
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), if ring == 0 { 1 } else { 8 * ring as usize });
        }
    }

    #[test]
    fn a_flood_stops_at_walls_and_edges() {
        let open = (1 << 100) - 1_u128;
        assert_eq!(flood(open), open);
        let column_5: u128 = (0..10).map(|y| 1 << (y * 10 + 5)).sum();
        let west: u128 = (0..10).map(|y| 0b11111 << (y * 10)).sum();
        assert_eq!(flood(open & !column_5), west);
    }
}
