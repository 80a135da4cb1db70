//! Who falls in a scene: units that a foe has reached.

use flowtiles::steer::{Army, GroupId};

use super::scene::Scene;

/// The groups that attack one another, and from where.
#[derive(Default)]
pub struct Combat {
    /// The distance between the middles at which a unit falls.
    reach: f32,
    /// The groups of foes, each with the group that attacks it.
    pairs: Vec<(GroupId, GroupId)>,
}

impl Combat {
    /// The combat of a scene whose bands are these groups.
    pub fn of(scene: &Scene, groups: &[GroupId]) -> Self {
        let mut pairs = Vec::new();
        for (attacker, &group) in scene.bands.iter().zip(groups) {
            for (foe, &prey) in scene.bands.iter().zip(groups) {
                if attacker.foes.has(foe.team) {
                    pairs.push((prey, group));
                }
            }
        }
        Self {
            reach: scene.reach.unwrap_or(0.0),
            pairs,
        }
    }

    /// The units that fall now.
    pub fn fallen(&self, army: &Army) -> Vec<u32> {
        let mut fallen = Vec::new();
        for &(prey, attacker) in &self.pairs {
            for unit in army.members(prey) {
                let near = army.units_within(unit.position, self.reach);
                if near.iter().any(|other| other.group == attacker) {
                    fallen.push(unit.id);
                }
            }
        }
        fallen
    }
}
