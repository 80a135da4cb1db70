//! Line of sight: may a unit go straight from one point to another?
//!
//! The line between two points touches a chain of cells, its *supercover*. The
//! line is free if none of these cells is a wall or costs more than the unit
//! accepts:
//!
//! ```text
//!   . . . x x b      x   the supercover of the line from a to b
//!   . x x x . .
//!   a x . . . .      a line through a corner touches all four cells there,
//!                    so no corner is cut, as in the step rule
//! ```
//!
//! A unit is wider than a line. A wall counts as touched if the square of the
//! wall, grown by the unit's *clearance* on all sides, with round corners, meets
//! the line.
//!
//! All arithmetic is in integers, 256 to a cell, so that every machine gets the
//! same result. A line touches a square exactly if they overlap along both axes
//! and the square's middle lies no farther from the line than the square
//! reaches toward it. With d the line's vector and h half the square's side:
//!
//! ```text
//!   |(middle − a) × d|  ≤  h · (|dx| + |dy|) + r · |d|
//! ```
//!
//! where r is the clearance at its round corners. This needs no division and no rounding, and is
//! exact but beside the ends of the line, where the grown squares have sharp corners.

#[cfg(feature = "steer")]
use crate::cost::Opaque;
use crate::cost::{Cost, CostMap};
use crate::grid::{Cell, SECTOR_SIDE, Sector, SectorId};

mod shadows;
mod string;

pub(crate) use shadows::View;
pub(crate) use string::Pull;

/// Units of a cell's side in which sight measures.
pub const FINE: i32 = 256;

const CELL: i64 = FINE as i64;
const CELL_BITS: u32 = FINE.trailing_zeros();
/// How much farther a line stays from corners than from the sides of walls, in 256ths of a cell:
/// units that turn there drift outward a little.
const CORNER: i64 = 6;
/// The rows of a strip of the map. The first row of each is a multiple of it.
pub(crate) const STRIP: i32 = 4;
/// How far a line by rows may lie from the true one, in 256ths of a cell, and one more for each
/// 256 rows.
const ROUNDING: i64 = 5;

/// The requirements of a line of sight.
///
/// ```
/// use flowtiles::steer::parts::Sight;
/// use flowtiles::{Cell, CellRect, Cost, CostMap};
///
/// let mut map = CostMap::open(20, 20)?;
/// map.edit(CellRect::new(8, 3, 1, 10), Cost::WALL)?;
/// let line = |from: (i32, i32), to: (i32, i32)| {
///     Sight::OF_A_POINT.between(&map, from.into(), to.into())
/// };
/// assert!(line((2, 1), (17, 2))); // north of the wall
/// assert!(!line((2, 8), (17, 8))); // through it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How far walls must stay from the line, in 256ths of a cell. Below 128
    /// every legal step is in sight. A wall nearer than that to the line's
    /// first point counts by its own square alone; otherwise a unit beside a
    /// wall would see nothing.
    pub clearance: i32,
    /// The highest cost that a cell on the line may have. With [`Cost::OPEN`]
    /// sight ends at ground that costs more than open ground.
    pub highest: Cost,
}

impl Sight {
    /// For a point; ends at ground that costs more than open ground.
    pub const OF_A_POINT: Self = Self {
        clearance: 0,
        highest: Cost::OPEN,
    };

    /// Whether the line between the middles of two cells is free. `false` if
    /// one of them is a wall or off the map.
    #[must_use]
    pub fn between(self, costs: &CostMap, from: Cell, to: Cell) -> bool {
        self.along(costs, middle(from), middle(to))
    }

    /// Whether the line between two points is free. Points are in 256ths of a
    /// cell from the map's corner.
    #[must_use]
    pub fn along(self, costs: &CostMap, from: [i32; 2], to: [i32; 2]) -> bool {
        self.over(costs, from, to)
    }

    /// The same, over ground that may know more about itself than a map of costs.
    pub(crate) fn over(self, ground: &impl SightGround, from: [i32; 2], to: [i32; 2]) -> bool {
        self.keeps_off(ground, from, to, Cost::is_wall)
    }

    /// The same, for a line that stays as far from ground that costs too much as from walls.
    #[cfg(feature = "steer")]
    pub(crate) fn wary(self, ground: &impl SightGround, from: [i32; 2], to: [i32; 2]) -> bool {
        self.keeps_off(ground, from, to, |_| true)
    }

    fn keeps_off(
        self,
        ground: &impl SightGround,
        from: [i32; 2],
        to: [i32; 2],
        is_wide: fn(Cost) -> bool,
    ) -> bool {
        let line = SightLine::new(from, to, i64::from(self.clearance));
        let rows = line.by_rows();
        if ground.has_rows(self.highest, rows.low, rows.high) {
            return rows.are_free(ground, self.highest, |cell| {
                let [column, row] = line.place(cell);
                self.passes(ground, &line, [column, row], is_wide)
            });
        }
        let [mut column, last] = line.columns();
        let [low, high] = line.corners(column, last);
        if ground.is_known_at_most(self.highest, low, high) {
            return true;
        }
        // As many columns at once as are open; where they are not, fewer and fewer.
        let mut columns = (last - column + 1).div_euclid(2).max(1);
        while column <= last {
            let end = last.min(column + columns - 1);
            let [low, high] = line.corners(column, end);
            if ground.is_known_at_most(self.highest, low, high) {
                columns *= 2;
            } else if columns > 1 {
                columns /= 2;
                continue;
            } else {
                let [top, bottom] = line.rows(column);
                if !(top..=bottom).all(|row| self.passes(ground, &line, [column, row], is_wide)) {
                    return false;
                }
            }
            column = end + 1;
        }
        true
    }

    fn passes(
        self,
        ground: &impl SightGround,
        line: &SightLine,
        [column, row]: [i64; 2],
        is_wide: fn(Cost) -> bool,
    ) -> bool {
        let cost = ground.cost(line.cell(column, row)).unwrap_or(Cost::WALL);
        if cost <= self.highest {
            return true;
        }
        let half = CELL / 2;
        let middle = [column * CELL + half, row * CELL + half];
        let wide = is_wide(cost) && !line.begins_within(middle, half);
        let reach = if wide { line.clearance } else { 0 };
        !line.touches(middle, half, reach)
    }
}

/// Ground that lines of sight cross.
pub(crate) trait SightGround {
    /// Returns the cost of a cell; `None` off the map.
    fn cost(&self, cell: Cell) -> Option<Cost>;

    /// Whether it is known, without a look at every cell, that no cell of the box
    /// between two cells costs more than `highest`.
    fn is_known_at_most(&self, highest: Cost, low: Cell, high: Cell) -> bool;

    /// Whether the box between two cells is on the map, and the cells in it that cost more than
    /// `highest` can be found [row by row](Self::any_in_row).
    fn has_rows(&self, _highest: Cost, _low: Cell, _high: Cell) -> bool {
        false
    }

    /// Whether it is known, without a look at every cell, that all cells of a box in one
    /// [strip](STRIP) of the map are open.
    fn is_strip_known_open(&self, _corners: [Cell; 2]) -> bool {
        false
    }

    /// Whether one of the cells that are not open `blocks`, of those from one to another in a row.
    fn any_in_row(&self, _ends: [Cell; 2], _blocks: impl FnMut(Cell) -> bool) -> bool {
        true
    }
}

impl SightGround for CostMap {
    fn cost(&self, cell: Cell) -> Option<Cost> {
        self.get(cell)
    }

    fn is_known_at_most(&self, highest: Cost, low: Cell, high: Cell) -> bool {
        let is_even = |sector| {
            let even = || self.tile(sector).even();
            highest > Cost::OPEN && even().is_some_and(|cost| cost <= highest)
        };
        all_sectors(self, [low, high], |sector| {
            self.is_open_ground(sector) || is_even(sector)
        })
    }
}

/// Whether the box between two cells is on the map, and this holds for each sector in it.
fn all_sectors(costs: &CostMap, corners: [Cell; 2], holds: impl Fn(SectorId) -> bool) -> bool {
    let [low, high] = corners.map(|cell| {
        let [x, y] = [cell.x, cell.y].map(|at| at.div_euclid(SECTOR_SIDE));
        Sector::new(x, y)
    });
    (low.y..=high.y).all(|y| {
        (low.x..=high.x).all(|x| {
            let sector = costs.extent().sector_id(Sector::new(x, y));
            sector.is_some_and(&holds)
        })
    })
}

/// The ground to sights and shots: what is opaque is a wall, and all else is open.
#[cfg(feature = "steer")]
pub(crate) struct Views<'w> {
    pub costs: &'w CostMap,
    pub opaque: Opaque,
    /// Whoever stands in these sees out of them, and is seen.
    pub ends: Option<[Cell; 2]>,
}

#[cfg(feature = "steer")]
impl SightGround for Views<'_> {
    fn cost(&self, cell: Cell) -> Option<Cost> {
        let kind = self.costs.get(cell)?;
        let is_end = self.ends.is_some_and(|ends| ends.contains(&cell));
        let is_opaque = self.opaque.has(kind) && !is_end;
        Some(if is_opaque { Cost::WALL } else { Cost::OPEN })
    }

    fn is_known_at_most(&self, _highest: Cost, low: Cell, high: Cell) -> bool {
        let is_clear = |sector: SectorId| {
            let even = || self.costs.tile(sector).even();
            match self.costs.is_open_ground(sector) {
                true => !self.opaque.has(Cost::OPEN),
                false => even().is_some_and(|kind| !self.opaque.has(kind)),
            }
        };
        all_sectors(self.costs, [low, high], is_clear)
    }
}

/// Returns the middle of a cell in 256ths.
pub(crate) const fn middle(cell: Cell) -> [i32; 2] {
    [cell.x * FINE + FINE / 2, cell.y * FINE + FINE / 2]
}

/// A line, longer along the columns than along the rows. The axes of a steep
/// line are swapped.
struct SightLine {
    from: [i64; 2],
    vector: [i64; 2],
    clearance: i64,
    steep: bool,
}

impl SightLine {
    fn new(from: [i32; 2], to: [i32; 2], clearance: i64) -> Self {
        let from = from.map(i64::from);
        let vector = [i64::from(to[0]) - from[0], i64::from(to[1]) - from[1]];
        let steep = vector[1].abs() > vector[0].abs();
        let turned = |[x, y]: [i64; 2]| if steep { [y, x] } else { [x, y] };
        Self {
            from: turned(from),
            vector: turned(vector),
            clearance,
            steep,
        }
    }

    /// Returns the least and the greatest coordinate along an axis.
    fn span(&self, axis: usize) -> [i64; 2] {
        let (one, two) = (self.from[axis], self.from[axis] + self.vector[axis]);
        [one.min(two), one.max(two)]
    }

    /// Returns the cell in a column and a row of the line.
    const fn cell(&self, column: i64, row: i64) -> Cell {
        if self.steep {
            Cell::new(row as i32, column as i32)
        } else {
            Cell::new(column as i32, row as i32)
        }
    }

    /// Returns the column and the row of the line in which a cell lies.
    const fn place(&self, cell: Cell) -> [i64; 2] {
        let [x, y] = [cell.x as i64, cell.y as i64];
        if self.steep { [y, x] } else { [x, y] }
    }

    /// Returns the line as it crosses the rows of the map.
    fn by_rows(&self) -> LineByRows {
        let [x, y] = if self.steep { [1, 0] } else { [0, 1] };
        let [[west, east], [north, south]] = [x, y].map(|axis| self.span(axis));
        let reach = self.clearance;
        let cell = |x: i64, y: i64| Cell::new((x >> CELL_BITS) as i32, (y >> CELL_BITS) as i32);
        let slope = (self.vector[x] << 16).checked_div(self.vector[y]);
        LineByRows {
            from: [self.from[x], self.from[y]],
            slope: slope.unwrap_or(0),
            rows: [north, south],
            reach,
            // One that goes along a row is everywhere in it.
            aside: slope.map_or(east - west, |_| (south - north) >> 16) + ROUNDING + reach,
            low: cell(west - reach - 1, north - reach - 1),
            high: cell(east + reach, south + reach),
        }
    }

    /// Returns the corners of a box in which the line crosses the columns from `column`
    /// to `end`.
    // PERF: in `flowtiles sim four-armies` half of a step was sight; with a look at such
    // boxes it is a twentieth.
    fn corners(&self, column: i64, end: i64) -> [Cell; 2] {
        let ([one, two], [three, four]) = (self.rows(column), self.rows(end));
        [
            self.cell(column, one.min(three)),
            self.cell(end, two.max(four)),
        ]
    }

    /// Returns the first and the last column that may be touched.
    fn columns(&self) -> [i64; 2] {
        let [least, most] = self.span(0);
        // A point on the border of two cells touches both.
        [
            (least - self.clearance - 1).div_euclid(CELL),
            (most + self.clearance).div_euclid(CELL),
        ]
    }

    /// Returns the first and the last row that may be touched in a column: all
    /// that are touched, and at most a few more.
    fn rows(&self, column: i64) -> [i64; 2] {
        let [least, most] = self.span(0);
        let west = (column * CELL - self.clearance).clamp(least, most);
        let east = ((column + 1) * CELL + self.clearance).clamp(least, most);
        let at = |x: i64| {
            if self.vector[0] == 0 {
                self.from[1]
            } else {
                self.from[1] + (x - self.from[0]) * self.vector[1] / self.vector[0]
            }
        };
        let (one, two) = (at(west), at(east));
        [
            (one.min(two) - self.clearance - 2).div_euclid(CELL),
            (one.max(two) + self.clearance + 1).div_euclid(CELL),
        ]
    }

    /// Whether the line begins nearer than the clearance to the square around `middle`.
    fn begins_within(&self, middle: [i64; 2], half: i64) -> bool {
        let off = [0, 1].map(|axis| ((self.from[axis] - middle[axis]).abs() - half).max(0));
        off[0].pow(2) + off[1].pow(2) <= self.clearance.pow(2)
    }

    /// Whether the line touches the square around `middle`, grown by `reach`, with round corners.
    fn touches(&self, middle: [i64; 2], half: i64, reach: i64) -> bool {
        let overlaps = (0..2).all(|axis| {
            let [least, most] = self.span(axis);
            let far = half + reach;
            most >= middle[axis] - far && least <= middle[axis] + far
        });
        let [dx, dy] = self.vector;
        let wide = dx.abs() + dy.abs();
        let across = (middle[0] - self.from[0]) * dy - (middle[1] - self.from[1]) * dx;
        let over = across.abs() - half * wide;
        overlaps && over <= reach * wide && (over <= 0 || self.is_within(round(reach), over))
    }

    /// Whether a distance is at most `reach`, of which `over` is the product with the line's
    /// length.
    fn is_within(&self, reach: i64, over: i64) -> bool {
        let [dx, dy, reach, over] =
            [self.vector[0], self.vector[1], reach, over].map(|number| i128::from(number).pow(2));
        over <= reach * (dx + dy)
    }
}

/// A line as it crosses the rows of the map. Distances are in 256ths of a cell.
struct LineByRows {
    from: [i64; 2],
    /// How far it goes along a row for each 256th that it goes down, in 2⁻¹⁶ of a 256th: at the end
    /// of the longest line it is off by less than four of them.
    slope: i64,
    /// Its least and its greatest coordinate down the map.
    rows: [i64; 2],
    reach: i64,
    /// How far aside of it in a row a cell may be that it touches.
    aside: i64,
    /// The corners of the box around all cells that may be touched.
    low: Cell,
    high: Cell,
}

impl LineByRows {
    /// Whether all cells that may be touched are open or `pass`: all at once, as most ground is
    /// open, else strip by strip, and row by row where a strip is not open.
    // PERF: a step of 10,000 units among rocks takes an eighth less than by halves of its rows.
    fn are_free(
        &self,
        ground: &impl SightGround,
        highest: Cost,
        pass: impl Fn(Cell) -> bool,
    ) -> bool {
        if ground.is_known_at_most(highest, self.low, self.high) {
            return true;
        }
        let (mut top, last) = (self.low.y, self.high.y);
        while top <= last {
            let bottom = last.min(top | (STRIP - 1));
            let is_free = |y| !ground.any_in_row(self.between(y, y), |cell| !pass(cell));
            if !ground.is_strip_known_open(self.between(top, bottom))
                && !(top..=bottom).all(is_free)
            {
                return false;
            }
            top = bottom + 1;
        }
        true
    }

    /// Returns the corners of a box with the cells of some rows that may be touched: all that are,
    /// and at most a few more.
    #[inline]
    fn between(&self, top: i32, bottom: i32) -> [Cell; 2] {
        let [north, south] = self.rows;
        let along = |end: i64| {
            let down = end.clamp(north, south) - self.from[1];
            self.from[0] + ((down * self.slope) >> 16)
        };
        let one = along((i64::from(top) << CELL_BITS) - self.reach);
        let two = along((i64::from(bottom + 1) << CELL_BITS) + self.reach);
        let left = (one.min(two) - self.aside) >> CELL_BITS;
        let right = (one.max(two) + self.aside) >> CELL_BITS;
        [
            Cell::new(self.low.x.max(left as i32), top),
            Cell::new(self.high.x.min(right as i32), bottom),
        ]
    }
}

/// Returns how far a line stays from the corners of walls that are grown by `reach`.
const fn round(reach: i64) -> i64 {
    if reach == 0 { 0 } else { reach + CORNER }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::scaled;
    use crate::grid::{CellRect, Direction};
    use crate::kernel::step_price;

    /// Draws a map of walls and hard ground.
    fn drawn(seed: u32, width: u32, height: u32) -> CostMap {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        let mut map = CostMap::open(width, height).unwrap();
        for cell in CellRect::new(0, 0, width, height).cells() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let cost = match state >> 28 {
                0..=2 => Cost::WALL,
                3 => Cost::new(4).unwrap(),
                _ => Cost::OPEN,
            };
            map.edit(cell, cost).unwrap();
        }
        map
    }

    /// The plain reference: tests every cell of the map.
    fn naive(sight: Sight, costs: &CostMap, from: Cell, to: Cell) -> bool {
        let line = SightLine::new(middle(from), middle(to), i64::from(sight.clearance));
        let reach = 2;
        let (left, right) = (from.x.min(to.x) - reach, from.x.max(to.x) + reach);
        let (top, bottom) = (from.y.min(to.y) - reach, from.y.max(to.y) + reach);
        (top..=bottom).all(|y| {
            (left..=right).all(|x| {
                let (x, y) = (i64::from(x), i64::from(y));
                let [column, row] = if line.steep { [y, x] } else { [x, y] };
                sight.passes(costs, &line, [column, row], Cost::is_wall)
            })
        })
    }

    #[test]
    fn no_touched_cell_is_left_out() {
        let cells = || CellRect::new(0, 0, 13, 9).cells();
        let mut seen = [0, 0];
        for seed in 0..scaled(18) as u32 {
            let costs = drawn(seed, 13, 9);
            for clearance in [0, 40, 127, 200] {
                let highest = if seed % 2 == 0 { 1 } else { 4 };
                let highest = Cost::new(highest).unwrap();
                let sight = Sight { clearance, highest };
                for (from, to) in cells().flat_map(|from| cells().map(move |to| (from, to))) {
                    let free = sight.between(&costs, from, to);
                    assert_eq!(
                        free,
                        naive(sight, &costs, from, to),
                        "{from} {to} {sight:?}"
                    );
                    seen[usize::from(free)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&count| count > scaled(6_000)), "{seen:?}");
    }

    #[test]
    fn plain_sectors_are_passed_over_and_no_others() {
        let cells: Vec<Cell> = CellRect::new(0, 0, 50, 40).cells().step_by(17).collect();
        for highest in [Cost::OPEN, Cost::new(4).unwrap()] {
            let mut costs = CostMap::open(50, 40).unwrap();
            costs.edit(CellRect::new(0, 0, 30, 40), highest).unwrap();
            costs
                .edit(CellRect::new(40, 0, 10, 10), Cost::new(5).unwrap())
                .unwrap();
            for (x, y) in [(14, 12), (15, 12), (31, 29), (5, 33)] {
                costs.edit(Cell::new(x, y), Cost::WALL).unwrap();
            }
            let sight = Sight {
                clearance: 77,
                highest,
            };
            let mut free = 0;
            for (&from, &to) in cells
                .iter()
                .flat_map(|from| cells.iter().map(move |to| (from, to)))
            {
                let seen = sight.between(&costs, from, to);
                assert_eq!(seen, naive(sight, &costs, from, to), "{from} {to}");
                free += usize::from(seen);
            }
            assert!(free > 1_000 && free < cells.len() * cells.len());
        }
    }

    #[test]
    fn a_step_is_in_sight_just_if_the_rule_allows_it() {
        for (seed, clearance) in [(1, 0), (2, 60), (3, 127)] {
            let costs = drawn(seed, 21, 17);
            let highest = Cost::new(254).unwrap();
            let sight = Sight { clearance, highest };
            for cell in CellRect::new(0, 0, 21, 17)
                .cells()
                .filter(|&c| costs.is_open(c))
            {
                for direction in Direction::ALL {
                    let legal = step_price(&costs, cell, direction).is_some();
                    let seen = sight.between(&costs, cell, cell.step(direction));
                    assert_eq!(seen, legal, "{cell} {direction} {clearance}");
                }
            }
        }
    }

    #[test]
    fn sight_is_the_same_from_both_ends_for_a_point() {
        let costs = drawn(5, 30, 20);
        let cells: Vec<Cell> = CellRect::new(0, 0, 30, 20).cells().step_by(7).collect();
        for &from in &cells {
            for &to in &cells {
                let there = Sight::OF_A_POINT.between(&costs, from, to);
                assert_eq!(there, Sight::OF_A_POINT.between(&costs, to, from));
            }
        }
    }
}
