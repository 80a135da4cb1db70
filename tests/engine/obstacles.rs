//! Goals in buildings: units come to the side that they reach first.

use crate::oracle::follow::finish;
use flowtiles::error::OrderError;
use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Limits, Link};

/// The middle of each map.
const MIDDLE: Cell = Cell::new(200, 200);

/// Returns a world with walls in these areas.
fn walled(walls: &[CellRect]) -> FlowWorld {
    let mut costs = CostMap::open(400, 400).expect("costs");
    for &area in walls {
        costs.edit(area, Cost::WALL).expect("on the map");
    }
    FlowWorld::new(costs)
}

/// Returns the walls of a building with a court.
fn ring(area: CellRect) -> [CellRect; 4] {
    let CellRect {
        x,
        y,
        width,
        height,
        ..
    } = area;
    [
        CellRect::new(x, y, width, 1),
        CellRect::new(x, y + height as i32 - 1, width, 1),
        CellRect::new(x, y, 1, height),
        CellRect::new(x + width as i32 - 1, y, 1, height),
    ]
}

/// Four units: in the west, east, north and south of the map's middle.
fn units() -> [Cell; 4] {
    [(20, 200), (380, 200), (200, 20), (200, 380)].map(Cell::from)
}

/// Returns where an order leads the units.
fn ends_of<const N: usize>(world: &mut FlowWorld, goal: Goal, units: [Cell; N]) -> [Cell; N] {
    let order = world.order(goal.or_nearest(), &units).expect("a way");
    assert!(order.goal().cells().count() <= 129, "{:?}", order.goal());
    finish(world);
    units.map(|unit| world.destination(&order, unit).expect("a way"))
}

/// The last cell of an area.
fn open_end(area: CellRect) -> Cell {
    Cell::new(
        area.x + area.width as i32 - 1,
        area.y + area.height as i32 - 1,
    )
}

/// The four units end just beside the walls, each on its side, wherever in the building the
/// goal is.
#[test]
fn units_come_to_the_near_side_of_a_large_building() {
    for side in [16, 20, 40, 64] {
        let corner = 200 - side / 2;
        let building = CellRect::new(corner, corner, side as u32, side as u32);
        let mut world = walled(&[building]);
        let last = corner + side - 1;
        for goal in [
            (corner, corner),
            (last, corner + 1),
            (200, 200),
            (200, last),
        ] {
            let [west, east, north, south] = ends_of(&mut world, Goal::from(goal), units());
            let sides = [west.x, north.y, east.x, south.y];
            let wanted = [corner - 1, corner - 1, last + 1, last + 1];
            assert_eq!(sides, wanted, "toward {goal:?}");
        }
    }
}

#[test]
fn the_sides_of_a_court_are_those_of_all_its_cells() {
    for (side, thick) in [(20, 1), (50, 20), (60, 1), (60, 5), (64, 2)] {
        let corner = 200 - side / 2;
        let [low, whole] = [corner - thick, side + 2 * thick];
        let mut costs = CostMap::open(400, 400).expect("costs");
        let walls = CellRect::new(low, low, whole as u32, whole as u32);
        costs.edit(walls, Cost::WALL).expect("on the map");
        let court = CellRect::new(corner, corner, side as u32, side as u32);
        costs.edit(court, Cost::OPEN).expect("on the map");
        let mut world = FlowWorld::new(costs);
        let last = corner + side - 1;
        let goals = [(corner, corner), (200, 200), (last, 200), (corner, last)].map(Cell::from);
        // Units in it come to the very cell.
        let inside = Cell::new(corner + 1, corner + 2);
        let there = ends_of(&mut world, Goal::at(goals[1]), [inside]);
        assert_eq!(there, [goals[1]]);
        let goals = goals.map(Goal::at);
        let ends = goals.map(|goal| ends_of(&mut world, goal, units()));
        assert!(
            ends.iter().all(|other| *other == ends[0]),
            "{side}, {thick}: {ends:?}"
        );
        let open = open_end(CellRect::new(
            low - 1,
            low - 1,
            whole as u32 + 2,
            whole as u32 + 2,
        ));
        let [west, east, north, south] = ends[0];
        assert_eq!([west.x, north.y], [low - 1; 2], "{side}, {thick}");
        assert_eq!([east.x, south.y], [open.x, open.y], "{side}, {thick}");
    }
}

#[test]
fn goal_given_again_has_the_present_obstacle_sides() {
    let mut world = walled(&[CellRect::new(195, 195, 8, 8)]);
    let there = Goal::at(MIDDLE).or_nearest();
    let before = world.order(there.clone(), &units()).unwrap();
    let larger = CellRect::new(190, 190, 30, 30);
    world.edit(larger, Cost::WALL).unwrap();
    let again = world.order(before.goal().clone(), &units()).unwrap();
    let fresh = world.order(there, &units()).unwrap();
    assert_eq!(again.goal(), fresh.goal());
    let depot = Cell::new(30, 30);
    let other = before.goal().clone().or_at(depot, 0);
    assert!(other.cells().eq([MIDDLE, depot]));
}

/// Checks that units wait at a side, that they go to the goal itself once `open` has been
/// done, in a world that was saved as well, and that they wait again after `close`.
fn assert_goes_on(
    walls: &[CellRect],
    open: impl Fn(&mut FlowWorld),
    close: impl Fn(&mut FlowWorld),
) {
    let mut world = walled(walls);
    let units = units();
    let order = world.order(Goal::at(MIDDLE).or_nearest(), &units).unwrap();
    finish(&mut world);
    let ends = |world: &mut FlowWorld| {
        finish(world);
        let order = world.order_with_number(order.number()).unwrap();
        units.map(|unit| world.destination(&order, unit).unwrap())
    };
    let sides = ends(&mut world);
    assert!(!sides.contains(&MIDDLE));
    let (mut loaded, _orders) = FlowWorld::load(&world.save()).unwrap();
    for world in [&mut world, &mut loaded] {
        open(world);
        let order = world.order_with_number(order.number()).unwrap();
        finish(world);
        for at in units.into_iter().chain(sides) {
            world.cover(&order, at).unwrap();
        }
        finish(world);
        for at in units.into_iter().chain(sides) {
            assert_eq!(world.destination(&order, at), Some(MIDDLE), "{at}");
        }
        close(world);
        assert_eq!(ends(world), sides);
    }
    let hashes = [&world, &loaded].map(|world| world.state_hash());
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn units_at_a_side_go_on_where_the_goal_opens() {
    let court = CellRect::new(195, 195, 12, 12);
    let gate = CellRect::new(206, 200, 1, 2);
    let edit = |area, cost| {
        move |world: &mut FlowWorld| {
            world.edit(area, cost).unwrap();
        }
    };
    assert_goes_on(&ring(court), edit(gate, Cost::OPEN), edit(gate, Cost::WALL));
    let building = CellRect::new(198, 198, 6, 5);
    let (raze, build) = (edit(building, Cost::OPEN), edit(building, Cost::WALL));
    assert_goes_on(&[building], raze, build);
}

#[test]
fn units_come_to_a_lakes_shore_near_the_goal() {
    let mut world = walled(&[CellRect::new(100, 100, 200, 200)]);
    // Three cells from the northern shore.
    let goal = Goal::at(Cell::new(200, 102));
    for end in ends_of(&mut world, goal, units()) {
        assert!(end.y == 99 && end.x.abs_diff(200) <= 14, "{end}");
    }
    // No shore is near: the nearest cell counts, for all.
    let ends = ends_of(&mut world, Goal::at(Cell::new(200, 180)), units());
    assert_eq!(ends, [Cell::new(200, 99); 4]);
}

#[test]
fn inner_room_and_linked_court_are_no_obstacles() {
    // Two rooms of a map, each on the other's side only.
    let mut rooms = CostMap::open(60, 40).expect("costs");
    let walls = ring(CellRect::new(0, 0, 60, 40));
    for area in walls.into_iter().chain([CellRect::new(30, 0, 1, 40)]) {
        rooms.edit(area, Cost::WALL).expect("on the map");
    }
    let mut rooms = FlowWorld::new(rooms);
    let ends = ends_of(&mut rooms, Goal::at(Cell::new(50, 5)), [Cell::new(5, 35)]);
    assert_eq!(ends, [Cell::new(29, 5)]);

    let mut world = walled(&ring(CellRect::new(190, 190, 20, 20)));
    let link = Link::new(Cell::new(100, 200), Cell::new(195, 200));
    world.add_link(link).expect("a good link");
    let ends = ends_of(&mut world, Goal::at(MIDDLE), units());
    assert_eq!(ends, [MIDDLE; 4]);
}

#[test]
fn sides_keep_within_the_limit_and_refuse_nothing() {
    let mut world = walled(&[CellRect::new(180, 180, 40, 40)]);
    let mut limits: Limits = world.limits();
    limits.units = 9;
    world.set_limits(limits);
    let goal = Goal::at(MIDDLE).or_nearest();
    let order = world.order(goal, &units()).expect("within the limit");
    assert!((5..=9).contains(&order.goal().cells().count()));
    let refused = world.order(MIDDLE, &units());
    assert_eq!(refused, Err(OrderError::GoalInWall { goal: MIDDLE }));

    // Around the goal are only cells of an island without units.
    let mut world = walled(&ring(CellRect::new(100, 100, 200, 200)));
    world
        .edit(CellRect::new(198, 198, 5, 5), Cost::WALL)
        .expect("on the map");
    let ends = ends_of(&mut world, Goal::at(MIDDLE), units());
    assert_eq!(ends, [Cell::new(300, 200); 4]);
}
