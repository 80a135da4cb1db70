//! Checks of the oracle: hand-counted maps, and the `pathfinding` crate with
//! its own version of the step rule.

use crate::oracle::draw::{Look, Rng, SIZES, draw, for_drawn};
use crate::oracle::{Map, WALL, field, field_within, in_cells, islands, lengths};
use flowtiles::{Cell, Sector};
use pathfinding::directed::dijkstra::{dijkstra, dijkstra_all};
use pathfinding::undirected::connected_components::components;

const START: u64 = 1_000_000_000_000;

/// Returns the steps out of a cell and their costs, written differently from
/// the oracle: first the four sides, then each corner between two open sides.
fn ways_out(map: &Map, from: Cell) -> Vec<(Cell, u64)> {
    let cost = u64::from(map.cost(from));
    let wall = |dx: i32, dy: i32| map.cost(Cell::new(from.x + dx, from.y + dy)) == WALL;
    let mut ways = Vec::new();
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        if !wall(dx, dy) {
            ways.push((Cell::new(from.x + dx, from.y + dy), 5 * cost));
        }
    }
    for dx in [-1, 1] {
        for dy in [-1, 1] {
            if !(wall(dx, 0) || wall(0, dy) || wall(dx, dy)) {
                ways.push((Cell::new(from.x + dx, from.y + dy), 7 * cost));
            }
        }
    }
    ways
}

/// Draws small maps of every look, each with an open goal.
fn small_maps() -> Vec<(Map, Cell)> {
    let small: Vec<(i32, i32)> = SIZES.into_iter().filter(|(w, h)| w * h <= 500).collect();
    let mut maps = Vec::new();
    for_drawn(1, &small, 3, |map, rng| {
        if let Some(goal) = rng.open_cell(map) {
            maps.push((map.clone(), goal));
        }
    });
    assert!(maps.len() > 40, "only {} maps have a goal", maps.len());
    maps
}

#[test]
fn the_oracle_agrees_with_a_search_from_each_cell() {
    let mut rng = Rng::new(7);
    let (mut reached, mut cut_off) = (0, 0);
    for (map, goal) in small_maps() {
        let field = field(&map, goal, START);
        let open = map.open_cells();
        for _ in 0..12 {
            let unit = rng.pick(&open);
            let found = dijkstra(&unit, |&cell| ways_out(&map, cell), |&cell| cell == goal);
            let expected = found.map(|(_, price)| START + price);
            assert_eq!(
                field[map.id(unit)],
                expected,
                "from {unit} to {goal} on {map}"
            );
            match expected {
                Some(_) => reached += 1,
                None => cut_off += 1,
            }
        }
    }
    assert!(
        reached > 300 && cut_off > 40,
        "{reached} reached, {cut_off} cut off"
    );
}

#[test]
fn the_oracle_agrees_with_a_flood_from_the_goal() {
    for (map, goal) in small_maps() {
        // Outward from the goal, a step costs what the cell that it enters
        // costs, since a unit would leave that cell.
        let ways_in = |&settled: &Cell| -> Vec<(Cell, u64)> {
            let next = ways_out(&map, settled).into_iter();
            next.map(|(cell, price)| {
                let weight = price / u64::from(map.cost(settled));
                (cell, weight * u64::from(map.cost(cell)))
            })
            .collect()
        };
        let flood = dijkstra_all(&goal, ways_in);
        let field = field(&map, goal, 0);
        for cell in map.cells() {
            let expected = if cell == goal {
                Some(0)
            } else {
                flood.get(&cell).map(|&(_, price)| price)
            };
            assert_eq!(field[map.id(cell)], expected, "{cell} to {goal} on {map}");
        }
    }
}

#[test]
fn restricted_oracle_agrees_with_one_on_a_walled_map() {
    let mut rng = Rng::new(11);
    for (map, goal) in small_maps() {
        let mut loaded = map.sectors();
        loaded.retain(|_| rng.chance(60));
        let ways_in = |&settled: &Cell| -> Vec<(Cell, u64)> {
            let next = ways_out(&map, settled).into_iter();
            next.filter(|(cell, _)| loaded.contains(&Sector::new(cell.x / 10, cell.y / 10)))
                .map(|(cell, price)| {
                    let weight = price / u64::from(map.cost(settled));
                    (cell, weight * u64::from(map.cost(cell)))
                })
                .collect()
        };
        let inside = loaded.contains(&Sector::new(goal.x / 10, goal.y / 10));
        let flood = dijkstra_all(&goal, ways_in);
        let field = field_within(&map, goal, 0, &loaded);
        for cell in map.cells() {
            let expected = match flood.get(&cell) {
                _ if !inside => None,
                _ if cell == goal => Some(0),
                found => found.map(|&(_, price)| price),
            };
            assert_eq!(field[map.id(cell)], expected, "{cell} to {goal} on {map}");
        }
    }
}

#[test]
fn the_islands_agree_with_components() {
    for (map, _) in small_maps() {
        let with_ways: Vec<Vec<Cell>> = map
            .open_cells()
            .into_iter()
            .map(|cell| {
                let ways = ways_out(&map, cell).into_iter().map(|(next, _)| next);
                std::iter::once(cell).chain(ways).collect()
            })
            .collect();
        let expected = components(&with_ways);
        let islands = islands(&map);
        let count = islands.iter().flatten().max().map_or(0, |last| last + 1);
        assert_eq!(count, expected.len(), "islands of {map}");
        for component in expected {
            let ids: Vec<_> = component
                .iter()
                .map(|&cell| islands[map.id(cell)])
                .collect();
            assert!(ids.iter().all(|&id| id == ids[0]), "one island of {map}");
        }
    }
}

#[test]
fn a_small_map_counted_by_hand() {
    // The cell that is left gives the cost, outward from the goal in the
    // north-east corner.
    let map = Map::of_picture(&[
        "...", //
        ".#3", //
        "2..",
    ]);
    let field = field(&map, Cell::new(2, 0), 100);
    #[rustfmt::skip]
    let expected = [
        Some(110), Some(105), Some(100),
        Some(115), None,      Some(115),
        Some(125), Some(125), Some(120),
    ];
    assert_eq!(field, expected);
}

#[test]
fn corners_of_restricted_cells_are_not_cut() {
    let mut map = Map::open(20, 20);
    let (goal, unit) = (Cell::new(10, 10), Cell::new(9, 9));
    let corner = [Sector::new(0, 0), Sector::new(1, 1)];
    assert_eq!(
        field_within(&map, goal, 0, &corner)[map.id(unit)],
        Some(7),
        "straight across the corner, though the side sectors are not loaded"
    );
    map.set(Cell::new(10, 9), WALL);
    assert_eq!(field_within(&map, goal, 0, &corner)[map.id(unit)], None);
    assert_eq!(field(&map, goal, 0)[map.id(unit)], Some(10));
}

#[test]
fn lengths_count_straights_and_diagonals() {
    let map = Map::of_picture(&["9....", ".....", "..#..", "....."]);
    let lengths = lengths(&map, Cell::new(0, 0));
    let of = |x, y| in_cells(lengths[map.id(Cell::new(x, y))].unwrap());
    assert!((of(4, 0) - 4.0).abs() < 1e-9);
    assert!(
        (of(3, 3) - (4.0 + 2.0f64.sqrt())).abs() < 1e-9,
        "around the wall"
    );
    assert!((of(4, 1) - (3.0 + 2.0f64.sqrt())).abs() < 1e-9);
}

#[test]
fn drawn_maps_are_what_they_say() {
    let open_share = |map: &Map| 100 * map.open_cells().len() / map.costs.len();
    for look in Look::ALL.into_iter().chain(Look::EVEN) {
        let map = draw(look, 137, 64, &mut Rng::new(3));
        assert!(map.costs.iter().all(|&cost| cost != 0));
        assert!(
            map == draw(look, 137, 64, &mut Rng::new(3)),
            "one seed, one map"
        );
        let (share, islands) = (open_share(&map), islands(&map));
        match look {
            Look::Open => assert_eq!(share, 100),
            Look::Walls(percent) => assert!((100 - share as i32 - percent).abs() < 3),
            Look::Maze | Look::Serpentine => assert_eq!(islands.iter().flatten().max(), Some(&0)),
            Look::Even(cost) => {
                let is_even = |&other: &u8| other == cost || other == WALL;
                assert!(
                    share > 75 && map.costs.iter().all(is_even),
                    "{share} % open"
                );
            }
            Look::Roads => {
                let roads = map.costs.iter().filter(|&&cost| cost == 1).count();
                assert!(
                    (2..50).contains(&(100 * roads / map.costs.len())),
                    "{roads} of road"
                );
            }
            Look::Rooms | Look::Caves | Look::Terrain | Look::Rough | Look::Mixed => {
                assert!((40..97).contains(&share), "{look:?}: {share} % open");
            }
        }
    }
}
