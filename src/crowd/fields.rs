//! The fields that all streams share: density, flow and discomfort.
//!
//! A unit gives weight to the four field cells around it, by how far it lies
//! inside each: with λ = 1 the lesser of the two distances to a cell's far
//! sides. So the density in its own cell is at least 1/2^λ, in any other at most
//! that, and both change steadily as it moves.
//!
//! ```text
//!   ┌─────┬─────┐
//!   │     │     │     weight of the south-east cell: the lesser of the
//!   │   · ┼┄┄┐  │     distances of • from the middles to its west and north,
//!   ├─────┼──┊──┤     to the power λ
//!   │     │  •  │
//!   └─────┴─────┘
//! ```

use crate::vector::{Vector, lesser, sum, times};

use super::ground::{CLOSED, Ground, NO_PAGE};
use super::paint::Paint;

/// A unit as the fields see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    /// Its stream, if it has one.
    pub(super) stream: Option<usize>,
    /// How far ahead its place is predicted, in seconds; 0 if it stands.
    pub(super) foresight: f32,
    pub(super) stands: bool,
}

/// Density, flow and discomfort, a value a field cell.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) density: Vec<f32>,
    /// The sum of the velocities, each by its weight: divided by the density
    /// it is the mean velocity.
    pub(super) flow: Vec<Vector>,
    /// Where units are going to be.
    pub(super) predicted: Vec<f32>,
    /// Where units stand that have arrived.
    pub(super) standing: Vec<f32>,
    /// What the game has painted.
    pub(super) painted: Vec<f32>,
    /// Whether a page has anything of this but paint.
    pub(super) busy: Vec<bool>,
    /// Whether a page has paint.
    pub(super) is_painted: Vec<bool>,
}

/// What the units of one stream contribute to the discomfort, for it to be left
/// out of their own.
#[derive(Default)]
pub(super) struct Share {
    /// Where among the stream's pages each page of the ground is; 0 for pages
    /// that are none of its own.
    pub(super) slots: Vec<u32>,
    pub(super) predicted: Vec<f32>,
    pub(super) standing: Vec<f32>,
}

impl Share {
    /// Begins anew with so many pages of the stream's own, page 0 included.
    pub(super) fn restart(&mut self, pages: usize, page_cells: usize) {
        for values in [&mut self.predicted, &mut self.standing] {
            values.clear();
            values.resize(pages * page_cells, 0.0);
        }
    }

    /// A field cell's place among those that the stream solves; in page 0 if it
    /// is none of them.
    #[inline]
    fn place(&self, page: usize, cell: usize, page_cells: usize) -> usize {
        let slot = self.slots.get(page).copied().unwrap_or(0);
        let inside = cell - page * page_cells;
        let place = slot as usize * page_cells + inside;
        // Behind these are pages in which the last solve is still read.
        if place < self.predicted.len() {
            place
        } else {
            inside
        }
    }
}

impl Fields {
    /// Makes all fields anew from where the units are.
    pub(super) fn splat(
        &mut self,
        ground: &Ground,
        bodies: &[Body],
        shares: &mut [&mut Share],
        exponent: u32,
        predictions: u32,
    ) {
        self.clear(ground);
        for body in bodies {
            let share = body.stream.map(|stream| &mut *shares[stream]);
            self.add(ground, body, share, exponent, predictions);
        }
    }

    fn clear(&mut self, ground: &Ground) {
        for page in 0..self.busy.len() as u32 {
            if std::mem::take(&mut self.busy[page as usize]) {
                let range = ground.range(page);
                self.density[range.clone()].fill(0.0);
                self.flow[range.clone()].fill([0.0; 2]);
                self.predicted[range.clone()].fill(0.0);
                self.standing[range].fill(0.0);
            }
        }
        let cells = ground.cells();
        self.density.resize(cells, 0.0);
        self.flow.resize(cells, [0.0; 2]);
        self.predicted.resize(cells, 0.0);
        self.standing.resize(cells, 0.0);
        self.painted.resize(cells, 0.0);
        self.busy.resize(ground.page_count(), false);
        self.is_painted.resize(ground.page_count(), false);
    }

    fn add(
        &mut self,
        ground: &Ground,
        body: &Body,
        mut share: Option<&mut Share>,
        exponent: u32,
        predictions: u32,
    ) {
        let (cells, weights) = weights_around(ground, body.position, exponent);
        let pages = self.note_busy(ground, cells);
        let page_cells = ground.page_cells();
        for ((cell, page), weight) in cells.into_iter().zip(pages).zip(weights) {
            if body.stands {
                self.standing[cell] += weight;
                if let Some(share) = &mut share {
                    let place = share.place(page, cell, page_cells);
                    share.standing[place] += weight;
                }
            } else {
                self.density[cell] += weight;
                self.flow[cell] = sum(self.flow[cell], times(body.velocity, weight));
            }
        }
        if body.stands || body.foresight == 0.0 {
            return;
        }
        for number in 1..=predictions {
            let ahead = body.foresight * number as f32 / predictions as f32;
            let place = sum(body.position, times(body.velocity, ahead));
            if ground.costs[ground.under(place)] == CLOSED {
                break;
            }
            let fading = 1.0 - number as f32 / (predictions + 1) as f32;
            let (cells, weights) = weights_around(ground, place, exponent);
            let pages = self.note_busy(ground, cells);
            for ((cell, page), weight) in cells.into_iter().zip(pages).zip(weights) {
                self.predicted[cell] += weight * fading;
                if let Some(share) = &mut share {
                    let place = share.place(page, cell, page_cells);
                    share.predicted[place] += weight * fading;
                }
            }
        }
    }

    /// Notes that the pages of four cells are busy, and returns which those are.
    fn note_busy(&mut self, ground: &Ground, cells: [usize; 4]) -> [usize; 4] {
        // Nearly always all four lie in one page: one division then.
        let (mut noted, mut page) = (0..0, 0);
        cells.map(|cell| {
            if !noted.contains(&cell) {
                page = cell / ground.page_cells();
                self.busy[page] = true;
                noted = ground.range(page as u32);
            }
            page
        })
    }

    /// Takes the painted discomfort into the pages in use.
    pub(super) fn take_paint(&mut self, ground: &Ground, paint: &Paint) {
        for page in ground.in_use() {
            let range = ground.range(page);
            let was = std::mem::take(&mut self.is_painted[page as usize]);
            if was {
                self.painted[range.clone()].fill(0.0);
            }
            let Some(sector) = ground.sector(page) else {
                continue;
            };
            if let Some(painted) = paint.over(sector) {
                self.is_painted[page as usize] = true;
                let ((left, top), side) = (ground.corner(page), ground.side());
                for (at, cell) in range.enumerate() {
                    let (x, y) = (left + at as i32 % side, top + at as i32 / side);
                    let place = ground.middle(x, y);
                    self.painted[cell] = painted.at(ground.map_cell(x, y), place);
                }
            }
        }
    }

    /// Whether a page and those beside it have nothing that makes a way dearer.
    pub(super) fn is_free(&self, ground: &Ground, page: u32) -> bool {
        let quiet = |page: u32| {
            page == NO_PAGE || !self.busy[page as usize] && !self.is_painted[page as usize]
        };
        quiet(page) && (0..4).all(|side| quiet(ground.beside(page, side)))
    }
}

/// The four field cells around a position, and what a unit there weighs in each.
pub(super) fn weights_around(
    ground: &Ground,
    position: Vector,
    exponent: u32,
) -> ([usize; 4], [f32; 4]) {
    let (cells, [x, y]) = ground.around(position);
    let (left, up) = (1.0 - x, 1.0 - y);
    let power = |base: f32| (1..exponent).fold(base, |power, _| power * base);
    let weights = [
        lesser(left, up),
        lesser(x, up),
        lesser(x, y),
        lesser(left, y),
    ];
    (cells, weights.map(power))
}
