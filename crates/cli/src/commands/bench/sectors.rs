//! A sector alone: the engine's rebuild, beside the textbook's.
//!
//! Three maps of 100×100 cells, the same in every run. An order loads them; then each
//! loaded sector except the goal's is settled by both, again and again. The textbook
//! integrates the 10×10 cells from the costs-to-go around them with a binary heap, then
//! looks around every cell for its direction.
//!
//! ```text
//!   o o o o o     o: the ring, with the costs-to-go of the neighbours
//!   o . . . o     .: the sector's cells, to be settled
//!   o . . . o
//!   o o o o o
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use flowtiles::{
    Cell, CellRect, Cost, CostMap, Direction, FlowWorld, Goal, Order, Quality, SECTOR_SIDE, Sector,
};
use flowtiles_country::random::Random;

use super::dijkstra::NEVER;
use super::ground::{Effort, order, refused};
use super::sheet::Column;
use super::times::Times;
use crate::support::failure::Failure;

const SIDE: i32 = 100;
const GOAL: Cell = Cell { x: 85, y: 85 };
const UNITS: [Cell; 3] = [
    Cell { x: 15, y: 15 },
    Cell { x: 85, y: 15 },
    Cell { x: 15, y: 85 },
];
/// A sector's side with the ring.
const FRAME: usize = SECTOR_SIDE as usize + 2;
const CELLS: usize = FRAME * FRAME;
const WALL: u8 = Cost::WALL.value();

/// Measures on open ground, among walls, and on ground of many costs.
pub fn measure(effort: Effort) -> Result<Vec<Column>, Failure> {
    let wall = |draw| if draw < 4 { WALL } else { 1 };
    Ok(vec![
        measure_on("clear ground", effort, |_| 1)?,
        measure_on("20 % walls", effort, wall)?,
        measure_on("costs 1 to 20", effort, |draw| 1 + draw as u8)?,
    ])
}

/// Measures on a map whose cells cost what `cost` returns for a number of 0..20, with
/// open ground around the goal and the units.
fn measure_on(name: &str, effort: Effort, cost: impl Fn(i32) -> u8) -> Result<Column, Failure> {
    let mut random = Random::new(21);
    let near = |cell: Cell, end: Cell| cell.x.abs_diff(end.x).max(cell.y.abs_diff(end.y)) <= 1;
    let cells = CellRect::new(0, 0, SIDE as u32, SIDE as u32).cells();
    let rows = cells.map(|cell| {
        let drawn = cost(random.below(20));
        let is_end = near(cell, GOAL) || UNITS.iter().any(|&unit| near(cell, unit));
        if is_end { 1 } else { drawn }
    });
    let rows: Vec<u8> = rows.collect();
    let map = CostMap::from_rows(SIDE as u32, SIDE as u32, &rows).map_err(refused)?;
    let mut world = FlowWorld::new(map);
    let given = order(
        &mut world,
        Goal::at(GOAL).with_quality(Quality::Exact),
        &UNITS,
    )?;
    // The goal's sector has seeds; a sector at the map's edge lacks neighbours, and a
    // large map has few of these.
    let goal = Sector::new(GOAL.x / SECTOR_SIDE, GOAL.y / SECTOR_SIDE);
    let inner = 1..SIDE / SECTOR_SIDE - 1;
    let mut sectors = world.inspect().loaded(&given);
    sectors.retain(|at| *at != goal && inner.contains(&at.x) && inner.contains(&at.y));
    let textbook = |&sector: &Sector| Textbook::new(&world, &given, sector);
    let mut textbooks: Vec<Textbook> = sectors.iter().map(textbook).collect();
    let mut integration = world.inspect().integration(&given);
    for (&sector, textbook) in sectors.iter().zip(&mut textbooks) {
        textbook.rebuild();
        if !integration.rebuild(sector) || !textbook.agrees(&world, &given, sector) {
            return Err(Failure::Wrong(format!(
                "{name}, sector {sector}: the textbook and the engine differ"
            )));
        }
    }
    // The engine is much faster, so its clock needs more work to measure.
    const TURNS: usize = 8;
    let [mut engine, mut by_textbook] = [Times::default(), Times::default()];
    for _ in 0..effort.pick(300, 4) {
        engine.time(0, || {
            for &sector in sectors.iter().cycle().take(TURNS * sectors.len()) {
                black_box(integration.rebuild(black_box(sector)));
            }
        });
        by_textbook.time(0, || {
            textbooks.iter_mut().for_each(Textbook::rebuild);
            black_box(&textbooks);
        });
    }
    let engine = engine.median() / (TURNS * sectors.len()) as f64;
    let by_textbook = by_textbook.median() / sectors.len() as f64;
    let mut column = Column::new(name);
    column.put("rebuild, × textbook kernel", by_textbook / engine);
    column.put("rebuild, ns", engine * 1e9);
    column.put("textbook kernel, ns", by_textbook * 1e9);
    Ok(column)
}

/// A sector in its ring, ready to be settled again and again.
struct Textbook {
    costs: [u8; CELLS],
    /// The ring's costs-to-go; [`NEVER`] inside.
    ring: [u32; CELLS],
    values: [u32; CELLS],
    flow: [Option<Direction>; CELLS],
    heap: BinaryHeap<Reverse<(u32, usize)>>,
}

/// Whether a place of the frame lies in the sector and not in the ring.
const fn is_inside(place: usize) -> bool {
    let (column, row) = (place % FRAME, place / FRAME);
    column > 0 && column < FRAME - 1 && row > 0 && row < FRAME - 1
}

/// The cell of the map at a place of the frame.
const fn cell(sector: Sector, place: usize) -> Cell {
    Cell::new(
        sector.x * SECTOR_SIDE + (place % FRAME) as i32 - 1,
        sector.y * SECTOR_SIDE + (place / FRAME) as i32 - 1,
    )
}

/// The place at an offset from another.
const fn place(from: usize, dx: i32, dy: i32) -> usize {
    from.wrapping_add_signed(dy as isize * FRAME as isize + dx as isize)
}

impl Textbook {
    fn new(world: &FlowWorld, order: &Order, sector: Sector) -> Self {
        let cost = |place| world.costs().get(cell(sector, place)).unwrap_or(Cost::WALL);
        let to_go = |place| {
            if is_inside(place) {
                return NEVER;
            }
            let value = world.cost_to_go(order, cell(sector, place));
            value.map_or(NEVER, |value| value as u32)
        };
        Self {
            costs: std::array::from_fn(|place| cost(place).value()),
            ring: std::array::from_fn(to_go),
            values: [NEVER; CELLS],
            flow: [None; CELLS],
            heap: BinaryHeap::with_capacity(CELLS),
        }
    }

    /// Settles the sector and finds its directions.
    fn rebuild(&mut self) {
        self.values = self.ring;
        self.heap.clear();
        let reached = (0..CELLS).filter(|&place| self.ring[place] != NEVER);
        self.heap
            .extend(reached.map(|place| Reverse((self.ring[place], place))));
        while let Some(Reverse((value, to))) = self.heap.pop() {
            if value > self.values[to] {
                continue;
            }
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                // The cell from which this direction leads here.
                let from = place(to, -dx, -dy);
                let Some(price) = self.price(from, direction) else {
                    continue;
                };
                if value + price < self.values[from] {
                    self.values[from] = value + price;
                    self.heap.push(Reverse((value + price, from)));
                }
            }
        }
        for from in (0..CELLS).filter(|&place| is_inside(place)) {
            let ways = Direction::ALL.into_iter().filter_map(|direction| {
                let (dx, dy) = direction.offset();
                let onward = self.values[place(from, dx, dy)];
                // From a cell that is never reached the sum overflows.
                let all = onward.checked_add(self.price(from, direction)?)?;
                Some((all, direction))
            });
            let best = ways.min_by_key(|(all, _)| *all);
            self.flow[from] = best.map(|(_, direction)| direction);
        }
    }

    /// The price of a step out of a cell of the sector, if the rule allows it.
    fn price(&self, from: usize, direction: Direction) -> Option<u32> {
        if !is_inside(from) {
            return None;
        }
        let (dx, dy) = direction.offset();
        let open = |dx: i32, dy: i32| self.costs[place(from, dx, dy)] != WALL;
        let weight = if direction.is_diagonal() { 7 } else { 5 };
        let free = open(0, 0) && open(dx, dy) && open(dx, 0) && open(0, dy);
        free.then(|| weight * u32::from(self.costs[from]))
    }

    /// Whether the engine has the same values and directions in the same cells.
    fn agrees(&self, world: &FlowWorld, order: &Order, sector: Sector) -> bool {
        (0..CELLS).filter(|&place| is_inside(place)).all(|place| {
            let value = self.values[place];
            let to_go = world.cost_to_go(order, cell(sector, place));
            to_go == (value != NEVER).then_some(value.into())
                && self.flow[place].is_some() == to_go.is_some()
        })
    }
}
