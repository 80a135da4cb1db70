//! Read access to a crowd's fields, for pictures, screens and tests.

use crate::vector::floor;
use crate::world::FlowWorld;

use super::pricing::Round;
use super::rounds::{Crowd, StreamId};
use super::stream::Stream;

/// The predicted density of other streams' units above which they count as
/// coming to a place.
#[cfg(feature = "steer")]
const FOREIGN: f32 = 0.25;

/// What a crowd holds and has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrowdStats {
    /// The number of streams.
    pub streams: usize,
    /// The number of sectors in use.
    pub sectors: usize,
    /// The number of field cells in the present solves, counted for each
    /// stream.
    pub solved: usize,
    /// The number of rounds of solves begun.
    pub rounds: u64,
    /// The work done by the present streams, in field cells.
    pub work: u64,
    /// Bytes held.
    pub bytes: usize,
}

/// Values at a position: those of the field cell under it, from the last round;
/// `None` where the crowd has no field.
impl Crowd {
    /// Returns the density: units for each field cell.
    #[must_use]
    pub fn density(&self, position: [f32; 2]) -> Option<f32> {
        Some(self.fields().density[self.cell(position)?])
    }

    /// Returns the mean velocity of the units there, in cells a second.
    #[must_use]
    pub fn velocity(&self, position: [f32; 2]) -> Option<[f32; 2]> {
        let cell = self.cell(position)?;
        let (density, [x, y]) = (self.fields().density[cell], self.fields().flow[cell]);
        (density > 0.0).then(|| [x / density, y / density])
    }

    /// Returns the mean velocity of the units there, if units of other streams
    /// are predicted there.
    #[cfg(feature = "steer")]
    pub(crate) fn foreign(&self, stream: StreamId, position: [f32; 2]) -> Option<[f32; 2]> {
        let cell = self.cell(position)?;
        let own = self.stream(stream)?.own_predicted(self.ground()?, cell);
        let others = self.fields().predicted[cell] - own;
        self.velocity(position).filter(|_| others > FOREIGN)
    }

    /// Returns the pace of a stream there, towards the side where it is
    /// fastest; 1 is the full speed on this ground.
    #[must_use]
    pub fn pace(&self, world: &FlowWorld, stream: StreamId, position: [f32; 2]) -> Option<f32> {
        let cell = self.cell(position)?;
        Some(self.stream(stream)?.pace(&self.round(world)?, cell))
    }

    /// Returns the discomfort there for a stream.
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

    /// Returns the potential there for a stream, in cells of free open ground
    /// to the goal. It is incomplete while a solve is under way.
    #[must_use]
    pub fn potential(&self, stream: StreamId, position: [f32; 2]) -> Option<f32> {
        let cell = self.cell(position)?;
        let stream = self.stream(stream)?;
        Some(stream.potential(self.ground()?, cell)? + stream.base() as f32 / 5.0)
    }

    /// Returns figures about the crowd: what it holds and has done.
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

    /// Returns the field cell under a position, if its sector is in use.
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
