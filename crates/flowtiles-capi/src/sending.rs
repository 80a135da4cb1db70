//! One click for several groups, and the layers and ranks on which it depends.

use std::ptr::null;

use flowtiles::Goal;
use flowtiles::steer::{ArmyError, Chase, GroupId};

use crate::army::configure;
use crate::convert::{goal, groups_sent, layer};
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
            chases: null(),
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
        let goal = unsafe { self::goal(one(goal, "goal")?) }?;
        // SAFETY: see the head of the crate.
        let (groups, how) = unsafe { groups_sent(array(groups, count, "groups")?, how) }?;
        change_both(army, |army, world| army.send_all(world, &groups, goal, how))
    })
}

/// Sends `count` groups from goal to goal, as `flowtiles_army_send_all` does to one, and after
/// the last again to the first. With one goal they go between it and the middle of where they
/// are now. Refused without a goal, or if `how` says `queued`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_patrol_all(
    army: flowtiles_army,
    groups: *const flowtiles_group,
    count: usize,
    goals: *const flowtiles_goal,
    goals_count: usize,
    how: *const flowtiles_sending,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let goals = unsafe { array(goals, goals_count, "goals") }?.iter();
        // SAFETY: see the head of the crate.
        let goals = goals.map(|goal| unsafe { self::goal(goal) });
        let goals = goals.collect::<Result<Vec<Goal>, Fault>>()?;
        // SAFETY: see the head of the crate.
        let (groups, how) = unsafe { groups_sent(array(groups, count, "groups")?, how) }?;
        change_both(army, |army, world| {
            army.patrol_all(world, &groups, goals, how)
        })
    })
}

/// Sends `count` groups to a line, as by a drag of the mouse: their units stop on it side by
/// side, as far apart as it is wide, and look ahead. Those for whom it is too short stop in rows
/// behind it, and each rank in rows of its own. `how` may be `NULL`; it can have no formation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_draw_up(
    army: flowtiles_army,
    groups: *const flowtiles_group,
    count: usize,
    line: *const flowtiles_line,
    how: *const flowtiles_sending,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let line = *unsafe { one(line, "line") }?;
        // SAFETY: see the head of the crate.
        let (groups, how) = unsafe { groups_sent(array(groups, count, "groups")?, how) }?;
        change_both(army, |army, world| {
            army.draw_up(world, &groups, line.into(), how)
        })
    })
}

/// Makes a group one of a team, 0 to 7: it is friend and foe as the team's, and walks on its layer as
/// the team sees it, through the team's gates and in its fog. Refused if the group follows an order
/// of another team.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_set_team(
    army: flowtiles_army,
    group: flowtiles_group,
    team: u8,
) -> flowtiles_status {
    answer(|| {
        let group = GroupId::from_number(group);
        change_both(army, |army, world| army.set_team(world, group, team))
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

/// Sets the rank of a group, 0 at first: its units stop behind those of lower ranks that go to
/// the same goal, stand behind them in a formation of several groups, and wait on the march until
/// these are ahead.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_set_rank(
    army: flowtiles_army,
    group: flowtiles_group,
    rank: u8,
) -> flowtiles_status {
    let group = GroupId::from_number(group);
    answer(|| {
        change_both(army, |army, world| {
            configure(army, group, world, |settings| settings.rank = rank)
        })
    })
}
