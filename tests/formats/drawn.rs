//! Maps, numbers and damages drawn from seeds.

use flowtiles::CostMap;

/// SplitMix64: the same everywhere.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number below `limit`, which is more than 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.word() % limit as u64) as usize
    }
}

/// Sizes at which sectors are whole, ragged, or hardly there.
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

/// A map with up to `kinds` different costs, in patches.
pub fn map(seed: u64, kinds: usize) -> CostMap {
    let mut rng = Rng::new(seed);
    let (width, height) = SIZES[rng.below(SIZES.len())];
    let mut costs: Vec<u8> = (0..kinds).map(|_| 1 + rng.below(255) as u8).collect();
    costs[0] = 1;
    if kinds > 1 {
        costs[1] = 255;
    }
    let mut rows = Vec::new();
    while rows.len() < (width * height) as usize {
        let cost = costs[rng.below(kinds)];
        let run = 1 + rng.below(14);
        rows.extend(std::iter::repeat_n(cost, run));
    }
    rows.truncate((width * height) as usize);
    CostMap::from_rows(width, height, &rows).expect("a map")
}

/// Changes bytes in one of the ways in which files go wrong.
pub fn damage(bytes: &mut Vec<u8>, rng: &mut Rng, pieces: &[&[u8]]) {
    let at = rng.below(bytes.len() + 1);
    let until = (at + rng.below(12)).min(bytes.len());
    let piece = pieces[rng.below(pieces.len())];
    match rng.below(7) {
        0 if at < bytes.len() => bytes[at] = rng.word() as u8,
        1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
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
