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
//! one splits its island. One depth-first walk finds the islands, and how many cells
//! each choke cuts off: if no cell of a child's subtree is beside a cell that the walk
//! met before the parent, closing the parent cuts the subtree off. (J. Hopcroft and
//! R. Tarjan, "Efficient algorithms for graph manipulation", 1973. Finding these cells
//! is not enough here: libraries for graphs do not count what they cut off.)

use std::cmp::Reverse;
use std::collections::BTreeMap;

use flowtiles::{Cell, CellRect, CostMap, Direction};

/// The place of a cell that the walk has not met.
const UNMET: u32 = u32::MAX;

/// Cells that can reach each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Island {
    /// Its first cell, row by row.
    pub cell: Cell,
    pub cells: u32,
    /// The place of its first cell in the walk.
    start: u32,
}

/// The islands of a map, in the order of their first cells.
pub struct Islands<'a> {
    pub costs: &'a CostMap,
    pub all: Vec<Island>,
    /// For each cell, row by row, its place in the walk.
    places: Vec<u32>,
    /// The cells in the order of the walk, each with the place of the one before it; of
    /// the first cell of an island its own.
    walked: Vec<(Cell, u32)>,
}

/// Adjacent chokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChokeRun {
    /// The choke that cuts off the most, the first of these row by row.
    pub cell: Cell,
    /// How many cells it cuts off from the largest remaining part of its island; 0 if
    /// there is another way around it.
    pub cut: u32,
    /// The number of chokes.
    pub cells: u32,
}

impl<'a> Islands<'a> {
    /// Finds the islands of a map.
    pub fn new(costs: &'a CostMap) -> Self {
        let mut islands = Self {
            costs,
            all: Vec::new(),
            places: vec![UNMET; costs.width() as usize * costs.height() as usize],
            walked: Vec::new(),
        };
        for cell in CellRect::new(0, 0, costs.width(), costs.height()).cells() {
            if islands.is_open(cell) && islands.place(cell) == UNMET {
                islands.walk(cell);
            }
        }
        islands
    }

    /// The number of open cells.
    pub const fn open_cells(&self) -> usize {
        self.walked.len()
    }

    /// Returns the largest island, the first of several; `None` if all is wall.
    pub fn mainland(&self) -> Option<Island> {
        let largest = self.all.iter().rev().max_by_key(|island| island.cells);
        largest.copied()
    }

    /// Returns the other islands of at least `least` cells, the largest first.
    pub fn pockets(&self, least: u32) -> Vec<Island> {
        let mainland = self.mainland();
        let mut pockets = self.all.clone();
        pockets.retain(|island| Some(*island) != mainland && island.cells >= least);
        pockets.sort_by_key(|island| Reverse(island.cells));
        pockets
    }

    /// Returns the number of a cell's island among all; `None` for a wall, and off the
    /// map.
    pub fn number(&self, cell: Cell) -> Option<usize> {
        self.is_open(cell).then(|| self.number_at(self.place(cell)))
    }

    /// Returns the chokes by their cells, row by row, each with the cells it cuts off.
    pub fn chokes(&self) -> BTreeMap<(i32, i32), u32> {
        let between = self.walked.iter().map(|&(cell, _)| cell);
        let between = between.filter(|&cell| self.is_between(cell));
        let mut chokes: BTreeMap<_, _> = between.map(|Cell { x, y }| ((y, x), 0)).collect();
        for (at, [hanging, largest]) in self.hanging() {
            let others = self.all[self.number_at(at)].cells - 1;
            let Cell { x, y } = self.walked[at as usize].0;
            let cut = others - largest.max(others - hanging);
            chokes.entry((y, x)).and_modify(|known| *known = cut);
        }
        chokes
    }

    /// Joins adjacent chokes that cut off at least `least` cells, those with a way
    /// around separately. Runs that cut off the most come first.
    pub fn choke_runs(&self, least: u32) -> Vec<ChokeRun> {
        let mut chokes = self.chokes();
        chokes.retain(|_, cut| *cut >= least);
        let mut runs = Vec::new();
        while let Some(first) = chokes.pop_first() {
            let mut members = vec![first];
            let mut next = 0;
            while let Some(&((y, x), cut)) = members.get(next) {
                for Cell { x, y } in self.beside(Cell::new(x, y)) {
                    let other = chokes.get(&(y, x));
                    if other.is_some_and(|other| (*other == 0) == (cut == 0)) {
                        members.extend(chokes.remove_entry(&(y, x)));
                    }
                }
                next += 1;
            }
            let worst = members.iter().max_by_key(|(at, cut)| (cut, Reverse(at)));
            runs.extend(worst.map(|&((y, x), cut)| ChokeRun {
                cell: Cell::new(x, y),
                cut,
                cells: members.len() as u32,
            }));
        }
        runs.sort_by_key(|run| Reverse(run.cut));
        runs
    }

    /// Walks an island, depth first.
    fn walk(&mut self, root: Cell) {
        let start = self.walked.len() as u32;
        let (mut here, mut at) = (root, start);
        self.meet(root, start);
        loop {
            let unmet = |next: &Cell| self.place(*next) == UNMET;
            let next = self.beside(here).find(unmet);
            if let Some(next) = next {
                self.meet(next, at);
                (here, at) = (next, self.walked.len() as u32 - 1);
            } else if at == start {
                break;
            } else {
                at = self.walked[at as usize].1;
                here = self.walked[at as usize].0;
            }
        }
        self.all.push(Island {
            cell: root,
            cells: self.walked.len() as u32 - start,
            start,
        });
    }

    fn meet(&mut self, cell: Cell, from: u32) {
        let index = self.index(cell);
        self.places[index] = self.walked.len() as u32;
        self.walked.push((cell, from));
    }

    /// Returns the cells on which parts of their island hang, by their places in the
    /// walk: the cells of all these parts, and of the largest.
    fn hanging(&self) -> BTreeMap<u32, [u32; 2]> {
        let mut parts: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
        // Of each subtree, the first place that it touches, and its cells.
        let mut subtrees: Vec<(u32, u32)> = vec![(UNMET, 1); self.walked.len()];
        for (place, &(cell, from)) in self.walked.iter().enumerate().rev() {
            let beside = self.beside(cell).map(|next| self.place(next));
            let (touched, cells) = subtrees[place];
            let touched = beside.fold(touched, u32::min);
            if from as usize == place {
                continue;
            }
            if touched >= from {
                let [hanging, largest] = parts.entry(from).or_default();
                *hanging += cells;
                *largest = cells.max(*largest);
            }
            let parent = &mut subtrees[from as usize];
            *parent = (parent.0.min(touched), parent.1 + cells);
        }
        parts
    }

    /// Whether the open neighbours of a cell form two or more groups that cannot
    /// reach each other within the eight cells around it.
    fn is_between(&self, cell: Cell) -> bool {
        // The four sides clockwise, then the corner after each of them.
        let open = Direction::ALL.map(|direction| self.is_open(cell.step(direction)));
        let beside = open[..4].iter().filter(|is_open| **is_open).count();
        let joined = (0..4)
            .filter(|&side| open[side] && open[4 + side] && open[(side + 1) % 4])
            .count();
        beside > joined + 1
    }

    /// The open cells that share a side with a cell. Diagonal steps connect no more than
    /// these, since the step rule needs both cells beside a diagonal open.
    fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let sides = Direction::ALL.into_iter().take(4);
        let cells = sides.map(move |side| cell.step(side));
        cells.filter(|&cell| self.is_open(cell))
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.costs.get(cell).is_some_and(|cost| !cost.is_wall())
    }

    /// The index of a cell of the map in `places`.
    fn index(&self, Cell { x, y }: Cell) -> usize {
        y as usize * self.costs.width() as usize + x as usize
    }

    fn place(&self, cell: Cell) -> u32 {
        self.places[self.index(cell)]
    }

    /// The number of the island with this place in the walk.
    fn number_at(&self, place: u32) -> usize {
        self.all.partition_point(|island| island.start <= place) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles::{Cost, FlowWorld};
    use flowtiles_country::random::Random;

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
            let islands = Islands::new(&costs);
            let world = FlowWorld::new(costs.clone());
            let open: Vec<Cell> = islands.walked.iter().map(|&(cell, _)| cell).collect();
            let mut sizes = vec![0; islands.all.len()];
            for &cell in &open {
                sizes[islands.number(cell).unwrap()] += 1;
            }
            let told: Vec<u32> = islands.all.iter().map(|island| island.cells).collect();
            assert_eq!(told, sizes, "seed {seed}");
            for &a in open.iter().step_by(3) {
                for &b in open.iter().step_by(7) {
                    let is_same = islands.number(a) == islands.number(b);
                    assert_eq!(world.reachable(a, b), is_same, "seed {seed}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn chokes_side_by_side_are_one_run() {
        // Two rooms of six cells and a corridor of three between them.
        let rows = b"..#####..\n.........\n..#####..\n";
        let costs = flowtiles_formats::read_text(rows).unwrap();
        let islands = Islands::new(&costs);
        let corridor: Vec<u32> = islands.chokes().into_values().collect();
        // The corridor of five, and the room's cell on each side of it.
        assert_eq!(corridor, [5, 6, 7, 8, 7, 6, 5]);
        let cell = Cell::new(4, 1);
        let (cut, cells) = (8, 7);
        assert_eq!(islands.choke_runs(1), [ChokeRun { cell, cut, cells }]);
    }
}
