//! Where the units of a march stop: each at a place of its own around the goal.
//!
//! ```text
//!     . o o .        o  places, on a grid of triangles: as near to the goal g as there
//!    o o o o            is room, in sight of it
//!   # o g o o        #  wall
//!   # o o o .        .  left free: farther from the goal
//! ```

use crate::steer::units::Buckets;
use crate::vector::{NONE, Vector, difference, dot, greater, length, sum, times};

/// The distance between neighbouring places, in diameters.
const APART: f32 = 1.05;
/// The distance between two rows of a grid of triangles, in sides.
const ROW: f32 = 0.866_025_4;
/// Units without a body have places as if of this radius.
const SLIMMEST: f32 = 0.05;
/// Units at least this part as large as another have places of the same size.
const ALIKE: f32 = 0.9;
/// The most spots out of sight of the goal, one beside the other, on the way to a place.
const HIDDEN: u8 = 3;
/// How much deeper than by rounding a place may lie in another that was given before.
const ROUNDING: f32 = 0.99;

/// Whether units may have places of the same size; the first is not smaller.
pub(crate) fn are_alike(radius: f32, smaller: f32) -> bool {
    smaller >= radius * ALIKE
}

/// Returns the distance between neighbouring places of units of a radius.
pub(super) fn side_of(radius: f32) -> f32 {
    2.0 * greater(radius, SLIMMEST) * APART
}

/// The ground around a goal, for a unit of some radius.
pub(crate) trait Site {
    /// Whether it can stand there.
    fn is_clear(&self, place: Vector) -> bool;

    /// Whether it can go straight from one place to another.
    fn sees(&self, from: Vector, to: Vector) -> bool;

    /// Whether no unit stands there, or is to.
    fn is_free(&self, place: Vector) -> bool;
}

/// Returns places for `count` units of a radius, the nearest to the goal first; fewer if there is no
/// room.
pub(crate) fn places(goal: Vector, radius: f32, count: usize, site: &impl Site) -> Vec<Vector> {
    let side = side_of(radius);
    let mut places = Vec::new();
    let mut open = Open::default();
    let mut inner = -1.0;
    // The radius of the disc that they fill, and a bit more with each ring.
    let mut outer = side * (0.53 * (count as f32).sqrt() + 1.0);
    loop {
        let known = open.spots.len();
        for off in ring(side, inner, outer) {
            if places.len() == count {
                return places;
            }
            let place = sum(goal, off);
            if open.has_room(goal, place, side, site) {
                places.push(place);
            }
        }
        if open.spots.len() == known {
            return places;
        }
        inner = outer;
        outer += 4.0 * side;
    }
}

/// The spots around a goal that a unit can reach from there on a short way.
#[derive(Default)]
pub(super) struct Open {
    /// How many spots out of sight of the goal are on the way.
    spots: Vec<(Vector, u8)>,
    by_square: Buckets,
}

impl Open {
    /// Whether a unit can stand at a spot, which it can reach, beside others.
    pub(super) fn has_room(
        &mut self,
        goal: Vector,
        spot: Vector,
        side: f32,
        site: &impl Site,
    ) -> bool {
        site.is_clear(spot) && self.reaches(goal, spot, 1.5 * side, site) && site.is_free(spot)
    }

    /// Whether a spot is in sight of the goal, or of spots nearer to it: what is behind a rock is
    /// open, and what is far behind a wall is not. Adds one that is.
    fn reaches(&mut self, goal: Vector, spot: Vector, near: f32, site: &impl Site) -> bool {
        let mut hidden = u8::from(!site.sees(goal, spot)) * (HIDDEN + 1);
        if hidden > 0 {
            let [low, high] = [-near, near].map(|off| spot.map(|at| at + off));
            self.by_square.visit(low, high, |at| {
                let (other, others) = self.spots[at as usize];
                let is_near = square(other, spot) <= near * near;
                if is_near && others + 1 < hidden && site.sees(other, spot) {
                    hidden = others + 1;
                }
            });
        }
        if hidden > HIDDEN {
            return false;
        }
        self.by_square.insert(self.spots.len() as u32, spot);
        self.spots.push((spot, hidden));
        true
    }
}

/// Returns the points of a grid of triangles that are farther from the middle than one distance
/// and no farther than another, the nearest first.
fn ring(side: f32, inner: f32, outer: f32) -> Vec<Vector> {
    let rows = (outer / (side * ROW)) as i32 + 1;
    let columns = (outer / side) as i32 + 1;
    let mut points = Vec::new();
    for row in -rows..=rows {
        let shift = if row & 1 == 0 { 0.0 } else { 0.5 };
        for column in -columns..=columns {
            let point = [(column as f32 + shift) * side, row as f32 * side * ROW];
            let square = dot(point, point);
            let is_outside = inner < 0.0 || square > inner * inner;
            if is_outside && square <= outer * outer {
                points.push((square, point));
            }
        }
    }
    points.sort_by(|one, two| one.0.total_cmp(&two.0));
    points.into_iter().map(|(_, point)| point).collect()
}

/// How often places of units of several sizes are moved apart, and how much of an overlap each time.
const ROUNDS: usize = 30;
const PART: f32 = 0.4;

/// Moves places apart until each has the room that its unit needs, as far as the ground allows.
pub(crate) fn relax(
    places: &mut Vec<Vector>,
    radii: &[f32],
    is_clear: impl Fn(usize, Vector) -> bool,
) {
    let widest = radii.iter().copied().fold(SLIMMEST, greater);
    for _ in 0..ROUNDS {
        let mut by_square = Buckets::default();
        for (at, &place) in (0..).zip(places.iter()) {
            by_square.insert(at, place);
        }
        let moved = places.iter().enumerate().map(|(at, &place)| {
            let far = (radii[at] + widest) * APART;
            let [low, high] = [-far, far].map(|off| place.map(|at| at + off));
            let mut away = NONE;
            by_square.visit(low, high, |other| {
                let other = other as usize;
                let way = difference(place, places[other]);
                let room = (radii[at] + radii[other]) * APART;
                let long = length(way);
                if other != at && long < room && long > 0.0 {
                    away = sum(away, times(way, (room - long) / long * PART));
                }
            });
            let [x, y] = sum(place, away);
            let mut ways = [[x, y], [x, place[1]], [place[0], y]].into_iter();
            ways.find(|&to| is_clear(at, to)).unwrap_or(place)
        });
        *places = moved.collect();
    }
}

/// Places that units have been given.
#[derive(Default)]
pub(crate) struct Given {
    places: Vec<(Vector, f32)>,
    by_square: Buckets,
    widest: f32,
}

impl Given {
    pub(crate) fn add(&mut self, place: Vector, radius: f32) {
        self.by_square.insert(self.places.len() as u32, place);
        self.widest = greater(self.widest, radius);
        self.places.push((place, radius));
    }

    /// Whether a place is far enough from all that were given.
    pub(crate) fn leave_room(&self, place: Vector, radius: f32) -> bool {
        let far = (radius + self.widest) * APART;
        let [low, high] = [-far, far].map(|off| place.map(|at| at + off));
        !self.by_square.any(low, high, |at| {
            let (other, other_radius) = self.places[at as usize];
            let apart = (radius + other_radius) * APART * ROUNDING;
            square(place, other) < apart * apart
        })
    }
}

pub(super) fn square(one: Vector, two: Vector) -> f32 {
    let way = difference(one, two);
    dot(way, way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;
    use crate::vector::distance;

    /// Ground with round rocks, and places that are taken.
    struct Rocks(Vec<Vector>, Given);

    impl Site for Rocks {
        fn is_clear(&self, place: Vector) -> bool {
            self.0.iter().all(|&rock| distance(rock, place) >= 1.0)
        }

        fn sees(&self, from: Vector, to: Vector) -> bool {
            (0..=100).all(|part| {
                let way = difference(to, from);
                self.is_clear(sum(from, way.map(|along| along * part as f32 * 0.01)))
            })
        }

        fn is_free(&self, place: Vector) -> bool {
            self.1.leave_room(place, 0.3)
        }
    }

    /// Compares the places with all points of a large grid, gone through from the nearest.
    #[test]
    fn places_are_the_nearest_points_with_room() {
        let mut below = draws(11);
        for _ in 0..30 {
            let mut at =
                |far: u32| [below(2 * far), below(2 * far)].map(|along| along as f32 - far as f32);
            let mut site = Rocks((0..6).map(|_| at(5)).collect(), Given::default());
            let taken: Vec<Vector> = (0..10).map(|_| at(3)).collect();
            taken.iter().for_each(|&place| site.1.add(place, 0.3));
            let goal = at(2).map(|along| along + 0.25);
            let count = below(150) as usize;
            let side = 0.63;
            let mut wanted: Vec<(Vector, u8, bool)> = Vec::new();
            for off in ring(side, -1.0, 40.0 * side) {
                let place = sum(goal, off);
                if !site.is_clear(place) {
                    continue;
                }
                let near =
                    |other: Vector| distance(other, place) <= 1.5 * side && site.sees(other, place);
                let beside = wanted.iter().filter(|one| near(one.0)).map(|one| one.1 + 1);
                let hidden = if site.sees(goal, place) {
                    Some(0)
                } else {
                    beside.min()
                };
                if let Some(hidden) = hidden.filter(|&hidden| hidden <= HIDDEN) {
                    let room = |&other: &Vector| distance(other, place) >= 0.63 * ROUNDING;
                    wanted.push((place, hidden, taken.iter().all(room)));
                }
            }
            let wanted = wanted.into_iter().filter(|one| one.2).map(|one| one.0);
            let wanted: Vec<Vector> = wanted.take(count).collect();
            assert_eq!(places(goal, 0.3, count, &site), wanted);
        }
    }
}
