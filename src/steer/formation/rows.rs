//! Rows of places, one behind the other: around a goal, or behind a line.

use super::places::{Open, Site, side_of};
use crate::steer::units::{ArmyError, MOST};
use crate::vector::{NONE, Vector, difference, distance, greater, right_of, sum, times, unit};

/// A line on which units [draw up](crate::steer::Army::draw_up), drawn from the left to the right
/// of those that stand on it and look ahead.
///
/// ```
/// use flowtiles::steer::Line;
///
/// // Rows of the map grow southward: from west to east, units face north.
/// let line = Line::new([10.0, 20.0], [30.0, 20.0]);
/// assert_eq!((line.facing(), line.middle(), line.width()), ([0.0, -1.0], [20.0, 20.0], 20.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Line {
    /// Its left end.
    pub left: [f32; 2],
    /// Its right end.
    pub right: [f32; 2],
}

impl Line {
    /// Returns the line between two points.
    #[must_use]
    pub const fn new(left: [f32; 2], right: [f32; 2]) -> Self {
        Self { left, right }
    }

    /// Returns the point halfway between its ends.
    #[must_use]
    pub fn middle(&self) -> [f32; 2] {
        times(sum(self.left, self.right), 0.5)
    }

    /// Returns the distance between its ends, in cells.
    #[must_use]
    pub fn width(&self) -> f32 {
        distance(self.left, self.right)
    }

    /// Returns the direction in which units on it look, of length 1; of length 0 if both ends are
    /// one point.
    #[must_use]
    pub fn facing(&self) -> [f32; 2] {
        let [x, y] = unit(difference(self.right, self.left));
        [y, -x]
    }

    pub(crate) fn check(&self) -> Result<(), ArmyError> {
        let off = |at: &f32| !(-MOST..=MOST).contains(at);
        let refused = |value, wanted| {
            let field = "line";
            Err(ArmyError::Group {
                field,
                value,
                wanted,
            })
        };
        match self.left.into_iter().chain(self.right).find(off) {
            Some(value) => refused(value, "points of two numbers from -1,000,000 to 1,000,000"),
            None if self.facing() == NONE => refused(self.width(), "two ends at different points"),
            None => Ok(()),
        }
    }
}

/// Rows of places, one behind the other.
pub(crate) struct Rows {
    /// Where the way of the units ends.
    goal: Vector,
    /// The direction in which they look, of length 1.
    heading: Vector,
    /// The middle of the last row and half of its depth; before the first row of a line, the middle
    /// of that and none.
    last: (Vector, Option<f32>),
    width: f32,
    /// Whether a row is as wide as all, also if its units need less.
    is_spread: bool,
    open: Open,
}

/// How many times as wide as deep rows are.
const WIDE: f32 = 2.0;
/// About how deep rows on a line are at the most, in cells: their units go straight to places no
/// farther than 32 cells.
const DEEPEST: f32 = 24.0;
/// After this many rows without a place the search ends.
const ROWS_MOST: usize = 8;

/// Returns points behind a place on a line: a unit that does not see the place comes there by one
/// of them.
pub(crate) fn behind(place: Vector, heading: Vector) -> impl Iterator<Item = Vector> {
    [2.0, 4.0, 8.0]
        .into_iter()
        .map(move |far| difference(place, times(heading, far)))
}

/// Returns the area that places for units of these radii take.
fn area_of(radii: impl Iterator<Item = f32>) -> f32 {
    radii.map(|radius| side_of(radius) * side_of(radius)).sum()
}

impl Rows {
    /// Begins rows for units of these radii, with their middle at the goal.
    pub(crate) fn around(goal: Vector, heading: Vector, radii: impl Iterator<Item = f32>) -> Self {
        let depth = (area_of(radii) / WIDE).sqrt();
        Self {
            goal,
            heading,
            last: (sum(goal, times(heading, 0.5 * depth)), Some(0.0)),
            width: depth * WIDE,
            is_spread: false,
            open: Open::default(),
        }
    }

    /// Begins rows for units of these radii on a line, wider than it if they would be too deep.
    pub(crate) fn behind(goal: Vector, line: &Line, radii: impl Iterator<Item = f32>) -> Self {
        Self {
            goal,
            heading: line.facing(),
            last: (line.middle(), None),
            width: greater(line.width(), area_of(radii) / DEEPEST),
            is_spread: true,
            open: Open::default(),
        }
    }

    /// Returns places for `count` units of a radius, behind those that were given; fewer if there is
    /// no room. All that go to a line are spread along it; those who come later look at all columns.
    pub(crate) fn places(
        &mut self,
        radius: f32,
        count: usize,
        are_all: bool,
        site: &impl Site,
    ) -> Vec<Vector> {
        let side = side_of(radius);
        let most = (self.width / side) as usize + 1;
        let columns = if are_all { most.min(count) } else { most };
        let apart = if self.is_spread && columns > 1 {
            greater(self.width / (columns - 1) as f32, side)
        } else {
            side
        };
        let right = right_of(self.heading);
        let mut places = Vec::new();
        let mut without = 0;
        while places.len() < count && without < ROWS_MOST {
            let found = places.len();
            let wide = if self.is_spread {
                columns
            } else {
                most.min(count - found)
            };
            let (last, depth) = self.last;
            let behind = depth.map_or(0.0, |depth| depth + 0.5 * side);
            let row = difference(last, times(self.heading, behind));
            self.last = (row, Some(0.5 * side));
            let off = |column: usize| (column as f32 - (wide - 1) as f32 * 0.5) * apart;
            let mut offs: Vec<f32> = (0..wide).map(off).collect();
            // A row that is not full is in the middle.
            offs.sort_by(|one, two| one.abs().total_cmp(&two.abs()));
            for off in offs {
                if places.len() == count {
                    break;
                }
                let place = sum(row, times(right, off));
                let has_room = self.open.has_room(self.goal, place, side, site);
                if has_room || self.is_spread && self.has_room_behind_a_rock(place, site) {
                    places.push(place);
                }
            }
            without = if places.len() == found {
                without + 1
            } else {
                0
            };
        }
        places
    }

    /// Whether there is room at a place that a unit reaches from the goal in two straight lines, by
    /// a point behind the place.
    fn has_room_behind_a_rock(&self, place: Vector, site: &impl Site) -> bool {
        let reaches = |point: Vector| {
            site.is_clear(point) && site.sees(self.goal, point) && site.sees(point, place)
        };
        let mut points = behind(place, self.heading);
        site.is_clear(place) && site.is_free(place) && points.any(reaches)
    }
}
