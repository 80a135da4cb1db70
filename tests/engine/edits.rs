//! Worlds that change under their orders: no unit is ever sent into a wall, and
//! in the end the world equals one built with the final costs.

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{End, answers, assert_field, assert_legal, finish, walk, world_of};
use crate::oracle::{Map, WALL, home_of, islands, sector_of};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Sample};

const SIZES: [(i32, i32); 4] = [(11, 21), (25, 14), (33, 58), (137, 64)];

/// A drawn world with a running order, and the map with which it must agree.
struct Game {
    map: Map,
    world: FlowWorld,
    order: Order,
    goal: Cell,
    units: Vec<Cell>,
}

impl Game {
    fn new(map: &Map, rng: &mut Rng) -> Option<Self> {
        let goal = rng.open_cell(map)?;
        let home = home_of(map, goal);
        let units: Vec<Cell> = (0..3).map(|_| rng.pick(&home)).collect();
        Some(Self::with(map, goal, &units))
    }

    fn with(map: &Map, goal: Cell, units: &[Cell]) -> Self {
        let mut world = world_of(map);
        let order = world.order(goal, units).expect("reachable");
        Self {
            map: map.clone(),
            world,
            order,
            goal,
            units: units.to_vec(),
        }
    }

    /// Changes a drawn rectangle that leaves the goal open.
    fn edit(&mut self, rng: &mut Rng) {
        let side = rng.pick(&[1, 2, 6, 15]);
        let area = rng.area(&self.map, side);
        if area.contains(self.goal) {
            return;
        }
        let drawn = rng.between(2, 254) as u8;
        let cost = rng.pick(&[WALL, WALL, WALL, 1, 1, drawn]);
        self.set(area, cost);
    }

    fn set(&mut self, area: impl Into<CellRect>, cost: u8) {
        let area = area.into();
        self.map.fill(area, cost);
        let cost = Cost::new(cost).expect("not 0");
        self.world.edit(area, cost).expect("on the map");
    }

    fn is_reachable(&self, unit: Cell) -> bool {
        let islands = islands(&self.map);
        let island = islands[self.map.id(unit)];
        island.is_some() && island == islands[self.map.id(self.goal)]
    }

    fn assert_legal(&self) {
        assert_legal(&self.world, &self.order, &self.map);
    }
}

fn for_drawn_games(salt: u64, mut check: impl FnMut(Game, &mut Rng)) {
    let mut checked = 0;
    for_drawn(salt, &SIZES, 3, |map, rng| {
        if let Some(game) = Game::new(map, rng) {
            check(game, rng);
            checked += 1;
        }
    });
    assert!(checked > 10, "{checked} games");
}

#[test]
fn no_direction_ever_points_into_a_wall() {
    for_drawn_games(41, |mut game, rng| {
        let early = rng.pick(&[0, 90, 400, u64::MAX]);
        game.world.tick(Budget::cells(early));
        for _ in 0..8 {
            game.edit(rng);
            game.assert_legal();
            game.world.tick(Budget::cells(rng.pick(&[0, 1, 150, 500])));
            game.assert_legal();
        }
        while game.world.tick(Budget::cells(200)).waiting > 0 {
            game.assert_legal();
        }
        game.assert_legal();
    });
}

#[test]
fn field_after_edits_is_exact_once_planned() {
    for_drawn_games(42, |mut game, rng| {
        finish(&mut game.world);
        for _ in 0..6 {
            for _ in 0..rng.between(1, 4) {
                game.edit(rng);
            }
            if rng.chance(50) {
                game.world.tick(Budget::cells(rng.below(500) as u64));
            }
            if rng.chance(50) {
                finish(&mut game.world);
                assert_field(&game.world, &game.order, &game.map, game.goal, 0);
            }
        }
        finish(&mut game.world);
        assert_field(&game.world, &game.order, &game.map, game.goal, 0);
        let unit = rng.open_cell(&game.map).expect("the goal is open");
        let expected = if game.is_reachable(unit) {
            (End::Arrived, game.goal)
        } else {
            (End::Unreachable, unit)
        };
        let walk = walk(&mut game.world, &game.order, &game.map, unit);
        assert_eq!(
            (walk.end, walk.last),
            expected,
            "{unit} to {} on {}",
            game.goal,
            game.map
        );
        assert_field(&game.world, &game.order, &game.map, game.goal, 0);
    });
}

#[test]
fn new_order_in_an_edited_world_equals_a_fresh_one() {
    for_drawn_games(43, |mut game, rng| {
        for _ in 0..5 {
            game.edit(rng);
            game.world.tick(Budget::cells(rng.below(300) as u64));
        }
        finish(&mut game.world);
        let mut units = game.units.clone();
        units.retain(|&unit| game.is_reachable(unit));
        if units.is_empty() {
            return;
        }
        let mut fresh = world_of(&game.map);
        let orders = [&mut game.world, &mut fresh].map(|world| {
            // Another start cost, or it would share the game's order.
            let goal = Goal::at(game.goal).with_start_cost(1);
            let order = world.order(goal, &units).expect("reachable");
            finish(world);
            order
        });
        let map = &game.map;
        assert_eq!(
            game.world.inspect().loaded(&orders[0]),
            fresh.inspect().loaded(&orders[1]),
            "on {map}"
        );
        assert_eq!(
            game.world.inspect().route(&orders[0]),
            fresh.inspect().route(&orders[1]),
            "on {map}"
        );
        let (edited, built) = (
            answers(&game.world, &orders[0], map),
            answers(&fresh, &orders[1], map),
        );
        assert!(edited == built, "answers on {map}");
    });
}

#[test]
fn cells_cut_off_are_unreachable_until_joined_again() {
    for_drawn_games(44, |mut game, rng| {
        finish(&mut game.world);
        let mut around = Vec::new();
        for cell in game.map.cells() {
            let (dx, dy) = (cell.x - game.goal.x, cell.y - game.goal.y);
            if dx.abs().max(dy.abs()) == 2 {
                around.push((cell, game.map.cost(cell)));
            }
        }
        for &(cell, _) in &around {
            game.set(cell, WALL);
        }
        // Before any tick, a unit that is cut off is unreachable, or goes on
        // for now in a direction that is still legal.
        game.assert_legal();
        let islands = islands(&game.map);
        for cell in game.map.open_cells() {
            let sample = game.world.sample(&game.order, cell);
            let reachable = islands[game.map.id(cell)] == islands[game.map.id(game.goal)];
            let allowed = if reachable {
                sample != Sample::Unreachable
            } else {
                matches!(sample, Sample::Unreachable | Sample::Go(_))
            };
            assert!(allowed, "{sample:?} at {cell} on {}", game.map);
            assert_eq!(
                game.world.reachable(cell, game.goal),
                reachable,
                "{cell} on {}",
                game.map
            );
        }
        finish(&mut game.world);
        assert_eq!(game.world.tick(Budget::UNLIMITED).cells, 0);
        assert_field(&game.world, &game.order, &game.map, game.goal, 0);
        for &(cell, cost) in &around {
            game.set(cell, cost);
        }
        let unit = rng.pick(&game.units);
        assert_ne!(game.world.sample(&game.order, unit), Sample::Unreachable);
        let walk = walk(&mut game.world, &game.order, &game.map, unit);
        assert_eq!(
            (walk.end, walk.last),
            (End::Arrived, game.goal),
            "on {}",
            game.map
        );
        finish(&mut game.world);
        assert_field(&game.world, &game.order, &game.map, game.goal, 0);
    });
}

#[test]
fn units_on_a_changing_map_arrive() {
    for_drawn_games(45, |mut game, rng| {
        for round in 0..60 {
            game.world
                .tick(Budget::cells(rng.pick(&[0, 100, 300, 1000])));
            for i in 0..game.units.len() {
                let here = game.units[i];
                match game.world.sample(&game.order, here) {
                    Sample::Go(direction) => {
                        let next = here.step(direction);
                        assert!(
                            !game.map.is_open(here) || game.map.step(here, next).is_some(),
                            "an illegal step {direction} from {here} on {}",
                            game.map
                        );
                        game.units[i] = next;
                    }
                    Sample::OffRoute => game.world.cover(&game.order, here).unwrap(),
                    Sample::Arrived => assert_eq!(here, game.goal),
                    _ => {}
                }
            }
            if round % 4 == 0 {
                game.edit(rng);
            }
        }
        // The map stays: a unit on open ground reaches the goal or is
        // unreachable.
        finish(&mut game.world);
        for unit in game.units.clone() {
            if !game.map.is_open(unit) {
                continue;
            }
            let expected = if game.is_reachable(unit) {
                (End::Arrived, game.goal)
            } else {
                (End::Unreachable, unit)
            };
            let walk = walk(&mut game.world, &game.order, &game.map, unit);
            assert_eq!((walk.end, walk.last), expected, "{unit} on {}", game.map);
        }
        assert_field(&game.world, &game.order, &game.map, game.goal, 0);
    });
}

#[test]
fn edit_report_counts_what_has_changed() {
    for_drawn_games(47, |mut game, rng| {
        for _ in 0..6 {
            let area = rng.area(&game.map, 15);
            let cost = rng.pick(&[WALL, 1, 9]);
            let changed = area
                .cells()
                .filter(|&cell| game.map.cost(cell) != cost)
                .count();
            game.map.fill(area, cost);
            let report = game.world.edit(area, Cost::new(cost).unwrap()).unwrap();
            assert_eq!(report.cells, changed as u64, "{area} on {}", game.map);
            assert_eq!(report.sectors == 0, changed == 0, "{area} on {}", game.map);
            let again = game.world.edit(area, Cost::new(cost).unwrap()).unwrap();
            assert_eq!(
                (again.cells, again.sectors, again.orders),
                (0, 0, 0),
                "nothing new"
            );
        }
        assert_eq!(game.world.costs().to_rows(), game.map.costs);
    });
}

#[test]
fn an_edit_off_the_map_changes_nothing() {
    let mut map = Map::open(25, 14);
    map.fill(CellRect::new(5, 5, 3, 3), WALL);
    let mut world = world_of(&map);
    let order = world.order(Cell::new(20, 10), &[Cell::new(1, 1)]).unwrap();
    finish(&mut world);
    let before = answers(&world, &order, &map);
    for area in [
        CellRect::new(24, 0, 2, 1),
        CellRect::new(0, 13, 1, 2),
        CellRect::new(-1, 0, 3, 3),
        CellRect::new(0, 0, u32::MAX, u32::MAX),
    ] {
        let error = world.edit(area, Cost::WALL).expect_err("off the map");
        assert_eq!(error.area, area);
        assert_eq!(world.costs().to_rows(), map.costs);
    }
    assert_eq!(world.tick(Budget::UNLIMITED).cells, 0);
    assert!(answers(&world, &order, &map) == before);
    let empty = world.edit(CellRect::new(3, 3, 0, 5), Cost::WALL).unwrap();
    assert_eq!(empty.cells, 0);
}

#[test]
fn door_toggled_many_times_takes_no_more_memory() {
    let mut map = Map::open(30, 10);
    map.fill(CellRect::new(15, 0, 1, 10), WALL);
    let (door, unit, goal) = (Cell::new(15, 4), Cell::new(3, 3), Cell::new(27, 7));
    map.set(door, 1);
    let mut world = world_of(&map);
    let order = world.order(goal, &[unit]).unwrap();
    finish(&mut world);
    let before = world.inspect().stats();
    let mut most = before.graph_bytes;
    for turn in 0..70_000 {
        for cost in [Cost::WALL, Cost::OPEN] {
            world.edit(door, cost).unwrap();
        }
        if turn % 1000 == 0 {
            most = most.max(world.inspect().stats().graph_bytes);
        }
    }
    assert!(most < before.graph_bytes + (2 << 20), "{most} bytes");
    assert_eq!(world.inspect().stats().islands, 1);
    assert!(world.inspect().stats().order_bytes <= 2 * before.order_bytes);
    finish(&mut world);
    assert_field(&world, &order, &map, goal, 0);
    world.edit(door, Cost::WALL).unwrap();
    map.set(door, WALL);
    assert_eq!(world.inspect().stats().islands, 2);
    finish(&mut world);
    assert_field(&world, &order, &map, goal, 0);
}

/// A finished search has looked through a door into a yard that the found path
/// does not touch. Then the door is closed, and a unit in the yard asks.
#[test]
fn unit_avoids_a_door_closed_since_the_search_saw_it() {
    let mut map = Map::open(120, 40);
    for wall in [
        CellRect::new(35, 5, 26, 1),
        CellRect::new(35, 5, 1, 35),
        CellRect::new(60, 5, 1, 35),
    ] {
        map.fill(wall, WALL);
    }
    let (door, back_way) = (Cell::new(35, 35), Cell::new(58, 5));
    map.fill(door.into(), 1);
    map.fill(back_way.into(), 1);
    let goal = Cell::new(5, 3);
    let mut game = Game::with(&map, goal, &[Cell::new(62, 38)]);
    finish(&mut game.world);
    assert!(
        !game
            .world
            .inspect()
            .loaded(&game.order)
            .contains(&sector_of(door))
    );
    game.set(door, WALL);
    let unit = Cell::new(38, 30);
    game.world
        .cover(&game.order, unit)
        .expect("it is on the map");
    finish(&mut game.world);
    let walk = walk(&mut game.world, &game.order, &game.map, unit);
    assert_eq!((walk.end, walk.last), (End::Arrived, goal));
    assert_field(&game.world, &game.order, &game.map, goal, 0);
}
