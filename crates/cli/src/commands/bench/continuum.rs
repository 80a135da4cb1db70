//! The cost of crowds: marching, a whole solve by its stages, and a tick with
//! four armies that meet.
//!
//! Measured on fields and ground drawn here, the same in every run. The same
//! solve is repeated, so its figure is the shortest time. Ticks differ, so
//! theirs is the median of each tick's shortest time.

use std::time::Duration;

use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, Marching, SolveStage, Walker};
use flowtiles::steer::{Army, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Order};

use super::figures::{ContinuumFigures, MarchingFigures, SolveFigures, TickFigures};
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;
use crate::support::threads::on_threads;

/// The amount of work.
pub struct ContinuumEffort {
    /// Cells along a marching field.
    field: u32,
    /// Solves of each field, and of the crowd, a round.
    solves: usize,
    /// Units along a side of each of the four armies.
    columns: usize,
    /// Cells along the map, and along a large one with the same crowd.
    sides: [u32; 2],
    /// Ticks until the armies meet, and ticks that are then timed.
    ticks: [usize; 2],
}

impl ContinuumEffort {
    /// For the printed figures.
    pub const FULL: Self = Self {
        field: 256,
        solves: 25,
        columns: 50,
        sides: [500, 4000],
        ticks: [60, 40],
    };

    /// For a check that everything works.
    pub const QUICK: Self = Self {
        field: 40,
        solves: 2,
        columns: 6,
        sides: [500, 600],
        ticks: [10, 4],
    };
}

/// Seconds of a tick: with solves at 10 Hz every second one begins a round.
const TICK: f32 = 0.05;
/// The initial distance between units, in cells.
const APART: f32 = 0.9;
/// The place where the armies meet, and the distance from it to the front of each
/// army at the start.
const MIDDLE: i32 = 250;
const FAR: i32 = 15;

/// The fields and the armies, and their times so far.
pub struct Continuum {
    effort: ContinuumEffort,
    fields: [(Marching, Times); 4],
    grounds: [MarchingGround; 2],
    /// The armies when they meet.
    walkers: Vec<([f32; 2], [f32; 2], Option<usize>)>,
    begin: Times,
    stages: [Times; 4],
    whole: Times,
    /// The crowd's fields and the motion of the units: on one thread, on two,
    /// and on one on the large map.
    ticks: [[Times; 2]; 3],
    per_solve: f64,
}

/// A map with the four orders.
struct MarchingGround {
    world: FlowWorld,
    orders: Vec<Order>,
}

impl Continuum {
    /// Draws the fields, gives the orders, and checks that the armies have the same
    /// result on two threads.
    pub fn new(effort: ContinuumEffort) -> Result<Self, Failure> {
        let grounds = [
            MarchingGround::new(effort.sides[0])?,
            MarchingGround::new(effort.sides[1])?,
        ];
        let fields = fields(effort.field)?.map(|field| (field, Times::default()));
        let mut continuum = Self {
            effort,
            fields,
            grounds,
            walkers: Vec::new(),
            begin: Times::default(),
            stages: Default::default(),
            whole: Times::default(),
            ticks: Default::default(),
            per_solve: 0.0,
        };
        continuum.check()?;
        Ok(continuum)
    }

    fn check(&mut self) -> Result<(), Failure> {
        let mut hashes = Vec::new();
        for threads in [1, 2] {
            let mut army = self.grounds[0].army(self.effort.columns);
            let goes = |army: &Army| army.units().iter().all(|u| u.state == UnitState::Marching);
            on_threads(threads, || {
                for _ in 0..self.effort.ticks[0] {
                    army.step(&self.grounds[0].world, TICK);
                }
            })?;
            if !goes(&army) {
                return Err(Failure::Wrong(
                    "a crowd: a unit of four does not march".into(),
                ));
            }
            hashes.push(army.state_hash());
            let walker = |unit: &Unit| (unit.position, unit.velocity, Some(unit.group.index()));
            self.walkers = army.units().iter().map(walker).collect();
        }
        if hashes[0] != hashes[1] {
            return Err(Failure::Wrong("a crowd differs on two threads".into()));
        }
        Ok(())
    }

    /// One round of everything.
    pub fn round(&mut self) -> Result<(), Failure> {
        for (field, times) in &mut self.fields {
            times.begin_round();
            let corner = [(Cell::new(0, 0), 0.0)];
            for _ in 0..self.effort.solves {
                times.time(|| field.solve(&corner));
            }
        }
        self.solves()?;
        for (at, threads, ground) in [(0, 1, 0), (1, 2, 0), (2, 1, 1)] {
            let (ground, times) = (&self.grounds[ground], &mut self.ticks[at]);
            let army = ground.army(self.effort.columns);
            let effort = &self.effort;
            on_threads(threads, || time_ticks(effort, &ground.world, army, times))?;
        }
        Ok(())
    }

    /// Times whole solves for all four groups by their stages.
    fn solves(&mut self) -> Result<(), Failure> {
        let refused = |error: flowtiles::crowd::CrowdError| Failure::Wrong(error.to_string());
        let ground = &self.grounds[0];
        let mut crowd = Crowd::new(CrowdSettings::default()).map_err(refused)?;
        let all = self
            .stages
            .iter_mut()
            .chain([&mut self.begin, &mut self.whole]);
        all.for_each(Times::begin_round);
        for number in 0..=self.effort.solves {
            let mut streams = Vec::new();
            for order in &ground.orders {
                let stream = crowd.join(&ground.world, order, &Conduct::default(), 4.0);
                streams.push(stream.map_err(refused)?);
            }
            let walker =
                |&(position, velocity, group): &([f32; 2], [f32; 2], Option<usize>)| Walker {
                    position,
                    velocity,
                    stream: group.map(|group| streams[group]),
                    stands: false,
                };
            let walkers: Vec<Walker> = self.walkers.iter().map(walker).collect();
            let begin = time(|| crowd.begin(&ground.world, &walkers));
            let mut took = [Duration::ZERO; 4];
            loop {
                let mut stage = None;
                let time = time(|| stage = crowd.solve_stage(&ground.world));
                match stage {
                    Some(SolveStage::Costs) => took[0] += time,
                    Some(SolveStage::Rim) => took[1] += time,
                    Some(SolveStage::Wave) => took[2] += time,
                    Some(SolveStage::Directions) => took[3] += time,
                    None => break,
                }
            }
            // The first one includes reading the ground.
            if number > 0 {
                self.begin.note(begin);
                self.whole.note(begin + took.iter().sum::<Duration>());
                for (times, took) in self.stages.iter_mut().zip(took) {
                    times.note(took);
                }
            }
        }
        self.per_solve = crowd.stats().solved as f64;
        Ok(())
    }

    /// Returns the figures of all rounds.
    pub fn figures(&self) -> ContinuumFigures {
        let cells = f64::from(self.effort.field).powi(2);
        let [uniform, smooth, obstacles, noise] =
            std::array::from_fn(|at| self.fields[at].1.least(1e9 / cells));
        let solve = |times: &Times| times.least(1e9 / self.per_solve);
        let [costs, rim, wave, directions] = std::array::from_fn(|at| solve(&self.stages[at]));
        let tick = |at: usize, part: usize| self.ticks[at][part].calm(1e3);
        ContinuumFigures {
            marching_ns: MarchingFigures {
                uniform,
                smooth,
                obstacles,
                noise,
            },
            solve_ns: SolveFigures {
                begin: solve(&self.begin),
                costs,
                rim,
                wave,
                directions,
                whole: solve(&self.whole),
            },
            tick_ms: TickFigures {
                fields: tick(0, 0),
                motion: tick(0, 1),
                fields_2_threads: tick(1, 0),
                motion_2_threads: tick(1, 1),
                fields_large_map: tick(2, 0),
                motion_large_map: tick(2, 1),
            },
        }
    }
}

fn time(job: impl FnOnce()) -> Duration {
    let begin = std::time::Instant::now();
    job();
    begin.elapsed()
}

/// Fields to march over: the same cost everywhere; costs that change smoothly
/// with the place and the side, from 1 to 3.5; the same among walls on a fifth
/// of the cells, in blocks; and costs of 1 to 3.5 drawn for each cell and side.
fn fields(side: u32) -> Result<[Marching; 4], Failure> {
    let smooth = |cell: Cell| {
        std::array::from_fn(|side| {
            // Triangle waves, different for each side.
            let along = (cell.x * (3 + side as i32) + cell.y * (5 - side as i32)) % 200;
            let up = (cell.y * 2 + cell.x * side as i32) % 120;
            let wave = |at: i32, length: i32| (at - length / 2).abs() as f32 / (length / 2) as f32;
            1.0 + 1.25 * (wave(along, 200) + wave(up, 120))
        })
    };
    let mut random = Random::new(31);
    let blocks: Vec<bool> = (0..(side / 4 + 1).pow(2))
        .map(|at| at > 0 && random.below(5) == 0)
        .collect();
    let walled = |cell: Cell| blocks[(cell.y / 4 * (side as i32 / 4 + 1) + cell.x / 4) as usize];
    let noise = |_| std::array::from_fn(|_| 1.0 + random.below(2501) as f32 / 1000.0);
    let refused = |error: flowtiles::crowd::CrowdError| Failure::Wrong(error.to_string());
    Ok([
        Marching::new(side, side, |_| Some([1.0; 4])).map_err(refused)?,
        Marching::new(side, side, |cell| Some(smooth(cell))).map_err(refused)?,
        Marching::new(side, side, |cell| (!walled(cell)).then(|| smooth(cell))).map_err(refused)?,
        Marching::new(side, side, {
            let mut noise = noise;
            move |cell| Some(noise(cell))
        })
        .map_err(refused)?,
    ])
}

impl MarchingGround {
    /// Creates open ground with pillars where the armies meet; each army goes to
    /// the other side.
    fn new(side: u32) -> Result<Self, Failure> {
        let refused = |error: &dyn std::fmt::Display| Failure::Wrong(error.to_string());
        let mut map = CostMap::open(side, side).map_err(|error| refused(&error))?;
        let mut random = Random::new(32);
        for (x, y) in (100..400)
            .step_by(25)
            .flat_map(|y| (100..400).step_by(25).map(move |x| (x, y)))
        {
            let (dx, dy) = (random.below(8), random.below(8));
            let at_camp = (x - MIDDLE).abs() < 90 && (y - MIDDLE).abs() < 40
                || (x - MIDDLE).abs() < 40 && (y - MIDDLE).abs() < 90;
            if !at_camp {
                let pillar = CellRect::new(x + dx, y + dy, 3, 3);
                map.edit(pillar, Cost::WALL)
                    .map_err(|error| refused(&error))?;
            }
        }
        let mut world = FlowWorld::new(map);
        let mut orders = Vec::new();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let at = |far: i32| Cell::new(MIDDLE + dx * far, MIDDLE + dy * far);
            // From the whole camp.
            let camp = at(-FAR - 22);
            let camp = CellRect::new(camp.x - 22, camp.y - 22, 45, 45).cells();
            let camp: Vec<Cell> = camp.collect();
            let order = world.order(at(200), &camp);
            orders.push(order.map_err(|error| refused(&error))?);
        }
        while world.tick(Budget::cells(20_000)).waiting > 0 {}
        Ok(Self { world, orders })
    }

    /// The four armies at their starts, a square each.
    fn army(&self, columns: usize) -> Army {
        let mut army = Army::default();
        let (long, middle) = (columns as f32 * APART, MIDDLE as f32 + 0.5);
        for (order, (dx, dy)) in
            self.orders
                .iter()
                .zip([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
        {
            let target = Target::Order(order.clone());
            let group = army.add_group(target, Reading::Crowd).unwrap();
            // The corner nearest to the map's.
            let off = FAR as f32 + long / 2.0;
            let corner = [dx, dy].map(|along: f32| middle - along * off - long / 2.0);
            for at in 0..columns * columns {
                let place = [at % columns, at / columns].map(|at| at as f32 * APART);
                let id = army.units().len() as u32;
                army.add(Unit::new(
                    id,
                    group,
                    [corner[0] + place[0], corner[1] + place[1]],
                ))
                .unwrap();
            }
        }
        army
    }
}

/// Times the ticks of an army, once it has marched for a while: the two halves of its
/// steps.
fn time_ticks(effort: &ContinuumEffort, world: &FlowWorld, mut army: Army, times: &mut [Times; 2]) {
    for _ in 0..effort.ticks[0] {
        army.step(world, TICK);
    }
    times.iter_mut().for_each(Times::begin_round);
    // Pairs, since only every second tick begins to solve.
    for _ in 0..effort.ticks[1] / 2 {
        let mut took = [Duration::ZERO; 2];
        for _ in 0..2 {
            took[0] += time(|| army.foresee(world, TICK));
            took[1] += time(|| army.advance(world, TICK));
        }
        for (times, took) in times.iter_mut().zip(took) {
            times.note(took / 2);
        }
    }
}
