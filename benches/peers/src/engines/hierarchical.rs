//! The crate `hierarchical_pathfinding`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use flowtiles::Cell;
use flowtiles_peers::clock;
use hierarchical_pathfinding::internals::AbstractPath;
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};

use crate::engine::{Engine, Served, one_by_one};
use crate::ground::{Ground, WALL};

pub struct Hierarchical<const CHUNK: usize> {
    cache: PathCache<MooreNeighborhood>,
    ground: Ground,
    /// Whether `find_paths` has not failed yet.
    grouped: bool,
}

const fn point(cell: Cell) -> (usize, usize) {
    (cell.x as usize, cell.y as usize)
}

fn cost_of(ground: &Ground) -> impl Fn((usize, usize)) -> isize + Sync {
    let width = ground.width as usize;
    move |(x, y)| match ground.costs[y * width + x] {
        WALL => -1,
        cost => isize::from(cost),
    }
}

impl<const CHUNK: usize> Engine for Hierarchical<CHUNK> {
    type Order = AbstractPath<MooreNeighborhood>;
    type Probe = ();
    const THREADS: bool = true;

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        let ground = ground.clone();
        let (width, height) = (ground.width as usize, ground.height as usize);
        let config = PathCacheConfig {
            chunk_size: CHUNK,
            ..PathCacheConfig::default()
        };
        let (cache, time) = clock::on_all_threads(|| {
            let around = MooreNeighborhood::new(width, height);
            PathCache::new((width, height), cost_of(&ground), around, config)
        });
        let grouped = true;
        let built = Self {
            cache,
            ground,
            grouped,
        };
        Ok((built, time))
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<Self::Order> {
        let cost = cost_of(&self.ground);
        let path = self.cache.find_path(point(from), point(to), &cost)?;
        path.clone().safe_next(&cost)?;
        Some(path)
    }

    fn walk(&self, order: &Self::Order, from: Cell, _to: Cell) -> Result<Vec<Cell>, String> {
        let rest = order.clone().resolve(cost_of(&self.ground));
        let rest = rest.iter().map(|&(x, y)| Cell::new(x as i32, y as i32));
        Ok(std::iter::once(from).chain(rest).collect())
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        let place = self.ground.place(cell);
        self.ground.costs[place] = cost;
        self.cache
            .tiles_changed(&[point(cell)], cost_of(&self.ground));
    }

    /// Runs one search for all units; if it panics, one for each unit.
    fn group(&mut self, goal: Cell, units: &[Cell], until: Instant) -> Served {
        if self.grouped {
            let points: Vec<_> = units.iter().map(|&unit| point(unit)).collect();
            let cost = cost_of(&self.ground);
            let search = || self.cache.find_paths(point(goal), &points, &cost);
            if let Ok(paths) = catch_unwind(AssertUnwindSafe(search)) {
                let answered = points.iter().filter(|unit| paths.contains_key(*unit));
                return Served {
                    tried: units.len(),
                    answered: answered.count(),
                };
            }
            self.grouped = false;
        }
        one_by_one(units, until, |unit| self.order(unit, goal).is_some())
    }
}
