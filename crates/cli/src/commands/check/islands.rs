//! Islands, and the chokes of a map: places that are one cell wide.
//!
//! A choke is an open cell between others: its open neighbours cannot all reach
//! each other within the eight cells around it. One walk around it shows that:
//!
//! ```text
//!   . # .      the open cells around the middle are two
//!   . o .      runs, each with one beside it: a choke,
//!   # # .      since no step leads from one to the other here
//! ```
//!
//! Some chokes have another way around them, further off. Closing a choke without
//! one splits its island. One depth-first walk counts the cells that this cuts
//! off, and finds the islands too. Each cell gets a number in the order of the
//! walk, and `low`, the lowest number that its subtree touches. If the subtree of
//! a child touches no cell before the parent, it is connected only through the
//! parent. Then the parent is an articulation point, and closing it cuts the
//! subtree off. The subtree has as many cells as numbers were given while it was
//! walked. (J. Hopcroft and R. Tarjan, "Efficient algorithms for graph
//! manipulation", 1973.)

use flowtiles::Cell;

use super::ground::{Id, OpenCells};

/// Cells that can reach each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Island {
    /// Its first cell, row by row.
    pub cell: Cell,
    pub cells: u32,
}

/// The islands of a map, in the order of their first cells.
pub struct Islands {
    all: Vec<Island>,
    /// For each cell the number of its island, from 1; 0 for walls.
    labels: Vec<u32>,
}

/// An open cell that is the only connection between cells beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choke {
    pub id: Id,
    /// The cells that closing it cuts off from the largest remaining part of its
    /// island; 0 if there is another way around it.
    pub cut: u32,
}

/// Adjacent chokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChokeRun {
    /// The choke that cuts off the most, the first of these row by row.
    pub cell: Cell,
    /// How many cells it cuts off.
    pub cut: u32,
    /// The number of chokes.
    pub cells: u32,
}

impl Islands {
    /// Returns the largest island, the first of several; `None` if all is wall.
    pub fn mainland(&self) -> Option<Island> {
        let largest = self.all.iter().rev().max_by_key(|island| island.cells);
        largest.copied()
    }

    /// Returns the other islands of at least `least` cells, the largest first.
    pub fn pockets(&self, least: u32) -> Vec<Island> {
        let mainland = self.mainland();
        let others = self.all.iter().copied();
        let mut pockets: Vec<Island> = others
            .filter(|island| Some(*island) != mainland && island.cells >= least)
            .collect();
        pockets.sort_by_key(|island| std::cmp::Reverse(island.cells));
        pockets
    }

    /// Returns the number of a cell's island among all; `None` for a wall.
    pub fn number(&self, id: Id) -> Option<usize> {
        (self.labels[id as usize] as usize).checked_sub(1)
    }

    /// Returns the islands in the order of their numbers.
    pub fn all(&self) -> &[Island] {
        &self.all
    }
}

/// A part of an island that is connected through one cell only.
struct CutPart {
    on: Id,
    cells: u32,
}

/// The state of the walk for each cell.
struct CellWalk<'a> {
    ground: &'a OpenCells,
    /// The number in the order of the walk, from 1; 0 for unvisited cells.
    order: Vec<u32>,
    low: Vec<u32>,
    /// The next side to visit, and above it the side from which the walk came.
    sides: Vec<u8>,
    stack: Vec<Id>,
    met: u32,
}

/// Bits of `sides` that hold the next side, up to 4.
const NEXT: u8 = 0b111;

/// Finds the islands and the chokes of a map, the latter in the order of their
/// cells.
pub fn find(ground: &OpenCells) -> (Islands, Vec<Choke>) {
    let mut walk = CellWalk {
        ground,
        order: vec![0; ground.len()],
        low: vec![0; ground.len()],
        sides: vec![0; ground.len()],
        stack: Vec::new(),
        met: 0,
    };
    let mut all = Vec::new();
    let mut starts = Vec::new();
    let mut chokes = Vec::new();
    for root in 0..ground.len() as Id {
        if !ground.is_open(root) || walk.order[root as usize] > 0 {
            continue;
        }
        let before = walk.met;
        let parts = walk.island(root);
        let cells = walk.met - before;
        starts.push(before);
        all.push(Island {
            cell: ground.cell(root),
            cells,
        });
        take_chokes(root, cells, parts, &mut chokes);
    }
    add_chokes_with_ways_around(ground, &mut chokes);
    // Islands were walked one after the other, so the order gives the island.
    let mut labels = walk.order;
    for label in &mut labels {
        if *label > 0 {
            *label = starts.partition_point(|&start| start < *label) as u32;
        }
    }
    (Islands { all, labels }, chokes)
}

impl CellWalk<'_> {
    fn meet(&mut self, id: Id, from: u8) {
        self.met += 1;
        self.order[id as usize] = self.met;
        self.low[id as usize] = self.met;
        self.sides[id as usize] = from << 4;
        self.stack.push(id);
    }

    /// Walks an island; returns the parts that are connected through single cells.
    fn island(&mut self, root: Id) -> Vec<CutPart> {
        let mut parts = Vec::new();
        self.meet(root, NEXT);
        while let Some(&id) = self.stack.last() {
            let sides = &mut self.sides[id as usize];
            let (side, from) = (*sides & NEXT, *sides >> 4);
            if side < 4 {
                *sides += 1;
                let Some(next) = self.ground.neighbour(id, side) else {
                    continue;
                };
                let met = self.order[next as usize];
                if met == 0 {
                    self.meet(next, side ^ 2);
                } else if side != from {
                    let low = &mut self.low[id as usize];
                    *low = met.min(*low);
                }
                continue;
            }
            self.stack.pop();
            if let Some(&parent) = self.stack.last() {
                let touched = self.low[id as usize];
                if touched >= self.order[parent as usize] {
                    let cells = self.met - self.order[id as usize] + 1;
                    parts.push(CutPart { on: parent, cells });
                }
                let low = &mut self.low[parent as usize];
                *low = touched.min(*low);
            }
        }
        parts
    }
}

/// Adds the chokes of an island of `cells` cells.
fn take_chokes(root: Id, cells: u32, mut parts: Vec<CutPart>, chokes: &mut Vec<Choke>) {
    parts.sort_by_key(|part| part.on);
    for parts in parts.chunk_by(|a, b| a.on == b.on) {
        let id = parts[0].on;
        let hanging: u32 = parts.iter().map(|part| part.cells).sum();
        let largest = parts.iter().map(|part| part.cells).max().unwrap_or(0);
        // All but the parts and the cell itself; nothing for the root.
        let rest = cells - 1 - hanging;
        debug_assert!(id != root || rest == 0);
        let cut = cells - 1 - largest.max(rest);
        if cut > 0 {
            chokes.push(Choke { id, cut });
        }
    }
}

/// Adds the chokes that cut nothing off, and sorts all by their cells.
fn add_chokes_with_ways_around(ground: &OpenCells, chokes: &mut Vec<Choke>) {
    chokes.sort_by_key(|choke| choke.id);
    let cutting = chokes.len();
    for id in (0..ground.len() as Id).filter(|&id| ground.is_open(id)) {
        let known = chokes[..cutting].binary_search_by_key(&id, |choke| choke.id);
        if known.is_err() && is_between(ground, id) {
            chokes.push(Choke { id, cut: 0 });
        }
    }
    chokes.sort_by_key(|choke| choke.id);
}

/// Whether the open neighbours of a cell form two or more groups that cannot
/// reach each other within the eight cells around it.
fn is_between(ground: &OpenCells, id: Id) -> bool {
    let Cell { x, y } = ground.cell(id);
    let is_open = |(dx, dy): (i32, i32)| {
        let around = ground.id(Cell::new(x + dx, y + dy));
        around.is_some_and(|id| ground.is_open(id))
    };
    // Clockwise from the north; every second cell shares a side with the cell.
    let around = [
        (0, -1),
        (1, -1),
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
    ];
    let around = around.map(is_open);
    let beside = (0..4).filter(|side| around[2 * side]).count();
    // Two successive side neighbours are joined by the corner between them.
    let joined = (0..4)
        .filter(|side| around[2 * side] && around[2 * side + 1] && around[(2 * side + 2) % 8])
        .count();
    beside > joined + 1
}

/// Joins adjacent chokes that cut off at least `least` cells, those with a way
/// around separately. Runs that cut off the most come first.
pub fn runs(ground: &OpenCells, mut chokes: Vec<Choke>, least: u32) -> Vec<ChokeRun> {
    chokes.retain(|choke| choke.cut >= least);
    let at = |id: Id| chokes.binary_search_by_key(&id, |choke| choke.id).ok();
    let mut is_taken = vec![false; chokes.len()];
    let mut runs = Vec::new();
    for first in 0..chokes.len() {
        if is_taken[first] {
            continue;
        }
        is_taken[first] = true;
        let mut members = vec![first];
        let mut next = 0;
        while next < members.len() {
            let id = chokes[members[next]].id;
            for beside in (0..4).filter_map(|side| at(ground.neighbour(id, side)?)) {
                let is_alike = (chokes[beside].cut == 0) == (chokes[first].cut == 0);
                if !is_taken[beside] && is_alike {
                    is_taken[beside] = true;
                    members.push(beside);
                }
            }
            next += 1;
        }
        let worst = members.iter().map(|&at| chokes[at]);
        let worst = worst.max_by_key(|choke| (choke.cut, std::cmp::Reverse(choke.id)));
        runs.extend(worst.map(|worst| ChokeRun {
            cell: ground.cell(worst.id),
            cut: worst.cut,
            cells: members.len() as u32,
        }));
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.cut));
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::random::Random;
    use flowtiles::{Cost, CostMap, FlowWorld};

    /// Returns the sizes of the remaining islands if a cell is closed.
    fn sizes(ground: &OpenCells, closed: Option<Id>) -> Vec<u32> {
        let mut is_met = vec![false; ground.len()];
        let mut sizes = Vec::new();
        for first in 0..ground.len() as Id {
            let mut waiting = vec![first];
            let mut cells = 0;
            while let Some(id) = waiting.pop() {
                if ground.is_open(id) && Some(id) != closed && !is_met[id as usize] {
                    is_met[id as usize] = true;
                    cells += 1;
                    waiting.extend((0..4).filter_map(|side| ground.neighbour(id, side)));
                }
            }
            sizes.extend((cells > 0).then_some(cells));
        }
        sizes.sort_unstable();
        sizes
    }

    fn drawn(seed: u64) -> CostMap {
        let mut random = Random::new(seed);
        let side = |random: &mut Random| 1 + random.below(23) as u32;
        let (width, height) = (side(&mut random), side(&mut random));
        let share = 20 + random.below(40);
        let cells = (0..width * height).map(|_| {
            let is_wall = random.below(100) < share;
            if is_wall { Cost::WALL.value() } else { 1 }
        });
        CostMap::from_rows(width, height, &cells.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn islands_are_those_of_the_engine() {
        for seed in 0..60 {
            let costs = drawn(seed);
            let ground = OpenCells::new(&costs);
            let (islands, _) = find(&ground);
            let mut sizes_found: Vec<u32> = islands.all().iter().map(|at| at.cells).collect();
            sizes_found.sort_unstable();
            assert_eq!(sizes_found, sizes(&ground, None));
            let world = FlowWorld::new(costs);
            let open: Vec<Id> = (0..ground.len() as Id)
                .filter(|&id| ground.is_open(id))
                .collect();
            for &a in open.iter().step_by(3) {
                for &b in open.iter().step_by(7) {
                    let is_same = islands.number(a) == islands.number(b);
                    let (a, b) = (ground.cell(a), ground.cell(b));
                    assert_eq!(world.reachable(a, b), is_same, "seed {seed}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn chokes_side_by_side_are_one_run() {
        // Two rooms of six cells and a corridor of three between them.
        let rows = b"..#####..\n.........\n..#####..\n";
        let costs = flowtiles::format::read_text(rows).unwrap();
        let ground = OpenCells::new(&costs);
        let (_, chokes) = find(&ground);
        let corridor: Vec<u32> = chokes.iter().map(|choke| choke.cut).collect();
        // The corridor of five, and the room's cell on each side of it.
        assert_eq!(corridor, [5, 6, 7, 8, 7, 6, 5]);
        let cell = Cell::new(4, 1);
        let (cut, cells) = (8, 7);
        assert_eq!(runs(&ground, chokes, 1), [ChokeRun { cell, cut, cells }]);
    }
}
