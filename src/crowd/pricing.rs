//! What a step from one field cell to the next costs a stream: length, time by
//! the pace that density, flow and slope leave, and discomfort.

use std::ops::Range;

use crate::vector::{greater, lesser};
use crate::world::FlowWorld;

use super::conduct::{Conduct, CrowdSettings};
use super::eikonal::{EAST, NORTH, SOUTH, WEST};
use super::fields::{Fields, Share};
use super::ground::CrowdGround;

/// What all solves of a round read.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) ground: &'a CrowdGround,
    pub(super) fields: &'a Fields,
    pub(super) settings: &'a CrowdSettings,
}

/// What a step from one field cell to the next costs a stream: for each length
/// 1, on ground of cost 1.
pub(super) struct Pricing<'a> {
    round: &'a Round<'a>,
    conduct: Conduct,
    /// 1 over the stream's speed.
    per_speed: f32,
    per_density: f32,
    /// What it costs at most because of others.
    most: f32,
}

impl<'a> Pricing<'a> {
    pub(super) fn new(round: &'a Round<'a>, conduct: Conduct, speed: f32) -> Self {
        Self {
            round,
            per_speed: if speed > 0.0 { 1.0 / speed } else { 0.0 },
            per_density: 1.0 / (conduct.dense - conduct.sparse),
            most: conduct.dearest * (conduct.length + conduct.time),
            conduct,
        }
    }

    /// The prices of entering the cells of a page on level ground, towards each
    /// side: [`price`](Self::price) a cell, for all of a page at once.
    pub(super) fn enter(
        &self,
        share: &Share,
        page: u32,
        own: Range<usize>,
        prices: &mut [[f32; 4]],
    ) {
        let Conduct { length, time, .. } = self.conduct;
        let fields = self.round.fields;
        if fields.is_quiet(page) {
            prices.fill([length + time; 4]);
            return;
        }
        let range = self.round.ground.range(page);
        let cells = fields.predicted[range.clone()]
            .iter()
            .zip(&fields.standing[range.clone()])
            .zip(&fields.painted[range.clone()]);
        let shares = share.predicted[own.clone()]
            .iter()
            .zip(&share.standing[own.clone()]);
        for (price, (cell, share)) in prices.iter_mut().zip(cells.zip(shares)) {
            let ((predicted, standing), painted) = cell;
            let others = self.discomfort(*predicted, *standing, [*share.0, *share.1]);
            *price = [self.price_at(1.0, others, *painted); 4];
        }
        let density = fields.density[range.clone()].iter();
        for (at, &density) in density.enumerate() {
            if density > self.conduct.sparse {
                let cell = range.start + at;
                let own = [
                    share.predicted[own.start + at],
                    share.standing[own.start + at],
                ];
                let others = self.others(own, cell);
                let price =
                    |side| self.price_at(self.pace([cell; 2], side), others, fields.painted[cell]);
                prices[at] = [price(EAST), price(NORTH), price(WEST), price(SOUTH)];
            }
        }
    }

    /// The price of going from one cell to the next on a side, with this much of
    /// the stream's own in it: pace and discomfort are those of the cell that is
    /// entered.
    #[inline(always)]
    pub(super) fn price(&self, own: [f32; 2], [cell, next]: [usize; 2], side: usize) -> f32 {
        let others = self.others(own, next);
        let painted = self.round.fields.painted[next];
        self.price_at(self.pace([cell, next], side), others, painted)
    }

    /// The price at a pace and a discomfort because of others, and of paint.
    #[inline(always)]
    fn price_at(&self, pace: f32, others: f32, painted: f32) -> f32 {
        let Conduct {
            length,
            time,
            discomfort,
            ..
        } = self.conduct;
        // Where nothing moves the pace is 0, and the price infinite.
        let price = length + (time + discomfort * others) / pace;
        lesser(price, self.most) + discomfort * painted
    }

    /// How fast a unit gets on that enters a cell towards a side; 1 is as fast
    /// as the ground allows.
    #[inline(always)]
    pub(super) fn pace(&self, [cell, next]: [usize; 2], side: usize) -> f32 {
        let fields = self.round.fields;
        let mut pace = self.slope(cell, next);
        let density = fields.density[next];
        if density > self.conduct.sparse {
            let flow = fields.flow[next];
            let along = match side {
                EAST => flow[0],
                NORTH => -flow[1],
                WEST => -flow[0],
                _ => flow[1],
            };
            let per_flow = self.per_speed * self.round.ground.costs[next] / density;
            let stream = greater(lesser(along * per_flow, pace), 0.0);
            let blend = lesser((density - self.conduct.sparse) * self.per_density, 1.0);
            pace += blend * (stream - pace);
        }
        pace
    }

    /// The pace that the slope between two cells allows.
    #[inline]
    fn slope(&self, cell: usize, next: usize) -> f32 {
        let (heights, conduct) = (&self.round.ground.heights, &self.conduct);
        if heights.is_empty() || next == 0 {
            return 1.0;
        }
        let rise = (heights[next] - heights[cell]) / self.round.ground.length();
        let part = (rise - conduct.flat) / (conduct.steep - conduct.flat);
        if part <= 0.0 {
            1.0
        } else if part >= 1.0 {
            conduct.uphill
        } else {
            1.0 + part * (conduct.uphill - 1.0)
        }
    }

    /// The discomfort of a cell because of others, the stream's own units left
    /// out.
    #[inline(always)]
    pub(super) fn others(&self, own: [f32; 2], cell: usize) -> f32 {
        let fields = self.round.fields;
        self.discomfort(fields.predicted[cell], fields.standing[cell], own)
    }

    /// The discomfort because of units that are going to be in a cell and of
    /// those that stand there, so much of each the stream's own.
    #[inline(always)]
    fn discomfort(&self, predicted: f32, standing: f32, own: [f32; 2]) -> f32 {
        let others = |all: f32, own: f32| greater(all - own, 0.0);
        self.conduct.predicted * others(predicted, own[0])
            + self.conduct.standing * others(standing, own[1])
    }
}
