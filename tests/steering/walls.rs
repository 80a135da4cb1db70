//! Walls: no circle enters one.

use std::time::Instant;

use flowtiles::steer::parts::{is_clear, nearest_clear, slide};
use flowtiles::steer::{Army, MAX_RADIUS, Reading, Target, Unit, UnitState};
use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::crowd::{Draw, drawn_map, in_wall, march};

#[test]
fn no_circle_ever_slides_into_a_wall() {
    let (mut moved, mut stopped) = (0, 0);
    for seed in 0..40 {
        let mut draw = Draw::new(seed);
        let map = drawn_map(&mut draw, 24, 18, 25);
        for _ in 0..60 {
            let radius = draw.float(0.05, 0.49);
            let from = [draw.float(0.5, 23.5), draw.float(0.5, 17.5)];
            let Some(mut at) = nearest_clear(&map, from, radius) else {
                continue;
            };
            assert!(is_clear(&map, at, radius));
            for _ in 0..20 {
                // From a thousandth of a cell to across the map and back.
                let far = [0.001, 0.1, 1.0, 7.0, 400.0][draw.below(5) as usize];
                let way = [draw.float(-far, far), draw.float(-far, far)];
                let next = slide(&map, at, way, radius);
                assert!(is_clear(&map, next, radius), "{at:?} {way:?} {radius}");
                assert!(!in_wall(&map, next, radius), "{at:?} {way:?} {radius}");
                assert!(
                    same_room(&map, at, next),
                    "{at:?} came through a wall to {next:?}"
                );
                let came = [next[0] - at[0], next[1] - at[1]];
                let whole = (came[0] - way[0]).abs() + (came[1] - way[1]).abs() < 1e-3;
                moved += u32::from(whole);
                stopped += u32::from(!whole);
                at = next;
            }
        }
    }
    assert!(moved > 2_000 && stopped > 2_000, "{moved} and {stopped}");
}

/// Whether straight steps over open cells lead from one position to the other.
fn same_room(map: &CostMap, one: [f32; 2], two: [f32; 2]) -> bool {
    let cell = |[x, y]: [f32; 2]| Cell::new(x.floor() as i32, y.floor() as i32);
    let (from, to) = (cell(one), cell(two));
    let (mut seen, mut next) = (vec![from], 0);
    while next < seen.len() && !seen.contains(&to) {
        let at = seen[next];
        next += 1;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let near = Cell::new(at.x + dx, at.y + dy);
            let open = map.get(near).is_some_and(|cost| !cost.is_wall());
            if open && !seen.contains(&near) {
                seen.push(near);
            }
        }
    }
    seen.contains(&to)
}

#[test]
fn along_a_wall_a_circle_keeps_its_way() {
    let mut map = CostMap::open(40, 20).unwrap();
    map.edit(CellRect::new(0, 10, 40, 10), Cost::WALL).unwrap();
    let mut at = [2.0, 9.5];
    for _ in 0..60 {
        at = slide(&map, at, [0.5, 0.2], 0.3);
    }
    assert!(
        (at[0] - 32.0).abs() < 0.1,
        "nothing of the way along is lost: {at:?}"
    );
    assert!(at[1] > 9.69 && at[1] <= 9.7, "close to the wall: {at:?}");
}

#[test]
fn a_unit_under_a_new_wall_walks_out() {
    let mut world = FlowWorld::new(CostMap::open(40, 20).unwrap());
    let goal = Cell::new(35, 10);
    let order = world.order(goal, &[Cell::new(5, 10)]).unwrap();
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    army.add(Unit::new(0, group, [10.5, 10.5])).unwrap();
    world.edit(CellRect::new(8, 8, 6, 6), Cost::WALL).unwrap();
    assert!(!is_clear(world.costs(), army.units()[0].position, 0.3));
    march(&mut world, &mut army, 0.05, 800);
    assert_eq!(army.units()[0].state, UnitState::Arrived);
}

#[test]
fn circles_beyond_all_measure_are_refused_at_once() {
    let map = CostMap::open(900, 900).unwrap();
    let at = [450.5, 450.5];
    let asked = Instant::now();
    for radius in [1e9, 400.0, 16.1, -1.0, f32::NAN, f32::INFINITY] {
        assert!(!is_clear(&map, at, radius));
        assert_eq!(slide(&map, at, [5.0, 3.0], radius), at);
        assert_eq!(nearest_clear(&map, at, radius), None);
    }
    // Reading all cells under the circles would take minutes.
    assert!(asked.elapsed().as_secs() < 5);
    assert!(is_clear(&map, at, MAX_RADIUS) && is_clear(&map, at, 0.0));
    assert_ne!(slide(&map, at, [5.0, 3.0], MAX_RADIUS), at);
    assert_eq!(
        nearest_clear(&map, [3.0, 450.5], MAX_RADIUS),
        Some([16.5, 450.5])
    );
}

/// Units on the hardest ground move less in a step than the gap that circles leave at walls.
#[test]
fn the_smallest_steps_lead_around_a_corner() {
    let mut map = CostMap::open(12, 12).unwrap();
    map.edit(Cell::new(5, 5), Cost::WALL).unwrap();
    for (step, turn) in [0.01_f32, 1e-3, 3e-4, 2e-4]
        .into_iter()
        .flat_map(|step| (-8..=8).map(move |turn| (step, turn as f32 / 10.0)))
    {
        let way = [step * turn.cos(), step * turn.sin()];
        let mut at = [4.3, 4.71 - turn];
        let mut idle = 0;
        for _ in 0..(3.0 / step) as u32 {
            let next = slide(&map, at, way, 0.3);
            idle = if next == at { idle + 1 } else { 0 };
            assert!(idle < 10, "{at:?} by {way:?}");
            at = next;
        }
    }
}
