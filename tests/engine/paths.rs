//! Paths pulled tight, against the path by cells: looked at in small steps, they are free, end
//! where they should, and cost no more.

use crate::engine::links::draw_link;
use crate::oracle::Map;
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{finish, world_of};
use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Order, Quality, Sample, Waypoint};

/// Parts of a cell in which a line is looked at.
const FINE: f64 = 64.0;

fn cell_at([x, y]: [f64; 2]) -> Cell {
    Cell::new(x.floor() as i32, y.floor() as i32)
}

/// Returns the points along a straight piece, each in the middle of one of many equal parts, and
/// the length of a part.
fn along([from, to]: [[f64; 2]; 2]) -> (impl Iterator<Item = [f64; 2]>, f64) {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = way[0].hypot(way[1]);
    let parts = (length * FINE).ceil().max(1.0);
    let at = move |part: u32| {
        let share = (f64::from(part) + 0.5) / parts;
        [from[0] + way[0] * share, from[1] + way[1] * share]
    };
    ((0..parts as u32).map(at), length / parts)
}

/// Returns the toll of a path, and checks that no point of it lies in a wall or, past its first
/// piece, nearer to one than this.
fn toll_of(map: &Map, path: &[Waypoint], clearance: f64) -> f64 {
    let mut toll = 0.0;
    for (number, ends) in path.windows(2).enumerate() {
        if ends[0].link.is_some() {
            continue;
        }
        let ends = [ends[0].at, ends[1].at].map(|at| at.map(f64::from));
        let (points, length) = along(ends);
        for point @ [x, y] in points {
            let cell = cell_at(point);
            assert!(map.is_open(cell), "{cell} on {path:?} on {map}");
            toll += length * f64::from(map.cost(cell));
            // The distance to the nearest of the cells around that is no open one.
            let is_free = |around: Cell| {
                let middle = around.centre().map(f64::from);
                let off = |at: f64, middle: f64| ((at - middle).abs() - 0.5).max(0.0);
                map.is_open(around) || off(x, middle[0]).hypot(off(y, middle[1])) >= clearance
            };
            let mut around = CellRect::new(cell.x - 1, cell.y - 1, 3, 3).cells();
            let is_inner = number > 0 && number + 2 < path.len();
            assert!(
                !is_inner || around.all(is_free),
                "{point:?} on {path:?} on {map}"
            );
        }
    }
    toll
}

/// Returns the toll of the path by cells, of which half of each step is in each cell, and the
/// links on it.
fn toll_by_cells(world: &FlowWorld, order: &Order, map: &Map, unit: Cell) -> Option<(f64, usize)> {
    let (mut cell, mut toll, mut links) = (unit, 0.0, 0);
    loop {
        match world.sample(order, cell) {
            Sample::Go(way) => {
                let next = cell.step(way);
                let length = if way.is_diagonal() { 2_f64.sqrt() } else { 1.0 };
                let costs = f64::from(map.cost(cell)) + f64::from(map.cost(next));
                toll += length * costs / 2.0;
                cell = next;
            }
            Sample::Link(id) => {
                links += 1;
                cell = world
                    .link(id)
                    .expect("it is there")
                    .end_of(cell)
                    .expect("its cell");
            }
            Sample::Arrived => return Some((toll, links)),
            _ => return None,
        }
    }
}

fn assert_path(world: &FlowWorld, order: &Order, map: &Map, unit: Cell) -> bool {
    let path = world.path(order, unit);
    let Some((most, links)) = toll_by_cells(world, order, map, unit) else {
        assert_eq!(path, None, "{unit} on {map}");
        return false;
    };
    let path = path.unwrap_or_else(|| panic!("no path from {unit} on {map}"));
    let ends = [path.first(), path.last()].map(|point| point.map(|point| point.at));
    let goal = world.destination(order, unit).map(Cell::centre);
    assert_eq!(ends, [Some(unit.centre()), goal], "{path:?} on {map}");
    assert_eq!(
        path.iter().filter(|point| point.link.is_some()).count(),
        links
    );
    let toll = toll_of(map, &path, 0.0);
    assert!(
        toll <= most * 1.002 + 0.1,
        "{toll}, by cells {most}: {path:?} on {map}"
    );
    true
}

#[test]
fn paths_are_free_and_cost_no_more_than_by_cells() {
    let mut seen = 0;
    for_drawn(
        911,
        &[(19, 19), (33, 58), (25, 14)],
        4,
        |map, rng: &mut Rng| {
            let mut world = world_of(map);
            for _ in 0..rng.below(3) {
                let _ = world.add_link(draw_link(map, rng));
            }
            let Some(goal) = rng.open_cell(map) else {
                return;
            };
            let goal = Goal::at(goal).with_quality(Quality::Everywhere);
            let order = world.order(goal, &[]).expect("on the map");
            finish(&mut world);
            for _ in 0..12 {
                if let Some(unit) = rng.open_cell(map) {
                    seen += usize::from(assert_path(&world, &order, map, unit));
                }
            }
        },
    );
    assert!(seen > 300, "{seen}");
}

/// A path around a block of walls bends at its corners alone, and one over a swamp keeps to the
/// ford.
#[test]
fn paths_by_hand() -> Result<(), Box<dyn std::error::Error>> {
    let mut costs = CostMap::open(60, 40)?;
    costs.edit(CellRect::new(20, 10, 10, 20), Cost::WALL)?;
    costs.edit(CellRect::new(40, 0, 8, 19), Cost::new(9)?)?;
    costs.edit(CellRect::new(40, 21, 8, 19), Cost::new(9)?)?;
    let mut world = FlowWorld::new(costs);
    let unit = Cell::new(3, 14);
    let order = world.order(Cell::new(56, 24), &[unit])?;
    world.tick(flowtiles::Budget::UNLIMITED);
    let path = world.path(&order, unit).expect("there is one");
    let corners: Vec<_> = path.iter().map(|point| point.at.map(f32::round)).collect();
    assert_eq!(
        corners[1..corners.len() - 1],
        [[20.0, 10.0], [30.0, 10.0], [40.0, 19.0], [48.0, 21.0]]
    );
    Ok(())
}

/// A unit's own path stays as far from walls as its body needs, and leads to where it stops.
#[cfg(feature = "steer")]
#[test]
fn the_path_of_a_unit_has_room_for_its_body() {
    use flowtiles::steer::{Army, Reading, Unit};
    let mut seen = 0;
    for_drawn(912, &[(19, 19), (33, 58)], 3, |map, rng: &mut Rng| {
        let mut world = world_of(map);
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let goal = Goal::at(goal).with_quality(Quality::Everywhere);
        let order = world.order(goal, &[]).expect("on the map");
        finish(&mut world);
        let mut army = Army::default();
        let group = army.add_group(order, Reading::Ahead).expect("a group");
        for id in 0..12 {
            let Some(cell) = rng.open_cell(map) else {
                return;
            };
            let off = [rng.below(80), rng.below(80)].map(|off| off as f32 / 100.0 - 0.4);
            let [x, y] = cell.centre();
            let unit = Unit::new(id, group, [x + off[0], y + off[1]]).with_radius(0.3);
            army.add(unit).expect("a unit");
            let Some(path) = army.path(&world, id) else {
                continue;
            };
            assert_eq!(path[0].at, unit.position);
            assert_eq!(path.last().map(|point| point.at), army.stop_of(id), "{map}");
            toll_of(map, &path, 0.3);
            seen += 1;
        }
    });
    assert!(seen > 100, "{seen}");
}
