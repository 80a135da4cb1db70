//! The march: a small game loop. Each tick gives the engine its budget,
//! reads every unit's direction and moves it one cell; a cell of cost 3 takes
//! three ticks to leave.

use std::time::{Duration, Instant};

use flowtiles::{Budget, Cell, Cost, FlowWorld, Order, Sample};
use flowtiles_country::armies::Army;
use flowtiles_country::landscape::{HEIGHT, WIDTH};
use flowtiles_country::numbers::thousandths;
use flowtiles_country::raster::Raster;
use flowtiles_country::referee::{Referee, Verdict};

use crate::figures::{Bridge, Marched, micros};
use crate::survey::Fall;

/// The march ends after this many ticks, even with units still out.
const TICKS_MAX: u32 = 30_000;
/// Ticks it takes to climb out of the water.
const CLIMB: u8 = 5;

/// What happened on the march.
#[derive(Default)]
pub struct March {
    pub figures: Marched,
    /// What the fall of the bridge took.
    pub bridge: Option<Bridge>,
    /// How often each cell was walked over, by army.
    pub trails: Vec<Raster<u16>>,
    /// The time of all reading, and of all ticks until every order was replanned.
    sampling: Duration,
    replanning: Duration,
}

struct Marcher {
    army: usize,
    cell: Cell,
    /// Ticks before the next step.
    pause: u8,
}

/// Marches all units home.
pub fn march(
    world: &mut FlowWorld,
    armies: &[Army],
    orders: &[Order],
    fall: Option<Fall>,
    budget: u64,
) -> March {
    let mut march = March {
        trails: vec![Raster::filled(WIDTH, HEIGHT, 0); armies.len()],
        ..March::default()
    };
    let mut out = Units::of(armies);
    let mut referee = Referee::new(world.costs());
    while !out.is_empty() && march.figures.ticks < TICKS_MAX {
        if let Some(fall) = fall.filter(|fall| fall.tick == march.figures.ticks) {
            march.bridge = collapse_bridge(world, fall, &out);
            referee = Referee::new(world.costs());
        }
        let begin = Instant::now();
        let progress = world.tick(Budget::cells(budget));
        march.note_tick(begin.elapsed(), progress.waiting);
        for (army, order) in orders.iter().enumerate() {
            march.advance(world, order, &referee, &mut out.0[army]);
        }
        march.figures.ticks += 1;
    }
    let nanos = march.sampling.as_secs_f64() * 1e9;
    march.figures.sample_ns = thousandths(nanos / march.figures.samples.max(1) as f64);
    march
}

/// Marching units, by army.
struct Units(Vec<Vec<Marcher>>);

impl Units {
    fn of(armies: &[Army]) -> Self {
        let marcher = |army, cell| Marcher {
            army,
            cell,
            pause: 0,
        };
        let marchers = |(number, army): (usize, &Army)| {
            let cells = army.units.iter();
            cells.map(|&cell| marcher(number, cell)).collect()
        };
        Self(armies.iter().enumerate().map(marchers).collect())
    }

    fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

/// Turns a bridge into water.
fn collapse_bridge(world: &mut FlowWorld, fall: Fall, units: &Units) -> Option<Bridge> {
    let begin = Instant::now();
    let report = world.edit(fall.deck, Cost::WALL).ok()?;
    let edit_us = micros(begin.elapsed());
    let cells = units.0.iter().flatten().map(|unit| unit.cell);
    Some(Bridge {
        tick: fall.tick,
        cells: report.cells,
        sectors_changed: report.sectors,
        sectors_rebuilt: report.rebuilt,
        orders_replanned: report.orders,
        edit_us,
        replan_ticks: 1,
        replan_us: 0.0,
        longest_tick_us: 0.0,
        units_on_it: cells.filter(|&cell| fall.deck.contains(cell)).count(),
        units_out: units.count(),
    })
}

impl March {
    /// Counts a tick, also for the bridge while orders are being replanned after
    /// its fall.
    fn note_tick(&mut self, time: Duration, waiting: usize) {
        let longest = &mut self.figures.longest_tick_us;
        *longest = longest.max(micros(time));
        if let Some(bridge) = &mut self.bridge
            && bridge.tick + bridge.replan_ticks == self.figures.ticks + 1
        {
            bridge.longest_tick_us = bridge.longest_tick_us.max(micros(time));
            self.replanning += time;
            bridge.replan_us = micros(self.replanning);
            bridge.replan_ticks += u32::from(waiting > 0);
        }
    }

    /// Reads the directions of the units of one army and moves them.
    fn advance(
        &mut self,
        world: &mut FlowWorld,
        order: &Order,
        referee: &Referee,
        units: &mut Vec<Marcher>,
    ) {
        let cells: Vec<Cell> = units.iter().map(|unit| unit.cell).collect();
        let mut samples = Vec::with_capacity(cells.len());
        let begin = Instant::now();
        world.sample_many(order, &cells, &mut samples);
        self.sampling += begin.elapsed();
        self.figures.samples += samples.len() as u64;
        let mut samples = samples.into_iter();
        units.retain_mut(|unit| {
            let sample = samples.next().unwrap_or(Sample::Waiting);
            if unit.pause > 0 {
                unit.pause -= 1;
                return true;
            }
            self.act(world, order, referee, unit, sample)
        });
    }

    /// Moves a unit by its sample; returns whether it is still marching.
    fn act(
        &mut self,
        world: &mut FlowWorld,
        order: &Order,
        referee: &Referee,
        unit: &mut Marcher,
        sample: Sample,
    ) -> bool {
        match sample {
            Sample::Go(direction) => {
                let cost = referee.cost(unit.cell);
                let in_water = cost == Cost::WALL.value();
                let legal = referee.judge(unit.cell, direction) == Verdict::Legal;
                self.figures.illegal_steps += usize::from(!in_water && !legal);
                unit.pause = if in_water { CLIMB } else { cost - 1 };
                unit.cell = unit.cell.step(direction);
                if let Some(walked) = self.trails[unit.army].get_mut(unit.cell) {
                    *walked = walked.saturating_add(1);
                }
                true
            }
            Sample::Arrived => {
                self.figures.arrived += 1;
                false
            }
            Sample::Unreachable => {
                self.figures.cut_off += 1;
                false
            }
            Sample::OffRoute => world.cover(order, unit.cell).is_ok(),
            _ => true,
        }
    }
}
