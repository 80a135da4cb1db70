//! The rivers of a country: their courses, and distances to the shore.

use flowtiles::Cell;

use crate::random::Random;
use crate::raster::{Raster, square_distance};

/// The fractions of a cell in which rivers are drawn.
const FINE: i32 = 16;

/// The greatest distance from a river for which shore distances are computed.
const REACH: i32 = 100;

/// The side of the blocks of cells whose near bends are collected, then those of their
/// quarters and so on.
const BLOCK: i32 = 256;

/// The side of the smallest blocks.
const LEAF: i32 = 4;

/// The rivers of a country, as rows of discs of water.
pub struct Rivers {
    courses: Vec<Vec<Bend>>,
    streams: Vec<Vec<Bend>>,
}

/// One disc of a river.
#[derive(Clone, Copy)]
pub struct Bend {
    pub at: Cell,
    /// The radius in sixteenths of a cell.
    radius: i32,
}

/// A river's course before it meanders.
struct StraightCourse {
    from: Cell,
    to: Cell,
    /// How far it swings to the sides, in cells.
    swing: i32,
    /// Its radius at both ends, in sixteenths of a cell.
    radius: [i32; 2],
}

impl Rivers {
    /// One river from north to south, one from the east that joins it, one
    /// out of the western hills, and streams that can be waded.
    pub fn draw(width: i32, height: i32, random: &mut Random) -> Self {
        let share = |length: i32, percent: i32| length * percent / 100;
        let main = StraightCourse {
            from: Cell::new(share(width, random.between(34, 46)), -20),
            to: Cell::new(share(width, random.between(50, 62)), height + 20),
            swing: 130,
            radius: [6 * FINE, 12 * FINE],
        }
        .meander(random);
        let meeting = |random: &mut Random, from: i32, until: i32| {
            let at = random.between(share(height, from), share(height, until));
            main.iter()
                .min_by_key(|bend| (bend.at.y - at).abs())
                .map_or(Cell::new(width / 2, at), |bend| bend.at)
        };
        let east = StraightCourse {
            from: Cell::new(width + 20, share(height, random.between(20, 40))),
            to: meeting(random, 52, 66),
            swing: 110,
            radius: [5 * FINE, 8 * FINE],
        }
        .meander(random);
        let west = StraightCourse {
            from: Cell::new(-20, share(height, random.between(58, 76))),
            to: meeting(random, 36, 46),
            swing: 90,
            radius: [4 * FINE, 7 * FINE],
        }
        .meander(random);
        let mut streams = Vec::new();
        for (side, river) in [(0, &west), (100, &east), (25, &west), (75, &main)] {
            let mouth = river[river.len() * random.between(35, 75) as usize / 100].at;
            let spring = Cell::new(
                share(width, (side + random.between(-8, 8)).clamp(4, 96)),
                share(height, if mouth.y * 2 > height { 94 } else { 6 }),
            );
            let course = StraightCourse {
                from: spring,
                to: mouth,
                swing: 60,
                radius: [FINE, 2 * FINE],
            };
            streams.push(course.meander(random));
        }
        Self {
            courses: vec![main, east, west],
            streams,
        }
    }

    /// The rivers' bends, a river at a time.
    pub fn courses(&self) -> impl Iterator<Item = &[Bend]> {
        self.courses.iter().map(Vec::as_slice)
    }

    /// Distance to the nearest river's shore in sixteenths of a cell; below 0
    /// in the water.
    pub fn shore_distances(&self, width: i32, height: i32) -> Raster<i32> {
        let mut distances = Raster::filled(width, height, REACH * FINE);
        let bends: Vec<Bend> = self.courses.iter().flatten().copied().collect();
        for y in (0..height).step_by(BLOCK as usize) {
            for x in (0..width).step_by(BLOCK as usize) {
                fill_block(&mut distances, Cell::new(x, y), BLOCK, &bends);
            }
        }
        distances
    }

    /// Returns the cells of streams.
    pub fn streams(&self, width: i32, height: i32) -> Raster<bool> {
        let mut wet = Raster::filled(width, height, false);
        for bend in self.streams.iter().flatten() {
            for (cell, square) in wet.disc(bend.at, 3) {
                if square * FINE * FINE <= bend.radius * bend.radius {
                    wet[cell] = true;
                }
            }
        }
        wet
    }
}

/// Draws the shore distances of a block from the bends that may be the nearest.
fn fill_block(distances: &mut Raster<i32>, corner: Cell, side: i32, bends: &[Bend]) {
    if side == LEAF {
        let cells =
            (0..LEAF).flat_map(|y| (0..LEAF).map(move |x| Cell::new(corner.x + x, corner.y + y)));
        for cell in cells {
            let Some(nearest) = distances.get_mut(cell) else {
                continue;
            };
            for bend in bends {
                let square = square_distance(cell, bend.at);
                // A root is only drawn where it may be less.
                if square <= REACH * REACH && square * FINE * FINE < (*nearest + bend.radius).pow(2)
                {
                    *nearest = ((square * FINE * FINE).isqrt() - bend.radius).min(*nearest);
                }
            }
        }
        return;
    }
    let half = side / 2;
    let near = near_block(bends, Cell::new(corner.x + half, corner.y + half), half);
    for (x, y) in [(0, 0), (half, 0), (0, half), (half, half)] {
        fill_block(
            distances,
            Cell::new(corner.x + x, corner.y + y),
            half,
            &near,
        );
    }
}

/// The bends that may be the nearest to a cell within `half` of a middle on both axes.
fn near_block(bends: &[Bend], middle: Cell, half: i32) -> Vec<Bend> {
    // No cell is farther away, and roots lose less than one.
    let spread = half * 3 / 2 + 1;
    let distances = bends.iter().map(|bend| {
        let cells = square_distance(middle, bend.at).isqrt();
        (cells, cells * FINE - bend.radius)
    });
    let sure = distances
        .clone()
        .filter(|(cells, _)| cells + spread < REACH);
    let most = sure.map(|(_, shore)| shore + (spread + 1) * FINE);
    let most = most.min().unwrap_or(REACH * FINE);
    let may = |(cells, shore)| cells - spread <= REACH && shore - spread * FINE <= most;
    let near = bends
        .iter()
        .zip(distances)
        .filter(|&(_, distance)| may(distance));
    near.map(|(bend, _)| *bend).collect()
}

impl StraightCourse {
    /// Halves the course again and again and moves each middle sideways, less for
    /// shorter pieces.
    fn meander(&self, random: &mut Random) -> Vec<Bend> {
        let fine = |cell: Cell| (cell.x * FINE, cell.y * FINE);
        let mut points = vec![fine(self.from), fine(self.to)];
        let mut swing = self.swing * FINE;
        for _ in 0..5 {
            let mut finer = Vec::with_capacity(points.len() * 2);
            for pair in points.windows(2) {
                let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
                let length = square_distance(
                    Cell::new(ax / FINE, ay / FINE),
                    Cell::new(bx / FINE, by / FINE),
                )
                .isqrt()
                .max(1)
                    * FINE;
                let side = random
                    .between(-swing, swing + 1)
                    .clamp(-length / 3, length / 3);
                let (dx, dy) = (bx - ax, by - ay);
                let mx =
                    (ax + bx) / 2 - (i64::from(dy) * i64::from(side) / i64::from(length)) as i32;
                let my =
                    (ay + by) / 2 + (i64::from(dx) * i64::from(side) / i64::from(length)) as i32;
                finer.extend([(ax, ay), (mx, my)]);
            }
            finer.extend(points.last());
            points = finer;
            swing = swing * 5 / 8;
        }
        self.discs(&rounded(&rounded(&rounded(&points))))
    }

    /// Returns discs every few cells along the points, growing downstream.
    fn discs(&self, points: &[(i32, i32)]) -> Vec<Bend> {
        let count = points.len().max(2) as i32 - 1;
        let mut bends = Vec::new();
        for (number, pair) in points.windows(2).enumerate() {
            let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
            let [start, end] = self.radius;
            let radius = start + (end - start) * number as i32 / count;
            // Wide discs may be farther apart and still make a smooth shore.
            let apart = FINE.max(radius / 3);
            let pieces = ((bx - ax).abs().max((by - ay).abs()) / apart).max(1);
            for piece in 0..pieces {
                let x = ax + (bx - ax) * piece / pieces;
                let y = ay + (by - ay) * piece / pieces;
                bends.push(Bend {
                    at: Cell::new(x.div_euclid(FINE), y.div_euclid(FINE)),
                    radius,
                });
            }
        }
        bends
    }
}

/// Cuts every corner of a line (Chaikin): a quarter off each side.
pub fn rounded(points: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut round = Vec::with_capacity(points.len() * 2);
    round.extend(points.first());
    for pair in points.windows(2) {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        round.push(((3 * ax + bx) / 4, (3 * ay + by) / 4));
        round.push(((ax + 3 * bx) / 4, (ay + 3 * by) / 4));
    }
    round.extend(points.last());
    round
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What blocks leave out must not have been the nearest.
    #[test]
    fn shore_distance_is_that_to_the_nearest_bend() {
        for seed in 1..4 {
            let rivers = Rivers::draw(333, 250, &mut Random::new(seed));
            let distances = rivers.shore_distances(333, 250);
            for cell in distances.cells() {
                let shores = rivers.courses().flatten().filter_map(|bend| {
                    let square = square_distance(cell, bend.at);
                    let distance = (square * FINE * FINE).isqrt() - bend.radius;
                    (square <= REACH * REACH).then_some(distance)
                });
                let nearest = shores.min().unwrap_or(REACH * FINE).min(REACH * FINE);
                assert_eq!(distances[cell], nearest, "seed {seed}, {cell}");
            }
        }
    }
}
