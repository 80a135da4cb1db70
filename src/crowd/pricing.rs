//! The cost of a step from one field cell to the next for a stream: its length,
//! its time at the pace that density, flow and slope allow, and discomfort.

use std::ops::Range;

use crate::vector::{greater, lesser};
use crate::world::FlowWorld;

use super::conduct::{Conduct, CrowdSettings};
use super::eikonal::{EAST, NORTH, SOUTH, WEST};
use super::fields::{Fields, Share};
use super::ground::CrowdGround;

/// The shared inputs of all solves of a round.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) ground: &'a CrowdGround,
    pub(super) fields: &'a Fields,
    pub(super) settings: &'a CrowdSettings,
}

/// The price of a step from one field cell to the next for one stream, for a
/// length of 1 on ground of cost 1.
pub(super) struct Pricing<'a> {
    round: &'a Round<'a>,
    conduct: Conduct,
    /// 1 divided by the stream's speed.
    per_speed: f32,
    per_density: f32,
    /// The upper bound of a price without paint.
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

    /// Computes the prices of entering the cells of a page on level ground,
    /// towards each side: the same as [`price`](Self::price) for each cell, for
    /// a whole page at once.
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

    /// Returns the price of a step from a cell to the next one on a side. Pace
    /// and discomfort are those of the cell that is entered; `own` is what the
    /// stream's own units contribute to them there.
    #[inline(always)]
    pub(super) fn price(&self, own: [f32; 2], [cell, next]: [usize; 2], side: usize) -> f32 {
        let others = self.others(own, next);
        let painted = self.round.fields.painted[next];
        self.price_at(self.pace([cell, next], side), others, painted)
    }

    /// Returns the price for a pace, the discomfort from other units, and
    /// paint.
    #[inline(always)]
    fn price_at(&self, pace: f32, others: f32, painted: f32) -> f32 {
        let Conduct {
            length,
            time,
            discomfort,
            ..
        } = self.conduct;
        // Where nothing moves the pace is 0 and the price infinite; `most`
        // limits it.
        let price = length + (time + discomfort * others) / pace;
        lesser(price, self.most) + discomfort * painted
    }

    /// Returns the pace of a unit that enters a cell towards a side; 1 is the
    /// full speed on this ground.
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

    /// Returns the pace that the slope between two cells allows.
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

    /// Returns the discomfort in a cell from other units, without the stream's
    /// own.
    #[inline(always)]
    pub(super) fn others(&self, own: [f32; 2], cell: usize) -> f32 {
        let fields = self.round.fields;
        self.discomfort(fields.predicted[cell], fields.standing[cell], own)
    }

    /// Returns the discomfort from predicted and standing units, of which `own`
    /// are the stream's own and do not count.
    #[inline(always)]
    fn discomfort(&self, predicted: f32, standing: f32, own: [f32; 2]) -> f32 {
        let others = |all: f32, own: f32| greater(all - own, 0.0);
        self.conduct.predicted * others(predicted, own[0])
            + self.conduct.standing * others(standing, own[1])
    }
}
