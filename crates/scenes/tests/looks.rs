//! Scenes look as they should: played to their end, and measured.

use flowtiles::Budget;
use flowtiles::steer::UnitState;
use flowtiles_scenes::{Runner, SCENES, SceneOptions};

/// The work of the world in a tick.
const BUDGET: Budget = Budget::cells(20_000);

/// What a scene came to.
#[derive(Debug, Default)]
struct Played {
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
    let mut run = Runner::begin(&scene, None).unwrap();
    run.settle();
    run.form(&scene).unwrap();
    let size = [scene.costs.width(), scene.costs.height()].map(|cells| cells as f32);
    let mut played = Played::default();
    while run.tick < scene.ticks && !run.army.is_settled() {
        run.step(BUDGET, |_| ());
        for unit in run.army.units() {
            let gaps = [0, 1].map(|axis| {
                let at = unit.position[axis];
                at.min(size[axis] - at) - unit.radius
            });
            if gaps.iter().any(|&gap| gap < 0.5) {
                played.at_border += 1.0;
            }
        }
        played.deepest = played.deepest.max(run.army.deepest_overlap());
    }
    played.at_border /= run.army.units().len() as f32 * run.tick as f32;
    let mut units = run.army.units().iter();
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
