//! Links: orders on maps with one-way connections, against a plain Dijkstra that knows
//! them.

use crate::draws::draws;
use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{finish, world_of};
use crate::oracle::game::{Game, draw_input};
use crate::oracle::{Field, Jump, Map, sector_of, settle_with};
use flowtiles::error::LinkError;
use flowtiles::{
    Budget, Cell, CellRect, Cost, FlowWorld, Goal, LayerId, Link, LinkId, Movement, Order, Quality,
    Sample, Sector,
};

pub(crate) fn jumps(world: &FlowWorld) -> Vec<Jump> {
    let links = world.inspect().links();
    let cells = links.flat_map(|(_, link)| {
        let cells = link.area().cells();
        cells.map(|cell| {
            (
                cell,
                link.end_of(cell).expect("its own cell"),
                link.price().into(),
            )
        })
    });
    cells.collect()
}

/// Returns the cost-to-go of every cell, through links too, if only cells of these sectors
/// may be entered.
pub(crate) fn field_with(
    map: &Map,
    jumps: &[Jump],
    goal: Cell,
    start: u64,
    within: Option<&[Sector]>,
) -> Field {
    let enter = |cell: Cell| within.is_none_or(|loaded| loaded.contains(&sector_of(cell)));
    let price = |from, to| map.step(from, to);
    settle_with(map, jumps, (goal, start), enter, price)
}

pub(crate) fn draw_link(map: &Map, rng: &mut Rng) -> Link {
    let side = rng.pick(&[1, 1, 2, 4]);
    let area = rng.area(map, side);
    let (width, height) = (area.width as i32, area.height as i32);
    let end = Cell::new(
        rng.below(map.width - width + 1),
        rng.below(map.height - height + 1),
    );
    Link::new(area, end).with_price(rng.pick(&[1, 5, 5, 40, 300, 5000]))
}

/// Follows an order from a cell to its goal; returns what the path costs.
fn follow(world: &FlowWorld, order: &Order, map: &Map, from: Cell) -> u64 {
    let (mut cell, mut cost) = (from, 0);
    for _ in 0..=2 * map.costs.len() {
        match world.sample(order, cell) {
            Sample::Go(way) => {
                let next = cell.step(way);
                cost += map.step(cell, next).expect("a legal step");
                cell = next;
            }
            Sample::Link(link) => {
                let link = world.link(link).expect("a link that is there");
                let next = link.end_of(cell).expect("a cell of its area");
                assert!(map.is_open(next), "{cell} to {next} on {map}");
                cost += u64::from(link.price());
                cell = next;
            }
            Sample::Arrived => {
                let start = order.goal();
                assert!(start.cells().any(|goal| goal == cell));
                return cost;
            }
            other => panic!("{other} at {cell} on {map}"),
        }
    }
    panic!("from {from} in a circle on {map}");
}

/// Checks an order without work left: its answers on the whole map against the Dijkstra.
fn assert_order(world: &FlowWorld, order: &Order, map: &Map, quality: Quality) {
    let (goal, jumps) = (order.goal().cell(), jumps(world));
    let best = field_with(map, &jumps, goal, 0, None);
    let loaded = world.inspect().loaded(order);
    let within = field_with(map, &jumps, goal, 0, Some(&loaded));
    for cell in map.open_cells() {
        let id = map.id(cell);
        let (sample, cost) = (world.sample(order, cell), world.cost_to_go(order, cell));
        assert_eq!(
            sample == Sample::Unreachable,
            best[id].is_none(),
            "{cell} on {map}"
        );
        assert_eq!(cost, within[id], "{cell} to {goal} on {map}, {jumps:?}");
        if quality == Quality::Everywhere {
            assert_eq!(cost, best[id], "{cell} to {goal} on {map}, {jumps:?}");
        }
        let Some(cost) = cost else {
            continue;
        };
        assert!(Some(cost) >= best[id], "{cell} on {map}");
        assert_eq!(
            follow(world, order, map, cell),
            cost,
            "{cell} to {goal} on {map}"
        );
    }
    for &unit in world.inspect().units(order) {
        let id = map.id(unit);
        if !map.is_open(unit) || best[id].is_none() {
            continue;
        }
        let cost = world.cost_to_go(order, unit).expect("it is served");
        if quality == Quality::Exact {
            assert_eq!(Some(cost), best[id], "{unit} to {goal} on {map}, {jumps:?}");
        }
        let route = world
            .find_route(unit, goal)
            .expect("on the map")
            .expect("a route");
        assert!(
            cost <= route.cost,
            "{unit} to {goal}: {cost}, {route:?} {jumps:?}, {quality:?} best {:?} {loaded:?} units {:?} links {:?} on {map}",
            best[id],
            world.inspect().units(order),
            map.cells()
                .filter(|c| matches!(world.sample(order, *c), Sample::Link(_)))
                .collect::<Vec<_>>()
        );
        assert_eq!(world.travel_cost(unit, goal), Some(route.cost));
        let parted = field_with(map, &[], goal, 0, None)[id].is_none();
        assert!(!parted || !route.links.is_empty());
    }
}

struct Linked {
    game: Game,
    links: Vec<LinkId>,
    orders: Vec<(Order, Quality)>,
}

impl Linked {
    fn new(map: &Map, rng: &mut Rng) -> Self {
        let mut game = Game::new(map);
        let mut links = Vec::new();
        for _ in 0..rng.below(6) {
            links.extend(game.world.add_link(draw_link(map, rng)));
        }
        Self {
            game,
            links,
            orders: Vec::new(),
        }
    }

    fn play(&mut self, map: &Map, rng: &mut Rng) {
        match rng.below(10) {
            0 => self
                .links
                .extend(self.game.world.add_link(draw_link(map, rng))),
            1 if !self.links.is_empty() => {
                let at = rng.below(self.links.len() as i32) as usize;
                let id = self.links.remove(at);
                assert!(self.game.world.remove_link(id).is_some());
                assert!(self.game.world.link(id).is_none());
            }
            2..=4 => {
                let quality = rng.pick(&[
                    Quality::Corridor,
                    Quality::Corridor,
                    Quality::Exact,
                    Quality::Everywhere,
                ]);
                let goal = Goal::at(rng.cell(map)).with_quality(quality);
                let units: Vec<Cell> = (0..rng.between(1, 4)).map(|_| rng.cell(map)).collect();
                let best = field_with(
                    &self.game.model.map(),
                    &jumps(&self.game.world),
                    goal.cell(),
                    0,
                    None,
                );
                match self.game.world.order(goal, &units) {
                    Ok(order) => self.orders.push((order, quality)),
                    // Units in walls may find a way out.
                    Err(_) => assert!(units.iter().all(|&unit| best[map.id(unit)].is_none())),
                }
            }
            5 if !self.orders.is_empty() => {
                let at = rng.below(self.orders.len() as i32) as usize;
                self.orders.remove(at);
            }
            6 if !self.orders.is_empty() => {
                let at = rng.below(self.orders.len() as i32) as usize;
                let unit = rng.cell(map);
                self.game
                    .world
                    .cover(&self.orders[at].0, unit)
                    .expect("room for it");
            }
            _ => self.game.apply(&draw_input(map, rng)),
        }
    }

    /// No direction leads into a wall, and no unit is sent into a link that is gone or shut.
    fn assert_legal(&self) {
        let (world, map) = (&self.game.world, self.game.model.map());
        for (order, _) in &self.orders {
            for cell in map.open_cells() {
                match world.sample(order, cell) {
                    Sample::Link(link) => {
                        let link = world.link(link).expect("it is there");
                        assert!(map.is_open(link.end_of(cell).expect("its cell")));
                    }
                    sample => {
                        let next = sample.direction().map(|way| cell.step(way));
                        assert!(next.is_none_or(|next| map.step(cell, next).is_some()));
                    }
                }
            }
        }
    }
}

#[test]
fn orders_lead_through_links_as_a_plain_search_does() {
    for_drawn(181, &[(25, 14), (33, 58)], 4, |map, rng| {
        let mut linked = Linked::new(map, rng);
        for _ in 0..40 {
            linked.play(map, rng);
            linked.assert_legal();
        }
        finish(&mut linked.game.world);
        let now = linked.game.model.map();
        for (order, quality) in &linked.orders {
            assert_order(&linked.game.world, order, &now, *quality);
        }
        let all = jumps(&linked.game.world);
        for _ in 0..20 {
            let (from, to) = (rng.cell(map), rng.cell(map));
            let way = field_with(&now, &all, to, 0, None)[map.id(from)];
            let world = &linked.game.world;
            assert_eq!(
                world.reachable(from, to),
                way.is_some(),
                "{from} to {to} on {now}"
            );
            assert_eq!(world.travel_cost(from, to).is_some(), way.is_some());
            assert!(world.travel_cost(from, to) >= way);
            if let Some(near) = world.nearest_reachable(from, to) {
                assert!(world.reachable(from, near));
                assert!(way.is_none() || near == to);
            }
        }
    });
}

/// Units that join an order later, in sectors that are loaded for others, look at links that do
/// not pay for these.
#[test]
fn late_units_take_links_that_spare_them_a_tenth() {
    let (mut count, mut over) = (0, 0);
    for_drawn(191, &[(90, 70), (120, 40)], 4, |map, rng| {
        let mut world = world_of(map);
        for _ in 0..rng.between(1, 9) {
            let link = draw_link(map, rng);
            let _ = world.add_link(link);
        }
        let (first, goal) = (rng.cell(map), rng.cell(map));
        let Ok(order) = world.order(goal, &[first]) else {
            return;
        };
        finish(&mut world);
        let best = field_with(map, &jumps(&world), goal, 0, None);
        for _ in 0..12 {
            let Some(late) = rng.open_cell(map) else {
                return;
            };
            let Ok(same) = world.order(goal, &[late]) else {
                continue;
            };
            assert_eq!(same, order);
            finish(&mut world);
            let cost = follow(&world, &order, map, late);
            let best = best[map.id(late)].expect("it is led");
            // Fifty steps over open ground.
            if best >= 250 {
                count += 1;
                over += usize::from(20 * cost > 21 * best);
                assert!(
                    10 * cost <= 11 * best,
                    "{late} to {goal}: {cost} of {best} on {map}"
                );
            }
        }
    });
    assert!(count > 40, "{count}");
    assert!(
        100 * over <= count,
        "{over} of {count} are a twentieth over the best"
    );
}

#[test]
fn worlds_with_links_load_and_go_on_alike() {
    for_drawn(182, &[(33, 58)], 4, |map, rng| {
        let mut linked = Linked::new(map, rng);
        for _ in 0..40 {
            linked.play(map, rng);
        }
        let world = &mut linked.game.world;
        // With work in hand a copy goes on as the world does.
        let (mut ahead, _claims) = world.fork();
        for _ in 0..6 {
            ahead.tick(Budget::cells(300));
            world.tick(Budget::cells(300));
        }
        assert_eq!(ahead.state_hash(), world.state_hash());
        finish(world);
        let save = world.save();
        let (loaded, orders) = FlowWorld::load(&save).expect("a good save");
        assert_eq!(
            loaded.inspect().state_parts(),
            world.inspect().state_parts()
        );
        assert!(loaded.save() == save);
        assert!(loaded.inspect().links().eq(world.inspect().links()));
        for (order, _) in &linked.orders {
            let number = order.number();
            let again = orders.iter().find(|order| order.number() == number);
            let again = again.expect("every order");
            for cell in map.cells() {
                assert_eq!(
                    loaded.sample(again, cell),
                    world.sample(order, cell),
                    "{cell}"
                );
                assert_eq!(
                    loaded.cost_to_go(again, cell),
                    world.cost_to_go(order, cell)
                );
            }
        }
    });
}

#[test]
fn two_hundred_teleporters_stay_exact() {
    let looks = [Look::Rooms, Look::Caves, Look::Terrain];
    for look in looks.into_iter().take(draws() as usize) {
        let mut rng = Rng::new(183);
        let map = draw(look, 160, 130, &mut rng);
        let mut world = world_of(&map);
        while world.inspect().links().count() < 200 {
            let ends = [(); 2].map(|()| rng.open_cell(&map).expect("open ground"));
            let price = rng.between(5, 400) as u32;
            world
                .add_link(Link::new(ends[0], ends[1]).with_price(price))
                .ok();
        }
        for quality in [Quality::Exact, Quality::Corridor, Quality::Everywhere] {
            let goal = rng.open_cell(&map).expect("open ground");
            let units: Vec<Cell> = (0..12).filter_map(|_| rng.open_cell(&map)).collect();
            let goal = Goal::at(goal).with_quality(quality);
            let Ok(order) = world.order(goal, &units) else {
                continue;
            };
            finish(&mut world);
            assert_order(&world, &order, &map, quality);
        }
    }
}

#[test]
fn in_slices_and_at_once_links_make_the_same_world() {
    for_drawn(184, &[(33, 58)], 2, |map, rng| {
        let links: Vec<Link> = (0..8).map(|_| draw_link(map, rng)).collect();
        let goal = Goal::at(rng.cell(map));
        let units: Vec<Cell> = (0..4).map(|_| rng.cell(map)).collect();
        let hashes = [7, 90, u64::MAX].map(|slice| {
            let mut world = world_of(map);
            for link in &links {
                world.add_link(link.clone()).ok();
            }
            let order = world.order(goal.clone(), &units);
            while world.tick(Budget::cells(slice)).waiting > 0 {}
            (order.is_ok(), world.inspect().state_parts())
        });
        assert_eq!([hashes[0]; 3], hashes);
    });
}

#[test]
fn a_link_leads_on_its_layers_alone() {
    let mut map = Map::open(60, 20);
    map.fill(CellRect::new(30, 0, 1, 20), 255);
    let mut world = world_of(&map);
    let [layer, other] = [(); 2].map(|()| world.add_layer(Movement::new()).expect("room for it"));
    let link = Link::new(Cell::new(28, 5), Cell::new(33, 5)).only_on([other, layer]);
    let id = world.add_link(link).expect("a good link");
    let (loaded, _) = FlowWorld::load(&world.save()).expect("a good save");
    assert!(loaded.inspect().links().eq(world.inspect().links()));
    let (west, east) = (Cell::new(5, 5), Cell::new(55, 5));
    assert!(world.order(east, &[west]).is_err());
    let order = world
        .order(Goal::at(east).on(layer), &[west])
        .expect("by the link");
    finish(&mut world);
    assert_eq!(world.sample(&order, Cell::new(28, 5)), Sample::Link(id));
    assert_eq!(world.destination(&order, west), Some(east));
    assert_eq!(world.cost_to_go(&order, west), Some(23 * 5 + 5 + 22 * 5));
    world
        .edit(Cell::new(33, 5), Cost::WALL)
        .expect("on the map");
    assert_eq!(world.sample(&order, west), Sample::Unreachable);
    world
        .edit(Cell::new(33, 5), Cost::OPEN)
        .expect("on the map");
    finish(&mut world);
    assert_eq!(world.destination(&order, west), Some(east));
    world.remove_link(id);
    assert!(!matches!(
        world.sample(&order, Cell::new(28, 5)),
        Sample::Link(_)
    ));
}

type IsRight = fn(&LinkError) -> bool;

#[test]
fn links_that_cannot_be_are_refused() {
    let mut world = FlowWorld::new(Map::open(60, 20).cost_map());
    let cell = Cell::new(5, 5);
    let plain = Link::new(cell, Cell::new(9, 9));
    let area = |width, height| CellRect::new(0, 0, width, height);
    let none = LayerId::from_number(3);
    let refused: [(Link, IsRight); 8] = [
        (Link::new(Cell::new(60, 5), cell), |error| {
            matches!(error, LinkError::OffMap(_))
        }),
        (Link::new(area(9, 2), Cell::new(55, 5)), |error| {
            matches!(error, LinkError::OffMap(_))
        }),
        (Link::new(area(0, 3), cell), |error| {
            matches!(error, LinkError::Size { .. })
        }),
        (Link::new(area(20, 6), Cell::new(30, 5)), |error| {
            matches!(error, LinkError::Size { .. })
        }),
        (Link::new(cell, cell), |error| {
            matches!(error, LinkError::Overlap { .. })
        }),
        (plain.clone().with_price(0), |error| {
            *error == LinkError::NoPrice
        }),
        (
            plain.clone().only_on([none]),
            |error| matches!(error, LinkError::NoLayer { layer } if layer.number() == 3),
        ),
        (plain.clone().only_on([]), |error| {
            *error == LinkError::OnNoLayer
        }),
    ];
    for (link, is_right) in refused {
        let error = world.add_link(link.clone()).expect_err("it is refused");
        assert!(is_right(&error), "{link:?}: {error:?}");
    }
    for number in 0..4096 {
        let (x, y) = (number % 59, number / 59 % 19);
        world
            .add_link(Link::new(Cell::new(x, y), Cell::new(x + 1, y + 1)))
            .expect("room for it");
    }
    assert_eq!(world.add_link(plain), Err(LinkError::Full));
}
