//! What a crowd knows, for pictures, screens and tests.

use crate::vector::floor;
use crate::world::FlowWorld;

use super::pricing::Round;
use super::rounds::{Crowd, StreamId};
use super::stream::Stream;

/// From how much predicted density on a stream counts as another's.
#[cfg(feature = "steer")]
const FOREIGN: f32 = 0.25;

/// What a crowd holds and has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrowdStats {
    /// Streams.
    pub streams: usize,
    /// Sectors in use.
    pub sectors: usize,
    /// Field cells of the last round's solves, counted for each stream.
    pub solved: usize,
    /// Rounds of solves begun.
    pub rounds: u64,
    /// Work done by the streams of today, in field cells.
    pub work: u64,
    /// Bytes held.
    pub bytes: usize,
}

/// Values at a position: those of the field cell under it, as of the last
/// round; `None` where the crowd has no field.
impl Crowd {
    /// Units a field cell.
    #[must_use]
    pub fn density(&self, position: [f32; 2]) -> Option<f32> {
        Some(self.fields().density[self.cell(position)?])
    }

    /// The mean velocity of the units there, in cells a second.
    #[must_use]
    pub fn velocity(&self, position: [f32; 2]) -> Option<[f32; 2]> {
        let cell = self.cell(position)?;
        let (density, [x, y]) = (self.fields().density[cell], self.fields().flow[cell]);
        (density > 0.0).then(|| [x / density, y / density])
    }

    /// The mean velocity of the units there, if units of other streams are about
    /// to come there.
    #[cfg(feature = "steer")]
    pub(crate) fn foreign(&self, stream: StreamId, position: [f32; 2]) -> Option<[f32; 2]> {
        let cell = self.cell(position)?;
        let own = self.stream(stream)?.own_predicted(self.ground()?, cell);
        let others = self.fields().predicted[cell] - own;
        self.velocity(position).filter(|_| others > FOREIGN)
    }

    /// How fast a stream gets on there towards the side where it does best: 1
    /// is as fast as the ground allows.
    #[must_use]
    pub fn pace(&self, world: &FlowWorld, stream: StreamId, position: [f32; 2]) -> Option<f32> {
        let cell = self.cell(position)?;
        Some(self.stream(stream)?.pace(&self.round(world)?, cell))
    }

    /// The discomfort there for a stream.
    #[must_use]
    pub fn discomfort(
        &self,
        world: &FlowWorld,
        stream: StreamId,
        position: [f32; 2],
    ) -> Option<f32> {
        let cell = self.cell(position)?;
        Some(self.stream(stream)?.discomfort(&self.round(world)?, cell))
    }

    /// The potential there for a stream, in cells of free open ground to the
    /// goal. Incomplete while a solve is under way.
    #[must_use]
    pub fn potential(&self, stream: StreamId, position: [f32; 2]) -> Option<f32> {
        let cell = self.cell(position)?;
        let stream = self.stream(stream)?;
        Some(stream.potential(self.ground()?, cell)? + stream.base() as f32 / 5.0)
    }

    /// What it holds and has done.
    #[must_use]
    pub fn stats(&self) -> CrowdStats {
        let ground = self.ground();
        CrowdStats {
            streams: self.streams().count(),
            sectors: ground.map_or(0, |ground| ground.in_use().count()),
            solved: ground.map_or(0, |ground| {
                self.streams().map(Stream::pages).sum::<usize>() * ground.page_cells()
            }),
            rounds: self.rounds(),
            work: self.streams().map(|stream| stream.work).sum(),
            bytes: ground.map_or(0, |ground| ground.bytes() + 24 * ground.cells())
                + self.streams().map(Stream::bytes).sum::<usize>(),
        }
    }

    fn round<'a>(&'a self, world: &'a FlowWorld) -> Option<Round<'a>> {
        Some(Round {
            world,
            ground: self.ground()?,
            fields: self.fields(),
            settings: self.settings(),
        })
    }

    /// The field cell under a position, where one is in use.
    fn cell(&self, position: [f32; 2]) -> Option<usize> {
        let ground = self.ground()?;
        if !position.into_iter().all(f32::is_finite) {
            return None;
        }
        let fine = ground.resolution() as f32;
        let [x, y] = position.map(|along| floor(along * fine));
        let cell = ground.cell(x, y);
        (cell != 0 && cell < self.fields().density.len()).then_some(cell)
    }
}
