//! The textbook's sector: integrates 10×10 cells from the costs-to-go around
//! them with a binary heap, then looks around every cell for its direction.
//!
//! It does the same job as a rebuild by the engine, from the same ring of
//! neighbouring costs-to-go, and gives the same values. It is a straightforward
//! version, except that its memory is reused.
//!
//! ```text
//!   o o o o o     o: the ring, with the costs-to-go of the neighbours
//!   o . . . o     .: the sector's cells, to be settled
//!   o . . . o
//!   o o o o o
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flowtiles::{Cell, Cost, Direction, SECTOR_SIDE, Sector};

use super::dijkstra::Plain;

/// Cost-to-go of a cell that nothing has reached.
pub const NEVER: u32 = u32::MAX;

const WALL: u8 = Cost::WALL.value();
/// A sector's side and the ring.
const SIDE: usize = SECTOR_SIDE as usize + 2;

/// A sector in its ring, ready to be settled again and again.
pub struct Textbook {
    costs: [u8; SIDE * SIDE],
    /// The ring's costs-to-go; [`NEVER`] inside.
    ring: [u32; SIDE * SIDE],
    values: [u32; SIDE * SIDE],
    flow: [Option<Direction>; SIDE * SIDE],
    heap: BinaryHeap<Reverse<(u32, usize)>>,
}

/// The place of a cell in the frame of a sector.
const fn place(sector: Sector, cell: Cell) -> usize {
    let column = cell.x - sector.x * SECTOR_SIDE + 1;
    let row = cell.y - sector.y * SECTOR_SIDE + 1;
    row as usize * SIDE + column as usize
}

/// Whether a place of the frame lies in the sector and not in the ring.
const fn is_inside(place: usize) -> bool {
    let (column, row) = (place % SIDE, place / SIDE);
    column > 0 && column < SIDE - 1 && row > 0 && row < SIDE - 1
}

/// The place that a step in a direction leads to.
const fn step(place: usize, direction: Direction) -> usize {
    let (dx, dy) = direction.offset();
    place.wrapping_add_signed(dy as isize * SIDE as isize + dx as isize)
}

impl Textbook {
    /// Creates a sector of a map, with the costs-to-go around it.
    pub fn new(map: &Plain, to_go: impl Fn(Cell) -> Option<u64>, sector: Sector) -> Self {
        let mut textbook = Self {
            costs: [WALL; SIDE * SIDE],
            ring: [NEVER; SIDE * SIDE],
            values: [NEVER; SIDE * SIDE],
            flow: [None; SIDE * SIDE],
            heap: BinaryHeap::with_capacity(SIDE * SIDE),
        };
        for at in 0..SIDE * SIDE {
            let cell = Cell::new(
                sector.x * SECTOR_SIDE + (at % SIDE) as i32 - 1,
                sector.y * SECTOR_SIDE + (at / SIDE) as i32 - 1,
            );
            textbook.costs[at] = map.cost(cell);
            if !is_inside(at) {
                textbook.ring[at] = to_go(cell).map_or(NEVER, |value| value as u32);
            }
        }
        textbook
    }

    /// Settles the sector and finds its directions.
    pub fn rebuild(&mut self) {
        self.integrate();
        self.find_flow();
    }

    fn integrate(&mut self) {
        self.values = self.ring;
        self.heap.clear();
        for at in 0..SIDE * SIDE {
            if self.ring[at] != NEVER {
                self.heap.push(Reverse((self.ring[at], at)));
            }
        }
        while let Some(Reverse((value, to))) = self.heap.pop() {
            if value > self.values[to] {
                continue;
            }
            for direction in Direction::ALL {
                // The cell from which this direction leads here.
                let (dx, dy) = direction.offset();
                let (column, row) = ((to % SIDE) as i32 - dx, (to / SIDE) as i32 - dy);
                let inside = 1..=SECTOR_SIDE;
                if !inside.contains(&column) || !inside.contains(&row) {
                    continue;
                }
                let from = row as usize * SIDE + column as usize;
                let Some(price) = self.price(from, direction) else {
                    continue;
                };
                if value + price < self.values[from] {
                    self.values[from] = value + price;
                    self.heap.push(Reverse((value + price, from)));
                }
            }
        }
    }

    fn find_flow(&mut self) {
        for at in (0..SIDE * SIDE).filter(|&at| is_inside(at)) {
            let mut best = (NEVER, None);
            for direction in Direction::ALL {
                let onward = self.values[step(at, direction)];
                let Some(price) = self.price(at, direction) else {
                    continue;
                };
                if onward != NEVER && onward + price < best.0 {
                    best = (onward + price, Some(direction));
                }
            }
            self.flow[at] = best.1;
        }
    }

    /// The price of a step out of a cell of the sector, if the rule allows it.
    fn price(&self, from: usize, direction: Direction) -> Option<u32> {
        let (dx, dy) = direction.offset();
        let open = |dx: i32, dy: i32| {
            let at = from.wrapping_add_signed(dy as isize * SIDE as isize + dx as isize);
            self.costs[at] != WALL
        };
        let weight = if direction.is_diagonal() { 7 } else { 5 };
        let free = open(0, 0) && open(dx, dy) && open(dx, 0) && open(0, dy);
        free.then(|| weight * u32::from(self.costs[from]))
    }

    /// The cost-to-go of a cell of the sector.
    pub const fn value(&self, sector: Sector, cell: Cell) -> u32 {
        self.values[place(sector, cell)]
    }

    /// The direction of a cell of the sector.
    pub const fn direction(&self, sector: Sector, cell: Cell) -> Option<Direction> {
        self.flow[place(sector, cell)]
    }

    /// Whether a step in this direction and the path from there cost together what
    /// the path from a cell of the sector costs.
    pub fn accounts(&self, sector: Sector, cell: Cell, direction: Direction) -> bool {
        let at = place(sector, cell);
        let price = self.price(at, direction);
        price.is_some_and(|price| {
            self.values[step(at, direction)].checked_add(price) == Some(self.values[at])
        })
    }
}
