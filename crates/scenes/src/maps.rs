//! The maps that the command draws. They are computed from whole numbers and fixed
//! seeds, so they are the same on every machine and need no file.
//!
//! None of them depends on sectors: rooms and corridors repeat every 18 and 4
//! cells, so their walls lie on sector borders only by chance.

use flowtiles::error::CostMapError;
use flowtiles::{Cell, CellRect, Cost, CostMap};

use flowtiles_country::landscape::Noise;
use flowtiles_country::random::Random;

/// The names of the maps.
pub const NAMES: [&str; 7] = [
    "open", "rooms", "caves", "maze", "random", "terrain", "roads",
];

const WALL: u8 = Cost::WALL.value();

/// Draws the map of one of [`NAMES`] as it is measured, `side` cells a side;
/// `None` for another name.
pub fn draw(name: &str, side: i32) -> Option<Result<CostMap, CostMapError>> {
    let seed = NAMES.iter().position(|known| *known == name)?;
    draw_sized(name, [side, side], seed as u64)
}

/// Draws the map of one of [`NAMES`] in a size and from a seed; `None` for
/// another name.
pub fn draw_sized(
    name: &str,
    [width, height]: [i32; 2],
    seed: u64,
) -> Option<Result<CostMap, CostMapError>> {
    let mut sheet = MapRows::new(width, height);
    let mut random = Random::new(seed);
    match name {
        "open" => {}
        "rooms" => sheet.rooms(18, &mut random),
        "rooms of 8" => sheet.rooms(9, &mut random),
        "caves" => sheet.caves(&mut random),
        "maze" => sheet.maze(&mut random),
        "random" => sheet.strew(20, &mut random),
        "random 10 %" => sheet.strew(10, &mut random),
        "random 35 %" => sheet.strew(35, &mut random),
        "terrain" => sheet.terrain(&Noise::new(seed)),
        "costs 1 to 10" => sheet.prices([1, 10], &mut random),
        "costs 1 to 20" => sheet.prices([1, 20], &mut random),
        "costs 60 to 254" => sheet.prices([60, 254], &mut random),
        "costs 1 to 20, walls" => {
            sheet.prices([1, 20], &mut random);
            sheet.strew(20, &mut random);
        }
        "costs 60 to 254, walls" => {
            sheet.prices([60, 254], &mut random);
            sheet.strew(20, &mut random);
        }
        "roads" => sheet.road_net(&mut random),
        "costs 60 to 254, roads" => {
            sheet.prices([60, 254], &mut random);
            sheet.roads(&mut random);
        }
        "patches" => sheet.patches(&mut random),
        "fields and fences" => {
            sheet.patches(&mut random);
            sheet.strew(15, &mut random);
            sheet.roads(&mut random);
        }
        _ => return None,
    }
    let rows = CostMap::from_rows(width as u32, height as u32, &sheet.costs);
    Some(rows)
}

/// Costs, row by row, open at first.
struct MapRows {
    width: i32,
    height: i32,
    costs: Vec<u8>,
}

impl MapRows {
    fn new(width: i32, height: i32) -> Self {
        let costs = vec![Cost::OPEN.value(); width as usize * height as usize];
        Self {
            width,
            height,
            costs,
        }
    }

    fn place(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| y as usize * self.width as usize + x as usize)
    }

    /// A cost within these bounds in each cell.
    fn prices(&mut self, [low, high]: [i32; 2], random: &mut Random) {
        for cost in &mut self.costs {
            *cost = random.between(low, high + 1) as u8;
        }
    }

    /// Ground of cost 4 with a net of roads of cost 1, two cells wide: straight ones about
    /// every 60 cells in both directions, and some diagonal ones.
    fn road_net(&mut self, random: &mut Random) {
        const GROUND: u8 = 4;
        const PITCH: i32 = 60;
        self.costs.fill(GROUND);
        let (width, height) = (self.width, self.height);
        let place = |line: i32, random: &mut Random| line + random.between(20, 40);
        for line in (0..width).step_by(PITCH as usize) {
            let x = place(line, random);
            self.fill(CellRect::new(x, 0, 2, height as u32), 1);
        }
        for line in (0..height).step_by(PITCH as usize) {
            let y = place(line, random);
            self.fill(CellRect::new(0, y, width as u32, 2), 1);
        }
        for _ in 0..(width + height) / 400 {
            let (x, rises) = (random.below(width), random.below(2) == 0);
            for y in 0..height {
                let x = if rises { x + y } else { x - y };
                self.fill(CellRect::new(x, y, 2, 1), 1);
            }
        }
    }

    /// Winding lines of cost 1, a cell wide.
    fn roads(&mut self, random: &mut Random) {
        for _ in 0..(self.width + self.height) / 12 {
            let (mut x, mut y) = (random.below(self.width), random.below(self.height));
            let mut heading = random.below(4);
            for _ in 0..self.width + self.height {
                self.fill(CellRect::new(x, y, 1, 1), 1);
                heading = match random.below(6) {
                    0 => heading + 1,
                    1 => heading + 3,
                    _ => heading,
                } % 4;
                let (dx, dy) = [(0, -1), (1, 0), (0, 1), (-1, 0)][heading as usize];
                (x, y) = (x + dx, y + dy);
            }
        }
    }

    /// Rectangles of drawn costs over ground of cost 1, some of them walls.
    fn patches(&mut self, random: &mut Random) {
        for _ in 0..self.width * self.height / 60 {
            let (x, y) = (random.below(self.width), random.below(self.height));
            let (width, height) = (random.between(1, 16), random.between(1, 16));
            let cost = match random.below(8) {
                0 => i32::from(WALL),
                1 | 2 => random.between(60, 255),
                3 => 1,
                _ => random.between(2, 21),
            };
            self.fill(CellRect::new(x, y, width as u32, height as u32), cost as u8);
        }
    }

    /// Whether a cell is a wall or off the map.
    fn is_wall(&self, x: i32, y: i32) -> bool {
        self.place(x, y).is_none_or(|at| self.costs[at] == WALL)
    }

    fn fill(&mut self, area: CellRect, cost: u8) {
        for cell in area.cells() {
            if let Some(at) = self.place(cell.x, cell.y) {
                self.costs[at] = cost;
            }
        }
    }

    /// Makes each cell a wall with a chance of `percent`.
    fn strew(&mut self, percent: i32, random: &mut Random) {
        for cost in &mut self.costs {
            if random.below(100) < percent {
                *cost = WALL;
            }
        }
    }

    /// Rooms with a wall of one cell between them, `pitch` cells from one wall to
    /// the next, and a door of two somewhere in each.
    fn rooms(&mut self, pitch: i32, random: &mut Random) {
        let (width, height) = (self.width, self.height);
        for x in (pitch - 1..width).step_by(pitch as usize) {
            self.fill(CellRect::new(x, 0, 1, height as u32), WALL);
        }
        for y in (pitch - 1..height).step_by(pitch as usize) {
            self.fill(CellRect::new(0, y, width as u32, 1), WALL);
        }
        for y in (0..height).step_by(pitch as usize) {
            for x in (0..width).step_by(pitch as usize) {
                // On the map, so that rooms cut by its edge have doors, too.
                let mut along =
                    |from: i32, side: i32| random.below((side - from - 1).clamp(1, pitch - 2));
                let (down, right) = (y + along(y, height), x + along(x, width));
                self.fill(CellRect::new(x + pitch - 1, down, 1, 2), 1);
                self.fill(CellRect::new(right, y + pitch - 1, 2, 1), 1);
            }
        }
        // The doors at a corner may have opened the crossing of two walls.
        for y in (pitch - 1..height).step_by(pitch as usize) {
            for x in (pitch - 1..width).step_by(pitch as usize) {
                self.fill(CellRect::new(x, y, 1, 1), WALL);
            }
        }
    }

    /// Strewn walls, smoothed: a cell among five or more walls becomes one.
    fn caves(&mut self, random: &mut Random) {
        self.strew(41, random);
        for _ in 0..4 {
            let walls = |x: i32, y: i32| {
                let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
                offsets
                    .filter(|&(dx, dy)| self.is_wall(x + dx, y + dy))
                    .count()
            };
            let smooth = |x, y| if walls(x, y) >= 5 { WALL } else { 1 };
            self.costs = (0..self.height)
                .flat_map(|y| (0..self.width).map(move |x| (x, y)))
                .map(|(x, y)| smooth(x, y))
                .collect();
        }
    }

    /// Corridors three cells wide, dug by walking at random and turning back. There
    /// is only one path between two cells.
    fn maze(&mut self, random: &mut Random) {
        const PITCH: i32 = 4;
        self.costs.fill(WALL);
        let (columns, rows) = (self.width / PITCH, self.height / PITCH);
        if columns == 0 || rows == 0 {
            return;
        }
        let mut dug = vec![false; (columns * rows) as usize];
        let mut trail = vec![(0, 0)];
        dug[0] = true;
        self.fill(CellRect::new(0, 0, 3, 3), 1);
        while let Some(&(x, y)) = trail.last() {
            let fresh = |&(dx, dy): &(i32, i32)| {
                let (x, y) = (x + dx, y + dy);
                (0..columns).contains(&x)
                    && (0..rows).contains(&y)
                    && !dug[(y * columns + x) as usize]
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
            self.fill(CellRect::new(x * PITCH + dx, y * PITCH + dy, 3, 3), 1);
            let next = (x + dx, y + dy);
            self.fill(CellRect::new(next.0 * PITCH, next.1 * PITCH, 3, 3), 1);
            dug[(next.1 * columns + next.0) as usize] = true;
            trail.push(next);
        }
    }

    /// Hills: ground of cost 1 to 20 that changes by small steps, no walls.
    fn terrain(&mut self, noise: &Noise) {
        for y in 0..self.height {
            for x in 0..self.width {
                let height = noise.height(Cell::new(x, y));
                // Most heights lie in the middle half of the range, so it is stretched.
                let part = (height - (1 << 14)).clamp(0, (1 << 15) - 1);
                let place = y as usize * self.width as usize + x as usize;
                self.costs[place] = 1 + ((part * 20) >> 15) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::FlowWorld;

    use super::*;
    use crate::mainland::mainland;

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
