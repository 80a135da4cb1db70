//! Queries by place with odd numbers. Others are held to a scan of all units in drawn battles
//! (`crates/games`).

use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{CostMap, FlowWorld};

#[test]
fn odd_places_find_nothing_and_do_no_harm() {
    let world = FlowWorld::new(CostMap::open(20, 20).unwrap());
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
