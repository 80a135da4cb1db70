//! Tests of drawn groups: what a drawn battle takes through its save.

use flowtiles::FlowWorld;
use flowtiles::steer::{Target, UnitState};
use flowtiles_country::random::Random;

use super::battle::{Battle, Manner};
use super::draw::{Drawing, country};
use super::input::Input;
use crate::start::Start;

/// The steered units of a battle in this state, by id.
fn units_in(battle: &Battle, state: UnitState) -> Vec<u32> {
    let units = battle.groups().army().units().iter();
    let mut ids: Vec<u32> = units
        .filter(|unit| unit.state == state)
        .map(|unit| unit.id)
        .collect();
    ids.sort_unstable();
    ids
}

/// Whether a group has a target of which an errand is kept.
fn has_errand(battle: &Battle) -> bool {
    let army = battle.groups().army();
    let mut targets = army.groups().filter_map(|group| army.target(group));
    targets.any(|target| {
        matches!(
            target,
            Target::Pursue(..) | Target::AttackMove(..) | Target::Flee { .. }
        )
    })
}

fn turn(battle: &mut Battle, drawing: &mut Drawing) {
    for input in drawing.turn(battle) {
        // Drawn blindly: some goals are out of reach.
        let _ = battle.tell(&input, Manner::PLAIN);
    }
}

/// Few battles have arrived units, units on the way and errands at the same time as their
/// save. Those of these seeds have, and `tests/replay.rs` verifies both: choose others
/// there too if the drawing changes.
const SEEDS: [u64; 2] = [6, 11];

#[test]
fn arrived_and_marching_units_and_errands_go_through_a_save_and_more_units_arrive() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let start = FlowWorld::new(country(&mut random).unwrap()).save();
        let mut battle = Battle::begin(&Start::World(String::new(), start)).unwrap();
        let mut drawing = Drawing::new(random);
        for _ in 0..60 {
            turn(&mut battle, &mut drawing);
        }
        let marching = units_in(&battle, UnitState::Marching);
        let arrived = units_in(&battle, UnitState::Arrived);
        assert!(!arrived.is_empty(), "seed {seed}: nobody has arrived");
        assert!(!marching.is_empty(), "seed {seed}: nobody is on the way");
        assert!(has_errand(&battle), "seed {seed}: no errand is saved");
        battle.tell(&Input::Save, Manner::PLAIN).unwrap();
        assert_eq!(units_in(&battle, UnitState::Marching), marching);
        assert_eq!(units_in(&battle, UnitState::Arrived), arrived);
        let mut later = Vec::new();
        for _ in 0..60 {
            turn(&mut battle, &mut drawing);
            later.extend(units_in(&battle, UnitState::Arrived));
        }
        let one_arrives = marching.iter().any(|id| later.contains(id));
        assert!(one_arrives, "seed {seed}: nobody arrives after the save");
    }
}
