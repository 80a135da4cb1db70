//! Where the units of a march stop: each at a place of its own around the goal.
//!
//! ```text
//!     . o o .        o  places, on a grid of triangles: as near to the goal g as there
//!    o o o o            is room, in sight of it
//!   # o g o o        #  wall
//!   # o o o .        .  left free: farther from the goal
//! ```
//!
//! Units and places are matched by halves: of both, the front half along the axis on which the
//! units are spread the most goes together, and so on. So a unit in front gets a place at the far
//! side, and none has to pass others. On the way pairs swap their places where that shortens
//! their ways.

use crate::steer::units::Buckets;
use crate::vector::{NONE, Vector, difference, dot, greater, length, right_of, sum, times};

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
fn side_of(radius: f32) -> f32 {
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
struct Open {
    /// How many spots out of sight of the goal are on the way.
    spots: Vec<(Vector, u8)>,
    by_square: Buckets,
}

impl Open {
    /// Whether a unit can stand at a spot, which it can reach, beside others.
    fn has_room(&mut self, goal: Vector, spot: Vector, side: f32, site: &impl Site) -> bool {
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

/// Rows of places, one behind the other: their middle is at the goal.
pub(crate) struct Rows {
    goal: Vector,
    /// The direction to which units face, of length 1, and the middle of the next row.
    heading: Vector,
    next: Vector,
    width: f32,
    open: Open,
}

/// How many times as wide as deep rows are.
const WIDE: f32 = 2.0;
/// After this many rows without a place the search ends.
const ROWS_MOST: usize = 8;

impl Rows {
    /// Begins rows for units of these radii.
    pub(crate) fn around(goal: Vector, heading: Vector, radii: impl Iterator<Item = f32>) -> Self {
        let area: f32 = radii.map(|radius| side_of(radius) * side_of(radius)).sum();
        let depth = (area / WIDE).sqrt();
        Self {
            goal,
            heading,
            next: sum(goal, times(heading, 0.5 * depth)),
            width: depth * WIDE,
            open: Open::default(),
        }
    }

    /// Returns places for `count` units of a radius, behind those that were given; fewer if there is
    /// no room.
    pub(crate) fn places(&mut self, radius: f32, count: usize, site: &impl Site) -> Vec<Vector> {
        let side = side_of(radius);
        let most = (self.width / side) as usize + 1;
        let right = right_of(self.heading);
        let mut places = Vec::new();
        let mut without = 0;
        while places.len() < count && without < ROWS_MOST {
            let found = places.len();
            let wide = most.min(count - found);
            // The middle of the first and of the last row of this size.
            self.next = difference(self.next, times(self.heading, 0.5 * side));
            for column in 0..wide {
                let off = (column as f32 - (wide - 1) as f32 * 0.5) * side;
                let place = sum(self.next, times(right, off));
                if self.open.has_room(self.goal, place, side, site) {
                    places.push(place);
                }
            }
            self.next = difference(self.next, times(self.heading, 0.5 * side));
            without = if places.len() == found {
                without + 1
            } else {
                0
            };
        }
        places
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
            let to = sum(place, away);
            if is_clear(at, to) { to } else { place }
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
        let mut leave_room = true;
        self.by_square.visit(low, high, |at| {
            let (other, other_radius) = self.places[at as usize];
            let apart = (radius + other_radius) * APART * ROUNDING;
            leave_room &= square(place, other) >= apart * apart;
        });
        leave_room
    }
}

/// Matches units with as many places: returns for each unit the number of its place.
pub(crate) fn matched(units: &[Vector], places: &[Vector]) -> Vec<usize> {
    let (mut mine, mut theirs): (Vec<usize>, Vec<usize>) =
        (0..units.len()).map(|at| (at, at)).unzip();
    halve([units, places], [&mut mine, &mut theirs]);
    let mut matched = vec![0; units.len()];
    for (unit, place) in mine.into_iter().zip(theirs) {
        matched[unit] = place;
    }
    matched
}

fn halve(of: [&[Vector]; 2], [mine, theirs]: [&mut [usize]; 2]) {
    if mine.len() < 2 {
        return;
    }
    let spread = |axis: usize| {
        let along = mine.iter().map(|&at| of[0][at][axis]);
        let low = along.clone().fold(f32::INFINITY, f32::min);
        along.fold(f32::NEG_INFINITY, f32::max) - low
    };
    let axis = usize::from(spread(1) > spread(0));
    let half = mine.len() / 2;
    let part = |of: &[Vector], numbers: &mut [usize]| {
        let key = |at: usize| [of[at][axis], of[at][1 - axis]];
        numbers.select_nth_unstable_by(half, |&one, &two| {
            let ([a, b], [c, d]) = (key(one), key(two));
            a.total_cmp(&c).then(b.total_cmp(&d)).then(one.cmp(&two))
        });
    };
    part(of[0], mine);
    part(of[1], theirs);
    let ((one, two), (three, four)) = (mine.split_at_mut(half), theirs.split_at_mut(half));
    halve(of, [one, three]);
    halve(of, [two, four]);
}

/// In a round of swaps a unit is compared with this many that follow it along each axis.
const PAIRS: usize = 12;
/// How much a swap must save, of the sum of the squared ways, and in squared cells.
const SAVED: [f32; 2] = [0.02, 0.01];

/// Swaps the places of pairs of units where that makes the sum of their squared ways smaller.
pub(crate) fn swap(units: &[Vector], places: &mut [Vector]) {
    for axis in 0..2 {
        let mut sorted: Vec<usize> = (0..units.len()).collect();
        sorted.sort_by(|&one, &two| units[one][axis].total_cmp(&units[two][axis]));
        for (at, &one) in sorted.iter().enumerate() {
            for &two in sorted[at + 1..].iter().take(PAIRS) {
                let now = square(units[one], places[one]) + square(units[two], places[two]);
                let swapped = square(units[one], places[two]) + square(units[two], places[one]);
                if swapped < now * (1.0 - SAVED[0]) - SAVED[1] {
                    places.swap(one, two);
                }
            }
        }
    }
}

fn square(one: Vector, two: Vector) -> f32 {
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

    #[test]
    fn matched_and_swapped_places_are_the_same_ones() {
        let mut below = draws(12);
        for count in 0..60 {
            let mut at = || [below(400), below(400)].map(|along| along as f32 * 0.1);
            let units: Vec<Vector> = (0..count).map(|_| at()).collect();
            let places: Vec<Vector> = (0..count).map(|_| at()).collect();
            let ways = |places: &[Vector]| -> f32 {
                units
                    .iter()
                    .zip(places)
                    .map(|(&unit, &place)| square(unit, place))
                    .sum()
            };
            let numbers = matched(&units, &places);
            let mut given: Vec<Vector> = numbers.iter().map(|&at| places[at]).collect();
            let long = ways(&given);
            swap(&units, &mut given);
            assert!(ways(&given) <= long);
            let sorted = |places: &[Vector]| {
                let mut places = places.to_vec();
                places
                    .sort_by(|one, two| one[0].total_cmp(&two[0]).then(one[1].total_cmp(&two[1])));
                places
            };
            assert_eq!(sorted(&given), sorted(&places));
        }
    }
}
