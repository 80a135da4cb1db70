//! Parts of groups that become groups of their own.

use flowtiles::steer::{Army, ArmyEvent, Chase, GroupId, Reading, Shape, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Teams};

use crate::crowd::{add_rows, configure};

const STEP: f32 = 0.05;

fn open(width: u32, height: u32) -> FlowWorld {
    FlowWorld::new(CostMap::open(width, height).unwrap())
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
    add_rows(&mut army, band, 0..6, 8, [20.5, 12.5], 1.0);
    add_rows(&mut army, hunters, 10..16, 8, [5.5, 30.5], 1.0);
    add_rows(&mut army, foes, 20..22, 8, [30.5, 12.5], 1.0);
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
    add_rows(&mut army, group, 0..24, 8, [16.5, 38.5], 1.0);
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
    add_rows(&mut army, group, 0..9, 8, [16.5, 19.5], 1.0);
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
