//! Surcharges: a layer with them is as a map of the summed costs, they withdraw no direction,
//! and the world is the same however it is sliced, forked and loaded. That each layer has the
//! costs of the definition, wide bodies and teams included, is held in `layers`.

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{assert_field, finish};
use crate::oracle::{Map, WALL, field};
use flowtiles::error::SurchargeError;
use flowtiles::{
    Budget, Cell, CellRect, Cost, Direction, FlowWorld, Goal, LayerId, Movement, Order, Quality,
};

/// A world with two layers that are surcharged, and orders on them.
fn begin(map: &Map, rng: &mut Rng) -> (FlowWorld, Vec<Order>) {
    let mut world = FlowWorld::new(map.cost_map());
    let wide = Movement::new().with_size(2).expect("a size");
    for movement in [Movement::new(), wide.with_wall_costs([3, 0, 0, 0])] {
        world.add_layer(movement).expect("room for it");
    }
    let mut orders = Vec::new();
    for _ in 0..6 {
        let quality = rng.pick(&[Quality::Corridor, Quality::Corridor, Quality::Exact]);
        let goal = Goal::at(rng.cell(map)).on(draw_layer(rng));
        let units: Vec<Cell> = (0..3).map(|_| rng.cell(map)).collect();
        orders.extend(world.order(goal.with_quality(quality).or_nearest(), &units));
    }
    (world, orders)
}

fn draw_layer(rng: &mut Rng) -> LayerId {
    let layer = LayerId::from_number(rng.between(1, 2) as u16);
    layer.for_team(rng.pick(&[0, 0, 3])).expect("a team")
}

fn draw_areas(map: &Map, rng: &mut Rng) -> Vec<(CellRect, u8)> {
    let one = |_| (rng.area(map, 15), rng.pick(&[0, 0, 1, 7, 30, 253, 255]));
    (0..4).map(one).collect()
}

/// An input to all worlds of a test.
enum Input {
    Surcharge(LayerId, Vec<(CellRect, u8)>),
    Edit(CellRect, Cost),
    Cover(usize, Cell),
    Tick(u64),
}

fn draw_input(map: &Map, rng: &mut Rng) -> Input {
    match rng.below(8) {
        0..=2 => Input::Surcharge(draw_layer(rng), draw_areas(map, rng)),
        3 => {
            let cost = Cost::new(rng.pick(&[1, 1, 5, 255])).expect("not 0");
            Input::Edit(rng.area(map, 6), cost)
        }
        4 => Input::Cover(rng.below(100) as usize, rng.cell(map)),
        _ => Input::Tick(rng.pick(&[500, 2_000, 7_000])),
    }
}

/// Passes an input to a world, whose ticks are cut into slices.
fn apply(world: &mut FlowWorld, orders: &[Order], input: &Input, slice: u64) {
    match input {
        Input::Surcharge(layer, areas) => {
            world.surcharge(*layer, areas).expect("on the map");
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
            apply(&mut world, &orders, &input, u64::MAX);
            apply(&mut sliced, &sliced_orders, &input, 300);
            assert_eq!(
                world.state_hash(),
                sliced.state_hash(),
                "step {step} on {map}"
            );
            match &mut forked {
                None if step == 30 => forked = Some(world.fork()),
                None => {}
                Some((fork, orders)) => {
                    apply(fork, orders, &input, u64::MAX);
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
        let (loaded, _claims) = FlowWorld::load(&save).expect("a good save");
        assert!(loaded.state_hash() == world.state_hash() && loaded.save() == save);
    });
}

#[cfg(feature = "rayon")]
#[test]
fn threads_make_the_same_world() {
    let pools = super::threads::pools();
    for_drawn(182, &[(33, 58)], 1, |map, rng| {
        let hashes = pools.each_ref().map(|pool| {
            let mut rng = rng.clone();
            pool.install(|| {
                let (mut world, orders) = begin(map, &mut rng);
                let hashes = (0..60).map(|_| {
                    apply(&mut world, &orders, &draw_input(map, &mut rng), u64::MAX);
                    world.state_hash()
                });
                hashes.collect::<Vec<u64>>()
            })
        });
        assert!(hashes.iter().all(|other| *other == hashes[0]), "{map}");
    });
}

/// The costs of a layer of bodies of one cell, by the definition.
fn summed(ground: &Map, amounts: &[u8]) -> Map {
    let mut map = ground.clone();
    for (cost, &amount) in map.costs.iter_mut().zip(amounts) {
        if *cost != WALL {
            *cost = cost.saturating_add(amount).min(254);
        }
    }
    map
}

/// The direction that the order gives at each open cell.
fn ways(world: &FlowWorld, order: &Order, map: &Map) -> Vec<Option<Direction>> {
    let open = map.open_cells().into_iter();
    open.map(|cell| world.sample(order, cell).direction())
        .collect()
}

#[test]
fn a_surcharged_layer_is_a_map_of_the_summed_costs() {
    for_drawn(183, &[(25, 14), (33, 58)], 3, |map, rng| {
        let mut ground = map.clone();
        let mut world = FlowWorld::new(map.cost_map());
        let layer = world.add_layer(Movement::new()).expect("room for it");
        let mut amounts = vec![0; map.costs.len()];
        let mut orders: Vec<(Order, Quality, Vec<Cell>)> = Vec::new();
        for _ in 0..25 {
            match rng.below(6) {
                0 if orders.len() < 6 => {
                    let quality = rng.pick(&[Quality::Corridor, Quality::Exact]);
                    let goal = Goal::at(rng.cell(map)).on(layer).with_quality(quality);
                    let units: Vec<Cell> = (0..3).map(|_| rng.cell(map)).collect();
                    if let Ok(order) = world.order(goal, &units) {
                        orders.push((order, quality, units));
                    }
                }
                1 => {
                    let (area, cost) = (rng.area(map, 6), rng.pick(&[1, 1, 5, 255]));
                    ground.fill(area, cost);
                    world
                        .edit(area, Cost::new(cost).expect("not 0"))
                        .expect("on the map");
                }
                2 => {
                    world.tick(Budget::cells(1_000));
                }
                _ => {
                    if rng.chance(50) {
                        finish(&mut world);
                    }
                    let is_planned = world.tick(Budget::cells(0)).is_done();
                    let all = |world: &FlowWorld| -> Vec<_> {
                        let orders = orders.iter();
                        orders
                            .map(|(order, ..)| ways(world, order, &ground))
                            .collect()
                    };
                    let before = all(&world);
                    let areas = draw_areas(map, rng);
                    let report = world.surcharge(layer, &areas).expect("on the map");
                    for &(area, amount) in &areas {
                        area.cells().for_each(|cell| amounts[map.id(cell)] = amount);
                    }
                    assert!(all(&world) == before, "{report:?} on {map}");
                    if is_planned {
                        finish(&mut world);
                        let after = all(&world).concat();
                        let mut both = before.concat().into_iter().zip(after);
                        let has_none =
                            both.find(|(before, after)| before.is_some() && after.is_none());
                        assert_eq!(has_none, None, "{report:?} on {map}");
                    }
                }
            }
        }
        finish(&mut world);
        let map = summed(&ground, &amounts);
        for cell in map.cells() {
            assert_eq!(world.surcharge_of(layer, cell), amounts[map.id(cell)]);
        }
        world.derive_layer(layer).expect("a layer");
        let view = world.layer(layer).expect("derived");
        assert!(view.costs().to_rows() == map.costs, "{map}");
        let mut fresh = FlowWorld::new(map.cost_map());
        let graph = world
            .inspect()
            .layer(layer)
            .expect("derived")
            .portal_graph();
        assert!(graph == fresh.inspect().portal_graph());
        for (order, quality, units) in &orders {
            let goal = order.goal().cell();
            if !map.is_open(goal) {
                continue;
            }
            assert_field(&world, order, &map, goal, 0);
            if *quality == Quality::Exact {
                let best = field(&map, goal, 0);
                let again = fresh.order(Goal::at(goal).with_quality(*quality), units);
                finish(&mut fresh);
                let units = units.iter().filter(|&&unit| map.is_open(unit));
                for &unit in units.filter(|&&unit| best[map.id(unit)].is_some()) {
                    let cost = world.cost_to_go(order, unit);
                    assert_eq!(cost, best[map.id(unit)], "{unit} on {map}");
                    if let Ok(again) = &again {
                        assert_eq!(cost, fresh.cost_to_go(again, unit), "{unit} on {map}");
                    }
                }
            }
        }
    });
}

#[test]
fn surcharge_repairs_changes_and_the_last_area_counts() {
    let map = Map::open(60, 40);
    let mut world = FlowWorld::new(map.cost_map());
    let layer = world.add_layer(Movement::new()).expect("room for it");
    let goal = Goal::at(Cell::new(55, 20)).on(layer);
    let order = world.order(goal, &[Cell::new(5, 20)]).expect("a way");
    finish(&mut world);
    let (hash, save) = (world.state_hash(), world.save());
    let (fog, guns) = (CellRect::new(10, 0, 30, 40), CellRect::new(20, 10, 10, 10));
    let report = world
        .surcharge(layer, &[(fog, 3), (guns, 9)])
        .expect("on the map");
    assert_eq!((report.changed, report.orders), (2, 1));
    let amounts = [(9, 20), (10, 20), (25, 15)].map(|cell| world.surcharge_of(layer, cell.into()));
    assert_eq!(amounts, [0, 3, 9]);
    let again = world.surcharge(layer, &[(guns, 9), (CellRect::new(0, 0, 0, 0), 5)]);
    assert_eq!(again, Ok(Default::default()));
    let both = [(guns, 0), (guns, 9)];
    assert_eq!(world.surcharge(layer, &both).expect("on the map").orders, 0);
    finish(&mut world);
    assert!(world.state_hash() != hash);
    world.surcharge(layer, &[(fog, 0)]).expect("on the map");
    finish(&mut world);
    // Nothing of it is left but the sectors that the order has gained.
    assert_eq!(
        world.inspect().state_parts().stamps,
        FlowWorld::load(&save)
            .expect("a save")
            .0
            .inspect()
            .state_parts()
            .stamps
    );
    drop(order);
}

#[test]
fn impossible_surcharges_are_refused_with_a_remedy() {
    let mut world = FlowWorld::new(Map::open(60, 20).cost_map());
    let layer = world.add_layer(Movement::new()).expect("room for it");
    let (here, off) = (CellRect::new(3, 3, 1, 1), CellRect::new(59, 3, 2, 1));
    let hash = world.state_hash();
    let refused = world.surcharge(layer, &[(here, 5), (off, 5)]);
    assert!(matches!(refused, Err(SurchargeError::OffMap(error)) if error.area == off));
    let none = LayerId::from_number(2);
    let refused = world.surcharge(none, &[(here, 5)]);
    assert_eq!(refused, Err(SurchargeError::NoLayer { layer: none }));
    let ground = LayerId::GROUND.for_team(3).expect("a team");
    let refused = world.surcharge(ground, &[(here, 5)]);
    assert_eq!(refused, Err(SurchargeError::NoLayer { layer: ground }));
    assert!(refused.is_err_and(|error| error.to_string().contains("add_layer")));
    assert_eq!(world.state_hash(), hash);
    assert_eq!(world.surcharge_of(layer, Cell::new(60, 3)), 0);
}
