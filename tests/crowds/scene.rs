//! A world with an order that leads everywhere, and units that a crowd leads.

use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit, StreamId};
use flowtiles::steer::parts::slide;
use flowtiles::{Budget, Cell, CostMap, FlowWorld, Goal, Order, Quality};

/// Settings with which every unit makes a crowd and every solve ends in its
/// step.
pub fn all_at_once() -> CrowdSettings {
    let mut settings = CrowdSettings::default();
    settings.crowd = 1;
    settings.cells_per_step = u64::MAX;
    settings
}

/// The same settings, over the whole of a small map.
pub fn whole_map() -> CrowdSettings {
    let mut settings = all_at_once();
    settings.margin = 64;
    settings
}

/// Gives an order to a goal that leads from everywhere.
pub fn everywhere(world: &mut FlowWorld, goal: Cell) -> Order {
    let goal = Goal::at(goal).with_quality(Quality::Everywhere);
    let order = world.order(goal, &[]).expect("the goal is open");
    world.tick(Budget::UNLIMITED);
    order
}

/// Returns a world over a map, and an order to a goal in it.
pub fn world_to(map: CostMap, goal: Cell) -> (FlowWorld, Order) {
    let mut world = FlowWorld::new(map);
    let order = everywhere(&mut world, goal);
    (world, order)
}

/// Returns a unit that goes with a stream.
pub fn walker(position: [f32; 2], velocity: [f32; 2], stream: StreamId) -> CrowdUnit {
    CrowdUnit {
        position,
        velocity,
        stream: Some(stream),
        stands: false,
    }
}

/// Solves for units of one stream.
pub fn solve(
    crowd: &mut Crowd,
    world: &FlowWorld,
    order: &Order,
    conduct: &Conduct,
    places: &[[f32; 2]],
) -> StreamId {
    let stream = crowd.join(world, order, conduct, 4.0).expect("good values");
    let walkers: Vec<CrowdUnit> = places
        .iter()
        .map(|&place| walker(place, [0.0, 0.0], stream))
        .collect();
    crowd.step(world, &walkers, 0.1);
    stream
}

/// Returns the distance between two positions.
pub fn far(one: [f32; 2], two: [f32; 2]) -> f32 {
    (one[0] - two[0]).hypot(one[1] - two[1])
}

/// Returns a unit's path to the goal at speed 4, in steps of a twentieth of a
/// second, among `others`; `change` runs before each step.
///
/// # Panics
/// If the crowd gives it no direction, or it takes too long.
pub fn walk(
    world: &FlowWorld,
    crowd: &mut Crowd,
    order: &Order,
    conduct: &Conduct,
    [from, goal]: [[f32; 2]; 2],
    mut change: impl FnMut(&mut Crowd, u32, [f32; 2]) -> Vec<CrowdUnit>,
) -> Vec<[f32; 2]> {
    let (mut trail, mut velocity) = (vec![from], [0.0, 0.0]);
    for tick in 0..4_000 {
        let at = trail[trail.len() - 1];
        if far(at, goal) < 1.0 {
            return trail;
        }
        let mut walkers = change(crowd, tick, at);
        let stream = crowd.join(world, order, conduct, 4.0).expect("good values");
        walkers.push(walker(at, velocity, stream));
        crowd.step(world, &walkers, 0.05);
        let way = crowd.direction(stream, at);
        let [x, y] = way.unwrap_or_else(|| panic!("the crowd leads nowhere at {at:?}"));
        let next = slide(world.costs(), at, [0.2 * x, 0.2 * y], 0.2);
        velocity = [(next[0] - at[0]) / 0.05, (next[1] - at[1]) / 0.05];
        trail.push(next);
    }
    panic!("still on the way: {:?}", &trail[3_990..]);
}

/// Returns the length of a trail.
pub fn long(trail: &[[f32; 2]]) -> f32 {
    trail.windows(2).map(|pair| far(pair[0], pair[1])).sum()
}
