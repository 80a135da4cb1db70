//! Units killed in a scene: those that a foe has reached.

use flowtiles::steer::Army;

/// Returns the units to which a foe has come within `reach`, from middle to middle.
pub fn fallen(army: &Army, reach: f32) -> Vec<u32> {
    let mut fallen = Vec::new();
    for prey in army.groups() {
        let team = army.settings(prey).map_or(0, |prey| prey.team);
        let is_foe = |group| {
            army.settings(group)
                .is_some_and(|other| other.foes.has(team))
        };
        for unit in army.members(prey) {
            let near = army.units_within(unit.position, reach);
            if near.iter().any(|other| is_foe(other.group)) {
                fallen.push(unit.id);
            }
        }
    }
    fallen
}
