//! Invalid values: an error that names them, or no effect; never a panic.

use flowtiles::crowd::{Conduct, Crowd, CrowdError, CrowdSettings, CrowdUnit, Danger, Heights};
use flowtiles::steer::{Army, ArmyError, Reading, Target};
use flowtiles::{Cell, CellRect, CostMap};

use super::scene::{all_at_once, solve, walker, whole_map, world_to};
use crate::crowd::configure;

/// The name of a field, a function that sets it, and values that are refused.
type Case<T> = (&'static str, fn(&mut T, f32), &'static [f32]);

const WEIGHTS: &[f32] = &[-0.1, 1000.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

const CONDUCT: &[Case<Conduct>] = &[
    ("length", |of, value| of.length = value, WEIGHTS),
    ("time", |of, value| of.time = value, WEIGHTS),
    ("time", |of, value| of.time = value, &[0.0]),
    ("discomfort", |of, value| of.discomfort = value, WEIGHTS),
    ("predicted", |of, value| of.predicted = value, WEIGHTS),
    ("standing", |of, value| of.standing = value, WEIGHTS),
    ("sparse", |of, value| of.sparse = value, WEIGHTS),
    ("sparse", |of, value| of.sparse = value, &[0.0, 0.49]),
    ("dense", |of, value| of.dense = value, WEIGHTS),
    ("dense", |of, value| of.dense = value, &[0.0, 0.5]),
    ("dearest", |of, value| of.dearest = value, WEIGHTS),
    ("dearest", |of, value| of.dearest = value, &[0.0, 0.99]),
    ("foresight", |of, value| of.foresight = value, WEIGHTS),
    ("foresight", |of, value| of.foresight = value, &[10.1]),
    (
        "flat",
        |of, value| of.flat = value,
        &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY],
    ),
    (
        "steep",
        |of, value| of.steep = value,
        &[0.0, -1.0, f32::NAN, f32::INFINITY],
    ),
    ("uphill", |of, value| of.uphill = value, WEIGHTS),
    ("uphill", |of, value| of.uphill = value, &[0.0, 1.01]),
];

const SETTINGS: &[Case<CrowdSettings>] = &[
    (
        "resolution",
        |of, value| of.resolution = value as u32,
        &[0.0, 5.0, 4e9],
    ),
    (
        "exponent",
        |of, value| of.exponent = value as u32,
        &[0.0, 5.0, 4e9],
    ),
    (
        "interval",
        |of, value| of.interval = value,
        &[-0.1, 10.5, f32::NAN, f32::INFINITY],
    ),
    (
        "predictions",
        |of, value| of.predictions = value as u32,
        &[33.0, 4e9],
    ),
    ("margin", |of, value| of.margin = value as u32, &[65.0, 4e9]),
    (
        "cells_per_step",
        |of, value| of.cells_per_step = value as u64,
        &[0.0],
    ),
    (
        "sectors",
        |of, value| of.sectors = value as u32,
        &[0.0, 2e6],
    ),
    (
        "exact",
        |of, value| of.exact = value,
        &[-0.5, 32.5, f32::NAN, f32::INFINITY],
    ),
];

/// Checks for an error whose text names the field and what to do.
fn refused(result: Result<(), CrowdError>, field: &str) {
    let error = result.expect_err(field);
    assert_eq!(error.field, field);
    let text = error.to_string();
    assert!(
        text.contains(&format!("`{field}`")) && text.contains("set it to"),
        "{text}"
    );
}

/// Returns the crowd's own error.
fn of_crowd(result: Result<(), ArmyError>) -> Result<(), CrowdError> {
    result.map_err(|error| match error {
        ArmyError::Crowd(error) => error,
        other => panic!("{other}"),
    })
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let settings = CrowdSettings::default();
    Conduct::default().check(&settings).expect("the default");
    settings.check().expect("the default");
    let (world, order) = world_to(CostMap::open(20, 20).unwrap(), Cell::new(5, 5));
    let mut army = Army::default();
    let group = army.add_group(Target::Flock, Reading::Crowd).unwrap();
    for &(field, set, values) in CONDUCT {
        for &value in values {
            let mut conduct = Conduct::default();
            set(&mut conduct, value);
            refused(conduct.check(&settings), field);
            refused(
                of_crowd(configure(&mut army, &world, group, |it| {
                    it.conduct = conduct
                })),
                field,
            );
            let mut crowd = Crowd::new(settings).unwrap();
            let joined = crowd.join(&world, &order, &conduct, 4.0);
            refused(joined.map(|_| ()), field);
            assert_eq!(crowd.stats().streams, 0);
        }
    }
    for &(field, set, values) in SETTINGS {
        for &value in values {
            let mut settings = CrowdSettings::default();
            set(&mut settings, value);
            refused(settings.check(), field);
            refused(Crowd::new(settings).map(|_| ()), field);
            refused(army.set_crowd_settings(settings), field);
        }
    }
    let mut crowd = Crowd::new(settings).unwrap();
    for speed in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let joined = crowd.join(&world, &order, &Conduct::default(), speed);
        refused(joined.map(|_| ()), "speed");
    }
    // A conduct that does not fit the settings is refused from both sides.
    let mut fine = settings;
    fine.exponent = 3;
    let mut thin = Conduct::default();
    thin.sparse = 0.2;
    refused(
        of_crowd(configure(&mut army, &world, group, |it| it.conduct = thin)),
        "sparse",
    );
    army.set_crowd_settings(fine).expect("good settings");
    configure(&mut army, &world, group, |it| it.conduct = thin).expect("goes with them");
    refused(army.set_crowd_settings(settings), "sparse");
}

/// Returns all directions and densities on a small map.
fn said(crowd: &Crowd, stream: flowtiles::crowd::StreamId) -> Vec<(Option<[f32; 2]>, Option<f32>)> {
    let places = (0..60).flat_map(|x| (0..60).map(move |y| [x as f32 * 0.5, y as f32 * 0.5]));
    places
        .map(|at| (crowd.direction(stream, at), crowd.density(at)))
        .collect()
}

#[test]
fn walkers_that_are_nowhere_change_nothing() {
    let (world, order) = world_to(CostMap::open(30, 30).unwrap(), Cell::new(25, 20));
    let conduct = Conduct::default();
    let places: Vec<_> = (0..9).map(|at| [3.5, 2.5 + at as f32]).collect();
    let mut crowd = Crowd::new(whole_map()).unwrap();
    let stream = solve(&mut crowd, &world, &order, &conduct, &places);
    let wanted = said(&crowd, stream);
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e30,
        -1e30,
        -7.0,
        31.5,
    ];
    for odd in odd {
        for axis in 0..2 {
            let mut crowd = Crowd::new(whole_map()).unwrap();
            let stream = crowd.join(&world, &order, &conduct, 4.0).unwrap();
            let still = |&at: &[f32; 2]| walker(at, [0.0, 0.0], stream);
            let mut walkers: Vec<CrowdUnit> = places.iter().map(still).collect();
            let mut at = [5.5, 5.5];
            at[axis] = odd;
            walkers.push(walker(at, [0.0, 0.0], stream));
            walkers.push(CrowdUnit {
                stands: true,
                ..walkers[walkers.len() - 1]
            });
            walkers.push(CrowdUnit {
                stream: None,
                ..walkers[0]
            });
            walkers.pop();
            if !odd.is_finite() {
                walkers.push(walker([9.5, 9.5], at, stream));
            }
            crowd.step(&world, &walkers, 0.1);
            assert!(said(&crowd, stream) == wanted, "{odd} on axis {axis}");
        }
    }
    // A step with no valid time has no effect: the next valid step continues.
    let mut crowd = Crowd::new(whole_map()).unwrap();
    for seconds in [f32::NAN, -1.0, 0.0, f32::NEG_INFINITY] {
        let stream = crowd.join(&world, &order, &conduct, 4.0).unwrap();
        crowd.step(&world, &[walker(places[0], [0.0; 2], stream)], seconds);
    }
    let rounds = crowd.stats().rounds;
    solve(&mut crowd, &world, &order, &conduct, &places);
    assert_eq!(crowd.stats().rounds, rounds + 1);
}

#[test]
fn paint_and_dangers_that_will_not_do_are_refused() {
    let (world, _) = world_to(CostMap::open(30, 30).unwrap(), Cell::new(25, 20));
    let mut crowd = Crowd::new(all_at_once()).unwrap();
    let good = Danger {
        position: [5.0, 5.0],
        radius: 3.0,
        strength: 1.0,
    };
    let area = CellRect::new(3, 3, 2, 2);
    for odd in [f32::NAN, f32::INFINITY, -1.0, 2e6] {
        refused(crowd.paint(&world, area, odd), "strength");
        for (field, set) in [
            (
                "strength",
                (|of, odd| of.strength = odd) as fn(&mut Danger, f32),
            ),
            ("radius", |of, odd| of.radius = odd),
            ("position", |of, odd| of.position[0] = odd),
            ("position", |of, odd| of.position[1] = odd),
        ] {
            let mut danger = good;
            set(&mut danger, odd);
            if field != "position" || !odd.is_finite() {
                refused(crowd.set_dangers(&[danger]), field);
            }
        }
    }
    // Off the map there is nothing to paint.
    for area in [
        CellRect::new(100, 3, 5, 5),
        CellRect::new(i32::MIN, i32::MIN, u32::MAX, u32::MAX),
        CellRect::new(5, 5, 0, 0),
    ] {
        crowd.paint(&world, area, 1.0).expect("left out");
    }
    assert!(Heights::from_floats(3, 3, vec![0.0; 8]).is_none());
    assert!(Heights::from_floats(1, 1, vec![f32::NAN]).is_none());
    assert!(Heights::from_bytes(2, 2, vec![0; 4], f32::INFINITY).is_none());
    assert!(Heights::from_bytes(u32::MAX, u32::MAX, vec![0; 4], 1.0).is_none());
}
