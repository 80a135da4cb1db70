//! Maps and damage drawn from seeds.

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

/// Changes bytes in one of the ways in which files get damaged.
pub fn damage(bytes: &mut Vec<u8>, rng: &mut Rng, pieces: &[&[u8]]) {
    let at = rng.index(bytes.len() + 1);
    let until = (at + rng.index(12)).min(bytes.len());
    let piece = pieces[rng.index(pieces.len())];
    match rng.index(7) {
        0 if at < bytes.len() => bytes[at] = rng.word() as u8,
        1 if at < bytes.len() => bytes[at] ^= 1 << rng.index(8),
        2 => drop(bytes.drain(at..until)),
        3 => bytes.truncate(at),
        4 => drop(bytes.splice(at..at, piece.iter().copied())),
        5 => drop(bytes.splice(at..until, piece.iter().copied())),
        _ => {
            let copy = bytes[at..until].to_vec();
            drop(bytes.splice(at..at, copy));
        }
    }
}
