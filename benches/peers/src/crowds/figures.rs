//! The figures of an engine in a scene.

use std::time::Duration;

use super::buckets::{Buckets, deepest_overlap, distance};
use super::engine::{Engine, STEP};
use super::scenes::{RADIUS, Scene};

/// The seconds of a run in which not all get there.
pub const LONGEST: f32 = 150.0;
/// The seconds of a run after the last is there.
pub const AFTER: f32 = 10.0;

/// The figures of an engine in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The second in which nine of ten were there; infinite if never.
    pub most: f32,
    /// The second in which the last was there.
    pub all: f32,
    /// How many never were.
    pub never: usize,
    /// The deepest overlap of two bodies after the start, and at the end, in cells.
    pub overlap: [f32; 2],
    /// How far the middle of a group lies off its goal at the end, in cells; of groups of more
    /// than one, that with the most.
    pub off: Option<f32>,
    /// Microseconds for a body and step, until nine of ten were there.
    pub micros: f64,
}

/// A run: its figures, and where the bodies were in the second of the picture.
pub struct Run {
    pub figures: Figures,
    pub picture: Vec<[f32; 2]>,
}

/// Plays a scene.
pub fn play(scene: &Scene, engine: &mut dyn Engine) -> Run {
    let goers: Vec<usize> = scene.goers().collect();
    let steps = |seconds: f32| (seconds / STEP).round() as usize;
    let mut buckets = Buckets::new(scene.map.width() as usize, scene.map.height() as usize);
    let mut positions = Vec::new();
    let mut picture = Vec::new();
    let (mut most, mut all) = (f32::INFINITY, f32::INFINITY);
    let (mut time, mut timed) = (Duration::ZERO, 0);
    let (mut deepest, mut end, mut step) = (0.0_f32, steps(LONGEST), 0);
    let mut there = 0;
    while step < end {
        let spent = engine.step();
        step += 1;
        if most.is_infinite() {
            time += spent;
            timed += 1;
        }
        let now = step as f32 * STEP;
        there = goers.iter().filter(|&&at| engine.there()[at]).count();
        if most.is_infinite() && there * 10 >= goers.len() * 9 {
            most = now;
        }
        if all.is_infinite() && there == goers.len() {
            all = now;
            end = end.min(step + steps(AFTER));
        }
        engine.positions(&mut positions);
        deepest = deepest.max(deepest_overlap(&mut buckets, &positions, RADIUS));
        if scene.picture.is_some_and(|second| steps(second) == step) {
            picture.clone_from(&positions);
        }
    }
    let rest = deepest_overlap(&mut buckets, &positions, RADIUS);
    let micros = time.as_secs_f64() * 1e6 / (timed * scene.bodies.len()) as f64;
    let figures = Figures {
        most,
        all,
        never: goers.len() - there,
        overlap: [deepest, rest],
        off: off(scene, &positions),
        micros,
    };
    Run { figures, picture }
}

/// Returns how far the middle of a group lies off its goal, at most.
fn off(scene: &Scene, positions: &[[f32; 2]]) -> Option<f32> {
    let groups = scene.groups.iter().enumerate();
    let groups = groups.filter(|(_, group)| group.size > 1);
    let far = groups.filter_map(|(number, group)| {
        let goal = group.goal?.centre();
        let bodies = scene.bodies.iter().zip(positions);
        let own = bodies.filter(|(body, _)| body.group == number);
        let sum = own.fold([0.0, 0.0], |sum: [f32; 2], (_, at)| {
            [sum[0] + at[0], sum[1] + at[1]]
        });
        Some(distance(goal, sum.map(|sum| sum / group.size as f32)))
    });
    far.reduce(f32::max)
}

impl Figures {
    /// Joins the figures of several runs: the median, and of overlaps the deepest.
    pub fn of(runs: &[Self]) -> Self {
        let middle = |value: &dyn Fn(&Self) -> f64| {
            let mut values: Vec<f64> = runs.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let deepest = |at: usize| {
            let overlaps = runs.iter().map(|run| run.overlap[at]);
            overlaps.fold(0.0, f32::max)
        };
        let has_off = runs.iter().all(|run| run.off.is_some());
        Self {
            most: middle(&|run| run.most.into()) as f32,
            all: middle(&|run| run.all.into()) as f32,
            never: middle(&|run| run.never as f64) as usize,
            overlap: [deepest(0), deepest(1)],
            off: has_off.then(|| middle(&|run| run.off.unwrap_or(0.0).into()) as f32),
            micros: middle(&|run| run.micros),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{KINDS, Kind};
    use crate::orca::Parameters;

    fn starts(kind: Kind, scene: &Scene) -> Vec<[f32; 2]> {
        let engine = kind.begin(scene, Parameters::default());
        let mut positions = Vec::new();
        engine.positions(&mut positions);
        positions
    }

    #[test]
    fn all_engines_start_from_the_same_places() {
        for key in ["circle100", "streams2", "past"] {
            let [one, again] = [(); 2].map(|()| Scene::new(key, 3).unwrap());
            assert_eq!(one.bodies, again.bodies);
            let places: Vec<_> = one.bodies.iter().map(|body| body.start).collect();
            for kind in KINDS {
                assert_eq!(starts(kind, &one), places, "{key}: {}", kind.title());
            }
            let mut buckets = Buckets::new(200, 200);
            assert_eq!(deepest_overlap(&mut buckets, &places, RADIUS), 0.0, "{key}");
        }
    }

    #[test]
    fn a_scene_repeats() {
        let scene = Scene::new("streams2", 3).unwrap();
        let [one, mut again] = [(); 2].map(|()| {
            let mut engine = Kind::Army.begin(&scene, Parameters::default());
            play(&scene, &mut *engine).figures
        });
        assert!(one.never == 0 && one.most < one.all, "{one:?}");
        again.micros = one.micros;
        assert_eq!(one, again);
    }
}
