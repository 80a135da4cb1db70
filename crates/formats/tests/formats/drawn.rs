//! Maps drawn from seeds.

use flowtiles::CostMap;

pub use crate::draws::Rng;

impl Rng {
    /// Draws a number below `limit`, which is more than 0.
    pub fn index(&mut self, limit: usize) -> usize {
        self.below(limit as i32) as usize
    }
}

/// Sizes at which sectors are whole, cut by the border, or nearly empty.
const SIZES: [(u32, u32); 9] = [
    (1, 1),
    (1, 37),
    (41, 1),
    (9, 11),
    (10, 10),
    (20, 30),
    (33, 27),
    (57, 64),
    (101, 99),
];

/// Draws a map with up to `kinds` different costs, in patches.
pub fn map(seed: u64, kinds: usize) -> CostMap {
    let mut rng = Rng::new(seed);
    let (width, height) = SIZES[rng.index(SIZES.len())];
    let mut costs: Vec<u8> = (0..kinds).map(|_| 1 + rng.index(255) as u8).collect();
    costs[0] = 1;
    if kinds > 1 {
        costs[1] = 255;
    }
    let mut rows = Vec::new();
    while rows.len() < (width * height) as usize {
        let cost = costs[rng.index(kinds)];
        let run = 1 + rng.index(14);
        rows.extend(std::iter::repeat_n(cost, run));
    }
    rows.truncate((width * height) as usize);
    CostMap::from_rows(width, height, &rows).expect("a map")
}
