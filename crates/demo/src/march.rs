//! The march: a small game loop. Each tick gives the engine its budget,
//! reads every unit's direction and moves it one cell; a cell of cost 3 takes
//! three ticks to leave.

use std::time::{Duration, Instant};

use flowtiles::{Budget, Cell, Cost, EditReport, FlowWorld, Order, Sample};
use flowtiles_country::armies::Army;
use flowtiles_country::landscape::{HEIGHT, WIDTH};
use flowtiles_country::raster::Raster;
use flowtiles_country::referee::{Referee, Verdict};

use crate::fall::Fall;

/// The march ends after this many ticks, even with units still out.
const TICKS_MAX: u32 = 30_000;
/// Ticks it takes to climb out of the water.
const CLIMB: u8 = 5;

/// What happened on the march.
pub struct March {
    /// Ticks that the march took.
    pub ticks: u32,
    /// The longest tick of the engine, without the edit's.
    pub longest_tick: Duration,
    /// Directions read.
    pub samples: u64,
    /// The time that reading them took.
    pub sampling: Duration,
    /// Units that arrived.
    pub arrived: usize,
    /// Units without a path to their goal.
    pub cut_off: usize,
    /// Steps that the referee would not have allowed.
    pub illegal: usize,
    /// What the fall of the bridge took.
    pub fall: Option<FallFigures>,
    /// How often each cell was walked over, by army.
    pub trails: Vec<Raster<u16>>,
}

/// What the fall of a bridge took.
pub struct FallFigures {
    /// The tick at which it fell.
    pub tick: u32,
    /// The engine's report of the edit.
    pub report: EditReport,
    /// The edit itself.
    pub edit: Duration,
    /// Ticks until every order was replanned.
    pub ticks: u32,
    /// The longest of these ticks.
    pub longest_tick: Duration,
    /// All of these ticks together.
    pub replanning: Duration,
    /// Units that stood on the bridge.
    pub on_bridge: usize,
    /// Units that were not home yet.
    pub out: usize,
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
    let mut march = March::new(armies.len());
    let mut out = Units::of(armies);
    let mut referee = Referee::new(world.costs());
    while !out.is_empty() && march.ticks < TICKS_MAX {
        if let Some(fall) = fall.filter(|fall| fall.tick == march.ticks) {
            march.fall = collapse_bridge(world, fall, &out);
            referee = Referee::new(world.costs());
        }
        let begin = Instant::now();
        let progress = world.tick(Budget::cells(budget));
        march.note_tick(begin.elapsed(), progress.waiting);
        for (army, order) in orders.iter().enumerate() {
            march.advance(world, order, &referee, &mut out.0[army]);
        }
        march.ticks += 1;
    }
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
fn collapse_bridge(world: &mut FlowWorld, fall: Fall, units: &Units) -> Option<FallFigures> {
    let begin = Instant::now();
    let report = world.edit(fall.deck, Cost::WALL).ok()?;
    let edit = begin.elapsed();
    let cells = units.0.iter().flatten().map(|unit| unit.cell);
    Some(FallFigures {
        tick: fall.tick,
        report,
        edit,
        ticks: 0,
        longest_tick: Duration::ZERO,
        replanning: Duration::ZERO,
        on_bridge: cells.filter(|&cell| fall.deck.contains(cell)).count(),
        out: units.count(),
    })
}

impl March {
    fn new(armies: usize) -> Self {
        Self {
            ticks: 0,
            longest_tick: Duration::ZERO,
            samples: 0,
            sampling: Duration::ZERO,
            arrived: 0,
            cut_off: 0,
            illegal: 0,
            fall: None,
            trails: vec![Raster::filled(WIDTH, HEIGHT, 0); armies],
        }
    }

    /// Counts a tick, also for the bridge while orders are being replanned after
    /// its fall.
    fn note_tick(&mut self, time: Duration, waiting: usize) {
        self.longest_tick = self.longest_tick.max(time);
        let now = self.ticks;
        if let Some(fall) = &mut self.fall
            && fall.tick + fall.ticks == now
        {
            fall.longest_tick = fall.longest_tick.max(time);
            fall.replanning += time;
            fall.ticks += u32::from(waiting > 0);
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
        self.samples += samples.len() as u64;
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
                self.illegal += usize::from(!in_water && !legal);
                unit.pause = if in_water { CLIMB } else { cost - 1 };
                unit.cell = unit.cell.step(direction);
                if let Some(walked) = self.trails[unit.army].get_mut(unit.cell) {
                    *walked = walked.saturating_add(1);
                }
                true
            }
            Sample::Arrived => {
                self.arrived += 1;
                false
            }
            Sample::Unreachable => {
                self.cut_off += 1;
                false
            }
            Sample::OffRoute => world.cover(order, unit.cell).is_ok(),
            _ => true,
        }
    }
}
