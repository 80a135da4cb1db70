//! The open cells of a map as a navigation mesh.
//!
//! A row is cut into its runs of open cells, from wall to wall, and runs of the same two ends in
//! rows below each other are one rectangle:
//!
//! ```text
//!   ▓ a a a a ▓ ▓ b      Left and right of a rectangle are walls, so rectangles meet only along
//!   ▓ a a a a ▓ ▓ b      lines between rows. There the corners of both sides are vertices, so
//!   c c c c c c c c      that each edge has one polygon or a wall on either side: c has vertices
//!   ▓ ▓ ▓ ▓ ▓ ▓ d d      above it at the corners of a and b, and below it at those of d.
//! ```
//!
//! The mesh covers the open cells exactly, and no way leads where cells touch at a point only:
//! polygons are connected by their edges.

use std::collections::BTreeMap;

use flowtiles::Cell;
use flowtiles_peers::ground::Ground;
use glam::vec2;
use polyanya::{Mesh, MeshError, Polygon, Vertex};

/// No polygon, but a wall.
const WALL: u32 = u32::MAX;

/// Builds the mesh of a map; costs do not count.
pub fn of(ground: &Ground) -> Result<Mesh, MeshError> {
    let (rectangles, owners) = rectangles(ground);
    let owner = |x: i32, y: i32| {
        let cell = Cell::new(x, y);
        let place = ground.contains(cell).then(|| ground.place(cell));
        place.map_or(WALL, |place| owners[place])
    };
    // By line, then from left to right.
    let mut numbers = BTreeMap::new();
    for &[left, right, top, bottom] in &rectangles {
        let corners = [(top, left), (top, right), (bottom, left), (bottom, right)];
        numbers.extend(corners.map(|corner| (corner, 0)));
    }
    let mut vertices = Vec::new();
    for ((&(y, x), number), next) in numbers.iter_mut().zip(0..) {
        *number = next;
        // With y upward, as polyanya has it, this is counter-clockwise.
        let mut around = [(0, 0), (-1, 0), (-1, -1), (0, -1)]
            .map(|(dx, dy)| owner(x + dx, y + dy))
            .to_vec();
        around.dedup();
        if around.first() == around.last() {
            around.pop();
        }
        vertices.push(Vertex::new(vec2(x as f32, y as f32), around));
    }
    let polygon = |&[left, right, top, bottom]: &[i32; 4]| {
        let side = |y| numbers.range((y, left)..=(y, right));
        let [above, below] = [(top, top - 1), (bottom, bottom)].map(|(line, row)| {
            let starts = side(line).map(move |((_, x), _)| (*x, row));
            starts.filter(|&(x, row)| x < right && owner(x, row) != WALL)
        });
        let ring = side(top).chain(side(bottom).rev());
        let ring = ring.map(|(_, number)| *number).collect();
        Polygon::new(ring, above.chain(below).count() == 1)
    };
    Mesh::new(vertices, rectangles.iter().map(polygon).collect())
}

/// The rectangles, each as its columns and rows from the first to the one after the last, and for
/// each cell the number of its rectangle.
fn rectangles(ground: &Ground) -> (Vec<[i32; 4]>, Vec<u32>) {
    let mut rectangles: Vec<[i32; 4]> = Vec::new();
    let mut owners = vec![WALL; ground.costs.len()];
    for y in 0..ground.height {
        let is_open = |x: &i32| ground.is_open(Cell::new(*x, y));
        let mut from = 0;
        while let Some(left) = (from..ground.width).find(is_open) {
            let right = (left..ground.width).find(|x| !is_open(x));
            let right = right.unwrap_or(ground.width);
            from = right;
            let above = (y > 0).then(|| owners[ground.place(Cell::new(left, y - 1))]);
            let above = above.filter(|number| *number != WALL);
            let same = above.filter(|number| rectangles[*number as usize][..2] == [left, right]);
            let number = same.unwrap_or_else(|| {
                rectangles.push([left, right, y, y]);
                rectangles.len() as u32 - 1
            });
            rectangles[number as usize][3] = y + 1;
            let first = ground.place(Cell::new(left, y));
            owners[first..first + (right - left) as usize].fill(number);
        }
    }
    (rectangles, owners)
}

#[cfg(test)]
mod tests {
    use flowtiles_country::any_angle::AnyAngle;
    use flowtiles_peers::random::Random;

    use super::*;

    /// A map of random walls.
    fn strewn(random: &mut Random, [width, height]: [i32; 2], percent: usize) -> Ground {
        let mut draw = || if random.below(100) < percent { 255 } else { 1 };
        let costs = (0..width * height).map(|_| draw()).collect();
        Ground {
            width,
            height,
            costs,
        }
    }

    #[test]
    fn both_referees_find_the_same() {
        let mut random = Random::new(8);
        let (mut ways, mut none) = (0, 0);
        for number in 0..600 {
            let size = [(); 2].map(|()| 1 + random.below(40) as i32);
            let ground = strewn(&mut random, size, [5, 20, 35][number % 3]);
            let ends = [(); 2].map(|()| ground.cell(random.below(ground.costs.len())));
            if !ends.iter().all(|&end| ground.is_open(end)) {
                continue;
            }
            let [start, goal] = ends.map(|cell| glam::Vec2::from(cell.centre()));
            let found = of(&ground).unwrap().path(start, goal);
            let corners = AnyAngle::new(&ground.cost_map().unwrap());
            match (found, corners.length(ends[0], ends[1], f64::INFINITY)) {
                (Some(way), Some(length)) => {
                    let difference = (f64::from(way.length) - length).abs();
                    assert!(difference <= 1e-5 * length, "{number}: {way:?} {length}");
                    ways += 1;
                }
                (None, None) => none += 1,
                other => panic!("{number}: from {} to {}: {other:?}", ends[0], ends[1]),
            }
        }
        assert!(ways > 200 && none > 20, "{ways} {none}");
    }
}
