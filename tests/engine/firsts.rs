//! First directions: the steps that units may take before their tiles are
//! settled.

use crate::oracle::draw::{Look, Rng, draw};
use crate::oracle::follow::world_of;
use crate::oracle::{Map, home_of};
use flowtiles::{Budget, Cell, FlowWorld, Order, Sample};

const SECTOR: i32 = 10;

fn sector_of(cell: Cell) -> (i32, i32) {
    (cell.x / SECTOR, cell.y / SECTOR)
}

/// Follows first directions until there are none. Every step must be legal, and
/// no cell is visited twice.
fn follow(world: &FlowWorld, order: &Order, map: &Map, from: Cell) -> (Vec<Cell>, u64) {
    let (mut cells, mut price) = (vec![from], 0);
    let mut here = from;
    while let Sample::Toward(direction) = world.sample(order, here) {
        let next = here.step(direction);
        let step = map.step(here, next);
        price += step.unwrap_or_else(|| panic!("{direction} from {here} on {map}"));
        assert!(!cells.contains(&next), "{from} circles at {next} on {map}");
        cells.push(next);
        here = next;
    }
    (cells, price)
}

/// Ticks in small steps until a unit has a first direction; `None` if its tiles
/// are settled first.
fn until_first(world: &mut FlowWorld, order: &Order, unit: Cell) -> Option<()> {
    loop {
        match world.sample(order, unit) {
            Sample::Toward(_) => return Some(()),
            Sample::Waiting => drop(world.tick(Budget::cells(20))),
            _ => return None,
        }
    }
}

/// Returns a far goal, and scattered units that can reach it.
fn far_order(map: &Map, rng: &mut Rng) -> Option<(Cell, Vec<Cell>)> {
    let goal = rng.open_cell(map)?;
    let far = |cell: &Cell| (cell.x - goal.x).abs().max((cell.y - goal.y).abs()) > 60;
    let home: Vec<Cell> = home_of(map, goal).into_iter().filter(far).collect();
    if home.is_empty() {
        return None;
    }
    let camp = rng.pick(&home);
    let near = |cell: &&Cell| (cell.x - camp.x).abs().max((cell.y - camp.y).abs()) < 9;
    let around: Vec<Cell> = home.iter().filter(near).copied().collect();
    let count = rng.pick(&[0, 0, 1, 3, 6]);
    let units = (0..count).map(|_| rng.pick(&around));
    Some((goal, [camp].into_iter().chain(units).collect()))
}

#[test]
fn a_first_direction_is_on_the_path_that_the_search_found() {
    let mut rng = Rng::new(71);
    let (mut followed, mut over_borders) = (0, 0);
    for look in Look::ALL.into_iter().cycle().take(60) {
        let map = draw(look, 160, 130, &mut rng);
        let mut world = world_of(&map);
        let Some((goal, units)) = far_order(&map, &mut rng) else {
            continue;
        };
        let order = world.order(goal, &units).expect("reachable");
        if until_first(&mut world, &order, units[0]).is_none() {
            continue;
        }
        // Sectors are settled one after the other; by now all may be.
        for _ in 0..units.len() {
            world.tick(Budget::cells(100));
        }
        for &unit in &units {
            let (cells, price) = follow(&world, &order, &map, unit);
            let last = cells[cells.len() - 1];
            if cells.len() > 1 {
                let cost = |from| world.find_route(from, goal).unwrap().unwrap().cost;
                let (whole, rest) = (cost(unit), cost(last));
                assert_eq!(price + rest, whole, "{unit} by {last} to {goal} on {map}");
                followed += 1;
                over_borders += usize::from(sector_of(last) != sector_of(unit));
            }
        }
        // First directions never lead in a circle.
        for cell in map.open_cells() {
            follow(&world, &order, &map, cell);
        }
    }
    assert!(followed > 60, "{followed} followed");
    assert!(
        over_borders * 10 > followed * 9,
        "{over_borders} of {followed}"
    );
}

#[test]
fn orders_given_together_have_first_directions_long_before_their_tiles() {
    let mut rng = Rng::new(72);
    let map = draw(Look::Caves, 300, 260, &mut rng);
    let mut world = world_of(&map);
    let mut orders: Vec<(Order, Cell)> = Vec::new();
    while orders.len() < 60 {
        if let Some((goal, units)) = far_order(&map, &mut rng) {
            orders.push((world.order(goal, &units).expect("reachable"), units[0]));
        }
    }
    // The work done when each order had its first direction, and all its tiles.
    let (mut first, mut all) = (vec![None; orders.len()], vec![None; orders.len()]);
    let mut worked = 0;
    loop {
        let progress = world.tick(Budget::cells(500));
        worked += progress.cells;
        for (at, (order, unit)) in orders.iter().enumerate() {
            let sample = world.sample(order, *unit);
            if sample.direction().is_some() {
                first[at].get_or_insert(worked);
            }
            if matches!(sample, Sample::Go(_)) {
                all[at].get_or_insert(worked);
            }
        }
        if progress.waiting == 0 {
            break;
        }
    }
    let sum = |times: &[Option<u64>]| times.iter().map(|time| time.expect("led")).sum::<u64>();
    let (first, all) = (sum(&first), sum(&all));
    assert!(first * 100 < all * 80, "{first}, and {all} without");
}
