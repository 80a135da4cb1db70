//! Ids of units by the squares in which they lie.

use std::collections::BTreeMap;

use crate::vector::{Vector, floor};

/// The side of a square, in cells.
const SIDE: f32 = 4.0;

#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    by_square: BTreeMap<[i32; 2], Vec<u32>>,
}

impl Buckets {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_square.is_empty()
    }

    pub(crate) fn insert(&mut self, id: u32, position: Vector) {
        self.by_square.entry(square(position)).or_default().push(id);
    }

    /// Takes out a unit that was put in at this position.
    pub(crate) fn remove(&mut self, id: u32, position: Vector) {
        let place = square(position);
        if let Some(ids) = self.by_square.get_mut(&place) {
            ids.retain(|&other| other != id);
            if ids.is_empty() {
                self.by_square.remove(&place);
            }
        }
    }

    /// Calls `visit` with the id of each unit between two corners, and with some around.
    pub(crate) fn visit(&self, low: Vector, high: Vector, mut visit: impl FnMut(u32)) {
        let ([top, left], [bottom, right]) = (square(low), square(high));
        if top > bottom || left > right {
            return;
        }
        let mut visit_all = |ids: &Vec<u32>| ids.iter().copied().for_each(&mut visit);
        // Whichever is shorter: all rows, or all squares.
        if (i64::from(bottom) - i64::from(top)) < self.by_square.len() as i64 {
            for row in top..=bottom {
                let squares = self.by_square.range([row, left]..=[row, right]);
                squares.for_each(|(_, ids)| visit_all(ids));
            }
        } else {
            let squares = self.by_square.range([top, left]..=[bottom, right]);
            let squares = squares.filter(|([_, column], _)| (left..=right).contains(column));
            squares.for_each(|(_, ids)| visit_all(ids));
        }
    }
}

/// The row and the column of the square at a position.
fn square(position: Vector) -> [i32; 2] {
    let [x, y] = position.map(|at| floor(at / SIDE));
    [y, x]
}
