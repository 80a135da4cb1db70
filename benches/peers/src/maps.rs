//! Maps: drawn from a seed, or read from a Moving AI file.

use std::path::Path;

use flowtiles::Cell;
use flowtiles_formats::{Terrain, read_movingai};

use crate::ground::{Ground, WALL};
use crate::random::{Random, mixed};

/// The number of cells along each side of a drawn map.
pub const SIDE: i32 = 1000;
/// The names of the drawn maps.
pub const DRAWN: [&str; 5] = ["open", "hills", "maze", "random20", "caves"];

/// Makes the map of this name: one of [`DRAWN`], or a file's path.
pub fn make(name: &str) -> Result<Ground, String> {
    let costs = match name {
        "open" => vec![1; (SIDE * SIDE) as usize],
        "hills" => each_cell(hill),
        "maze" => maze(&mut Random::new(3)),
        "random20" => {
            let mut random = Random::new(4);
            each_cell(|_| if random.below(5) == 0 { WALL } else { 1 })
        }
        "caves" => caves(&mut Random::new(5)),
        file => return read(Path::new(file)),
    };
    Ok(Ground {
        width: SIDE,
        height: SIDE,
        costs,
    })
}

/// Returns the name of a map in tables.
pub fn title(name: &str) -> String {
    match name {
        "open" => "open 1000²".into(),
        "hills" => "hills 1000²".into(),
        "maze" => "maze 1000²".into(),
        "random20" => "random 20 % 1000²".into(),
        "caves" => "caves 1000²".into(),
        file => Path::new(file)
            .file_stem()
            .map_or_else(|| file.into(), |stem| stem.to_string_lossy().into_owned()),
    }
}

fn read(path: &Path) -> Result<Ground, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read(path).map_err(|error| fault(&error))?;
    let map = read_movingai(&text, &Terrain::benchmark()).map_err(|error| fault(&error))?;
    Ok(Ground {
        width: map.width() as i32,
        height: map.height() as i32,
        costs: map.to_rows(),
    })
}

fn each_cell(mut cost: impl FnMut(Cell) -> u8) -> Vec<u8> {
    (0..SIDE * SIDE)
        .map(|at| cost(Cell::new(at % SIDE, at / SIDE)))
        .collect()
}

/// Returns the cost of a cell among hills, 1 to 20: noise of three sizes, with
/// wide valleys and narrow tops.
fn hill(cell: Cell) -> u8 {
    let height = 0.6 * noise(cell, 160) + 0.3 * noise(cell, 60) + 0.1 * noise(cell, 20);
    (1.0 + 30.0 * (height - 0.3).max(0.0).powf(1.5) / 0.6).min(20.0) as u8
}

/// Returns smooth noise of 0 to 1: values at the corners of a grid,
/// interpolated.
fn noise(cell: Cell, grid: i32) -> f64 {
    let corner = |x: i32, y: i32| {
        let bits = mixed((x as u64) << 40 ^ (y as u64) << 16 ^ grid as u64);
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    };
    let blend = |a: f64, b: f64, at: f64| a + (b - a) * at * at * (3.0 - 2.0 * at);
    let (x, y) = (cell.x / grid, cell.y / grid);
    let across = f64::from(cell.x % grid) / f64::from(grid);
    let down = f64::from(cell.y % grid) / f64::from(grid);
    blend(
        blend(corner(x, y), corner(x + 1, y), across),
        blend(corner(x, y + 1), corner(x + 1, y + 1), across),
        down,
    )
}

/// Draws corridors of three cells between walls of one, dug by a walk that
/// turns back at dead ends; afterwards one wall in twelve is opened, for loops.
fn maze(random: &mut Random) -> Vec<u8> {
    const PITCH: i32 = 4;
    let rooms = SIDE / PITCH;
    let mut costs = each_cell(|cell| {
        let in_wall = cell.x % PITCH == PITCH - 1 || cell.y % PITCH == PITCH - 1;
        if in_wall { WALL } else { 1 }
    });
    let mut open = |room: Cell, (dx, dy): (i32, i32)| {
        for along in 0..PITCH - 1 {
            let (x, y) = match (dx, dy) {
                (1, 0) => (PITCH - 1, along),
                (-1, 0) => (-1, along),
                (0, 1) => (along, PITCH - 1),
                _ => (along, -1),
            };
            let cell = Cell::new(room.x * PITCH + x, room.y * PITCH + y);
            costs[(cell.y * SIDE + cell.x) as usize] = 1;
        }
    };
    let inside = |room: Cell| (0..rooms).contains(&room.x) && (0..rooms).contains(&room.y);
    let sides = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let mut dug = vec![false; (rooms * rooms) as usize];
    let mut trail = vec![Cell::new(0, 0)];
    dug[0] = true;
    while let Some(&room) = trail.last() {
        let ahead = |side: &(i32, i32)| Cell::new(room.x + side.0, room.y + side.1);
        let new = |to: Cell| inside(to) && !dug[(to.y * rooms + to.x) as usize];
        let choices: Vec<_> = sides.iter().filter(|side| new(ahead(side))).collect();
        if choices.is_empty() {
            trail.pop();
            continue;
        }
        let side = choices[random.below(choices.len())];
        let next = ahead(side);
        dug[(next.y * rooms + next.x) as usize] = true;
        open(room, *side);
        trail.push(next);
    }
    for at in 0..rooms * rooms {
        let room = Cell::new(at % rooms, at / rooms);
        let side = sides[random.below(2)];
        if random.below(6) == 0 && inside(Cell::new(room.x + side.0, room.y + side.1)) {
            open(room, side);
        }
    }
    costs
}

/// Draws half walls and smooths them five times: a cell becomes what most cells
/// around it are.
fn caves(random: &mut Random) -> Vec<u8> {
    let mut costs = each_cell(|_| if random.below(100) < 45 { WALL } else { 1 });
    for _ in 0..5 {
        let before = Ground {
            width: SIDE,
            height: SIDE,
            costs,
        };
        costs = each_cell(|cell| {
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            let walls = around
                .filter(|(dx, dy)| !before.is_open(Cell::new(cell.x + dx, cell.y + dy)))
                .count();
            if walls >= 5 { WALL } else { 1 }
        });
    }
    costs
}
