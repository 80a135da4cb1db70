//! The plain reference: Dijkstra over the frame, a cell at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::drawn::Drawn;

/// The value of a wall or an unreached cell.
pub(super) const NO_VALUE: u64 = u64::MAX;

pub(super) type Grid<T> = [[T; 12]; 12];

/// The eight steps in the order of directions, with their weights.
const STEPS: [(i32, i32, u64); 8] = [
    (0, -1, 5),
    (1, 0, 5),
    (0, 1, 5),
    (-1, 0, 5),
    (1, -1, 7),
    (1, 1, 7),
    (-1, 1, 7),
    (-1, -1, 7),
];

pub(super) struct Settled {
    /// Values of the whole frame; those of the halo unchanged.
    pub(super) values: Grid<u64>,
    pub(super) flow: [u8; 100],
    /// The cells of the halo that a step into the tile would improve, as bits
    /// along the sides; and those for which it would be exactly as good.
    pub(super) better: [u16; 4],
    pub(super) equal: [u16; 4],
}

pub(super) fn inside(x: i32, y: i32) -> bool {
    (1..11).contains(&x) && (1..11).contains(&y)
}

/// Returns the cell that a step leads to, and its price; `None` if it is
/// illegal.
fn step(costs: &Grid<u8>, x: i32, y: i32, direction: usize) -> Option<(i32, i32, u64)> {
    let cost = |x: i32, y: i32| match costs.get(y as usize)?.get(x as usize)? {
        255 => None,
        &cost => Some(u64::from(cost)),
    };
    let (dx, dy, weight) = STEPS[direction];
    let own = cost(x, y)?;
    cost(x + dx, y + dy)?;
    if dx != 0 && dy != 0 {
        cost(x + dx, y)?;
        cost(x, y + dy)?;
    }
    Some((x + dx, y + dy, weight * own))
}

fn at<T: Copy>(grid: &Grid<T>, x: i32, y: i32) -> T {
    grid[y as usize][x as usize]
}

/// Lowers the values of inner cells until no step improves any.
fn spread(costs: &Grid<u8>, values: &mut Grid<u64>) {
    let mut heap = BinaryHeap::new();
    for (y, row) in values.iter().enumerate() {
        for (x, &value) in row.iter().enumerate() {
            if value != NO_VALUE {
                heap.push(Reverse((value, x as i32, y as i32)));
            }
        }
    }
    while let Some(Reverse((value, x, y))) = heap.pop() {
        if value > at(values, x, y) {
            continue;
        }
        for (direction, (dx, dy, _)) in STEPS.into_iter().enumerate() {
            let (from_x, from_y) = (x - dx, y - dy);
            if !inside(from_x, from_y) {
                continue;
            }
            if let Some((.., price)) = step(costs, from_x, from_y, direction) {
                let known = &mut values[from_y as usize][from_x as usize];
                if value + price < *known {
                    *known = value + price;
                    heap.push(Reverse((value + price, from_x, from_y)));
                }
            }
        }
    }
}

pub(super) fn settle(drawn: &Drawn) -> Settled {
    let mut values = drawn.halo;
    for &(slot, value) in &drawn.seeds {
        let (x, y) = (slot % 10 + 1, slot / 10 + 1);
        if drawn.costs[y][x] != 255 {
            values[y][x] = values[y][x].min(value);
        }
    }
    spread(&drawn.costs, &mut values);
    let mut flow = [9; 100];
    for (slot, code) in flow.iter_mut().enumerate() {
        let (x, y) = (slot as i32 % 10 + 1, slot as i32 / 10 + 1);
        if at(&values, x, y) != NO_VALUE {
            *code = (0..8)
                .find(|&direction| {
                    step(&drawn.costs, x, y, direction).is_some_and(|(to_x, to_y, price)| {
                        let beyond = at(&values, to_x, to_y);
                        beyond != NO_VALUE && beyond + price == at(&values, x, y)
                    })
                })
                .unwrap_or(8) as u8;
        }
    }
    Settled {
        better: halo_cells(&|x, y| {
            offer(&drawn.costs, &values, x, y).is_some_and(|(value, _)| value < at(&values, x, y))
        }),
        equal: halo_cells(&|x, y| {
            offer(&drawn.costs, &values, x, y).is_some_and(|(value, _)| value == at(&values, x, y))
        }),
        values,
        flow,
    }
}

/// Returns the best value that a step into the tile gives a cell of the halo,
/// and the first direction of such a step.
pub(super) fn offer(costs: &Grid<u8>, values: &Grid<u64>, x: i32, y: i32) -> Option<(u64, usize)> {
    let steps = (0..8).filter_map(|direction| {
        let (to_x, to_y, price) = step(costs, x, y, direction)?;
        let beyond = at(values, to_x, to_y);
        (inside(to_x, to_y) && beyond != NO_VALUE).then(|| (beyond + price, direction))
    });
    steps.min()
}

fn halo_cells(holds: &dyn Fn(i32, i32) -> bool) -> [u16; 4] {
    let line = |range: std::ops::Range<i32>, cell: &dyn Fn(i32) -> (i32, i32)| {
        range.fold(0, |bits, i| {
            let (x, y) = cell(i);
            bits | u16::from(holds(x, y)) << i
        })
    };
    [
        line(0..12, &|i| (i, 0)),
        line(1..11, &|i| (11, i)),
        line(0..12, &|i| (i, 11)),
        line(1..11, &|i| (0, i)),
    ]
}

/// Returns the costs of the walks inside the tile to one slot, from all
/// hundred.
pub(super) fn walks_to(costs: &[u8; 100], to: usize) -> [u64; 100] {
    let mut frame = [[255; 12]; 12];
    let mut values = [[NO_VALUE; 12]; 12];
    for (slot, &cost) in costs.iter().enumerate() {
        frame[slot / 10 + 1][slot % 10 + 1] = cost;
    }
    if costs[to] != 255 {
        values[to / 10 + 1][to % 10 + 1] = 0;
    }
    spread(&frame, &mut values);
    std::array::from_fn(|slot| values[slot / 10 + 1][slot % 10 + 1])
}
