//! The nearest cell of each of several islands, in one outward search.
//!
//! To search for thousands of islands one by one would visit the same sectors
//! thousands of times. So one search serves all: it visits sectors outward from
//! the given cell, and keeps each island's nearest cell so far. An island is
//! reported once no remaining sector can hold a nearer cell. So islands are
//! reported in the order of their distance, independent of their labels.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::island::Island;
use super::outlook::SeenCell;
use super::partition::Islands;
use super::rings::Rings;
use crate::budget::{LOOK_WORK, TILE_WORK};
use crate::cost::CostMap;
use crate::grid::{Cell, Extent};

/// A search for the cell of each island that is nearest to `from`; see the
/// module.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    from: Cell,
    rings: Rings,
    /// By island.
    sought: Vec<SoughtIsland>,
    /// The nearest cells seen, with an index into `sought`. Entries that are no
    /// longer the nearest are skipped.
    seen: BinaryHeap<Reverse<(SeenCell, u32)>>,
    /// The number of islands not reported yet.
    open: usize,
}

/// An island whose nearest cell is wanted.
#[derive(Clone, Copy, Debug)]
struct SoughtIsland {
    island: Island,
    /// A cell of the island, which identifies it when labels change.
    member: Cell,
    best: Option<SeenCell>,
    reported: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStep {
    /// The nearest cell of an island.
    Found(Island, Cell),
    /// The work done in this step; the search goes on.
    Working(u64),
    /// All islands that can be found have been reported.
    Finished,
}

impl Nearest {
    /// Begins a search for the nearest cells of these islands, each given with
    /// one of its cells.
    pub(crate) fn new(extent: Extent, from: Cell, mut islands: Vec<(Island, Cell)>) -> Self {
        islands.sort_unstable();
        islands.dedup_by_key(|&mut (island, _)| island);
        let sought: Vec<SoughtIsland> = islands
            .into_iter()
            .map(|(island, member)| SoughtIsland {
                island,
                member,
                best: None,
                reported: false,
            })
            .collect();
        Self {
            from,
            rings: Rings::new(extent.sector(extent.locate(from).0)),
            seen: BinaryHeap::new(),
            open: sought.len(),
            sought,
        }
    }

    /// Whether any sector has been visited.
    pub(crate) const fn is_begun(&self) -> bool {
        self.rings.is_begun()
    }

    /// Returns the islands not reported yet, each with the nearest cell seen so
    /// far.
    pub(crate) fn sought(&self) -> impl Iterator<Item = (Island, Option<SeenCell>)> {
        self.sought
            .iter()
            .filter(|sought| !sought.reported)
            .map(|sought| (sought.island, sought.best))
    }

    /// Visits the next sector, or reports an island.
    pub(crate) fn step(&mut self, islands: &Islands, costs: &CostMap) -> SearchStep {
        let bound = self.rings.price();
        while let Some(&Reverse((seen, index))) = self.seen.peek() {
            if seen.price() >= bound && self.rings.is_left(costs.extent()) {
                break;
            }
            self.seen.pop();
            let sought = &mut self.sought[index as usize];
            if !sought.reported && sought.best == Some(seen) {
                sought.reported = true;
                self.open -= 1;
                return SearchStep::Found(sought.island, seen.cell);
            }
        }
        if self.open == 0 {
            return SearchStep::Finished;
        }
        let Some(sector) = self.rings.next(costs.extent()) else {
            return SearchStep::Finished;
        };
        let (sought, heap) = (&mut self.sought, &mut self.seen);
        if !islands.any_in(sector, |island| find(sought, island).is_some()) {
            return SearchStep::Working(LOOK_WORK);
        }
        islands.see(costs, sector, self.from, |island, seen| {
            if let Some(index) = find(sought, island)
                && sought[index].best.is_none_or(|best| seen < best)
            {
                sought[index].best = Some(seen);
                heap.push(Reverse((seen, index as u32)));
            }
        });
        SearchStep::Working(TILE_WORK)
    }

    /// Adapts to a change of the map: relabels the islands, and drops those
    /// that are not `wanted` any more. Returns whether the search is intact: no
    /// island is gone or joined with another, and none has lost its nearest
    /// cell so far. Nearer cells that have opened in visited sectors are not
    /// noticed.
    pub(crate) fn on_change(
        &mut self,
        islands: &Islands,
        costs: &CostMap,
        wanted: impl Fn(Island) -> bool,
    ) -> bool {
        let mut all_good = true;
        self.sought.retain_mut(|sought| {
            if sought.reported {
                return false;
            }
            let island = islands.of(costs, sought.member);
            let Some(island) = island.filter(|&island| wanted(island)) else {
                all_good = false;
                return false;
            };
            sought.island = island;
            let best = sought
                .best
                .filter(|best| islands.of(costs, best.cell) == Some(island));
            all_good &= best == sought.best;
            sought.best = best;
            true
        });
        // Of islands that are joined now, the nearest cell counts.
        let key = |sought: &SoughtIsland| (sought.island, sought.best.is_none(), sought.best);
        self.sought.sort_by_key(key);
        let before = self.sought.len();
        self.sought.dedup_by_key(|sought| sought.island);
        self.open = self.sought.len();
        self.seen = self
            .sought
            .iter()
            .zip(0..)
            .filter_map(|(sought, index)| Some(Reverse((sought.best?, index))))
            .collect();
        all_good && before == self.open
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sought.capacity() * size_of::<SoughtIsland>()
            + self.seen.capacity() * size_of::<Reverse<(SeenCell, u32)>>()
    }
}

/// Returns the index of an island that is not reported yet.
fn find(sought: &[SoughtIsland], island: Island) -> Option<usize> {
    let found = sought.binary_search_by_key(&island, |sought| sought.island);
    found.ok().filter(|&index| !sought[index].reported)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cost::Cost;
    use crate::draws::draws;
    use crate::grid::CellRect;
    use crate::portal::PortalGraph;

    /// The plain reference: one island at a time, over the whole map.
    fn nearest(islands: &Islands, costs: &CostMap, from: Cell, island: Island) -> Option<Cell> {
        let seen = CellRect::new(0, 0, costs.width(), costs.height())
            .cells()
            .filter(|&cell| islands.of(costs, cell) == Some(island))
            .map(|cell| SeenCell::from(costs.extent(), from, cell));
        seen.min().map(|seen| seen.cell)
    }

    #[test]
    fn joint_nearest_search_equals_single_searches() {
        let mut draw = draws(11);
        let mut reported = 0;
        for (width, height) in [(1, 1), (9, 33), (64, 41), (137, 12)] {
            for walls in [0, 20, 45, 60] {
                let mut costs = CostMap::open(width, height).unwrap();
                let all: Vec<Cell> = CellRect::new(0, 0, width, height).cells().collect();
                for &cell in all.iter().filter(|_| draw(100) < walls) {
                    costs.edit(cell, Cost::WALL).unwrap();
                }
                let islands = Islands::new(&costs, &PortalGraph::new(&costs));
                let from = Cell::new(draw(width) as i32, draw(height) as i32);
                let wanted: Vec<_> = all
                    .iter()
                    .filter_map(|&cell| Some((islands.of(&costs, cell)?, cell)))
                    .filter(|_| draw(3) == 0)
                    .collect();
                let each: BTreeSet<Island> = wanted.iter().map(|&(island, _)| island).collect();
                let mut expected: Vec<_> = each
                    .iter()
                    .map(|&island| {
                        let cell = nearest(&islands, &costs, from, island).unwrap();
                        (SeenCell::from(costs.extent(), from, cell), island)
                    })
                    .collect();
                expected.sort_unstable();
                let mut search = Nearest::new(costs.extent(), from, wanted);
                let mut found = Vec::new();
                loop {
                    match search.step(&islands, &costs) {
                        SearchStep::Found(island, cell) => {
                            found.push((SeenCell::from(costs.extent(), from, cell), island));
                        }
                        SearchStep::Working(cells) => assert!((1..=TILE_WORK).contains(&cells)),
                        SearchStep::Finished => break,
                    }
                }
                reported += found.len();
                assert_eq!(found, expected, "{walls} walls, from {from}");
            }
        }
        assert!(reported > 300, "{reported}");
    }

    #[test]
    fn nearest_search_continues_over_map_changes() {
        // A strip cut in three, searched from the west.
        let mut costs = CostMap::open(90, 1).unwrap();
        for x in [20, 50] {
            costs.edit(Cell::new(x, 0), Cost::WALL).unwrap();
        }
        let derive = |costs: &CostMap| Islands::new(costs, &PortalGraph::new(costs));
        let islands = derive(&costs);
        let members = [5, 30, 60].map(|x| Cell::new(x, 0));
        let wanted = members.map(|cell| (islands.of(&costs, cell).unwrap(), cell));
        let mut search = Nearest::new(costs.extent(), Cell::new(0, 0), wanted.to_vec());
        let next = |search: &mut Nearest, islands: &Islands, costs: &CostMap| loop {
            match search.step(islands, costs) {
                SearchStep::Found(_, cell) => return Some(cell.x),
                SearchStep::Working(_) => {}
                SearchStep::Finished => return None,
            }
        };
        assert_eq!(next(&mut search, &islands, &costs), Some(0));
        assert!(search.on_change(&islands, &costs, |_| true), "nothing has");
        // The two islands left are joined, and have one nearest cell.
        costs.edit(Cell::new(50, 0), Cost::OPEN).unwrap();
        let islands = derive(&costs);
        assert!(!search.on_change(&islands, &costs, |_| true));
        assert_eq!(next(&mut search, &islands, &costs), Some(21));
        assert_eq!(next(&mut search, &islands, &costs), None);
        // Islands that are not wanted any more, or have lost their member, are
        // not reported.
        let mut search = Nearest::new(costs.extent(), Cell::new(0, 0), wanted.to_vec());
        let home = islands.of(&costs, members[0]);
        assert!(!search.on_change(&islands, &costs, |island| Some(island) != home));
        assert_eq!(search.sought().count(), 1);
        costs.edit(members[1], Cost::WALL).unwrap();
        costs.edit(members[2], Cost::WALL).unwrap();
        assert!(!search.on_change(&derive(&costs), &costs, |_| true));
        assert_eq!(next(&mut search, &islands, &costs), None);
    }
}
