//! The second half of one unit's step: overlapping units push each other apart.
//!
//! There are a few rounds. Each reads the positions after the previous round and writes new
//! ones. The two units of a pair part in proportion to their masses (radius² × weight), and
//! the sum of a unit's pushes is swept against the walls like its own movement.
//!
//! A unit is pushed only if it or a contact has moved in the round before. Where few have, a round
//! looks at these and what is around them alone. When none has moved, the rounds end.

use crate::steer::neighbours::{AT_ONE_PLACE, Contacts, Four, Index, Mask, Traits, apart};
use crate::steer::walls::{GroupLayer, slide_in_the_open};
use crate::threads::for_runs;
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

/// A round looks at a part of the units if less than one in so many has moved in the one before.
const FEW: usize = 6;

/// The units that a round may move, where few have moved in the round before.
#[derive(Default)]
pub(super) struct Movable {
    ranks: Vec<u32>,
    are_in: Vec<bool>,
    /// Where each is after the round, and the distance within which its ground is open.
    pushed: Vec<(Pin, f32)>,
}

impl Movable {
    /// Finds the units that have moved and those that have one of them as a contact, and perhaps
    /// some more. Returns false if these would be many.
    pub(super) fn find(&mut self, moved: &[bool], contacts: &[Contacts], index: &Index) -> bool {
        let movers = moved.iter().filter(|&&moved| moved).count();
        if movers * FEW > moved.len() {
            return false;
        }
        let Self { ranks, are_in, .. } = self;
        ranks.clear();
        are_in.clear();
        are_in.resize(moved.len(), false);
        let mut add = |at: usize| {
            if !std::mem::replace(&mut are_in[at], true) {
                ranks.push(at as u32);
            }
        };
        let moved = moved.iter().enumerate().filter(|(_, moved)| **moved);
        for (at, _) in moved {
            add(at);
            let contacts = &contacts[at];
            if contacts.are_full(at) {
                // One that is not among them may have the unit among its own.
                index.around(at).flatten().for_each(&mut add);
            } else {
                let others = contacts.fours(at).flatten();
                others.for_each(|&other| add(other as usize));
            }
        }
        true
    }

    /// Pushes the units found.
    pub(super) fn push(&mut self, round: &PushRound<'_>, opens: &[f32]) {
        let Self { ranks, pushed, .. } = self;
        pushed.resize(ranks.len(), Default::default());
        for_runs(&mut pushed[..], |first, pushed| {
            for (pushed, &at) in pushed.iter_mut().zip(&ranks[first..]) {
                let mut open = opens[at as usize];
                *pushed = (round.pushed(at as usize, &mut open), open);
            }
        });
    }

    /// Returns the rank of each, its place and how far the ground is open, after [`push`](Self::push).
    pub(super) fn pushed(&self) -> impl Iterator<Item = (usize, &(Pin, f32))> {
        let ranks = self.ranks.iter().map(|&at| at as usize);
        ranks.zip(&self.pushed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;
    use crate::steer::neighbours::{Bodies, Body, Look, NeighbourContext, NeighbourFilter};
    use crate::steer::units::Settings;

    /// Those with a contact that has moved, found by a look at all contacts.
    #[test]
    fn all_that_may_move_are_found_in_any_throng() {
        let mut below = draws(3);
        let mut draw = |scale: f32| below(1 << 16) as f32 / 65_536.0 * scale;
        let (mut full, mut one_sided) = (0, 0);
        for width in [60.0, 14.0, 6.0] {
            let places: Vec<Vector> = (0..400).map(|_| [draw(width), draw(width)]).collect();
            let mut index = Index::default();
            index.build(&places, |&place| place, 3.0);
            let mut bodies = Bodies::default();
            let mut slots = bodies.slots(places.len());
            for (rank, &unit) in index.order().iter().enumerate() {
                let traits = Traits {
                    radius: 0.2 + draw(0.3),
                    id: unit,
                    ..Traits::default()
                };
                let body = Body {
                    position: places[unit as usize],
                    traits,
                    ..Body::default()
                };
                Bodies::put(&mut slots, rank, &body);
            }
            let settings = Settings::default();
            let mut look = Look::new(NeighbourContext {
                bodies: &bodies,
                settings: &settings,
                planes: &[],
                margin: 0.2,
            });
            let mut contacts_of =
                |at: usize| look.around(at, index.around(at), NeighbourFilter::All).1;
            let contacts: Vec<Contacts> = (0..places.len()).map(&mut contacts_of).collect();
            let has = |at: usize, other: usize| {
                let mut others = contacts[at].fours(at).flatten();
                others.any(|&known| known as usize == other && other != at)
            };
            let mut movable = Movable::default();
            for movers in [0, 1, 5, 66] {
                let mut moved = vec![false; places.len()];
                (0..movers).for_each(|_| moved[draw(400.0) as usize] = true);
                assert!(movable.find(&moved, &contacts, &index));
                let movers: Vec<usize> = (0..moved.len()).filter(|&at| moved[at]).collect();
                for (at, &has_moved) in moved.iter().enumerate() {
                    let may_move = has_moved || movers.iter().any(|&other| has(at, other));
                    assert!(!may_move || movable.ranks.contains(&(at as u32)));
                    one_sided += movers
                        .iter()
                        .filter(|&&other| has(at, other) && !has(other, at))
                        .count();
                }
                full += movers
                    .iter()
                    .filter(|&&at| contacts[at].are_full(at))
                    .count();
                let once: std::collections::BTreeSet<_> = movable.ranks.iter().collect();
                assert_eq!(once.len(), movable.ranks.len());
            }
            assert!(!movable.find(&vec![true; places.len()], &contacts, &index));
        }
        assert!(full > 50 && one_sided > 50, "{full} {one_sided}");
    }
}
