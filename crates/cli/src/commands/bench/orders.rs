//! Orders and whole-map fields, compared with a whole-map Dijkstra with buckets.

use std::hint::black_box;

use flowtiles::{Cell, Goal, Quality, Sample};
use flowtiles_country::random::Random;

use super::dijkstra::Dijkstra;
use super::ground::{Ground, free, order};
use super::sheet::Column;
use super::times::Times;
use crate::support::failure::Failure;

/// Units that march to one goal.
const UNITS: usize = 1000;

/// Measures cold orders, exact ones, those of a thousand units, and fields of the map.
pub fn measure(ground: &mut Ground, column: &mut Column) -> Result<(), Failure> {
    let mut rival = Dijkstra::new(&ground.costs)
        .ok_or_else(|| ground.unfit("the price of a path on it may not fit 32 bits"))?;
    let mut random = Random::new(51);
    let pairs = ground.pairs(51, ground.effort.pick(200, 9));
    let marches: Vec<(Cell, Vec<Cell>)> = (0..ground.effort.pick(3, 1))
        .map(|_| {
            let units = (0..UNITS).map(|_| ground.draw(&mut random)).collect();
            (ground.draw(&mut random), units)
        })
        .collect();
    let goal = ground.draw(&mut random);
    let world = &mut ground.world;
    let [mut cold, mut exact, mut thousand, mut field, mut dijkstra] =
        std::array::from_fn(|_| Times::default());
    let mut samples = Vec::with_capacity(UNITS);
    for _ in 0..ground.effort.rounds() {
        for (job, &(start, goal)) in pairs.iter().enumerate() {
            for (goal, times) in [(Goal::at(goal), &mut cold), (exactly(goal), &mut exact)] {
                let given = times.time(job, || {
                    let given = order(world, black_box(goal), black_box(&[start]))?;
                    black_box(world.sample(&given, start));
                    Ok::<_, Failure>(given)
                });
                free(world, given?);
            }
        }
        for (job, (goal, units)) in marches.iter().enumerate() {
            let given = thousand.time(job, || {
                let given = order(world, *goal, black_box(units))?;
                world.sample_many(&given, units, &mut samples);
                Ok::<_, Failure>(given)
            });
            free(world, given?);
            let lost = samples
                .iter()
                .any(|sample| sample.direction().is_none() && *sample != Sample::Arrived);
            if lost {
                return Err(Failure::Wrong(format!("a unit is not led to {goal}")));
            }
        }
        let given = field.time(0, || order(world, everywhere(goal), &[]));
        free(world, given?);
        dijkstra.time(0, || rival.solve(black_box(goal)));
    }
    let whole_map = dijkstra.median();
    column.put("cold order, × Dijkstra", whole_map / cold.median());
    column.put("exact order, × Dijkstra", whole_map / exact.median());
    column.put("whole-map field, × Dijkstra", whole_map / field.median());
    column.put("1,000 units, × Dijkstra", whole_map / thousand.median());
    column.put("cold order, µs", cold.median() * 1e6);
    column.put("cold order, p95, µs", cold.rank(95) * 1e6);
    Ok(())
}

fn exactly(goal: Cell) -> Goal {
    Goal::at(goal).with_quality(Quality::Exact)
}

fn everywhere(goal: Cell) -> Goal {
    Goal::at(goal).with_quality(Quality::Everywhere)
}
