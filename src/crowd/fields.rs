//! The fields that all streams share: density, flow and discomfort.
//!
//! A unit gives weight to the four field cells around it, by how far inside
//! each it lies: with λ = 1, the lesser of the distances to the two far sides
//! of the cell. So the density in the unit's own cell is at least 1/2^λ, in any
//! other cell at most that, and both change continuously as the unit moves.
//!
//! ```text
//!   ┌─────┬─────┐
//!   │     │     │     weight of the south-east cell: the lesser of the
//!   │   · ┼┄┄┐  │     distances of • from the middles to its west and north,
//!   ├─────┼──┊──┤     to the power λ
//!   │     │  •  │
//!   └─────┴─────┘
//! ```

use crate::threads::for_each;
use crate::vector::{NONE, Vector, lesser, sum, times};

use super::ground::{CLOSED, Corners, CrowdGround, NO_PAGE};
use super::layout::Layout;
use super::numbering::fit;
use super::paint::DiscomfortPaint;

/// A unit as input for the fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldUnit {
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    /// The number of its stream, if it has one.
    pub(super) stream: Option<usize>,
    /// How far ahead its position is predicted, in seconds; 0 if it stands.
    pub(super) foresight: f32,
    pub(super) stands: bool,
}

/// Density, flow and discomfort, one value for each field cell.
#[derive(Clone, Default)]
pub(super) struct Fields {
    pub(super) density: Vec<f32>,
    /// The sum of the velocities, weighted; divided by the density it is the
    /// mean velocity.
    pub(super) flow: Vec<Vector>,
    /// The predicted density of units.
    pub(super) predicted: Vec<f32>,
    /// The density of units that stand, having arrived.
    pub(super) standing: Vec<f32>,
    /// The discomfort painted by the game.
    pub(super) painted: Vec<f32>,
    /// Whether each page has any units, present or predicted.
    pub(super) busy: Vec<bool>,
    /// Whether each page has paint.
    pub(super) is_painted: Vec<bool>,
}

/// The discomfort that the units of one stream contribute, so that the stream
/// can leave it out of its own prices: a value for each of the stream's own
/// cells.
#[derive(Clone, Default)]
pub(super) struct Share {
    pub(super) predicted: Vec<f32>,
    pub(super) standing: Vec<f32>,
    /// Whether each of the stream's own pages has any of it.
    busy: Vec<bool>,
    /// Contributions to cells outside the stream's own pages: the cell of the
    /// ground, the weight there, and its kind.
    beyond: Vec<(usize, f32, Count)>,
}

impl Share {
    /// Clears the share and gives it this many pages.
    pub(super) fn restart(&mut self, ground: &CrowdGround, pages: usize) {
        self.beyond.clear();
        self.busy.fill(false);
        fit(&mut self.busy, pages, false);
        for values in [&mut self.predicted, &mut self.standing] {
            values.fill(0.0);
            fit(values, pages * ground.page_cells(), 0.0);
        }
    }

    /// Returns the predicted and the standing density in a cell of the ground.
    pub(super) fn at(&self, layout: &Layout, ground: &CrowdGround, cell: usize) -> [f32; 2] {
        let page = cell / ground.page_cells();
        if layout.slot(page) != 0 {
            let place = layout.place(ground, page, cell);
            return [self.predicted[place], self.standing[place]];
        }
        let here = self.beyond.iter().filter(|&&(other, ..)| other == cell);
        here.fold(
            [0.0; 2],
            |[predicted, standing], &(_, weight, count)| match count {
                Count::Predicted(part) => [predicted + part * weight, standing],
                Count::Standing => [predicted, standing + weight],
            },
        )
    }

    /// Adds the stream's units.
    fn splat(&mut self, layout: &Layout, ground: &CrowdGround, splat: Splat, bodies: &[FieldUnit]) {
        for body in bodies {
            if body.stands {
                let around = ground.around(body.position);
                self.add(layout, ground, &around, splat, Count::Standing);
                continue;
            }
            if body.foresight == 0.0 {
                continue;
            }
            for number in 1..=splat.predictions {
                let ahead = body.foresight * number as f32 / splat.predictions as f32;
                let around = ground.around(sum(body.position, times(body.velocity, ahead)));
                if ground.costs[around.cells[around.under()]] == CLOSED {
                    break;
                }
                let fading = 1.0 - number as f32 / (splat.predictions + 1) as f32;
                self.add(layout, ground, &around, splat, Count::Predicted(fading));
            }
        }
    }

    /// Adds a unit around a position.
    fn add(
        &mut self,
        layout: &Layout,
        ground: &CrowdGround,
        around: &Corners,
        splat: Splat,
        count: Count,
    ) {
        let weights = weights_of(around.off, splat.exponent);
        for (at, weight) in weights.into_iter().enumerate() {
            let (cell, page) = (around.cells[at], around.pages[at]);
            let slot = layout.slot(page);
            if slot == 0 {
                self.beyond.push((cell, weight, count));
                continue;
            }
            self.busy[slot] = true;
            let place = layout.place(ground, page, cell);
            match count {
                Count::Predicted(part) => self.predicted[place] += part * weight,
                Count::Standing => self.standing[place] += weight,
            }
        }
    }
}

/// How a unit counts in a share.
#[derive(Clone, Copy)]
enum Count {
    /// A predicted position; the further ahead, the smaller the factor.
    Predicted(f32),
    Standing,
}

/// The shares of all streams, each with its layout; `None` for a vacant place.
pub(super) type Shares<'a> = [Option<(&'a Layout, &'a mut Share)>];

/// The parameters by which units become fields.
#[derive(Clone, Copy)]
pub(super) struct Splat {
    pub(super) exponent: u32,
    pub(super) predictions: u32,
}

/// A part of the work of computing all fields.
enum FieldPart<'a> {
    /// Density and flow, from all units.
    Now(&'a mut Fields, &'a [FieldUnit]),
    /// The share of one stream, from its units.
    Own(&'a Layout, &'a mut Share, &'a [FieldUnit]),
}

impl Fields {
    /// Computes all fields from the units, which are sorted by stream.
    pub(super) fn splat(
        &mut self,
        ground: &CrowdGround,
        bodies: &[FieldUnit],
        shares: &mut Shares<'_>,
        splat: Splat,
    ) {
        self.clear(ground);
        let (nowhere, mut lone) = (Layout::default(), Share::default());
        let mut parts = vec![FieldPart::Now(self, bodies)];
        let (without, with) = bodies.split_at(bodies.partition_point(|body| body.stream.is_none()));
        parts.push(FieldPart::Own(&nowhere, &mut lone, without));
        let mut streams = shares.iter_mut().enumerate();
        for bodies in with.chunk_by(|one, other| one.stream == other.stream) {
            let own = streams.find(|(stream, _)| bodies[0].stream == Some(*stream));
            if let Some((_, Some((layout, share)))) = own {
                parts.push(FieldPart::Own(layout, share, bodies));
            }
        }
        for_each(&mut parts, |part| match part {
            FieldPart::Now(fields, bodies) => fields.add_all(ground, splat, bodies),
            FieldPart::Own(layout, share, bodies) => share.splat(layout, ground, splat, bodies),
        });
        drop(parts);
        self.gather(ground, &nowhere, &lone);
        for (layout, share) in shares.iter().flatten() {
            self.gather(ground, layout, share);
        }
    }

    /// Adds the units' density and flow.
    fn add_all(&mut self, ground: &CrowdGround, splat: Splat, bodies: &[FieldUnit]) {
        for body in bodies.iter().filter(|body| !body.stands) {
            let around = ground.around(body.position);
            let weights = weights_of(around.off, splat.exponent);
            for (at, weight) in weights.into_iter().enumerate() {
                let (cell, page) = (around.cells[at], around.pages[at]);
                self.busy[page] = true;
                self.density[cell] += weight;
                self.flow[cell] = sum(self.flow[cell], times(body.velocity, weight));
            }
        }
    }

    /// Adds the share of a stream to the fields.
    fn gather(&mut self, ground: &CrowdGround, layout: &Layout, share: &Share) {
        for (slot, _) in (0..).zip(&share.busy).filter(|(_, busy)| **busy) {
            let page = layout.page(slot);
            self.busy[page as usize] = true;
            let (cells, own) = (ground.range(page), layout.own(ground, page));
            for (all, values) in [
                (&mut self.predicted, &share.predicted),
                (&mut self.standing, &share.standing),
            ] {
                let own = values[own.clone()].iter();
                for (all, own) in all[cells.clone()].iter_mut().zip(own) {
                    *all += own;
                }
            }
        }
        for &(cell, weight, count) in &share.beyond {
            self.busy[cell / ground.page_cells()] = true;
            match count {
                Count::Predicted(part) => self.predicted[cell] += part * weight,
                Count::Standing => self.standing[cell] += weight,
            }
        }
    }

    fn clear(&mut self, ground: &CrowdGround) {
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

    /// Copies the painted discomfort into the pages in use.
    pub(super) fn take_paint(&mut self, ground: &CrowdGround, paint: &DiscomfortPaint) {
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

    /// Whether nothing on a page raises the cost of a step.
    pub(super) fn is_quiet(&self, page: u32) -> bool {
        page == NO_PAGE || !self.busy[page as usize] && !self.is_painted[page as usize]
    }
}

/// Returns the weights of a unit in the four field cells around it.
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
