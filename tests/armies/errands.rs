//! Groups that pursue, attack on the move and flee.

use crate::crowd::configure;
use flowtiles::steer::parts::is_clear;
use flowtiles::steer::{
    Army, ArmyError, ArmyEvent, Chase, GroupId, Reading, Target, Unit, UnitState,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Teams};

struct Game {
    world: FlowWorld,
    army: Army,
    /// Every event so far, with its tick.
    told: Vec<(u32, ArmyEvent)>,
    tick: u32,
}

impl Game {
    fn new(walls: &[CellRect]) -> Self {
        let mut map = CostMap::open(100, 60).unwrap();
        for &area in walls {
            map.edit(area, Cost::WALL).unwrap();
        }
        Self {
            world: FlowWorld::new(map),
            army: Army::default(),
            told: Vec::new(),
            tick: 0,
        }
    }

    /// Adds a group of units in a column, with ids from `first` on.
    fn group(&mut self, first: u32, count: u32, [x, y]: [f32; 2], speed: f32) -> GroupId {
        let group = self.army.add_group(Target::Stand, Reading::Ahead).unwrap();
        for at in 0..count {
            let unit = Unit::new(first + at, group, [x, y + at as f32]);
            self.army.add(unit.with_speed(speed)).unwrap();
        }
        group
    }

    fn tick(&mut self) {
        self.world.tick(Budget::cells(5_000));
        self.army.step(&self.world, 0.1);
        let events = self.army.events().iter();
        self.told.extend(events.map(|&event| (self.tick, event)));
        self.army.cover_strays(&mut self.world);
        for unit in self.army.units() {
            assert!(is_clear(self.world.costs(), unit.position, unit.radius));
        }
        self.tick += 1;
    }

    fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick();
        }
    }

    /// Ticks until an event was emitted, and returns when.
    fn until(&mut self, event: ArmyEvent) -> u32 {
        let from = self.tick;
        for _ in 0..3_000 {
            let told = self
                .told
                .iter()
                .find(|told| **told == (told.0, event) && told.0 >= from);
            if let Some(&(tick, _)) = told {
                return tick;
            }
            self.tick();
        }
        panic!("{event:?} was not emitted: {:?}", self.told);
    }

    fn place(&self, unit: u32) -> [f32; 2] {
        self.army.get(unit).unwrap().position
    }

    /// The gap between two units' bodies.
    fn gap(&self, one: u32, two: u32) -> f32 {
        let [a, b] = [one, two].map(|id| self.army.get(id).unwrap());
        let [x, y] = [0, 1].map(|axis| a.position[axis] - b.position[axis]);
        x.hypot(y) - a.radius - b.radius
    }

    fn count(&self, event: ArmyEvent) -> usize {
        self.told.iter().filter(|told| told.1 == event).count()
    }
}

/// A wall between west and east with a door in the south.
const WALL: CellRect = CellRect::new(40, 0, 2, 50);

#[test]
fn pursuit_rounds_a_wall_stops_in_range_and_restarts() {
    let mut game = Game::new(&[WALL]);
    let hares = game.group(50, 1, [60.5, 10.5], 2.0);
    let hunters = game.group(0, 6, [20.5, 8.5], 4.0);
    let chase = Chase::default().with_range(2.0).with_leash(1e6);
    game.army.send(hunters, Target::Pursue(50, chase)).unwrap();
    game.army.queue(hunters, Target::Hold).unwrap();
    let reached = ArmyEvent::Reached {
        group: hunters,
        unit: 50,
    };
    game.until(reached);
    game.ticks(100);
    assert_eq!(game.count(reached), 1);
    for id in 0..6 {
        let gap = game.gap(id, 50);
        assert!((0.3..=5.2).contains(&gap), "{id}: {gap}");
    }
    let stand = game.place(0);
    game.ticks(50);
    assert!((0..2).all(|axis| (game.place(0)[axis] - stand[axis]).abs() < 0.2));
    // The quarry gets away, and is caught again.
    game.army.set_speed(50, 8.0).unwrap();
    game.army.send(hares, Target::Point([90.5, 50.5])).unwrap();
    game.ticks(20);
    assert!((0..6).all(|id| game.gap(id, 50) > 3.5));
    let again = game.tick;
    assert!(game.until(reached) > again);
    // It is gone: the next target follows.
    game.army.remove(50);
    game.until(ArmyEvent::Lost {
        group: hunters,
        unit: 50,
    });
    assert_eq!(game.army.target(hunters), Some(&Target::Hold));
}

#[test]
fn unreachable_quarry_is_reported_once_and_retried() {
    // A closed court around the quarry.
    let walls = [
        (60, 20, 12, 1),
        (60, 31, 12, 1),
        (60, 20, 1, 12),
        (71, 20, 1, 12),
    ];
    let walls = walls.map(|(x, y, width, height)| CellRect::new(x, y, width, height));
    let mut game = Game::new(&walls);
    let hunters = game.group(0, 12, [20.5, 20.5], 4.0);
    let prey = game.group(100, 1, [66.5, 26.5], 4.0);
    let chase = Chase::default().with_leash(1_000.0);
    game.army.send(hunters, Target::Pursue(100, chase)).unwrap();
    game.ticks(1_500);
    let told = |game: &Game| {
        let cut_off = |unit| game.count(ArmyEvent::Unreachable { unit });
        (0..12).map(cut_off).collect::<Vec<_>>()
    };
    assert_eq!(told(&game), [1; 12]);
    let is_stuck = |told: &&(u32, ArmyEvent)| matches!(told.1, ArmyEvent::Stuck { .. });
    let last = game.told.iter().filter(is_stuck).map(|told| told.0).max();
    assert!(last.unwrap_or(0) < 800, "{last:?}");
    for unit in game.army.members(hunters) {
        assert_eq!(unit.state, UnitState::Unreachable);
        let near = (unit.position[0] - 66.5).hypot(unit.position[1] - 26.5);
        assert!(near < 14.0, "{unit:?} is on the other side");
    }
    // The quarry moves in its court, and a side of the court opens.
    game.army.send(prey, Target::Point([70.4, 21.5])).unwrap();
    game.ticks(600);
    let reached = ArmyEvent::Reached {
        group: hunters,
        unit: 100,
    };
    assert_eq!(game.count(reached), 0);
    game.world
        .edit(CellRect::new(63, 31, 2, 1), Cost::OPEN)
        .unwrap();
    let from = game.tick;
    let then = game.until(reached);
    assert!(then < from + 300, "{from} to {then}");
}

#[test]
fn pursuers_in_a_jam_go_on_to_the_end_of_the_path() {
    // A wall with a gap of one cell, and a closed court far behind it.
    let walls = [
        (30, 0, 1, 30),
        (30, 31, 1, 29),
        (80, 25, 10, 1),
        (80, 34, 10, 1),
        (80, 25, 1, 10),
        (89, 25, 1, 10),
    ];
    let walls = walls.map(|(x, y, width, height)| CellRect::new(x, y, width, height));
    let mut game = Game::new(&walls);
    game.group(100, 1, [85.5, 30.5], 0.0);
    let hunters = game.army.add_group(Target::Stand, Reading::Ahead).unwrap();
    for id in 200..380 {
        let place = [
            3.5 + (id % 20) as f32 * 0.8,
            25.5 + ((id - 200) / 20) as f32,
        ];
        game.army.add(Unit::new(id, hunters, place)).unwrap();
    }
    let chase = Chase::default().with_leash(1_000.0);
    game.army.send(hunters, Target::Pursue(100, chase)).unwrap();
    game.ticks(1_800);
    for unit in game.army.members(hunters) {
        assert!(unit.position[0] > 31.0, "{unit:?}");
    }
    let are_cut_off = |unit: &Unit| unit.state == UnitState::Unreachable;
    let count = game
        .army
        .members(hunters)
        .filter(|unit| are_cut_off(unit))
        .count();
    assert!(count > 100, "{count}");
}

#[test]
fn pursuit_ends_at_its_leash_or_with_a_missing_quarry() {
    let mut game = Game::new(&[]);
    let hares = game.group(50, 1, [20.5, 30.5], 6.0);
    let hunters = game.group(0, 3, [10.5, 29.5], 4.0);
    game.army.send(hares, Target::Point([95.5, 30.5])).unwrap();
    let chase = Chase::default().with_leash(40.0);
    game.army.send(hunters, Target::Pursue(50, chase)).unwrap();
    game.until(ArmyEvent::Lost {
        group: hunters,
        unit: 50,
    });
    let far = game.place(50)[0] - 10.5;
    assert!((40.0..41.5).contains(&far), "{far}");
    assert_eq!(game.army.target(hunters), Some(&Target::Stand));
    game.army.send(hunters, Target::Pursue(77, chase)).unwrap();
    game.until(ArmyEvent::Lost {
        group: hunters,
        unit: 77,
    });
    let refused = game
        .army
        .send(hunters, Target::Pursue(50, chase.with_range(f32::NAN)));
    let Err(ArmyError::Group { field, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(field, "range of a chase");
}

/// A raid from the west to the east, past foes; the game lets foes fall that are reached.
fn raid(walls: &[CellRect], foes: &[[f32; 2]], leash: f32) -> (Game, GroupId, Vec<u32>) {
    let mut game = Game::new(walls);
    let raiders = game.group(0, 6, [5.5, 28.5], 4.0);
    let camp = game.group(50, 0, [0.0; 2], 4.0);
    for (id, &place) in (50..).zip(foes) {
        game.army.add(Unit::new(id, camp, place)).unwrap();
    }
    game.army.send(camp, Target::Hold).unwrap();
    configure(&mut game.army, &game.world, raiders, |it| {
        (it.team, it.foes) = (1, Teams::NONE.with(2))
    })
    .unwrap();
    configure(&mut game.army, &game.world, camp, |it| {
        (it.team, it.foes) = (2, Teams::NONE)
    })
    .unwrap();
    let cells: Vec<Cell> = (28..34).map(|y| Cell::new(5, y)).collect();
    let order = game.world.order(Cell::new(90, 30), &cells).unwrap();
    let chase = Chase::default().with_leash(leash);
    game.army
        .send(raiders, Target::AttackMove(order, chase))
        .unwrap();
    let mut fallen = Vec::new();
    for _ in 0..1_500 {
        game.tick();
        let alive = 50..50 + foes.len() as u32;
        for foe in alive
            .filter(|&foe| game.army.get(foe).is_some())
            .collect::<Vec<_>>()
        {
            if (0..6).any(|id| game.gap(id, foe) < 0.7) {
                game.army.remove(foe);
                fallen.push(foe);
            }
        }
        if game.count(ArmyEvent::GroupArrived { group: raiders }) > 0 {
            break;
        }
    }
    (game, raiders, fallen)
}

#[test]
fn an_attack_turns_on_foes_in_sight_and_goes_on() {
    let foes = [[30.5, 24.5], [50.5, 37.5], [70.5, 30.5], [60.5, 5.5]];
    let (game, raiders, mut fallen) = raid(&[], &foes, 24.0);
    fallen.sort_unstable();
    assert_eq!(fallen, [50, 51, 52], "the last is out of sight");
    assert_eq!(game.count(ArmyEvent::GroupArrived { group: raiders }), 1);
    for unit in game.army.members(raiders) {
        assert!(
            unit.position[0] > 86.0 && unit.state == UnitState::Arrived,
            "{unit:?}"
        );
    }
    // No unit chases through a wall, or farther than the leash allows.
    let (_, _, fallen) = raid(&[CellRect::new(20, 26, 30, 1)], &[[30.5, 24.5]], 24.0);
    assert!(fallen.is_empty());
    let (_, _, fallen) = raid(&[], &[[30.5, 23.5]], 3.0);
    assert!(fallen.is_empty());
}

/// Units that stand at their goal and a foe that holds its place, for half a minute; and how
/// often each unit arrives.
fn guard(
    walls: &[CellRect],
    foe: [f32; 2],
    chase: Chase,
    unit: impl Fn(Unit) -> Unit,
) -> (Game, [usize; 4]) {
    let mut game = Game::new(walls);
    let guards = game.group(0, 0, [0.0; 2], 4.0);
    for id in 0..4 {
        let guard = Unit::new(id, guards, [30.5, 28.5 + 2.0 * id as f32]);
        game.army.add(unit(guard)).unwrap();
    }
    let camp = game.group(50, 1, foe, 4.0);
    game.army.send(camp, Target::Hold).unwrap();
    configure(&mut game.army, &game.world, guards, |it| {
        (it.team, it.foes) = (1, Teams::NONE.with(2))
    })
    .unwrap();
    configure(&mut game.army, &game.world, camp, |it| {
        (it.team, it.foes) = (2, Teams::NONE)
    })
    .unwrap();
    let order = game.world.order(Cell::new(30, 30), &[Cell::new(30, 28)]);
    let attack = Target::AttackMove(order.unwrap(), chase);
    game.army.send(guards, attack).unwrap();
    game.ticks(300);
    let arrived = |unit| game.count(ArmyEvent::Arrived { unit });
    let arrived = [0, 1, 2, 3].map(arrived);
    (game, arrived)
}

#[test]
fn who_cannot_go_for_a_foe_arrives_once() {
    let chase = |leash, sight| Chase::default().with_leash(leash).with_sight(sight);
    // A gap that is wide enough to see through, and too narrow to go through.
    let gap = [CellRect::new(40, 0, 1, 30), CellRect::new(40, 31, 1, 29)];
    for (walls, foe, chase) in [
        (&[][..], [55.5, 30.5], chase(5.0, 200.0)),
        (&[][..], [80.5, 30.5], chase(200.0, 200.0)),
        (&gap[..], [50.5, 30.5], chase(200.0, 200.0)),
    ] {
        let (_, arrived) = guard(walls, foe, chase, |unit| unit.with_radius(0.7));
        assert_eq!(arrived, [1; 4], "{foe:?}, {chase:?}");
    }
    // Units so fast that a step could take them far past the foe.
    let (_, arrived) = guard(&[], [33.5, 30.5], chase(30.0, 4.0), |unit| {
        unit.with_speed(1_000.0)
    });
    assert!(arrived.iter().all(|&count| count <= 1), "{arrived:?}");
}

/// A foe that keeps out of reach does not draw a unit away step by step.
#[test]
fn unit_does_not_chase_a_foe_again_where_it_gave_up() {
    let chase = Chase::default().with_leash(12.0).with_sight(10.0);
    let (mut game, _) = guard(&[], [36.5, 30.5], chase, |unit| unit);
    let foe = game.army.get(50).unwrap().group;
    game.army.set_speed(50, 3.5).unwrap();
    game.army.send(foe, Target::Point([95.5, 30.5])).unwrap();
    for _ in 0..300 {
        game.tick();
        for id in 0..4 {
            assert!(game.place(id)[0] < 50.0, "{id} is drawn away");
        }
    }
}

#[test]
fn a_group_at_its_goal_wakes_when_a_foe_comes() {
    let (mut game, raiders, _) = raid(&[], &[], 24.0);
    game.ticks(200);
    let stands = game.place(0);
    game.ticks(20);
    assert_eq!(game.place(0), stands);
    let foes = game.group(60, 1, [90.5, 38.5], 4.0);
    configure(&mut game.army, &game.world, foes, |it| {
        (it.team, it.foes) = (2, Teams::NONE)
    })
    .unwrap();
    game.ticks(40);
    assert!((0..6).any(|id| game.gap(id, 60) < 0.7));
    game.army.remove(60);
    game.ticks(100);
    let back = game
        .army
        .members(raiders)
        .all(|unit| unit.state == UnitState::Arrived);
    assert!(back && game.army.is_settled());
    assert_eq!(game.count(ArmyEvent::GroupArrived { group: raiders }), 1);
}

#[test]
fn who_flees_gets_away_also_past_a_dead_end() {
    // West of the prey is a pocket, open to the east where the hunter comes from; a gap
    // leads south out of it.
    let pocket = [
        CellRect::new(10, 20, 1, 20),
        CellRect::new(10, 20, 30, 1),
        CellRect::new(10, 40, 12, 1),
        CellRect::new(25, 40, 15, 1),
    ];
    let grounds: [(&[CellRect], Option<u32>); 3] = [(&[], Some(0)), (&[], None), (&pocket, None)];
    for (walls, from) in grounds {
        let mut game = Game::new(walls);
        let hunters = game.group(0, 1, [36.5, 30.5], 3.0);
        let prey = game.group(50, 4, [24.5, 28.5], 4.5);
        configure(&mut game.army, &game.world, prey, |it| {
            (it.team, it.foes) = (1, Teams::NONE.with(0))
        })
        .unwrap();
        let chase = Chase::default().with_leash(1e6);
        game.army.send(hunters, Target::Pursue(50, chase)).unwrap();
        game.army
            .send(prey, Target::Flee { from, safe: 25.0 })
            .unwrap();
        game.army.queue(prey, Target::Hold).unwrap();
        let away = game.until(ArmyEvent::GroupArrived { group: prey });
        assert!(game.gap(0, 50) > 18.0);
        assert_eq!(
            game.count(ArmyEvent::Reached {
                group: hunters,
                unit: 50
            }),
            0
        );
        assert!(away > 20, "{away}");
        assert_eq!(game.army.target(prey), Some(&Target::Hold));
    }
}
