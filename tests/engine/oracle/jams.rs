//! The congestion record as plainly as possible.

use std::collections::BTreeMap;

use flowtiles::Cell;

use super::Map;
use super::draw::Rng;

/// The density from which on a level is above that of its place, and below which it is no
/// longer.
const RISES: [u32; 4] = [30, 45, 60, 75];
const FALLS: [u32; 4] = [15, 25, 40, 55];

/// A quarter by row and column of its sector, and by row and column in that: in this order
/// levels change.
type Quarter = [i32; 4];

fn quarter(cell: Cell) -> Quarter {
    [cell.y / 10, cell.x / 10, cell.y % 10 / 5, cell.x % 10 / 5]
}

/// The load and the level of each quarter that has any.
#[derive(Clone, Debug, Default)]
pub struct Jams {
    loads: BTreeMap<Quarter, u32>,
    levels: BTreeMap<Quarter, u8>,
    /// The quarter whose turn was the last, if others had to wait.
    last: Option<Quarter>,
}

impl Jams {
    /// The number of open cells of a quarter; of one in a rock, of all its cells.
    fn room(map: &Map, [sy, sx, y, x]: Quarter) -> u32 {
        let (left, top) = (10 * sx + 5 * x, 10 * sy + 5 * y);
        let rows = (top..top + 5).flat_map(|y| (left..left + 5).map(move |x| Cell::new(x, y)));
        let open = rows.filter(|&cell| map.is_open(cell)).count() as u32;
        if open == 0 { 25 } else { open }
    }

    /// Ends a round on a ground.
    pub fn note(&mut self, ground: &Map, units: &[(Cell, u16)]) {
        for load in self.loads.values_mut() {
            *load -= load.div_ceil(2);
        }
        for &(cell, filled) in units {
            *self.loads.entry(quarter(cell)).or_default() += u32::from(filled);
        }
        for (&quarter, load) in &mut self.loads {
            *load = (*load).min(2 * 150 * Self::room(ground, quarter));
        }
        let mut due = Vec::new();
        let all: Vec<Quarter> = self
            .loads
            .keys()
            .chain(self.levels.keys())
            .copied()
            .collect();
        for quarter in all {
            let load = self.loads.get(&quarter).copied().unwrap_or(0);
            let density = load / (2 * Self::room(ground, quarter));
            let now = self.level_of(quarter);
            let mut level = now;
            while level < 4 && density >= RISES[usize::from(level)] {
                level += 1;
            }
            while level > 0 && density < FALLS[usize::from(level) - 1] {
                level -= 1;
            }
            if level != now {
                due.push((Some(quarter) <= self.last, quarter, level));
            }
        }
        due.sort_unstable();
        due.dedup();
        let waits = due.len() > 64;
        for &(_, quarter, level) in due.iter().take(64) {
            self.levels.insert(quarter, level);
            self.last = Some(quarter);
        }
        self.last = self.last.filter(|_| waits);
    }

    fn level_of(&self, quarter: Quarter) -> u8 {
        self.levels.get(&quarter).copied().unwrap_or(0)
    }

    pub fn level(&self, cell: Cell) -> u8 {
        self.level_of(quarter(cell))
    }
}

/// Draws units in some areas, so that some of these fill up.
pub fn draw_units(map: &Map, rng: &mut Rng) -> Vec<(Cell, u16)> {
    let mut units = Vec::new();
    for _ in 0..rng.below(4) {
        let (area, filled) = (rng.area(map, 15), rng.pick(&[0, 40, 100, 100, 300, 6400]));
        units.extend(area.cells().map(|cell| (cell, filled)));
    }
    units
}
