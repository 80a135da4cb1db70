//! Planes: units feel only those with which they share one.

use crate::crowd::configure;
use flowtiles::steer::{Army, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CostMap, FlowWorld};

/// Two blocks that march against each other, on these planes: the ticks until all have
/// arrived, and the least distance between units of different blocks.
fn meet(planes: [u8; 2]) -> (u32, f32) {
    let mut world = FlowWorld::new(CostMap::open(60, 8).unwrap());
    let mut army = Army::default();
    for (side, planes) in planes.into_iter().enumerate() {
        let [from, to] = [[5, 54], [54, 5]][side];
        let order = world
            .order(Cell::new(to, 4), &[Cell::new(from, 4)])
            .unwrap();
        let group = army.add_group(order, Reading::Ahead).unwrap();
        configure(&mut army, &world, group, |it| it.planes = planes).unwrap();
        for at in 0..40 {
            let place = [from as f32 - 2.0 + (at / 8) as f32, 0.5 + (at % 8) as f32];
            let id = 100 * side as u32 + at;
            army.add(Unit::new(id, group, place)).unwrap();
        }
    }
    let mut least = f32::MAX;
    for tick in 0..2_000 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
        for one in army.units().iter().filter(|unit| unit.id < 100) {
            for two in army.units().iter().filter(|unit| unit.id >= 100) {
                let [x, y] = [0, 1].map(|axis| one.position[axis] - two.position[axis]);
                least = least.min(x.hypot(y));
            }
        }
        if army
            .units()
            .iter()
            .all(|unit| unit.state == UnitState::Arrived)
        {
            return (tick, least);
        }
    }
    panic!("they do not arrive");
}

#[test]
fn units_on_different_planes_go_through_each_other() {
    let (alike, least) = meet([1, 1]);
    assert!(least > 0.25, "they give way: {least}");
    let (apart, least) = meet([0b01, 0b10]);
    assert!(least < 0.25, "one is above the other: {least}");
    assert!(
        apart * 10 < alike * 9,
        "{apart} ticks, {alike} on one plane"
    );
    let (shared, least) = meet([0b11, 0b10]);
    assert!(least > 0.25, "they share a plane: {least}");
    assert_eq!(shared, alike, "the number of the plane does not matter");
}

/// Seven pairs of units, each on one spot: a pair parts if its two units share a plane.
#[test]
fn those_push_who_share_a_plane() {
    let world = FlowWorld::new(CostMap::open(80, 10).unwrap());
    let pairs: [[u8; 2]; 7] = [[1, 1], [1, 2], [3, 2], [4, 3], [0, 1], [0, 0], [0x80, 0xFF]];
    let mut army = Army::default();
    for (at, pair) in pairs.into_iter().enumerate() {
        for (side, planes) in pair.into_iter().enumerate() {
            let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
            configure(&mut army, &world, group, |it| it.planes = planes).unwrap();
            let place = [5.5 + 10.0 * at as f32 + 0.2 * side as f32, 5.5];
            let id = 2 * at as u32 + side as u32;
            army.add(Unit::new(id, group, place)).unwrap();
        }
    }
    let hash = army.state_hash();
    let ghosts = army.get(10).unwrap().group;
    configure(&mut army, &world, ghosts, |it| it.planes = 0b100).unwrap();
    assert_ne!(army.state_hash(), hash, "planes are part of the state");
    configure(&mut army, &world, ghosts, |it| it.planes = 0).unwrap();
    assert_eq!(army.state_hash(), hash);
    let mut loaded = Army::load(&army.save(), &world).unwrap();
    for _ in 0..100 {
        army.step(&world, 0.05);
        loaded.step(&world, 0.05);
    }
    assert_eq!(loaded.state_hash(), army.state_hash());
    for (at, [one, two]) in pairs.into_iter().enumerate() {
        let [left, right] = [0, 1].map(|side| army.get(2 * at as u32 + side).unwrap().position);
        let gap = right[0] - left[0];
        let is_pushed = one & two != 0;
        assert_eq!(gap > 0.5, is_pushed, "planes {one:#b} and {two:#b}: {gap}");
        assert!(is_pushed || (gap - 0.2).abs() < 1e-5, "{gap}");
    }
}
