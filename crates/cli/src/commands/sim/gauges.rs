//! The gauges of every scene: arrivals, bodies, times.

use std::time::Duration;

use flowtiles::steer::{ArmyEvent, UnitState};
use flowtiles::{Cost, CostMap, Movement};
use flowtiles_scenes::Scene;
use flowtiles_scenes::scene::Band;
use flowtiles_scenes::walls::is_in_wall;

use super::crowd::CrowdGauge;
use super::journeys::Journeys;
use super::measures::Measures;
use super::run::{Gauge, Run};
use super::targets::Targets;
use crate::support::figures::Figures;

/// The gauges of a scene, in the order in which their figures are written.
pub fn gauges(scene: &Scene) -> Vec<Box<dyn Gauge>> {
    let units = scene.bands.iter().map(|band| band.recruits.len());
    let mut gauges: Vec<Box<dyn Gauge>> = vec![Box::new(Arrivals {
        times: [None; 3],
        told_stuck: vec![false; units.sum()],
    })];
    if scene.watch.is_some() {
        gauges.push(Box::new(CrowdGauge::new(scene)));
    }
    let grounds = scene.bands.iter().map(|band| ground(scene, band));
    gauges.push(Box::new(Bodies {
        grounds: grounds.collect(),
        in_walls: 0,
        deepest: 0.0,
    }));
    gauges.push(Box::new(Journeys::new(scene)));
    gauges.push(Box::new(Targets::new(scene)));
    gauges.push(Box::new(Measures::new(scene)));
    gauges.push(Box::new(Times));
    gauges
}

/// Arrival times.
struct Arrivals {
    /// The ticks in which a half, nine tenths and all had arrived.
    times: [Option<u32>; 3],
    told_stuck: Vec<bool>,
}

impl Gauge for Arrivals {
    fn observe(&mut self, run: &Run<'_>) {
        for event in run.play.army.events() {
            if let ArmyEvent::Stuck { unit, level: 3 } = *event {
                self.told_stuck[unit as usize] = true;
            }
        }
        let arrived = run.count(UnitState::Arrived);
        let reachable = run.play.army.units().len() - run.count(UnitState::Unreachable);
        for (time, share) in self.times.iter_mut().zip([50, 90, 100]) {
            if arrived > 0 && arrived * 100 >= reachable * share {
                time.get_or_insert(run.play.tick);
            } else {
                *time = None;
            }
        }
    }

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        let (units, arrived) = (run.before.len(), run.count(UnitState::Arrived));
        let marching = run.play.army.units().iter();
        let marching = marching.filter(|unit| unit.state == UnitState::Marching);
        let stuck = marching.filter(|unit| self.told_stuck[unit.id as usize]);
        let mut figures = Figures::default()
            .with("units", units, "")
            .with("ticks", run.play.tick, "")
            .with("arrived", arrived, "units")
            .with("left_behind", units - arrived, "units")
            .with("stuck", stuck.count(), "units")
            .with("cut_off", run.count(UnitState::Unreachable), "units")
            .with("fallen", run.fallen.len(), "units");
        // Where a band flocks, patrols or pursues, units arrive for a while or never.
        if run.play.bands.iter().all(|band| band.aim.is_final()) {
            for (name, time) in ["t50", "t90", "t100"].into_iter().zip(self.times) {
                figures.set(name, time, "ticks");
            }
        }
        figures
    }
}

/// Bodies in walls, and in each other.
struct Bodies {
    /// The ground of each band.
    grounds: Vec<CostMap>,
    in_walls: u64,
    deepest: f32,
}

impl Gauge for Bodies {
    fn observe(&mut self, run: &Run<'_>) {
        for unit in run.play.army.units() {
            let band = unit.group.index();
            let layer = run.play.bands[band].layer;
            // Bodies of one cell meet the walls of their layer, as these are now.
            let is_slim = run.play.world.movement(layer).map_or(1, Movement::size) == 1;
            let ground = match run.play.world.layer(layer) {
                Some(view) if is_slim => view.costs(),
                _ => &self.grounds[band],
            };
            self.in_walls += u64::from(is_in_wall(ground, unit.position, unit.radius));
        }
        self.deepest = self.deepest.max(run.play.army.deepest_overlap());
    }

    fn finish(&mut self, _: &Run<'_>) -> Figures {
        Figures::default()
            .with("wall_overlaps", self.in_walls, "unit-ticks")
            .with("deepest_overlap", self.deepest, "cells")
    }
}

/// The ground of a band: a wall where its units may not go, however wide they are.
fn ground(scene: &Scene, band: &Band) -> CostMap {
    let rows = scene.costs.to_rows().into_iter();
    let cost = |kind: u8| Cost::new(kind).map_or(kind, |kind| band.movement.cost(kind).value());
    let rows: Vec<u8> = rows.map(cost).collect();
    let (width, height) = (scene.costs.width(), scene.costs.height());
    CostMap::from_rows(width, height, &rows).unwrap_or_else(|_| scene.costs.clone())
}

/// The times of ticks, and the state at the end.
struct Times;

impl Gauge for Times {
    fn observe(&mut self, _: &Run<'_>) {}

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        let mut figures = Figures::default().with("tick_us", micros(&run.tick_times), "");
        if run.scene.watch.is_some() {
            figures.set("solve_us", micros(&run.solve_times), "");
        }
        let hash = run.play.army.state_hash();
        figures.with("hash", format!("{hash:016x}"), "")
    }
}

/// The median and the longest of times, in tenths.
fn micros(times: &[Duration]) -> Figures {
    let micros = times.iter().map(Duration::as_secs_f64);
    let mut micros: Vec<f64> = micros.map(|time| (time * 1e7).round() / 10.0).collect();
    micros.sort_by(f64::total_cmp);
    let time = |place: usize| micros.get(place).copied().unwrap_or(0.0);
    Figures::default()
        .with("median", time(micros.len() / 2), "µs")
        .with("max", time(micros.len().saturating_sub(1)), "µs")
}
