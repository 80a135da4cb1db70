//! Many streams far from each other: each takes work for its own sectors only.

use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit};
use flowtiles::{Budget, Cell, CostMap, FlowWorld, Order};

/// Returns groups of twelve on a grid, 50 cells apart, each on its way to the
/// east.
fn orders(world: &mut FlowWorld, count: i32) -> Vec<(Order, [f32; 2])> {
    (0..count)
        .map(|at| {
            let (x, y) = (15 + at % 16 * 50, 15 + at / 16 * 50);
            let order = world.order(Cell::new(x + 30, y), &[Cell::new(x, y)]);
            (order.unwrap(), [x as f32, y as f32])
        })
        .collect()
}

fn held(count: i32) -> usize {
    let mut world = FlowWorld::new(CostMap::open(820, 420).unwrap());
    let orders = orders(&mut world, count);
    world.tick(Budget::UNLIMITED);
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let mut walkers = Vec::new();
    for (order, [x, y]) in &orders {
        let stream = crowd.join(&world, order, &Conduct::default(), 4.0).unwrap();
        walkers.extend((0..12).map(|at| CrowdUnit {
            position: [x + (at % 4) as f32, y + (at / 4) as f32],
            velocity: [1.0, 0.0],
            stream: Some(stream),
            stands: false,
        }));
    }
    crowd.step(&world, &walkers, 0.1);
    assert_eq!(crowd.stats().streams, count as usize);
    crowd.stats().bytes
}

#[test]
fn twice_as_many_streams_take_twice_the_memory() {
    let (some, twice) = (held(48), held(96));
    assert!(twice < 3 * some, "{some} and {twice} bytes");
}

#[test]
fn the_id_of_a_dropped_stream_gives_no_other_stream() {
    let mut world = FlowWorld::new(CostMap::open(820, 420).unwrap());
    let orders = orders(&mut world, 2);
    world.tick(Budget::UNLIMITED);
    let mut settings = CrowdSettings::default();
    settings.crowd = 1;
    let mut crowd = Crowd::new(settings).unwrap();
    let mut seen = Vec::new();
    for (order, place) in &orders {
        let stream = crowd.join(&world, order, &Conduct::default(), 4.0).unwrap();
        let walker = CrowdUnit {
            position: *place,
            velocity: [0.0, 0.0],
            stream: Some(stream),
            stands: false,
        };
        crowd.step(&world, &[walker], 0.2);
        assert!(crowd.direction(stream, *place).is_some());
        seen.push(stream);
        // No caller joins the stream any more.
        crowd.step(&world, &[], 0.2);
        assert_eq!(crowd.direction(stream, *place), None);
    }
    assert_ne!(seen[0], seen[1]);
    assert_eq!(crowd.direction(seen[0], orders[1].1), None);
}
