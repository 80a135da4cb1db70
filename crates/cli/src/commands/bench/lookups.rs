//! The cost of reading a direction.
//!
//! *Clustered*: adjacent units read one order, as a formation does; all that they
//! read stays in the nearest cache. *Scattered*: units all over the map, each with
//! one of 16 orders, in random order; nearly every read comes from farther away.

use std::hint::black_box;

use flowtiles::{Budget, Cell, CellRect, FlowWorld, Order, SECTOR_SIDE, Sample};

use super::effort::Effort;
use super::figures::Figure;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

/// Goals read from at once.
const GOALS: usize = 16;
/// Units ordered to each goal.
const UNITS: usize = 64;
/// Different reads; the timed ones repeat them.
const CLUSTERED: usize = 1 << 10;
const SCATTERED: usize = 1 << 16;
/// Reads timed at once.
const PART: usize = 1 << 13;
const _: () = assert!(SCATTERED.is_multiple_of(PART) && PART.is_multiple_of(CLUSTERED));

/// Finished orders, and the cells that read them.
pub struct Lookups {
    /// A separate world: every edit would replan these orders.
    world: FlowWorld,
    orders: Vec<Order>,
    clustered: Vec<Cell>,
    scattered: Vec<(u8, Cell)>,
    turns: usize,
    near: Times,
    far: Times,
}

impl Lookups {
    /// Gives the orders and draws the readers among the cells that are led.
    pub fn new(subject: &Subject, effort: &Effort) -> Result<Self, Failure> {
        let mut random = Random::new(71);
        let mut world = FlowWorld::new(subject.costs().clone());
        let mut orders = Vec::new();
        for _ in 0..GOALS {
            let units: Vec<Cell> = (0..UNITS).map(|_| subject.draw(&mut random)).collect();
            let order = world.order(subject.draw(&mut random), &units);
            orders.push(order.map_err(|error| Failure::Wrong(error.to_string()))?);
        }
        world.tick(Budget::UNLIMITED);
        let led: Vec<Vec<Cell>> = orders.iter().map(|order| led(&world, order)).collect();
        if led.iter().any(Vec::is_empty) {
            let name = subject.name();
            return Err(Failure::Wrong(format!("{name}: an order leads no unit")));
        }
        // A run of cells from the middle of the first order's sectors.
        let from = led[0].len() / 2;
        let together = led[0][from..].iter().chain(&led[0]).cycle();
        let clustered = together.take(CLUSTERED).copied().collect();
        let scattered = (0..SCATTERED)
            .map(|_| {
                let goal = random.below(GOALS as i32) as usize;
                let cells = &led[goal];
                (goal as u8, cells[random.below(cells.len() as i32) as usize])
            })
            .collect();
        Ok(Self {
            world,
            orders,
            clustered,
            scattered,
            turns: effort.reads,
            near: Times::default(),
            far: Times::default(),
        })
    }

    /// One round: reads of both kinds, alternating part by part.
    pub fn round(&mut self) {
        self.near.begin_round();
        self.far.begin_round();
        let (world, orders) = (&self.world, &self.orders);
        for turn in 0..self.turns {
            let from = turn * PART % SCATTERED;
            let part = &self.scattered[from..from + PART];
            let passes = PART / CLUSTERED;
            self.near.time_many(passes * CLUSTERED, || {
                for _ in 0..passes {
                    for &unit in black_box(&self.clustered) {
                        black_box(world.sample(&orders[0], unit));
                    }
                }
            });
            self.far.time_many(part.len(), || {
                for &(order, unit) in black_box(part) {
                    black_box(world.sample(&orders[usize::from(order)], unit));
                }
            });
        }
    }

    /// Returns the figures of clustered and scattered reads.
    pub fn figures(&self) -> (Figure, Figure) {
        (self.near.median(1e9), self.far.median(1e9))
    }
}

/// The cells of an order's sectors that have a direction, sector by sector.
fn led(world: &FlowWorld, order: &Order) -> Vec<Cell> {
    let side = SECTOR_SIDE;
    let cells = world
        .inspect()
        .loaded(order)
        .into_iter()
        .flat_map(|sector| {
            CellRect::new(sector.x * side, sector.y * side, side as u32, side as u32).cells()
        });
    let goes = |cell: &Cell| {
        matches!(
            world.sample(order, *cell),
            Sample::Go(_) | Sample::InSight(_)
        )
    };
    let open = |cell: &Cell| world.costs().get(*cell).is_some_and(|cost| !cost.is_wall());
    cells.filter(open).filter(goes).collect()
}
