//! Armies that go through links: everyone comes out at the end, once, and in no wall.

use std::collections::BTreeMap;

use crate::crowd::on_threads;
use flowtiles::steer::parts::{anchor, is_clear};
use flowtiles::steer::{Army, ArmyEvent, Reading, Shape, Target, Unit, UnitState};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Link, LinkId, Movement, Sample,
};

/// A map in two halves, with a wall of two cells between them.
fn halves() -> FlowWorld {
    let mut map = CostMap::open(80, 40).unwrap();
    map.edit(CellRect::new(39, 0, 2, 40), Cost::WALL).unwrap();
    FlowWorld::new(map)
}

/// An army of this many units of a radius in the west, sent to the east.
fn sent(world: &mut FlowWorld, layer: LayerId, radius: f32, reading: Reading) -> Army {
    let width = world.movement(layer).unwrap().size();
    let mut army = Army::default();
    let places: Vec<[f32; 2]> = (0..30)
        .map(|at| [4.0 + 2.4 * (at % 6) as f32, 6.0 + 2.4 * (at / 6) as f32])
        .collect();
    let cells: Vec<Cell> = places.iter().map(|&place| anchor(width, place)).collect();
    let goal = Goal::at(Cell::new(68, 30)).on(layer);
    let order = world.order(goal, &cells).unwrap();
    world.tick(Budget::UNLIMITED);
    let group = army.add_group(Target::Order(order), reading).unwrap();
    for (id, &place) in (0..).zip(&places) {
        army.add(Unit::new(id, group, place).with_radius(radius))
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
        let mut army = sent(&mut world, LayerId::GROUND, 0.4, reading);
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

#[test]
fn wide_units_go_through_a_link_of_anchors() {
    let mut world = halves();
    let layer = world
        .add_layer(Movement::new().with_size(2).unwrap())
        .unwrap();
    let link = world
        .add_link(Link::new(CellRect::new(30, 8, 3, 3), Cell::new(50, 30)))
        .unwrap();
    let mut army = sent(&mut world, layer, 0.9, Reading::Ahead);
    let entered = march(&mut world, &mut army, link);
    assert!(
        army.units()
            .iter()
            .all(|unit| unit.state == UnitState::Arrived)
    );
    assert_eq!(entered.len(), 30);
}

#[test]
fn threads_and_saves_change_nothing_on_the_way() {
    let hashes = [1, 2, 8].map(|threads| {
        let mut world = halves();
        world
            .add_link(Link::new(CellRect::new(30, 8, 1, 3), Cell::new(50, 30)))
            .unwrap();
        let mut army = sent(&mut world, LayerId::GROUND, 0.4, Reading::Ahead);
        for tick in 0..400 {
            if threads == 8 && tick % 90 == 45 {
                let (loaded, _claims) = FlowWorld::load(&world.save()).unwrap();
                army = Army::load(&army.save(), &loaded).unwrap();
                world = loaded;
            }
            world.tick(Budget::cells(20_000));
            on_threads(threads, || army.step(&world, 0.05));
            army.cover_strays(&mut world);
        }
        (army.state_hash(), world.state_hash())
    });
    assert_eq!([hashes[0]; 3], hashes);
}

#[test]
fn a_teleporter_on_open_ground_is_taken() {
    for reading in [Reading::Nearest, Reading::Ahead] {
        let mut world = FlowWorld::new(CostMap::open(200, 60).unwrap());
        let pad = Link::new(CellRect::new(8, 40, 3, 3), Cell::new(150, 25)).with_price(5);
        let link = world.add_link(pad).unwrap();
        let order = world
            .order(Cell::new(160, 20), &[Cell::new(5, 20)])
            .unwrap();
        world.tick(Budget::UNLIMITED);
        let mut army = Army::default();
        let group = army.add_group(Target::Order(order), reading).unwrap();
        for id in 0..20 {
            army.add(Unit::new(
                id,
                group,
                [3.5 + (id % 5) as f32, 18.5 + (id / 5) as f32],
            ))
            .unwrap();
        }
        let entered = march(&mut world, &mut army, link);
        let entered: u32 = entered.values().sum();
        assert_eq!(entered, 20, "{reading:?}");
    }
}

#[test]
fn a_formation_dissolves_at_a_link_and_arrives() {
    let mut map = CostMap::open(120, 60).unwrap();
    map.edit(CellRect::new(60, 0, 1, 50), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let pad = Link::new(CellRect::new(40, 10, 6, 6), Cell::new(80, 10)).with_price(5);
    let link = world.add_link(pad).unwrap();
    let order = world
        .order(Cell::new(100, 12), &[Cell::new(8, 12), Cell::new(8, 16)])
        .unwrap();
    world.tick(Budget::UNLIMITED);
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    for id in 0..9 {
        army.add(Unit::new(
            id,
            group,
            [6.5 + (id % 3) as f32, 10.5 + (id / 3) as f32],
        ))
        .unwrap();
    }
    army.form(group, Shape::Box, 1.0, &world).unwrap();
    let entered = march(&mut world, &mut army, link);
    assert!(
        !entered.is_empty()
            && army
                .units()
                .iter()
                .all(|unit| unit.state == UnitState::Arrived)
    );
}

#[test]
fn a_step_of_no_time_moves_no_unit() {
    let mut map = CostMap::open(60, 20).unwrap();
    map.edit(CellRect::new(30, 0, 1, 20), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    world
        .add_link(Link::new(Cell::new(20, 10), Cell::new(40, 10)))
        .unwrap();
    let order = world.order(Cell::new(50, 10), &[Cell::new(5, 10)]).unwrap();
    world.tick(Budget::UNLIMITED);
    assert!(matches!(
        world.sample(&order, Cell::new(20, 10)),
        Sample::Link(_)
    ));
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    army.add(Unit::new(0, group, [20.5, 10.5])).unwrap();
    army.step(&world, 0.0);
    assert_eq!(army.get(0).unwrap().position, [20.5, 10.5]);
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
