//! Building a world in slices.

use tracing::debug_span;

use super::FlowWorld;
use crate::cost::{CostMap, Stamps};
use crate::map::{Layers, MapBuild};

/// A world being built, for maps that take longer to build than a frame lasts.
///
/// Work is done only by [`advance`](Self::advance) and
/// [`finish`](Self::finish). So a game can draw a progress bar in between, and
/// can cancel the build by dropping it. The slices do not affect the resulting
/// world.
///
/// ```
/// use flowtiles::{CostMap, FlowWorld};
///
/// let mut build = FlowWorld::build(CostMap::open(2000, 2000)?);
/// while !build.progress().is_done() {
///     let progress = build.advance(5_000);
///     println!("{} of {}", progress.done, progress.total);
/// }
/// let world = build.finish();
/// assert_eq!(world.inspect().stats().islands, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WorldBuild {
    map: MapBuild,
}

/// The progress of a [`WorldBuild`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildProgress {
    /// The number of times that a sector was worked on. Each sector is worked
    /// on four times.
    pub done: usize,
    /// Four times the number of the map's sectors.
    pub total: usize,
}

impl BuildProgress {
    /// Whether no work is left.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done == self.total
    }
}

impl FlowWorld {
    /// Begins to build a world from its costs.
    #[must_use]
    pub fn build(costs: CostMap) -> WorldBuild {
        let map = MapBuild::new(costs);
        WorldBuild { map }
    }
}

impl WorldBuild {
    /// Returns the progress.
    #[must_use]
    pub const fn progress(&self) -> BuildProgress {
        BuildProgress {
            done: self.map.done(),
            total: self.map.total(),
        }
    }

    /// Works on a sector this many times, or less often if less is left. The last call also joins the islands of the
    /// whole map, which takes some nanoseconds a sector.
    pub fn advance(&mut self, sectors: usize) -> BuildProgress {
        let _span = debug_span!("build", sectors).entered();
        self.map.advance(sectors);
        self.progress()
    }

    /// Does the rest of the work and returns the world.
    #[must_use]
    pub fn finish(mut self) -> FlowWorld {
        let BuildProgress { done, total } = self.progress();
        self.advance(total - done);
        FlowWorld::of_layers(Layers::new(self.map.finish(), Stamps::default()))
    }
}
