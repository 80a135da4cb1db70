//! Which units are awake: a step looks at these, and at what is around them.
//!
//! A unit that a step has left as it was, in all rounds of pushes too, comes out of the
//! next step the same as long as its surroundings stay the same. It falls asleep:
//!
//! ```text
//!            left as it was ──▶ asleep, stored by its position
//!   awake ◀── a unit near it moves, leaves or comes; a call changes it or its group;
//!             the ground, the duration of a step or the reach of the army changes
//! ```
//!
//! Sleep is never seen in a result: it is neither saved nor part of a digest.

use std::collections::BTreeMap;

use super::ids::IdSet;
use super::unit::Unit;
use crate::vector::{Vector, floor};

#[derive(Clone, Debug, Default)]
pub(crate) struct Awake {
    /// What is known once a unit sleeps; until then all are awake.
    sleep: Option<Sleep>,
}

#[derive(Clone, Debug, Default)]
struct Sleep {
    /// Whether each unit sleeps, in the order of the roster.
    are_asleep: Vec<bool>,
    /// The ids of the units that are awake, or were and are gone, and where each was
    /// before the last step or call: some more than once.
    stirring: Vec<(u32, Vector)>,
    /// The units that sleep, by their positions.
    sleepers: Buckets,
    /// The units that calls have woken since the last step.
    woken: IdSet,
    /// Whether the next step visits every unit.
    is_over: bool,
}

impl Awake {
    /// Makes the next step visit every unit.
    pub(crate) fn wake_all(&mut self) {
        if let Some(sleep) = &mut self.sleep {
            sleep.is_over = true;
        }
    }

    pub(crate) fn are_some_asleep(&self) -> bool {
        self.sleep.is_some()
    }

    pub(crate) fn is_asleep(&self, index: usize) -> bool {
        let sleep = self.sleep.as_ref();
        sleep.is_some_and(|sleep| sleep.are_asleep[index])
    }

    /// Returns the ids of the units that are awake, and of some that are gone, each with
    /// where it was; `None` if all are awake.
    pub(crate) fn stirring(&self) -> Option<&[(u32, Vector)]> {
        let sleep = self.sleep.as_ref().filter(|sleep| !sleep.is_over);
        sleep.map(|sleep| &sleep.stirring[..])
    }

    /// Returns the units that calls have woken since the last step.
    pub(crate) fn woken(&self) -> Option<&IdSet> {
        self.sleep.as_ref().map(|sleep| &sleep.woken)
    }

    /// Wakes the unit at this index, which is about to change.
    pub(super) fn wake(&mut self, index: usize, unit: &Unit) {
        if let Some(sleep) = &mut self.sleep {
            if std::mem::take(&mut sleep.are_asleep[index]) {
                sleep.sleepers.remove(unit.id, unit.position);
                sleep.woken.insert(unit.id);
            }
            sleep.note(unit);
        }
    }

    /// Notes that a unit was added at the end.
    pub(super) fn add(&mut self, unit: &Unit) {
        if let Some(sleep) = &mut self.sleep {
            sleep.are_asleep.push(false);
            sleep.note(unit);
        }
    }

    /// Notes that a unit was removed, and that the last one took its place.
    pub(super) fn remove(&mut self, index: usize, unit: &Unit) {
        if let Some(sleep) = &mut self.sleep {
            let slept = sleep.are_asleep.swap_remove(index);
            sleep.lose(unit, slept);
        }
    }

    /// Notes which units of all are kept.
    pub(super) fn retain(&mut self, units: &[Unit], are_kept: &[bool]) {
        if let Some(sleep) = &mut self.sleep {
            for (index, (unit, is_kept)) in units.iter().zip(are_kept).enumerate() {
                if !is_kept {
                    sleep.lose(unit, sleep.are_asleep[index]);
                }
            }
            let mut are_kept = are_kept.iter();
            sleep.are_asleep.retain(|_| are_kept.next() == Some(&true));
        }
    }

    /// Notes that the units were brought into this order.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        if let Some(sleep) = &mut self.sleep {
            let are_asleep = order.iter().map(|&at| sleep.are_asleep[at as usize]);
            sleep.are_asleep = are_asleep.collect();
        }
    }

    /// Begins to note the units that are awake after a step.
    pub(crate) fn begin(&mut self, count: usize) -> SleepUpdate<'_> {
        let sleep = self.sleep.get_or_insert_default();
        sleep.are_asleep.resize(count, false);
        sleep.stirring.clear();
        sleep.woken.clear();
        sleep.is_over = false;
        SleepUpdate { sleep }
    }

    /// Ends what [`begin`](Self::begin) began.
    pub(crate) fn end(&mut self) {
        self.sleep = self.sleep.take().filter(|sleep| !sleep.sleepers.is_empty());
    }

    /// Calls `visit` with the id of each unit that sleeps between two corners, and with
    /// some around.
    pub(crate) fn visit_sleepers(&self, low: Vector, high: Vector, visit: impl FnMut(u32)) {
        if let Some(sleep) = &self.sleep {
            sleep.sleepers.visit(low, high, visit);
        }
    }
}

/// The end of a step, when units fall asleep and wake.
pub(crate) struct SleepUpdate<'a> {
    sleep: &'a mut Sleep,
}

impl SleepUpdate<'_> {
    /// Notes that the unit at this index sleeps; it is where it was before the step.
    pub(crate) fn sleep(&mut self, index: usize, unit: &Unit) {
        if !std::mem::replace(&mut self.sleep.are_asleep[index], true) {
            self.sleep.sleepers.insert(unit.id, unit.position);
        }
    }

    /// Notes that a unit that came from `before` is awake.
    pub(crate) fn wake(&mut self, index: usize, id: u32, before: Vector) {
        if std::mem::take(&mut self.sleep.are_asleep[index]) {
            self.sleep.sleepers.remove(id, before);
        }
        self.sleep.stirring.push((id, before));
    }
}

impl Sleep {
    fn note(&mut self, unit: &Unit) {
        if self.is_over {
            return;
        }
        self.stirring.push((unit.id, unit.position));
        // Many calls without a step: stop tracking, and visit every unit in the next one.
        if self.stirring.len() > 64 + self.are_asleep.len() {
            self.stirring.clear();
            self.is_over = true;
        }
    }

    fn lose(&mut self, unit: &Unit, slept: bool) {
        if slept {
            self.sleepers.remove(unit.id, unit.position);
        }
        self.woken.remove(unit.id);
        self.note(unit);
    }
}

/// The side of a square, in cells.
const SIDE: f32 = 4.0;

#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    by_square: BTreeMap<[i32; 2], Vec<u32>>,
}

impl Buckets {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_square.is_empty()
    }

    pub(crate) fn insert(&mut self, id: u32, position: Vector) {
        self.by_square.entry(square(position)).or_default().push(id);
    }

    /// Takes out a unit that was put in at this position.
    pub(crate) fn remove(&mut self, id: u32, position: Vector) {
        let place = square(position);
        if let Some(ids) = self.by_square.get_mut(&place) {
            ids.retain(|&other| other != id);
            if ids.is_empty() {
                self.by_square.remove(&place);
            }
        }
    }

    /// Calls `visit` with the id of each unit between two corners, and with some around.
    pub(crate) fn visit(&self, low: Vector, high: Vector, mut visit: impl FnMut(u32)) {
        self.any(low, high, |id| {
            visit(id);
            false
        });
    }

    /// Whether `is_it` of the id of any unit between two corners, or of some around.
    pub(crate) fn any(
        &self,
        low: Vector,
        high: Vector,
        mut is_it: impl FnMut(u32) -> bool,
    ) -> bool {
        let ([top, left], [bottom, right]) = (square(low), square(high));
        if top > bottom || left > right {
            return false;
        }
        let mut any_of = |ids: &Vec<u32>| ids.iter().copied().any(&mut is_it);
        // Whichever is shorter: all rows, or all squares.
        if (i64::from(bottom) - i64::from(top)) < self.by_square.len() as i64 {
            (top..=bottom).any(|row| {
                let mut squares = self.by_square.range([row, left]..=[row, right]);
                squares.any(|(_, ids)| any_of(ids))
            })
        } else {
            let squares = self.by_square.range([top, left]..=[bottom, right]);
            let mut squares = squares.filter(|([_, column], _)| (left..=right).contains(column));
            squares.any(|(_, ids)| any_of(ids))
        }
    }
}

/// The row and the column of the square at a position.
fn square(position: Vector) -> [i32; 2] {
    let [x, y] = position.map(|at| floor(at / SIDE));
    [y, x]
}
