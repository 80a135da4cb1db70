//! What an order says to an area at once, compared with what it says to each of its cells.

use std::collections::BTreeMap;

use super::links::draw_link;
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{finish, world_of};
use crate::oracle::game::{Game, draw_input};
use crate::oracle::{Map, WALL};
use flowtiles::error::RowsError;
use flowtiles::{
    Budget, Cell, CellRect, Cost, FlowWorld, Goal, LayerId, Link, Order, Quality, Sample,
};

/// Checks the samples and the costs-to-go of an area; returns the bytes of the samples.
pub(crate) fn assert_rows(world: &FlowWorld, order: &Order, area: CellRect) -> Vec<u8> {
    let layer = world.layer(order.goal().layer()).expect("it has an order");
    let cells = area.width as usize * area.height as usize;
    let (mut samples, mut costs) = (vec![0x99; cells], vec![7; cells]);
    let read = world.sample_rows(order, area, &mut samples);
    read.expect("on the map");
    let read = world.cost_to_go_rows(order, area, &mut costs);
    read.expect("on the map");
    for ((cell, &byte), &cost) in area.cells().zip(&samples).zip(&costs) {
        let is_wall = layer.costs().get(cell) == Some(Cost::WALL);
        let sample = world.sample(order, cell);
        let wanted = if is_wall {
            Sample::BYTE_IN_WALL
        } else {
            sample.byte()
        };
        assert_eq!(byte, wanted, "{sample} at {cell} of {area}");
        let to_go = world.cost_to_go(order, cell);
        let wanted = to_go.map_or(u64::MAX, |to_go| to_go.min(u64::from(u32::MAX) - 1));
        assert_eq!(cost, wanted as u32, "{to_go:?} from {cell} of {area}");
    }
    samples
}

/// Every kind of byte is met: while work is under way and after it, before and after edits.
#[test]
fn areas_read_at_once_are_as_their_cells() {
    let mut seen: BTreeMap<u8, usize> = BTreeMap::new();
    for_drawn(
        195,
        &[(9, 9), (25, 14), (33, 58), (137, 64)],
        2,
        |map, rng| {
            let mut game = Game::new(map);
            for _ in 0..40 {
                match rng.below(8) {
                    0 => drop(game.world.add_link(draw_link(map, rng))),
                    1 => remove_link(&mut game.world, rng),
                    _ => game.apply(&draw_input(map, rng)),
                }
                for taken in &game.taken {
                    let side = rng.pick(&[1, 3, 12, 200]);
                    let area = rng.area(map, side);
                    for byte in assert_rows(&game.world, &taken.order, area) {
                        *seen.entry(byte).or_default() += 1;
                    }
                }
            }
            finish(&mut game.world);
            for taken in &game.taken {
                assert_rows(&game.world, &taken.order, game.world.costs().area());
            }
        },
    );
    let bytes: Vec<u8> = seen.keys().copied().collect();
    let all = (0..8).chain([0x10, 0x20, 0x30, 0x40, 0x50, 0x60]);
    assert_eq!(bytes, all.collect::<Vec<u8>>(), "{seen:?}");
}

fn remove_link(world: &mut FlowWorld, rng: &mut Rng) {
    let links: Vec<_> = world.inspect().links().map(|(id, _)| id).collect();
    if !links.is_empty() {
        world.remove_link(rng.pick(&links));
    }
}

/// Costs in 64 bits: far tiles, and those that do not fit into 32.
#[test]
fn costs_that_do_not_fit_are_the_greatest_but_one() {
    let mut map = Map::open(40, 30);
    map.fill(CellRect::new(20, 0, 1, 29), WALL);
    map.fill(CellRect::new(0, 0, 20, 30), 254);
    let mut world = world_of(&map);
    let start = u64::from(u32::MAX) - 30_000;
    let goal = Goal::at(Cell::new(35, 5)).with_start_cost(start);
    let order = world.order(goal, &[Cell::new(2, 2)]).expect("reachable");
    finish(&mut world);
    let mut costs = [0; 1200];
    let area = world.costs().area();
    world.cost_to_go_rows(&order, area, &mut costs).unwrap();
    let count = |wanted: u32| costs.iter().filter(|&&cost| cost == wanted).count();
    assert!(
        count(u32::MAX - 1) > 100 && count(u32::MAX) >= 29,
        "{costs:?}"
    );
    assert_eq!(costs[5 * 40 + 35], start as u32);
    assert_rows(&world, &order, area);
}

#[test]
fn goals_of_many_cells_have_their_own_start_costs() {
    let mut world = world_of(&Map::open(60, 40));
    let mut goal = Goal::at(Cell::new(10, 10)).with_start_cost(9);
    for cell in CellRect::new(30, 12, 25, 17).cells() {
        goal = goal.or_at(cell, 3 * (cell.x as u64 % 7));
    }
    let order = world.order(goal, &[Cell::new(1, 1)]).expect("reachable");
    finish(&mut world);
    let samples = assert_rows(&world, &order, world.costs().area());
    let arrived = samples
        .iter()
        .filter(|&&byte| byte == Sample::Arrived.byte());
    assert!(arrived.count() > 50);
}

#[test]
fn areas_off_the_map_and_room_of_another_size_are_refused() {
    let mut world = world_of(&Map::open(25, 14));
    let order = world.order(Cell::new(3, 3), &[]).expect("open ground");
    world.tick(Budget::UNLIMITED);
    let mut bytes = [0x99; 12];
    for area in [
        CellRect::new(-1, 0, 3, 4),
        CellRect::new(23, 0, 3, 4),
        CellRect::new(0, 11, 3, 4),
        CellRect::new(0, 0, u32::MAX, u32::MAX),
        CellRect::new(i32::MAX, i32::MAX, 3, 4),
    ] {
        let refused = world.sample_rows(&order, area, &mut bytes);
        assert!(matches!(refused, Err(RowsError::OffMap(off)) if off.area == area));
        let refused = world.cost_to_go_rows(&order, area, &mut [0; 12]);
        assert!(matches!(refused, Err(RowsError::OffMap(_))), "{area}");
    }
    let area = CellRect::new(0, 0, 3, 4);
    for found in [0, 11] {
        let refused = world.sample_rows(&order, area, &mut bytes[..found as usize]);
        let expected = 12;
        let error = RowsError::Length { expected, found };
        assert_eq!(refused, Err(error));
        assert!(error.to_string().contains("has 12"), "{error}");
    }
    assert_eq!(bytes, [0x99; 12], "nothing was written");
    let nothing = CellRect::new(-5, 0, 0, 9);
    assert_eq!(world.sample_rows(&order, nothing, &mut []), Ok(()));
    assert_eq!(world.sample_rows(&order, area, &mut bytes), Ok(()));
}

/// A link is closed at once, though its entry keeps its byte in the field.
#[test]
fn closed_link_is_not_entered_before_the_order_is_planned_again() {
    let mut map = Map::open(60, 20);
    map.fill(CellRect::new(30, 0, 1, 20), WALL);
    let mut world = world_of(&map);
    let entry = Cell::new(12, 7);
    let link = Link::new(entry, Cell::new(40, 7));
    let link = world.add_link(link).expect("on the map");
    let goal = Goal::at(Cell::new(55, 9)).with_quality(Quality::Everywhere);
    let order = world.order(goal, &[Cell::new(5, 9)]).expect("by the link");
    finish(&mut world);
    let area = world.costs().area();
    let at = entry.y as usize * 60 + entry.x as usize;
    let open = assert_rows(&world, &order, area);
    assert_eq!(open[at], 0x10);
    world.remove_link(link);
    let closed = assert_rows(&world, &order, area);
    assert_ne!(closed[at], 0x10);
    assert_eq!(order.goal().layer(), LayerId::GROUND);
}
