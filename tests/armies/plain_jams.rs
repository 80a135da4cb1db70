//! An army's record of jams as plainly as possible.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use flowtiles::{Cell, CostMap};

/// The density from which on a level is above that of its place, and below which it is no
/// longer.
const RISES: [u32; 4] = [30, 45, 60, 75];
const FALLS: [u32; 4] = [15, 25, 40, 55];

/// A quarter by row and column, in quarters: in this order levels change that do so by as much.
type Quarter = [i32; 2];

fn quarter(cell: Cell) -> Quarter {
    [cell.y / 5, cell.x / 5]
}

/// The load and the level of each quarter that has any.
#[derive(Clone, Debug, Default)]
pub struct PlainJams {
    loads: BTreeMap<Quarter, u32>,
    levels: BTreeMap<Quarter, u8>,
}

impl PlainJams {
    /// The number of open cells of a quarter; of one in a rock, of all its cells.
    fn room(map: &CostMap, [y, x]: Quarter) -> u32 {
        let (left, top) = (5 * x, 5 * y);
        let rows = (top..top + 5).flat_map(|y| (left..left + 5).map(move |x| Cell::new(x, y)));
        let is_open = |cell: &Cell| map.get(*cell).is_some_and(|cost| !cost.is_wall());
        let open = rows.filter(is_open).count() as u32;
        if open == 0 { 25 } else { open }
    }

    /// Ends a round on a ground.
    pub fn note(&mut self, ground: &CostMap, units: &[(Cell, u16)]) {
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
                due.push((Reverse(level.abs_diff(now)), quarter, level));
            }
        }
        due.sort_unstable();
        due.dedup();
        for &(_, quarter, level) in due.iter().take(64) {
            self.levels.insert(quarter, level);
        }
    }

    fn level_of(&self, quarter: Quarter) -> u8 {
        self.levels.get(&quarter).copied().unwrap_or(0)
    }

    pub fn level(&self, cell: Cell) -> u8 {
        self.level_of(quarter(cell))
    }
}
