//! Changes bytes, as damage does or in the ways that find faults.

use crate::draws::Rng;

/// Numbers at the edges of their kinds, in bytes, and pieces of text files.
const PIECES: [&[u8]; 28] = [
    &[0],
    &[0xFF],
    &[0x80],
    &[0x7F],
    &[0, 0, 0, 0],
    &[0xFF, 0xFF],
    &[0, 0x80],
    &[0xFF, 0xFF, 0xFF, 0xFF],
    &[0xFF, 0xFF, 0xFF, 0x7F],
    &[0, 0, 0, 0x80],
    &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
    // Floats: not a number, infinity, the largest, the smallest.
    &[0, 0, 0xC0, 0x7F],
    &[0, 0, 0x80, 0x7F],
    &[0xFF, 0xFF, 0x7F, 0x7F],
    &[1, 0, 0, 0],
    b"\n",
    b"0",
    b"-1",
    b"1e308",
    b"65536",
    b"4294967295",
    b"18446744073709551616",
    b"null",
    b"[]",
    b"\"",
    b"<",
    b"\xEF\xBB\xBF",
];
/// The most bytes of an input.
const MOST: usize = 4_096;

/// Inputs without end: some drawn, most of them changed ones.
pub struct Changes {
    rng: Rng,
    corpus: Vec<Vec<u8>>,
}

impl Changes {
    /// Changes these inputs.
    #[must_use]
    pub fn new(seed: u64, corpus: Vec<Vec<u8>>) -> Self {
        Self {
            rng: Rng::new(seed),
            corpus,
        }
    }

    fn at(&mut self, length: usize) -> usize {
        self.rng.below(length as i32 + 1) as usize
    }

    /// A stretch of these bytes, mostly a short one.
    fn stretch(&mut self, length: usize) -> std::ops::Range<usize> {
        let from = self.at(length);
        let most = self.rng.pick(&[1, 4, 16, 64, 1_000]);
        let to = from + self.at((length - from).min(most));
        from..to
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let stretch = self.stretch(bytes.len());
        let at = stretch.start;
        match self.rng.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.rng.below(8),
            1 if at < bytes.len() => bytes[at] = self.rng.word() as u8,
            2 if at < bytes.len() => {
                let step = self.rng.pick(&[1, 2, 16, 0xFF]);
                bytes[at] = bytes[at].wrapping_add(step);
            }
            3 => {
                let piece = self.rng.pick(&PIECES);
                let end = (at + piece.len()).min(bytes.len());
                let kept = if self.rng.chance(50) { at } else { end };
                bytes.splice(at..kept, piece.iter().copied());
            }
            4 => drop(bytes.drain(stretch)),
            5 => {
                let copy = bytes[stretch].to_vec();
                let to = self.at(bytes.len());
                bytes.splice(to..to, copy);
            }
            6 if !self.corpus.is_empty() => {
                let other = self.rng.below(self.corpus.len() as i32) as usize;
                let from = self.stretch(self.corpus[other].len());
                let piece = self.corpus[other][from].to_vec();
                bytes.splice(stretch, piece);
            }
            _ => {
                let piece: Vec<u8> = stretch.clone().map(|_| self.rng.word() as u8).collect();
                bytes.splice(stretch, piece);
            }
        }
    }
}

impl Iterator for Changes {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut bytes = if self.corpus.is_empty() || self.rng.chance(15) {
            let length = self.rng.pick(&[8, 64, 256, 1_000]);
            (0..self.at(length))
                .map(|_| self.rng.word() as u8)
                .collect()
        } else {
            let at = self.rng.below(self.corpus.len() as i32) as usize;
            self.corpus[at].clone()
        };
        for _ in 0..self.rng.pick(&[1, 1, 2, 4, 16]) {
            self.change(&mut bytes);
        }
        bytes.truncate(MOST);
        Some(bytes)
    }
}
