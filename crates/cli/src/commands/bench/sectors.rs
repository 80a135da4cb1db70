//! The cost of a sector rebuild, by the engine and by the textbook.
//!
//! Three small maps of 100×100 cells, the same in every run: open ground, 20 % walls
//! at cost 1, and costs of 1 to 20. An order loads them; then each loaded sector
//! except the goal's is settled by both, again and again.

use std::hint::black_box;

use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Order, Quality, SECTOR_SIDE, Sector,
};

use super::dijkstra::Plain;
use super::effort::Effort;
use super::figures::{Figure, SectorFigures};
use super::textbook::{NEVER, Textbook};
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

const SIDE: i32 = 100;
const GOAL: Cell = Cell { x: 85, y: 85 };
const UNITS: [Cell; 3] = [
    Cell { x: 15, y: 15 },
    Cell { x: 85, y: 15 },
    Cell { x: 15, y: 85 },
];

/// One kind of ground and the times on it.
struct SectorGround {
    world: FlowWorld,
    order: Order,
    sectors: Vec<Sector>,
    textbooks: Vec<Textbook>,
    engine: Times,
    textbook: Times,
}

/// The three kinds.
pub struct Sectors {
    grounds: [SectorGround; 3],
    sweeps: usize,
}

impl Sectors {
    /// Draws the maps, loads them, and compares the engine with the textbook.
    pub fn new(effort: &Effort) -> Result<Self, Failure> {
        let wall = |draw: i32| if draw < 4 { Cost::WALL.value() } else { 1 };
        Ok(Self {
            grounds: [
                SectorGround::new(|_| 1)?,
                SectorGround::new(wall)?,
                SectorGround::new(|draw| 1 + draw as u8)?,
            ],
            sweeps: effort.sweeps,
        })
    }

    /// One round: the two engines take turns on every kind of ground.
    pub fn round(&mut self) {
        for ground in &mut self.grounds {
            ground.round(self.sweeps);
        }
    }

    pub fn figures(&self) -> SectorFigures {
        let engine = |at: usize| -> Figure { self.grounds[at].engine.median(1e9) };
        let textbook = |at: usize| -> Figure { self.grounds[at].textbook.median(1e9) };
        SectorFigures {
            clear: engine(0),
            walls: engine(1),
            costs: engine(2),
            textbook_clear: textbook(0),
            textbook_walls: textbook(1),
            textbook_costs: textbook(2),
        }
    }
}

impl SectorGround {
    /// Creates a map whose cells cost `cost` of a random number in 0..20, with
    /// open ground around the goal and the units.
    fn new(cost: impl Fn(i32) -> u8) -> Result<Self, Failure> {
        let mut random = Random::new(21);
        let near = |cell: Cell, end: Cell| (cell.x - end.x).abs().max((cell.y - end.y).abs()) <= 1;
        let rows: Vec<u8> = CellRect::new(0, 0, SIDE as u32, SIDE as u32)
            .cells()
            .map(|cell| {
                let drawn = cost(random.below(20));
                let is_end = near(cell, GOAL) || UNITS.iter().any(|&unit| near(cell, unit));
                if is_end { 1 } else { drawn }
            })
            .collect();
        let refused = |error: &dyn std::fmt::Display| Failure::Wrong(error.to_string());
        let map =
            CostMap::from_rows(SIDE as u32, SIDE as u32, &rows).map_err(|error| refused(&error))?;
        let plain = Plain::new(&map).expect("a small map");
        let mut world = FlowWorld::new(map);
        let goal = Goal::at(GOAL).with_quality(Quality::Exact);
        let order = world.order(goal, &UNITS).map_err(|error| refused(&error))?;
        world.tick(Budget::UNLIMITED);
        let mut sectors = world.inspect().loaded(&order);
        // The goal's sector has seeds; a sector at the map's edge lacks
        // neighbours, and a large map has few of these.
        let goal = Sector::new(GOAL.x / SECTOR_SIDE, GOAL.y / SECTOR_SIDE);
        let inner = 1..SIDE / SECTOR_SIDE - 1;
        let is_inner = |at: &Sector| inner.contains(&at.x) && inner.contains(&at.y);
        sectors.retain(|sector| *sector != goal && is_inner(sector));
        let to_go = |cell| world.cost_to_go(&order, cell);
        let textbooks = sectors
            .iter()
            .map(|&sector| Textbook::new(&plain, to_go, sector))
            .collect();
        let mut ground = Self {
            world,
            order,
            sectors,
            textbooks,
            engine: Times::default(),
            textbook: Times::default(),
        };
        ground.check()?;
        Ok(ground)
    }

    /// Checks that all values of the textbook are the engine's, and that every
    /// direction of both is a best one by these values.
    fn check(&mut self) -> Result<(), Failure> {
        let mut integration = self.world.inspect().integration(&self.order);
        for (&sector, textbook) in self.sectors.iter().zip(&mut self.textbooks) {
            textbook.rebuild();
            let rebuilt = integration.rebuild(sector);
            let corner = Cell::new(sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
            let cells = CellRect::new(corner.x, corner.y, SECTOR_SIDE as u32, SECTOR_SIDE as u32);
            for cell in cells.cells() {
                let value = textbook.value(sector, cell);
                let value = (value != NEVER).then_some(u64::from(value));
                let sampled = self.world.sample(&self.order, cell).direction();
                let to_go = self.world.cost_to_go(&self.order, cell);
                let own = textbook.direction(sector, cell);
                let accounts = |direction| textbook.accounts(sector, cell, direction);
                // Equally good directions may differ. A unit in a wall is led out,
                // which the textbook does not do.
                let led = match (own, sampled) {
                    (Some(own), Some(direction)) => accounts(own) && accounts(direction),
                    (Some(_), _) => false,
                    (None, _) => value.is_none(),
                };
                if !rebuilt || to_go != value || !led {
                    return Err(Failure::Wrong(format!(
                        "sector {sector}, cell {cell}: the textbook says {value:?} {own:?}, \
                         the engine {:?} {sampled:?}",
                        to_go,
                    )));
                }
            }
        }
        Ok(())
    }

    fn round(&mut self, sweeps: usize) {
        self.engine.begin_round();
        self.textbook.begin_round();
        let mut integration = self.world.inspect().integration(&self.order);
        for _ in 0..sweeps {
            // The engine is much faster, so its clock needs more work to measure.
            let count = 8 * self.sectors.len();
            self.engine.time_many(count, || {
                for _ in 0..8 {
                    for &sector in &self.sectors {
                        black_box(integration.rebuild(black_box(sector)));
                    }
                }
            });
            self.textbook.time_many(self.sectors.len(), || {
                for textbook in &mut self.textbooks {
                    textbook.rebuild();
                    black_box(&textbook);
                }
            });
        }
    }
}
