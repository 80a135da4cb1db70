//! The cost of a search that loads nothing.
//!
//! The engine searches from cell to cell. The two general A* search from the
//! first portal of its route to the last, on the same graph. This is less work,
//! so the comparison favours them.

use std::hint::black_box;

use flowtiles::{Cell, FlowWorld};

use super::astar::Roads;
use super::effort::Effort;
use super::figures::Figure;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

/// The ends of a path: cells for the engine, portals for the others.
struct Search {
    from: Cell,
    to: Cell,
    first: u32,
    last: u32,
}

/// Searches between cells far apart.
pub struct Routes {
    roads: Roads,
    searches: Vec<Search>,
    engine: Times,
    petgraph: Times,
    pathfinding: Times,
}

/// The three figures.
pub struct RouteFigures {
    pub engine: Figure,
    pub petgraph: Figure,
    pub pathfinding: Figure,
}

impl Routes {
    /// Draws the searches and compares the three answers.
    pub fn new(subject: &Subject, world: &mut FlowWorld, effort: &Effort) -> Result<Self, Failure> {
        let roads = Roads::new(world.inspect().portal_graph());
        let mut searches = Vec::new();
        for (from, to) in far_pairs(subject, effort.searches) {
            searches.extend(prepare(&roads, world, from, to)?);
        }
        if searches.is_empty() {
            return Err(subject.refused("its longest paths pass fewer than two portals"));
        }
        Ok(Self {
            roads,
            searches,
            engine: Times::default(),
            petgraph: Times::default(),
            pathfinding: Times::default(),
        })
    }

    /// One round: the three search for each path in turn.
    pub fn round(&mut self, world: &mut FlowWorld) {
        let all = [&mut self.engine, &mut self.petgraph, &mut self.pathfinding];
        all.into_iter().for_each(Times::begin_round);
        make_cliques(
            world,
            self.searches.iter().map(|search| (search.from, search.to)),
        );
        for search in &self.searches {
            let (from, to) = (black_box(search.from), black_box(search.to));
            black_box(self.engine.time(|| world.find_route(from, to))).ok();
            let (first, last) = (black_box(search.first), black_box(search.last));
            black_box(self.petgraph.time(|| self.roads.by_petgraph(first, last)));
            black_box(
                self.pathfinding
                    .time(|| self.roads.by_pathfinding(first, last)),
            );
        }
    }

    pub fn figures(&self) -> RouteFigures {
        RouteFigures {
            engine: self.engine.median(1e6),
            petgraph: self.petgraph.median(1e6),
            pathfinding: self.pathfinding.median(1e6),
        }
    }
}

/// Searches all paths once, untimed: the edits measured before have dropped
/// cliques that a build makes.
pub fn make_cliques(world: &FlowWorld, pairs: impl Iterator<Item = (Cell, Cell)>) {
    for (from, to) in pairs {
        black_box(world.find_route(from, to)).ok();
    }
}

/// Returns the pairs that are farthest apart, of many drawn.
fn far_pairs(subject: &Subject, count: usize) -> Vec<(Cell, Cell)> {
    let mut random = Random::new(31);
    let draws = 8 * count;
    let mut pairs: Vec<(Cell, Cell)> = (0..draws)
        .map(|_| (subject.draw(&mut random), subject.draw(&mut random)))
        .collect();
    let apart = |&(from, to): &(Cell, Cell)| from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
    pairs.sort_by_key(|pair| std::cmp::Reverse(apart(pair)));
    pairs.truncate(count);
    pairs
}

/// Returns a search whose three answers agree; `None` if its path is too short
/// to have two portals.
fn prepare(
    roads: &Roads,
    world: &mut FlowWorld,
    from: Cell,
    to: Cell,
) -> Result<Option<Search>, Failure> {
    let route = world.find_route(from, to).ok().flatten();
    let route = route.ok_or_else(|| Failure::Wrong(format!("no route from {from} to {to}")))?;
    let way: Option<Vec<u32>> = route.portals.iter().map(|&id| roads.number(id)).collect();
    let way =
        way.ok_or_else(|| Failure::Wrong(format!("a route of no portals, {from} to {to}")))?;
    let &[first, .., last] = &way[..] else {
        return Ok(None);
    };
    let engine = roads.price(&way);
    let [petgraph, pathfinding] = [
        roads.by_petgraph(first, last),
        roads.by_pathfinding(first, last),
    ]
    .map(|found| found.map(|(price, _)| price));
    if engine.is_none() || engine != petgraph || petgraph != pathfinding {
        return Err(Failure::Wrong(format!(
            "from {from} to {to}, between the same portals: the engine's route costs {engine:?}, \
             petgraph's {petgraph:?}, pathfinding's {pathfinding:?}"
        )));
    }
    Ok(Some(Search {
        from,
        to,
        first,
        last,
    }))
}
