//! Provisional steps: what a unit may do while its order has no direction for it. The
//! referee tries all eight steps of the naive map.

use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{finish, world_of};
use crate::oracle::{Map, STEPS, islands};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, Direction, FlowWorld, Goal, LayerId, Link, Movement,
    Order, Sample, Teams,
};

/// The price of the walk between two cells if all ground were open.
fn away(from: Cell, to: Cell) -> i32 {
    let (x, y) = ((from.x - to.x).abs(), (from.y - to.y).abs());
    5 * x.max(y) + 2 * x.min(y)
}

/// The steps that the map allows and that come nearer to `end`.
fn nearer(map: &Map, from: Cell, end: Cell) -> Vec<Cell> {
    let steps = STEPS.map(|(dx, dy)| Cell::new(from.x + dx, from.y + dy));
    let is_nearer = |&to: &Cell| map.step(from, to).is_some() && away(to, end) < away(from, end);
    steps.into_iter().filter(is_nearer).collect()
}

/// Compares the provisional step of each cell with all that are allowed, and walks on by
/// them from each. Returns how many cells have one.
fn assert_provisional(world: &FlowWorld, order: &Order, map: &Map, end: Cell) -> usize {
    let islands = islands(map);
    let mut led = 0;
    for cell in map.cells() {
        let step = world.provisional(order, cell);
        let joined = map.is_open(cell) && islands[map.id(cell)] == islands[map.id(end)];
        let allowed = nearer(map, cell, end);
        match step {
            Some(step) => {
                assert!(
                    joined && allowed.contains(&cell.step(step)),
                    "{cell} on {map}"
                );
                led += 1;
            }
            None => assert!(!joined || allowed.is_empty(), "{cell} stands on {map}"),
        }
        let (mut here, mut steps) = (cell, 0);
        while let Some(step) = world.provisional(order, here) {
            assert!(away(here.step(step), end) < away(here, end));
            here = here.step(step);
            steps += 1;
        }
        assert!(steps <= map.width.max(map.height) * 2, "{cell} on {map}");
    }
    led
}

#[test]
fn provisional_step_is_legal_and_given_if_any_exists() {
    let sizes = [(1, 9), (11, 21), (33, 58)];
    let mut led = 0;
    for_drawn(190, &sizes, 3, |map, rng| {
        let (Some(goal), Some(unit)) = (rng.open_cell(map), rng.open_cell(map)) else {
            return;
        };
        let mut world = world_of(map);
        let Ok(order) = world.order(goal, &[unit]) else {
            return;
        };
        led += assert_provisional(&world, &order, map, goal);
        // Once there is a field, it alone leads.
        finish(&mut world);
        assert!(
            map.cells()
                .all(|cell| world.provisional(&order, cell).is_none())
        );
    });
    assert!(led > 3_000, "only {led} cells");
}

#[test]
fn a_provisional_step_obeys_the_ground_of_its_layer() {
    for seed in 0..6 {
        let map = draw(Look::Walls(10), 40, 30, &mut Rng::new(191 << 32 | seed));
        let mut world = world_of(&map);
        let gate = CellRect::new(20, 0, 1, 30);
        world.add_gate(gate, Teams::NONE.with(0)).unwrap();
        let wide = Movement::new().with_size(2).unwrap();
        let wide = world.add_layer(wide).unwrap();
        for layer in [(wide, 0), (LayerId::GROUND, 1), (wide, 1)] {
            let layer = layer.0.for_team(layer.1).expect("a team");
            world.derive_layer(layer).unwrap();
            let on_layer = Map::of_costs(world.layer(layer).unwrap().costs());
            let goal = on_layer.open_cells()[seed as usize * 11];
            let order = world.order(Goal::at(goal).on(layer), &[goal]).unwrap();
            assert_provisional(&world, &order, &on_layer, goal);
        }
    }
}

#[test]
fn provisional_steps_over_open_ground_are_the_fewest() {
    let mut world = FlowWorld::new(CostMap::open(120, 90).unwrap());
    let goal = Cell::new(71, 40);
    let order = world.order(goal, &[Cell::new(0, 0)]).unwrap();
    for start in [(0, 0), (119, 0), (3, 89), (71, 2), (119, 41), (70, 39)].map(Cell::from) {
        let (mut cell, mut price) = (start, 0);
        while let Some(step) = world.provisional(&order, cell) {
            price += if step.is_diagonal() { 7 } else { 5 };
            cell = cell.step(step);
        }
        assert_eq!((cell, price), (goal, away(start, goal)));
    }
    // Of several steps, the one closest to the straight line.
    assert_eq!(
        world.provisional(&order, (3, 39).into()),
        Some(Direction::East)
    );
    assert_eq!(
        world.provisional(&order, (69, 2).into()),
        Some(Direction::South)
    );
    assert_eq!(
        world.provisional(&order, (1, 1).into()),
        Some(Direction::SouthEast)
    );
}

#[test]
fn provisional_steps_lead_to_the_nearest_goal_alone() {
    let mut map = CostMap::open(60, 30).unwrap();
    map.edit(CellRect::new(30, 0, 2, 30), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let (west, east) = (Cell::new(10, 10), Cell::new(28, 10));
    let across = Cell::new(50, 10);
    // The cell across the wall is nearer, and cannot be reached.
    let goal = Goal::at(across).or_at(east, 0).or_at(west, 0);
    let order = world.order(goal, &[west]).unwrap();
    for (from, step) in [
        ((20, 10), Some(Direction::East)),
        ((16, 10), Some(Direction::West)),
        ((29, 10), Some(Direction::West)),
        ((59, 10), Some(Direction::West)),
        ((30, 10), None),
        ((60, 10), None),
        ((-1, -1), None),
    ] {
        let told = world.provisional(&order, Cell::from(from));
        assert_eq!(told, step, "{from:?}");
    }
    let strict = world.order(across, &[Cell::new(58, 3)]).unwrap();
    assert_eq!(world.sample(&strict, west), Sample::Unreachable);
    assert_eq!(world.provisional(&strict, west), None);
    let lenient = Goal::at(across).or_nearest();
    let lenient = world.order(lenient, &[west]).unwrap();
    assert_eq!(world.provisional(&lenient, west), Some(Direction::East));
    assert_eq!(world.provisional(&lenient, Cell::new(29, 10)), None);
    // Where a link leads across, straight on may be the wrong way.
    let link = Link::new(CellRect::new(2, 2, 1, 1), Cell::new(40, 2));
    world.add_link(link).unwrap();
    for goal in [Goal::at(across), Goal::at(across).or_nearest()] {
        let order = world.order(goal, &[west]).unwrap();
        assert_eq!(world.sample(&order, west), Sample::Waiting);
        assert_eq!(world.provisional(&order, west), None);
    }
}

/// A unit on its way by cells.
struct CrowdUnit {
    cell: Cell,
    /// The cells of its provisional walk.
    trail: Vec<Cell>,
    has_arrived: bool,
}

/// The provisional step of a unit that waits: there is one if a cell nearer to the goal is
/// free.
fn provisional_step(
    world: &FlowWorld,
    order: &Order,
    map: &Map,
    here: Cell,
    goal: Cell,
) -> Option<Direction> {
    let step = world.provisional(order, here);
    let free = nearer(map, here, goal);
    assert_eq!(step.is_some(), !free.is_empty(), "{here} on {map}");
    step
}

#[test]
fn units_on_tiny_budgets_arrive_without_needless_wait() {
    let sizes = [(33, 58), (210, 130)];
    let (mut arrived, mut provisional, mut strayed) = (0, 0, 0);
    for_drawn(192, &sizes, 1, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let cells: Vec<Cell> = (0..12).filter_map(|_| rng.open_cell(map)).collect();
        let mut world = world_of(map);
        let Ok(order) = world.order(goal, &cells) else {
            return;
        };
        let walker = |cell| CrowdUnit {
            cell,
            trail: Vec::new(),
            has_arrived: false,
        };
        let mut walkers: Vec<CrowdUnit> = cells.into_iter().map(walker).collect();
        let budget = Budget::cells(rng.between(3, 60) as u64);
        let mut ticks = 0;
        while walkers.iter().any(|walker| !walker.has_arrived) {
            world.tick(budget);
            ticks += 1;
            assert!(ticks < 60_000, "they do not arrive on {map}");
            for walker in &mut walkers {
                let here = walker.cell;
                let sample = world.sample(&order, here);
                let step = match sample {
                    Sample::Waiting => provisional_step(&world, &order, map, here, goal),
                    Sample::OffRoute => {
                        world.cover(&order, here).unwrap();
                        strayed += 1;
                        continue;
                    }
                    other => other.direction(),
                };
                walker.has_arrived = matches!(sample, Sample::Arrived | Sample::Unreachable);
                arrived += usize::from(sample == Sample::Arrived);
                let Some(step) = step else { continue };
                walker.cell = here.step(step);
                assert!(map.step(here, walker.cell).is_some(), "{here} on {map}");
                if sample == Sample::Waiting {
                    walker.trail.push(here);
                    assert!(!walker.trail.contains(&walker.cell), "a circle on {map}");
                    provisional += 1;
                } else {
                    walker.trail.clear();
                }
            }
        }
    });
    assert!(arrived > 50, "only {arrived} arrived");
    assert!(provisional > 300, "only {provisional} provisional steps");
    assert!(strayed > 0, "only {strayed} were off the route");
}

#[test]
fn order_being_replanned_leads_by_its_field_alone() {
    let mut world = FlowWorld::new(CostMap::open(90, 40).unwrap());
    let (start, goal) = (Cell::new(5, 20), Cell::new(80, 20));
    let order = world.order(goal, &[start]).unwrap();
    world.edit(Cell::new(60, 2), Cost::WALL).unwrap();
    let told = world.provisional(&order, start);
    assert_eq!(
        told,
        Some(Direction::East),
        "an edit before there is a field"
    );
    finish(&mut world);
    world.edit(CellRect::new(40, 5, 2, 30), Cost::WALL).unwrap();
    let waits = |cell: &Cell| world.sample(&order, *cell) == Sample::Waiting;
    let map = Map::of_costs(world.costs());
    let waiting: Vec<Cell> = map.cells().filter(waits).collect();
    assert!(!waiting.is_empty());
    for cell in waiting {
        assert_eq!(world.provisional(&order, cell), None, "{cell}");
    }
}
