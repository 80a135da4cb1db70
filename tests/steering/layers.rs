//! Units on movement layers.

use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{Army, Reading, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement};

/// A wall with doors of 1, 2, 3 and 4 cells, from the north to the south.
fn wall_with_doors() -> CostMap {
    let mut map = CostMap::open(80, 80).expect("a size");
    map.edit(CellRect::new(40, 0, 2, 80), Cost::WALL)
        .expect("on the map");
    for (door, y) in [(1, 10), (2, 28), (3, 46), (4, 64)] {
        let area = CellRect::new(40, y, 2, door);
        map.edit(area, Cost::OPEN).expect("on the map");
    }
    map
}

#[test]
fn wide_units_pass_where_they_fit_and_touch_no_wall() {
    for width in 1..=4_u8 {
        let map = wall_with_doors();
        let mut world = FlowWorld::new(map.clone());
        let wide = Movement::new().with_size(width).expect("a size");
        let layer = world.add_layer(wide).expect("room for it");
        let radius = f32::from(width) / 2.0 - 0.1;
        let mut army = Army::default();
        let (goal, mut units) = (Cell::new(66, 12), Vec::new());
        for at in 0..6_u32 {
            let place = [6.0 + 5.0 * (at % 3) as f32, 8.0 + 5.0 * (at / 3) as f32];
            units.push(place);
        }
        let cells: Vec<Cell> = units
            .iter()
            .map(|&[x, y]| Cell::new(x as i32, y as i32))
            .collect();
        let order = world
            .order(Goal::at(goal).on(layer), &cells)
            .expect("a way");
        world.tick(Budget::UNLIMITED);
        let group = army.add_group(order, Reading::Ahead).expect("room for it");
        for (id, &place) in (0..).zip(&units) {
            let unit = Unit::new(id, group, place).with_radius(radius);
            army.add(unit).expect("a new unit");
        }
        let mut through = 0;
        for _ in 0..4000 {
            let before: Vec<[f32; 2]> = army.units().iter().map(|unit| unit.position).collect();
            army.step(&world, 1.0 / 20.0);
            army.cover_strays(&mut world);
            world.tick(Budget::cells(4_000));
            for (unit, before) in army.units().iter().zip(before) {
                assert!(
                    is_clear(&map, unit.position, radius),
                    "width {width}: {unit:?} overlaps a wall"
                );
                if before[0] < 41.0 && unit.position[0] >= 41.0 {
                    through += 1;
                    let door = [10, 28, 46, 64][usize::from(width) - 1];
                    let is_wider = unit.position[1] >= door as f32;
                    assert!(is_wider, "width {width} at {:?}", unit.position);
                }
            }
            if army.is_settled() {
                break;
            }
        }
        assert!(
            army.is_settled() && through == 6,
            "width {width}: {through}"
        );
    }
}

#[test]
fn ships_keep_to_the_water_and_hovercraft_do_not_mind() {
    let water = Cost::new(9).expect("not 0");
    let mut map = CostMap::open(60, 40).expect("a size");
    map.edit(CellRect::new(10, 18, 40, 6), water)
        .expect("on the map");
    map.edit(CellRect::new(10, 4, 5, 20), water)
        .expect("on the map");
    map.edit(CellRect::new(45, 4, 5, 20), water)
        .expect("on the map");
    let mut world = FlowWorld::new(map.clone());
    let ships = Movement::new().with_costs(|kind| {
        if kind == water {
            Cost::OPEN
        } else {
            Cost::WALL
        }
    });
    let hover = Movement::new().with_cost(water, Cost::OPEN);
    let [ships, hover] = [ships, hover].map(|class| world.add_layer(class).expect("room"));
    let (start, goal) = (Cell::new(12, 6), Cell::new(47, 6));
    let mut army = Army::default();
    let mut farthest = [0.0_f32; 2];
    for (id, layer) in (0..).zip([ships, hover]) {
        let order = world
            .order(Goal::at(goal).on(layer), &[start])
            .expect("a way");
        let group = army.add_group(order, Reading::Ahead).expect("room for it");
        let place = [12.5 + id as f32, 6.5];
        army.add(Unit::new(id, group, place)).expect("a new unit");
    }
    world.tick(Budget::UNLIMITED);
    let on_water = world.layer(ships).expect("derived").costs().clone();
    for _ in 0..1500 {
        army.step(&world, 1.0 / 20.0);
        army.cover_strays(&mut world);
        world.tick(Budget::cells(4_000));
        let ship = army.units()[0];
        assert!(
            is_clear(&on_water, ship.position, ship.radius),
            "{ship:?} is aground"
        );
        for (farthest, unit) in farthest.iter_mut().zip(army.units()) {
            *farthest = farthest.max(unit.position[1]);
        }
    }
    assert!(army.is_settled());
    assert!(farthest[0] > 17.0 && farthest[1] < 12.0, "{farthest:?}");
}
