//! Movement layers: classes, wide bodies, costs near walls, surcharges, teams and gates.
//! Each layer is compared with a map found cell by cell from the definition.

use std::collections::{BTreeMap, BTreeSet};

use super::questions::nearest_free;
use super::rows::assert_rows;
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{End, assert_field, assert_legal, finish, walk};
use crate::oracle::game::{Game, Input, draw_input, draw_stamp, template_of, turned};
use crate::oracle::{Map, WALL, field, islands};
use flowtiles::error::{GateError, LayerError, OrderError};
use flowtiles::inspect::{Detail, Overlay, Paint, Primitive, Subject, draw, explain};
use flowtiles::{
    Cell, CellRect, Cost, CostMap, FlowWorld, GateId, Goal, LayerId, Movement, Order, Quality,
    StampTemplate, Teams, Turn,
};

/// A game on several layers, with plain models of its gates and of its surcharges.
struct Layered {
    game: Game,
    gates: Vec<(GateId, CellRect, Teams)>,
    movements: Vec<(LayerId, Movement)>,
    orders: Vec<(Order, LayerId)>,
    /// By layer, that of each cell. Those of team 0 are for all teams.
    surcharges: BTreeMap<LayerId, Vec<u8>>,
}

fn draw_movement(rng: &mut Rng) -> Movement {
    let mut movement = Movement::new();
    let way = rng.below(4);
    movement = match way {
        0 => movement,
        1 => movement.with_costs(|kind| {
            if kind.value() % 3 == 1 {
                Cost::OPEN
            } else {
                kind
            }
        }),
        2 => movement.with_cost(Cost::WALL, Cost::OPEN),
        _ => {
            let closed = rng.between(2, 9) as u8;
            let costs = |kind: Cost| {
                if kind.value() == closed {
                    Cost::WALL
                } else {
                    kind
                }
            };
            movement.with_costs(costs)
        }
    };
    let size = rng.pick(&[1, 1, 2, 3, 4, 8]);
    let beside = rng.pick(&[[0; 4], [0; 4], [3, 0, 0, 0], [9, 5, 0, 1], [200, 2, 2, 2]]);
    movement
        .with_size(size)
        .expect("a size")
        .with_wall_costs(beside)
}

impl Layered {
    fn new(map: &Map, rng: &mut Rng) -> Self {
        let mut game = Game::new(map);
        let mut movements = vec![(LayerId::GROUND, Movement::new())];
        for _ in 0..rng.between(1, 3) {
            let movement = draw_movement(rng);
            let layer = game.world.add_layer(movement.clone()).expect("room for it");
            movements.push((layer, movement));
        }
        Self {
            game,
            gates: Vec::new(),
            surcharges: BTreeMap::new(),
            movements,
            orders: Vec::new(),
        }
    }

    /// The map of a layer whose bodies were one cell wide, without costs near walls and
    /// surcharges.
    fn flat(&self, layer: LayerId) -> Map {
        let (_, movement) = &self.movements[usize::from(layer.number())];
        let team = layer.team();
        let ground = self.game.model.map();
        let mut flat = ground.clone();
        for cell in ground.cells() {
            let mut gates = self.gates.iter();
            let is_closed = gates.any(|(_, area, open)| area.contains(cell) && !open.has(team));
            let kind = if is_closed { WALL } else { ground.cost(cell) };
            let cost = movement.cost(Cost::new(kind).expect("not 0"));
            flat.set(cell, cost.value());
        }
        flat
    }

    /// The map of a layer, by the definition.
    fn map(&self, layer: LayerId) -> Map {
        let (_, movement) = &self.movements[usize::from(layer.number())];
        let flat = self.flat(layer);
        let size = i32::from(movement.size());
        let (before, after) = ((size - 1) / 2, size / 2);
        let around = |cell: Cell, low: i32, high: i32| {
            let rows = (low..=high).flat_map(move |dy| (low..=high).map(move |dx| (dx, dy)));
            rows.map(move |(dx, dy)| Cell::new(cell.x + dx, cell.y + dy))
        };
        let fits = |cell: Cell| around(cell, -before, after).all(|cell| flat.is_open(cell));
        let mut bodies = flat.clone();
        for cell in flat.cells().filter(|&cell| !fits(cell)) {
            bodies.set(cell, WALL);
        }
        let mut map = bodies.clone();
        for cell in bodies.cells().filter(|&cell| bodies.is_open(cell)) {
            let is_near = |far: &i32| around(cell, -far, *far).any(|cell| !bodies.is_open(cell));
            if let Some(far) = (1..=4).find(is_near) {
                let added = movement.wall_costs()[far as usize - 1];
                map.set(cell, bodies.cost(cell).saturating_add(added).min(254));
            }
        }
        for cell in bodies.cells().filter(|&cell| bodies.is_open(cell)) {
            let added = self.surcharge_of(layer, map.id(cell));
            map.set(cell, map.cost(cell).saturating_add(added).min(254));
        }
        map
    }

    /// What a cell costs more, for all and for the layer's team.
    fn surcharge_of(&self, layer: LayerId, id: usize) -> u8 {
        let of = |layer| self.surcharges.get(&layer).map_or(0, |amounts| amounts[id]);
        match layer.team() {
            0 => of(layer),
            _ => of(layer).saturating_add(of(LayerId::from_number(layer.number()))),
        }
    }

    fn draw_layer(&self, rng: &mut Rng) -> LayerId {
        let (layer, _) = self.movements[rng.below(self.movements.len() as i32) as usize];
        let team = rng.pick(&[0, 0, 0, 1, 2, 7]);
        layer.for_team(team).expect("a team")
    }

    fn play(&mut self, map: &Map, rng: &mut Rng) {
        match rng.below(13) {
            10..=12 => self.surcharge(map, rng),
            0 => {
                let (area, open) = (rng.area(map, 6), Teams::from_bits(rng.below(256) as u8));
                if let Ok((id, _)) = self.game.world.add_gate(area, open) {
                    self.gates.push((id, area, open));
                }
            }
            1 | 2 if !self.gates.is_empty() => {
                let at = rng.below(self.gates.len() as i32) as usize;
                let open = rng.pick(&[
                    Teams::ALL,
                    Teams::NONE,
                    Teams::NONE.with(1),
                    Teams::ALL.without(0),
                ]);
                self.gates[at].2 = open;
                assert!(self.game.world.set_gate(self.gates[at].0, open).is_some());
            }
            3 if !self.gates.is_empty() => {
                let at = rng.below(self.gates.len() as i32) as usize;
                let (id, ..) = self.gates.remove(at);
                assert!(self.game.world.remove_gate(id).is_some());
                assert!(self.game.world.set_gate(id, Teams::ALL).is_none());
            }
            4..=6 => self.order(map, rng),
            7 if !self.orders.is_empty() => {
                let at = rng.below(self.orders.len() as i32) as usize;
                self.orders.remove(at);
            }
            _ => self.game.apply(&draw_input(map, rng)),
        }
    }

    /// Surcharges withdraw no direction.
    fn surcharge(&mut self, map: &Map, rng: &mut Rng) {
        let layer = self.draw_layer(rng);
        if layer.number() == 0 {
            return;
        }
        let amounts = [0, 1, 8, 250];
        let areas: Vec<(CellRect, u8)> = (0..3)
            .map(|_| (rng.area(map, 15), rng.pick(&amounts)))
            .collect();
        for &(area, amount) in &areas {
            for cell in area.cells() {
                let amounts = self.surcharges.entry(layer);
                let amounts = amounts.or_insert_with(|| vec![0; map.costs.len()]);
                amounts[map.id(cell)] = amount;
            }
        }
        let ways = |world: &FlowWorld| -> Vec<_> {
            let of_order = |(order, layer): &(Order, LayerId)| -> Vec<_> {
                let open = |cell: &Cell| world.layer(*layer)?.costs().get(*cell);
                let is_open = |cell: &Cell| open(cell).is_some_and(|cost| !cost.is_wall());
                let cells = map.cells().filter(is_open);
                cells
                    .map(|cell| world.sample(order, cell).direction())
                    .collect()
            };
            self.orders.iter().map(of_order).collect()
        };
        let before = ways(&self.game.world);
        let report = self.game.world.surcharge(layer, &areas);
        assert!(ways(&self.game.world) == before, "{report:?}");
        for cell in map.cells() {
            assert_eq!(
                self.game.world.surcharge_of(layer, cell),
                self.surcharge_of(layer, map.id(cell)),
                "{cell}"
            );
        }
    }

    fn order(&mut self, map: &Map, rng: &mut Rng) {
        let layer = self.draw_layer(rng);
        let quality = rng.pick(&[Quality::Corridor, Quality::Exact, Quality::Everywhere]);
        let goal = Goal::at(rng.cell(map)).on(layer).with_quality(quality);
        let goal = if rng.chance(30) {
            goal.or_nearest()
        } else {
            goal
        };
        let units: Vec<Cell> = (0..rng.between(1, 4)).map(|_| rng.cell(map)).collect();
        match self.game.world.order(goal, &units) {
            Ok(order) => self.orders.push((order, layer)),
            Err(OrderError::Unreachable { gate: Some(id), .. }) => {
                let is_it = |(gate, _, open): &(GateId, CellRect, Teams)| {
                    *gate == id && !open.has(layer.team())
                };
                assert!(self.gates.iter().any(is_it), "{id} is closed to {layer}");
            }
            Err(_) => {}
        }
    }

    /// Every derived layer has the costs of its definition, and all that is derived from
    /// them is as built anew.
    fn assert_layers(&self) {
        for (layer, movement) in &self.movements {
            for team in 0..8 {
                let layer = layer.for_team(team).expect("a team");
                let Some(view) = self.game.world.layer(layer) else {
                    continue;
                };
                let map = self.map(layer);
                assert!(
                    view.costs().to_rows() == map.costs,
                    "{layer} {movement:?}: {map}"
                );
                let built = FlowWorld::new(map.cost_map());
                let inside = self.game.world.inspect().layer(layer).expect("derived");
                assert!(inside.portal_graph() == built.inspect().portal_graph());
                let islands = islands(&map);
                let open = map.open_cells();
                for pair in open.windows(2) {
                    let same = islands[map.id(pair[0])] == islands[map.id(pair[1])];
                    assert_eq!(view.reachable(pair[0], pair[1]), same);
                    let numbers = [pair[0], pair[1]].map(|cell| inside.island(cell));
                    assert_eq!(numbers[0] == numbers[1], same);
                }
            }
        }
    }

    /// No direction leads into a wall of the order's layer.
    fn assert_orders(&self) {
        for (order, layer) in &self.orders {
            assert_legal(&self.game.world, order, &self.map(*layer));
            assert_rows(&self.game.world, order, self.game.world.costs().area());
        }
    }

    /// There is room for buildings where the layer's bodies of one cell could stand.
    fn assert_free_ground(&self, map: &Map, rng: &mut Rng) -> bool {
        let (layer, world) = (self.draw_layer(rng), &self.game.world);
        let flat = self.flat(layer);
        let is_free = |area: CellRect| area.cells().all(|cell| flat.is_open(cell));
        let area = rng.area(map, 8);
        let free = is_free(area);
        assert_eq!(
            world.is_free_for(layer, area),
            Ok(free),
            "{area} of {layer} on {flat}"
        );
        let (from, size) = (rng.cell(map), rng.pick(&[1, 2, 4, 9]));
        let found = nearest_free(&flat, from, size);
        assert_eq!(
            world.nearest_free_for(layer, from, size),
            Ok(found),
            "{size} from {from}"
        );
        let Input::Stamp(picture, at, turn) = draw_stamp(map, rng) else {
            unreachable!("a stamp is drawn");
        };
        let rows = turned(&picture, turn);
        let cells = template_of(&picture).area(at, turn).cells();
        let under = cells.zip(rows.into_iter().flatten());
        let free_under = under.filter(|(_, cost)| cost.is_some());
        let free_under = free_under
            .map(|(cell, _)| cell)
            .all(|cell| flat.is_open(cell));
        let answer = world.is_free_for_stamp(layer, &template_of(&picture), at, turn);
        assert_eq!(
            answer,
            Ok(free_under),
            "{picture:?} at {at}, {turn:?} on {flat}"
        );
        free
    }
}

/// The layers are not derived for it.
#[test]
fn room_for_buildings_is_told_by_table_and_gates_without_the_width() {
    let mut seen = [0, 0];
    for_drawn(198, &[(9, 9), (25, 14), (33, 58)], 3, |map, rng| {
        let mut layered = Layered::new(map, rng);
        for _ in 0..40 {
            layered.play(map, rng);
            let free = layered.assert_free_ground(map, rng);
            seen[usize::from(free)] += 1;
        }
    });
    assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
}

#[test]
fn room_is_asked_of_layers_that_exist_and_on_the_map() {
    let mut world = FlowWorld::new(CostMap::open(25, 14).unwrap());
    let wide = Movement::new().with_size(8).unwrap();
    let wide = world.add_layer(wide).unwrap();
    let hut = StampTemplate::rows(&["# ", " #"]).unwrap();
    assert_eq!(
        world.is_free_for(wide, CellRect::new(0, 0, 25, 14)),
        Ok(true)
    );
    assert_eq!(
        world.is_free_for(wide, CellRect::new(0, 0, u32::MAX, 1)),
        Ok(false)
    );
    assert_eq!(
        world.is_free_for(wide, CellRect::new(-5, 0, 0, 9)),
        Ok(true)
    );
    assert_eq!(world.nearest_free_for(wide, Cell::new(25, 3), 1), Ok(None));
    assert_eq!(world.nearest_free_for(wide, Cell::new(3, 3), 0), Ok(None));
    assert_eq!(
        world.nearest_free_for(wide, Cell::new(3, 3), u32::MAX),
        Ok(None)
    );
    let corner = Cell::new(23, 12);
    assert_eq!(
        world.is_free_for_stamp(wide, &hut, corner, Turn::None),
        Ok(true)
    );
    // A hole of it would be off the map, where no stamp may be.
    let off = Cell::new(-1, 12);
    assert_eq!(
        world.is_free_for_stamp(wide, &hut, off, Turn::Quarter),
        Ok(false)
    );
    assert!(world.layer(wide).is_none(), "nothing was derived");
    let layer = LayerId::from_number(2);
    let refused = Err(LayerError::NoLayer { layer });
    assert_eq!(world.is_free_for(layer, CellRect::new(0, 0, 1, 1)), refused);
    assert_eq!(
        world.is_free_for_stamp(layer, &hut, corner, Turn::None),
        refused
    );
    let refused = world.nearest_free_for(layer, corner, 1);
    assert_eq!(refused, Err(LayerError::NoLayer { layer }));
}

#[test]
fn layers_follow_edits_stamps_and_gates_of_the_ground() {
    for_drawn(171, &[(9, 9), (25, 14), (33, 58)], 3, |map, rng| {
        let mut layered = Layered::new(map, rng);
        for step in 0..60 {
            layered.play(map, rng);
            layered.assert_orders();
            if step % 6 == 5 {
                layered.assert_layers();
            }
        }
        layered.assert_layers();
    });
}

/// The islands of a world on a layer are those of the layer's costs.
fn assert_islands(world: &FlowWorld, layer: LayerId) {
    let view = world.layer(layer).expect("derived");
    let inside = world.inspect().layer(layer).expect("derived");
    let map = Map::of_costs(view.costs());
    let islands = islands(&map);
    let mut labels = BTreeMap::new();
    for cell in map.open_cells() {
        let (number, label) = (islands[map.id(cell)], inside.island(cell));
        // Each island has one label, and each label is that of one island.
        assert_eq!(
            *labels.entry(number).or_insert(label),
            label,
            "{layer} {map}"
        );
        assert!(view.reachable(cell, cell));
    }
    let count = labels.len();
    let labels: BTreeSet<_> = labels.into_values().collect();
    assert_eq!(labels.len(), count, "{layer} {map}");
}

#[test]
fn layer_with_the_ground_s_walls_shares_its_islands() {
    let map = CostMap::open(200, 200).unwrap();
    let mut world = FlowWorld::new(map);
    let bytes = |world: &FlowWorld| world.inspect().stats().graph_bytes;
    let derive = |world: &mut FlowWorld, movement: Movement| {
        let before = bytes(world);
        let layer = world.add_layer(movement).unwrap();
        world.derive_layer(layer).unwrap();
        bytes(world) - before
    };
    let alone = bytes(&world);
    let dear = derive(
        &mut world,
        Movement::new().with_cost(Cost::OPEN, Cost::new(2).unwrap()),
    );
    let swims = derive(
        &mut world,
        Movement::new().with_cost(Cost::WALL, Cost::OPEN),
    );
    assert!(dear < alone && dear < swims, "{alone}, {dear}, {swims}");
    // An edit mends them once, and walks once to find what it has cut off.
    let report = world
        .edit(CellRect::new(100, 0, 1, 200), Cost::WALL)
        .unwrap();
    assert!(report.walked > 0);
    let mut plain = FlowWorld::new(CostMap::open(200, 200).unwrap());
    let once = plain
        .edit(CellRect::new(100, 0, 1, 200), Cost::WALL)
        .unwrap();
    assert_eq!(report.walked, once.walked);
}

#[test]
fn layers_sharing_islands_follow_in_forks_and_gates() {
    for_drawn(174, &[(9, 9), (25, 14), (33, 58)], 3, |map, rng| {
        let mut worlds = vec![FlowWorld::new(map.cost_map())];
        let dear = Movement::new().with_cost(Cost::OPEN, Cost::new(7).unwrap());
        let shy = Movement::new().with_wall_costs([4, 0, 0, 0]);
        let swims = Movement::new().with_cost(Cost::WALL, Cost::OPEN);
        let mut layers = vec![LayerId::GROUND];
        for movement in [dear, shy, swims] {
            let layer = worlds[0].add_layer(movement).expect("room for it");
            worlds[0].derive_layer(layer).expect("room for it");
            layers.push(layer);
        }
        for step in 0..60 {
            let at = rng.below(worlds.len() as i32) as usize;
            let world = &mut worlds[at];
            let (area, cost) = (rng.area(map, 6), rng.pick(&[1, 1, 3, WALL, WALL]));
            let cost = Cost::new(cost).expect("not 0");
            match rng.below(20) {
                0 if at < 3 => {
                    let (fork, _) = world.fork();
                    worlds.push(fork);
                }
                // Team 0 does not pass: to the others the ground is another.
                1 if step > 30 => drop(world.add_gate(area, Teams::ALL.without(0))),
                _ => drop(world.edit(area, cost)),
            }
            for world in &worlds {
                layers
                    .iter()
                    .for_each(|&layer| assert_islands(world, layer));
            }
        }
    });
}

#[test]
fn orders_on_every_layer_are_exact_where_loaded() {
    for_drawn(172, &[(25, 14), (33, 58)], 4, |map, rng| {
        let mut layered = Layered::new(map, rng);
        for _ in 0..40 {
            layered.play(map, rng);
        }
        finish(&mut layered.game.world);
        layered.assert_layers();
        layered.assert_orders();
        for (order, layer) in &layered.orders {
            let (map, goal) = (layered.map(*layer), order.goal().cell());
            if !map.is_open(goal) || *order.goal() == order.goal().clone().or_nearest() {
                continue;
            }
            assert_field(&layered.game.world, order, &map, goal, 0);
            if *order.goal() == order.goal().clone().with_quality(Quality::Exact) {
                let best = field(&map, goal, 0);
                for &unit in layered.game.world.inspect().units(order) {
                    let cost = layered.game.world.cost_to_go(order, unit);
                    if map.is_open(unit) && best[map.id(unit)].is_some() {
                        assert_eq!(cost, best[map.id(unit)], "{unit} on {map}");
                    }
                }
            }
        }
    });
}

#[test]
fn wide_body_touches_no_wall_and_arrives_if_it_can() {
    for_drawn(173, &[(33, 58), (41, 41)], 5, |map, rng| {
        let ground = Map::clone(map);
        let mut world = FlowWorld::new(ground.cost_map());
        for size in 1..=8 {
            let movement = Movement::new().with_size(size).expect("a size");
            let layer = world.add_layer(movement.clone()).expect("room for it");
            world.derive_layer(layer).expect("it is declared");
            let anchors = Map::of_costs(world.layer(layer).expect("derived").costs());
            let Some(goal) = rng.open_cell(&anchors) else {
                continue;
            };
            let best = field(&anchors, goal, 0);
            for _ in 0..6 {
                let unit = rng.cell(&anchors);
                let order = world.order(Goal::at(goal).on(layer), &[unit]);
                // A body stands here if it covers no wall; a way exists if it can go step
                // by step, turned nowhere, from placement to placement.
                let stands =
                    |anchor: Cell| movement.body(anchor).cells().all(|c| ground.is_open(c));
                assert_eq!(stands(unit), anchors.is_open(unit));
                let Ok(order) = order else {
                    let way = best[anchors.id(unit)];
                    assert!(
                        !stands(unit) || way.is_none(),
                        "{unit} to {goal} by {size}: {ground}"
                    );
                    continue;
                };
                finish(&mut world);
                if !stands(unit) {
                    continue;
                }
                let walked = walk(&mut world, &order, &anchors, unit);
                assert_eq!((walked.end, walked.last), (End::Arrived, goal));
                let mut at = unit;
                while let Some(direction) = world.sample(&order, at).direction() {
                    let next = at.step(direction);
                    // All cells that the body covers while it moves.
                    for anchor in [at, next, Cell::new(at.x, next.y), Cell::new(next.x, at.y)] {
                        assert!(stands(anchor), "{at} to {next} by {size} on {ground}");
                    }
                    at = next;
                }
            }
        }
    });
}

#[test]
fn layers_orders_and_gates_come_back_from_a_save() {
    for_drawn(174, &[(25, 14), (33, 58)], 3, |map, rng| {
        let mut layered = Layered::new(map, rng);
        for _ in 0..40 {
            layered.play(map, rng);
        }
        finish(&mut layered.game.world);
        let world = &layered.game.world;
        let save = world.save();
        let (loaded, orders) = FlowWorld::load(&save).expect("a good save");
        assert_eq!(loaded.state_hash(), world.state_hash());
        assert!(loaded.save() == save);
        assert!(loaded.inspect().gates().eq(world.inspect().gates()));
        for (layer, movement) in &layered.movements {
            let layers = (0..8).filter_map(|team| layer.for_team(team));
            for layer in layers {
                let amounts = |world: &FlowWorld| -> Vec<u8> {
                    map.cells()
                        .map(|cell| world.surcharge_of(layer, cell))
                        .collect()
                };
                assert!(amounts(&loaded) == amounts(world), "{layer}");
            }
            assert_eq!(loaded.movement(*layer), Some(movement));
        }
        for (order, layer) in &layered.orders {
            let number = order.number();
            let again = orders.iter().find(|order| order.number() == number);
            let again = again.expect("every order");
            assert_eq!(again.goal().layer(), *layer);
            for cell in map.cells() {
                let seen = world.sample(order, cell);
                assert_eq!(
                    loaded.sample(again, cell),
                    seen,
                    "{cell}, {:?}",
                    order.goal()
                );
            }
        }
    });
}

#[test]
fn teams_share_a_layer_until_a_gate_parts_them() {
    let mut map = Map::open(60, 20);
    map.fill(CellRect::new(30, 0, 1, 20), WALL);
    map.fill(CellRect::new(30, 8, 1, 3), 1);
    let mut world = FlowWorld::new(map.cost_map());
    let (west, east) = (Cell::new(5, 9), Cell::new(55, 9));
    let team = |team| LayerId::GROUND.for_team(team).expect("a team");
    let orders: Vec<Order> = (0..8)
        .map(|number| {
            world
                .order(Goal::at(east).on(team(number)), &[west])
                .expect("a way")
        })
        .collect();
    finish(&mut world);
    assert_eq!(world.inspect().stats().layers, 1);
    let (gate, report) = world
        .add_gate(CellRect::new(30, 8, 1, 3), Teams::ALL)
        .expect("a gate");
    assert_eq!((report.orders, world.inspect().stats().layers), (0, 1));

    let report = world
        .set_gate(gate, Teams::ALL.without(3).without(5))
        .expect("there");
    assert_eq!((report.orders, world.inspect().stats().layers), (2, 2));
    finish(&mut world);
    for (number, order) in (0..8).zip(&orders) {
        let leads = world.destination(order, west) == Some(east);
        assert_eq!(leads, ![3, 5].contains(&number), "team {number}");
    }
    let report = world.set_gate(gate, Teams::NONE.with(3)).expect("there");
    assert_eq!((report.orders, world.inspect().stats().layers), (7, 2));
    finish(&mut world);
    for (number, order) in (0..8).zip(&orders) {
        let leads = world.destination(order, west) == Some(east);
        assert_eq!(leads, number == 3, "team {number}");
        let again = world.order(Goal::at((54, 9).into()).on(team(number)), &[west]);
        let is_named = |error| match error {
            OrderError::Unreachable { gate: named, .. } => named == Some(gate),
            _ => false,
        };
        assert!(
            again.map_or_else(is_named, |_| number == 3),
            "team {number}"
        );
    }
    world.remove_gate(gate).expect("there");
    assert_eq!(world.inspect().stats().layers, 1);
    finish(&mut world);
    assert!(
        orders
            .iter()
            .all(|order| world.destination(order, west) == Some(east))
    );
    assert_eq!(world.set_gate(gate, Teams::ALL), None);
}

#[test]
fn derived_layer_stays_derived_for_teams_gates_part() {
    let mut map = Map::open(60, 20);
    map.fill(CellRect::new(30, 0, 1, 20), WALL);
    map.fill(CellRect::new(30, 8, 1, 3), 1);
    let mut world = FlowWorld::new(map.cost_map());
    let wide = Movement::new().with_size(3).expect("a size");
    let wide = world.add_layer(wide).expect("there is room");
    world.derive_layer(wide).expect("there is such a layer");
    let (west, east) = (Cell::new(5, 9), Cell::new(55, 9));
    let check = |world: &FlowWorld, open: Teams, layers: usize| {
        for layer in [LayerId::GROUND, wide] {
            for team in 0..8 {
                let layer = layer.for_team(team).expect("a team");
                let view = world.layer(layer).expect("it was derived");
                assert_eq!(view.reachable(west, east), open.has(team), "{layer}");
            }
        }
        assert_eq!(world.inspect().stats().layers, layers);
    };
    check(&world, Teams::ALL, 2);
    let area = CellRect::new(30, 8, 1, 3);
    let (gate, _) = world.add_gate(area, Teams::NONE.with(2)).expect("a gate");
    check(&world, Teams::NONE.with(2), 4);
    world.set_gate(gate, Teams::ALL.without(0)).expect("there");
    check(&world, Teams::ALL.without(0), 4);
    // Some that are parted from team 0 already are parted again.
    let (other, _) = world.add_gate(area, Teams::ALL.without(5)).expect("a gate");
    check(&world, Teams::ALL.without(0).without(5), 6);
    world.set_gate(gate, Teams::ALL).expect("there");
    check(&world, Teams::ALL.without(5), 4);
    world.remove_gate(other).expect("there");
    check(&world, Teams::ALL, 2);

    let aside = CellRect::new(2, 2, 1, 1);
    world.add_gate(aside, Teams::NONE.with(5)).expect("a gate");
    world.set_gate(gate, Teams::NONE.with(1)).expect("there");
    check(&world, Teams::NONE.with(1), 6);
}

#[test]
#[should_panic(expected = "there is no such team: give 0 to 7")]
fn teams_that_do_not_exist_are_refused() {
    assert!(!Teams::ALL.has(8));
    let _ = Teams::NONE.with(8);
}

#[test]
fn impossible_layers_are_refused_with_a_remedy() {
    let mut world = FlowWorld::new(CostMap::open(60, 20).expect("a size"));
    let (unit, goal) = (Cell::new(5, 5), Cell::new(50, 5));
    let none = LayerId::from_number(3);
    let refused = world.order(Goal::at(goal).on(none), &[unit]);
    assert_eq!(refused, Err(OrderError::NoLayer { layer: none }));
    assert!(refused.is_err_and(|error| error.to_string().contains("add_layer")));
    assert_eq!(
        world.derive_layer(none),
        Err(LayerError::NoLayer { layer: none })
    );
    assert!(world.layer(none).is_none() && none.for_team(8).is_none());
    for size in [0, 9, 255] {
        let error = LayerError::Size { found: size };
        assert_eq!(Movement::new().with_size(size), Err(error));
    }
    let wide = Movement::new().with_size(2).expect("a size");
    let layer = world.add_layer(wide).expect("room for it");
    let mut order = world
        .order(Goal::at(goal).on(layer), &[unit])
        .expect("a way");
    let found = LayerId::GROUND;
    let refused = world.aim(&mut order, goal, &[unit]);
    assert_eq!(refused, Err(OrderError::OtherLayer { layer, found }));
    assert_eq!(
        world.free_layer(layer),
        Err(LayerError::InUse { layer, orders: 1 })
    );
    assert_eq!(
        world.aim_at_moving(&mut order, Cell::new(20, 15), &[unit]),
        Ok(true)
    );
    drop(order);
    assert_eq!(world.free_layer(layer), Ok(()));
    assert_eq!(world.inspect().stats().layers, 1);
    for area in [CellRect::new(0, 0, 0, 3), CellRect::new(0, 0, 60, 20)] {
        let added = world.add_gate(area, Teams::NONE);
        assert_eq!(added.is_err(), area.is_empty());
    }
    let refused = world.add_gate(CellRect::new(59, 0, 2, 1), Teams::NONE);
    assert!(matches!(refused, Err(GateError::OffMap(_))));
    let limit = (0..400).find_map(|_| world.add_layer(Movement::new()).err());
    assert_eq!(limit, Some(LayerError::Full { limit: 256 }));
}

#[test]
fn an_order_is_explained_and_drawn_on_its_own_layer() {
    let mut map = Map::open(40, 20);
    map.fill(CellRect::new(20, 0, 3, 20), 9); // water
    map.fill(CellRect::new(20, 8, 3, 4), 1); // a ford
    let mut world = FlowWorld::new(map.cost_map());
    let water = Cost::new(9).expect("not 0");
    let land = Movement::new().with_cost(water, Cost::WALL);
    let layer = world.add_layer(land).expect("room for it");
    let (west, east, wet) = (Cell::new(3, 3), Cell::new(36, 3), Cell::new(21, 3));
    let order = world
        .order(Goal::at(east).on(layer), &[west])
        .expect("a ford");
    finish(&mut world);
    let explained = explain(&world, &order, wet);
    assert_eq!((explained.cost, explained.island), (Some(Cost::WALL), None));
    let orders = [order];
    let view = CellRect::new(0, 0, 40, 20);
    let walls = |subject: &Subject<'_>| {
        let list = draw(subject, view, &[Overlay::Cost], Detail::Cells);
        let is_wall =
            |primitive: &&Primitive| matches!(primitive.paint, Paint::Ground { walls: 8, .. });
        list.primitives.iter().filter(is_wall).count()
    };
    assert_eq!(walls(&Subject::of(&world)), 0);
    assert!(walls(&Subject::of(&world).with_orders(&orders)) > 0);
}

#[test]
fn a_save_keeps_which_layers_are_derived_for_whom() {
    let movements = [
        Movement::new().with_size(2).expect("a width"),
        Movement::new(),
    ];
    for_drawn(175, &[(25, 14), (33, 58)], 12, |map, rng| {
        let mut world = FlowWorld::new(map.cost_map());
        let mut layers = vec![LayerId::GROUND];
        for movement in &movements {
            layers.push(world.add_layer(movement.clone()).expect("room for it"));
        }
        let all: Vec<LayerId> = layers
            .iter()
            .flat_map(|layer| (0..8).filter_map(|team| layer.for_team(team)))
            .collect();
        let mut orders = Vec::new();
        for _ in 0..14 {
            let layer = rng.pick(&all);
            match rng.below(6) {
                0 => drop(world.free_layer(layer)),
                1 => {
                    let teams = Teams::ALL.without(rng.below(8) as u8);
                    let _ = world.add_gate(rng.area(map, 5), teams);
                }
                2 => {
                    let goal = Goal::at(rng.cell(map)).or_nearest().on(layer);
                    orders.extend(world.order(goal, &[]));
                }
                3 => drop(orders.pop()),
                _ => world.derive_layer(layer).expect("it is declared"),
            }
            let bytes = world.save();
            let (loaded, claims) = FlowWorld::load(&bytes).expect("a good save");
            let living: BTreeSet<u64> = orders.iter().map(Order::number).collect();
            assert_eq!(claims.len(), living.len());
            assert!(loaded.save() == bytes && loaded.state_hash() == world.state_hash());
            for &layer in &all {
                let costs = [&world, &loaded].map(|world| Some(world.layer(layer)?.costs()));
                assert!(costs[0] == costs[1], "{layer:?}");
            }
            let maps = world.inspect().stats().layers as u64;
            let cells = map.cells().count() as u64 * maps;
            assert!(FlowWorld::load_within(&bytes, cells).is_ok());
            assert!(maps == 1 || FlowWorld::load_within(&bytes, cells - 1).is_err());
        }
    });
}
