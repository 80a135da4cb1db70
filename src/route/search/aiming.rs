//! The aim of a search, and the queue that follows from it.
//!
//! When the targets change, so does the aim, and with it the key of every
//! portal that is known and not taken. So the queue is filled again, sector by
//! sector.
//!
//! Targets that lie far apart are aimed at as groups (`groups.rs`). Once a
//! whole group is served, the search aims at the other groups alone; otherwise
//! it would continue in regions where no path is wanted any more.

use super::Search;
use super::queue::Queue;
use super::room::SearchRoom;
use crate::budget::{LOOK_WORK, Paused, QUEUE_WORK, TILE_WORK, Work};
use crate::grid::{Cell, Sector, Slot};
use crate::heuristic::{Estimate, Landmarks, Span};
use crate::kernel::{NO_WAY, Threshold, octile, walks_between, walks_to};
use crate::map::Map;
use crate::portal::LocalPortal;

/// If there are more wants than this, their costs to the landmarks are not
/// computed.
const MANY_WANTS: usize = 32;

impl Search {
    /// Aims at the open targets; returns a queue that is yet to be filled.
    pub(super) fn begin_queue(
        &mut self,
        map: &Map,
        room: &mut SearchRoom,
        work: &mut Work,
    ) -> Queue {
        self.targets.part();
        let aim = self
            .aim_through(map, work)
            .unwrap_or_else(|| Estimate::at(self.targets.open_wants(), map.costs.lowest()));
        // No path costs less than over open ground.
        let sources = self.sources.iter();
        let least = sources.map(|source| {
            let Cell { x, y } = source.cell;
            source.start_cost + aim.price(x, y)
        });
        let mut ring = room.take_ring();
        ring.restart(least.min().unwrap_or(0));
        Queue {
            ring,
            aim,
            afar: self.afar(map),
            span: None,
            filled: 0,
            to_fill: self.nodes.seats(),
        }
    }

    /// Fills the queue with the portals that are known and not taken, sector by
    /// sector.
    pub(super) fn fill(&self, map: &Map, queue: &mut Queue, work: &mut Work) -> Result<(), Paused> {
        spread_span(map, queue, work)?;
        while queue.filled < queue.to_fill {
            work.check()?;
            work.count(LOOK_WORK);
            for (id, portal, cost) in self.nodes.frontier_at(queue.filled) {
                let Cell { x, y } = map.graph.place(portal).unwrap_or_default();
                let ahead = match &map.landmarks {
                    None => queue.aim.price(x, y),
                    Some(landmarks) => queue.aim.price_with(x, y, landmarks.at(portal)),
                };
                queue.ring.push(cost + ahead, id);
                work.count(QUEUE_WORK);
            }
            queue.filled += 1;
        }
        Ok(())
    }

    /// Returns the cells for which a path is still wanted, if the map was
    /// surveyed and they are not many.
    fn afar(&self, map: &Map) -> Vec<(Sector, Slot)> {
        let many = self.targets.open_wants().nth(MANY_WANTS).is_some();
        if map.landmarks.is_none() || many {
            return Vec::new();
        }
        let wants = self.targets.open().flat_map(|target| {
            let wants = target.wants.iter();
            wants.map(|want| (target.sector, want.slot))
        });
        wants.collect()
    }

    /// Returns an aim at the portals around the sector of the only open target,
    /// if there is just one.
    fn aim_through(&self, map: &Map, work: &mut Work) -> Option<Estimate> {
        let target = self.targets.only_open()?;
        let lowest = map.costs.lowest();
        let tile = map.costs.tile(map.costs.extent().sector_id(target.sector)?);
        let portals: Vec<LocalPortal> = map.graph.around(target.sector).portals(&tile).collect();
        let exits: Vec<Threshold> = portals.iter().map(|portal| portal.exit).collect();
        let mut least = vec![NO_WAY; exits.len()];
        let mut walks = Vec::new();
        for want in &target.wants {
            if tile.highest() <= 1 && target.wants.len() == 1 {
                // If all costs are 1, a path costs the same in both directions.
                walks_to(&tile, want.slot, &exits, &mut walks);
                work.count(TILE_WORK);
            } else {
                walks_over_open_ground(want.slot, &exits, &mut walks, lowest);
            }
            for (least, &walk) in least.iter_mut().zip(&walks) {
                *least = (*least).min(walk);
            }
        }
        let portals = portals.iter().zip(least).map(|(portal, beyond)| {
            let beyond = (beyond != NO_WAY).then_some(beyond);
            let place = map.graph.place(portal.id).unwrap_or_default();
            (portal.gate.portal_slot().side() as usize, place, beyond)
        });
        Estimate::through(portals, lowest)
    }
}

/// Computes how far the cells aimed at are from the landmarks.
fn spread_span(map: &Map, queue: &mut Queue, work: &mut Work) -> Result<(), Paused> {
    let Some(landmarks) = &map.landmarks else {
        return Ok(());
    };
    while let Some(&(sector, slot)) = queue.afar.last() {
        work.check()?;
        work.count(TILE_WORK);
        let span = span_of(map, landmarks, sector, slot);
        let span = queue.span.map_or(span, |known| known.join(span));
        queue.span = Some(span);
        queue.afar.pop();
        if queue.afar.is_empty() {
            queue.aim = queue.aim.with_span(span);
        }
    }
    Ok(())
}

/// Returns how far a cell of a sector is from the landmarks. Every path from
/// the cell passes a portal of the sector. So it costs at least the walk to
/// that portal plus the portal's own cost.
fn span_of(map: &Map, landmarks: &Landmarks, sector: Sector, slot: Slot) -> Span {
    let Some(id) = map.costs.extent().sector_id(sector) else {
        return Span::ALL;
    };
    let tile = map.costs.tile(id);
    let portals: Vec<LocalPortal> = map.graph.around(sector).portals(&tile).collect();
    let exits: Vec<Threshold> = portals.iter().map(|portal| portal.exit).collect();
    let mut walks = Vec::new();
    walks_between(&tile, &exits, &[Threshold::at(slot)], &mut walks);
    let around = landmarks.around(sector);
    let joined = portals
        .iter()
        .zip(walks)
        .filter(|&(_, walk)| walk != NO_WAY);
    let spans =
        joined.map(|(portal, walk)| Span::beyond(around.at(portal.gate.portal_slot()), walk));
    spans.reduce(Span::join).unwrap_or(Span::ALL)
}

/// Returns lower bounds on the costs of walks inside a sector.
fn walks_over_open_ground(to: Slot, from: &[Threshold], walks: &mut Vec<u32>, lowest: u8) {
    walks.clear();
    walks.extend(from.iter().map(|from| {
        let over = from.steps().iter().map(|&(from, price)| {
            let walk = octile(to.x().abs_diff(from.x()), to.y().abs_diff(from.y()));
            walk as u32 * u32::from(lowest) + price
        });
        over.fold(NO_WAY, u32::min)
    }));
}
