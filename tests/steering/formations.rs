//! Formations: assignment, and marches in shape.

use flowtiles::steer::parts::assign;
use flowtiles::steer::{Army, Reading, Shape, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::crowd::{Draw, add_rows, march};

#[test]
fn a_small_formation_is_assigned_at_the_least_price() {
    let mut worse = 0;
    for seed in 0..60 {
        let mut draw = Draw::new(seed);
        let count = 1 + draw.below(6) as usize;
        let units: Vec<[f32; 2]> = (0..count)
            .map(|_| [draw.float(-4.0, 4.0), draw.float(-4.0, 4.0)])
            .collect();
        let shape = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column][seed as usize % 4];
        let slots = shape.slots(count, 1.0);
        let price = |taken: &[usize]| -> f64 {
            let square = |(unit, &slot): (usize, &usize)| {
                let off = |axis: usize| f64::from(units[unit][axis] - slots[slot][axis]);
                off(0).powi(2) + off(1).powi(2)
            };
            taken.iter().enumerate().map(square).sum()
        };
        let taken = assign(&units, &slots);
        let mut least = f64::MAX;
        permute(&mut (0..count).collect::<Vec<_>>(), 0, &mut |taken| {
            least = least.min(price(taken))
        });
        assert!(
            (price(&taken) - least).abs() < 0.1,
            "{} over {least}",
            price(&taken)
        );
        let in_order: Vec<usize> = (0..count).collect();
        worse += usize::from(price(&in_order) > least + 0.1);
    }
    assert!(worse > 20, "it makes a difference");
}

fn permute(of: &mut Vec<usize>, from: usize, see: &mut impl FnMut(&[usize])) {
    if from == of.len() {
        see(of);
    }
    for at in from..of.len() {
        of.swap(from, at);
        permute(of, from + 1, see);
        of.swap(from, at);
    }
}

#[test]
fn large_formation_gives_each_unit_a_near_place() {
    for shape in [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column] {
        let mut draw = Draw::new(5);
        let slots = shape.slots(500, 1.0);
        let mut units = slots.clone();
        for unit in &mut units {
            *unit = [
                unit[0] + draw.float(-0.3, 0.3),
                unit[1] + draw.float(-0.3, 0.3),
            ];
        }
        let mut taken = assign(&units, &slots);
        let far = units.iter().zip(&taken).map(|(unit, &slot)| {
            (unit[0] - slots[slot][0]).abs() + (unit[1] - slots[slot][1]).abs()
        });
        assert!(far.sum::<f32>() / 500.0 < 1.0, "{shape:?}");
        taken.sort_unstable();
        assert_eq!(taken, (0..500).collect::<Vec<_>>());
    }
}

/// Returns the width and the depth of a group of units that march along the
/// rows.
fn width_and_depth(units: &[Unit]) -> [f32; 2] {
    [1, 0].map(|axis| {
        let along = || units.iter().map(|unit| unit.position[axis]);
        along().fold(f32::MIN, f32::max) - along().fold(f32::MAX, f32::min)
    })
}

#[test]
fn a_line_goes_through_a_door_and_is_a_line_again() {
    for door in [4, 2, 1] {
        let mut map = CostMap::open(110, 40).unwrap();
        map.edit(CellRect::new(30, 0, 3, 40), Cost::WALL).unwrap();
        map.edit(CellRect::new(30, 18, 3, door), Cost::OPEN)
            .unwrap();
        let mut world = FlowWorld::new(map);
        let goal = Cell::new(100, 18);
        let order = world.order(goal, &[Cell::new(8, 18)]).unwrap();
        world.tick(Budget::UNLIMITED);
        let mut army = Army::default();
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        for id in 0..24 {
            let (column, row) = ((id % 6) as f32, (id / 6) as f32);
            army.add(Unit::new(id, group, [4.0 + column, 16.0 + row]))
                .unwrap();
        }
        army.form(group, Shape::Line, 1.0, &world).unwrap();
        let (mut before, mut behind) = (None, None);
        for _ in 0..3_000 {
            let progress = world.tick(Budget::UNLIMITED);
            army.step(&world, 0.05);
            if progress.waiting == 0 {
                army.cover_strays(&mut world);
            }
            let units = army.units();
            let first = units
                .iter()
                .map(|unit| unit.position[0])
                .fold(0.0, f32::max);
            let last = units
                .iter()
                .map(|unit| unit.position[0])
                .fold(999.0, f32::min);
            if first < 28.0 {
                before = Some(width_and_depth(units));
            } else if last > 60.0 && behind.is_none() {
                behind = Some(width_and_depth(units));
            }
        }
        assert!(army.is_settled(), "a door of {door}");
        let [wide, deep] = before.expect("it marches in line");
        assert!(wide > 11.0 && deep < 2.5, "{wide} by {deep}");
        let [wide, deep] = behind.expect("it gets through");
        assert!(
            wide > 11.0 && deep < 2.5,
            "behind a door of {door}: {wide} by {deep}"
        );
        let [wide, deep] = width_and_depth(army.units());
        assert!(wide > 11.0 && deep < 2.0, "at the goal: {wide} by {deep}");
    }
}

/// Forms 24 units in a block and marches them to a goal; panics if not all
/// arrive.
fn march_in_formation(map: CostMap, goal: Cell, shape: Shape, late: Option<[f32; 2]>) {
    let mut world = FlowWorld::new(map);
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    add_rows(&mut army, group, 0..24, 6, [1.5, 3.5], 1.0);
    world.tick(Budget::UNLIMITED);
    army.form(group, shape, 1.0, &world).unwrap();
    if let Some(place) = late {
        army.add(Unit::new(24, group, place)).unwrap();
    }
    march(&mut world, &mut army, 0.05, 1_000);
}

#[test]
fn a_formation_without_room_for_all_places_arrives() {
    for shape in [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column] {
        let open = CostMap::open(50, 11).unwrap();
        let mut dead_end = open.clone();
        dead_end
            .edit(CellRect::new(15, 0, 35, 11), Cost::WALL)
            .unwrap();
        dead_end
            .edit(CellRect::new(15, 5, 30, 2), Cost::OPEN)
            .unwrap();
        march_in_formation(open.clone(), Cell::new(49, 10), shape, None);
        march_in_formation(dead_end, Cell::new(44, 5), shape, None);
        // One that joins later gets a place behind.
        march_in_formation(open, Cell::new(40, 5), shape, Some([2.5, 9.5]));
    }
}

#[test]
fn places_off_any_map_are_assigned_as_well() {
    let units = [[1e12, 0.0], [0.0, -1e15], [f32::NAN, 0.0]];
    let mut taken = assign(&units, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 2]);
}

/// Five fall, six join: five take the places that are empty, one stands beside the last.
#[test]
fn units_that_join_a_formation_get_their_own_places() {
    let mut world = FlowWorld::new(CostMap::open(90, 40).unwrap());
    let order = world.order(Cell::new(80, 20), &[Cell::new(8, 20)]).unwrap();
    let mut army = Army::default();
    let target = Target::Order(order);
    let group = army.add_group(target, Reading::Ahead).unwrap();
    for id in 0..20 {
        let place = [8.5 + (id / 10) as f32, 15.5 + (id % 10) as f32];
        army.add(Unit::new(id, group, place)).unwrap();
    }
    world.tick(Budget::UNLIMITED);
    army.form(group, Shape::Line, 1.0, &world).unwrap();
    for _ in 0..40 {
        army.step(&world, 0.05);
    }
    assert_eq!(army.remove_all([1, 4, 9, 12, 17]), 5);
    for id in 20..26 {
        let place = [3.5, 10.5 + id as f32 * 0.5];
        army.add(Unit::new(id, group, place)).unwrap();
    }
    for _ in 0..260 {
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    let positions: Vec<[f32; 2]> = army.units().iter().map(|unit| unit.position).collect();
    for (at, one) in positions.iter().enumerate() {
        for two in &positions[at + 1..] {
            let gap = (one[0] - two[0]).hypot(one[1] - two[1]);
            assert!(gap > 0.7, "{one:?} and {two:?} are {gap} apart");
        }
    }
    let along = |place: &[f32; 2]| place[0];
    let front = positions.iter().map(along).fold(0.0, f32::max);
    let back = positions.iter().map(along).fold(90.0, f32::min);
    assert!(front - back < 2.0, "two ranks: {positions:?}");
}
