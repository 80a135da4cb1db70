//! The groups of a recorded battle, as the page shows them.

use flowtiles::steer::Target;
use flowtiles::{Cell, Order};
use flowtiles_inspector::Mark;

use crate::replay::BattleGroups;

/// The bit that the marks of steered units have in their numbers, and others have not.
pub const STEERED: u32 = 1 << 31;

/// The colour of an army.
pub const fn banner(number: u32) -> u8 {
    (number % 8) as u8
}

/// The colour of a group: any but that of the inquiry.
pub const fn group_banner(number: u32) -> u8 {
    banner(5 + number % 7)
}

/// The orders that groups follow, each with its banner and the cells of the units.
pub fn group_orders(groups: &BattleGroups) -> impl Iterator<Item = (&Order, u8, Vec<Cell>)> {
    let by_number = groups.by_number().iter();
    by_number.filter_map(|(&number, &group)| match groups.army().target(group)? {
        Target::Order(order) | Target::AttackMove(order, _) => {
            Some((order, group_banner(number), groups.cells(group)))
        }
        _ => None,
    })
}

/// Returns the steered units as the page draws them.
pub fn group_marks(groups: &BattleGroups) -> impl Iterator<Item = Mark> {
    groups.by_number().iter().flat_map(|(&number, &group)| {
        let units = groups.army().members(group);
        units.map(move |unit| Mark {
            id: STEERED | unit.id,
            banner: group_banner(number),
            ..Mark::from(unit)
        })
    })
}
