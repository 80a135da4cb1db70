//! Walls: how circles move without entering them.
//!
//! Positions are in cells: the cell (3, 4) covers x from 3 to 4 and y from 4 to
//! 5, and its middle is [3.5, 4.5]. A unit is a circle. Everything off the map
//! is wall.
//!
//! A position is accepted only if the circle is clear there by [`is_clear`], the test
//! with which the checks look for faults. So rounding may stop a unit early, and never
//! lets it into a wall.

use std::ops::RangeInclusive;

use super::ground::LayerGround;
use super::sweep::{Touch, first_touch};
use crate::cost::CostMap;
use crate::grid::Cell;
use crate::vector::{
    NONE, Vector, cell_of, difference, distance, dot, floor, greater, length, lesser, sum, times,
    unit,
};

/// The distance that a circle keeps from a wall that it has touched: room for
/// the rounding of the next touch.
const SKIN: f32 = 1.0 / 1024.0;
/// The longest movement that is swept at once, in cells.
const PIECE: f32 = 1.0;
const BENDS: usize = 3;
/// The smallest movement along a wall, in cells.
const LEAST: f32 = 1e-5;
/// The radius of the largest circle, in cells: the work grows with its square.
/// A larger circle, or one whose radius is negative or not a number, is clear
/// nowhere, so [`slide`] leaves it where it is; an [`Army`](crate::steer::Army)
/// refuses it.
pub const MAX_RADIUS: f32 = 16.0;
/// How far from a unit in a wall a place outside is searched, in cells.
const RINGS: i32 = 16;

pub(crate) fn is_radius(radius: f32) -> bool {
    (0.0..=MAX_RADIUS).contains(&radius)
}

/// Returns the wall cells in the box around a circle's movement, row by row.
fn walls_around(
    ground: LayerGround<'_>,
    from: Vector,
    way: Vector,
    radius: f32,
) -> impl Iterator<Item = Cell> {
    let [columns, rows] = box_around(from, way, radius);
    rows.flat_map(move |y| ground.walls_in_row(y, columns.clone()))
}

/// Whether it is known, without a look at every cell, that no wall is in the box
/// around a circle's movement.
// PERF: `flowtiles sim four-armies`: nearly always there is none, and this is
// nearly always known.
#[inline]
fn is_known_free(ground: LayerGround<'_>, from: Vector, way: Vector, radius: f32) -> bool {
    ground.is_known_free(&box_around(from, way, radius))
}

fn box_around(from: Vector, way: Vector, radius: f32) -> [RangeInclusive<i32>; 2] {
    let to = sum(from, way);
    let span = |axis: usize| {
        let (low, high) = if way[axis] < 0.0 {
            (to[axis], from[axis])
        } else {
            (from[axis], to[axis])
        };
        let reach = radius + SKIN;
        floor(low - reach)..=floor(high + reach)
    };
    [span(0), span(1)]
}

/// Returns the way to a point from the nearest one of a cell.
fn off_cell(point: Vector, cell: Cell) -> Vector {
    let off = |axis: usize, corner: i32| {
        let at = point[axis] - corner as f32;
        if at < 0.0 {
            at
        } else if at > 1.0 {
            at - 1.0
        } else {
            0.0
        }
    };
    [off(0, cell.x), off(1, cell.y)]
}

/// Returns the square of a point's distance to a cell.
fn square_to_cell(point: Vector, cell: Cell) -> f32 {
    let off = off_cell(point, cell);
    dot(off, off)
}

/// Whether a circle lies on the map and overlaps no wall cell. Touching is not
/// overlapping. A circle larger than [`MAX_RADIUS`] is clear nowhere.
///
/// ```
/// use flowtiles::steer::parts::is_clear;
/// use flowtiles::{Cell, Cost, CostMap};
/// let mut map = CostMap::open(10, 10)?;
/// map.edit(Cell::new(4, 4), Cost::WALL)?;
/// assert!(is_clear(&map, [3.5, 4.5], 0.5));
/// assert!(!is_clear(&map, [3.6, 4.5], 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_clear(costs: &CostMap, position: [f32; 2], radius: f32) -> bool {
    is_clear_on(LayerGround::plain(costs), position, radius)
}

/// The same as [`is_clear`].
#[inline]
pub(crate) fn is_clear_on(ground: LayerGround<'_>, position: Vector, radius: f32) -> bool {
    if !is_radius(radius) || position.iter().any(|at| at.is_nan()) {
        return false;
    }
    is_known_free(ground, position, NONE, radius)
        || !ground.is_wall(cell_of(position))
            && !walls_around(ground, position, NONE, radius)
                .any(|cell| square_to_cell(position, cell) < radius * radius)
}

/// Returns the end of a circle's movement by `way` from a clear place: the
/// circle slides along walls and enters none, however long the movement.
///
/// A circle that is not clear at its start stays there, unless the movement
/// leads it to a clear place; see [`nearest_clear`]. A circle larger than
/// [`MAX_RADIUS`] stays too.
///
/// ```
/// use flowtiles::steer::parts::slide;
/// use flowtiles::{CellRect, Cost, CostMap};
/// let mut map = CostMap::open(20, 20)?;
/// map.edit(CellRect::new(10, 0, 1, 20), Cost::WALL)?;
/// // Into the wall at a slant: it slides along the wall's side.
/// let [x, y] = slide(&map, [8.0, 5.0], [100.0, 3.0], 0.25);
/// assert!(x > 9.7 && x <= 9.75 && y > 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn slide(costs: &CostMap, from: [f32; 2], way: [f32; 2], radius: f32) -> [f32; 2] {
    slide_on(LayerGround::plain(costs), from, way, radius)
}

/// The same as [`slide`].
#[inline]
pub(crate) fn slide_on(ground: LayerGround<'_>, from: Vector, way: Vector, radius: f32) -> Vector {
    let long = length(way);
    if !is_radius(radius) {
        return from;
    }
    if long <= PIECE {
        return slide_piece(ground, from, way, radius);
    }
    // No map is longer. A longer movement, or one that is not a number, gives 0
    // pieces, and the circle stays.
    let pieces = if long < 262_144.0 {
        long as usize + 1
    } else {
        0
    };
    let piece = times(way, 1.0 / pieces as f32);
    let mut at = from;
    for _ in 0..pieces {
        let next = slide_piece(ground, at, piece, radius);
        if next == at {
            break;
        }
        at = next;
    }
    at
}

/// The same, where all ground within `open` cells of the circle's middle is known
/// to be open.
// PERF: this is so for nearly all units, and ends the matter.
#[inline]
pub(crate) fn slide_in_the_open(
    ground: LayerGround<'_>,
    open: f32,
    from: Vector,
    way: Vector,
    radius: f32,
) -> Vector {
    let long = length(way);
    if long <= PIECE && is_clear_in_the_open(open, radius + long) {
        return sum(from, way);
    }
    slide_on(ground, from, way, radius)
}

/// Whether a circle is clear because all ground within `open` cells of its middle
/// is known to be open.
#[inline]
pub(crate) fn is_clear_in_the_open(open: f32, radius: f32) -> bool {
    radius + SKIN < open
}

#[inline]
fn slide_piece(ground: LayerGround<'_>, from: Vector, way: Vector, radius: f32) -> Vector {
    if is_known_free(ground, from, way, radius) {
        return sum(from, way);
    }
    slide_among_walls(ground, from, way, radius)
}

#[inline(never)]
fn slide_among_walls(ground: LayerGround<'_>, from: Vector, way: Vector, radius: f32) -> Vector {
    let mut at = from;
    let mut left = way;
    if walls_around(ground, from, way, radius).next().is_none() {
        return sum(from, way);
    }
    for _ in 0..=BENDS {
        let Some(touch) = first_wall(ground, at, left, radius) else {
            let to = sum(at, left);
            if is_clear_on(ground, to, radius) {
                return to;
            }
            break;
        };
        let part = greater(touch.part - SKIN / length(left), 0.0);
        let to = sum(at, times(left, part));
        if is_clear_on(ground, to, radius) {
            at = to;
        }
        left = times(left, 1.0 - part);
        left = difference(left, times(touch.normal, dot(left, touch.normal)));
        if length(left) < LEAST {
            break;
        }
    }
    if at != from || length(left) < LEAST {
        return at;
    }
    // Closer to a wall than the gap, rounding may refuse the smallest steps along it: those lead a
    // little away from it, too.
    let to = sum(
        from,
        sum(
            left,
            times(away_from_wall(ground, from, radius), SKIN / 4.0),
        ),
    );
    if is_clear_on(ground, to, radius) {
        to
    } else {
        from
    }
}

/// Returns the direction straight away from the nearest wall.
fn away_from_wall(ground: LayerGround<'_>, at: Vector, radius: f32) -> Vector {
    let walls = walls_around(ground, at, NONE, radius);
    let near = walls.map(|cell| off_cell(at, cell)).min_by(|one, other| {
        let [one, other] = [one, other].map(|&off| dot(off, off));
        one.total_cmp(&other)
    });
    near.map_or(NONE, unit)
}

fn first_wall(ground: LayerGround<'_>, from: Vector, way: Vector, radius: f32) -> Option<Touch> {
    let mut first: Option<Touch> = None;
    for cell in walls_around(ground, from, way, radius) {
        let corner = [cell.x as f32, cell.y as f32];
        if let Some(touch) = first_touch(difference(from, corner), way, radius)
            && first.is_none_or(|other| touch.part < other.part)
        {
            first = Some(touch);
        }
    }
    first
}

/// Returns the nearest place where a circle is clear, among one place in each
/// of the cells around it; `None` if there is none within 16 cells, or if the
/// circle is larger than [`MAX_RADIUS`].
///
/// For units on which a wall was built.
#[must_use]
pub fn nearest_clear(costs: &CostMap, position: [f32; 2], radius: f32) -> Option<[f32; 2]> {
    nearest_clear_on(LayerGround::plain(costs), position, radius)
}

/// The same as [`nearest_clear`].
pub(crate) fn nearest_clear_on(
    ground: LayerGround<'_>,
    position: Vector,
    radius: f32,
) -> Option<Vector> {
    if !is_radius(radius) {
        return None;
    }
    if is_clear_on(ground, position, radius) {
        return Some(position);
    }
    nearest_place(ground, position, radius, |_| true)
}

/// Returns the nearest place where a circle is clear and that `will_do`, among
/// one place in each of the cells around it.
pub(crate) fn nearest_place(
    ground: LayerGround<'_>,
    position: Vector,
    radius: f32,
    will_do: impl Fn(Vector) -> bool,
) -> Option<Vector> {
    let home = cell_of(position);
    let mut best: Option<(f32, Vector)> = None;
    for ring in 0..=RINGS {
        // No place in this ring or beyond is closer than the ring before it.
        if best.is_some_and(|(away, _)| away < (ring - 1) as f32) {
            break;
        }
        for cell in ring_around(home, ring).filter(|&cell| !ground.is_wall(cell)) {
            let place = place_in(cell, position, radius);
            let away = distance(place, position);
            if best.is_none_or(|(other, _)| away < other)
                && is_clear_on(ground, place, radius)
                && will_do(place)
            {
                best = Some((away, place));
            }
        }
    }
    best.map(|(_, place)| place)
}

/// Returns the place nearest to a position among those in a cell where the
/// circle stays inside the cell.
fn place_in(cell: Cell, position: Vector, radius: f32) -> Vector {
    let margin = lesser(radius + SKIN, 0.5);
    let along = |corner: i32, at: f32| {
        let (low, high) = (corner as f32 + margin, corner as f32 + 1.0 - margin);
        if at < low {
            low
        } else if at > high {
            high
        } else {
            at
        }
    };
    [along(cell.x, position[0]), along(cell.y, position[1])]
}

/// Returns the cells at a king's distance of `ring`, row by row.
fn ring_around(home: Cell, ring: i32) -> impl Iterator<Item = Cell> {
    (-ring..=ring).flat_map(move |dy| {
        let step = if dy.abs() == ring { 1 } else { 2 * ring };
        (-ring..=ring)
            .step_by(step.max(1) as usize)
            .map(move |dx| Cell::new(home.x.wrapping_add(dx), home.y.wrapping_add(dy)))
    })
}
