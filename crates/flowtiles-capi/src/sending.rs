//! One click for several groups, and the layers on which they walk.

use flowtiles::steer::{ArmyError, Chase, GroupId, Sending};

use crate::army::configure;
use crate::convert::{goal, layer, sending};
use crate::handles::change_both;
use crate::memory::{Out, answer_into, array, one};
use crate::status::{Fault, answer, flowtiles_status};
use crate::types::*;

/// Fills in how groups are sent: a plain click, at once, past foes, each group at its own
/// pace, without a formation. For `attack` it has a range of 0.5 cells, a leash of 24 and a
/// sight of 10; for `formed` a line with a spacing of 1 cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_sending_default(
    how: *mut flowtiles_sending,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(how, "how") }, || {
        let chase = Chase::default();
        Ok(flowtiles_sending {
            queued: 0,
            together: 0,
            attack: 0,
            range: chase.range,
            leash: chase.leash,
            sight: chase.sight,
            formed: 0,
            shape: FLOWTILES_SHAPE_LINE,
            spacing: 1.0,
        })
    })
}

/// Sends `count` groups to one goal. Each gets an order on its own layer, whatever that of
/// the goal is. `how` may be `NULL` for the default. All are sent, or none: if one layer's order
/// is refused, nothing has changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_send_all(
    army: flowtiles_army,
    groups: *const flowtiles_group,
    count: usize,
    goal: *const flowtiles_goal,
    how: *const flowtiles_sending,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let groups = unsafe { array(groups, count, "groups") }?;
        // SAFETY: see the head of the crate.
        let goal = unsafe { self::goal(one(goal, "goal")?) }?;
        let how = if how.is_null() {
            Sending::default()
        } else {
            // SAFETY: see the head of the crate.
            sending(unsafe { one(how, "how") }?)?
        };
        let groups: Vec<_> = groups.iter().copied().map(GroupId::from_number).collect();
        change_both(army, |army, world| army.send_all(world, &groups, goal, how))
    })
}

/// Sets the layer on which a group's units walk, and on which `flowtiles_army_send_all`
/// sends them: at first the ground's, later that of the last order. The map of the layer is
/// derived if nothing has used it yet. Refused if a unit is wider than the layer's bodies, or
/// if the group follows an order on another layer.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_set_layer(
    army: flowtiles_army,
    group: flowtiles_group,
    layer: flowtiles_layer,
) -> flowtiles_status {
    answer(|| {
        let layer = self::layer(layer)?;
        let group = GroupId::from_number(group);
        change_both(army, |army, world| {
            let set = configure(army, group, world, |settings| settings.layer = layer);
            if let Err(ArmyError::NotDerived { .. }) = set {
                world.derive_layer(layer)?;
                return Ok(configure(army, group, world, |settings| {
                    settings.layer = layer
                })?);
            }
            Ok::<_, Fault>(set?)
        })
    })
}
