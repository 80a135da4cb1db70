//! What a search aims at, and the queue that follows from it.
//!
//! As those who are looked for change, so does the aim, and with it the key of
//! every portal that is known and not taken: the queue is filled anew, a sector at
//! a time.
//!
//! Those who stand far apart are aimed at as groups (`groups.rs`). Once all of a
//! group are served, the search aims at the others alone: else it would go on to
//! look around where nobody is looked for any more.

use super::Search;
use super::queue::Queue;
use super::room::SearchRoom;
use crate::budget::{LOOK_WORK, Paused, QUEUE_WORK, TILE_WORK, Work};
use crate::grid::{Cell, Sector, Slot};
use crate::heuristic::Estimate;
use crate::heuristic::Landmarks;
use crate::heuristic::Span;
use crate::kernel::{NO_WAY, Threshold, octile, walks_between, walks_to};
use crate::map::Map;
use crate::portal::LocalPortal;

/// Of more wants than this it is not asked how far each is from the landmarks.
const MANY_WANTS: usize = 32;

impl Search {
    /// Aims at the open targets; the queue is still to be filled.
    pub(super) fn aim_anew(&mut self, map: &Map, room: &mut SearchRoom, work: &mut Work) -> Queue {
        self.targets.part();
        let aim = self
            .aim_through(map, work)
            .unwrap_or_else(|| Estimate::at(self.targets.open_wants(), map.costs.lowest()));
        // No way costs less than over open ground.
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

    /// Puts in the queue what is known and not taken, sector by sector.
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

    /// The cells that are still looked for, if the map was surveyed and they are
    /// not many.
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

    /// Where a single target is left: an aim at the portals around its sector.
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
                // Where all costs are 1 a way costs the same there and back.
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

/// Finds out how far the cells that are aimed at are from the landmarks.
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

/// How far a cell of a sector is from the landmarks. Every way from there goes
/// on by one of the portals around: so it costs what the walk to that one
/// costs, and what the portal's own prices say, at least.
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

/// What walks inside a sector cost at least.
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
