//! Invalid values: an error that names them, or no effect; never a panic.

use flowtiles::crowd::{Conduct, Crowd, CrowdError, CrowdSettings, CrowdUnit, Danger, Heights};
use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
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

#[test]
fn extreme_values_that_are_allowed_do_no_harm() {
    let (world, order) = world_to(CostMap::open(33, 27).unwrap(), Cell::new(25, 20));
    let mut dear = Conduct::default();
    dear.time = 1e-30;
    dear.length = 0.0;
    dear.discomfort = 1000.0;
    let mut heavy = Conduct::default();
    heavy.length = 1000.0;
    heavy.time = 1000.0;
    heavy.dearest = 1000.0;
    let mut cheap = Conduct::default();
    cheap.uphill = 0.01;
    cheap.steep = 1e-30;
    cheap.foresight = 10.0;
    for conduct in [dear, heavy, cheap] {
        for (resolution, exact) in [(1, 0.0), (4, 32.0)] {
            let mut settings = all_at_once();
            settings.resolution = resolution;
            settings.exact = exact;
            let mut crowd = Crowd::new(settings).unwrap();
            let level = |at: usize| [0.0, 3e38, -3e38][at % 3];
            let heights = (0..33 * 27).map(level).collect();
            let heights = Heights::from_floats(33, 27, heights).unwrap();
            crowd.set_heights(&world, heights).unwrap();
            let wider = Heights::from_floats(34, 27, vec![0.0; 34 * 27]).unwrap();
            let refused = crowd.set_heights(&world, wider).unwrap_err();
            assert_eq!((refused.field, refused.value), ("width", 34.0));
            crowd
                .paint(&world, CellRect::new(10, 0, 5, 27), 1e6)
                .unwrap();
            let places: Vec<_> = (0..20).map(|at| [3.5, 2.5 + at as f32]).collect();
            let stream = solve(&mut crowd, &world, &order, &conduct, &places);
            let mut led = 0;
            for (way, _) in said(&crowd, stream) {
                let Some([x, y]) = way else { continue };
                assert!((x.hypot(y) - 1.0).abs() < 1e-3, "{conduct:?}");
                led += 1;
            }
            // Prices may be so far apart that sums lose the smaller ones: there
            // units follow the flow field.
            assert!(led > 500 || conduct == dear, "{led} for {conduct:?}");
        }
    }
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
fn dropped_stream_gives_no_direction_and_does_no_harm() {
    let (world, order) = world_to(CostMap::open(30, 30).unwrap(), Cell::new(25, 20));
    let mut crowd = Crowd::new(all_at_once()).unwrap();
    let conduct = Conduct::default();
    let stream = solve(&mut crowd, &world, &order, &conduct, &[[5.5, 5.5]]);
    let at = [5.5, 5.5];
    assert!(crowd.direction(stream, at).is_some());
    // A stream that is not joined is dropped, and its id becomes invalid.
    for _ in 0..3 {
        crowd.step(&world, &[walker(at, [1.0, 0.0], stream)], 0.1);
        assert_eq!(crowd.stats().streams, 0);
        assert_eq!(crowd.direction(stream, at), None);
        assert_eq!(crowd.potential(stream, at), None);
        assert_eq!(crowd.pace(&world, stream, at), None);
        assert_eq!(crowd.discomfort(&world, stream, at), None);
    }
    // A stream that has joined but was not solved yet: no direction, and no
    // panic.
    solve(&mut crowd, &world, &order, &conduct, &[at]);
    let mut other = conduct;
    other.predicted = 1.0;
    let fresh = crowd.join(&world, &order, &other, 4.0).unwrap();
    assert_eq!(crowd.direction(fresh, at), None);
    assert_eq!(crowd.potential(fresh, at), None);
    assert!(crowd.pace(&world, fresh, at).is_some());
    assert!(crowd.discomfort(&world, fresh, at).is_some());
    for odd in [f32::NAN, f32::INFINITY, -3.0, 1e30] {
        assert_eq!(crowd.direction(stream, [odd, 5.0]), None);
        assert_eq!(crowd.density([5.0, odd]).map(|density| density > 9.0), None);
    }
}

#[test]
fn paint_and_dangers_that_will_not_do_are_refused() {
    let (world, _) = world_to(CostMap::open(30, 30).unwrap(), Cell::new(25, 20));
    let mut crowd = Crowd::new(all_at_once()).unwrap();
    for strength in [f32::NAN, -1.0, f32::INFINITY, 2e6] {
        refused(
            crowd.paint(&world, CellRect::new(3, 3, 2, 2), strength),
            "strength",
        );
        let danger = Danger {
            position: [5.0, 5.0],
            radius: 3.0,
            strength,
        };
        refused(crowd.set_dangers(&[danger]), "strength");
        let danger = Danger {
            radius: strength,
            strength: 1.0,
            ..danger
        };
        refused(crowd.set_dangers(&[danger]), "radius");
    }
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for position in [[odd, 5.0], [5.0, odd]] {
            let danger = Danger {
                position,
                radius: 3.0,
                strength: 1.0,
            };
            refused(crowd.set_dangers(&[danger]), "position");
        }
    }
    // Areas off the map: nothing to paint.
    for area in [
        CellRect::new(-50, -50, 20, 20),
        CellRect::new(100, 3, 5, 5),
        CellRect::new(i32::MIN, i32::MIN, u32::MAX, u32::MAX),
        CellRect::new(i32::MAX, 0, u32::MAX, u32::MAX),
        CellRect::new(5, 5, 0, 0),
    ] {
        crowd.paint(&world, area, 1.0).expect("left out");
    }
    let far_off = Danger {
        position: [1e30, -1e30],
        radius: 1e6,
        strength: 1.0,
    };
    crowd
        .set_dangers(&[
            far_off,
            Danger {
                radius: 0.0,
                ..far_off
            },
        ])
        .expect("harmless");
    assert!(Heights::from_floats(3, 3, vec![0.0; 8]).is_none());
    assert!(Heights::from_floats(1, 1, vec![f32::NAN]).is_none());
    assert!(Heights::from_bytes(2, 2, vec![0; 4], f32::INFINITY).is_none());
    assert!(Heights::from_bytes(u32::MAX, u32::MAX, vec![0; 4], 1.0).is_none());
}

#[test]
fn an_army_bears_units_that_are_nowhere() {
    let (world, order) = world_to(CostMap::open(30, 30).unwrap(), Cell::new(25, 20));
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Crowd)
        .unwrap();
    for id in 0..20 {
        army.add(Unit::new(
            id,
            group,
            [3.5 + (id % 5) as f32, 3.5 + (id / 5) as f32],
        ))
        .unwrap();
    }
    army.add(Unit::new(50, group, [-9.0, 4.0])).unwrap();
    army.add(Unit::new(51, group, [9e5, 4.0])).unwrap();
    for _ in 0..400 {
        army.step(&world, 0.05);
    }
    let there = army.units().iter().filter(|unit| unit.id < 20);
    assert!(
        there
            .clone()
            .all(|unit| unit.state == flowtiles::steer::UnitState::Arrived)
    );
}
