//! Small pictures of scenes: the ground, the units, their goals.

use flowtiles::{CellRect, Cost};

use crate::aim::Aim;
use crate::scene::Scene;

/// The longest side of a picture, in pixels.
const SIDE: u32 = 60;
const WALL: u8 = 1;
/// The colour of the first band's units, and that of its goal.
const UNIT: u8 = 4;
const GOAL: u8 = 8;

/// The colours of the ground: open, dear, dearer.
const fn ground(cost: u8) -> u8 {
    match cost {
        1 => 0,
        2..=9 => 2,
        _ => 3,
    }
}

/// Draws a scene at its start: the numbers of columns and rows; then, row by row, runs of a
/// colour. A byte holds the colour and, in its lower half, the run's length less one.
///
/// The colours are those of `ground`, 1 for walls, then four of units and four of goals.
#[must_use]
pub fn picture(scene: &Scene) -> Vec<u8> {
    let costs = &scene.costs;
    let longest = costs.width().max(costs.height());
    let [columns, rows] =
        [costs.width(), costs.height()].map(|side| (side * SIDE).div_ceil(longest));
    let mut pixels = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            pixels.push(ground_at(scene, [column, row], [columns, rows]));
        }
    }
    let scale = SIDE as f32 / longest as f32;
    let place = |at: [f32; 2]| at.map(|along| (along * scale) as i32);
    let mut dot = |[x, y]: [i32; 2], colour: u8| {
        if (0..columns as i32).contains(&x) && (0..rows as i32).contains(&y) {
            pixels[y as usize * columns as usize + x as usize] = colour;
        }
    };
    for (number, band) in (0..).zip(&scene.bands) {
        let goal = goal(&band.aim).map(place);
        for [dx, dy] in [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]] {
            if let Some([x, y]) = goal {
                dot([x + dx, y + dy], GOAL + number % 4);
            }
        }
    }
    for (number, band) in (0..).zip(&scene.bands) {
        for at in band.recruits.iter().map(|one| place(one.position)) {
            dot(at, UNIT + number % 4);
        }
    }
    let runs = pixels.chunk_by(|one, next| one == next);
    let runs = runs.flat_map(|run| run.chunks(16));
    let bytes = runs.map(|run| run[0] << 4 | (run.len() - 1) as u8);
    [columns as u8, rows as u8]
        .into_iter()
        .chain(bytes)
        .collect()
}

/// The ground of a pixel: a wall, if a third of its cells are walls.
fn ground_at(scene: &Scene, pixel: [u32; 2], size: [u32; 2]) -> u8 {
    let costs = &scene.costs;
    let sides = [costs.width(), costs.height()];
    let from = [0, 1].map(|axis| pixel[axis] * sides[axis] / size[axis]);
    let to = [0, 1].map(|axis| ((pixel[axis] + 1) * sides[axis] / size[axis]).max(from[axis] + 1));
    let area = CellRect::new(
        from[0] as i32,
        from[1] as i32,
        to[0] - from[0],
        to[1] - from[1],
    );
    let found: Vec<Cost> = area.cells().filter_map(|cell| costs.get(cell)).collect();
    let walls = found.iter().filter(|cost| cost.is_wall()).count();
    if 3 * walls >= found.len() {
        return WALL;
    }
    let open: Vec<&Cost> = found.iter().filter(|cost| !cost.is_wall()).collect();
    ground(open[open.len() / 2].value())
}

/// Where a band goes.
fn goal(aim: &Aim) -> Option<[f32; 2]> {
    let cell = match aim {
        Aim::Point(point) => return Some(*point),
        Aim::Goal(cell) | Aim::Attack(cell, _) => *cell,
        Aim::Tour(cells) | Aim::Patrol(cells) => *cells.last()?,
        _ => return None,
    };
    Some(cell.centre())
}
