//! Congestion: the same world however it is sliced, forked and loaded; and a column that
//! divides itself between bridges without going to and fro. That each layer has the costs
//! of the definition is held in `layers`.

use std::collections::BTreeSet;

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::finish;
use crate::oracle::jams::draw_units;
use crate::oracle::{Map, WALL};
use flowtiles::{
    Budget, Cell, CellRect, Cost, Direction, FlowWorld, Goal, LayerId, Movement, Order, Quality,
};

/// A world with two layers that heed congestion, and orders on them.
fn begin(map: &Map, rng: &mut Rng) -> (FlowWorld, Vec<Order>) {
    let mut world = FlowWorld::new(map.cost_map());
    let slim = Movement::new().with_congestion_costs([1, 3, 9, 27]);
    let wide = slim.clone().with_size(2).expect("a size");
    let layers: Vec<LayerId> = [slim, wide.with_wall_costs([3, 0, 0, 0])]
        .map(|movement| world.add_layer(movement).expect("room for it"))
        .into();
    let mut orders = Vec::new();
    for _ in 0..6 {
        let quality = rng.pick(&[Quality::Corridor, Quality::Corridor, Quality::Exact]);
        let goal = Goal::at(rng.cell(map)).on(rng.pick(&layers));
        let units: Vec<Cell> = (0..3).map(|_| rng.cell(map)).collect();
        orders.extend(world.order(goal.with_quality(quality).or_nearest(), &units));
    }
    (world, orders)
}

/// An input to all worlds of a test.
enum Input {
    Note(Vec<(Cell, u16)>),
    Edit(CellRect, Cost),
    Cover(usize, Cell),
    Tick(u64),
}

fn draw_input(map: &Map, rng: &mut Rng) -> Input {
    match rng.below(8) {
        0..=2 => Input::Note(draw_units(map, rng)),
        3 => {
            let cost = Cost::new(rng.pick(&[1, 1, 5, 255])).expect("not 0");
            Input::Edit(rng.area(map, 6), cost)
        }
        4 => Input::Cover(rng.below(100) as usize, rng.cell(map)),
        _ => Input::Tick(rng.pick(&[500, 2_000, 7_000])),
    }
}

/// Passes an input to a world, whose ticks are cut into slices.
fn tell(world: &mut FlowWorld, orders: &[Order], input: &Input, slice: u64) {
    match input {
        Input::Note(units) => {
            world.note_units(units).expect("on the map");
        }
        Input::Edit(area, cost) => {
            world.edit(*area, *cost).expect("on the map");
        }
        Input::Cover(at, cell) if !orders.is_empty() => {
            world
                .cover(&orders[at % orders.len()], *cell)
                .expect("on the map");
        }
        Input::Cover(..) => {}
        Input::Tick(cells) => {
            let mut left = *cells;
            while left > 0 {
                world.tick(Budget::cells(left.min(slice)));
                left -= left.min(slice);
            }
        }
    }
}

#[test]
fn slices_and_forks_make_the_same_world() {
    for_drawn(181, &[(33, 58)], 3, |map, rng| {
        let mut other = rng.clone();
        let (mut world, orders) = begin(map, rng);
        let (mut sliced, sliced_orders) = begin(map, &mut other);
        let mut forked = None;
        for step in 0..60 {
            let input = draw_input(map, rng);
            tell(&mut world, &orders, &input, u64::MAX);
            tell(&mut sliced, &sliced_orders, &input, 300);
            assert_eq!(
                world.state_hash(),
                sliced.state_hash(),
                "step {step} on {map}"
            );
            match &mut forked {
                None if step == 30 => forked = Some(world.fork()),
                None => {}
                Some((fork, orders)) => {
                    tell(fork, orders, &input, u64::MAX);
                    assert_eq!(
                        world.state_hash(),
                        fork.state_hash(),
                        "step {step} on {map}"
                    );
                }
            }
        }
        finish(&mut world);
        finish(&mut sliced);
        assert_eq!(world.state_hash(), sliced.state_hash());
        let save = world.save();
        let (mut loaded, _claims) = FlowWorld::load(&save).expect("a good save");
        assert!(loaded.state_hash() == world.state_hash() && loaded.save() == save);
        // The record itself goes on alike.
        for _ in 0..20 {
            let units = draw_units(map, rng);
            assert_eq!(
                world.note_units(&units).is_ok(),
                loaded.note_units(&units).is_ok()
            );
            assert!(
                world
                    .inspect()
                    .congestion()
                    .eq(loaded.inspect().congestion())
            );
        }
    });
}

#[cfg(feature = "rayon")]
#[test]
fn threads_make_the_same_world() {
    let pools = [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads")
    });
    for_drawn(182, &[(33, 58)], 1, |map, rng| {
        let hashes = pools.each_ref().map(|pool| {
            let mut rng = rng.clone();
            pool.install(|| {
                let (mut world, orders) = begin(map, &mut rng);
                let hashes = (0..60).map(|_| {
                    tell(&mut world, &orders, &draw_input(map, &mut rng), u64::MAX);
                    world.state_hash()
                });
                hashes.collect::<Vec<u64>>()
            })
        });
        assert!(hashes.iter().all(|other| *other == hashes[0]), "{map}");
    });
}

#[test]
fn congestion_that_no_movement_heeds_changes_no_layer_and_fades() {
    let map = Map::open(60, 40);
    let mut world = FlowWorld::new(map.cost_map());
    let layer = world.add_layer(Movement::new()).expect("room for it");
    let goal = Goal::at(Cell::new(50, 20)).on(layer);
    let order = world.order(goal, &[Cell::new(5, 20)]).expect("a way");
    finish(&mut world);
    let (hash, save) = (world.state_hash(), world.save());
    let jam: Vec<(Cell, u16)> = CellRect::new(20, 10, 20, 20)
        .cells()
        .map(|cell| (cell, 100))
        .collect();
    for _ in 0..10 {
        assert_eq!(world.note_units(&jam).expect("on the map").orders, 0);
    }
    assert_eq!(world.congestion(Cell::new(25, 15)), 4);
    assert!(world.state_hash() != hash && world.tick(Budget::UNLIMITED).is_done());
    for _ in 0..60 {
        world.note_units(&[]).expect("on the map");
    }
    assert!(world.state_hash() == hash && world.save() == save);
    drop(order);
}

#[test]
fn note_units_changes_64_quarters_a_call_and_the_rest_in_the_next() {
    let map = Map::open(100, 100);
    let mut world = FlowWorld::new(map.cost_map());
    let jam: Vec<(Cell, u16)> = map.cells().map(|cell| (cell, 400)).collect();
    let mut seen = BTreeSet::new();
    for round in 0..7 {
        let report = world.note_units(&jam).expect("on the map");
        let due: usize = 400 - 64 * round;
        assert_eq!(
            (report.changed, report.waiting),
            (due.min(64), due.saturating_sub(64))
        );
        let jammed = world
            .inspect()
            .congestion()
            .filter(|quarter| quarter.level > 0);
        seen.extend(jammed.map(|quarter| (quarter.area.y, quarter.area.x)));
        assert_eq!(seen.len(), 400.min(64 * (round + 1)));
    }
}

/// Three equal bridges of one cell over a river; the middle one is straight ahead.
const BRIDGES: [i32; 3] = [12, 24, 36];
const RIVER: i32 = 70;

/// The march of a column over the river.
#[derive(Debug, Default)]
struct March {
    ticks: u32,
    /// The units that crossed each bridge.
    shares: [usize; 3],
    /// The steps of all units.
    steps: usize,
    /// How often units that went north went south next, or the other way round.
    turns: usize,
}

fn bridge_at(cell: Cell) -> Option<usize> {
    let is_on = (RIVER..RIVER + 3).contains(&cell.x);
    BRIDGES.iter().position(|&y| is_on && cell.y == y)
}

/// Marches units, one a cell, that step along their order where the next cell is free.
fn march(surcharges: [u8; 4]) -> March {
    let mut map = Map::open(110, 50);
    map.fill(CellRect::new(RIVER, 0, 3, 50), WALL);
    for y in BRIDGES {
        map.fill(CellRect::new(RIVER, y, 3, 1), 1);
    }
    let mut world = FlowWorld::new(map.cost_map());
    let wary = Movement::new().with_congestion_costs(surcharges);
    let wary = world.add_layer(wary).expect("room for it");
    let column = CellRect::new(2, 15, 60, 18);
    let mut units: Vec<Cell> = column
        .cells()
        .filter(|cell| (cell.x + cell.y) % 2 == 0)
        .collect();
    units.sort_unstable_by_key(|cell| (-cell.x, cell.y));
    let goal = Goal::at(Cell::new(105, 24)).on(wary);
    let order = world.order(goal, &units).expect("a way");
    finish(&mut world);
    let (mut march, mut sides) = (March::default(), vec![0; units.len()]);
    let is_on_its_way = |unit: Cell| unit.x < RIVER + 10;
    while units.iter().any(|&unit| is_on_its_way(unit)) {
        march.ticks += 1;
        assert!(march.ticks < 3_000, "{march:?}");
        world.tick(Budget::cells(20_000));
        let present = units.iter().copied().filter(|&unit| is_on_its_way(unit));
        let mut taken: BTreeSet<Cell> = present.collect();
        let mut jammed = Vec::new();
        let on_their_way = units.iter_mut().zip(&mut sides);
        for (unit, side) in on_their_way.filter(|(unit, _)| is_on_its_way(**unit)) {
            let way: Option<Direction> = world.sample(&order, *unit).direction();
            let next = way.map(|way| unit.step(way));
            match next.filter(|next| !taken.contains(next)) {
                Some(next) => {
                    taken.remove(unit);
                    taken.insert(next);
                    let turn = next.y - unit.y;
                    march.turns += usize::from(turn * *side < 0);
                    *side = if turn == 0 { *side } else { turn };
                    march.steps += 1;
                    *unit = next;
                    if let Some(bridge) = bridge_at(next).filter(|_| next.x == RIVER) {
                        march.shares[bridge] += 1;
                    }
                }
                None => jammed.push((*unit, 100)),
            }
            world.cover(&order, *unit).expect("on the map");
        }
        if march.ticks.is_multiple_of(2) {
            world.note_units(&jammed).expect("on the map");
        }
    }
    march
}

#[test]
fn column_at_three_bridges_divides() {
    let (plain, wary) = (march([0; 4]), march([1, 2, 4, 8]));
    assert_eq!(plain.shares, [0, 540, 0], "{plain:?}");
    let shares = wary.shares.map(|units| 100 * units / 540);
    assert!(
        shares.iter().all(|share| (20..=45).contains(share)),
        "{wary:?}"
    );
    assert!(
        4 * wary.ticks <= 3 * plain.ticks,
        "{wary:?}, without {plain:?}"
    );
    // Hardly a detour. A unit that crosses by an outer bridge turns once on its way.
    assert!(
        10 * wary.steps <= 11 * plain.steps,
        "{wary:?}, without {plain:?}"
    );
    assert!(4 * wary.turns <= 5 * 540, "{wary:?}");
}
