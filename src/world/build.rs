use tracing::debug_span;

use super::FlowWorld;
use crate::cost::{CostMap, Stamps};
use crate::map::MapBuild;

/// A world in the making, for maps that take longer to build than a frame
/// lasts.
///
/// Nothing is done but by [`advance`](Self::advance) and
/// [`finish`](Self::finish), so a game can draw a bar in between, and drop it to
/// call it off. However it is sliced, the world is the same.
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

/// How far a [`WorldBuild`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildProgress {
    /// Sectors that were worked at. Each is worked at three times.
    pub done: usize,
    /// Three times the sectors of the map.
    pub total: usize,
}

impl BuildProgress {
    /// Whether nothing is left to do.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done == self.total
    }
}

impl FlowWorld {
    /// Begins to derive a world from the costs.
    #[must_use]
    pub fn build(costs: CostMap) -> WorldBuild {
        let map = MapBuild::new(costs, Stamps::default());
        WorldBuild { map }
    }
}

impl WorldBuild {
    /// How far it is.
    #[must_use]
    pub const fn progress(&self) -> BuildProgress {
        BuildProgress {
            done: self.map.done(),
            total: self.map.total(),
        }
    }

    /// Works at so many sectors. The last call also joins the islands of the
    /// whole map, which takes some nanoseconds a sector.
    pub fn advance(&mut self, sectors: usize) -> BuildProgress {
        let _span = debug_span!("build", sectors).entered();
        self.map.advance(sectors);
        self.progress()
    }

    /// Does what is left, and gives the world.
    #[must_use]
    pub fn finish(mut self) -> FlowWorld {
        self.advance(usize::MAX);
        FlowWorld::of_chart(self.map.finish())
    }
}
