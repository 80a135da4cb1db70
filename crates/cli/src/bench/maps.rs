//! The maps that the command draws for itself: from whole numbers and fixed
//! seeds, so they are the same on every machine and need no file.
//!
//! None of them knows of sectors: rooms and corridors repeat every 18 and 4
//! cells, so their walls lie on sector borders only by chance.

use flowtiles::{Cell, Cost, CostMap, CostMapError, Rect};

use crate::landscape::Noise;
use crate::random::Random;

/// The names of the maps.
pub const NAMES: [&str; 6] = ["open", "rooms", "caves", "maze", "random", "terrain"];

const WALL: u8 = Cost::WALL.value();

/// Draws the map of one of [`NAMES`], `side` cells a side; `None` for another
/// name.
pub fn draw(name: &str, side: i32) -> Option<Result<CostMap, CostMapError>> {
    let mut sheet = Sheet::new(side);
    match name {
        "open" => {}
        "rooms" => sheet.rooms(&mut Random::new(1)),
        "caves" => sheet.caves(&mut Random::new(2)),
        "maze" => sheet.maze(&mut Random::new(3)),
        "random" => sheet.strew(20, &mut Random::new(4)),
        "terrain" => sheet.terrain(&Noise::new(5)),
        _ => return None,
    }
    Some(CostMap::from_rows(side as u32, side as u32, &sheet.costs))
}

/// A square of costs, row by row, open at first.
struct Sheet {
    side: i32,
    costs: Vec<u8>,
}

impl Sheet {
    fn new(side: i32) -> Self {
        let costs = vec![Cost::OPEN.value(); (side * side) as usize];
        Self { side, costs }
    }

    fn place(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.side).contains(&x) && (0..self.side).contains(&y);
        inside.then_some((y * self.side + x) as usize)
    }

    /// Whether a cell is a wall; what is off the map is one.
    fn is_wall(&self, x: i32, y: i32) -> bool {
        self.place(x, y).is_none_or(|at| self.costs[at] == WALL)
    }

    fn fill(&mut self, area: Rect, cost: u8) {
        for cell in area.cells() {
            if let Some(at) = self.place(cell.x, cell.y) {
                self.costs[at] = cost;
            }
        }
    }

    /// So many walls in a hundred cells.
    fn strew(&mut self, percent: i32, random: &mut Random) {
        for cost in &mut self.costs {
            if random.below(100) < percent {
                *cost = WALL;
            }
        }
    }

    /// Rooms of 17×17 cells with a wall of one between them, and a door of two
    /// somewhere in each.
    fn rooms(&mut self, random: &mut Random) {
        const PITCH: i32 = 18;
        for at in (PITCH - 1..self.side).step_by(PITCH as usize) {
            self.fill(Rect::new(at, 0, 1, self.side as u32), WALL);
            self.fill(Rect::new(0, at, self.side as u32, 1), WALL);
        }
        for y in (0..self.side).step_by(PITCH as usize) {
            for x in (0..self.side).step_by(PITCH as usize) {
                // In the first cells, so that no cut-off room lacks its door.
                let mut along = |from: i32| random.below((self.side - from - 1).clamp(1, 16));
                let (down, right) = (y + along(y), x + along(x));
                self.fill(Rect::new(x + PITCH - 1, down, 1, 2), 1);
                self.fill(Rect::new(right, y + PITCH - 1, 2, 1), 1);
            }
        }
        // The doors at a corner may have opened the crossing of two walls.
        for y in (PITCH - 1..self.side).step_by(PITCH as usize) {
            for x in (PITCH - 1..self.side).step_by(PITCH as usize) {
                self.fill(Rect::new(x, y, 1, 1), WALL);
            }
        }
    }

    /// Strewn walls, smoothed: a cell among five or more walls becomes one.
    fn caves(&mut self, random: &mut Random) {
        self.strew(41, random);
        for _ in 0..4 {
            let walls = |x: i32, y: i32| {
                let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
                around
                    .filter(|&(dx, dy)| self.is_wall(x + dx, y + dy))
                    .count()
            };
            let smooth = |x, y| if walls(x, y) >= 5 { WALL } else { 1 };
            self.costs = (0..self.side)
                .flat_map(|y| (0..self.side).map(move |x| (x, y)))
                .map(|(x, y)| smooth(x, y))
                .collect();
        }
    }

    /// Corridors three cells wide, dug by walking at random and turning back:
    /// between two cells there is one way only.
    fn maze(&mut self, random: &mut Random) {
        const PITCH: i32 = 4;
        self.costs.fill(WALL);
        let count = self.side / PITCH;
        let mut dug = vec![false; (count * count) as usize];
        let mut trail = vec![(0, 0)];
        dug[0] = true;
        self.fill(Rect::new(0, 0, 3, 3), 1);
        while let Some(&(x, y)) = trail.last() {
            let fresh = |&(dx, dy): &(i32, i32)| {
                let (x, y) = (x + dx, y + dy);
                (0..count).contains(&x) && (0..count).contains(&y) && !dug[(y * count + x) as usize]
            };
            let ways: Vec<(i32, i32)> = [(0, -1), (1, 0), (0, 1), (-1, 0)]
                .into_iter()
                .filter(fresh)
                .collect();
            if ways.is_empty() {
                trail.pop();
                continue;
            }
            let (dx, dy) = ways[random.below(ways.len() as i32) as usize];
            self.fill(Rect::new(x * PITCH + dx, y * PITCH + dy, 3, 3), 1);
            let next = (x + dx, y + dy);
            self.fill(Rect::new(next.0 * PITCH, next.1 * PITCH, 3, 3), 1);
            dug[(next.1 * count + next.0) as usize] = true;
            trail.push(next);
        }
    }

    /// Hills: ground of cost 1 to 20 that changes by small steps, no walls.
    fn terrain(&mut self, noise: &Noise) {
        for y in 0..self.side {
            for x in 0..self.side {
                let height = noise.height(Cell::new(x, y));
                // Most heights lie in the middle half; it is stretched.
                let part = (height - (1 << 14)).clamp(0, (1 << 15) - 1);
                let at = (y * self.side + x) as usize;
                self.costs[at] = 1 + ((part * 20) >> 15) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::FlowWorld;

    use super::*;
    use crate::bench::mainland::mainland;

    #[test]
    fn each_map_can_be_drawn_and_mostly_walked() {
        for side in [40, 97, 200] {
            for name in NAMES {
                let costs = draw(name, side).expect("a name").expect("a map");
                let open = costs.to_rows().iter().filter(|&&cost| cost != WALL).count();
                let world = FlowWorld::new(costs);
                let joined = mainland(&world).len();
                assert!(joined * 10 >= open * 8, "{name}: {joined} of {open} open");
                assert!(joined * 4 >= (side * side) as usize, "{name}: {joined}");
            }
        }
        assert!(draw("other", 40).is_none());
    }
}
