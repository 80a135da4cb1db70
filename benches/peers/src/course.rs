//! The course that every engine runs over, in its own process. Measurements are
//! printed line by line, so that nothing is lost if the engine fails later.

use std::fmt::Display;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use flowtiles::Cell;
use flowtiles_peers::clock;
use flowtiles_peers::random::Random;

use crate::counting::live_bytes;
use crate::engine::Engine;
use crate::ground::WALL;
use crate::task::{Task, UNITS};

/// The most builds, if there is time.
const BUILDS: usize = 5;
/// The number of orders kept for rebuilds and look-ups.
const KEPT: usize = 12;
/// The rounds over all look-ups.
const ROUNDS: usize = 15;

/// A task, and the time for it.
pub struct Course {
    task: Task,
    limit: Duration,
}

/// Prints one line.
pub fn print(line: impl Display) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn timed<E: Engine, T>(work: impl FnOnce() -> T) -> (T, Duration) {
    if E::THREADS {
        clock::on_all_threads(work)
    } else {
        clock::on_thread(work)
    }
}

impl Course {
    pub const fn new(task: Task, limit: Duration) -> Self {
        Self { task, limit }
    }

    /// Runs an engine over the course.
    pub fn run<E: Engine>(&mut self) -> Result<(), String> {
        let mut engine = self.build::<E>()?;
        let kept = self.orders(&mut engine);
        self.rebuilds(&mut engine, &kept);
        self.look_ups(&mut engine, kept);
        self.group(&mut engine);
        // Last, so that nothing else depends on how well the engine repairs
        // edits.
        if E::EDITS {
            self.edits(&mut engine);
        }
        print("done");
        Ok(())
    }

    /// Returns the moment at which a percentage of the time is used up, from
    /// now.
    fn share(&self, percent: u32) -> Instant {
        Instant::now() + self.limit * percent / 100
    }

    fn build<E: Engine>(&self) -> Result<E, String> {
        let until = self.share(15);
        let before = live_bytes();
        let (mut engine, time) = E::build(&self.task.ground)?;
        print(format_args!("memory {}", live_bytes() - before));
        print(format_args!("build {}", micros(time)));
        for _ in 1..BUILDS {
            if Instant::now() >= until {
                break;
            }
            drop(engine);
            let time;
            (engine, time) = E::build(&self.task.ground)?;
            print(format_args!("build {}", micros(time)));
        }
        Ok(engine)
    }

    fn edits<E: Engine>(&self, engine: &mut E) {
        engine.tidy();
        let until = self.share(10);
        for &cell in &self.task.edits {
            if Instant::now() >= until {
                break;
            }
            for cost in [WALL, self.task.ground.cost(cell)] {
                let ((), time) = timed::<E, _>(|| engine.edit(cell, cost));
                print(format_args!("edit {}", micros(time)));
            }
        }
    }

    /// Gives all orders: timed, walked and judged. Some are kept, with their
    /// paths.
    fn orders<E: Engine>(&self, engine: &mut E) -> Vec<(E::Order, Vec<Cell>)> {
        let until = self.share(45);
        let ground = &self.task.ground;
        let mut kept = Vec::new();
        for (index, &(from, to)) in self.task.pairs.iter().enumerate() {
            if Instant::now() >= until {
                break;
            }
            engine.tidy();
            let (order, time) = clock::on_thread(|| engine.order(from, to));
            print(format_args!("order {index} {}", micros(time)));
            let Some(order) = order else {
                print(format_args!("failed {index} gave no way"));
                continue;
            };
            let way = engine.walk(&order, from, to);
            let judged = way.and_then(|way| Ok((ground.judge(&way, from, to)?, way)));
            match judged {
                Err(reason) => print(format_args!("failed {index} {reason}")),
                Ok((verdict, way)) => {
                    let (length, corners) = (verdict.length, verdict.corners);
                    print(format_args!("way {index} {length} {corners}"));
                    if kept.len() < KEPT {
                        kept.push((order, way));
                    }
                }
            }
        }
        kept
    }

    fn rebuilds<E: Engine>(&self, engine: &mut E, kept: &[(E::Order, Vec<Cell>)]) {
        for (order, _) in kept {
            engine.rebuild(order);
            if let Some((sectors, time)) = engine.rebuild(order) {
                print(format_args!("rebuild {}", micros(time) / sectors as f64));
            }
        }
    }

    /// Looks up directions for all kept orders, shuffled, as if the units took
    /// turns.
    fn look_ups<E: Engine>(&self, engine: &mut E, mut kept: Vec<(E::Order, Vec<Cell>)>) {
        let Some(&(_, last)) = self.task.pairs.first() else {
            return;
        };
        // A whole-map field is that of one goal only: the last order's.
        if std::mem::size_of::<E::Order>() == 0 {
            let from = self.task.pairs[0].0;
            kept.clear();
            if let Some(order) = engine.order(from, last) {
                let way = engine.walk(&order, from, last).unwrap_or_default();
                kept.push((order, way));
            }
        }
        let mut probes: Vec<(usize, E::Probe)> = Vec::new();
        for (index, (order, way)) in kept.iter().enumerate() {
            let found = engine.probes(order, way).into_iter();
            probes.extend(found.map(|probe| (index, probe)));
        }
        if probes.is_empty() {
            return;
        }
        Random::new(11).shuffle(&mut probes);
        for _ in 0..ROUNDS {
            let nanos = each(&probes, |order, probe| {
                engine.look_up(&kept[order].0, probe)
            });
            print(format_args!("lookup {nanos}"));
            let nanos = each(&probes, |order, probe| {
                engine.look_up_position(&kept[order].0, probe)
            });
            print(format_args!("lookup_position {nanos}"));
        }
    }

    fn group<E: Engine>(&self, engine: &mut E) {
        let rounds = 3;
        let end = self.share(25);
        for _ in 0..rounds {
            if Instant::now() >= end {
                break;
            }
            engine.tidy();
            let (goal, units) = (self.task.goal, &self.task.units);
            let (served, time) = clock::on_thread(|| engine.group(goal, units, end));
            if served.tried == UNITS || served.tried > 0 && Instant::now() >= end {
                let whole = micros(time) * UNITS as f64 / served.tried as f64;
                let missed = served.tried - served.answered;
                print(format_args!("group {whole} {} {missed}", served.tried));
            }
        }
    }
}

/// Returns the nanoseconds for one of these look-ups.
fn each<P>(probes: &[(usize, P)], look_up: impl Fn(usize, &P) -> u32) -> f64 {
    let (sum, time) = clock::on_thread(|| {
        let answers = probes
            .iter()
            .map(|(order, probe)| look_up(*order, black_box(probe)));
        answers.fold(0_u32, u32::wrapping_add)
    });
    black_box(sum);
    micros(time) * 1e3 / probes.len() as f64
}
