//! Armies in fog: units find their way with what they see, and none enters a wall that its team
//! does not know.

use flowtiles::steer::{Army, Chase, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, LayerId, Movement, Teams};

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::{Map, islands};

/// Whether a body overlaps a wall of the ground.
fn is_in_wall(map: &Map, unit: &Unit) -> bool {
    let [x, y] = unit.position;
    let reach = unit.radius - 0.01;
    let cells = CellRect::new((x - 1.0) as i32, (y - 1.0) as i32, 3, 3).cells();
    cells.into_iter().any(|cell| {
        let off = |at: f32, low: i32| (low as f32 - at).max(at - low as f32 - 1.0).max(0.0);
        !map.is_open(cell) && off(x, cell.x).hypot(off(y, cell.y)) < reach
    })
}

fn pair(map: &Map, rng: &mut Rng) -> Option<[Cell; 2]> {
    let islands = islands(map);
    let (from, to) = (rng.open_cell(map)?, rng.open_cell(map)?);
    (islands[map.id(from)] == islands[map.id(to)]).then_some([from, to])
}

#[test]
fn units_explore_their_way() {
    for_drawn(223, &[(40, 40), (60, 35)], 4, |map, rng| {
        let Some([from, to]) = pair(map, rng) else {
            return;
        };
        let mut map = map.clone();
        // On dear ground it would take too long.
        for cell in map.open_cells() {
            map.set(cell, 1);
        }
        let mut world = FlowWorld::new(map.cost_map());
        let layer = world.add_layer(Movement::new()).expect("room for it");
        let layer = layer.for_team(4).expect("a team");
        world.add_fog(4).expect("it has none");
        let whole = world.costs().area();
        world.forget(4, &[whole], Cost::OPEN).expect("it has fog");
        let goal = Goal::at(to).on(layer);
        let order = world.order(goal, &[from]).expect("nothing is in the way");
        let mut army = Army::default();
        let group = army.add_group(order, Reading::Ahead).expect("room for it");
        army.add(Unit::new(0, group, from.centre()))
            .expect("a place");
        for tick in 0..8_000 {
            if tick % 5 == 0 {
                army.look(&mut world, |_| 4);
            }
            army.tick(&mut world, Budget::UNLIMITED, 0.05);
            let unit = army.units()[0];
            assert!(!is_in_wall(&map, &unit), "{tick}: {unit:?}");
            if unit.state == UnitState::Arrived {
                return;
            }
            // A wall grows in the fog, where it parts nothing.
            let place = rng.cell(&map);
            let [x, y] = unit.position;
            let far = (place.x as f32 - x).hypot(place.y as f32 - y);
            let alone = CellRect::new(place.x - 1, place.y - 1, 3, 3).cells();
            let is_alone = alone.into_iter().all(|cell| map.is_open(cell));
            if tick < 100 && far > 6.0 && place != to && is_alone {
                map.set(place, 255);
                world.edit(place, Cost::WALL).expect("on the map");
            }
        }
        panic!(
            "the unit from {from} to {to} does not arrive: {:?}",
            army.units()
        );
    });
}

#[test]
fn without_fog_a_look_changes_nothing() {
    let mut world = FlowWorld::new(Map::open(30, 30).cost_map());
    let order = world.order(Cell::new(20, 20), &[]).expect("open ground");
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).expect("room for it");
    army.add(Unit::new(0, group, [5.5, 5.5])).expect("a place");
    let before = world.state_hash();
    assert_eq!(army.look(&mut world, |_| 9), 0);
    assert_eq!(world.state_hash(), before);
    assert_eq!(world.known(LayerId::GROUND.team()), None);
}

/// A raider marches past a foe, with a row of forest between them.
#[test]
fn nobody_sees_a_foe_through_opaque_ground() {
    let forest = Cost::new(5).expect("not 0");
    let engages = |opaque: Option<&[Cost]>| {
        let mut map = Map::open(60, 20);
        map.fill(CellRect::new(0, 10, 60, 1), 5);
        let mut world = FlowWorld::new(map.cost_map());
        if let Some(kinds) = opaque {
            world.set_opaque(kinds);
        }
        let order = world.order(Cell::new(55, 5), &[]).expect("open ground");
        let mut army = Army::default();
        let march = Target::AttackMove(order, Chase::default().with_sight(12.0));
        for (team, target, at) in [(0, march, [3.5, 5.5]), (1, Target::Hold, [30.5, 14.5])] {
            let group = army.add_group(target, Reading::Ahead).expect("room");
            let mut settings = *army.settings(group).expect("it was added");
            (settings.team, settings.foes) = (team, Teams::ALL);
            army.configure(group, settings, &world)
                .expect("good settings");
            army.add(Unit::new(u32::from(team), group, at))
                .expect("a place");
        }
        for _ in 0..1_200 {
            army.tick(&mut world, Budget::UNLIMITED, 0.05);
            if army.foe_of(0).is_some() {
                return true;
            }
        }
        assert_eq!(army.units()[0].state, UnitState::Arrived);
        false
    };
    assert!(engages(None) && engages(Some(&[Cost::WALL])) && engages(Some(&[])));
    assert!(!engages(Some(&[forest])));
}
