//! The map as it stands: the costs, and what is derived from them.

mod build;

pub(crate) use build::MapBuild;

use crate::cost::{Cost, CostMap, Rewritten, Stamps};
use crate::grid::{Cell, Rect, Sector, SectorId};
use crate::heuristic::{Landmarks, Mended};
use crate::islands::{Islands, Mending};
use crate::portal::PortalGraph;

/// Costs, portal graph and islands, kept in step.
pub(crate) struct Map {
    /// What each cell costs to units.
    pub(crate) costs: CostMap,
    /// What stands on the ground; the costs are what it leaves of it.
    pub(crate) stamps: Stamps,
    pub(crate) graph: PortalGraph,
    pub(crate) islands: Islands,
    /// If the map was surveyed.
    pub(crate) landmarks: Option<Landmarks>,
}

/// New costs for the cells of an area on the map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stroke<'a> {
    /// The same for all the ground.
    Fill(Rect, Cost),
    /// One for the ground of each, row by row; none is 0.
    Image(Rect, &'a [u8]),
    /// One for each, row by row, as stamps and blockers leave it; 0 where all
    /// stays as it is.
    Standing(Rect, &'a [u8]),
}

/// A sector that an edit touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) sector: Sector,
    /// Whether its own cells changed, and not only some beside it.
    pub(crate) changed: bool,
}

/// What an edit changed.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Each changed sector once, in id order.
    pub(crate) sectors: Vec<Rewritten>,
    /// The sectors that hold a changed cell or one beside it, each once.
    pub(crate) around: Vec<Touched>,
    /// How many sectors had their in-sector costs derived anew.
    pub(crate) rebuilt: usize,
    /// How many pockets were walked to see what has been cut off.
    pub(crate) walked: usize,
    /// The sectors with cells that are of another island now than before, other
    /// than by islands that became one; in id order. Some may be told for nothing.
    pub(crate) relabelled: Vec<SectorId>,
    /// Whether islands may have become one, other than by cells of the changed
    /// sectors alone.
    pub(crate) joined: bool,
    /// Whether the lowest cost on the map is another now, by which all
    /// searches estimate.
    pub(crate) lowest_moved: bool,
    /// Whether the prices of landmarks are others now, by which searches may
    /// estimate too.
    pub(crate) landmarks_moved: bool,
}

impl Map {
    /// The sectors that strokes on the map touch, each once, in id order.
    pub(crate) fn touched(&self, strokes: &[Stroke<'_>]) -> Vec<SectorId> {
        let areas = strokes.iter().map(Stroke::area);
        let mut touched: Vec<SectorId> = areas
            .filter(|area| !area.is_empty())
            .flat_map(|area| self.costs.extent().sectors_of(area))
            .collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The sectors that hold a changed cell or one beside it.
    fn around(&self, changes: &[Rewritten]) -> Vec<Touched> {
        let extent = self.costs.extent();
        let mut around: Vec<(SectorId, bool)> = Vec::new();
        for change in changes {
            let beside = change.area.grown().intersection(self.costs.area());
            let sectors = extent.sectors_of(beside);
            around.extend(sectors.map(|id| (id, id != change.sector)));
        }
        around.sort_unstable();
        around.dedup_by_key(|(id, _)| *id);
        let touched = around.into_iter().map(|(id, only_beside)| Touched {
            sector: extent.sector(id),
            changed: !only_beside,
        });
        touched.collect()
    }

    /// Draws strokes one after the other, all on the map, and mends what is
    /// derived where they have changed something; `touched` are the sectors
    /// that they [touch](Self::touched).
    pub(crate) fn edit(&mut self, strokes: &[Stroke<'_>], touched: &[SectorId]) -> Change {
        let lowest = self.costs.lowest();
        let before = self.islands.vicinity(&self.costs, &self.graph, touched);
        let mut mended = Mended::Stayed;
        let mut sectors: Vec<Rewritten> = Vec::new();
        for stroke in strokes.iter().filter(|stroke| !stroke.area().is_empty()) {
            let (area, extent) = (stroke.area(), self.costs.extent());
            for sector in extent.sectors_of(area) {
                let under = stroke.is_ground() && self.stamps.any_in(sector);
                let stamps = &mut self.stamps;
                sectors.extend(self.costs.rewrite(
                    sector,
                    area,
                    |cell, now| match stroke.cost(cell) {
                        Some(cost) if under => stamps.lay_ground(extent.locate(cell), cost),
                        Some(cost) => cost,
                        None => now,
                    },
                ));
            }
        }
        if strokes.len() > 1 {
            merge(&mut sectors);
        }
        let (mut rebuilt, mut mending) = (0, Mending::default());
        if !sectors.is_empty() {
            let changed: Vec<SectorId> = sectors.iter().map(|change| change.sector).collect();
            rebuilt = self.graph.repair(&self.costs, &changed);
            let (costs, graph) = (&self.costs, &self.graph);
            mending = self.islands.repair(costs, graph, &changed, before);
            let landmarks = self.landmarks.as_mut();
            mended = landmarks.map_or(Mended::Stayed, |known| known.mend(&self.graph, &changed));
            if mended == Mended::GivenUp {
                self.landmarks = None;
            }
        }
        let lowered = sectors.iter().filter(|change| change.lowered);
        let mut relabelled = mending.relabelled;
        relabelled.extend(lowered.map(|change| change.sector));
        relabelled.sort_unstable();
        relabelled.dedup();
        Change {
            relabelled,
            around: self.around(&sectors),
            sectors,
            rebuilt,
            walked: mending.walked,
            joined: mending.joined,
            lowest_moved: lowest != self.costs.lowest(),
            landmarks_moved: mended != Mended::Stayed,
        }
    }
}

/// Makes the changes of each sector one.
fn merge(sectors: &mut Vec<Rewritten>) {
    sectors.sort_by_key(|change| change.sector);
    sectors.dedup_by(|later, first| {
        let same = later.sector == first.sector;
        if same {
            first.join(later);
        }
        same
    });
}

impl Stroke<'_> {
    pub(crate) const fn area(&self) -> Rect {
        match self {
            Self::Fill(area, _) | Self::Image(area, _) | Self::Standing(area, _) => *area,
        }
    }

    /// Whether it goes under what stands.
    const fn is_ground(&self) -> bool {
        !matches!(self, Self::Standing(..))
    }

    /// The new cost of a cell of the area, if it gets one.
    fn cost(&self, cell: Cell) -> Option<Cost> {
        match self {
            Self::Fill(_, cost) => Some(*cost),
            Self::Image(area, costs) | Self::Standing(area, costs) => {
                let (x, y) = ((cell.x - area.x) as usize, (cell.y - area.y) as usize);
                let cost = costs[y * area.width as usize + x];
                (cost != 0).then(|| Cost::stored(cost))
            }
        }
    }
}
