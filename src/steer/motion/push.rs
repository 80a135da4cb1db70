//! The second half of one unit's step: overlapping units push each other apart.
//!
//! There are a few rounds. Each reads the positions after the previous round and writes new
//! ones. The two units of a pair part in proportion to their masses (radius² × weight), and
//! the sum of a unit's pushes is swept against the walls like its own movement.
//!
//! A round skips units that cannot have moved. When none has moved, the rounds end.

use crate::steer::neighbours::{AT_ONE_PLACE, Contacts, Four, Mask, Traits, apart};
use crate::steer::walls::{GroupLayer, slide_in_the_open};
use crate::vector::{NONE, Vector, difference, dot, greater, limited};

/// The part of an overlap that a pair removes in one round. In a crowd each
/// unit is in several pairs at once: with a larger part they push each other
/// back and forth, and overlaps become deeper (`flowtiles sim pass`: 0.48 for
/// 0.5, 0.37 for this value).
const PART: f32 = 0.28;
const FARTHEST: f32 = 0.25;
/// The factor by which a unit that stands is heavier: it is at its place, or in range.
const SETTLED: f32 = 4.0;

/// The factor by which the first of two fellows that both squeeze is heavier.
const FIRST: f32 = 4.0;

/// The push of a round below which a unit that has arrived stays where it is, in cells a
/// second. Without it a settled crowd goes on for a minute, by less than is seen, to rid itself of
/// the last of its overlaps.
pub(super) const REST: f32 = 0.02;

/// Where a unit is pushed from: x, y, its radius, and its
/// [feel](crate::steer::neighbours::BodyMarks::feel).
pub(super) type Pin = [f32; 4];

/// Returns what is left of the distance within which the ground is known to be open
/// around a unit, after a movement.
#[inline]
pub(super) fn open_after(open: f32, from: Vector, to: Vector) -> f32 {
    let [across, down] = difference(to, from);
    // At least the length of the way.
    let come = greater(across, -across) + greater(down, -down);
    open - come
}

pub(super) struct PushRound<'a> {
    pub(super) traits: &'a [Traits],
    /// Where the units are, and whether the round before moved them.
    pub(super) pins: &'a [Pin],
    pub(super) moved: &'a [bool],
    pub(super) contacts: &'a [Contacts],
    pub(super) layers: &'a [GroupLayer<'a>],
    /// The weights; none if all are 1.
    pub(super) weights: &'a [f32],
    /// The push below which a unit that has arrived stays where it is.
    pub(super) rest: f32,
}

impl PushRound<'_> {
    /// Returns where the sorted unit `at` is after the round; all ground within
    /// `open` cells of it is known to be open.
    pub(super) fn pushed(&self, at: usize, open: &mut f32) -> Pin {
        let before = self.pins[at];
        let [x, y, radius, feel] = before;
        // If neither the unit nor a contact has moved since, the result stays.
        let contacts = &self.contacts[at];
        let moved = |four: &[u32; 4]| four.iter().any(|&other| self.moved[other as usize]);
        if !self.moved[at] && !contacts.fours(at).any(moved) {
            return before;
        }
        let push = self.push(at, contacts);
        let has_arrived = feel < 0.0;
        if push == NONE || has_arrived && dot(push, push) < self.rest * self.rest {
            return before;
        }
        let layer = &self.layers[self.traits[at].group as usize];
        let from = layer.enter([x, y]);
        let slim = layer.radius(radius);
        let way = limited(push, FARTHEST);
        let to = layer.leave(slide_in_the_open(layer.ground, *open, from, way, slim));
        *open = open_after(*open, [x, y], to);
        [to[0], to[1], radius, feel]
    }

    fn push(&self, at: usize, contacts: &Contacts) -> Vector {
        let [x, y, radius, feel] = self.pins[at].map(Four::all);
        let mut push = Four::all(0.0);
        for four in contacts.fours(at) {
            let pin = |lane: usize| Four::of(self.pins[four[lane] as usize]);
            let [there_x, there_y, other_radius, other_feel] =
                Four::turned([pin(0), pin(1), pin(2), pin(3)]);
            let way = [x - there_x, y - there_y];
            let square = way[0] * way[0] + way[1] * way[1];
            let room = radius + other_radius;
            let others = Mask::differing(four, at as u32);
            // No pair feels more of its sizes than all.
            if square.below(room * room).and(others).bits() != 0 {
                let pair = self.pair(at, four, [radius, other_radius], [feel, other_feel]);
                let overlaps = square.below(pair.room * pair.room).and(others);
                for part in self.parts(at, four, &pair, way, square, overlaps) {
                    push = push + part;
                }
            }
        }
        let [x, y, ..] = push.array();
        [x, y]
    }

    /// Returns the pushes of up to four contacts that overlap a unit, one after
    /// the other.
    #[inline(always)]
    fn parts(
        &self,
        at: usize,
        four: &[u32; 4],
        pair: &PushedPair,
        way: [Four; 2],
        square: Four,
        overlaps: Mask,
    ) -> [Four; 4] {
        let long = square.sqrt();
        let depth = pair.room - long;
        let strength = depth * pair.share * Four::all(PART) * Four::all(2.0);
        let mut along = way.map(|way| way / long);
        if square.up_to(Four::all(AT_ONE_PLACE)).and(overlaps).bits() != 0 {
            along = self.directions(at, four);
        }
        let [across, down] = along.map(|along| (along * strength).at(overlaps));
        let none = Four::all(0.0);
        Four::turned([across, down, none, none])
    }

    /// Returns the directions away from four contacts one by one, for units at
    /// one position.
    #[cold]
    fn directions(&self, at: usize, four: &[u32; 4]) -> [Four; 2] {
        let [x, y, ..] = self.pins[at];
        let id = self.traits[at].id;
        let away = four.map(|other| {
            let [there_x, there_y, ..] = self.pins[other as usize];
            apart(
                [x, y],
                id,
                [there_x, there_y],
                self.traits[other as usize].id,
            )
        });
        [0, 1].map(|axis| Four::of(away.map(|away| away[axis])))
    }

    #[inline(always)]
    fn pair(
        &self,
        at: usize,
        four: &[u32; 4],
        [radius, other_radius]: [Four; 2],
        [feel, other_feel]: [Four; 2],
    ) -> PushedPair {
        let room = radius + other_radius;
        let (mut mine, mut theirs) = (radius * radius, other_radius * other_radius);
        if let Some(&weight) = self.weights.get(at) {
            let weights = four.map(|other| self.weights[other as usize]);
            (mine, theirs) = (mine * Four::all(weight), theirs * Four::of(weights));
        }
        let plain = Four::all(1.0);
        if plain.up_to(feel).and(plain.up_to(other_feel)).bits() == 15 {
            let share = theirs / (mine + theirs);
            return PushedPair { room, share };
        }
        let goals = four.map(|other| self.traits[other as usize].marks.goal());
        let same_goal = Mask::equal(&goals, self.traits[at].marks.goal());
        let none = Four::all(0.0);
        let settled = [feel.below(none), other_feel.below(none)];
        let room = room * firmness([feel, other_feel], settled, same_goal);
        let [mine, theirs] = [(mine, settled[0]), (theirs, settled[1])]
            .map(|(mass, settled)| mass * settled.choose(Four::all(SETTLED), plain));
        // Of fellows that both squeeze, none would ever go first through a narrow door.
        let half = Four::all(0.5);
        let squeeze = |feel: Four| none.below(feel).and(feel.up_to(half));
        let own = self.traits[at].id;
        let first = Four::of(four.map(|other| {
            if own < self.traits[other as usize].id {
                FIRST
            } else {
                1.0 / FIRST
            }
        }));
        let are_fellows = same_goal.and(squeeze(feel)).and(squeeze(other_feel));
        let mine = mine * are_fellows.choose(first, plain);
        let share = theirs / (mine + theirs);
        PushedPair { room, share }
    }
}

struct PushedPair {
    /// The distance below which they push.
    room: Four,
    /// The unit's part of what they part.
    share: Four,
}

/// Returns how much of their sizes pairs of units feel of each other. A squeezing unit passes units
/// with other goals; those with its own go the same way, and squeeze at the last level alone.
#[inline(always)]
fn firmness(feels: [Four; 2], settled: [Mask; 2], same_goal: Mask) -> Four {
    let [one, two] = feels.map(Four::abs);
    let part = one.lesser(two);
    let is_firm = Four::all(0.5).below(part).or(settled[0]).or(settled[1]);
    let squeezed = Four::all(0.75);
    let among_fellows = is_firm.choose(Four::all(1.0), squeezed);
    same_goal.choose(among_fellows, part.greater(squeezed))
}
