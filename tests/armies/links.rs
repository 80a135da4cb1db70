//! Armies that go through links: everyone comes out at the end, once, and in no wall.

use std::collections::BTreeMap;

use flowtiles::steer::parts::{anchor, is_clear};
use flowtiles::steer::{Army, ArmyEvent, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Link, LinkId};

/// A map in two halves, with a wall of two cells between them.
fn halves() -> FlowWorld {
    let mut map = CostMap::open(80, 40).unwrap();
    map.edit(CellRect::new(39, 0, 2, 40), Cost::WALL).unwrap();
    FlowWorld::new(map)
}

/// An army of thirty units in the west, sent to the east.
fn sent(world: &mut FlowWorld, reading: Reading) -> Army {
    let mut army = Army::default();
    let places: Vec<[f32; 2]> = (0..30)
        .map(|at| [4.0 + 2.4 * (at % 6) as f32, 6.0 + 2.4 * (at / 6) as f32])
        .collect();
    let cells: Vec<Cell> = places.iter().map(|&place| anchor(1, place)).collect();
    let order = world.order(Cell::new(68, 30), &cells).unwrap();
    world.tick(Budget::UNLIMITED);
    let group = army.add_group(Target::Order(order), reading).unwrap();
    for (id, &place) in (0..).zip(&places) {
        army.add(Unit::new(id, group, place).with_radius(0.4))
            .unwrap();
    }
    army
}

/// Steps until the army has settled; returns how often each unit entered a link.
fn march(world: &mut FlowWorld, army: &mut Army, link: LinkId) -> BTreeMap<u32, u32> {
    let mut entered = BTreeMap::new();
    for _ in 0..3_000 {
        if army.is_settled() {
            break;
        }
        world.tick(Budget::cells(20_000));
        army.step(world, 0.05);
        army.cover_strays(world);
        for event in army.events() {
            if let ArmyEvent::Entered { unit, link: by } = *event {
                assert_eq!(by, link);
                *entered.entry(unit).or_insert(0) += 1;
            }
        }
        for unit in army.units() {
            assert!(
                is_clear(world.costs(), unit.position, unit.radius),
                "{unit:?}"
            );
        }
    }
    entered
}

#[test]
fn units_of_every_reading_go_through_a_link() {
    let mut readings = vec![
        Reading::Ahead,
        Reading::Nearest,
        Reading::Bilinear,
        Reading::LowestOfFour,
    ];
    readings.extend(cfg!(feature = "crowd").then_some(Reading::Crowd));
    for reading in readings {
        let mut world = halves();
        let pad = Link::new(CellRect::new(30, 8, 2, 2), Cell::new(50, 30)).with_price(30);
        let link = world.add_link(pad).unwrap();
        let mut army = sent(&mut world, reading);
        let entered = march(&mut world, &mut army, link);
        assert!(
            army.units()
                .iter()
                .all(|unit| unit.state == UnitState::Arrived),
            "{reading:?}"
        );
        assert_eq!(entered.len(), 30, "{reading:?}");
        assert!(
            entered.values().all(|&times| times == 1),
            "{reading:?}: {entered:?}"
        );
    }
}

/// One at the very middle has nowhere to go, and yet loses its patience.
#[test]
fn units_on_each_other_s_link_ends_swap_places() {
    let mut world = halves();
    let ends = [Cell::new(20, 10), Cell::new(60, 10)];
    let mut army = Army::default();
    for (id, [from, to]) in (0..).zip([ends, [ends[1], ends[0]]]) {
        world.add_link(Link::new(from, to)).unwrap();
        let beyond = Cell::new(to.x + (to.x - 40) / 2, 10);
        let order = world.order(beyond, &[from]).unwrap();
        let group = army.add_group(order, Reading::Ahead).unwrap();
        army.add(Unit::new(id, group, from.centre())).unwrap();
    }
    for _ in 0..1_000 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
    }
    let states = army.units().iter().map(|unit| unit.state);
    assert!(states.eq([UnitState::Arrived; 2]), "{:?}", army.units());
}
