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

use crate::vector::{NONE, Vector, lesser, sum, times};

use super::ground::{Around, CLOSED, Ground, NO_PAGE};
use super::layout::Layout;
use super::numbering::fit;
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
/// out of their own: a value for each of the stream's own cells.
#[derive(Default)]
pub(super) struct Share {
    pub(super) predicted: Vec<f32>,
    pub(super) standing: Vec<f32>,
}

impl Share {
    /// Begins anew with so many cells.
    pub(super) fn restart(&mut self, cells: usize) {
        for values in [&mut self.predicted, &mut self.standing] {
            values.fill(0.0);
            fit(values, cells, 0.0);
        }
    }
}

/// The shares of all streams, each with its layout; `None` in place of a stream
/// that is gone.
pub(super) type Shares<'a> = [Option<(&'a Layout, &'a mut Share)>];

impl Fields {
    /// Makes all fields anew from where the units are.
    pub(super) fn splat(
        &mut self,
        ground: &Ground,
        bodies: &[Body],
        shares: &mut Shares<'_>,
        exponent: u32,
        predictions: u32,
    ) {
        self.clear(ground);
        for body in bodies {
            let own = body.stream.and_then(|stream| shares[stream].as_mut());
            let own = own.map(|(layout, share)| (&**layout, &mut **share));
            self.add(ground, body, own, exponent, predictions);
        }
    }

    fn clear(&mut self, ground: &Ground) {
        for page in 0..self.busy.len() {
            if std::mem::take(&mut self.busy[page]) {
                let range = ground.range(page as u32);
                self.density[range.clone()].fill(0.0);
                self.flow[range.clone()].fill(NONE);
                self.predicted[range.clone()].fill(0.0);
                self.standing[range].fill(0.0);
            }
        }
        let (pages, cells) = (ground.page_count(), ground.cells());
        fit(&mut self.density, cells, 0.0);
        fit(&mut self.flow, cells, NONE);
        fit(&mut self.predicted, cells, 0.0);
        fit(&mut self.standing, cells, 0.0);
        fit(&mut self.painted, cells, 0.0);
        fit(&mut self.busy, pages, false);
        fit(&mut self.is_painted, pages, false);
    }

    fn add(
        &mut self,
        ground: &Ground,
        body: &Body,
        mut own: Option<(&Layout, &mut Share)>,
        exponent: u32,
        predictions: u32,
    ) {
        let around = ground.around(body.position);
        let weights = weights_of(around.off, exponent);
        self.note_busy(&around);
        for (at, weight) in weights.into_iter().enumerate() {
            let (cell, page) = (around.cells[at], around.pages[at]);
            if body.stands {
                self.standing[cell] += weight;
                if let Some((layout, share)) = &mut own {
                    share.standing[layout.place(ground, page, cell)] += weight;
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
            let around = ground.around(place);
            if ground.costs[around.cells[around.under()]] == CLOSED {
                break;
            }
            let fading = 1.0 - number as f32 / (predictions + 1) as f32;
            let weights = weights_of(around.off, exponent);
            self.note_busy(&around);
            for (at, weight) in weights.into_iter().enumerate() {
                let (cell, page) = (around.cells[at], around.pages[at]);
                self.predicted[cell] += weight * fading;
                if let Some((layout, share)) = &mut own {
                    share.predicted[layout.place(ground, page, cell)] += weight * fading;
                }
            }
        }
    }

    fn note_busy(&mut self, around: &Around) {
        for page in around.pages {
            self.busy[page] = true;
        }
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

    /// Whether a page has nothing that makes a way dearer.
    pub(super) fn is_quiet(&self, page: u32) -> bool {
        page == NO_PAGE || !self.busy[page as usize] && !self.is_painted[page as usize]
    }
}

/// What a unit weighs in each of the four field cells around it.
fn weights_of([x, y]: Vector, exponent: u32) -> [f32; 4] {
    let (left, up) = (1.0 - x, 1.0 - y);
    let power = |base: f32| (1..exponent).fold(base, |power, _| power * base);
    [
        lesser(left, up),
        lesser(x, up),
        lesser(x, y),
        lesser(left, y),
    ]
    .map(power)
}
