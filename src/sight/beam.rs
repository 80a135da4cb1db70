//! A beam of light through one cell, in fractions.
//!
//! A beam is the light that leaves a cell across its far side: the slopes
//! between two bounds. Two bounds are enough, since the lit part of a side is
//! never split in two. A wall in column j hides slopes over a range of 1/j or
//! more, and the far side of a cell in column x ≥ j spans 1/(x + ½). So no
//! shadow fits between the ends of one cell's side.
//!
//! ```text
//!              end              left    from the cell before
//!         ┌─────╱               under   from the cell below that one,
//!   left ─┼▶   ╱│                       through the cell below
//!         corner│               corner, end, begin   the rays between which
//!   under ─╱────┤ begin                              they enter and leave
//! ```
//!
//! Slopes are compared as fractions. Nothing is rounded, so exactly the cells
//! that see the goal are lit.

/// A slope: rise over run, in half cells. A run of 0 stands for "no bound".
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    rise: u16,
    run: u16,
}

impl Slope {
    const NONE: Self = Self { rise: 0, run: 0 };

    const fn new(rise: i32, run: i32) -> Self {
        Self {
            rise: rise as u16,
            run: run as u16,
        }
    }

    const fn is_none(self) -> bool {
        self.run == 0
    }

    const fn or(self, other: Self) -> Self {
        if self.is_none() { other } else { self }
    }

    /// Whether both are slopes and `self` is the lower.
    const fn is_below(self, other: Self) -> bool {
        let this = self.rise as u32 * other.run as u32;
        let that = other.rise as u32 * self.run as u32;
        this < that && !self.is_none() && !other.is_none()
    }

    /// Whether `self` is no bound, or lies below `other`.
    const fn allows_above(self, other: Self) -> bool {
        self.is_none() || self.is_below(other)
    }
}

/// The light that leaves a cell across its far side: the slopes strictly
/// between two bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beam {
    low: Slope,
    high: Slope,
}

impl Beam {
    pub(super) const FULL: Self = Self {
        low: Slope::NONE,
        high: Slope::NONE,
    };

    pub(super) const fn is_full(self) -> bool {
        self.low.is_none() && self.high.is_none()
    }
}

/// An open cell and the light that enters it.
pub(super) struct LitCell {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The light that leaves the cell before, and the light that leaves the
    /// cell below that one and passes the cell below; `None` if dark.
    pub(super) left: Option<Beam>,
    pub(super) under: Option<Beam>,
    /// Whether no wall beside it hides the corner between the two.
    pub(super) passes_corner: bool,
}

impl LitCell {
    /// Whether the middle of the cell sees the goal.
    pub(super) const fn sees(&self) -> bool {
        let middle = Slope::new(2 * self.y, 2 * self.x);
        match (self.left, self.under) {
            (Some(beam), _) => {
                beam.low.allows_above(middle) && (beam.high.is_none() || middle.is_below(beam.high))
            }
            // A cell on the diagonal sees it through the corner.
            (None, Some(beam)) => self.y == self.x && beam.high.is_none() && self.passes_corner,
            (None, None) => false,
        }
    }

    /// Returns the light that leaves the cell.
    pub(super) const fn beam(&self) -> Option<Beam> {
        let (x, y) = (self.x, self.y);
        // The ray through the corner between the two cells before.
        let corner = if y == 0 {
            Slope::NONE
        } else {
            Slope::new(2 * y - 1, 2 * x - 1)
        };
        let Beam { low, high } = match (self.of_left(), self.of_under(corner)) {
            (None, None) => return None,
            (None, Some(beam)) => beam,
            (Some(left), Some(under)) if left.low.is_none() && under.high.is_none() => Beam {
                low: under.low,
                high: left.high,
            },
            // If both exist with a shadow between them, too much is hidden,
            // never too little.
            (Some(left), _) => Beam {
                low: left.low.or(corner),
                high: left.high,
            },
        };
        if low.is_none() || high.is_none() || low.is_below(high) {
            Some(Beam { low, high })
        } else {
            None
        }
    }

    /// Returns the part of `left` that leaves across the far side.
    const fn of_left(&self) -> Option<Beam> {
        let Some(Beam { low, high }) = self.left else {
            return None;
        };
        let end = Slope::new(2 * self.y + 1, 2 * self.x + 1);
        if !low.allows_above(end) {
            return None;
        }
        let high = if end.is_below(high) {
            Slope::NONE
        } else {
            high
        };
        Some(Beam { low, high })
    }

    /// Returns the part of `under` that leaves across the far side.
    const fn of_under(&self, corner: Slope) -> Option<Beam> {
        let Some(Beam { low, high }) = self.under else {
            return None;
        };
        let high = if self.passes_corner {
            high
        } else {
            high.or(corner)
        };
        let begin = Slope::new(2 * self.y - 1, 2 * self.x + 1);
        if !high.is_none() && !begin.is_below(high) {
            return None;
        }
        let low = if low.is_below(begin) {
            Slope::NONE
        } else {
            low
        };
        Some(Beam { low, high })
    }
}
