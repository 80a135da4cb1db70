//! Parts of groups that become groups of their own.

use crate::crowd::configure;
use flowtiles::steer::{
    Army, ArmyEvent, Chase, GroupId, Pace, Reading, Shape, Target, Unit, UnitState,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Teams};

const STEP: f32 = 0.05;

fn open(width: u32, height: u32) -> FlowWorld {
    FlowWorld::new(CostMap::open(width, height).unwrap())
}

/// Adds units of a group in rows of eight, one cell apart.
fn add(army: &mut Army, group: GroupId, first: u32, count: u32, corner: [f32; 2]) {
    for at in 0..count {
        let place = [corner[0] + (at % 8) as f32, corner[1] + (at / 8) as f32];
        army.add(Unit::new(first + at, group, place)).unwrap();
    }
}

fn go(world: &mut FlowWorld, army: &mut Army) {
    world.tick(Budget::UNLIMITED);
    army.step(world, STEP);
    army.cover_strays(world);
}

fn middle(army: &Army, group: GroupId) -> [f32; 2] {
    let (mut sum, mut count) = ([0.0; 2], 0.0);
    for unit in army.members(group) {
        sum = [sum[0] + unit.position[0], sum[1] + unit.position[1]];
        count += 1.0;
    }
    sum.map(|sum| sum / count)
}

fn apart(one: [f32; 2], two: [f32; 2]) -> f32 {
    (one[0] - two[0]).hypot(one[1] - two[1])
}

#[test]
fn split_of_a_mixed_selection_gives_a_group_for_each() {
    let world = open(40, 30);
    let mut army = Army::default();
    let [walkers, guards, whole] = [Target::Point([30.0, 20.0]), Target::Hold, Target::Stand]
        .map(|target| army.add_group(target, Reading::Bilinear).unwrap());
    for (at, group) in (0..).zip([walkers, guards, whole]) {
        add(&mut army, group, 10 * at, 4, [5.5, 5.5 + 2.0 * at as f32]);
    }
    army.step(&world, STEP);
    let parts = army.split([31 - 10, 3, 20, 22, 23, 1, 10, 1]).unwrap();
    assert_eq!(parts.len(), 3);
    assert_eq!(parts[2], whole, "all of its units were named");
    let ids = |group| -> Vec<u32> { army.members(group).map(|unit| unit.id).collect() };
    assert_eq!([ids(parts[0]), ids(walkers)], [[1, 3], [0, 2]]);
    assert_eq!([ids(parts[1]), ids(guards)], [vec![10], vec![11, 12, 13]]);
    assert_eq!(army.target(parts[0]), army.target(walkers));
    assert!(army.split([]).unwrap().is_empty());
}

#[test]
fn who_has_arrived_stays_and_nothing_is_told_twice() {
    let mut world = open(60, 40);
    let order = world.order(Cell::new(40, 20), &[Cell::new(5, 20)]).unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    add(&mut army, group, 0, 16, [5.5, 19.5]);
    while !army.is_settled() {
        go(&mut world, &mut army);
    }
    let part = army.split(0..6).unwrap()[0];
    for _ in 0..60 {
        go(&mut world, &mut army);
        assert!(army.events().is_empty(), "{:?}", army.events());
        assert!(army.is_settled());
    }
    // The part goes elsewhere, and the rest stays.
    army.send(part, Target::Point([20.5, 20.5])).unwrap();
    let mut told = Vec::new();
    while !army.is_settled() {
        go(&mut world, &mut army);
        told.extend(army.events().iter().copied());
    }
    assert!(told.contains(&ArmyEvent::GroupArrived { group: part }));
    assert!(!told.contains(&ArmyEvent::GroupArrived { group }));
}

#[test]
fn an_attack_and_a_pursuit_go_on_in_both_parts() {
    let mut world = open(90, 40);
    let mut army = Army::default();
    let [band, hunters, foes] = [(); 3].map(|()| army.add_group(Target::Hold, Reading::Ahead));
    let (band, hunters, foes) = (band.unwrap(), hunters.unwrap(), foes.unwrap());
    configure(&mut army, &world, band, |it| {
        (it.team, it.foes) = (1, Teams::NONE.with(2))
    })
    .unwrap();
    configure(&mut army, &world, foes, |it| {
        (it.team, it.foes) = (2, Teams::NONE)
    })
    .unwrap();
    add(&mut army, band, 0, 6, [20.5, 12.5]);
    add(&mut army, hunters, 10, 6, [5.5, 30.5]);
    add(&mut army, foes, 20, 2, [30.5, 12.5]);
    let order = world
        .order(Cell::new(21, 38), &[Cell::new(20, 12)])
        .unwrap();
    let chase = Chase::default().with_sight(12.0);
    army.send(band, Target::AttackMove(order, chase)).unwrap();
    let chase = Chase::default().with_leash(200.0);
    army.send(hunters, Target::Pursue(21, chase)).unwrap();
    for _ in 0..20 {
        go(&mut world, &mut army);
    }
    // Those that have turned to a foe keep at it, though none sees one any more.
    army.set_position(20, [34.5, 12.5]).unwrap();
    let parts = army.split([0, 2, 4, 11, 13]).unwrap();
    let mut reached = Vec::new();
    for _ in 0..400 {
        go(&mut world, &mut army);
        for event in army.events() {
            if let ArmyEvent::Reached { group, unit: 21 } = *event {
                reached.push(group);
            }
        }
    }
    for group in [band, parts[0]] {
        for unit in army.members(group) {
            let near = [20, 21].map(|foe| apart(unit.position, army.get(foe).unwrap().position));
            assert!(near[0].min(near[1]) < 4.0, "{unit:?}");
        }
    }
    reached.sort_unstable();
    assert_eq!(reached, [hunters, parts[1]], "each part reaches the quarry");
}

#[test]
fn split_formation_keeps_places_around_its_own_middle() {
    let mut world = open(140, 80);
    let (start, goal) = (Cell::new(20, 40), Cell::new(60, 40));
    let order = world.order(goal, &[start]).unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    add(&mut army, group, 0, 24, [16.5, 38.5]);
    world.tick(Budget::UNLIMITED);
    army.form(group, Shape::Line, 1.5, &world).unwrap();
    for _ in 0..40 {
        go(&mut world, &mut army);
    }
    let mut whole = army.clone();
    // The northern half of the line.
    let mut rows: Vec<(f32, u32)> = army
        .units()
        .iter()
        .map(|unit| (unit.position[1], unit.id))
        .collect();
    rows.sort_by(|one, two| one.0.total_cmp(&two.0));
    let half = army.split(rows[..12].iter().map(|row| row.1)).unwrap()[0];
    while !army.is_settled() {
        go(&mut world, &mut army);
        whole.step(&world, STEP);
    }
    for unit in army.units() {
        let was = whole.get(unit.id).unwrap();
        assert!(
            apart(unit.position, was.position) < 1.0,
            "{unit:?} and {was:?}"
        );
    }
    // Both go on, each to the middle of its own goal.
    let goals = [Cell::new(110, 25), Cell::new(110, 60)];
    for (group, goal) in [half, group].into_iter().zip(goals) {
        let order = world.order(goal, &[Cell::new(60, 40)]).unwrap();
        army.send(group, order).unwrap();
    }
    while !army.is_settled() {
        go(&mut world, &mut army);
    }
    for (group, goal) in [half, group].into_iter().zip(goals) {
        let goal = goal.centre();
        let off = apart(middle(&army, group), goal);
        assert!(off < 1.5, "{group} is {off} off its goal");
        let wide = army.members(group).map(|unit| apart(unit.position, goal));
        assert!(wide.fold(0.0, f32::max) > 4.0, "still a line");
    }
}

#[test]
fn a_formation_whose_anchor_is_walled_in_goes_on() {
    let mut world = open(100, 40);
    let order = world
        .order(Cell::new(80, 20), &[Cell::new(20, 20)])
        .unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    add(&mut army, group, 0, 9, [16.5, 19.5]);
    world.tick(Budget::UNLIMITED);
    army.form(group, Shape::Box, 1.5, &world).unwrap();
    go(&mut world, &mut army);
    let [x, y] = middle(&army, group).map(|at| at as i32);
    world
        .edit(CellRect::new(x - 1, y - 1, 3, 3), Cost::WALL)
        .unwrap();
    army.put_out_of_walls(&world);
    for _ in 0..900 {
        go(&mut world, &mut army);
    }
    let arrived = |unit: &Unit| unit.state == UnitState::Arrived && unit.position[0] > 75.0;
    assert!(army.units().iter().all(arrived));
}

#[test]
fn a_split_group_is_saved_and_keeps_its_pace() {
    let mut world = open(60, 40);
    let order = world.order(Cell::new(50, 20), &[Cell::new(5, 20)]).unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    configure(&mut army, &world, group, |it| it.pace = Pace::Slowest).unwrap();
    configure(&mut army, &world, group, |it| it.keeps_width = true).unwrap();
    add(&mut army, group, 0, 16, [5.5, 19.5]);
    army.set_speed(3, 2.0).unwrap();
    for _ in 0..20 {
        go(&mut world, &mut army);
    }
    let part = army.split([1, 2, 3, 4]).unwrap()[0];
    let loaded = Army::load(&army.save(), &world).unwrap();
    assert_eq!(loaded.state_hash(), army.state_hash());
    for _ in 0..40 {
        go(&mut world, &mut army);
    }
    for unit in army.members(part) {
        let [x, y] = unit.velocity;
        assert!(x.hypot(y) < 2.5, "{unit:?} goes with unit 3");
    }
    assert!(army.members(group).any(|unit| unit.velocity[0] > 3.0));
}
