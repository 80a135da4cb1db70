//! The fields of an army in the order in which they are saved;
//! docs/save-format.md describes them.

use super::Army;
use super::ahead::Lookahead;
use super::group::{Group, Pace, Target};
use super::group_id::GroupId;
use super::march::March;
use super::pass::Pass;
use super::patience::is_pace;
use super::reading::Reading;
use super::settings::{HardGround, Settings};
use super::unit::{MOST, Memory, State, Unit};
use crate::bytes::Fault;
use crate::cost::LayerId;
use crate::grid::Direction;
use crate::vector::{NONE, Vector};

/// Readings, by their numbers in a save.
const READINGS: &[Reading] = &[
    Reading::Nearest,
    Reading::Bilinear,
    Reading::LowestOfFour,
    Reading::Ahead,
    #[cfg(feature = "crowd")]
    Reading::Crowd,
];

/// More than a direction's numbers; than those of the velocity of a unit that hurries; than
/// those of a place in a formation; and than a unit can want to go.
const DIRECTION_MAX: f32 = 2.0;
const VELOCITY_MAX: f32 = 1e13;
const SLOT_MAX: f32 = 1e9;
const WATCH_MAX: f32 = 1e30;

/// Passes everything but the crowd.
pub(super) fn pass_army(pass: &mut impl Pass, army: &mut Army) -> Result<(), Fault> {
    pass_settings(pass, &mut army.settings)?;
    pass.word(&mut army.tick)?;
    let mut groups = army.groups.all().to_vec();
    pass.list(&mut groups, pass_group)?;
    army.groups.restore(groups);
    let mut units: Vec<Unit> = army.roster.by_id().copied().collect();
    let mut last = None;
    pass.list(&mut units, |pass, unit| {
        pass_unit(pass, unit)?;
        pass.hold(last < Some(unit.id), "the units are not sorted by id")?;
        last = Some(unit.id);
        let group = army.groups.at(unit.group.index);
        pass.hold(group.is_some(), "a unit's group does not exist")?;
        unit.group = group.unwrap_or_default();
        Ok(())
    })?;
    if army.units().is_empty() {
        army.restore(units);
    }
    Ok(())
}

fn pass_settings(pass: &mut impl Pass, settings: &mut Settings) -> Result<(), Fault> {
    for (_, amount) in settings.amounts() {
        pass.float(amount)?;
        pass.hold(
            (0.0..=MOST).contains(amount),
            "a setting is not a number from 0 to 1,000,000",
        )?;
    }
    pass.count(&mut settings.pushes)?;
    pass.choice(
        &mut settings.terrain,
        &[HardGround::Slows, HardGround::Ignored],
    )?;
    pass.count(&mut settings.patience)
}

fn pass_group(pass: &mut impl Pass, group: &mut Group) -> Result<(), Fault> {
    pass.word(&mut group.generation)?;
    pass.flag(&mut group.is_removed)?;
    if group.is_removed {
        return Ok(());
    }
    pass_target(pass, &mut group.target)?;
    pass_layer(pass, &mut group.layer)?;
    pass.list(&mut group.queue, pass_target)?;
    pass.flag(&mut group.patrols)?;
    pass.choice(&mut group.reading, READINGS)?;
    pass.choice(&mut group.pace, &[Pace::Own, Pace::Slowest])?;
    pass.flag(&mut group.announced)?;
    pass.option(&mut group.march, pass_march)
}

fn pass_layer(pass: &mut impl Pass, layer: &mut LayerId) -> Result<(), Fault> {
    let [mut number, mut team] = [u32::from(layer.number()), u32::from(layer.team())];
    pass.count(&mut number)?;
    pass.count(&mut team)?;
    let team = u8::try_from(team).unwrap_or(u8::MAX);
    let found = u16::try_from(number).ok().map(LayerId::from_number);
    let found = found.and_then(|layer| layer.for_team(team));
    pass.hold(found.is_some(), "a group is on a layer that cannot be")?;
    *layer = found.unwrap_or_default();
    Ok(())
}

fn pass_target(pass: &mut impl Pass, target: &mut Target) -> Result<(), Fault> {
    let mut kind = match target {
        Target::Nowhere => 0,
        Target::Stand => 1,
        Target::Point(_) => 2,
        Target::Order(_) => 3,
        Target::Hold => 4,
        Target::Follow(_) => 5,
    };
    pass.choice(&mut kind, &[0, 1, 2, 3, 4, 5])?;
    match kind {
        0 => *target = Target::Nowhere,
        1 => *target = Target::Stand,
        2 => {
            let mut point = NONE;
            if let Target::Point(given) = target {
                point = *given;
            }
            pass.vector(&mut point)?;
            *target = Target::Point(point);
            let fits = target.check().is_ok();
            pass.hold(fits, "a target point is off every map")?;
        }
        3 => pass.order(target)?,
        4 => *target = Target::Hold,
        _ => {
            let mut unit = 0;
            if let Target::Follow(given) = target {
                unit = *given;
            }
            pass.count(&mut unit)?;
            *target = Target::Follow(unit);
        }
    }
    Ok(())
}

fn pass_march(pass: &mut impl Pass, march: &mut March) -> Result<(), Fault> {
    let March {
        slots,
        spacing,
        anchor,
        heading,
        aim,
        home,
    } = march;
    pass.list(slots, |pass, slot| pass_within(pass, slot, SLOT_MAX))?;
    pass.float(spacing)?;
    let fits = (0.01..=1000.0).contains(spacing);
    pass.hold(fits, "a formation's spacing is not from 0.01 to 1,000")?;
    pass_within(pass, anchor, MOST)?;
    pass_within(pass, heading, DIRECTION_MAX)?;
    pass_aim(pass, aim)?;
    pass.flag(home)
}

/// Passes two numbers from `-most` to `most`.
fn pass_within(pass: &mut impl Pass, vector: &mut Vector, most: f32) -> Result<(), Fault> {
    pass.vector(vector)?;
    let fits = vector.iter().all(|at| (-most..=most).contains(at));
    pass.hold(fits, "a number is larger than it can be")
}

fn pass_aim(pass: &mut impl Pass, aim: &mut Lookahead) -> Result<(), Fault> {
    let Lookahead {
        cell,
        from,
        stuck,
        step,
    } = aim;
    pass.cell(cell)?;
    pass.cell(from)?;
    pass.flag(stuck)?;
    let mut steps = [None; 9];
    for (place, direction) in steps[1..].iter_mut().zip(Direction::ALL) {
        *place = Some(direction);
    }
    pass.choice(step, &steps)
}

fn pass_unit(pass: &mut impl Pass, unit: &mut Unit) -> Result<(), Fault> {
    let Unit {
        id,
        group: GroupId { index, .. },
        position,
        velocity,
        radius,
        speed,
        state,
        memory,
    } = unit;
    pass.count(id)?;
    pass.count(index)?;
    pass.vector(position)?;
    pass_within(pass, velocity, VELOCITY_MAX)?;
    pass.float(radius)?;
    pass.float(speed)?;
    let states = [State::Marching, State::Arrived, State::Unreachable];
    pass.choice(state, &states)?;
    pass_memory(pass, memory)?;
    // A hurried unit may be faster than any that is added.
    let slow = Unit {
        velocity: NONE,
        ..*unit
    };
    pass.hold(
        slow.check().is_ok(),
        "a value of a unit is out of its range",
    )
}

fn pass_memory(pass: &mut impl Pass, memory: &mut Memory) -> Result<(), Fault> {
    let Memory {
        aim,
        wish,
        pace,
        idle,
        post,
        watch,
        home,
        end,
        pressed,
        slot,
        stray,
    } = memory;
    pass_aim(pass, aim)?;
    pass_within(pass, wish, DIRECTION_MAX)?;
    pass.float(pace)?;
    pass.hold(is_pace(*pace), "a unit's pace cannot be")?;
    pass.count(idle)?;
    pass_within(pass, post, MOST)?;
    pass.float(watch)?;
    let fits = (0.0..=WATCH_MAX).contains(watch);
    pass.hold(fits, "the distance that a unit wanted to go is too long")?;
    pass_within(pass, home, MOST)?;
    pass.option(end, Pass::cell)?;
    pass.count(pressed)?;
    pass.count(slot)?;
    pass.flag(stray)
}
