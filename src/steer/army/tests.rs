//! How groups find foes, compared with searches through all units.

use std::collections::BTreeMap;

use super::Army;
use crate::budget::Budget;
use crate::cost::{Cost, CostMap, Teams};
use crate::draws::{draws, scaled};
use crate::grid::{Cell, CellRect};
use crate::steer::groups::{Charge, Chase, Group, Target};
use crate::steer::motion::{Chaser, StepPatience, threat};
use crate::steer::reading::{LOOK, Reading, is_in_view};
use crate::steer::units::{GroupId, Unit, UnitState};
use crate::steer::walls::GroupLayer;
use crate::vector::{distance, lesser};
use crate::world::FlowWorld;

/// Returns which units of a group charge at which foes once those whose turn it is have
/// looked; each look goes through all units in sight.
fn charges_by_lists(army: &Army, group: &Group, world: &FlowWorld) -> BTreeMap<u32, Charge> {
    let Target::AttackMove(_, chase) = group.target else {
        return BTreeMap::new();
    };
    let groups = army.groups.all();
    let mut clock = army.clock;
    clock.begin(0.1);
    let is_seen = |unit: &Unit, foe: &Unit| {
        let foes = groups[unit.group.index()].settings.foes;
        foes.has(groups[foe.group.index()].settings.team)
            && is_in_view(world, unit.position, foe.position)
    };
    let mut charges = group.errand.as_ref().unwrap().charges.clone();
    charges.retain(|&id, charge| {
        let unit = army.get(id).filter(|_| group.members.contains(id));
        let (Some(foe), Some(unit)) = (army.get(charge.foe), unit) else {
            return false;
        };
        let is_near = |place| distance(place, charge.from) <= chase.leash;
        (is_near(foe.position) || is_near(unit.position)) && is_seen(unit, foe)
    });
    for unit in army.roster.of(&group.members) {
        let is_turn = clock.turn(unit.id).is_every(LOOK);
        let known = charges.get(&unit.id);
        let is_charging = known.is_some_and(|charge| {
            let foe = army.get(charge.foe).unwrap();
            charge.is_within(chase.leash, foe.position)
        });
        if !is_turn || unit.state == UnitState::Unreachable || is_charging {
            continue;
        }
        let distance_to = |foe: &Unit| distance(foe.position, unit.position);
        let layer = GroupLayer::of(world, group.settings.layer);
        let patience = StepPatience::new(army.settings.patience, 0.0);
        let chaser = Chaser::of(world, &layer, &chase, patience, unit);
        let reach = lesser(chase.sight, chase.leash);
        let around = army.units_within(unit.position, reach).into_iter();
        let seen = around.filter(|foe| {
            known.is_none_or(|charge| charge.foe != foe.id)
                && is_seen(unit, foe)
                && chaser.approach(foe.position, foe.radius).is_some()
        });
        if let Some(foe) = seen.min_by(|one, two| distance_to(one).total_cmp(&distance_to(two))) {
            let (foe, from) = (foe.id, unit.position);
            charges.insert(unit.id, Charge { foe, from });
        }
    }
    charges
}

/// Returns the unit from which a group flees that flees from all foes: the nearest one, by a
/// search through all units.
fn threat_by_lists(army: &Army, group: &Group, safe: f32) -> Option<u32> {
    let middle = army.roster.middle_of(&group.members);
    let distance_to = |unit: &&Unit| distance(unit.position, middle);
    let foes = army.roster.by_id().filter(|unit| {
        let other = &army.groups.all()[unit.group.index()];
        distance_to(unit) < safe && group.settings.foes.has(other.settings.team)
    });
    foes.min_by(|one, two| distance_to(one).total_cmp(&distance_to(two)))
        .map(|unit| unit.id)
}

/// Units are added in the middles of cells, some in the same cell, so that many are equally
/// far away.
#[test]
fn nearest_foe_in_sight_equals_a_scan_of_all_units() {
    let (mut charged, mut ended) = (0, 0);
    for seed in 0..scaled(18) {
        let mut below = draws(seed);
        let mut map = CostMap::open(90, 50).unwrap();
        for _ in 0..seed % 3 * 16 {
            let [x, y] = [below(85), below(45)].map(|at| at as i32);
            map.edit(CellRect::new(x, y, 1 + below(4), 1 + below(4)), Cost::WALL)
                .unwrap();
        }
        map.edit(CellRect::new(0, 20, 90, 4), Cost::OPEN).unwrap();
        let mut world = FlowWorld::new(map);
        let mut army = Army::default();
        let groups: Vec<GroupId> = (0..5)
            .map(|_| army.add_group(Target::Stand, Reading::Ahead).unwrap())
            .collect();
        let mut next = 0;
        for tick in 0..160 {
            let group = groups[below(5) as usize];
            match below(12) {
                // Once as many foes as are no longer tested one by one.
                0..4 => {
                    let many = if tick == 40 { 400 } else { below(9) };
                    for _ in 0..many {
                        let place = [below(90), below(50)].map(|at| at as f32 + 0.5);
                        // Ids out of order, each once.
                        let id = next * 7_919 % 10_007;
                        let radius = 0.3 + below(3) as f32 * 0.1;
                        army.add(Unit::new(id, group, place).with_radius(radius))
                            .unwrap();
                        next += 1;
                    }
                }
                4..6 => {
                    let foes = Teams::from_bits(below(256) as u8);
                    let mut settings = *army.settings(group).unwrap();
                    (settings.team, settings.foes) = (below(4) as u8, foes);
                    army.configure(group, settings, &world).unwrap();
                }
                6..9 => {
                    let goal = Cell::new(below(90) as i32, 20 + below(4) as i32);
                    let order = world.order(goal, &[Cell::new(5, 22)]).unwrap();
                    let sight = [0.0, 3.0, 10.0, 25.0, 1e6][below(5) as usize];
                    let leash = [4.0, 24.0, 200.0][below(3) as usize];
                    let chase = Chase::default().with_sight(sight).with_leash(leash);
                    army.send(group, Target::AttackMove(order, chase)).unwrap();
                }
                9 => {
                    let safe = below(30) as f32;
                    army.send(group, Target::Flee { from: None, safe }).unwrap();
                }
                10 => {
                    let ids: Vec<u32> = army.units().iter().map(|unit| unit.id).collect();
                    for id in ids {
                        let place = [below(90), below(50)].map(|at| at as f32 + 0.5);
                        match below(12) {
                            0 => drop(army.remove(id)),
                            1 => army.set_position(id, place).unwrap(),
                            2 => army.set_group(id, group).unwrap(),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
            world.tick(Budget::UNLIMITED);
            let mut after = army.clone();
            after.step(&world, 0.1);
            for (before, after) in army.groups.all().iter().zip(after.groups.all()) {
                let wanted = charges_by_lists(&army, before, &world);
                let found = after.errand.as_ref().map(|errand| &errand.charges);
                assert_eq!(*found.unwrap_or(&BTreeMap::new()), wanted);
                charged += wanted.len();
                let had = before
                    .errand
                    .iter()
                    .flat_map(|errand| errand.charges.keys());
                ended += had.filter(|id| !wanted.contains_key(id)).count();
                if let Target::Flee { from, safe } = before.target {
                    let threat =
                        threat(&army.roster, &army.groups, &army.finder, before, from, safe);
                    let threat = threat.map(|unit| unit.id);
                    assert_eq!(threat, threat_by_lists(&army, before, safe));
                }
            }
            army.step(&world, 0.1);
            army.cover_strays(&mut world);
        }
    }
    let [charges, ends] = [15_000, 600].map(|number| scaled(number) as usize);
    assert!(charged > charges && ended > ends, "{charged} and {ended}");
}
