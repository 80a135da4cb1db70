//! The second half of one unit's step: overlapping units push each other apart.
//!
//! There are a few rounds. Each reads the positions after the previous round
//! and writes new ones. The two units of a pair part in proportion to their
//! masses, and the sum of a unit's pushes is swept against the walls like its
//! own movement.

use super::behaviour::apart;
use super::group_layer::GroupLayer;
use super::settings::Body;
use super::surroundings::Contacts;
use super::walls::slide;
use crate::vector::{NONE, Vector, difference, dot, limited, sum, times};

/// The part of an overlap that a pair removes in one round. In a crowd each
/// unit is in several pairs at once: with a larger part they push each other
/// back and forth, and overlaps become deeper (`flowtiles sim pass`: 0.48 for
/// 0.5, 0.37 for this value).
const PART: f32 = 0.28;
/// The longest movement by one push, in cells.
const FARTHEST: f32 = 0.25;
/// The factor by which arriving makes a unit heavier: small for units that come
/// to the same goal, so that they close up around it; larger for units that
/// pass.
const SETTLED: f32 = 1.5;
const SETTLED_ELSEWHERE: f32 = 4.0;

/// Returns the position of the sorted unit `at` after one round.
pub(super) fn pushed(
    at: usize,
    bodies: &[Body],
    positions: &[Vector],
    contacts: &Contacts,
    layers: &[GroupLayer<'_>],
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
        let settled = if me.goal() == body.goal() {
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
    let layer = &layers[me.group as usize];
    let (from, radius) = (layer.enter(here), layer.radius(me.radius));
    layer.leave(slide(layer.costs, from, limited(push, FARTHEST), radius))
}

/// Returns how deep the sorted unit `at` overlaps another, in cells.
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

/// Returns how much of their sizes two units feel of each other. A squeezing
/// unit passes mainly units with other goals: those with its own goal go the
/// same way.
fn firmness(one: &Body, two: &Body) -> f32 {
    let quarters = one.firmness().min(two.firmness());
    if one.goal() != two.goal() {
        f32::from(quarters) * 0.25
    } else if quarters > 1 || one.is_settled() || two.is_settled() {
        1.0
    } else {
        0.75
    }
}

fn mass(body: &Body, settled: f32) -> f32 {
    let square = body.radius * body.radius;
    if body.is_settled() {
        square * settled
    } else {
        square
    }
}
