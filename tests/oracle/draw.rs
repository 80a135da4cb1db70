//! Maps drawn from seeds.

use flowtiles::{Cell, CellRect};

use super::{Map, WALL, shrink};
pub use crate::draws::Rng;
use crate::draws::draws;

impl Rng {
    /// Draws a number from `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below(high - low + 1)
    }

    /// Returns true with a probability of `percent` in a hundred.
    pub fn chance(&mut self, percent: i32) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as i32) as usize]
    }

    pub fn cell(&mut self, map: &Map) -> Cell {
        Cell::new(self.below(map.width), self.below(map.height))
    }

    /// Draws an open cell; `None` if the map has none.
    pub fn open_cell(&mut self, map: &Map) -> Option<Cell> {
        let open = map.open_cells();
        (!open.is_empty()).then(|| self.pick(&open))
    }

    /// Draws a rectangle on the map with sides of at most `side` cells.
    pub fn area(&mut self, map: &Map, side: i32) -> CellRect {
        let corner = self.cell(map);
        let width = self.between(1, side.min(map.width - corner.x));
        let height = self.between(1, side.min(map.height - corner.y));
        CellRect::new(corner.x, corner.y, width as u32, height as u32)
    }
}

/// The kind of a drawn map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Open,
    /// This percentage of walls.
    Walls(i32),
    Rooms,
    Caves,
    Maze,
    /// Patches of ground of cost 1 to 20, and a few walls.
    Terrain,
    /// A separate cost for every cell, 1 to 254, and a few walls.
    Rough,
    /// One long path back and forth, of cost 254.
    Serpentine,
    /// One cost and some walls.
    Even(u8),
    /// Ground of cost 4 with roads of cost 1.
    Roads,
    /// A patchwork of the others.
    Mixed,
}

impl Look {
    pub const ALL: [Self; 12] = [
        Self::Open,
        Self::Walls(10),
        Self::Walls(20),
        Self::Walls(30),
        Self::Walls(40),
        Self::Rooms,
        Self::Caves,
        Self::Maze,
        Self::Terrain,
        Self::Rough,
        Self::Serpentine,
        Self::Mixed,
    ];
    /// More looks, of one cost or two.
    pub const EVEN: [Self; 2] = [Self::Even(4), Self::Roads];
}

/// Sizes around the sector's side, thin ones, and large ones that are not
/// square.
pub const SIZES: [(i32, i32); 15] = [
    (1, 1),
    (1, 9),
    (21, 1),
    (9, 9),
    (10, 10),
    (11, 11),
    (9, 11),
    (19, 10),
    (19, 19),
    (21, 21),
    (11, 21),
    (10, 31),
    (25, 14),
    (33, 58),
    (137, 64),
];

/// Calls `check` with maps of every look and each of these sizes, and with the random numbers that
/// follow each map's: with `each` of a look and a size where there are nine times the
/// [`draws`] of a quick run. With three times there is at least one, and a quick run has a third
/// of those, with each look at other sizes. Different salts draw different maps. Where `check` panics, it is called again
/// with ever less, and the panic that is reported is that of the least ([`shrink`]).
pub fn for_drawn(
    salt: u64,
    sizes: &[(i32, i32)],
    each: u64,
    mut check: impl FnMut(&Map, &mut Rng),
) {
    let draws = draws();
    let each = (each * draws.max(3)).div_ceil(9);
    for (row, look) in Look::ALL.into_iter().chain(Look::EVEN).enumerate() {
        for (column, &(width, height)) in sizes.iter().enumerate() {
            for seed in 0..each {
                if (salt + (row + column) as u64 + seed) % 3 >= draws {
                    continue;
                }
                let mut rng = Rng::new(salt << 32 | seed);
                let map = draw(look, width, height, &mut rng);
                shrink::check(map, rng, &mut check);
            }
        }
    }
}

pub fn draw(look: Look, width: i32, height: i32, rng: &mut Rng) -> Map {
    let mut map = Map::open(width, height);
    match look {
        Look::Open => {}
        Look::Walls(percent) => strew(&mut map, percent, rng),
        Look::Rooms => rooms(&mut map, rng),
        Look::Caves => caves(&mut map, rng),
        Look::Maze => maze(&mut map, rng),
        Look::Terrain => terrain(&mut map, rng),
        Look::Rough => {
            map.costs.fill_with(|| rng.between(1, 254) as u8);
            strew(&mut map, 8, rng);
        }
        Look::Serpentine => serpentine(&mut map, 254),
        Look::Even(cost) => {
            map.costs.fill(cost);
            let percent = rng.pick(&[0, 1, 20]);
            strew(&mut map, percent, rng);
        }
        Look::Roads => roads(&mut map, rng),
        Look::Mixed => mixed(&mut map, rng),
    }
    map
}

fn strew(map: &mut Map, percent: i32, rng: &mut Rng) {
    for cost in &mut map.costs {
        if rng.chance(percent) {
            *cost = WALL;
        }
    }
}

/// Draws straight roads of one to three cells across ground of cost 4, most of which is
/// open.
fn roads(map: &mut Map, rng: &mut Rng) {
    map.costs.fill(4);
    let percent = rng.pick(&[0, 0, 3]);
    strew(map, percent, rng);
    let (width, height) = (map.width as u32, map.height as u32);
    for _ in 0..1 + (width + height) / 40 {
        let wide = rng.between(1, 3) as u32;
        let area = if rng.chance(50) {
            CellRect::new(0, rng.below(map.height), width, wide)
        } else {
            CellRect::new(rng.below(map.width), 0, wide, height)
        };
        open_where_on_map(map, area);
    }
}

/// Draws walls between rooms, and a door of one or two cells in most of them.
fn rooms(map: &mut Map, rng: &mut Rng) {
    let side = rng.between(3, 12);
    for cell in map.cells() {
        if cell.x % (side + 1) == side || cell.y % (side + 1) == side {
            map.set(cell, WALL);
        }
    }
    for y in (0..map.height).step_by(side as usize + 1) {
        for x in (0..map.width).step_by(side as usize + 1) {
            let along = rng.below(side);
            let doors = [
                CellRect::new(x + side, y + along, 1, rng.between(1, 2) as u32),
                CellRect::new(x + along, y + side, rng.between(1, 2) as u32, 1),
            ];
            for door in doors {
                if rng.chance(85) {
                    open_where_on_map(map, door);
                }
            }
        }
    }
}

fn open_where_on_map(map: &mut Map, area: CellRect) {
    for cell in area.cells() {
        if map.contains(cell) {
            map.set(cell, 1);
        }
    }
}

/// Draws caves by a cellular automaton: a cell with five or more walls around
/// it becomes a wall.
fn caves(map: &mut Map, rng: &mut Rng) {
    strew(map, 42, rng);
    for _ in 0..4 {
        let before = map.clone();
        for cell in before.cells() {
            let open = before.neighbours(cell);
            let walls = 8 - open.filter(|&next| before.is_open(next)).count();
            let wall = walls > 4 || (walls == 4 && !before.is_open(cell));
            map.set(cell, if wall { WALL } else { 1 });
        }
    }
}

/// Draws corridors one to three cells wide, dug by walking and turning back.
fn maze(map: &mut Map, rng: &mut Rng) {
    let corridor = rng.between(1, 3);
    let pitch = corridor + 1;
    let count = |cells: i32| (cells + pitch - 1) / pitch;
    let (columns, rows) = (count(map.width), count(map.height));
    map.costs.fill(WALL);
    let mut visited = vec![false; (columns * rows) as usize];
    let mut trail = vec![(0, 0)];
    visited[0] = true;
    while let Some(&(x, y)) = trail.last() {
        let side = corridor as u32;
        open_where_on_map(map, CellRect::new(x * pitch, y * pitch, side, side));
        let ways: Vec<(i32, i32)> = [(0, -1), (1, 0), (0, 1), (-1, 0)]
            .into_iter()
            .filter(|(dx, dy)| {
                let (nx, ny) = (x + dx, y + dy);
                (0..columns).contains(&nx)
                    && (0..rows).contains(&ny)
                    && !visited[(ny * columns + nx) as usize]
            })
            .collect();
        if ways.is_empty() {
            trail.pop();
            continue;
        }
        let (dx, dy) = rng.pick(&ways);
        visited[((y + dy) * columns + x + dx) as usize] = true;
        open_where_on_map(
            map,
            CellRect::new(x * pitch + dx, y * pitch + dy, side, side),
        );
        trail.push((x + dx, y + dy));
    }
}

fn terrain(map: &mut Map, rng: &mut Rng) {
    for _ in 0..map.costs.len() / 20 + 1 {
        let (area, cost) = (rng.area(map, 9), rng.between(1, 20) as u8);
        map.fill(area, cost);
    }
    strew(map, 5, rng);
}

/// Makes every second row a wall with one gap, alternately at its two ends.
pub fn serpentine(map: &mut Map, cost: u8) {
    map.costs.fill(cost);
    for y in (1..map.height).step_by(2) {
        map.fill(CellRect::new(0, y, map.width as u32, 1), WALL);
        let gap = if y % 4 == 1 { map.width - 1 } else { 0 };
        map.set(Cell::new(gap, y), cost);
    }
}

fn mixed(map: &mut Map, rng: &mut Rng) {
    let side = rng.between(4, 13);
    let looks = Look::ALL.map(|look| {
        let plain = if look == Look::Mixed {
            Look::Open
        } else {
            look
        };
        draw(plain, map.width, map.height, rng)
    });
    for y in (0..map.height).step_by(side as usize) {
        for x in (0..map.width).step_by(side as usize) {
            let look = rng.below(looks.len() as i32) as usize;
            for cell in CellRect::new(x, y, side as u32, side as u32).cells() {
                if map.contains(cell) {
                    map.set(cell, looks[look].cost(cell));
                }
            }
        }
    }
}
