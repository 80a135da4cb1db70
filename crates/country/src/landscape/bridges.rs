//! Builds bridges where roads meet rivers, and a few more on each river.

use flowtiles::{Cell, CellRect, Direction};

use super::ground::Ground;
use super::land::{HEIGHT, Landscape, WIDTH};
use super::rivers::Rivers;
use crate::raster::square_distance;

/// Half of a bridge's width.
const HALF: i32 = 2;
/// The longest bridge that is built.
const SPAN_MAX: i32 = 70;
/// The least distance between two bridges.
const APART: i32 = 60;
/// The least number of bridges over each river.
const SPARE: usize = 3;

/// Builds a bridge through a cell of water, straight across in the shorter
/// direction. Returns whether one was built.
pub fn build(land: &mut Landscape, middle: Cell) -> bool {
    let taken = land.decks.iter().any(|deck| {
        let centre = Cell::new(
            deck.x + deck.width as i32 / 2,
            deck.y + deck.height as i32 / 2,
        );
        square_distance(centre, middle) < APART * APART
    });
    if taken {
        return false;
    }
    let across = |back, forth| Some((shore(land, middle, back)?, shore(land, middle, forth)?));
    let west_east = across(Direction::West, Direction::East);
    let north_south = across(Direction::North, Direction::South);
    let length = |ends: &Option<(i32, i32)>| ends.map_or(i32::MAX, |(back, forth)| back + forth);
    if length(&west_east) == i32::MAX && length(&north_south) == i32::MAX {
        return false;
    }
    let (back, side) = if length(&west_east) <= length(&north_south) {
        (Direction::West, Direction::South)
    } else {
        (Direction::North, Direction::East)
    };
    lay(land, middle, back, side)
}

/// Returns the steps from a cell of water to the first land; `None` if it is far
/// away or off the map.
fn shore(land: &Landscape, from: Cell, direction: Direction) -> Option<i32> {
    let mut cell = from;
    for steps in 1..=SPAN_MAX / 2 {
        cell = cell.step(direction);
        match land.ground.get(cell)? {
            Ground::Water | Ground::Bridge => {}
            Ground::Rock | Ground::Wall | Ground::House => return None,
            _ => return Some(steps),
        }
    }
    None
}

/// Lays the planks, line by line, and records the part where all lines are over
/// water.
fn lay(land: &mut Landscape, middle: Cell, back: Direction, side: Direction) -> bool {
    let (sx, sy) = side.offset();
    let line = |number: i32| Cell::new(middle.x + sx * number, middle.y + sy * number);
    let forth = Direction::ALL[(back as usize + 2) % 4];
    let spans: Option<Vec<(i32, i32)>> = (-HALF..=HALF)
        .map(|number| {
            Some((
                shore(land, line(number), back)?,
                shore(land, line(number), forth)?,
            ))
        })
        .collect();
    let wet = (-HALF..=HALF).all(|number| land.ground.get(line(number)) == Some(&Ground::Water));
    let Some(spans) = spans else {
        return false;
    };
    if !wet {
        return false;
    }
    let (fx, fy) = forth.offset();
    let along = |cell: Cell, steps: i32| Cell::new(cell.x + fx * steps, cell.y + fy * steps);
    for (number, &(behind, ahead)) in (-HALF..=HALF).zip(&spans) {
        for steps in 1 - behind..ahead {
            land.ground[along(line(number), steps)] = Ground::Bridge;
        }
        for end in [-behind, ahead] {
            land.pave(along(line(number), end));
        }
    }
    let behind = spans.iter().map(|span| span.0).min().unwrap_or(1) - 1;
    let ahead = spans.iter().map(|span| span.1).min().unwrap_or(1) - 1;
    let (from, to) = (along(line(-HALF), -behind), along(line(HALF), ahead));
    land.decks.push(CellRect::new(
        from.x,
        from.y,
        (to.x - from.x + 1) as u32,
        (to.y - from.y + 1) as u32,
    ));
    true
}

/// Builds bridges until each river has enough, so that the country stays connected
/// without any one of them.
pub fn add_spare(land: &mut Landscape, rivers: &Rivers) {
    for course in rivers.courses() {
        let inside =
            |cell: &Cell| cell.x > 30 && cell.y > 30 && cell.x < WIDTH - 30 && cell.y < HEIGHT - 30;
        let cells: Vec<Cell> = course.iter().map(|bend| bend.at).filter(inside).collect();
        // A few even places first, then closer and closer ones.
        for parts in [4, 7, 12, 25, 50, 100] {
            for part in 1..parts {
                if bridges_over(land, &cells) >= SPARE {
                    break;
                }
                let at = cells.get(cells.len() * part / parts).copied();
                at.map(|cell| build(land, cell));
            }
        }
    }
}

fn bridges_over(land: &Landscape, course: &[Cell]) -> usize {
    let decks = land.decks.iter();
    decks
        .filter(|deck| course.iter().any(|&cell| deck.contains(cell)))
        .count()
}
