//! What a step from one field cell to the next costs a stream: length, time by
//! the pace that density, flow and slope leave, and discomfort.

use crate::world::FlowWorld;

use super::conduct::{Conduct, CrowdSettings};
use super::eikonal::{EAST, NORTH, SOUTH, WEST};
use super::fields::{Fields, Share};
use super::ground::Ground;

/// What all solves of a round read.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) world: &'a FlowWorld,
    pub(super) ground: &'a Ground,
    pub(super) fields: &'a Fields,
    pub(super) settings: &'a CrowdSettings,
}

/// What a step from one field cell to the next costs a stream.
pub(super) struct Pricing<'a> {
    round: &'a Round<'a>,
    conduct: Conduct,
    /// 1 over the stream's speed.
    per_speed: f32,
    per_density: f32,
}

impl<'a> Pricing<'a> {
    pub(super) fn new(round: &'a Round<'a>, conduct: Conduct, speed: f32) -> Self {
        Self {
            round,
            per_speed: if speed > 0.0 { 1.0 / speed } else { 0.0 },
            per_density: 1.0 / (conduct.dense - conduct.sparse),
            conduct,
        }
    }

    /// The cost of leaving a cell towards each side: pace and discomfort are
    /// those of the cell that is entered.
    #[inline]
    pub(super) fn leave(&self, share: &Share, cell: usize, places: &[u32; 4]) -> [f32; 4] {
        let Conduct {
            length,
            time,
            discomfort,
            dearest,
            ..
        } = self.conduct;
        let most = dearest * (length + time);
        let ground = self.round.ground.costs[cell] * self.round.ground.length();
        let links = &self.round.ground.links[cell];
        let toward = |side: usize| {
            let next = links[side] as usize;
            let pace = self.pace(cell, next, side);
            let others = discomfort * self.others(share, next, places[side] as usize);
            let price = if pace == 1.0 {
                length + (time + others)
            } else {
                length + (time + others) / pace
            };
            // Where nothing moves the pace is 0, and the price infinite.
            let price = if price < most { price } else { most };
            ground * (price + discomfort * self.round.fields.painted[next])
        };
        [toward(EAST), toward(NORTH), toward(WEST), toward(SOUTH)]
    }

    /// How fast a unit gets on that enters a cell towards a side; 1 is as fast
    /// as the ground allows.
    #[inline]
    pub(super) fn pace(&self, cell: usize, next: usize, side: usize) -> f32 {
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
            let along = along / density * self.per_speed * self.round.ground.costs[cell];
            let stream = if along < 0.0 {
                0.0
            } else if along > pace {
                pace
            } else {
                along
            };
            let blend = (density - self.conduct.sparse) * self.per_density;
            let blend = if blend > 1.0 { 1.0 } else { blend };
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
    #[inline]
    pub(super) fn others(&self, share: &Share, cell: usize, place: usize) -> f32 {
        let fields = self.round.fields;
        let others = |all: f32, own: f32| if all > own { all - own } else { 0.0 };
        // A stream that has joined since the round began has no share yet.
        let own = |share: &[f32]| share.get(place).copied().unwrap_or(0.0);
        let predicted = others(fields.predicted[cell], own(&share.predicted));
        let standing = others(fields.standing[cell], own(&share.standing));
        self.conduct.predicted * predicted + self.conduct.standing * standing
    }
}
