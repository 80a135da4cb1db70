//! The discomfort that was painted on the page.

use std::collections::HashMap;

use flowtiles::{Cell, Rect};

/// Discomfort that was painted, and what the page's colours keep in mind.
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

    /// Changes with each stroke.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Notes that an area was painted.
    pub fn note(&mut self, area: Rect, strength: f32) {
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
