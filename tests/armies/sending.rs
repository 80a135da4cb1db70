//! Several groups that are sent to one goal by one call.

use crate::crowd::{configure, set_layer};
use flowtiles::error::OrderError;
use flowtiles::steer::{
    Army, ArmyError, ArmyEvent, ArmyLoadError, Chase, GroupId, Pace, Reading, Sending, Shape,
    Target, Unit,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Movement};

use crate::crowd::add_rows;

/// Eight units of each of three classes, side by side: men, cars and slow wide tanks.
struct Game {
    world: FlowWorld,
    army: Army,
    groups: [GroupId; 3],
    layers: [LayerId; 3],
}

impl Game {
    fn new(map: CostMap) -> Self {
        let mut world = FlowWorld::new(map);
        let roads = Movement::new().with_cost(Cost::new(20).unwrap(), Cost::WALL);
        let layers = [
            LayerId::GROUND,
            world.add_layer(roads).unwrap(),
            world
                .add_layer(Movement::new().with_size(2).unwrap())
                .unwrap(),
        ];
        let mut army = Army::default();
        let groups = [(); 3].map(|()| army.add_group(Target::Hold, Reading::Ahead).unwrap());
        for (id, group) in (0..24).zip(groups.into_iter().cycle()) {
            let class = id as usize % 3;
            let place = [5.0 + 2.0 * (id / 3) as f32, 8.0 + 6.0 * class as f32];
            let unit = Unit::new(id, group, place)
                .with_radius([0.35, 0.4, 0.9][class])
                .with_speed([4.0, 6.0, 2.0][class]);
            army.add(unit).unwrap();
        }
        for (group, layer) in groups.into_iter().zip(layers) {
            set_layer(&mut army, &mut world, group, layer).unwrap();
        }
        Self {
            world,
            army,
            groups,
            layers,
        }
    }

    fn send(&mut self, goal: impl Into<Goal>, how: Sending) -> Result<(), ArmyError> {
        let world = &mut self.world;
        self.army.send_all(world, &self.groups, goal, how)
    }

    fn tick(&mut self) {
        self.army.tick(&mut self.world, Budget::UNLIMITED, 0.05);
    }

    /// Goes on until each group has emitted `count` arrivals; returns for each the tick in
    /// which half of its units had arrived for the first time.
    fn arrivals(&mut self, count: usize) -> [u32; 3] {
        let (mut told, mut halves) = ([0; 3], [const { Vec::new() }; 3]);
        for tick in 0..4_000 {
            self.tick();
            for event in self.army.events() {
                match *event {
                    ArmyEvent::Arrived { unit } => halves[unit as usize % 3].push(tick),
                    ArmyEvent::GroupArrived { group } => {
                        let class = self.groups.iter().position(|&known| known == group);
                        told[class.unwrap()] += 1;
                    }
                    _ => {}
                }
            }
            if told == [count; 3] {
                return halves.map(|ticks| ticks[3]);
            }
        }
        panic!("{told:?} after all ticks");
    }

    fn middle_of(&self, groups: &[GroupId]) -> [f32; 2] {
        let members = groups.iter().flat_map(|&group| self.army.members(group));
        let places: Vec<[f32; 2]> = members.map(|unit| unit.position).collect();
        let sum = |axis: usize| places.iter().map(|place| place[axis]).sum::<f32>();
        [0, 1].map(|axis| sum(axis) / places.len() as f32)
    }

    /// How far the middle of groups is from a place.
    fn off(&self, groups: &[GroupId], place: [f32; 2]) -> f32 {
        let middle = self.middle_of(groups);
        (middle[0] - place[0]).hypot(middle[1] - place[1])
    }

    /// The distance of the two units that are nearest to each other.
    fn nearest_two(&self) -> f32 {
        let units = self.army.units();
        let pairs = (0..units.len()).flat_map(|one| (0..one).map(move |other| [one, other]));
        let away = pairs.map(|pair| {
            let [one, other] = pair.map(|at| units[at].position);
            (one[0] - other[0]).hypot(one[1] - other[1])
        });
        away.fold(f32::MAX, f32::min)
    }
}

fn open() -> CostMap {
    CostMap::open(120, 50).unwrap()
}

fn sending(set: impl FnOnce(&mut Sending)) -> Sending {
    let mut how = Sending::default();
    set(&mut how);
    how
}

#[test]
fn classes_go_on_their_layers_and_arrive_together() {
    // Through a door of one cell, or for tanks round by the south.
    let mut map = open();
    map.edit(CellRect::new(50, 0, 2, 30), Cost::WALL).unwrap();
    map.edit(CellRect::new(50, 20, 2, 1), Cost::OPEN).unwrap();
    for together in [false, true] {
        let mut game = Game::new(map.clone());
        game.send(Cell::new(100, 20), sending(|how| how.together = together))
            .unwrap();
        for (group, layer) in game.groups.into_iter().zip(game.layers) {
            let order = game.army.group(group).unwrap().order();
            assert_eq!(order.unwrap().goal().layer(), layer);
            let pace = game.army.settings(group).unwrap().pace;
            assert_eq!(pace == Pace::Shared(0), together);
        }
        let ends = game.arrivals(1);
        let apart = ends.iter().max().unwrap() - ends.iter().min().unwrap();
        assert!(if together { apart < 60 } else { apart > 400 }, "{ends:?}");
        for unit in game.army.units() {
            let [x, y] = unit.position;
            assert!((x - 100.5).hypot(y - 20.5) < 9.0, "{unit:?}");
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    // A goal that is a door of one cell, too narrow for tanks.
    let mut map = open();
    map.edit(CellRect::new(50, 0, 2, 50), Cost::WALL).unwrap();
    map.edit(CellRect::new(50, 20, 2, 1), Cost::OPEN).unwrap();
    let mut game = Game::new(map);
    let gone = game.army.add_group(Target::Hold, Reading::Ahead).unwrap();
    game.army.remove_group(gone).unwrap();
    let away = Cell::new(30, 20);
    let missing = Err(ArmyError::NoGroup { group: gone });
    let groups = [game.groups[2], gone];
    let sent = game
        .army
        .send_all(&mut game.world, &groups, away, Sending::default());
    assert_eq!(sent, missing);
    game.send(away, Sending::default()).unwrap();
    for _ in 0..20 {
        game.tick();
    }
    let ([men, cars, tanks], [ground, roads, wide]) = (game.groups, game.layers);
    let plain = Sending::default();
    let odd = Chase::default().with_sight(f32::NAN);
    let before = game.army.state_hash();
    let world_before = game.world.state_hash();
    let all = [men, cars, tanks];
    let calls: [(&[GroupId], Cell, Sending, &str); 8] = [
        (&[], away, plain, "no group is named"),
        (&[men, gone], away, plain, "the army has no group"),
        (&[men, cars, men], away, plain, "is named twice"),
        (&all, Cell::new(50, 10), plain, "is a wall"),
        // Only the tanks' order is refused.
        (&all, Cell::new(50, 20), plain, "is a wall"),
        (&all, Cell::new(400, 20), plain, "off the map"),
        (
            &all,
            away,
            sending(|how| how.attack = Some(odd)),
            "sight of a chase cannot be NaN",
        ),
        (
            &all,
            away,
            sending(|how| how.formation = Some((Shape::Box, 0.0))),
            "spacing of a formation cannot be 0",
        ),
    ];
    for (groups, goal, how, words) in calls {
        let sent = game.army.send_all(&mut game.world, groups, goal, how);
        let error = sent.unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert_eq!(game.army.state_hash(), before, "{words}");
        assert_eq!(game.world.state_hash(), world_before, "{words}");
    }
    // Room for one more order, where three are wanted.
    let limits = game.world.limits();
    let mut tight = limits;
    tight.orders = 4;
    game.world.set_limits(tight);
    let world_before = game.world.state_hash();
    let refused = ArmyError::Order(OrderError::Full { limit: 4 });
    assert_eq!(game.send(Cell::new(20, 30), plain), Err(refused));
    assert_eq!(game.army.state_hash(), before);
    assert_eq!(game.world.state_hash(), world_before);
    game.world.set_limits(limits);
    let foreign = LayerId::from_number(9);
    let none = ArmyError::Order(OrderError::NoLayer { layer: foreign });
    assert_eq!(
        set_layer(&mut game.army, &mut game.world, men, foreign),
        Err(none)
    );
    assert_eq!(
        set_layer(&mut game.army, &mut game.world, gone, roads),
        missing
    );
    // The groups follow their orders.
    for (group, layer, own) in [(men, roads, ground), (tanks, ground, wide)] {
        let other = Err(ArmyError::OtherLayer { group, layer: own });
        assert_eq!(
            set_layer(&mut game.army, &mut game.world, group, layer),
            other
        );
        set_layer(&mut game.army, &mut game.world, group, own).unwrap();
    }
    // An order whose goal lacks a layer.
    let order = Target::Order(game.world.order(away, &[]).unwrap());
    let refused = Err(ArmyError::GroundOrder {
        group: tanks,
        layer: wide,
    });
    assert_eq!(game.army.send(tanks, order.clone()), refused);
    assert_eq!(game.army.queue(tanks, order.clone()), refused);
    assert_eq!(game.army.patrol(tanks, [order.clone()]), refused);
    assert_eq!(game.army.state_hash(), before);
    game.army.send(men, order).unwrap();
    game.army.send(tanks, Target::Hold).unwrap();
    let before = game.army.state_hash();
    let error = set_layer(&mut game.army, &mut game.world, tanks, ground).unwrap_err();
    let text = "the radius of unit 2 cannot be 0.9: set it to at most half the width of the \
                bodies of its group's layer";
    assert_eq!(error.to_string(), text);
    assert_eq!(game.army.state_hash(), before);
}

#[test]
fn what_is_refused_derives_no_layer() {
    let mut map = open();
    map.edit(CellRect::new(50, 0, 2, 50), Cost::WALL).unwrap();
    map.edit(CellRect::new(50, 20, 2, 1), Cost::OPEN).unwrap();
    let mut game = Game::new(map);
    for layer in &game.layers[1..] {
        game.world.free_layer(*layer).unwrap();
    }
    let limits = game.world.limits();
    let mut tight = limits;
    tight.orders = 2;
    let plain = Sending::default();
    // The last two are refused once some of the layers are derived.
    for (goal, limits, words) in [
        (Cell::new(400, 20), limits, "off the map"),
        (Cell::new(50, 10), limits, "is a wall"),
        (Cell::new(50, 20), limits, "is a wall"),
        (Cell::new(20, 20), tight, "2 orders"),
    ] {
        game.world.set_limits(limits);
        let before = (game.world.save(), game.army.save());
        let error = game.send(goal, plain).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        let after = (game.world.save(), game.army.save());
        assert!(after == before, "{words}: a save is another");
    }
    game.world.set_limits(limits);
    game.send(Cell::new(20, 20), plain).unwrap();
    let [_, roads, wide] = game.layers.map(|layer| game.world.layer(layer).is_some());
    assert!(roads && wide);
}

#[test]
fn all_stand_in_one_formation_also_at_the_next_goal() {
    let formed = sending(|how| (how.together, how.formation) = (true, Some((Shape::Box, 2.5))));
    let onward = sending(|how| (how.together, how.queued) = (true, true));
    for (goals, end) in [(1, [60.5, 20.5]), (2, [90.5, 30.5])] {
        let mut game = Game::new(open());
        game.send(Cell::new(60, 20), formed).unwrap();
        if goals == 2 {
            game.send(Cell::new(90, 30), onward).unwrap();
        }
        for _ in 0..200 {
            game.tick();
        }
        let [men, cars, tanks] = game.groups.map(|group| game.middle_of(&[group])[0]);
        assert!((men - tanks).abs() < 1.0 && (cars - tanks).abs() < 1.0);
        game.arrivals(goals);
        assert!(game.off(&game.groups, end) < 1.2);
        assert!(game.nearest_two() > 1.3, "{}", game.nearest_two());
        // A part that goes alone does so around its own middle.
        let [men, ..] = game.groups;
        assert!(game.off(&[men], end) > 2.0, "{}", game.off(&[men], end));
        let (world, goal) = (&mut game.world, Cell::new(60, 40));
        game.army
            .send_all(world, &[men], goal, Sending::default())
            .unwrap();
        let mut ticks = 0;
        while !game.army.group(men).unwrap().has_arrived() {
            game.tick();
            ticks += 1;
            assert!(ticks < 2_000);
        }
        assert!(game.off(&[men], [60.5, 40.5]) < 1.0);
    }
}

#[test]
fn shared_pace_is_of_the_groups_sent_together_last() {
    let mut game = Game::new(open());
    let [men, cars, tanks] = game.groups;
    let paces = |game: &Game| game.groups.map(|id| game.army.settings(id).unwrap().pace);
    let together = sending(|how| how.together = true);
    configure(&mut game.army, &game.world, tanks, |it| {
        it.pace = Pace::Slowest
    })
    .unwrap();
    game.send(Cell::new(60, 10), Sending::default()).unwrap();
    assert_eq!(paces(&game), [Pace::Own, Pace::Own, Pace::Slowest]);
    game.send(Cell::new(60, 10), together).unwrap();
    assert_eq!(paces(&game), [Pace::Shared(0); 3]);
    // The tanks go on with the cars; the men are of the earlier company still.
    let goal = Cell::new(60, 30);
    let world = &mut game.world;
    game.army
        .send_all(world, &[tanks, cars], goal, together)
        .unwrap();
    let [shared, other] = [0, 1].map(Pace::Shared);
    assert_eq!(paces(&game), [shared, other, other]);
    for _ in 0..60 {
        game.tick();
    }
    let fastest = |group: GroupId| {
        let members = game.army.members(group);
        let speeds = members.map(|unit| unit.velocity[0].hypot(unit.velocity[1]));
        speeds.fold(0.0, f32::max)
    };
    assert!(
        fastest(men) > 3.5 && fastest(cars) < 3.0,
        "no man waits for a tank"
    );
    let hash = game.army.state_hash();
    let loaded = Army::load(&game.army.save(), &game.world).unwrap();
    assert_eq!(loaded.state_hash(), hash);
    assert_eq!(loaded.settings(cars).unwrap().pace, other);
    for pace in [shared, Pace::Slowest, Pace::Own] {
        configure(&mut game.army, &game.world, cars, |it| it.pace = pace).unwrap();
        assert_ne!(game.army.state_hash(), hash, "{pace:?}");
    }
    game.send(goal, Sending::default()).unwrap();
    assert_eq!(paces(&game), [Pace::Own; 3]);
}

#[test]
fn a_pursuit_begins_anew_on_a_layer_that_is_set() {
    let mut game = Game::new(open());
    let [_, cars, tanks] = game.groups;
    game.army
        .send(cars, Target::Pursue(2, Chase::default()))
        .unwrap();
    for layer in [game.layers[1], LayerId::GROUND] {
        set_layer(&mut game.army, &mut game.world, cars, layer).unwrap();
        for _ in 0..20 {
            game.tick();
        }
        let order = game.army.group(cars).unwrap().order().unwrap();
        assert_eq!(order.goal().layer(), layer);
    }
    // The same layer once more changes nothing.
    let before = game.army.state_hash();
    set_layer(&mut game.army, &mut game.world, tanks, game.layers[2]).unwrap();
    set_layer(&mut game.army, &mut game.world, cars, LayerId::GROUND).unwrap();
    assert_eq!(game.army.state_hash(), before);
}

/// A layer stays derived in a save, whether an order used it once or the game has set it.
#[test]
fn loaded_groups_on_layers_without_orders_go_on() {
    let mut map = CostMap::open(60, 40).unwrap();
    for y in (2..36).step_by(6) {
        map.edit(CellRect::new(20, y, 30, 2), Cost::new(9).unwrap())
            .unwrap();
        map.edit(CellRect::new(24, y + 2, 20, 1), Cost::WALL)
            .unwrap();
    }
    let mut game = Game::new(map);
    let [_, cars, tanks] = game.groups;
    let goal = Goal::at(Cell::new(30, 37)).on(game.layers[2]).or_nearest();
    let order = game.world.order(goal, &[]).unwrap();
    let number = order.number();
    game.army.send(tanks, order).unwrap();
    game.tick();
    for group in [cars, tanks] {
        game.army.send(group, Target::Point([50.5, 20.5])).unwrap();
    }
    game.tick(); // Here the order ends.
    assert_eq!(game.world.order_with_number(number), None);
    let (mut world, claims) = FlowWorld::load(&game.world.save()).unwrap();
    assert!(claims.is_empty() && world.layer(game.layers[2]).is_some());
    let lacks = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let layer = game.layers[1];
    let refused = ArmyLoadError::NoLayer { layer };
    assert_eq!(Army::load(&game.army.save(), &lacks).err(), Some(refused));
    let mut army = Army::load(&game.army.save(), &world).unwrap();
    assert_eq!(army.bind(&lacks), Err(refused));
    for _ in 0..200 {
        game.tick();
        army.tick(&mut world, Budget::cells(4_000), 0.05);
        assert_eq!(army.state_hash(), game.army.state_hash());
    }
}

#[test]
fn a_formation_of_several_layers_comes_through_a_gap() {
    for (count, size, radius, speed) in [(6, 3, 1.2, 2.5), (6, 1, 0.35, 4.0), (20, 2, 0.9, 2.0)] {
        let mut map = CostMap::open(120, 80).unwrap();
        map.edit(CellRect::new(60, 0, 3, 80), Cost::WALL).unwrap();
        map.edit(CellRect::new(60, 17, 3, 6), Cost::OPEN).unwrap();
        let mut world = FlowWorld::new(map);
        let layer = world
            .add_layer(Movement::new().with_size(size).unwrap())
            .unwrap();
        let mut army = Army::default();
        let [men, tanks] = [(); 2].map(|()| army.add_group(Target::Hold, Reading::Ahead).unwrap());
        set_layer(&mut army, &mut world, tanks, layer).unwrap();
        add_rows(&mut army, men, 0..60, 10, [20.5, 11.5], 1.0);
        for at in 0..count {
            let place = [20.5 + 3.0 * (at % 3) as f32, 30.5 + 3.0 * (at / 3) as f32];
            let unit = Unit::new(100 + at, tanks, place).with_radius(radius);
            army.add(unit.with_speed(speed)).unwrap();
        }
        let formed = sending(|how| how.formation = Some((Shape::Box, 3.0)));
        let goal = Cell::new(105, 20);
        army.send_all(&mut world, &[men, tanks], goal, formed)
            .unwrap();
        let mut ticks = 0;
        while !army.is_settled() {
            army.tick(&mut world, Budget::cells(4_000), 0.05);
            ticks += 1;
            assert!(ticks < 4_000);
        }
        let behind = army.units().iter().filter(|unit| unit.position[0] < 60.0);
        assert_eq!(behind.count(), 0);
    }
}

/// The middle of the units is in a yard without a gate.
#[test]
fn a_formation_around_a_closed_yard_sets_out() {
    let mut map = CostMap::open(80, 40).unwrap();
    map.edit(CellRect::new(10, 10, 20, 20), Cost::WALL).unwrap();
    map.edit(CellRect::new(12, 12, 16, 16), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let mut army = Army::default();
    let group = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    for id in 0..20 {
        let y = if id < 10 { 6.5 } else { 33.5 };
        army.add(Unit::new(id, group, [15.5 + (id % 10) as f32, y]))
            .unwrap();
    }
    let formed = sending(|how| how.formation = Some((Shape::Box, 1.5)));
    army.send_all(&mut world, &[group], Cell::new(60, 20), formed)
        .unwrap();
    for _ in 0..1_500 {
        army.tick(&mut world, Budget::cells(4_000), 0.05);
    }
    assert!(army.is_settled());
    assert!(army.units().iter().all(|unit| unit.position[0] > 50.0));
}

/// Its units would walk on it as on the ground, through its walls.
#[test]
fn layer_that_is_not_derived_is_refused() {
    let mut world = FlowWorld::new(CostMap::open(20, 20).unwrap());
    let layer = world.add_layer(Movement::new().with_size(2).unwrap());
    let (layer, mut army) = (layer.unwrap(), Army::default());
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    let mut set = |world: &FlowWorld| configure(&mut army, world, group, |it| it.layer = layer);
    assert_eq!(set(&world), Err(ArmyError::NotDerived { layer }));
    world.derive_layer(layer).unwrap();
    assert_eq!(set(&world), Ok(()));
}

/// Melee in front, archers behind and healers last, sent from the other way round.
struct Ranked {
    world: FlowWorld,
    army: Army,
    groups: [GroupId; 3],
}

fn ranked() -> Ranked {
    let mut world = FlowWorld::new(CostMap::open(90, 60).unwrap());
    let mut army = Army::default();
    let groups = [0, 1, 2].map(|_| army.add_group(Target::Hold, Reading::Ahead).unwrap());
    for (rank, group) in (0..).zip(groups) {
        let mut settings = *army.settings(group).unwrap();
        settings.rank = rank;
        army.configure(group, settings, &world).unwrap();
        for id in 0..24 {
            let column = f32::from(rank) * 4.0 + (id / 8) as f32;
            let place = [5.5 + column, 26.5 + (id % 8) as f32];
            let id = u32::from(rank) * 100 + id;
            army.add(Unit::new(id, group, place)).unwrap();
        }
    }
    world.tick(Budget::UNLIMITED);
    Ranked {
        world,
        army,
        groups,
    }
}

/// Returns the range of a group's columns.
fn columns(army: &Army, group: GroupId) -> [f32; 2] {
    let columns = || army.members(group).map(|unit| unit.position[0]);
    let least = columns().fold(f32::INFINITY, f32::min);
    [least, columns().fold(0.0, f32::max)]
}

#[test]
fn ranks_come_in_order_on_the_march_and_at_the_goal() {
    for formation in [None, Some((Shape::Box, 1.0))] {
        let Ranked {
            mut world,
            mut army,
            groups,
        } = ranked();
        let mut how = Sending::default();
        how.formation = formation;
        how.together = formation.is_some();
        let goal = Cell::new(70, 30);
        army.send_all(&mut world, &groups, goal, how).unwrap();
        let mut on_the_way = None;
        let mut ticks = 0;
        while !army.is_settled() {
            army.tick(&mut world, Budget::UNLIMITED, 0.05);
            let middles = groups.map(|group| columns(&army, group).iter().sum::<f32>() * 0.5);
            if on_the_way.is_none() && middles[0] > 45.0 {
                on_the_way = Some(middles);
            }
            ticks += 1;
            assert!(ticks < 3_000, "{formation:?}");
        }
        let [melee, archers, healers] = on_the_way.unwrap();
        assert!(
            melee > archers && archers > healers,
            "{formation:?}: {on_the_way:?}"
        );
        let [melee, archers, healers] = groups.map(|group| columns(&army, group));
        assert!(
            melee[0] > archers[1] - 0.1,
            "{formation:?}: {melee:?}, {archers:?}"
        );
        assert!(
            archers[0] > healers[1] - 0.1,
            "{formation:?}: {archers:?}, {healers:?}"
        );
    }
}

#[test]
fn groups_patrol_together_each_with_its_own_chase() {
    let Ranked {
        mut world,
        mut army,
        groups,
    } = ranked();
    let chases = [1.0, 6.0, 0.0].map(|range| Chase::default().with_range(range));
    let sent = [0, 1, 2].map(|at| (groups[at], chases[at]));
    let posts = [Cell::new(30, 30), Cell::new(30, 20)];
    army.patrol_all(&mut world, &sent, posts, Sending::default())
        .unwrap();
    let mut reached = [0; 3];
    for _ in 0..2_000 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
        for (group, reached) in groups.iter().zip(&mut reached) {
            let event = ArmyEvent::GroupArrived { group: *group };
            *reached += i32::from(army.events().contains(&event));
        }
    }
    assert!(reached.iter().all(|&times| times > 3), "{reached:?}");
    for (group, chase) in sent {
        let Some(Target::AttackMove(_, own)) = army.target(group) else {
            panic!("{:?}", army.target(group));
        };
        assert_eq!(*own, chase);
    }
    let none: [Cell; 0] = [];
    let refused = army.patrol_all(&mut world, &sent, none, Sending::default());
    assert_eq!(refused, Err(ArmyError::Patrol));
}
