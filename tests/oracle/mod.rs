//! The naive twin of the engine: raw bytes, whole maps, one heap. It is short
//! and obvious above all; nothing in it asks the engine for an answer.
//!
//! `draw` makes maps from seeds; `bench` finds the benchmark maps; `game` draws
//! inputs and keeps a plain model; `follow` drives a world and checks its
//! answers against the map; `holds` is what holds of a game's world at any time and at rest;
//! `sight` draws lines; `shrink` makes what fails short.

pub mod bench;
pub mod draw;
pub mod follow;
pub mod game;
pub mod holds;
pub mod shrink;
pub mod sight;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use flowtiles::{Cell, CellRect, CostMap, Goal, SECTOR_SIDE, Sector};

pub const WALL: u8 = 255;

/// The eight steps, as differences of column and row.
pub const STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// A map as bytes, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Map {
    pub width: i32,
    pub height: i32,
    pub costs: Vec<u8>,
}

impl Map {
    pub fn open(width: i32, height: i32) -> Self {
        Self {
            width,
            height,
            costs: vec![1; (width * height) as usize],
        }
    }

    /// Builds a map from a picture: `.` costs 1, `#` is a wall, a digit is the
    /// cost itself, `%` costs 254.
    pub fn of_picture(rows: &[&str]) -> Self {
        let cost = |letter: u8| match letter {
            b'.' => 1,
            b'#' => WALL,
            b'%' => 254,
            b'1'..=b'9' => letter - b'0',
            other => panic!("no cost for the letter {:?}", other as char),
        };
        let map = Self {
            width: rows[0].len() as i32,
            height: rows.len() as i32,
            costs: rows.iter().flat_map(|row| row.bytes().map(cost)).collect(),
        };
        assert!(rows.iter().all(|row| row.len() == rows[0].len()));
        map
    }

    pub fn contains(&self, cell: Cell) -> bool {
        (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y)
    }

    /// Returns a cell's number, row by row.
    pub fn id(&self, cell: Cell) -> usize {
        assert!(self.contains(cell), "{cell} is off the map");
        (cell.y * self.width + cell.x) as usize
    }

    pub fn cell(&self, id: usize) -> Cell {
        let (id, width) = (id as i32, self.width);
        Cell::new(id % width, id / width)
    }

    /// Returns all cells, in the order of their numbers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        CellRect::new(0, 0, self.width as u32, self.height as u32).cells()
    }

    pub fn open_cells(&self) -> Vec<Cell> {
        self.cells().filter(|&cell| self.is_open(cell)).collect()
    }

    /// Returns the cost of a cell; everything off the map is wall.
    pub fn cost(&self, cell: Cell) -> u8 {
        if self.contains(cell) {
            self.costs[(cell.y * self.width + cell.x) as usize]
        } else {
            WALL
        }
    }

    pub fn is_open(&self, cell: Cell) -> bool {
        self.cost(cell) != WALL
    }

    pub fn set(&mut self, cell: Cell, cost: u8) {
        let id = self.id(cell);
        self.costs[id] = cost;
    }

    pub fn fill(&mut self, area: CellRect, cost: u8) {
        for cell in area.cells() {
            self.set(cell, cost);
        }
    }

    /// Returns the cost of one step from a cell to its neighbour by the step
    /// rule, or `None` if the step is forbidden. For a straight step, the two
    /// side cells are its own ends.
    pub fn step(&self, from: Cell, to: Cell) -> Option<u64> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        let legal = dx.abs().max(dy.abs()) == 1
            && [from, to, sides[0], sides[1]]
                .iter()
                .all(|&cell| self.is_open(cell));
        let weight = if dx != 0 && dy != 0 { 7 } else { 5 };
        legal.then(|| weight * u64::from(self.cost(from)))
    }

    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        STEPS
            .into_iter()
            .map(move |(dx, dy)| Cell::new(cell.x + dx, cell.y + dy))
            .filter(|&next| self.contains(next))
    }

    /// Returns every sector, row by row.
    pub fn sectors(&self) -> Vec<Sector> {
        let count = |cells: i32| (cells + SECTOR_SIDE - 1) / SECTOR_SIDE;
        (0..count(self.height))
            .flat_map(|y| (0..count(self.width)).map(move |x| Sector::new(x, y)))
            .collect()
    }

    /// Returns the cells of a sector that are on the map.
    pub fn cells_of(&self, sector: Sector) -> Vec<Cell> {
        let side = SECTOR_SIDE;
        CellRect::new(sector.x * side, sector.y * side, side as u32, side as u32)
            .cells()
            .filter(|&cell| self.contains(cell))
            .collect()
    }

    pub fn of_costs(costs: &CostMap) -> Self {
        Self {
            width: costs.width() as i32,
            height: costs.height() as i32,
            costs: costs.to_rows(),
        }
    }

    /// Returns the engine's map of the same costs.
    pub fn cost_map(&self) -> CostMap {
        CostMap::from_rows(self.width as u32, self.height as u32, &self.costs)
            .expect("a drawn map is a good map")
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}×{}", self.width, self.height)?;
        if self.costs.len() > 30 * 30 {
            return Ok(());
        }
        for row in self.costs.chunks(self.width as usize) {
            let line: String = row.iter().copied().map(letter).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

fn letter(cost: u8) -> char {
    match cost {
        WALL => '#',
        1 => '.',
        254 => '%',
        2..=9 => (b'0' + cost) as char,
        _ => '+',
    }
}

pub fn sector_of(cell: Cell) -> Sector {
    Sector::new(
        cell.x.div_euclid(SECTOR_SIDE),
        cell.y.div_euclid(SECTOR_SIDE),
    )
}

/// Returns the open cells of a goal's island, including the goal.
pub fn home_of(map: &Map, goal: Cell) -> Vec<Cell> {
    let islands = islands(map);
    let mut home = map.open_cells();
    home.retain(|&cell| islands[map.id(cell)] == islands[map.id(goal)]);
    home
}

/// Returns the open cell nearest to another for which `wanted` holds, as if all ground
/// were open; of equally near cells, the first in the map's rows.
pub fn nearest(map: &Map, to: Cell, wanted: impl Fn(Cell) -> bool) -> Option<Cell> {
    let away = |cell: &Cell| {
        let (dx, dy) = (cell.x.abs_diff(to.x), cell.y.abs_diff(to.y));
        (5 * dx.abs_diff(dy) + 7 * dx.min(dy), map.id(*cell))
    };
    let open = map.open_cells().into_iter();
    open.filter(|&cell| wanted(cell)).min_by_key(away)
}

pub fn is_strict(goal: &Goal) -> bool {
    *goal != goal.clone().or_nearest()
}

/// Returns the cells at which an order may end for a unit, by going through all cells: the
/// goal's on its island; if there are none and the goal accepts it, the nearest to the
/// goal's first cell.
pub fn ends(map: &Map, islands: &[Option<usize>], goal: &Goal, unit: Cell) -> Vec<Cell> {
    let Some(home) = islands[map.id(unit)] else {
        return Vec::new();
    };
    let is_home = |&cell: &Cell| islands[map.id(cell)] == Some(home);
    let mut ends: Vec<Cell> = goal.cells().filter(is_home).collect();
    if ends.is_empty() && !is_strict(goal) {
        ends.extend(nearest(map, goal.cell(), |cell| is_home(&cell)));
    }
    ends
}

/// A cost for every cell by its number; `None` where the goal cannot be
/// reached.
pub type Field = Vec<Option<u64>>;

/// A one-way connection between two cells: from, to, price.
pub type Jump = (Cell, Cell, u64);

/// Runs Dijkstra outward from the goal, entering only cells that `enter`
/// allows. `price` returns the cost of the step from its first cell to its
/// second.
pub fn settle(
    map: &Map,
    goal: (Cell, u64),
    enter: impl Fn(Cell) -> bool,
    price: impl Fn(Cell, Cell) -> Option<u64>,
) -> Field {
    settle_with(map, &[], goal, enter, price)
}

/// The same where paths may also lead through jumps.
pub fn settle_with(
    map: &Map,
    jumps: &[Jump],
    goal: (Cell, u64),
    enter: impl Fn(Cell) -> bool,
    price: impl Fn(Cell, Cell) -> Option<u64>,
) -> Field {
    let mut field = vec![None; map.costs.len()];
    let mut queue = BinaryHeap::new();
    let (goal, start) = goal;
    if map.is_open(goal) && enter(goal) {
        queue.push(Reverse((start, map.id(goal))));
    }
    while let Some(Reverse((so_far, id))) = queue.pop() {
        if field[id].is_some() {
            continue;
        }
        field[id] = Some(so_far);
        let settled = map.cell(id);
        for from in map.neighbours(settled).filter(|&from| enter(from)) {
            if let Some(price) = price(from, settled) {
                queue.push(Reverse((so_far + price, map.id(from))));
            }
        }
        for &(from, to, price) in jumps {
            if to == settled && map.is_open(from) && enter(from) {
                queue.push(Reverse((so_far + price, map.id(from))));
            }
        }
    }
    field
}

/// Returns the cost-to-go of every cell of the map.
pub fn field(map: &Map, goal: Cell, start: u64) -> Field {
    settle(map, (goal, start), |_| true, |from, to| map.step(from, to))
}

/// Returns the cost-to-go if only cells of the `loaded` sectors may be entered.
/// Whether a corner is open still depends on the whole map.
pub fn field_within(map: &Map, goal: Cell, start: u64, loaded: &[Sector]) -> Field {
    settle(
        map,
        (goal, start),
        |cell| loaded.contains(&sector_of(cell)),
        |from, to| map.step(from, to),
    )
}

/// Fixed point for √2: units of 2⁻³² of a straight step.
const STRAIGHT: u64 = 1 << 32;
const DIAGONAL: u64 = 6_074_001_000;

/// Returns the length of one step: 1 or √2, in fixed point.
pub fn length_of_step(from: Cell, to: Cell) -> u64 {
    if from.x != to.x && from.y != to.y {
        DIAGONAL
    } else {
        STRAIGHT
    }
}

/// Converts a fixed-point length to cells.
pub fn in_cells(length: u64) -> f64 {
    length as f64 / STRAIGHT as f64
}

/// Returns octile lengths (straight 1, diagonal √2, costs ignored) to the goal,
/// in fixed point.
pub fn lengths(map: &Map, goal: Cell) -> Field {
    let length = |from, to| map.step(from, to).map(|_| length_of_step(from, to));
    settle(map, (goal, 0), |_| true, length)
}

/// Returns the island of every cell, numbered from 0 in the order of their
/// first cells; `None` for walls.
pub fn islands(map: &Map) -> Vec<Option<usize>> {
    let mut islands = vec![None; map.costs.len()];
    let mut count = 0;
    for first in map.cells().filter(|&cell| map.is_open(cell)) {
        if islands[map.id(first)].is_some() {
            continue;
        }
        let mut edge = vec![first];
        islands[map.id(first)] = Some(count);
        while let Some(cell) = edge.pop() {
            for next in map.neighbours(cell) {
                if map.step(cell, next).is_some() && islands[map.id(next)].is_none() {
                    islands[map.id(next)] = Some(count);
                    edge.push(next);
                }
            }
        }
        count += 1;
    }
    islands
}
