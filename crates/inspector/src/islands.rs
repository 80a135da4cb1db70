//! Islands, counted for the page: cells that can reach each other.
//!
//! The engine answers whether two cells are of one island. A picture wants a
//! number for each cell, so the cells are flooded once for each change of the
//! map, by straight steps: since a diagonal step needs both cells beside it
//! open, those join whatever can be joined.

use flowtiles::CostMap;

/// The number of a wall.
pub(crate) const WALL: u8 = 255;
/// Numbers for islands: 0 is the largest, others share the rest.
const NUMBERS: u32 = 254;

/// A number for each cell, row by row.
#[derive(Default)]
pub(crate) struct Islands {
    width: usize,
    numbers: Vec<u8>,
}

impl Islands {
    /// Floods a map.
    pub(crate) fn of(costs: &CostMap) -> Self {
        let width = costs.width() as usize;
        let rows = costs.to_rows();
        let mut labels = vec![0u32; rows.len()];
        let mut sizes: Vec<u32> = vec![0];
        let mut stack = Vec::new();
        for start in 0..rows.len() {
            if rows[start] == WALL || labels[start] != 0 {
                continue;
            }
            let label = sizes.len() as u32;
            sizes.push(0);
            labels[start] = label;
            stack.push(start);
            while let Some(at) = stack.pop() {
                sizes[label as usize] += 1;
                for next in beside(at, width, rows.len()) {
                    if rows[next] != WALL && labels[next] == 0 {
                        labels[next] = label;
                        stack.push(next);
                    }
                }
            }
        }
        let largest = (1..sizes.len()).max_by_key(|&label| (sizes[label], label));
        let number = |label: u32| match label {
            0 => WALL,
            label if Some(label as usize) == largest => 0,
            label => 1 + (label.wrapping_mul(0x9E37_79B1) >> 8) as u8 % (NUMBERS - 1) as u8,
        };
        Self {
            width,
            numbers: labels.into_iter().map(number).collect(),
        }
    }

    /// The number of a cell.
    pub(crate) fn number(&self, cell: flowtiles::Cell) -> u8 {
        let Ok(x) = usize::try_from(cell.x) else {
            return WALL;
        };
        let Ok(y) = usize::try_from(cell.y) else {
            return WALL;
        };
        if x >= self.width {
            return WALL;
        }
        let number = self.numbers.get(y * self.width + x);
        number.copied().unwrap_or(WALL)
    }
}

/// The cells beside one, in a map row by row.
fn beside(at: usize, width: usize, cells: usize) -> impl Iterator<Item = usize> {
    let column = at % width;
    let west = (column > 0).then(|| at - 1);
    let east = (column + 1 < width).then_some(at + 1);
    let north = at.checked_sub(width);
    let south = Some(at + width).filter(|&south| south < cells);
    [north, east, south, west].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cell, Cost, CostMap, FlowWorld, Rect};

    use super::*;

    #[test]
    fn cells_share_a_number_as_the_engine_has_them_reach_each_other() {
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(9);
            (state >> 33) % below
        };
        for _ in 0..5 {
            let mut map = CostMap::open(37, 23).unwrap();
            for cell in Rect::new(0, 0, 37, 23).cells() {
                if draw(100) < 42 {
                    map.fill(cell, Cost::WALL).unwrap();
                }
            }
            let islands = Islands::of(&map);
            let world = FlowWorld::new(map);
            let cells: Vec<Cell> = Rect::new(0, 0, 37, 23).cells().collect();
            for &one in &cells {
                assert_eq!(islands.number(one) == WALL, !world.reachable(one, one));
                for &two in cells.iter().step_by(5) {
                    if world.reachable(one, two) {
                        assert_eq!(islands.number(one), islands.number(two));
                    } else if islands.number(one) == 0 {
                        assert_ne!(islands.number(two), 0, "the largest has its number alone");
                    }
                }
            }
        }
    }
}
