//! Before the march: the lengths of all paths, and the bridge that the march
//! depends on most.

use flowtiles::{CellRect, Cost, FlowWorld, Order};
use flowtiles_country::armies::Army;
use flowtiles_country::landscape::Landscape;
use flowtiles_country::referee::Referee;
use flowtiles_country::walk::{End, Walk, walk};

use crate::figures::Excess;

/// A bridge that will fall.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    /// The cells that become water.
    pub deck: CellRect,
    /// The tick of the march at which they do.
    pub tick: u32,
}

/// The results of the survey.
pub struct Survey {
    /// How much longer the paths are than the shortest ones.
    pub excess: Excess,
    /// The bridge to fall: of those without which every unit still has a path, the one that
    /// most units will cross. It falls when a quarter of them have come to it.
    pub fall: Option<Fall>,
}

/// Follows every unit's path along the directions, without moving the unit.
pub fn survey(
    world: &mut FlowWorld,
    land: &Landscape,
    armies: &[Army],
    orders: &[Order],
) -> Survey {
    let referee = Referee::new(world.costs());
    let mut ratios = Vec::new();
    let mut crossings = vec![Vec::new(); land.decks.len()];
    for (army, order) in armies.iter().zip(orders) {
        let costs_to_go = referee.costs_to_go(army.home);
        for &unit in &army.units {
            let walked = walk(world, &referee, order, unit);
            let best = referee.look_up(&costs_to_go, unit);
            if walked.end == End::Arrived && best > 0 {
                ratios.push(walked.price as f64 / best as f64);
            }
            note_crossings(&referee, land, &walked, &mut crossings);
        }
    }
    Survey {
        excess: Excess::of(ratios),
        fall: choose(world, land, armies, crossings),
    }
}

/// Records for each bridge on the path the tick at which the unit comes to it.
fn note_crossings(referee: &Referee, land: &Landscape, walked: &Walk, crossings: &mut [Vec<u32>]) {
    for (deck, ticks) in land.decks.iter().zip(crossings) {
        let mut tick = 0;
        for &cell in &walked.cells {
            if deck.contains(cell) {
                ticks.push(tick);
                break;
            }
            // A unit stays on a cell for as many ticks as the cell costs.
            tick += u32::from(referee.cost(cell));
        }
    }
}

/// The bridge with the most traffic whose fall leaves every unit a path.
fn choose(
    world: &FlowWorld,
    land: &Landscape,
    armies: &[Army],
    mut crossings: Vec<Vec<u32>>,
) -> Option<Fall> {
    let mut bridges: Vec<usize> = (0..land.decks.len()).collect();
    bridges.sort_by_key(|&bridge| (std::cmp::Reverse(crossings[bridge].len()), bridge));
    for bridge in bridges {
        let (deck, ticks) = (land.decks[bridge], &mut crossings[bridge]);
        ticks.sort_unstable();
        let tick = *ticks.get(ticks.len() / 4)?;
        if holds_together(world, deck, armies) {
            return Some(Fall { deck, tick });
        }
    }
    None
}

/// Whether all units would still have a path home without this bridge.
fn holds_together(world: &FlowWorld, deck: CellRect, armies: &[Army]) -> bool {
    let mut costs = world.costs().clone();
    if costs.edit(deck, Cost::WALL).is_err() {
        return false;
    }
    let without = FlowWorld::new(costs);
    armies.iter().all(|army| {
        let mut units = army.units.iter();
        units.all(|&unit| deck.contains(unit) || without.reachable(unit, army.home))
    })
}
