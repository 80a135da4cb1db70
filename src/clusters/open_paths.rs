//! Paths through whole clusters of open ground.
//!
//! All of them are alike: squares of sectors of one cost, with a portal in the middle of
//! every side. So the portals on a path are looked up. For each rim portal there is a table
//! of the paths that end there, made when it is first asked for:
//!
//! ```text
//!   ┌──○──┬──○──┬──○──┐      From a portal ○ the table says by which side the path leaves
//!   ○     │     │     ○      the sector that it enters, and the cost from the portal to the
//!   ├──○──┼──○──┼──○──┤      end ●.
//!   ○  ╭──○──╮  ○     ○
//!   ├──○──┼──○──┼──○──┤      Of paths of equal cost it is the one that stays closest to the
//!   ○     │  ╰──○──╮  ○      straight line.
//!   └──○──┴──○──┴──●──┘
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use super::division::SectorRect;
use crate::cost::Cost;
use crate::grid::Sector;
use crate::portal::{PortalSlot, SectorWalks, Side};

/// A portal as the sector that a path enters by it sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideOfSector {
    pub(crate) sector: Sector,
    pub(crate) side: Side,
}

impl SideOfSector {
    /// Returns the same portal as the sector on its far side sees it.
    pub(crate) const fn beyond(self) -> Self {
        Self {
            sector: self.side.beyond(self.sector),
            side: self.side.opposite(),
        }
    }
}

/// How a path goes on from a portal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenStep {
    /// The side by which it leaves the sector that it enters.
    pub(crate) exit: Side,
    /// The cost from the portal to the end, on ground of cost 1.
    pub(crate) to_end: u32,
}

/// The paths through any whole cluster of open ground: a table for each rim portal.
#[derive(Clone, Debug)]
pub(super) struct OpenPaths {
    /// By side and along the side.
    ends: Box<[OnceLock<OpenPathsTo>]>,
}

impl OpenPaths {
    pub(super) fn new(side: i32) -> Self {
        Self {
            ends: (0..4 * side).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the paths inside a whole cluster that end at one of its rim portals.
    pub(super) fn to(&self, sectors: SectorRect, end: SideOfSector) -> Option<&OpenPathsTo> {
        let along = sectors
            .along(end.side)
            .position(|sector| sector == end.sector)?;
        let paths = self
            .ends
            .get(end.side as usize * sectors.columns as usize + along)?;
        Some(paths.get_or_init(|| OpenPathsTo::new(sectors, end)))
    }

    pub(super) fn bytes(&self) -> usize {
        let made = self.ends.iter().filter_map(OnceLock::get);
        size_of_val(&*self.ends) + made.map(|made| size_of_val(&*made.steps)).sum::<usize>()
    }
}

/// The paths that end at one rim portal.
#[derive(Clone, Debug)]
pub(crate) struct OpenPathsTo {
    /// By the number of the sector that is entered, and the side.
    steps: Box<[OpenStep]>,
}

impl OpenPathsTo {
    fn new(sectors: SectorRect, end: SideOfSector) -> Self {
        let costs = costs_to(sectors, end);
        let all = (0..sectors.count()).flat_map(|number| {
            let sector = sectors.sector(number);
            Side::ALL.map(|side| SideOfSector { sector, side })
        });
        let steps = all.map(|from| OpenStep {
            exit: straightest(sectors, &costs, from, end),
            to_end: costs[index(sectors, from)],
        });
        Self {
            steps: steps.collect(),
        }
    }

    pub(crate) fn step(&self, sectors: SectorRect, from: SideOfSector) -> OpenStep {
        self.steps[index(sectors, from)]
    }
}

const fn index(sectors: SectorRect, at: SideOfSector) -> usize {
    4 * sectors.number(at.sector) + at.side as usize
}

/// The cost of the walk between two sides of an open sector of cost 1.
fn walk(from: Side, to: Side) -> u32 {
    let [from, to] = [from, to].map(|side| PortalSlot::new(side, 0));
    SectorWalks::Open(Cost::OPEN).walk(from, to).unwrap_or(0)
}

/// The other sides of a portal's sector.
fn exits(from: SideOfSector) -> impl Iterator<Item = SideOfSector> {
    let sides = Side::ALL.into_iter().filter(move |&side| side != from.side);
    sides.map(move |side| SideOfSector { side, ..from })
}

/// Returns the same portal as the sector on its far side sees it, if that is in the cluster.
fn beyond(sectors: SectorRect, at: SideOfSector) -> Option<SideOfSector> {
    Some(at.beyond()).filter(|beyond| sectors.contains(beyond.sector))
}

/// Returns the cost to the end from each portal, by way of the sector that sees it.
fn costs_to(sectors: SectorRect, end: SideOfSector) -> Vec<u32> {
    let mut costs = vec![u32::MAX; 4 * sectors.count()];
    let mut queue = BinaryHeap::from([(Reverse(0), index(sectors, end))]);
    while let Some((Reverse(cost), at)) = queue.pop() {
        let (sector, side) = (sectors.sector(at / 4), Side::ALL[at % 4]);
        for from in exits(SideOfSector { sector, side }) {
            let cost = cost + walk(from.side, side);
            let known = &mut costs[index(sectors, from)];
            if cost < *known {
                *known = cost;
                let before = beyond(sectors, from);
                queue.extend(before.map(|before| (Reverse(cost), index(sectors, before))));
            }
        }
    }
    costs
}

/// Returns the side by which a path of the least cost leaves a sector: the one closest to the
/// straight line to the end.
fn straightest(sectors: SectorRect, costs: &[u32], from: SideOfSector, end: SideOfSector) -> Side {
    let (here, there) = (own_cell(from), own_cell(end));
    let off_line = |exit: SideOfSector| {
        let at = own_cell(exit);
        let [across, along] = [at, there].map(|to| (to.0 - here.0, to.1 - here.1));
        (across.0 * along.1 - across.1 * along.0).unsigned_abs()
    };
    let best = exits(from)
        .filter(|exit| {
            let onward = match beyond(sectors, *exit) {
                _ if *exit == end => Some(0),
                beyond => beyond.map(|beyond| costs[index(sectors, beyond)]),
            };
            let cost = onward.map(|onward| onward.saturating_add(walk(from.side, exit.side)));
            cost == Some(costs[index(sectors, from)])
        })
        .min_by_key(|&exit| off_line(exit));
    best.unwrap_or(end).side
}

fn own_cell(at: SideOfSector) -> (i32, i32) {
    let origin = at.sector.origin();
    let (x, y) = SectorWalks::Open(Cost::OPEN)
        .crossing(at.side as usize)
        .step();
    (origin.x + x, origin.y + y)
}
