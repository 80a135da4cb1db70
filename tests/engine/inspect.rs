//! Draw lists, compared with the map: every shape agrees with the cell under
//! it.

use flowtiles::inspect::OrderStage;
use flowtiles::inspect::{
    Answer, CLEARANCE_MAX, Detail, DrawList, Figure, Overlay, Paint, Primitive, Ramp, Subject,
    clearance, density, draw, explain,
};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, Direction, FlowWorld, Goal, Order, Quality,
};

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::{Map, field_within, islands, sector_of};

fn whole(map: &Map) -> CellRect {
    CellRect::new(0, 0, map.width as u32, map.height as u32)
}

/// Returns the colours with which a layer fills a cell, the lowest first.
fn paints(list: &DrawList, layer: Overlay, cell: Cell) -> Vec<Paint> {
    let fills = |shape: &&Primitive| match shape.figure {
        Figure::Fill(area) => shape.overlay == layer && area.contains(cell),
        _ => false,
    };
    list.primitives
        .iter()
        .filter(fills)
        .map(|shape| shape.paint)
        .collect()
}

fn count(list: &DrawList, layer: Overlay) -> usize {
    list.primitives
        .iter()
        .filter(|shape| shape.overlay == layer)
        .count()
}

/// Returns a world with a finished order, from a cell that can reach the goal.
fn made(map: &Map, goal: Cell, quality: Quality, rng: &mut Rng) -> Option<(FlowWorld, Order)> {
    let home = crate::oracle::home_of(map, goal);
    let from = rng.pick(&home);
    let mut world = FlowWorld::new(map.cost_map());
    let goal = Goal::at(goal).with_quality(quality);
    let order = world.order(goal, &[from]).ok()?;
    world.tick(Budget::UNLIMITED);
    Some((world, order))
}

#[test]
fn clearance_is_the_largest_square_that_fits() {
    for_drawn(911, &[(1, 1), (11, 21), (33, 58)], 1, |map, rng| {
        let view = rng.area(map, 40);
        let values = clearance(&map.cost_map(), view);
        for cell in view.cells() {
            let fits = |side: i32| {
                let square = CellRect::new(cell.x, cell.y, side as u32, side as u32);
                square.cells().all(|cell| map.is_open(cell))
            };
            let most = i32::from(CLEARANCE_MAX);
            let side = (1..=most).take_while(|&side| fits(side)).count();
            let here = map.contains(cell).then_some(side as u8);
            assert_eq!(values.get(cell).copied(), here, "{cell} of {map}");
        }
        assert_eq!(values.get(Cell::new(view.x - 1, view.y)), None);
    });
    // A view may reach far beyond the map.
    let open = CostMap::open(12, 9).unwrap();
    let all = clearance(&open, CellRect::new(0, 0, u32::MAX, u32::MAX));
    assert_eq!(all, clearance(&open, CellRect::new(-7, -7, 90, 90)));
    assert_eq!(all.view(), CellRect::new(0, 0, 12, 9));
    // Open squares up to the map's edge, and up to the limit of reported
    // values.
    let open = CostMap::open(100, 100).unwrap();
    let values = clearance(&open, CellRect::new(-2, 60, 102, 40));
    let at = |x, y| values.get(Cell::new(x, y)).copied();
    assert_eq!(
        [at(-1, 60), at(0, 60), at(99, 99), at(90, 60), at(0, 95)],
        [None, Some(CLEARANCE_MAX), Some(1), Some(10), Some(5)]
    );
}

#[test]
fn density_counts_the_units_of_each_cell() {
    let units = [
        [0.5, 0.5],
        [0.99, 0.0],
        [1.0, 0.5],
        [-0.1, 0.5],
        [f32::NAN, 0.0],
        [3e18, 0.0],
    ];
    let counts = density(&units, CellRect::new(-1, 0, 3, 1));
    assert_eq!(counts.iter().copied().collect::<Vec<_>>(), [1, 2, 1]);
}

#[test]
#[should_panic(expected = "give the part that is on the map")]
fn density_refuses_a_view_larger_than_any_map() {
    let _ = density(&[], CellRect::new(0, 0, u32::MAX, u32::MAX));
}

#[test]
fn ground_and_islands_are_those_of_the_map() {
    for_drawn(912, &[(9, 11), (25, 14), (33, 58)], 1, |map, rng| {
        let world = FlowWorld::new(map.cost_map());
        let view = rng.area(map, 30);
        let layers = [Overlay::Islands, Overlay::Cost];
        let list = draw(&Subject::of(&world), view, &layers, Detail::Arrows);
        let islands = islands(map);
        for cell in view.cells() {
            let ground = match map.cost(cell) {
                255 => Paint::Ground { cost: 1, walls: 8 },
                cost => Paint::Ground { cost, walls: 0 },
            };
            assert_eq!(
                paints(&list, Overlay::Cost, cell),
                [ground],
                "{cell} of {map}"
            );
            let number = world
                .inspect()
                .island(cell)
                .map(|number| (number % Paint::ISLANDS) as u8);
            let tints: Vec<Paint> = number.map(Paint::Island).into_iter().collect();
            assert_eq!(paints(&list, Overlay::Islands, cell), tints);
            assert_eq!(number.is_some(), islands[map.id(cell)].is_some());
        }
        // The lower layer comes first, in whatever order the layers are named.
        let first_island = list
            .primitives
            .iter()
            .position(|shape| shape.overlay == Overlay::Islands);
        let grounds = count(&list, Overlay::Cost);
        assert!(first_island.is_none_or(|at| at == grounds));
    });
}

#[test]
fn fields_and_samples_agree() {
    for_drawn(913, &[(9, 11), (21, 21), (33, 58)], 1, |map, rng| {
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let Some((world, order)) = made(map, goal, Quality::Corridor, rng) else {
            return;
        };
        let orders = [order];
        let subject = Subject::of(&world).with_orders(&orders);
        let list = draw(&subject, whole(map), &Overlay::ALL, Detail::Arrows);
        let arrows: Vec<(Cell, Direction)> = arrows(&list);
        let oracle = field_within(map, goal, 0, &world.inspect().loaded(&orders[0]));
        let high = oracle.iter().flatten().max().copied().unwrap_or(0);
        for cell in map.cells() {
            let sample = world.sample(&orders[0], cell);
            let is_shown =
                map.is_open(cell) && world.inspect().is_loaded(&orders[0], sector_of(cell));
            let told = sample.direction().filter(|_| is_shown);
            let drawn: Vec<_> = arrows.iter().filter(|(at, _)| *at == cell).collect();
            assert_eq!(drawn.first().map(|(_, way)| *way), told, "{cell} of {map}");
            assert!(drawn.len() <= 1);
            let in_sight = world.sees_goal(&orders[0], cell).is_some();
            let lit = !paints(&list, Overlay::Sight, cell).is_empty();
            assert_eq!(lit, in_sight, "{cell} of {map}");
            // The colour is the cost-to-go as a part of the highest one.
            let colours = paints(&list, Overlay::Integration, cell);
            let part = oracle[map.id(cell)].map(|cost| (cost * 255 / high.max(1)) as i32);
            match (&colours[..], part) {
                ([], None) => {}
                ([Paint::Value(Ramp::Integration, place)], Some(part)) => {
                    assert!((i32::from(*place) - part).abs() <= 9, "{place} for {part}");
                }
                (colours, part) => panic!("{colours:?} for {part:?} at {cell} of {map}"),
            }
            let tint = !paints(&list, Overlay::Loaded, cell).is_empty();
            assert_eq!(tint, world.inspect().is_loaded(&orders[0], sector_of(cell)));
        }
    });
}

fn arrows(list: &DrawList) -> Vec<(Cell, Direction)> {
    let arrow = |shape: &Primitive| match shape.figure {
        Figure::Arrow {
            at: [x, y],
            direction,
            ..
        } => Some((Cell::new(x as i32, y as i32), direction)),
        _ => None,
    };
    list.primitives.iter().filter_map(arrow).collect()
}

#[test]
fn ways_lead_from_the_units_to_the_goal() {
    let mut map = Map::open(60, 40);
    map.fill(CellRect::new(30, 0, 1, 35), 255);
    let mut world = FlowWorld::new(map.cost_map());
    let (goal, units) = (Cell::new(55, 3), [Cell::new(2, 2), Cell::new(4, 30)]);
    let orders = [world.order(goal, &units).unwrap()];
    world.tick(Budget::UNLIMITED);
    let subject = Subject::of(&world).with_orders(&orders);
    let list = draw(&subject, whole(&map), &[Overlay::Paths], Detail::Cells);
    let lines: Vec<([f32; 2], [f32; 2])> = list
        .primitives
        .iter()
        .filter_map(|shape| match shape.figure {
            Figure::Line { from, to } => Some((from, to)),
            _ => None,
        })
        .collect();
    for unit in units {
        assert!(lines.iter().any(|(from, _)| *from == unit.centre()));
    }
    assert_eq!(
        lines.iter().filter(|(_, to)| *to == goal.centre()).count(),
        1
    );
    // Each cell on a unit's path lies on a line.
    for mut unit in units {
        while let Some(way) = world.sample(&orders[0], unit).direction() {
            let [x, y] = unit.centre();
            let lies_on = |&([ax, ay], [bx, by]): &([f32; 2], [f32; 2])| {
                let cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
                let between = |a: f32, b: f32, at: f32| a.min(b) <= at && at <= a.max(b);
                cross == 0.0 && between(ax, bx, x) && between(ay, by, y)
            };
            assert!(lines.iter().any(lies_on), "{unit}");
            unit = unit.step(way);
        }
        assert_eq!(unit, goal);
    }
}

/// Returns a map that looks the same around its north-west corner, whatever its
/// size.
fn of_side(side: i32) -> Map {
    let mut map = Map::open(side, side);
    for y in (3..side.min(120)).step_by(7) {
        map.fill(CellRect::new(y % 5, y, 90, 1), 255);
        map.set(Cell::new(40 + y % 9, y), 1);
        map.fill(CellRect::new(20, y - 1, 30, 1), 6);
    }
    map
}

#[test]
fn a_list_is_as_large_as_the_view_whatever_the_map() {
    let view = CellRect::new(0, 0, 80, 80);
    let layers = [
        Overlay::Cost,
        Overlay::Clearance,
        Overlay::Integration,
        Overlay::Loaded,
        Overlay::Sectors,
        Overlay::Graph,
        Overlay::Portals,
        Overlay::Flow,
        Overlay::Paths,
        Overlay::Units,
    ];
    let mut lists: Vec<DrawList> = Vec::new();
    for side in [200, 2000] {
        let mut world = FlowWorld::new(of_side(side).cost_map());
        let order = world.order(Cell::new(70, 70), &[Cell::new(3, 1)]).unwrap();
        world.tick(Budget::UNLIMITED);
        let subject = Subject::of(&world).with_orders(std::slice::from_ref(&order));
        lists.push(draw(&subject, view, &layers, Detail::Arrows));
    }
    assert!(lists[0] == lists[1], "the same view of two maps");
    let cells = 80 * 80;
    assert!(lists[0].primitives.len() < 4 * cells);
    assert!(count(&lists[0], Overlay::Cost) <= cells);
}

#[test]
fn blocks_sum_up_their_cells() {
    for_drawn(914, &[(11, 21), (33, 58)], 1, |map, _| {
        let world = FlowWorld::new(map.cost_map());
        let list = draw(
            &Subject::of(&world),
            whole(map),
            &[Overlay::Cost],
            Detail::Blocks(7),
        );
        for cell in map.cells() {
            let (x, y) = (cell.x / 7 * 7, cell.y / 7 * 7);
            let block = CellRect::new(x, y, 7, 7)
                .cells()
                .filter(|&cell| map.contains(cell));
            let (open, walls): (Vec<Cell>, Vec<Cell>) = block.partition(|&cell| map.is_open(cell));
            let sum: usize = open.iter().map(|&cell| usize::from(map.cost(cell))).sum();
            let cost = (sum + open.len() / 2).checked_div(open.len()).unwrap_or(1) as u8;
            // No wall and no gap disappears, however few of the cells it has.
            let walls = match (open.len(), walls.len()) {
                (_, 0) => 0,
                (0, _) => 8,
                (open, walls) => 3 + (walls * 4 / (walls + open)) as u8,
            };
            assert_eq!(
                paints(&list, Overlay::Cost, cell),
                [Paint::Ground { cost, walls }]
            );
        }
    });
}

#[test]
fn view_shows_only_the_part_on_the_map() {
    let world = FlowWorld::new(CostMap::open(30, 30).unwrap());
    let subject = Subject::of(&world);
    let off = draw(
        &subject,
        CellRect::new(30, 0, 5, 5),
        &Overlay::ALL,
        Detail::Numbers,
    );
    assert!(off.primitives.is_empty() && off.key.is_empty());
    let across = draw(
        &subject,
        CellRect::new(-5, 25, 10, 10),
        &Overlay::ALL,
        Detail::Numbers,
    );
    assert_eq!(across.view, CellRect::new(0, 25, 5, 5));
}

/// The rows of a map: a door between two rooms, and a room without one.
const ROOMS: [&str; 4] = [
    "....3......#...#..",
    "....3......#...#..",
    "...............#..",
    "....3......#...#..",
];

#[test]
fn planned_order_is_explained_cell_by_cell() {
    let map = Map::of_picture(&ROOMS);
    let mut world = FlowWorld::new(map.cost_map());
    let goal = Cell::new(13, 2);
    let order = world.order(goal, &[Cell::new(0, 0)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let explained = |x, y| explain(&world, &order, Cell::new(x, y));

    assert_eq!(explained(13, 2).answer, Answer::Arrived);
    assert_eq!(explained(99, 2).answer, Answer::OffMap);
    let Answer::InSight { goal: seen, next } = explained(11, 2).answer else {
        panic!("the goal is two cells away");
    };
    assert_eq!((seen, next), (goal, Cell::new(12, 2)));

    let start = explained(0, 0);
    assert_eq!(
        (start.island, start.is_loaded),
        (world.inspect().island(goal), true)
    );
    let oracle = field_within(&map, goal, 0, &world.inspect().loaded(&order));
    assert_eq!(start.cost_to_go, oracle[0]);
    let Answer::AlongField {
        exit: Some(exit),
        end,
        ..
    } = start.answer
    else {
        panic!("{start:?}");
    };
    assert_eq!((exit.from, exit.to), (Cell::new(9, 2), Cell::new(10, 2)));
    assert_eq!(end, Some(goal));
    let portal = world
        .inspect()
        .portal_graph()
        .portal(exit.portal.unwrap())
        .unwrap();
    assert!(portal.contains(exit.from) && portal.contains(exit.to));
    assert_eq!(
        start.to_string(),
        "Cell (0, 0) in sector [0, 0], which the order has loaded: cost 1, on island 0.\n\
         Go east to (1, 0): along the order's field.\n\
         The path leaves the sector at (9, 2) through portal 0.0e0 to (10, 2) in sector [1, 0].\n\
         It ends at the goal (13, 2).\n\
         Cost-to-go 69: as far as 13.8 straight steps over open ground."
    );

    let apart = explained(17, 3);
    let nearest = world.nearest_reachable(Cell::new(17, 3), goal);
    assert_eq!(nearest, Some(Cell::new(16, 2)));
    let Answer::OtherIsland {
        goal: island,
        nearest: told,
    } = apart.answer
    else {
        panic!("{apart:?}");
    };
    assert_eq!((island, told), (world.inspect().island(goal), nearest));
    assert_ne!(apart.island, island);
    assert!(
        apart
            .to_string()
            .contains("nearest cell to it that can be reached is (16, 2)")
    );

    let wall = explained(11, 0);
    assert!(matches!(wall.answer, Answer::OutOfWall { .. }), "{wall:?}");
    assert_eq!((wall.island, wall.cost), (None, Some(Cost::WALL)));
}

#[test]
fn unfinished_orders_and_strays_are_explained() {
    let mut world = FlowWorld::new(CostMap::open(400, 400).unwrap());
    let (from, goal) = (Cell::new(5, 5), Cell::new(390, 390));
    let order = world.order(goal, &[from]).unwrap();
    let waiting = explain(&world, &order, from);
    assert_eq!(
        (waiting.answer, waiting.stage),
        (Answer::Waiting, OrderStage::Search)
    );
    assert!(
        waiting
            .to_string()
            .contains("Wait: the order's directions are being made")
    );
    while world.tick(Budget::cells(100)).waiting > 0 {
        assert_eq!(explain(&world, &order, from).answer, Answer::Waiting);
    }
    let stray = explain(&world, &order, Cell::new(5, 390));
    assert_eq!((stray.answer, stray.is_loaded), (Answer::OffRoute, false));
    assert!(stray.to_string().contains("`FlowWorld::cover`"), "{stray}");

    // After an edit on the path, the order is stale until it is planned again.
    world
        .edit(CellRect::new(200, 100, 1, 299), Cost::WALL)
        .unwrap();
    let stale = explain(&world, &order, from);
    assert!(
        stale.is_stale && stale.to_string().contains("not replanned yet"),
        "{stale}"
    );
    world.tick(Budget::UNLIMITED);
    assert!(!explain(&world, &order, from).is_stale);
}

#[test]
fn a_unit_that_is_walled_in_is_shut_in() {
    let map = Map::of_picture(&ROOMS);
    let mut world = FlowWorld::new(map.cost_map());
    let order = world.order(Cell::new(13, 2), &[Cell::new(0, 0)]).unwrap();
    world.tick(Budget::UNLIMITED);
    world.edit(CellRect::new(0, 0, 18, 4), Cost::WALL).unwrap();
    world.tick(Budget::UNLIMITED);
    let answer = explain(&world, &order, Cell::new(0, 0)).answer;
    assert_eq!(answer, Answer::ShutIn);
}

#[test]
fn layers_are_read_by_name_or_refused() {
    for layer in Overlay::ALL {
        assert_eq!(layer.name().parse(), Ok(layer));
    }
    let refused = "height".parse::<Overlay>().unwrap_err().to_string();
    assert!(refused.starts_with("no layer is called `height`: name one of cost, islands"));
}
