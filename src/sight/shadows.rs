//! What an eye sees of the ground around it, where some of it is opaque.
//!
//! Each opaque cell throws a shadow away from the eye: a span of slopes. Cells are looked at in
//! four quadrants, row by row outward, in front of the shadows of the rows before:
//!
//! ```text
//!   row 3    . . . s s s .     E   the eye, in the middle of its cell
//!   row 2      . . s s .       #   an opaque cell, from (−½, ½) to (½, ½) and on
//!   row 1        . # .         s   in its shadow
//!                  E
//! ```
//!
//! All slopes are exact fractions. A line that touches a shadow's edge alone is free; one that
//! runs between two shadows that touch is not.

use crate::grid::{Cell, CellRect};

/// The cells of an area that an eye sees.
pub(crate) struct View {
    area: CellRect,
    seen: Vec<bool>,
}

/// The slope to a point: how far it is across, by how far it is ahead, which is over 0.
#[derive(Clone, Copy)]
struct Slope(i64, i64);

impl Slope {
    fn is_before(self, other: Self) -> bool {
        i128::from(self.0) * i128::from(other.1) < i128::from(other.0) * i128::from(self.1)
    }
}

/// The slopes in shadow: spans in order, none of which touches the next.
#[derive(Clone, Default)]
struct Shadows(Vec<[Slope; 2]>);

impl Shadows {
    /// Whether a line at this slope runs through a shadow.
    fn hide(&self, slope: Slope) -> bool {
        let index = self.0.partition_point(|[from, _]| from.is_before(slope));
        index > 0 && slope.is_before(self.0[index - 1][1])
    }

    /// Whether a shadow covers all of a span.
    fn cover(&self, [from, to]: [Slope; 2]) -> bool {
        let index = self.0.partition_point(|&[start, _]| !from.is_before(start));
        index > 0 && !self.0[index - 1][1].is_before(to)
    }

    /// Adds the shadows of a row, which come in order.
    fn add(&mut self, row: &[[Slope; 2]]) {
        let mut old = std::mem::take(&mut self.0).into_iter().peekable();
        let mut new = row.iter().copied().peekable();
        loop {
            let next = match (old.peek(), new.peek()) {
                (Some(one), Some(two)) if two[0].is_before(one[0]) => new.next(),
                (Some(_), _) => old.next(),
                (None, _) => new.next(),
            };
            let Some([from, to]) = next else { break };
            match self.0.last_mut() {
                Some([_, end]) if !end.is_before(from) => {
                    if end.is_before(to) {
                        *end = to;
                    }
                }
                _ => self.0.push([from, to]),
            }
        }
    }
}

impl View {
    /// Looks over an area around an eye, as far as `sight` cells along each axis. An opaque cell
    /// is seen where a part of it is, any other where its middle is.
    pub(crate) fn new(
        eye: Cell,
        sight: u32,
        area: CellRect,
        is_opaque: impl Fn(Cell) -> bool,
    ) -> Self {
        let mut view = Self {
            area,
            seen: vec![false; area.width as usize * area.height as usize],
        };
        view.mark(eye);
        let eye = [i64::from(eye.x), i64::from(eye.y)];
        let low = [i64::from(area.x), i64::from(area.y)];
        let high = [
            low[0] + i64::from(area.width) - 1,
            low[1] + i64::from(area.height) - 1,
        ];
        // Ahead along an axis, in one of its directions; across along the other.
        for (axis, way) in [(0, 1), (0, -1), (1, 1), (1, -1)] {
            let side = 1 - axis;
            let mut shadows = Shadows::default();
            let mut row = Vec::new();
            let at = |across: i64, ahead: i64| {
                let mut at = eye;
                at[axis] += way * ahead;
                at[side] += across;
                Cell::new(at[0] as i32, at[1] as i32)
            };
            let rows = if way > 0 {
                low[axis] - eye[axis]..=high[axis] - eye[axis]
            } else {
                eye[axis] - high[axis]..=eye[axis] - low[axis]
            };
            // Beside the eye, a cell throws a shadow on what is outside the quadrant.
            for beside in [-1, 1] {
                let cell = at(beside, 0);
                if area.contains(cell) && is_opaque(cell) {
                    let (one, other) = (Slope(beside, 1), Slope(4 * beside, 1));
                    row.push(if beside < 0 {
                        [other, one]
                    } else {
                        [one, other]
                    });
                }
            }
            shadows.add(&row);
            for ahead in (*rows.start()).max(1)..=(*rows.end()).min(i64::from(sight)) {
                // One cell more on either side throws a shadow on this quadrant too.
                let first = (low[side] - eye[side]).max(-ahead - 1);
                let last = (high[side] - eye[side]).min(ahead + 1);
                row.clear();
                for across in first..=last {
                    let cell = at(across, ahead);
                    let is_inside = across.abs() <= ahead;
                    if is_opaque(cell) {
                        let span = span(across, ahead);
                        if is_inside && !shadows.cover(span) {
                            view.mark(cell);
                        }
                        row.push(span);
                    } else if is_inside {
                        let slope = Slope(across, ahead);
                        let mut is_hidden = shadows.hide(slope);
                        // The line may run between this cell's neighbour and one of another row.
                        let beside = across - across.signum();
                        if across.abs() == ahead && !is_hidden && is_opaque(at(beside, ahead)) {
                            let mut shadows = shadows.clone();
                            shadows.add(&[span(beside, ahead)]);
                            is_hidden = shadows.hide(slope);
                        }
                        if !is_hidden {
                            view.mark(cell);
                        }
                    }
                }
                if !row.is_empty() {
                    shadows.add(&row);
                }
            }
        }
        view
    }

    pub(crate) fn has(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.seen[index])
    }

    fn mark(&mut self, cell: Cell) {
        if let Some(index) = self.index(cell) {
            self.seen[index] = true;
        }
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let [x, y] = [cell.x.abs_diff(self.area.x), cell.y.abs_diff(self.area.y)];
        let index = y as usize * self.area.width as usize + x as usize;
        self.area.contains(cell).then_some(index)
    }
}

/// The slopes of the corners of a cell, the least and the greatest.
const fn span(across: i64, ahead: i64) -> [Slope; 2] {
    let [near, far] = [2 * ahead - 1, 2 * ahead + 1];
    let [left, right] = [2 * across - 1, 2 * across + 1];
    [
        Slope(left, if left < 0 { near } else { far }),
        Slope(right, if right < 0 { far } else { near }),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::draws::draws;

    /// What a line from the middle of the eye's cell to another's does with a cell before that:
    /// runs through it, or touches it on one side or on the other.
    fn meets(eye: Cell, to: Cell, cell: Cell) -> Option<i32> {
        let [[mut x, mut y], [mut across, mut ahead]] =
            [cell, to].map(|at| [at.x - eye.x, at.y - eye.y]);
        if across.abs() > ahead.abs() {
            [x, y, across, ahead] = [y, x, ahead, across];
        }
        // Twice as far as the cell's middle is off the line, and as it reaches toward it.
        let (off, half) = (2 * (x * ahead - y * across), across.abs() + ahead.abs());
        let is_beside = x.abs() < across.abs() && across.abs() == ahead.abs();
        let is_before = y.abs() < ahead.abs() || is_beside;
        let is_ahead = y * ahead.signum() >= 0 && x * across + y * ahead > 0;
        (is_ahead && is_before && off.abs() <= half)
            .then(|| if off.abs() < half { 0 } else { off.signum() })
    }

    #[test]
    fn a_cell_is_seen_where_the_line_to_its_middle_is_free() {
        const SIDE: u32 = 24;
        let mut below = draws(3);
        let mut count = [0, 0];
        let area = CellRect::new(0, 0, SIDE, SIDE);
        for part in [3, 8, 20, 60, 200] {
            for _ in 0..40 {
                let mut drawn = || Cell::new(below(SIDE) as i32, below(SIDE) as i32);
                let eye = drawn();
                let opaque: BTreeSet<Cell> = (0..SIDE * SIDE / part).map(|_| drawn()).collect();
                let view = View::new(eye, SIDE, area, |cell| opaque.contains(&cell));
                for cell in area.cells().filter(|&cell| cell != eye) {
                    let before = opaque.iter().filter(|&&at| at != eye && at != cell);
                    let met: Vec<i32> = before.filter_map(|&at| meets(eye, cell, at)).collect();
                    let is_shut = met.contains(&0) || met.contains(&1) && met.contains(&-1);
                    let is_free = !is_shut;
                    // Of an opaque cell a part may be seen though its middle is not.
                    let may_be_seen = is_free || opaque.contains(&cell);
                    assert!(view.has(cell) || !is_free, "{eye} sees {cell}");
                    assert!(!view.has(cell) || may_be_seen, "{eye} does not see {cell}");
                    count[usize::from(is_free)] += 1;
                }
            }
        }
        assert!(count.iter().all(|&count| count > 1_000), "{count:?}");
    }

    /// ```text
    ///   # # # # # # # # # # # #
    ///   . . . . . . . . . # . .
    ///   . E . . . . . . . . . .
    ///   . . . . . . . . . # . .
    ///   # # # # # # # # # # # #
    /// ```
    #[test]
    fn walls_along_a_hall_are_seen() {
        let hall = CellRect::new(0, 0, 12, 5);
        let is_opaque = |cell: Cell| cell.y == 0 || cell.y == 4 || cell.x == 9 && cell.y != 2;
        let view = View::new(Cell::new(1, 2), 20, hall, is_opaque);
        for x in 0..=9 {
            assert!(
                view.has(Cell::new(x, 0)) && view.has(Cell::new(x, 4)),
                "{x}"
            );
        }
        assert!(view.has(Cell::new(9, 1)) && view.has(Cell::new(11, 2)));
        assert!(!view.has(Cell::new(11, 1)) && !view.has(Cell::new(11, 3)));
    }
}
