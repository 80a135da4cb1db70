use super::{FlowWorld, Inspection};
use crate::heuristic::Landmarks;
use crate::map::Map;

impl FlowWorld {
    /// Surveys the map: sets up eight landmarks far apart and works out what
    /// the ways from all portals to them cost. Searches then know of many
    /// obstacles before they come to them, and take a half to a fifth of the
    /// portals; the routes they find cost just the same. On open ground, where
    /// the straight way is known anyway, nothing is gained.
    ///
    /// It takes as long as eight searches of the whole map (some 10 to 100 ms
    /// at 1000×1000 cells) and keeps 3.3 bytes a cell: call it while a level
    /// loads, if its map has obstacles and its orders go far.
    ///
    /// Edits keep it right: they mend what the landmarks tell of the portals
    /// around, or of many if a short cut opens. As a map changes much, it
    /// tells less; then call it again. An edit that would take thousands of
    /// portals to mend ends it instead, and searches go on without
    /// ([`is_surveyed`](Inspection::is_surveyed)).
    ///
    /// Among equally cheap ways a search may choose another with a survey than
    /// without. So in lockstep and replays it is an input like any other: make
    /// it in the same tick of every run. It is not saved; after loading, it is
    /// to be made anew.
    ///
    /// ```
    /// use flowtiles::{Cost, CostMap, FlowWorld, Rect};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(300, 200)?);
    /// world.survey();
    /// world.edit(Rect::new(100, 0, 2, 150), Cost::WALL)?;
    /// assert!(world.inspect().is_surveyed(), "what it tells still holds");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survey(&mut self) {
        let Map {
            costs,
            graph,
            islands,
            ..
        } = &self.map;
        self.map.landmarks = Some(Landmarks::new(costs, graph, islands));
        for plan in self.book.plans_mut() {
            plan.aim_anew(&mut self.scratch);
        }
    }
}

impl Inspection<'_> {
    /// Whether a [`survey`](FlowWorld::survey) was made and is of use.
    #[must_use]
    pub const fn is_surveyed(self) -> bool {
        self.world.map.landmarks.is_some()
    }
}
