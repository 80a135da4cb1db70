//! The maps of the benches: 1000×1000 cells from fixed seeds.

// Every bench is a crate of its own and uses a part of this file.
#![allow(dead_code)]

use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};

/// The number of cells along a side.
pub const SIDE: i32 = 1000;

/// Returns each map with its name.
pub fn all() -> [(&'static str, CostMap); 4] {
    [
        ("open", open()),
        ("rooms", rooms()),
        ("walls 20 %", walls()),
        ("terrain", terrain()),
    ]
}

/// Returns open ground.
pub fn open() -> CostMap {
    CostMap::open(SIDE as u32, SIDE as u32).expect("within the limit")
}

/// Returns rooms of 17 cells, whose walls lie on sector borders only by chance;
/// each wall has a door of 2 cells.
pub fn rooms() -> CostMap {
    const PITCH: usize = 18;
    let mut map = open();
    let mut draw = Draw(1);
    let mut fill = |area: CellRect, cost| {
        let area = area.intersection(CellRect::new(0, 0, SIDE as u32, SIDE as u32));
        map.edit(area, cost).expect("on the map");
    };
    let walls = (PITCH as i32 - 1..SIDE).step_by(PITCH);
    for at in walls.clone() {
        fill(CellRect::new(at, 0, 1, SIDE as u32), Cost::WALL);
        fill(CellRect::new(0, at, SIDE as u32, 1), Cost::WALL);
    }
    for at in walls {
        for room in (0..SIDE).step_by(PITCH) {
            // The map ends after ten cells of the last rooms.
            fill(CellRect::new(at, room + draw.below(9), 1, 2), Cost::OPEN);
            fill(CellRect::new(room + draw.below(9), at, 2, 1), Cost::OPEN);
        }
    }
    map
}

/// Returns open ground with a wall in every fifth cell, at random.
pub fn walls() -> CostMap {
    let mut draw = Draw(2);
    from_cells(|_| if draw.below(5) == 0 { 255 } else { 1 })
}

/// Returns ground of cost 1 to 20 that changes gradually: numbers drawn 25
/// cells apart, and interpolated.
pub fn terrain() -> CostMap {
    const GRID: i32 = 25;
    let columns = SIDE / GRID + 1;
    let mut draw = Draw(3);
    let corners: Vec<i32> = (0..columns * columns).map(|_| draw.below(20)).collect();
    from_cells(|cell| {
        let corner =
            |dx, dy| corners[((cell.y / GRID + dy) * columns + cell.x / GRID + dx) as usize];
        let (right, down) = (cell.x % GRID, cell.y % GRID);
        let along = |dy| corner(0, dy) * (GRID - right) + corner(1, dy) * right;
        let height = along(0) * (GRID - down) + along(1) * down;
        1 + (height / (GRID * GRID)) as u8
    })
}

/// Returns ground of cost 4 with roads of cost 1, two cells wide, every 60 cells and along
/// some diagonals.
pub fn roads() -> CostMap {
    from_cells(|Cell { x, y }| {
        let straight = [x, y].iter().any(|at| (30..32).contains(&(at % 60)));
        let diagonal = (x + y) % 360 < 2 || (x - y).rem_euclid(480) < 2;
        if straight || diagonal { 1 } else { 4 }
    })
}

fn from_cells(cost: impl FnMut(Cell) -> u8) -> CostMap {
    let cells = CellRect::new(0, 0, SIDE as u32, SIDE as u32).cells();
    let rows: Vec<u8> = cells.map(cost).collect();
    CostMap::from_rows(SIDE as u32, SIDE as u32, &rows).expect("no cost is 0")
}

/// Drawn numbers (SplitMix64), the same on every machine.
pub struct Draw(pub u64);

impl Draw {
    /// Draws a number of 0..bound.
    pub fn below(&mut self, bound: i32) -> i32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as i32
    }

    /// Draws a cell of the map.
    pub fn cell(&mut self) -> Cell {
        Cell::new(self.below(SIDE), self.below(SIDE))
    }

    /// Draws cells from which `goal` can be reached.
    pub fn units(&mut self, world: &FlowWorld, goal: Cell, count: usize) -> Vec<Cell> {
        let drawn = std::iter::repeat_with(|| self.cell());
        drawn
            .filter(|&unit| world.reachable(unit, goal))
            .take(count)
            .collect()
    }
}

/// Returns the open cell nearest to a place, searching outward in squares: the
/// start and end of the benches' paths on every map.
pub fn open_near(world: &FlowWorld, place: Cell) -> Cell {
    (0..SIDE)
        .flat_map(|reach| {
            let side = 2 * reach as u32 + 1;
            CellRect::new(place.x - reach, place.y - reach, side, side).cells()
        })
        .find(|&cell| world.reachable(cell, cell))
        .expect("some cell is open")
}
