//! The units of an army, with a look-up by id.
//!
//! A step needs the units side by side, sorted by id, so that sums over them
//! always add up in the same order. Between two steps a game adds and removes
//! units one by one: a new unit goes to the end, and the last one takes the
//! place of a removed one, so neither moves the others. The next step sorts.
//!
//! The index of a unit is found by id in a tree of pages:
//!
//! ```text
//!   id 70 = page 2, entry 6      pages   0 │ 2 │ 9 …
//!                                            └─ [ - - - - - - 41 - … ]   the index
//! ```

use std::collections::BTreeMap;

use super::awake::Awake;
use super::ids::IdSet;
use super::unit::{Unit, UnitState};
use crate::vector::{NONE, Vector, sum, times};

const PAGE: u32 = 32;
const VACANT: u32 = u32::MAX;

/// The indices of the units with 32 ids in a row.
type Page = [u32; PAGE as usize];
const BLANK: Page = [VACANT; PAGE as usize];

#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    units: Vec<Unit>,
    indices: Indices,
    awake: Awake,
    is_mixed: bool,
    is_touched: bool,
    /// How often units were changed, by calls and by steps.
    changes: u64,
}

impl Roster {
    /// Returns the units; after [`sort`](Self::sort), by id.
    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the units as a step changes them: afterwards none counts as
    /// touched.
    pub(crate) const fn stepped(&mut self) -> (&mut Vec<Unit>, &mut Awake) {
        self.touch();
        self.is_touched = false;
        (&mut self.units, &mut self.awake)
    }

    pub(crate) const fn awake(&self) -> &Awake {
        &self.awake
    }

    pub(crate) fn wake_all(&mut self) {
        self.awake.wake_all();
    }

    pub(crate) fn wake(&mut self, id: u32) {
        if let Some(index) = self.indices.get(id) {
            self.awake.wake(index, &self.units[index]);
        }
    }

    /// Whether a unit that is there sleeps.
    pub(crate) fn is_asleep(&self, id: u32) -> bool {
        let index = self.indices.get(id);
        index.is_some_and(|index| self.awake.is_asleep(index))
    }

    /// Returns the units that are awake, by id.
    pub(crate) fn stirring(&self) -> impl Iterator<Item = &Unit> {
        let awake = self.awake.stirring().map(|awake| {
            let mut ids: Vec<u32> = awake.iter().map(|entry| entry.0).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        });
        let all = awake.is_none().then(|| self.by_id());
        let some = awake.unwrap_or_default();
        let some = some.into_iter().filter_map(|id| self.get(id));
        all.into_iter().flatten().chain(some)
    }

    const fn touch(&mut self) {
        self.is_touched = true;
        self.changes += 1;
    }

    pub(crate) const fn changes(&self) -> u64 {
        self.changes
    }

    pub(crate) const fn is_touched(&self) -> bool {
        self.is_touched
    }

    pub(crate) fn index(&self, id: u32) -> Option<usize> {
        self.indices.get(id)
    }

    pub(crate) fn get(&self, id: u32) -> Option<&Unit> {
        self.indices.get(id).map(|index| &self.units[index])
    }

    /// Returns a unit, to change anything but its id. It wakes.
    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut Unit> {
        self.touch();
        let index = self.indices.get(id)?;
        let unit = &mut self.units[index];
        self.awake.wake(index, unit);
        Some(unit)
    }

    pub(crate) fn of(&self, ids: &IdSet) -> impl Iterator<Item = &Unit> {
        ids.iter().filter_map(|id| self.get(id))
    }

    /// Returns the mean of the positions of the units with these ids.
    pub(crate) fn middle_of(&self, ids: &IdSet) -> Vector {
        let part = 1.0 / ids.len() as f32;
        self.of(ids)
            .fold(NONE, |middle, unit| sum(middle, times(unit.position, part)))
    }

    /// Returns a unit of this state, to change it.
    pub(crate) fn get_mut_in(&mut self, id: u32, state: UnitState) -> Option<&mut Unit> {
        // A look does not touch the unit.
        self.get(id).filter(|unit| unit.state == state)?;
        self.get_mut(id)
    }

    /// Adds a unit, whose id no other unit has.
    pub(crate) fn add(&mut self, unit: Unit) {
        self.touch();
        self.is_mixed |= self.units.last().is_some_and(|last| last.id > unit.id);
        self.indices.set(unit.id, self.units.len() as u32);
        self.awake.add(&unit);
        self.units.push(unit);
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<Unit> {
        let index = self.indices.take(id)?;
        self.touch();
        let unit = self.units.swap_remove(index);
        self.awake.remove(index, &unit);
        if let Some(moved) = self.units.get(index) {
            self.indices.set(moved.id, index as u32);
            self.is_mixed = true;
        }
        Some(unit)
    }

    /// Sorts the units by id, keeps those that `keep` returns true for, and returns the others.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Unit) -> bool) -> Vec<Unit> {
        self.sort();
        let are_kept: Vec<bool> = self.units.iter().map(keep).collect();
        if !are_kept.contains(&false) {
            return Vec::new();
        }
        self.touch();
        self.awake.retain(&self.units, &are_kept);
        let mut are_kept = are_kept.into_iter();
        let removed = self
            .units
            .extract_if(.., |_| are_kept.next() == Some(false))
            .collect();
        self.indices = Indices::of(&self.units);
        removed
    }

    pub(crate) fn sort(&mut self) {
        if self.is_mixed {
            let mut order: Vec<u32> = (0..self.units.len() as u32).collect();
            order.sort_unstable_by_key(|&at| self.units[at as usize].id);
            self.awake.reorder(&order);
            let sorted = order.iter().map(|&at| self.units[at as usize]);
            self.units = sorted.collect();
            self.is_mixed = false;
            self.indices = Indices::of(&self.units);
        }
    }

    pub(crate) fn by_id(&self) -> impl Iterator<Item = &Unit> {
        let mut mixed: Vec<&Unit> = Vec::new();
        if self.is_mixed {
            mixed.extend(&self.units);
            mixed.sort_unstable_by_key(|unit| unit.id);
        }
        let sorted = if self.is_mixed { &[] } else { &self.units[..] };
        mixed.into_iter().chain(sorted)
    }
}

#[derive(Clone, Debug, Default)]
struct Indices {
    pages: BTreeMap<u32, Page>,
}

impl Indices {
    /// Returns the indices of units that are sorted by id.
    fn of(units: &[Unit]) -> Self {
        let mut pages: Vec<(u32, Page)> = Vec::new();
        for (index, unit) in (0..).zip(units) {
            let number = unit.id / PAGE;
            if pages.last().is_none_or(|page| page.0 != number) {
                pages.push((number, BLANK));
            }
            if let Some((_, page)) = pages.last_mut() {
                page[(unit.id % PAGE) as usize] = index;
            }
        }
        Self {
            pages: pages.into_iter().collect(),
        }
    }

    fn get(&self, id: u32) -> Option<usize> {
        let index = self.pages.get(&(id / PAGE))?[(id % PAGE) as usize];
        (index != VACANT).then_some(index as usize)
    }

    fn set(&mut self, id: u32, index: u32) {
        let page = self.pages.entry(id / PAGE);
        page.or_insert(BLANK)[(id % PAGE) as usize] = index;
    }

    /// Returns the index of an id, and forgets it.
    fn take(&mut self, id: u32) -> Option<usize> {
        let page = self.pages.get_mut(&(id / PAGE))?;
        let index = std::mem::replace(&mut page[(id % PAGE) as usize], VACANT);
        if *page == BLANK {
            self.pages.remove(&(id / PAGE));
        }
        (index != VACANT).then_some(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::draws::draws;
    use crate::steer::units::GroupId;

    /// Compares the roster with a tree of units, over drawn calls.
    #[test]
    fn units_are_found_by_id_after_adds_and_removals() {
        let mut below = draws(7);
        let mut roster = Roster::default();
        let mut wanted = BTreeMap::new();
        for call in 0..20_000u32 {
            // Dense ids, and some far apart.
            let id = below(200) * [1, 1, 7_000_003][below(3) as usize];
            match below(9) {
                0..4 if !wanted.contains_key(&id) => {
                    let unit = Unit::new(id, GroupId::default(), [call as f32, 0.0]);
                    roster.add(unit);
                    wanted.insert(id, unit);
                }
                4..8 => assert_eq!(roster.remove(id), wanted.remove(&id)),
                8 if below(9) == 0 => roster.sort(),
                8 if below(90) == 0 => {
                    let odd = below(2);
                    roster.retain(|unit| unit.id % 3 != odd);
                    wanted.retain(|id, _| id % 3 != odd);
                }
                _ => {}
            }
            assert_eq!(roster.get(id), wanted.get(&id));
            assert_eq!(roster.units().len(), wanted.len());
            if call % 50 == 0 {
                assert!(roster.by_id().eq(wanted.values()));
                for (index, unit) in roster.units().iter().enumerate() {
                    assert_eq!(roster.index(unit.id), Some(index));
                }
            }
        }
        roster.sort();
        assert!(roster.units().iter().eq(wanted.values()));
        let pages = roster.indices.pages.len();
        roster.retain(|_| false);
        assert!(pages > 0 && roster.indices.pages.is_empty());
    }
}
