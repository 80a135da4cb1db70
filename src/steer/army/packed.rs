//! The fields of an army in the order in which they are saved;
//! docs/save-format.md describes them.

use super::Army;
use super::pass::Pass;
use super::step::LONGEST;
use crate::bytes::Fault;
use crate::cost::{LayerId, MAX_TEAMS, Teams};
use crate::grid::Direction;
use crate::steer::formation::{Line, MARKS, March, Trail, WIDEST};
use crate::steer::groups::{Charge, Chase, Errand, Group, GroupSettings, Pace, Target};
use crate::steer::motion::is_pace;
use crate::steer::reading::{Clock, LEAN_PARTS, Lookahead, Reading, micros};
use crate::steer::units::{
    GroupId, HardGround, MOST, Memory, Settings, Stop, Turning, Unit, UnitState,
};
use crate::vector::{NONE, Vector};

const READINGS: &[Reading] = &[
    Reading::Nearest,
    Reading::Bilinear,
    Reading::LowestOfFour,
    Reading::Ahead,
    #[cfg(feature = "crowd")]
    Reading::Crowd,
];

/// Larger than any number of a direction.
const DIRECTION_MAX: f32 = 2.0;
/// Larger than any number of a velocity, also of a unit that hurries.
const VELOCITY_MAX: f32 = 1e13;
/// Larger than any number of a place in a formation.
const SLOT_MAX: f32 = 1e9;
/// Larger than any distance that a unit can want to go.
const WATCH_MAX: f32 = 1e30;

/// Passes everything but the crowd.
pub(super) fn pass_army(pass: &mut impl Pass, army: &mut Army) -> Result<(), Fault> {
    pass_settings(pass, &mut army.settings)?;
    pass_clock(pass, &mut army.clock)?;
    let mut groups = army.groups.all().to_vec();
    pass.list(&mut groups, pass_group)?;
    army.groups.restore(groups);
    let mut units: Vec<Unit> = army.roster.by_id().copied().collect();
    let mut last = None;
    pass.list(&mut units, |pass, unit| {
        pass_unit(pass, unit)?;
        pass.ensure(last < Some(unit.id), "the units are not sorted by id")?;
        last = Some(unit.id);
        let group = army.groups.at(unit.group.index);
        pass.ensure(group.is_some(), "a unit's group does not exist")?;
        unit.group = group.unwrap_or_default();
        Ok(())
    })?;
    if army.units().is_empty() {
        army.restore(units);
    }
    Ok(())
}

fn pass_clock(pass: &mut impl Pass, clock: &mut Clock) -> Result<(), Fault> {
    let Clock { now, step } = clock;
    pass.count(now)?;
    pass.count(step)?;
    let fits = *now < Clock::END && *step <= micros(LONGEST);
    pass.ensure(fits, "the army's time is not one that it can have")
}

fn pass_settings(pass: &mut impl Pass, settings: &mut Settings) -> Result<(), Fault> {
    for (name, amount) in settings.amounts() {
        if name == "patience" {
            continue;
        }
        pass.float(amount)?;
        pass.ensure(
            (0.0..=MOST).contains(amount),
            "a setting is not a number from 0 to 1,000,000",
        )?;
    }
    pass.count(&mut settings.pushes)?;
    pass.choice(
        &mut settings.terrain,
        &[HardGround::Slows, HardGround::Ignored],
    )?;
    pass_patience(pass, &mut settings.patience)
}

/// Passes the patience: as a number of 20ths of a second if it is one, else as one that is 2³²
/// more than the bits of the seconds.
fn pass_patience(pass: &mut impl Pass, patience: &mut f32) -> Result<(), Fault> {
    let seconds = |parts: u32| parts as f32 / 20.0;
    let parts = (*patience * 20.0 + 0.5) as u32;
    let mut number = if seconds(parts) == *patience {
        u64::from(parts)
    } else {
        1 << 32 | u64::from(patience.to_bits())
    };
    pass.number(&mut number)?;
    *patience = u32::try_from(number).map_or(f32::from_bits(number as u32), seconds);
    pass.ensure(
        (0.0..=MOST).contains(patience),
        "the patience is not a number from 0 to 1,000,000",
    )
}

pub(super) fn pass_group(pass: &mut impl Pass, group: &mut Group) -> Result<(), Fault> {
    pass.word(&mut group.generation)?;
    pass.flag(&mut group.is_removed)?;
    if group.is_removed {
        return Ok(());
    }
    pass_target(pass, &mut group.target)?;
    pass_layer(pass, &mut group.settings.layer)?;
    pass.list(&mut group.queue, pass_target)?;
    let mut marks = [group.patrols, group.lines().iter().any(Option::is_some)];
    pass_marks(pass, &mut marks)?;
    group.patrols = marks[0];
    if marks[1] {
        pass_lines(pass, group)?;
    } else {
        group.set_lines(&[]);
    }
    let GroupSettings {
        layer: _,
        team,
        foes,
        planes,
        rank,
        pace,
        reading,
        keeps_width,
        #[cfg(feature = "crowd")]
            conduct: _, // It is with the crowd.
    } = &mut group.settings;
    pass.choice(reading, READINGS)?;
    pass_pace(pass, pace)?;
    pass.flag(&mut group.announced)?;
    pass.option(&mut group.march, pass_march)?;
    pass.flag(keeps_width)?;
    if *keeps_width {
        pass_trail(pass, &mut group.trail)?;
    }
    pass_teams(pass, team, foes)?;
    if group.errand.is_none() {
        group.errand = group.target.errand();
    }
    if let Some(errand) = &mut group.errand {
        pass_errand(pass, errand)?;
    }
    pass_small(pass, planes, "a group is on a plane above 7")?;
    pass_small(pass, rank, "a group has a rank above 255")
}

/// Passes the lines of a group's target and of those that follow.
fn pass_lines(pass: &mut impl Pass, group: &mut Group) -> Result<(), Fault> {
    let ends = |line: Option<Line>| line.map(|line| [line.left, line.right]);
    let lines = group.lines().into_iter().map(ends);
    let mut lines: Vec<Option<[Vector; 2]>> = lines.collect();
    pass.list(&mut lines, |pass, line| {
        pass.option(line, |pass, ends| {
            ends.iter_mut().try_for_each(|end| pass.vector(end))
        })
    })?;
    let lines = lines.into_iter();
    let lines = lines.map(|ends| ends.map(|[left, right]| Line::new(left, right)));
    let lines: Vec<Option<Line>> = lines.collect();
    let fits = lines.iter().flatten().all(|line| line.check().is_ok());
    pass.ensure(fits, "a line cannot be drawn up on")?;
    pass.ensure(
        lines.len() == 1 + group.queue.len(),
        "a group has more or fewer lines than targets",
    )?;
    group.set_lines(&lines);
    Ok(())
}

fn pass_pace(pass: &mut impl Pass, pace: &mut Pace) -> Result<(), Fault> {
    let number = pace.number();
    let mut kind = number.map_or(*pace, |_| Pace::Shared(0));
    pass.choice(&mut kind, &[Pace::Own, Pace::Slowest, Pace::Shared(0)])?;
    if let Pace::Shared(shared) = &mut kind {
        *shared = number.unwrap_or_default();
        pass.count(shared)?;
    }
    *pace = kind;
    Ok(())
}

pub(super) fn pass_layer(pass: &mut impl Pass, layer: &mut LayerId) -> Result<(), Fault> {
    let [mut number, mut team] = [u32::from(layer.number()), u32::from(layer.team())];
    pass.count(&mut number)?;
    pass.count(&mut team)?;
    let team = u8::try_from(team).unwrap_or(u8::MAX);
    let found = u16::try_from(number)
        .ok()
        .and_then(|number| LayerId::from_number(number).for_team(team));
    pass.ensure(found.is_some(), "there can be no such layer")?;
    *layer = found.unwrap_or_default();
    Ok(())
}

fn pass_target(pass: &mut impl Pass, target: &mut Target) -> Result<(), Fault> {
    let mut kind = match target {
        Target::Flock => 0,
        Target::Stand => 1,
        Target::Point(_) => 2,
        Target::Order(_) => 3,
        Target::Hold => 4,
        Target::Follow(_) => 5,
        Target::Pursue(..) => 6,
        Target::AttackMove(..) => 7,
        Target::Flee { .. } => 8,
    };
    pass.choice(&mut kind, &[0, 1, 2, 3, 4, 5, 6, 7, 8])?;
    let mut order = target.order().cloned();
    if matches!(kind, 3 | 7) {
        pass.order(&mut order)?;
    }
    *target = match (kind, &*target) {
        (0, _) => Target::Flock,
        (1, _) => Target::Stand,
        (4, _) => Target::Hold,
        (2, target) => {
            let mut point = match target {
                Target::Point(point) => *point,
                _ => NONE,
            };
            pass.vector(&mut point)?;
            Target::Point(point)
        }
        (5 | 6, target) => {
            let (mut unit, mut chase) = match target {
                Target::Follow(unit) => (*unit, Chase::default()),
                Target::Pursue(unit, chase) => (*unit, *chase),
                _ => (0, Chase::default()),
            };
            pass.count(&mut unit)?;
            if kind == 5 {
                Target::Follow(unit)
            } else {
                pass_chase(pass, &mut chase)?;
                Target::Pursue(unit, chase)
            }
        }
        (8, target) => {
            let (mut from, mut safe) = match target {
                Target::Flee { from, safe } => (*from, *safe),
                _ => (None, 0.0),
            };
            pass.option(&mut from, Pass::count)?;
            pass.float(&mut safe)?;
            Target::Flee { from, safe }
        }
        (_, target) => {
            let mut chase = match target {
                Target::AttackMove(_, chase) => *chase,
                _ => Chase::default(),
            };
            if kind == 7 {
                pass_chase(pass, &mut chase)?;
            }
            match order {
                Some(order) if kind == 7 => Target::AttackMove(order, chase),
                Some(order) => Target::Order(order),
                None => Target::Flock,
            }
        }
    };
    let fits = target.check().is_ok();
    pass.ensure(fits, "a number of a target is out of its range")
}

fn pass_chase(pass: &mut impl Pass, chase: &mut Chase) -> Result<(), Fault> {
    chase
        .amounts()
        .into_iter()
        .try_for_each(|amount| pass.float(amount))
}

fn pass_teams(pass: &mut impl Pass, team: &mut u8, foes: &mut Teams) -> Result<(), Fault> {
    const WRONG: &str = "a group has a team or foes that cannot be";
    let mut bits = foes.bits();
    pass_small(pass, team, WRONG)?;
    pass_small(pass, &mut bits, WRONG)?;
    *foes = Teams::from_bits(bits);
    pass.ensure(*team < MAX_TEAMS && !foes.has(*team), WRONG)
}

/// Passes a number below 256.
fn pass_small(pass: &mut impl Pass, small: &mut u8, wrong: &'static str) -> Result<(), Fault> {
    let mut number = u64::from(*small);
    pass.number(&mut number)?;
    *small = number as u8;
    pass.ensure(number <= u64::from(u8::MAX), wrong)
}

fn pass_errand(pass: &mut impl Pass, errand: &mut Errand) -> Result<(), Fault> {
    let mut has_order = errand.order.is_some();
    pass.flag(&mut has_order)?;
    if has_order {
        pass.order(&mut errand.order)?;
    }
    pass.option(&mut errand.home, |pass, home| pass_within(pass, home, MOST))?;
    pass.flag(&mut errand.has_reached)?;
    let mut charges: Vec<(u32, Charge)> = errand
        .charges
        .iter()
        .map(|(&id, &charge)| (id, charge))
        .collect();
    let mut last = None;
    pass.list(&mut charges, |pass, (id, charge)| {
        pass.count(id)?;
        pass.ensure(last < Some(*id), "the chases of units are not sorted by id")?;
        last = Some(*id);
        pass.count(&mut charge.foe)?;
        pass_within(pass, &mut charge.from, MOST)
    })?;
    errand.charges.extend(charges);
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
    pass.ensure(fits, "a formation's spacing is not from 0.01 to 1,000")?;
    pass_within(pass, anchor, MOST)?;
    pass_within(pass, heading, DIRECTION_MAX)?;
    pass_aim(pass, aim)?;
    pass.flag(home)
}

fn pass_trail(pass: &mut impl Pass, trail: &mut Trail) -> Result<(), Fault> {
    let Trail {
        leader,
        marks,
        followers,
    } = trail;
    pass.option(leader, Pass::count)?;
    pass.list(marks, |pass, mark| {
        pass_within(pass, &mut mark.position, MOST)?;
        pass_lane(pass, &mut mark.lane)
    })?;
    pass.ensure(marks.len() <= MARKS, "a trail has too many marks")?;
    pass.list(followers, |pass, follower| {
        pass.count(&mut follower.id)?;
        pass_lane(pass, &mut follower.lane)?;
        pass.option(&mut follower.point, |pass, point| {
            pass_within(pass, point, MOST)
        })
    })
}

/// Passes two flags as one number.
fn pass_marks(pass: &mut impl Pass, marks: &mut [bool; 2]) -> Result<(), Fault> {
    let all = [false, true].map(|second| [false, true].map(|first| [first, second]));
    pass.choice(marks, all.as_flattened())
}

fn pass_lane(pass: &mut impl Pass, lane: &mut f32) -> Result<(), Fault> {
    pass.float(lane)?;
    let fits = (-WIDEST..=WIDEST).contains(lane);
    pass.ensure(fits, "a lane is wider than it can be")
}

/// Passes two numbers from `-most` to `most`.
fn pass_within(pass: &mut impl Pass, vector: &mut Vector, most: f32) -> Result<(), Fault> {
    pass.vector(vector)?;
    let fits = vector.iter().all(|at| (-most..=most).contains(at));
    pass.ensure(fits, "a number is larger than it can be")
}

fn pass_aim(pass: &mut impl Pass, aim: &mut Lookahead) -> Result<(), Fault> {
    let Lookahead {
        cell,
        from,
        stuck,
        step,
        lean,
    } = aim;
    pass.cell(cell)?;
    pass.cell(from)?;
    let mut marks = [*stuck, *lean != [0; 2]];
    pass_marks(pass, &mut marks)?;
    *stuck = marks[0];
    if marks[1] {
        for along in lean {
            let mut byte = along.cast_unsigned();
            pass.byte(&mut byte)?;
            *along = byte.cast_signed();
            let fits = i32::from(*along).abs() < LEAN_PARTS;
            pass.ensure(fits, "an aim leans beyond the next cell")?;
        }
    }
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
        weight,
        turning,
        state,
        memory,
    } = unit;
    pass.count(id)?;
    pass.count(index)?;
    pass.vector(position)?;
    pass_within(pass, velocity, VELOCITY_MAX)?;
    pass.float(radius)?;
    pass.float(speed)?;
    let states = [
        UnitState::Marching,
        UnitState::Arrived,
        UnitState::Unreachable,
        UnitState::Engaged,
    ];
    let kinds = [[false; 2], [true, false], [false, true], [true; 2]];
    let kinds = kinds.map(|has| states.map(|state| (state, has)));
    let mut kind = (*state, [*weight != 1.0, *turning != Turning::default()]);
    pass.choice(&mut kind, kinds.as_flattened())?;
    let [has_weight, turns] = kind.1;
    *state = kind.0;
    if has_weight {
        pass.float(weight)?;
        pass.ensure(*weight != 1.0, "a plain weight is written")?;
    }
    if turns {
        pass.float(&mut turning.rate)?;
        pass.flag(&mut turning.on_the_spot)?;
        pass_within(pass, &mut memory.heading, DIRECTION_MAX)?;
        let is_plain = *turning == Turning::default();
        pass.ensure(
            !is_plain,
            "how a unit turns is written although it turns at once",
        )?;
    }
    pass_memory(pass, memory)?;
    // A hurried unit may be faster than any that is added.
    let slow = Unit {
        velocity: NONE,
        ..*unit
    };
    pass.ensure(
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
        place,
        stop,
        end,
        pressed,
        slot,
        stray,
        heading: _,
    } = memory;
    pass_aim(pass, aim)?;
    pass_within(pass, wish, DIRECTION_MAX)?;
    pass.float(pace)?;
    pass.ensure(is_pace(*pace), "a unit's pace cannot be")?;
    pass.count(idle)?;
    pass_within(pass, post, MOST)?;
    pass.float(watch)?;
    let fits = (0.0..=WATCH_MAX).contains(watch);
    pass.ensure(fits, "the distance that a unit wanted to go is too long")?;
    pass_within(pass, place, MOST)?;
    pass.choice(stop, &[Stop::Unknown, Stop::Own, Stop::Beside])?;
    pass.option(end, Pass::cell)?;
    pass.count(pressed)?;
    pass.count(slot)?;
    pass.flag(stray)
}
