//! Light: the cells of a tile that see the goal, found outward from the goal.
//!
//! The goal is a lamp. A cell is lit if the line between the two middles
//! touches no closed cell; a line through a corner touches all four cells
//! there. This is the rule of [`Sight::OF_A_POINT`](super::Sight::OF_A_POINT),
//! applied to all cells at once, with constant work for each.
//!
//! The map around the goal is divided into eight octants, which are all treated
//! alike. A cell is `run` columns out and `rise` rows up, 0 ≤ rise ≤ run.
//!
//! ```text
//!   rise         ╱      A ray has a slope from 0 to 1 and goes from column to
//!    2         ╱ :      column. It enters a cell from the cell before, or from
//!    1       ╱ c :      the cell below that one:
//!    0    g ──────
//!         0  1  2  run      leaves the cell before     ──▶ ┌──────┐
//!                           leaves the one below that ─╱─▶ │ cell │ ─▶
//! ```
//!
//! Most cells are fully lit or fully dark; those of a column are found
//! together, a bit for each. Where a shadow begins or ends, cells are handled
//! one by one, with a [`Beam`] for the light that leaves each.

use super::beam::{Beam, LitCell};
use crate::grid::SECTOR_SIDE;

const SIDE: usize = SECTOR_SIDE as usize;

/// Ten bits, one for each cell of a tile's row or column.
pub(crate) const TEN: u16 = (1 << SIDE) - 1;

/// The light across one side of a tile: ten beams, each full, dark or bounded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Light {
    /// One bit for each cell: the beams without bounds, and those with bounds.
    full: u16,
    bounded: u16,
    /// The bounded beams; other entries are meaningless.
    bounds: [Beam; SIDE],
}

impl Light {
    pub(crate) const DARK: Self = Self {
        full: 0,
        bounded: 0,
        bounds: [Beam::FULL; SIDE],
    };
    /// All cells are fully lit.
    pub(crate) const FULL: Self = Self {
        full: TEN,
        ..Self::DARK
    };

    pub(crate) const fn is_dark(&self) -> bool {
        self.full | self.bounded == 0
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.full == TEN
    }

    /// Returns the same light, full or dark if it is so for all cells in the octant,
    /// which are `inside`.
    const fn of_octant(self, inside: u16) -> Self {
        if (self.full | self.bounded) & inside == 0 {
            Self::DARK
        } else if self.full & inside == inside {
            Self::FULL
        } else {
            self
        }
    }

    const fn get(&self, at: usize) -> Option<Beam> {
        if self.full >> at & 1 == 1 {
            Some(Beam::FULL)
        } else if self.bounded >> at & 1 == 1 {
            Some(self.bounds[at])
        } else {
            None
        }
    }

    const fn put(&mut self, at: usize, beam: Beam) {
        if beam.is_full() {
            self.full |= 1 << at;
        } else {
            self.bounded |= 1 << at;
            self.bounds[at] = beam;
        }
    }
}

/// A tile and the light that enters it.
pub(crate) struct Incoming<'a> {
    /// Run and rise of the tile's first cell; negative for cells outside the
    /// octant.
    pub(crate) first: [i32; 2],
    /// By column, one bit per row: the cells that light passes through.
    pub(crate) open: [u16; SIDE],
    /// The light from the tile before, by row.
    pub(crate) before: &'a Light,
    /// The light that enters the top row of the tile below, by column.
    pub(crate) below: &'a Light,
    /// One bit per column: the open cells of that row.
    pub(crate) below_open: u16,
    /// Whether the cell before the first cell of the diagonal is open.
    pub(crate) corner_open: bool,
}

/// The light that leaves a tile.
pub(crate) struct Outgoing {
    /// By column, one bit per row: the cells that see the goal.
    pub(crate) lit: [u16; SIDE],
    /// The light to the tile behind, by row.
    pub(crate) after: Light,
    /// The light that entered the tile's own top row, by column.
    pub(crate) above: Light,
}

/// Spreads light through one tile, column by column.
pub(crate) fn shine(tile: &Incoming<'_>) -> Outgoing {
    let [run, rise] = tile.first;
    let top = rise + SECTOR_SIDE - 1;
    let mut beams = *tile.before;
    let (mut above, mut above_inside) = (Light::DARK, 0);
    let mut lit = [0; SIDE];
    for (column, lit) in lit.iter_mut().enumerate() {
        let x = run + column as i32;
        if let Some(beam) = beams.get(SIDE - 1) {
            above.put(column, beam);
        }
        above_inside |= u16::from((0..x).contains(&top)) << column;
        let corner_open = match column.checked_sub(1) {
            None => u16::from(tile.corner_open) * TEN,
            Some(before) => tile.open[before],
        };
        let open = tile.open[column];
        let line = LitColumn {
            x,
            rise,
            open: open & rows_inside(x, rise),
            under: tile.below.get(column),
            under_open: open << 1 | tile.below_open >> column & 1,
            corner_open,
        };
        *lit = line.cross(&mut beams);
    }
    Outgoing {
        lit,
        after: beams.of_octant(rows_inside(run + SECTOR_SIDE - 1, rise)),
        above: above.of_octant(above_inside),
    }
}

/// Returns the bits of a tile's rows that lie in the octant in column `x`.
pub(crate) const fn rows_inside(x: i32, rise: i32) -> u16 {
    bits_below(x - rise + 1) & !bits_below(-rise)
}

/// Returns the lowest `count` of ten bits.
const fn bits_below(count: i32) -> u16 {
    if count <= 0 {
        0
    } else if count >= SECTOR_SIDE {
        TEN
    } else {
        (1 << count) - 1
    }
}

/// Returns the bit of a row, or 0 outside the tile.
const fn bit(row: i32) -> u16 {
    if row >= 0 && row < SECTOR_SIDE {
        1 << row
    } else {
        0
    }
}

/// A tile's column and the light that enters it.
struct LitColumn {
    x: i32,
    /// The rise of its first row.
    rise: i32,
    /// Its open cells inside the octant.
    open: u16,
    /// The light that leaves the cell below the first one of the column before.
    under: Option<Beam>,
    /// For each cell, whether the cell below is open.
    under_open: u16,
    /// For each cell, whether the cell before is open.
    corner_open: u16,
}

impl LitColumn {
    /// Replaces the beams that leave the column before by those that leave this
    /// one. Returns the cells of this column that see the goal.
    fn cross(&self, beams: &mut Light) -> u16 {
        let (axis, diagonal) = (bit(-self.rise), bit(self.x - self.rise));
        let last = [beams.full, beams.full | beams.bounded];
        beams.bounded = 0;
        if self.x <= 0 {
            // The goal itself sends light in all directions.
            beams.full = self.open & axis & diagonal;
            return 0;
        }
        let under = |of: u16, first: bool| of << 1 | u16::from(first);
        let first_full = self.under.is_some_and(Beam::is_full);
        // Other octants lie below the axis and left of the diagonal.
        let left_full = last[0] & !diagonal | self.corner_open & diagonal;
        let from_under = under(last[0], first_full) & self.under_open | axis;
        beams.full = self.open & left_full & from_under;
        let mut lit = self.open & left_full & (from_under | !diagonal);
        let any = last[1] & !diagonal | under(last[1], self.under.is_some());
        let mut others = self.open & !beams.full & any;
        // From the top down, since each cell reads the beams of its own row and
        // of the row below, and overwrites its own.
        while others != 0 {
            let row = others.ilog2() as usize;
            others ^= 1 << row;
            let cell = self.crossing(row, diagonal, last, &beams.bounds);
            lit |= u16::from(cell.sees()) << row;
            if let Some(beam) = cell.beam() {
                beams.put(row, beam);
            }
        }
        lit
    }

    /// Returns the cell of a row, with the light that enters it.
    fn crossing(
        &self,
        row: usize,
        diagonal: u16,
        [full, any]: [u16; 2],
        bounds: &[Beam; SIDE],
    ) -> LitCell {
        let left_of = |row: usize| {
            let bounds = if full >> row & 1 == 1 {
                Beam::FULL
            } else {
                bounds[row]
            };
            (any >> row & 1 == 1).then_some(bounds)
        };
        let on_diagonal = diagonal >> row & 1 == 1;
        let left = left_of(row).filter(|_| !on_diagonal);
        let y = self.rise + row as i32;
        let through_under = y > 0 && self.under_open >> row & 1 == 1;
        let under = match row.checked_sub(1) {
            None => self.under,
            Some(below) => left_of(below),
        };
        LitCell {
            x: self.x,
            y,
            left,
            under: under.filter(|_| through_under),
            passes_corner: if on_diagonal {
                self.corner_open >> row & 1 == 1
            } else {
                left.is_some()
            },
        }
    }
}
