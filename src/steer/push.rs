//! One unit's step, second half: units that overlap push each other apart.
//!
//! A few rounds; each reads where all were after the round before, and writes
//! anew. A pair parts by its masses, and each circle's sum of pushes is swept
//! against the walls as its own way was.

use crate::cost::CostMap;

use super::behaviour::apart;
use super::settings::Body;
use super::surroundings::Contacts;
use super::walls::slide;
use crate::vector::{NONE, Vector, difference, dot, limited, sum, times};

/// The part of an overlap that a pair takes away in one round. In a crowd each
/// is in several pairs at once: with more, they push each other to and fro, and
/// overlaps become deeper (`flowtiles sim pass`: 0.48 for 0.5, 0.37 for this).
const PART: f32 = 0.28;
/// The longest way of one push, in cells.
const FARTHEST: f32 = 0.25;
/// How much heavier one is who has arrived: little for those who come to the
/// same place, so that they close up around it; more for those who pass.
const SETTLED: f32 = 1.5;
const SETTLED_ELSEWHERE: f32 = 4.0;

/// Where the sorted unit `at` is after one round.
pub(super) fn pushed(
    at: usize,
    bodies: &[Body],
    positions: &[Vector],
    contacts: &Contacts,
    costs: &CostMap,
) -> Vector {
    let me = &bodies[at];
    let here = positions[at];
    let mut push = NONE;
    for other in contacts.iter() {
        let (body, there) = (&bodies[other], positions[other]);
        let room = (me.radius + body.radius) * firmness(me, body);
        let way = difference(here, there);
        let square = dot(way, way);
        if square >= room * room {
            continue;
        }
        let depth = room - square.sqrt();
        let settled = if me.goal == body.goal {
            SETTLED
        } else {
            SETTLED_ELSEWHERE
        };
        let (mine, theirs) = (mass(me, settled), mass(body, settled));
        let share = theirs / (mine + theirs);
        let away = apart(here, me.id, there, body.id);
        push = sum(push, times(away, depth * share * PART * 2.0));
    }
    if push == NONE {
        return here;
    }
    slide(costs, here, limited(push, FARTHEST), me.radius)
}

/// How deep the sorted unit `at` overlaps another, in cells.
pub(super) fn depth(at: usize, bodies: &[Body], positions: &[Vector], contacts: &Contacts) -> f32 {
    let deepest = |deepest: f32, other: usize| {
        let way = difference(positions[at], positions[other]);
        let (room, square) = (bodies[at].radius + bodies[other].radius, dot(way, way));
        if square >= room * room {
            return deepest;
        }
        let depth = room - square.sqrt();
        if depth > deepest { depth } else { deepest }
    };
    contacts.iter().fold(0.0, deepest)
}

/// How much of their sizes two units feel of each other. Who squeezes past does
/// so past others: those with the same goal go the same way.
fn firmness(one: &Body, two: &Body) -> f32 {
    let quarters = one.firmness.min(two.firmness);
    if one.goal != two.goal {
        f32::from(quarters) * 0.25
    } else if quarters > 1 || one.settled || two.settled {
        1.0
    } else {
        0.75
    }
}

fn mass(body: &Body, settled: f32) -> f32 {
    let square = body.radius * body.radius;
    if body.settled {
        square * settled
    } else {
        square
    }
}
