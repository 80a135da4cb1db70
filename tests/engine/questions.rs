//! What a game asks without an order, compared with plain answers.

use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, LayerView, Movement,
};

use super::routes::{by_crossings, limit};
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::world_of;
use crate::oracle::{Map, home_of};

const SIZES: [(i32, i32); 4] = [(9, 9), (25, 14), (33, 58), (120, 97)];

/// Makes a world with a layer of wide bodies, and hands `hold` the ground's own layer and
/// this one, each with its map.
fn on_layers(map: &Map, rng: &mut Rng, mut check: impl FnMut(LayerView, &Map, &mut Rng)) {
    let mut world = world_of(map);
    let wide = Movement::new().with_size(2).expect("a size");
    let wide = world.add_layer(wide).expect("room for it");
    world.derive_layer(wide).expect("it is declared");
    for layer in [LayerId::GROUND, wide] {
        let view = world.layer(layer).expect("derived");
        check(view, &Map::of_costs(view.costs()), rng);
    }
}

#[test]
fn the_nearest_goal_is_the_one_with_the_cheapest_path() {
    let mut chosen = 0;
    for_drawn(181, &SIZES, 2, |map, rng| {
        let world = world_of(map);
        let graph = world.inspect().portal_graph();
        for _ in 0..3 {
            let from = rng.cell(map);
            let spread = rng.pick(&[4, 1000]);
            let mut goals = vec![rng.cell(map), rng.cell(map)];
            for _ in 0..rng.between(1, 9) {
                let (x, y) = (rng.between(-spread, spread), rng.between(-spread, spread));
                goals.push(Cell::new(from.x + x, from.y + y));
            }
            let cost = |&goal: &Cell| {
                let is_led = map.contains(goal) && home_of(map, goal).contains(&from);
                is_led.then(|| limit(map, graph, &by_crossings(map, graph, goal), from, goal))
            };
            let costs: Vec<Option<u64>> = goals.iter().map(cost).collect();
            for (&goal, &cost) in goals.iter().zip(&costs) {
                assert_eq!(
                    world.travel_cost(from, goal),
                    cost,
                    "{from} to {goal} on {map}"
                );
            }
            let best = costs.iter().flatten().min();
            let found = world.nearest_of(goals.iter().copied(), from);
            assert_eq!(found.is_some(), best.is_some(), "{from} on {map}");
            let Some(found) = found else { continue };
            let place = goals
                .iter()
                .position(|&goal| goal == found)
                .expect("a goal");
            assert_eq!(
                costs[place].as_ref(),
                best,
                "{from} to one of {goals:?} on {map}"
            );
            chosen += usize::from(costs.iter().flatten().any(|cost| Some(cost) != best));
        }
    });
    assert!(chosen > 15, "{chosen}");
}

#[test]
fn travel_costs_are_those_of_routes_on_every_layer() {
    for_drawn(182, &SIZES, 2, |map, rng| {
        on_layers(map, rng, |view, map, rng| {
            let goals: Vec<Cell> = (0..6).map(|_| rng.cell(map)).collect();
            let from = rng.cell(map);
            let route = |&goal: &Cell| Some(view.find_route(from, goal).expect("on the map")?.cost);
            let costs: Vec<Option<u64>> = goals.iter().map(route).collect();
            let asked = goals.iter().map(|&goal| view.travel_cost(from, goal));
            assert!(asked.eq(costs.iter().copied()), "from {from} on {map}");
            let nearest = view.nearest_of(goals.iter().copied(), from);
            let cost = nearest.and_then(|goal| view.travel_cost(from, goal));
            assert_eq!(
                cost,
                costs.iter().flatten().min().copied(),
                "from {from} on {map}"
            );
        });
    });
}

fn is_free(map: &Map, area: CellRect) -> bool {
    area.cells().all(|cell| map.is_open(cell))
}

#[test]
fn an_area_is_free_if_all_its_cells_are() {
    let mut seen = [0, 0];
    for_drawn(183, &SIZES, 2, |map, rng| {
        on_layers(map, rng, |view, map, rng| {
            for _ in 0..40 {
                let side = rng.pick(&[2, 5, 30]);
                let corner = rng.cell(map);
                let (width, height) = (rng.between(0, side), rng.between(0, side));
                let area = CellRect::new(corner.x - 1, corner.y - 1, width as u32, height as u32);
                let free = is_free(map, area);
                seen[usize::from(free)] += 1;
                assert_eq!(view.is_free(area), free, "{area} on {map}");
            }
        });
    });
    assert!(seen.iter().all(|&seen| seen > 60), "{seen:?}");
}

/// Returns the nearest free square by looking at all of them.
pub(crate) fn nearest_free(map: &Map, from: Cell, size: u32) -> Option<Cell> {
    let free = map
        .cells()
        .filter(|cell| is_free(map, CellRect::new(cell.x, cell.y, size, size)));
    free.min_by_key(|cell| {
        let (x, y) = (cell.x.abs_diff(from.x), cell.y.abs_diff(from.y));
        (5 * x.max(y) + 2 * x.min(y), cell.y, cell.x)
    })
}

#[test]
fn nearest_free_square_is_found_if_there_is_one() {
    let mut seen = [0, 0];
    for_drawn(184, &SIZES, 2, |map, rng| {
        on_layers(map, rng, |view, map, rng| {
            for size in [1, 2, 3, 7, 10, 11, 21, 40] {
                let from = rng.cell(map);
                let found = nearest_free(map, from, size);
                seen[usize::from(found.is_some())] += 1;
                assert_eq!(
                    view.nearest_free(from, size),
                    found,
                    "{size} from {from} on {map}"
                );
            }
        });
    });
    assert!(seen.iter().all(|&seen| seen > 30), "{seen:?}");
}

/// Held against sums of walls over the whole map.
#[test]
fn large_free_squares_are_the_nearest_too() {
    const SIDE: usize = 700;
    let mut rng = Rng::new(187);
    let mut costs = CostMap::open(SIDE as u32, SIDE as u32).unwrap();
    let mut found = 0;
    for walls in 0..12 {
        let mut sums = vec![[0_u32; SIDE + 1]; SIDE + 1];
        for y in (0..SIDE).rev() {
            for x in (0..SIDE).rev() {
                let is_wall = costs.get(Cell::new(x as i32, y as i32)) == Some(Cost::WALL);
                let both = sums[y + 1][x] + sums[y][x + 1];
                sums[y][x] = u32::from(is_wall) + both - sums[y + 1][x + 1];
            }
        }
        let world = FlowWorld::new(costs.clone());
        for size in [1, 60, 333, 699, 700] {
            let from = Cell::new(rng.below(SIDE as i32), rng.below(SIDE as i32));
            let corners = 0..=SIDE - size;
            let cells = corners
                .clone()
                .flat_map(|y| corners.clone().map(move |x| (x, y)));
            let free = cells.filter(|&(x, y)| {
                let (right, down) = (x + size, y + size);
                sums[y][x] + sums[down][right] == sums[down][x] + sums[y][right]
            });
            let nearest = free
                .map(|(x, y)| Cell::new(x as i32, y as i32))
                .min_by_key(|cell| {
                    let (x, y) = (cell.x.abs_diff(from.x), cell.y.abs_diff(from.y));
                    (5 * x.max(y) + 2 * x.min(y), cell.y, cell.x)
                });
            let answer = world.nearest_free(from, size as u32);
            assert_eq!(answer, nearest, "{size} from {from}, {walls} walls");
            found += usize::from(nearest.is_some());
        }
        let wall = Cell::new(rng.below(SIDE as i32), rng.below(SIDE as i32));
        costs.edit(wall, Cost::WALL).unwrap();
    }
    assert!((20..55).contains(&found), "{found}");
}

#[test]
fn questions_about_cells_off_the_map_are_answered() {
    let map = Map::open(25, 14);
    let world = world_of(&map);
    let (inside, outside) = (Cell::new(3, 3), Cell::new(25, 3));
    assert_eq!(world.travel_cost(inside, inside), Some(0));
    assert_eq!(world.travel_cost(inside, outside), None);
    assert_eq!(world.nearest_of([outside, inside], inside), Some(inside));
    assert_eq!(world.nearest_of([outside], inside), None);
    assert_eq!(world.nearest_of([inside], outside), None);
    assert_eq!(world.nearest_free(outside, 1), None);
    assert_eq!(world.nearest_free(inside, 0), None);
    assert_eq!(world.nearest_free(inside, 14), Some(Cell::new(3, 0)));
    assert_eq!(world.nearest_free(inside, u32::MAX), None);
    assert!(!world.is_free(CellRect::new(0, 0, u32::MAX, 1)));
    assert!(world.is_free(CellRect::new(-5, 0, 0, 9)));
}

/// A world that was asked questions does the same work afterwards as one that was not.
#[test]
fn questions_change_nothing_that_comes_later() {
    for_drawn(185, &[(120, 97)], 1, |map, rng| {
        let mut worlds = [world_of(map), world_of(map)];
        let (area, goal) = (rng.area(map, 6), rng.cell(map));
        let units: Vec<Cell> = (0..8).map(|_| rng.cell(map)).collect();
        let mut orders = Vec::new();
        for (asked, world) in worlds.iter_mut().enumerate() {
            world.edit(area, Cost::OPEN).expect("on the map");
            for _ in 0..asked {
                ask(world, goal, &units);
            }
            orders.extend(world.order(Goal::at(goal).or_nearest(), &units));
        }
        loop {
            let done = worlds
                .each_mut()
                .map(|world| world.tick(Budget::cells(300)).is_done());
            let [plain, asked] = &worlds;
            assert_eq!(asked.state_hash(), plain.state_hash(), "{map}");
            assert!(asked.save() == plain.save(), "{map}");
            if done == [true; 2] {
                break;
            }
        }
    });
}

fn ask(world: &FlowWorld, goal: Cell, units: &[Cell]) {
    for &unit in units {
        let _ = world.travel_cost(unit, goal);
        let _ = world.nearest_free(unit, 3);
        let _ = world.is_free(CellRect::new(unit.x, unit.y, 4, 4));
    }
    let _ = world.nearest_of(units.iter().copied(), goal);
}
