//! Detours: around painted ground, dangers, arrived units and hills.

use flowtiles::crowd::{Conduct, Crowd, CrowdUnit, Danger, Heights};
use flowtiles::{Cell, CellRect, CostMap, FlowWorld, Order};

use super::scene::{everywhere, far, walk, walker, whole_map, world_to};

const FROM: [f32; 2] = [5.5, 20.5];
const GOAL: Cell = Cell::new(55, 20);

fn open_world() -> (FlowWorld, Order) {
    world_to(CostMap::open(60, 40).unwrap(), GOAL)
}

fn nobody(_: &mut Crowd, _: u32, _: [f32; 2]) -> Vec<CrowdUnit> {
    Vec::new()
}

/// Returns the path of a unit over a map with an obstacle in it.
fn trail(
    conduct: &Conduct,
    prepare: impl Fn(&mut Crowd, &FlowWorld),
    change: impl FnMut(&mut Crowd, u32, [f32; 2]) -> Vec<CrowdUnit>,
) -> Vec<[f32; 2]> {
    let (world, order) = open_world();
    let mut settings = whole_map();
    settings.interval = 0.25;
    let mut crowd = Crowd::new(settings).unwrap();
    prepare(&mut crowd, &world);
    let ends = [FROM, GOAL.centre()];
    walk(&world, &mut crowd, &order, conduct, ends, change)
}

/// Counts the places of a trail that lie in an area.
fn inside(trail: &[[f32; 2]], area: CellRect) -> usize {
    let cell = |[x, y]: [f32; 2]| Cell::new(x.floor() as i32, y.floor() as i32);
    trail.iter().filter(|&&at| area.contains(cell(at))).count()
}

#[test]
fn swamp_is_avoided_only_where_that_pays() {
    let conduct = Conduct::default();
    let swamp = CellRect::new(25, 12, 10, 16);
    let through = |strength, conduct: &Conduct| {
        let paint = |crowd: &mut Crowd, world: &FlowWorld| {
            crowd.paint(world, swamp, strength).unwrap();
        };
        inside(&trail(conduct, paint, nobody), swamp)
    };
    assert_eq!(through(10.0, &conduct), 0, "a deep swamp");
    assert!(through(0.05, &conduct) > 40, "a wet meadow");
    // A unit that ignores discomfort goes straight on.
    let mut bold = conduct;
    bold.discomfort = 0.0;
    assert!(through(10.0, &bold) > 40, "a unit that ignores it");
    // Paint across the whole map leaves no path around it.
    let across = CellRect::new(25, 0, 10, 40);
    let paint = |crowd: &mut Crowd, world: &FlowWorld| {
        crowd.paint(world, across, 10.0).unwrap();
    };
    assert!(inside(&trail(&conduct, paint, nobody), across) > 40);
    // New paint replaces old paint.
    let unpaint = |crowd: &mut Crowd, world: &FlowWorld| {
        crowd.paint(world, swamp, 10.0).unwrap();
        crowd.paint(world, swamp, 0.0).unwrap();
    };
    assert_eq!(
        trail(&conduct, unpaint, nobody),
        trail(&conduct, |_, _| (), nobody)
    );
}

#[test]
fn the_price_of_a_swamp_decides_and_nothing_else() {
    // The path around its south side is 2.1 cells longer, which costs 2.9 more;
    // the ten cells through it cost that much more at a discomfort of 0.29.
    let swamp = CellRect::new(25, 13, 10, 14);
    let crossed = [0.1, 0.2, 0.4, 0.7].map(|strength| {
        let paint = |crowd: &mut Crowd, world: &FlowWorld| {
            crowd.paint(world, swamp, strength).unwrap();
        };
        let trail = trail(&Conduct::default(), paint, nobody);
        inside(&trail, swamp) > 20
    });
    assert_eq!(crossed, [true, true, false, false]);
}

#[test]
fn a_danger_that_moves_is_kept_clear_of() {
    let conduct = Conduct::default();
    for speed in [0.0, 1.5] {
        let mut nearest = f32::MAX;
        let change = |crowd: &mut Crowd, tick: u32, at: [f32; 2]| {
            // Toward the walker, on its straight path.
            let position = [40.0 - speed * 0.05 * tick as f32, 20.6];
            let danger = Danger {
                position,
                radius: 7.0,
                strength: 12.0,
            };
            crowd.set_dangers(&[danger]).unwrap();
            nearest = nearest.min(far(at, position));
            Vec::new()
        };
        trail(&conduct, |_, _| (), change);
        assert!(nearest > 4.5, "as near as {nearest} at speed {speed}");
        assert!(nearest < 12.0, "it is not that far a way round: {nearest}");
    }
}

#[test]
fn arrived_units_are_in_the_way_of_others_only() {
    let (mut world, order) = open_world();
    let elsewhere = everywhere(&mut world, Cell::new(30, 20));
    let conduct = Conduct::default();
    let place = |at: i32| [26.5 + (at % 8) as f32, 16.5 + (at / 8) as f32];
    let go = |own: bool, conduct: &Conduct| {
        let mut crowd = Crowd::new(whole_map()).unwrap();
        let change = |crowd: &mut Crowd, tick: u32, at: [f32; 2]| {
            let goal = if own { &order } else { &elsewhere };
            let stream = crowd.join(&world, goal, conduct, 4.0).unwrap();
            let here = place(36);
            if tick > 4 && far(at, here) > 6.0 {
                let through = crowd.join(&world, &order, conduct, 4.0).unwrap();
                assert_eq!(crowd.density(here), Some(0.0), "they are no density");
                let bad = crowd.discomfort(&world, through, here).unwrap();
                let minds = !own && conduct.standing > 0.0;
                assert_eq!(bad > 2.0, minds, "{bad}");
                assert_eq!(crowd.discomfort(&world, stream, here), Some(0.0));
            }
            let stands = |at| CrowdUnit {
                position: place(at),
                velocity: [0.0, 0.0],
                stream: Some(stream),
                stands: true,
            };
            (0..64).map(stands).collect()
        };
        let ends = [FROM, GOAL.centre()];
        let trail = walk(&world, &mut crowd, &order, conduct, ends, change);
        inside(&trail, CellRect::new(26, 16, 8, 8))
    };
    assert_eq!(go(false, &conduct), 0, "round those of another goal");
    assert!(go(true, &conduct) > 30, "through its own");
    let mut bold = conduct;
    bold.standing = 0.0;
    assert!(go(false, &bold) > 30, "a unit that ignores them");
}

#[test]
fn a_steep_hill_is_gone_round_and_a_gentle_one_is_not() {
    let hill = |steepness: f32| {
        let height = |at: usize| {
            let (x, y) = ((at % 60) as f32 - 30.0, (at / 60) as f32 - 20.0);
            (10.0 - x.hypot(y)).max(0.0) * steepness
        };
        Heights::from_floats(60, 40, (0..60 * 40).map(height).collect()).unwrap()
    };
    let conduct = Conduct::default();
    let nearest = |steepness: f32| {
        let raise = |crowd: &mut Crowd, world: &FlowWorld| {
            crowd.set_heights(world, hill(steepness)).unwrap();
        };
        let trail = trail(&conduct, raise, nobody);
        let off = trail.iter().map(|&at| far(at, [30.5, 20.5]));
        off.fold(f32::MAX, f32::min)
    };
    let [flat, gentle, steep] = [0.0, 0.02, 1.0].map(nearest);
    assert!(flat < 0.6, "straight on over flat ground: {flat}");
    assert!(gentle < 3.0, "over a gentle hill: {gentle}");
    assert!(steep > 7.0, "round a steep one: {steep}");
}

#[test]
fn unit_has_its_stream_s_pace_from_the_first_round() {
    let (world, order) = open_world();
    let conduct = Conduct::default();
    // Four units in each cell: the greatest density.
    let place = |at: i32| [20.25 + (at % 8) as f32 * 0.5, 18.25 + (at / 8) as f32 * 0.5];
    let pace = |velocity: [f32; 2], crowd: &mut Crowd| {
        let stream = crowd.join(&world, &order, &conduct, 4.0).unwrap();
        let walkers: Vec<CrowdUnit> = (0..64)
            .map(|at| walker(place(at), velocity, stream))
            .collect();
        crowd.step(&world, &walkers, 0.1);
        crowd.pace(&world, stream, [22.0, 20.0]).unwrap()
    };
    let mut crowd = Crowd::new(whole_map()).unwrap();
    assert!(pace([4.0, 0.0], &mut crowd) > 0.99, "the first round");
    assert!(pace([4.0, 0.0], &mut crowd) > 0.99, "the second");
    assert!(
        (pace([2.0, 0.0], &mut crowd) - 0.5).abs() < 0.01,
        "at half speed"
    );
    assert!(pace([0.0, 0.0], &mut crowd) < 0.01, "a jam");
    let level = Heights::from_floats(60, 40, vec![0.0; 2_400]).unwrap();
    crowd.set_heights(&world, level).unwrap();
    assert!(pace([4.0, 0.0], &mut crowd) > 0.99, "on new ground");
}
