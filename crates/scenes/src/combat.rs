//! Units killed in a scene: those that a foe has reached.

use flowtiles::steer::{Army, GroupId};

use crate::aim::GroupSettings;

/// Returns the units of these groups to which a foe has come within `reach`, from middle to
/// middle.
pub fn fallen(army: &Army, reach: f32, groups: &[(GroupId, GroupSettings)]) -> Vec<u32> {
    let mut fallen = Vec::new();
    for (prey, GroupSettings { team, .. }) in groups {
        let is_foe = |group: GroupId| {
            let mut others = groups.iter();
            others.any(|(other, bearing)| *other == group && bearing.foes.has(*team))
        };
        for unit in army.members(*prey) {
            let near = army.units_within(unit.position, reach);
            if near.iter().any(|other| is_foe(other.group)) {
                fallen.push(unit.id);
            }
        }
    }
    fallen
}
