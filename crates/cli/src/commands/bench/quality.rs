//! The quality of paths: the price of the path that a plain order leads along,
//! divided by the price of the cheapest path on the whole map.
//!
//! Measured on generated maps of many kinds, the same in every run, and on the files
//! given with `--map` and `--weighted`. The cheapest path comes from
//! a Dijkstra over the whole map; only orders whose cheapest path has at least
//! [`LONG`] steps count. A share of the orders is given again as exact ones, which
//! must lead along a cheapest path.

use std::time::Instant;

use flowtiles::{Budget, Cell, CostMap, FlowWorld, Goal, Quality};
use flowtiles_country::random::Random;
use flowtiles_country::referee::Referee;
use serde::Serialize;

use super::dijkstra::{Dijkstra, NEVER};
use super::ground::{Effort, free, price_walked};
use crate::support::failure::Failure;
use crate::support::numbers::rank;
use flowtiles_scenes::maps;

/// The kinds of ground of the generated maps.
const GROUNDS: [&str; 15] = [
    "random",
    "random 10 %",
    "random 35 %",
    "caves",
    "rooms",
    "rooms of 8",
    "terrain",
    "costs 1 to 20",
    "costs 1 to 20, walls",
    "costs 60 to 254",
    "costs 60 to 254, walls",
    "roads",
    "costs 60 to 254, roads",
    "patches",
    "fields and fences",
];

/// The fewest steps of the cheapest paths of orders that count.
const LONG: usize = 50;
/// One order in this many is repeated as an exact order.
const EXACT_EVERY: usize = 20;
/// Orders whose path costs more than this many times the cheapest are counted in
/// [`over_percent`](QualityFigures::over_percent).
const OVER: f64 = 1.05;
/// Sides of the generated maps, in turn.
const SIDES: [i32; 6] = [60, 97, 130, 200, 310, 500];

/// The prices of plain orders' paths divided by those of the cheapest paths, on one
/// kind of ground.
#[derive(Serialize)]
pub struct QualityFigures {
    pub ground: String,
    pub orders: usize,
    pub mean: f64,
    pub p95: f64,
    pub worst: f64,
    /// The share of orders above [`OVER`] times the cheapest price, in percent.
    pub over_percent: f64,
    /// The mean number of sectors that an order loads.
    pub sectors: f64,
    /// Bytes of the graph and the level above it.
    pub bytes_per_cell: f64,
    /// The median time of a cold order, in microseconds.
    pub order_us: f64,
}

impl QualityFigures {
    /// Returns the cells of its row in a table.
    pub fn row(&self) -> Vec<String> {
        vec![
            self.ground.clone(),
            self.orders.to_string(),
            format!("{:.5}", self.mean),
            format!("{:.4}", self.p95),
            format!("{:.3}", self.worst),
            format!("{:.2} %", self.over_percent),
            format!("{:.1}", self.sectors),
            format!("{:.2}", self.bytes_per_cell),
            format!("{:.0}", self.order_us),
        ]
    }
}

/// The orders on one kind of ground.
#[derive(Default)]
struct Tally {
    ratios: Vec<f64>,
    micros: Vec<f64>,
    sectors: usize,
    bytes: usize,
    cells: usize,
    orders: usize,
}

/// Measures on all kinds of ground, and on these maps from files.
pub fn measure(
    effort: Effort,
    files: &[(String, CostMap)],
) -> Result<Vec<QualityFigures>, Failure> {
    let (goals, starts) = (effort.pick(6, 2), effort.pick(40, 4));
    let mut all = Vec::new();
    for ground in GROUNDS {
        let mut tally = Tally::default();
        for number in 0..effort.pick(48, 2) {
            let side = SIDES[number % SIDES.len()];
            let drawn = maps::draw_sized(ground, [side, side], 900 + number as u64);
            if let Some(costs) = drawn {
                let costs = costs.map_err(|error| Failure::Input(error.to_string()))?;
                let seed = 7000 + number as u64;
                tally.add_map(ground, costs, seed, goals, starts)?;
            }
        }
        all.push(tally.figures(ground.to_owned()));
    }
    for (name, costs) in files {
        let mut tally = Tally::default();
        tally.add_map(name, costs.clone(), 77, effort.pick(60, 2), starts)?;
        all.push(tally.figures(name.clone()));
    }
    Ok(all)
}

impl Tally {
    /// Gives orders between random cells of a map, each alone, and notes the price of
    /// each path.
    fn add_map(
        &mut self,
        name: &str,
        costs: CostMap,
        seed: u64,
        goals: usize,
        starts: usize,
    ) -> Result<(), Failure> {
        let mut random = Random::new(seed);
        let referee = Referee::new(&costs);
        let mut dijkstra = Dijkstra::new(&costs).ok_or_else(|| {
            Failure::Input(format!("{name}: the price of a path may not fit 32 bits"))
        })?;
        let [width, height] = [costs.width() as i32, costs.height() as i32];
        let mut cell = move || Cell::new(random.below(width), random.below(height));
        let mut world = FlowWorld::new(costs);
        let stats = world.inspect().stats();
        self.bytes += stats.graph_bytes + stats.cluster_bytes;
        self.cells += (width * height) as usize;
        for _ in 0..goals {
            let Some(goal) = (0..100)
                .map(|_| cell())
                .find(|&goal| dijkstra.is_open(goal))
            else {
                continue;
            };
            dijkstra.solve(goal);
            for _ in 0..starts {
                let start = cell();
                let best = dijkstra.value(start);
                if best != NEVER && best > 0 && dijkstra.steps(start) >= LONG {
                    self.add_order(name, &mut world, &referee, [start, goal], best.into())?;
                }
            }
        }
        Ok(())
    }

    fn add_order(
        &mut self,
        name: &str,
        world: &mut FlowWorld,
        referee: &Referee,
        [start, goal]: [Cell; 2],
        best: u64,
    ) -> Result<(), Failure> {
        let begin = Instant::now();
        let order = world.order(goal, &[start]);
        world.tick(Budget::UNLIMITED);
        self.micros.push(begin.elapsed().as_secs_f64() * 1e6);
        if let Ok(order) = order {
            self.sectors += world.inspect().loaded(&order).len();
            free(world, order);
        }
        let price = price_walked(world, referee, Goal::at(goal), start)?;
        if price < best {
            return Err(Failure::Wrong(format!(
                "{name}, {start} to {goal}: the order's path costs {price}, less than the best \
                 path, which costs {best}"
            )));
        }
        if self.orders.is_multiple_of(EXACT_EVERY) {
            let exact = Goal::at(goal).with_quality(Quality::Exact);
            let exact = price_walked(world, referee, exact, start)?;
            if exact != best {
                return Err(Failure::Wrong(format!(
                    "{name}, {start} to {goal}: the exact order's path costs {exact}, the best \
                     path {best}"
                )));
            }
        }
        self.orders += 1;
        self.ratios.push(price as f64 / best as f64);
        Ok(())
    }

    fn figures(mut self, ground: String) -> QualityFigures {
        let orders = self.ratios.len();
        let per_order = |number: f64| number / orders.max(1) as f64;
        let over = self.ratios.iter().filter(|&&ratio| ratio > OVER).count();
        QualityFigures {
            ground,
            orders,
            mean: per_order(self.ratios.iter().sum()),
            worst: rank(&mut self.ratios, 100).unwrap_or(1.0),
            p95: rank(&mut self.ratios, 95).unwrap_or(1.0),
            over_percent: per_order(over as f64) * 100.0,
            sectors: per_order(self.sectors as f64),
            bytes_per_cell: self.bytes as f64 / self.cells.max(1) as f64,
            order_us: rank(&mut self.micros, 50).unwrap_or(1.0),
        }
    }
}
