//! Fog: the layers and orders of a team are those of a world that has only what the team knows,
//! whatever is done to the ground, and the fog is saved, forked and hashed.

use crate::oracle::Map;
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::finish;
use flowtiles::error::FogError;
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, GateId, Goal, LayerId, Movement, Order,
    Quality, Teams,
};

const WALL: u8 = 255;
/// The teams with fog, and one that sees all.
const FOGGED: [u8; 2] = [2, 5];
const CLEAR: u8 = 3;
/// A kind of ground: water.
const WATER: u8 = 20;

/// The ground, the gates, and what the teams know.
struct Model {
    ground: Map,
    gates: Vec<(GateId, CellRect, Teams)>,
    known: Vec<Map>,
}

impl Model {
    fn seen(&self, team: u8, cell: Cell) -> u8 {
        let is_shut =
            |(_, area, teams): &(GateId, CellRect, Teams)| area.contains(cell) && !teams.has(team);
        if self.gates.iter().any(is_shut) {
            return WALL;
        }
        self.ground.cost(cell)
    }

    fn reveal(&mut self, index: usize, area: CellRect) {
        for cell in area.cells() {
            let cost = self.seen(FOGGED[index], cell);
            self.known[index].set(cell, cost);
        }
    }
}

fn movements() -> Vec<Movement> {
    let water = Cost::new(WATER).expect("not 0");
    let dry = Movement::new().with_cost(water, Cost::WALL);
    let wide = dry.clone().with_size(2).expect("a size");
    vec![dry, wide.with_wall_costs([3, 0, 0, 0])]
}

fn layers(team: u8) -> [LayerId; 3] {
    [0, 1, 2].map(|number| {
        let layer = LayerId::from_number(number).for_team(team);
        layer.expect("a team")
    })
}

fn world(costs: CostMap) -> FlowWorld {
    let mut world = FlowWorld::new(costs);
    for movement in movements() {
        world.add_layer(movement).expect("room for it");
    }
    world
}

fn goals(map: &Map, rng: &mut Rng, team: u8) -> Vec<Goal> {
    let goal = |layer| {
        let goal = Goal::at(rng.cell(map)).on(layer);
        goal.with_quality(Quality::Everywhere)
    };
    layers(team).map(goal).to_vec()
}

/// Does something to the world and to the model.
fn act(world: &mut FlowWorld, model: &mut Model, rng: &mut Rng) {
    let area = rng.area(&model.ground, 14);
    let index = rng.below(2) as usize;
    let team = FOGGED[index];
    match rng.below(9) {
        0 | 1 => {
            let cost = rng.pick(&[1, 1, 5, WATER, WALL]);
            model.ground.fill(area, cost);
            world
                .edit(area, Cost::new(cost).expect("not 0"))
                .expect("on the map");
        }
        2 => {
            let teams = Teams::from_bits(rng.below(256) as u8);
            let (gate, _) = world.add_gate(area, teams).expect("on the map");
            model.gates.push((gate, area, teams));
        }
        3 if !model.gates.is_empty() => {
            let at = rng.below(model.gates.len() as i32) as usize;
            if rng.chance(50) {
                let (gate, ..) = model.gates.remove(at);
                world.remove_gate(gate);
            } else {
                let teams = Teams::from_bits(rng.below(256) as u8);
                model.gates[at].2 = teams;
                world.set_gate(model.gates[at].0, teams);
            }
        }
        4 => {
            let kind = rng.pick(&[1, WATER]);
            model.known[index].fill(area, kind);
            let kind = Cost::new(kind).expect("not 0");
            world.forget(team, &[area], kind).expect("it has fog");
        }
        5 => {
            world.tick(Budget::cells(2_000));
        }
        _ => {
            let other = rng.area(&model.ground, 20);
            model.reveal(index, area);
            model.reveal(index, other);
            world.reveal(team, &[area, other]).expect("it has fog");
            let (eye, sight) = (rng.cell(&model.ground), rng.between(0, 9));
            let square = CellRect::new(eye.x - sight, eye.y - sight, 19, 19);
            let cells = square.cells().filter(|&cell| model.ground.contains(cell));
            for cell in cells.collect::<Vec<Cell>>() {
                if (cell.x - eye.x).pow(2) + (cell.y - eye.y).pow(2) <= sight.pow(2) {
                    model.reveal(index, cell.into());
                }
            }
            let eyes = [(eye, sight as u32), (Cell::new(i32::MIN, 5), 300)];
            world.reveal_around(team, &eyes).expect("it has fog");
            let again = world.reveal(team, &[other, area]).expect("it has fog");
            assert_eq!((again.cells, again.rebuilt, again.orders), (0, 0, 0));
        }
    }
}

/// Holds the derived layers and the orders of a team against those of a world with this ground.
fn assert_sees(seen: &FlowWorld, team: u8, map: &Map, orders: &[Order], rng: &mut Rng) {
    let mut plain = world(map.cost_map());
    for layer in layers(team) {
        let plainly = LayerId::from_number(layer.number());
        plain.derive_layer(plainly).expect("it is declared");
        let (Some(view), Some(other)) = (seen.layer(layer), plain.layer(plainly)) else {
            panic!("{layer} is derived");
        };
        assert_eq!(view.costs(), other.costs(), "{layer}");
        for _ in 0..20 {
            let ends = [rng.cell(map), rng.cell(map)];
            let reached = [view, other].map(|view| view.reachable(ends[0], ends[1]));
            assert_eq!(reached[0], reached[1], "{layer}: {ends:?}");
        }
    }
    for order in orders {
        let goal = order.goal().clone();
        let plainly = goal.clone().on(LayerId::from_number(goal.layer().number()));
        let Ok(fresh) = plain.order(plainly, &[]) else {
            continue;
        };
        finish(&mut plain);
        for cell in map.cells() {
            let costs = [(seen, order), (&plain, &fresh)].map(|(world, order)| {
                let is_wall = world
                    .layer(order.goal().layer())
                    .is_none_or(|view| view.costs().get(cell).is_none_or(Cost::is_wall));
                (!is_wall).then(|| world.cost_to_go(order, cell))
            });
            assert_eq!(
                costs[0],
                costs[1],
                "{} to {}",
                order.goal().layer(),
                goal.cell()
            );
        }
    }
}

#[test]
fn a_team_plans_over_what_it_knows() {
    for_drawn(211, &[(31, 44), (50, 20)], 3, |map, rng| {
        let mut world = world(map.cost_map());
        let mut model = Model {
            ground: map.clone(),
            gates: Vec::new(),
            known: vec![map.clone(), map.clone()],
        };
        let mut orders: Vec<Vec<Order>> = vec![Vec::new(); 3];
        // Some layers are derived before there is fog.
        world.derive_layer(layers(2)[1]).expect("declared");
        for team in FOGGED {
            world.add_fog(team).expect("it has none");
        }
        for (team, orders) in [FOGGED[0], FOGGED[1], CLEAR].into_iter().zip(&mut orders) {
            for goal in goals(map, rng, team) {
                orders.extend(world.order(goal, &[]));
            }
            for layer in layers(team) {
                world.derive_layer(layer).expect("declared");
            }
        }
        for round in 0..12 {
            for _ in 0..4 {
                act(&mut world, &mut model, rng);
            }
            finish(&mut world);
            for index in 0..2 {
                let known = &model.known[index];
                let team = FOGGED[index];
                assert_eq!(world.known(team), Some(&known.cost_map()), "{round}");
                assert_sees(&world, team, known, &orders[index], rng);
            }
            let mut all = model.ground.clone();
            for cell in model.ground.cells() {
                all.set(cell, model.seen(CLEAR, cell));
            }
            assert_sees(&world, CLEAR, &all, &orders[2], rng);
            if round % 4 == 3 {
                let (loaded, _claims) = FlowWorld::load(&world.save()).expect("a save");
                assert_eq!(loaded.state_hash(), world.state_hash());
                assert_eq!(loaded.save(), world.save());
                let (forked, _claims) = world.fork();
                assert_eq!(forked.state_hash(), world.state_hash());
                assert_sees(&loaded, FOGGED[0], &model.known[0], &[], rng);
            }
        }
        let before = world.state_hash();
        world
            .forget(
                FOGGED[0],
                &[rng.area(map, 9)],
                Cost::new(77).expect("not 0"),
            )
            .expect("fog");
        assert_ne!(world.state_hash(), before, "what a team knows is hashed");
        for team in FOGGED {
            world.remove_fog(team).expect("it has fog");
            finish(&mut world);
            let mut all = model.ground.clone();
            for cell in model.ground.cells() {
                all.set(cell, model.seen(team, cell));
            }
            let index = usize::from(team == FOGGED[1]);
            assert_sees(&world, team, &all, &orders[index], rng);
        }
    });
}

#[test]
fn fog_is_refused_where_it_cannot_be() {
    let map = CostMap::open(20, 20).expect("a size");
    let mut world = FlowWorld::new(map);
    let plain = world.save();
    assert_eq!(world.add_fog(0), Err(FogError::NoTeam { team: 0 }));
    assert_eq!(world.add_fog(8), Err(FogError::NoTeam { team: 8 }));
    assert_eq!(world.reveal(1, &[]), Err(FogError::NoFog { team: 1 }));
    assert_eq!(world.remove_fog(1), Err(FogError::NoFog { team: 1 }));
    assert_eq!(world.add_fog(1), Ok(()));
    assert_eq!(world.add_fog(1), Err(FogError::HasFog { team: 1 }));
    let areas = [CellRect::new(2, 2, 3, 3), CellRect::new(18, 0, 3, 3)];
    let off = world.forget(1, &areas, Cost::WALL);
    assert!(matches!(off, Err(FogError::OffMap(_))));
    assert_eq!(world.known(1), Some(world.costs()), "nothing has changed");
    world.remove_fog(1).expect("it has fog");
    assert_eq!(world.save(), plain, "without fog a save is as before");
}

/// Whether a point strictly inside an opaque cell, or at most this far from one, lies on the
/// line between the middles of two cells. In 64ths of a cell, at 64 points for each cell of it.
fn is_hidden(map: &Map, opaque: &[u8], [from, to]: [Cell; 2], off: i64) -> bool {
    let [a, b] = [from, to].map(|cell| [cell.x, cell.y].map(|at| 64 * i64::from(at) + 32));
    let points = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
    (0..=points).any(|point| {
        let at = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * point / points.max(1));
        let cell = Cell::new((at[0] / 64) as i32, (at[1] / 64) as i32);
        let around = CellRect::new(cell.x - 1, cell.y - 1, 3, 3).cells();
        around.into_iter().any(|cell| {
            let corner = [cell.x, cell.y].map(|at| 64 * i64::from(at));
            let is_in = (0..2)
                .all(|axis| (corner[axis] - off + 1..corner[axis] + 64 + off).contains(&at[axis]));
            let is_end = cell == from || cell == to;
            is_in && !is_end && map.contains(cell) && opaque.contains(&map.cost(cell))
        })
    })
}

#[test]
fn opaque_ground_hides_what_lies_behind() {
    const UNSEEN: u8 = 77;
    let mut count = [0; 2];
    for_drawn(241, &[(31, 44), (50, 20)], 3, |map, rng| {
        let mut map = map.clone();
        for _ in 0..6 {
            let (area, kind) = (rng.area(&map, 6), rng.pick(&[1, 1, WATER, WALL]));
            map.fill(area, kind);
        }
        let opaque = rng.pick(&[&[WALL][..], &[WATER], &[WATER, WALL], &[]]);
        let mut world = world(map.cost_map());
        let kinds: Vec<Cost> = opaque
            .iter()
            .map(|&kind| Cost::new(kind).expect("not 0"))
            .collect();
        world.set_opaque(&kinds);
        assert!((1..=255).all(|kind| {
            world.is_opaque(Cost::new(kind).expect("not 0")) == opaque.contains(&kind)
        }));
        world.add_fog(2).expect("it has none");
        let unseen = Cost::new(UNSEEN).expect("not 0");
        world
            .forget(2, &[world.costs().area()], unseen)
            .expect("it has fog");
        let (eye, sight) = (rng.cell(&map), rng.between(1, 14));
        world
            .reveal_around(2, &[(eye, sight as u32)])
            .expect("it has fog");
        let known = world.known(2).expect("it has fog");
        for cell in map.cells() {
            let is_seen = known.get(cell) != Some(unseen);
            let square = (cell.x - eye.x).pow(2) + (cell.y - eye.y).pow(2);
            if square > sight.pow(2) {
                assert!(!is_seen, "{cell} is far from {eye}");
                continue;
            }
            count[usize::from(is_seen)] += 1;
            let line = [eye, cell];
            assert!(
                is_seen || is_hidden(&map, opaque, line, 3),
                "{eye} sees {cell}"
            );
            let is_opaque = opaque.contains(&map.cost(cell));
            assert!(
                !is_seen || is_opaque || !is_hidden(&map, opaque, line, -3),
                "{eye} does not see {cell}"
            );
        }
        let (loaded, _) = FlowWorld::load(&world.save()).expect("a good save");
        assert_eq!(loaded.state_hash(), world.state_hash());
        assert_eq!(loaded.save(), world.save());
        assert!(
            (1..=255)
                .map(|kind| Cost::new(kind).expect("not 0"))
                .all(|kind| { loaded.is_opaque(kind) == world.is_opaque(kind) })
        );
    });
    assert!(count.iter().all(|&count| count > 20), "{count:?}");
}
