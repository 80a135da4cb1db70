//! Scenes look as they should: played to their end, and measured.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army, GroupId, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, FlowWorld};
use flowtiles_scenes::{Orders, SCENES, SceneOptions};

/// The work of the world in a tick.
const BUDGET: Budget = Budget::cells(20_000);

/// What a scene came to.
#[derive(Debug, Default)]
struct Played {
    ticks: u32,
    all_arrived: bool,
    /// The part of the time within half a cell of the border.
    at_border: f32,
    /// The deepest overlap of two at any time.
    deepest: f32,
}

/// Plays a scene in which nothing but its first orders happens.
fn play(name: &str, seed: u64) -> Played {
    let asked = SceneOptions {
        seed,
        ..SceneOptions::default()
    };
    let entry = SCENES.iter().find(|entry| entry.name == name).unwrap();
    let scene = entry.scene(&asked).unwrap();
    assert!(scene.incidents.is_empty());
    let mut world = FlowWorld::new(scene.costs.clone());
    let mut army = Army::new(scene.settings).unwrap();
    let prepared = scene.prepare(&mut world, &mut army).unwrap();
    let mut groups: Vec<GroupId> = Vec::new();
    for band in &scene.bands {
        let group = army.add_group(Target::Flock, band.reading).unwrap();
        groups.push(group);
        for recruit in &band.recruits {
            let id = army.units().len() as u32;
            let unit = Unit::new(id, group, recruit.position);
            army.add(recruit.equip(unit)).unwrap();
        }
    }
    for ((band, &group), &layer) in scene.bands.iter().zip(&groups).zip(&prepared.layers) {
        let size = band.movement.size();
        let members = army.members(group);
        let cells: Vec<Cell> = members.map(|unit| anchor(size, unit.position)).collect();
        let mut orders = Orders {
            world: &mut world,
            army: &mut army,
            groups: &groups,
        };
        orders.give(group, &band.aim, layer, &cells).unwrap();
    }
    while world.tick(BUDGET).waiting > 0 {}
    for (band, &group) in scene.bands.iter().zip(&groups) {
        if let Some((shape, spacing)) = band.formation {
            army.form(group, shape, spacing, &world).unwrap();
        }
    }
    let size = [scene.costs.width(), scene.costs.height()].map(|cells| cells as f32);
    let seconds = 1.0 / scene.rate as f32;
    let mut played = Played::default();
    while played.ticks < scene.ticks && !army.is_settled() {
        army.tick(&mut world, BUDGET, seconds);
        played.ticks += 1;
        for unit in army.units() {
            let gaps = [0, 1].map(|axis| {
                let at = unit.position[axis];
                at.min(size[axis] - at) - unit.radius
            });
            if gaps.iter().any(|&gap| gap < 0.5) {
                played.at_border += 1.0;
            }
        }
        played.deepest = played.deepest.max(army.deepest_overlap());
    }
    played.at_border /= army.units().len() as f32 * played.ticks as f32;
    let mut units = army.units().iter();
    played.all_arrived = units.all(|unit| unit.state == UnitState::Arrived);
    played
}

/// Where each end of a link is the entry of one back, units that queue there are in the way of
/// units that come out.
#[test]
fn unit_leaving_a_link_lands_on_no_other_unit() {
    for name in ["overpass", "teleport"] {
        let played = play(name, 8);
        assert!(played.all_arrived, "{name}: {played:?}");
        assert!(played.deepest < 0.3, "{name}: {played:?}");
    }
}

#[test]
fn a_flock_does_not_stick_to_the_border() {
    for seed in [1, 2, 3, 4, 8] {
        let played = play("flock", seed);
        assert!(played.at_border < 0.05, "{seed}: {played:?}");
    }
}
