//! A Dijkstra over the whole map, without sectors: the rival of orders and fields, and
//! the oracle of the quality of paths.
//!
//! It spreads from the goal over a frame of the map with a wall around it, so that no
//! neighbour needs a bounds check of its own. Prices are small whole numbers, so the
//! open cells wait in a ring of buckets, one for each value, and are never compared.
//! Its memory is reused from run to run.

use flowtiles::{Cell, Cost, CostMap};

/// Cost-to-go of a cell from which the goal cannot be reached.
pub const NEVER: u32 = u32::MAX;

const WALL: u8 = Cost::WALL.value();

/// A map with a wall around it, and the memory of the runs.
pub struct Dijkstra {
    stride: usize,
    costs: Vec<u8>,
    values: Vec<u32>,
    ring: Vec<Vec<u32>>,
}

impl Dijkstra {
    /// The frame of a map; `None` if a path's price might exceed 32 bits.
    pub fn new(map: &CostMap) -> Option<Self> {
        let (width, height) = (map.width() as usize, map.height() as usize);
        let stride = width + 2;
        let mut costs = vec![WALL; stride * (height + 2)];
        let rows = map.to_rows();
        for (y, row) in rows.chunks(width).enumerate() {
            let at = (y + 1) * stride + 1;
            costs[at..at + width].copy_from_slice(row);
        }
        let dearest = rows.iter().filter(|&&cost| cost != WALL).max();
        let price = 7 * u64::from(dearest.copied().unwrap_or(1));
        let fits = costs.len() as u64 * price < u64::from(NEVER);
        // More buckets than the highest price of a step, so two values never share one.
        let ring = vec![Vec::new(); (price as usize + 1).next_power_of_two()];
        fits.then(|| Self {
            stride,
            values: vec![NEVER; costs.len()],
            costs,
            ring,
        })
    }

    fn place(&self, cell: Cell) -> usize {
        (cell.y as usize + 1) * self.stride + cell.x as usize + 1
    }

    /// Returns the price of the best path from a cell of the map, as found by the
    /// last run, or [`NEVER`].
    pub fn value(&self, cell: Cell) -> u32 {
        self.values[self.place(cell)]
    }

    /// Whether a cell of the map is no wall.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.costs[self.place(cell)] != WALL
    }

    /// Returns the number of steps of a cheapest path from a cell with a
    /// [value](Self::value), as found by the last run.
    pub fn steps(&self, cell: Cell) -> usize {
        let mut at = self.place(cell);
        let mut steps = 0;
        while self.values[at] > 0 {
            let price = u32::from(self.costs[at]);
            let (stride, value) = (self.stride, self.values[at]);
            let open = |place: usize| self.costs[place] != WALL;
            let straight = [at - stride, at + 1, at + stride, at - 1];
            let ahead = straight
                .into_iter()
                .find(|&to| self.values[to] == value.wrapping_sub(5 * price));
            let diagonal = || {
                let pairs = [(0, 1), (2, 1), (2, 3), (0, 3)];
                pairs.into_iter().find_map(|(row, column)| {
                    let to = straight[row] + straight[column] - at;
                    let free = open(straight[row]) && open(straight[column]);
                    (free && self.values[to] == value.wrapping_sub(7 * price)).then_some(to)
                })
            };
            let Some(to) = ahead.or_else(diagonal) else {
                return steps;
            };
            at = to;
            steps += 1;
        }
        steps
    }

    /// Finds the costs-to-go of a goal, which is open.
    pub fn solve(&mut self, goal: Cell) {
        self.values.fill(NEVER);
        let goal = self.place(goal);
        self.values[goal] = 0;
        let last = self.ring.len() - 1;
        self.ring[0].push(goal as u32);
        let (mut value, mut waiting) = (0_u32, 1_usize);
        let mut bucket = Vec::new();
        while waiting > 0 {
            // The whole bucket is taken out: prices exceed 0, so no cell returns.
            std::mem::swap(&mut bucket, &mut self.ring[value as usize & last]);
            waiting -= bucket.len();
            for at in bucket.drain(..) {
                if self.values[at as usize] != value {
                    continue;
                }
                let (values, ring) = (&mut self.values, &mut self.ring);
                steps_into(&self.costs, self.stride, at as usize, |from, price| {
                    let offer = value + price;
                    if offer < values[from] {
                        values[from] = offer;
                        ring[offer as usize & last].push(from as u32);
                        waiting += 1;
                    }
                });
            }
            value += 1;
        }
    }
}

/// Calls `offer` for each cell from which a step leads to the cell at `to`, with
/// its price: the cost of the cell *left*, times 5 or 7; a diagonal step needs
/// both cells beside it open.
#[inline(always)]
fn steps_into(costs: &[u8], stride: usize, to: usize, mut offer: impl FnMut(usize, u32)) {
    if costs[to] == WALL {
        return;
    }
    let (north, east, south, west) = (to - stride, to + 1, to + stride, to - 1);
    let open = [north, east, south, west].map(|at| costs[at] != WALL);
    for (at, is_open) in [north, east, south, west].into_iter().zip(open) {
        if is_open {
            offer(at, 5 * u32::from(costs[at]));
        }
    }
    let corners = [
        (north + 1, open[0] && open[1]),
        (south + 1, open[2] && open[1]),
        (south - 1, open[2] && open[3]),
        (north - 1, open[0] && open[3]),
    ];
    for (at, is_free) in corners {
        if is_free && costs[at] != WALL {
            offer(at, 7 * u32::from(costs[at]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles_country::referee::Referee;
    use flowtiles_scenes::maps;

    #[test]
    fn the_buckets_agree_with_the_referee() {
        for name in maps::NAMES {
            let map = maps::draw(name, 61).expect("a name").expect("a map");
            let mut middle = (20..61).map(|x| Cell::new(x, 30));
            let goal = middle.find(|&cell| map.get(cell).is_some_and(|cost| !cost.is_wall()));
            let goal = goal.expect("no map is closed there");
            let expected = Referee::new(&map).costs_to_go(goal);
            let mut dijkstra = Dijkstra::new(&map).expect("a small map");
            dijkstra.solve(goal);
            for (place, &value) in expected.iter().enumerate() {
                let cell = Cell::new(place as i32 % 61, place as i32 / 61);
                let value = u32::try_from(value).unwrap_or(NEVER);
                assert_eq!(dijkstra.value(cell), value, "{name} {cell}");
            }
        }
    }
}
