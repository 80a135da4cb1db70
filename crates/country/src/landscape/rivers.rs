//! The rivers of a country: their courses, and distances to the shore.

use flowtiles::Cell;

use crate::random::Random;
use crate::raster::{Raster, square_distance};

/// The fractions of a cell in which rivers are drawn.
const FINE: i32 = 16;

/// The greatest distance from a river for which shore distances are computed.
const REACH: i32 = 100;

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
        for bend in self.courses.iter().flatten() {
            for y in bend.at.y - REACH..=bend.at.y + REACH {
                let down = y - bend.at.y;
                let reach = (REACH * REACH - down * down).isqrt();
                let (from, row) = distances.row_part(y, bend.at.x - reach..bend.at.x + reach + 1);
                bring_nearer(row, from - bend.at.x, down, bend.radius);
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

/// Lowers the distances in a part of a row to those from a disc; the row is `down` below its
/// middle, and begins so far to its right.
///
/// It is a call of its own since a browser makes fast code for what is called often.
#[inline(never)]
fn bring_nearer(row: &mut [i32], from: i32, down: i32, radius: i32) {
    for (along, nearest) in (from..).zip(row) {
        let square = (along * along + down * down) * FINE * FINE;
        // A root is only drawn where it may be less.
        if square < (*nearest + radius).pow(2) {
            *nearest = (square.isqrt() - radius).min(*nearest);
        }
    }
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
                let cell = |(x, y)| Cell::new(x / FINE, y / FINE);
                let cells = square_distance(cell(pair[0]), cell(pair[1])).isqrt();
                let length = cells.max(1) * FINE;
                let side = random
                    .between(-swing, swing + 1)
                    .clamp(-length / 3, length / 3);
                let (dx, dy) = (bx - ax, by - ay);
                let part = |way: i32| (i64::from(way) * i64::from(side) / i64::from(length)) as i32;
                let middle = ((ax + bx) / 2 - part(dy), (ay + by) / 2 + part(dx));
                finer.extend([(ax, ay), middle]);
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

    #[test]
    fn shore_distances_are_the_least_of_all_discs() {
        let rivers = Rivers::draw(300, 200, &mut Random::new(4));
        let distances = rivers.shore_distances(300, 200);
        for cell in distances.cells().step_by(37) {
            let discs = rivers.courses.iter().flatten();
            let near = discs.filter(|bend| square_distance(bend.at, cell) <= REACH * REACH);
            let away = near.map(|bend| {
                let square = square_distance(bend.at, cell) * FINE * FINE;
                square.isqrt() - bend.radius
            });
            let least = away.min().unwrap_or(i32::MAX).min(REACH * FINE);
            assert_eq!(distances[cell], least, "{cell}");
        }
    }
}
