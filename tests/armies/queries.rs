//! Queries by place, each compared with a scan of all units.

use std::collections::BTreeMap;

use flowtiles::steer::{Army, GroupId, Reading, Target, Unit};
use flowtiles::{Cell, CellRect, CostMap, FlowWorld, Teams};

use crate::crowd::{Draw, configure, drawn_map};
use crate::draws::draws;

#[test]
fn odd_places_find_nothing_and_do_no_harm() {
    let world = FlowWorld::new(flowtiles::CostMap::open(20, 20).unwrap());
    let mut army = Army::default();
    assert!(army.nearest_unit([1.0, 1.0], |_| true).is_none());
    assert!(army.units_within([1.0, 1.0], 5.0).is_empty());
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    army.add(Unit::new(0, group, [5.5, 5.5])).unwrap();
    for _ in 0..2 {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(army.nearest_unit([odd, 1.0], |_| true).is_none());
            assert!(army.units_within([odd, 1.0], 5.0).is_empty());
            assert!(army.units_within([5.5, 5.5], -1.0).is_empty());
            assert_eq!(army.has_room(&world, group, [odd, 1.0], 0.5), Ok(false));
            assert_eq!(army.has_room(&world, group, [1.0, 1.0], odd), Ok(false));
        }
        assert!(army.units_within([5.5, 5.5], f32::NAN).is_empty());
        assert_eq!(army.units_within([5.5, 5.5], 1e30).len(), 1);
        assert_eq!(army.units_in([-1e30; 2], [1e30; 2]).len(), 1);
        let far = army.nearest_unit([1e9, -1e9], |_| true);
        assert_eq!(far.map(|unit| unit.id), Some(0));
        assert!(army.nearest_unit([5.0, 5.0], |_| false).is_none());
        army.step(&world, 0.05);
    }
}

/// Compared with a scan of all units, while units move, come, go and change sides.
#[test]
fn nearest_foe_equals_a_scan_of_all_units() {
    let world = FlowWorld::new(CostMap::open(80, 60).unwrap());
    let mut found_some = 0;
    for seed in 0..draws() as u32 {
        let mut draw = Draw::new(seed);
        let mut army = Army::default();
        let mut sides = BTreeMap::new();
        for at in 0..5 {
            let target = [Target::Hold, Target::Point([40.5, 30.5])][at as usize % 2].clone();
            let group = army.add_group(target, Reading::Ahead).unwrap();
            sides.insert(group, (0, Teams::NONE));
            for number in 0..30 {
                let place = [draw.float(1.0, 79.0), draw.float(1.0, 59.0)];
                army.add(Unit::new(number * 5 + at, group, place)).unwrap();
            }
        }
        for _ in 0..60 {
            let groups: Vec<_> = sides.keys().copied().collect();
            let group = groups[draw.below(5) as usize];
            match draw.below(6) {
                0 => {
                    let team = draw.below(3) as u8;
                    let foes = Teams::from_bits(draw.below(8) as u8);
                    configure(&mut army, &world, group, |it| {
                        (it.team, it.foes) = (team, foes)
                    })
                    .unwrap();
                    sides.insert(group, (team, foes.without(team)));
                }
                1 => drop(army.remove(draw.below(150))),
                2 => drop(army.set_position(draw.below(150), [draw.float(1.0, 79.0), 9.5])),
                3 => drop(army.set_group(draw.below(150), group)),
                _ => army.step(&world, 0.1),
            }
            let within = [0.0, 2.0, 9.0, 200.0, f32::INFINITY][draw.below(5) as usize];
            for unit in army.units() {
                let far = |other: &Unit| {
                    let [x, y] = [0, 1].map(|axis| other.position[axis] - unit.position[axis]);
                    (x * x + y * y).sqrt()
                };
                let foes = sides[&unit.group].1;
                let foes = army
                    .units()
                    .iter()
                    .filter(|one| foes.has(sides[&one.group].0));
                let near = foes.filter(|one| far(one) <= within);
                let order = |one: &&Unit, two: &&Unit| {
                    far(one).total_cmp(&far(two)).then(one.id.cmp(&two.id))
                };
                let wanted = near.min_by(order).map(|one| one.id);
                assert_eq!(army.nearest_foe(unit.id, within).map(|foe| foe.id), wanted);
                found_some += usize::from(wanted.is_some());
            }
        }
        assert!(army.nearest_foe(0, f32::NAN).is_none() && army.nearest_foe(9_999, 1.0).is_none());
    }
    assert!(found_some > 300, "{found_some}");
}

/// Compared with a scan of all units, on walls and among other units.
#[test]
fn bodies_and_free_places_equal_a_scan_of_all_units() {
    let (mut bodies, mut full) = (0, 0);
    for seed in 0..draws() as u32 {
        let mut draw = Draw::new(seed);
        let world = FlowWorld::new(drawn_map(&mut draw, 40, 30, 10));
        let mut army = Army::default();
        let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
        for id in 0..120 {
            let place = [draw.float(1.0, 39.0), draw.float(1.0, 29.0)];
            let unit = Unit::new(id, group, place).with_radius(draw.float(0.0, 1.0));
            army.add(unit).unwrap();
        }
        (0..5).for_each(|_| army.step(&world, 0.05));
        for _ in 0..20 {
            let corner = [draw.below(40), draw.below(30)].map(|at| at as i32 - 2);
            let cells = CellRect::new(corner[0], corner[1], draw.below(6), 1 + draw.below(4));
            let hits = |unit: &&Unit| {
                cells.cells().any(|cell| {
                    let [x, y] = unit.position;
                    let along = |at: f32, low: i32| at - at.clamp(low as f32, low as f32 + 1.0);
                    let (dx, dy) = (along(x, cell.x), along(y, cell.y));
                    dx * dx + dy * dy < unit.radius * unit.radius
                })
            };
            let wanted: Vec<u32> = army
                .units()
                .iter()
                .filter(hits)
                .map(|unit| unit.id)
                .collect();
            let found: Vec<u32> = army.bodies_in(cells).iter().map(|unit| unit.id).collect();
            assert_eq!(found, wanted, "seed {seed}, {cells}");
            bodies += found.len();

            let around = [draw.float(0.0, 40.0), draw.float(0.0, 30.0)];
            let (radius, count) = (draw.float(0.1, 0.6), draw.below(30) as usize);
            let places = army
                .free_places(&world, group, around, radius, count)
                .unwrap();
            assert!(places.len() <= count);
            full += usize::from(places.len() == count);
            let far = |[x, y]: [f32; 2], [ox, oy]: [f32; 2]| (x - ox).hypot(y - oy);
            assert!(places.is_sorted_by(|&one, &two| far(one, around) <= far(two, around) + 1e-4));
            let start = Cell::new(around[0] as i32, around[1] as i32);
            for (at, &place) in places.iter().enumerate() {
                assert_eq!(army.has_room(&world, group, place, radius), Ok(true));
                assert!(
                    places[..at]
                        .iter()
                        .all(|&other| far(place, other) >= 2.0 * radius)
                );
                let cell = Cell::new(place[0] as i32, place[1] as i32);
                let is_open = world.costs().get(start).is_some_and(|cost| !cost.is_wall());
                assert!(!is_open || world.reachable(start, cell));
            }
        }
        let gone = GroupId::from_number(99);
        assert!(army.free_places(&world, gone, [5.0; 2], 0.3, 1).is_err());
    }
    assert!(
        bodies > 10 && full > 7,
        "{bodies} bodies, {full} times enough room"
    );
}
