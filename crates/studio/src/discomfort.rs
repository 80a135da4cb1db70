//! The discomfort painted on the page.

use std::collections::HashMap;

use flowtiles::{Cell, CellRect};

/// The painted discomfort, and a revision for the page's cached colours.
#[derive(Default)]
pub struct Discomfort {
    strengths: HashMap<Cell, f32>,
    revision: u64,
}

impl Discomfort {
    /// The discomfort painted on a cell.
    pub fn of(&self, cell: Cell) -> f32 {
        self.strengths.get(&cell).copied().unwrap_or(0.0)
    }

    /// Returns a number that changes with each stroke.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Records that an area was painted.
    pub fn note(&mut self, area: CellRect, strength: f32) {
        self.revision += 1;
        for cell in area.cells() {
            if strength > 0.0 {
                self.strengths.insert(cell, strength);
            } else {
                self.strengths.remove(&cell);
            }
        }
    }
}
