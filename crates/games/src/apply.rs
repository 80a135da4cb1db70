//! Each call is made of the world or the army, and of the plain model; here those of units.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use flowtiles::steer::{Army, ArmyError, Chase, GroupId, Reading, Target, Turning, Unit};
use flowtiles::{CellRect, Cost};

use crate::call::name;
use crate::model::Model;
use crate::{Call, Game, Kind, Nth};

impl Game {
    /// Makes a call, and checks what has become of it.
    ///
    /// # Panics
    /// If something does not hold.
    pub fn apply(&mut self, call: &Call) {
        self.before = self.army.state_hash();
        if self.make(call) {
            self.note(&name(call), 1);
        }
        self.model.check(&self.army);
    }

    /// Makes a call; whether it had an effect.
    fn make(&mut self, call: &Call) -> bool {
        match call {
            Call::Add(group, units) => self.add(*group, units),
            Call::Reinforce(group, around, count, unit) => {
                self.reinforce(*group, *around, *count, unit)
            }
            Call::Remove(id) => {
                let gone = self.army.remove(*id).map(|unit| unit.id);
                let known = self.model.units.remove(id);
                assert_eq!(gone, known.map(|_| *id));
                gone.is_some()
            }
            Call::RemoveAll(ids) => {
                let before = self.model.units.len();
                self.model.units.retain(|id, _| !ids.contains(id));
                let removed = self.army.remove_all(ids.iter().copied());
                assert_eq!(removed, before - self.model.units.len());
                removed > 0
            }
            Call::Retain(of, rest) => self.retain(*of, *rest),
            Call::SetGroup(ids, group) => {
                let mut moved = false;
                for &id in ids {
                    moved |= self.set_group(id, *group);
                }
                moved
            }
            Call::Split(ids) => self.split(ids),
            Call::SetPosition(id, place) => {
                let set = self.army.set_position(*id, *place);
                let is_set = self.is_done_of_unit(*id, set);
                if is_set {
                    self.model.set_out(*id);
                }
                is_set
            }
            Call::SetRadius(id, radius) => {
                let set = self.army.set_radius(*id, *radius);
                self.is_done_of_unit(*id, set) && {
                    let unit = self.model.units.entry(*id);
                    unit.and_modify(|unit| unit.radius = *radius);
                    true
                }
            }
            Call::SetSpeed(id, speed) => {
                let set = self.army.set_speed(*id, *speed);
                self.is_done_of_unit(*id, set) && {
                    let unit = self.model.units.entry(*id);
                    unit.and_modify(|unit| unit.speed = *speed);
                    true
                }
            }
            Call::SetWeight(id, weight) => {
                let set = self.army.set_weight(*id, *weight);
                self.is_done_of_unit(*id, set)
            }
            Call::SetTurning(id, turning) => {
                let set = self.army.set_turning(*id, *turning);
                self.is_done_of_unit(*id, set)
            }
            Call::NoteJams => self.army.note_jams(&mut self.world).changed > 0,
            Call::PutOutOfWalls => self.put_out_of_walls(),
            Call::NewArmy(settings) => {
                let army = self.model.units.is_empty().then(|| Army::new(*settings));
                let army = army.and_then(|army| self.told(army, true));
                if let Some(army) = army {
                    (self.army, self.settings) = (army, *settings);
                    self.model = Model::default();
                    return true;
                }
                false
            }
            Call::SetCrowd(settings) => {
                let set = self.army.set_crowd_settings(*settings);
                self.told_anew(set)
            }
            Call::SetDangers(dangers) => {
                let set = self.army.crowd_mut().set_dangers(dangers);
                self.told_anew(set)
            }
            Call::Paint(area, strength) => {
                let painted = self.army.crowd_mut();
                let painted = painted.paint(&self.world, *area, *strength);
                self.told_anew(painted)
            }
            Call::SetHeights(heights) => {
                let crowd = self.army.crowd_mut();
                let set = crowd.set_heights(&self.world, heights.clone());
                self.told_anew(set)
            }
            Call::Step(budget, seconds) => {
                self.step(*budget, *seconds);
                true
            }
            Call::Load => {
                self.load(true);
                true
            }
            Call::Fork => {
                let seen = std::mem::take(&mut self.seen);
                *self = self.fork();
                self.seen = seen;
                true
            }
            Call::Vain => {
                self.call_in_vain();
                true
            }
            Call::Ask(seed) => self.ask(*seed),
            Call::Directions(order) => self.check_directions(*order),
            Call::BuildAnew(seed) => self.check_built_anew(*seed),
            Call::Judge(order, seed) => self.judge(*order, *seed),
            _ => self.make_of_groups(call) || self.make_of_world(call),
        }
    }

    /// The group that a call names by its place; without groups, an id that no army has.
    pub(crate) fn group(&self, nth: Nth) -> GroupId {
        let groups = &self.model.groups;
        match nth.of(groups.len()) {
            _ if nth.0 >= Nth::FORGED => GroupId::from_number(nth.0),
            Some(at) => groups.keys().nth(at).copied().unwrap_or_default(),
            None => GroupId::default(),
        }
    }

    pub(crate) fn next_id(&self) -> u32 {
        let last = self.model.units.keys().next_back();
        last.map_or(0, |last| last.saturating_add(1))
    }

    /// Takes the answer of a call. One that is refused has words, changes nothing, and may be: in
    /// an odd game always, in others only if this is said.
    pub(crate) fn told<T>(&mut self, answer: Result<T, impl Display>, may_fail: bool) -> Option<T> {
        match answer {
            Ok(done) => Some(done),
            Err(error) => {
                let words = error.to_string();
                assert!(words.len() > 10, "an error without words: {words:?}");
                let may_fail = may_fail || self.rules.kind == Kind::Odd;
                assert!(may_fail, "a call that must succeed is refused: {words}");
                let hash = self.army.state_hash();
                assert_eq!(hash, self.before, "refused, and yet changed: {words}");
                None
            }
        }
    }

    /// The same of a crowd, which is there only from its first call on.
    fn told_anew(&mut self, answer: Result<(), impl Display>) -> bool {
        self.before = self.army.state_hash();
        self.told(answer, false).is_some()
    }

    /// Takes the answer of a call for a unit, which is refused for one that is not there.
    fn is_done_of_unit(&mut self, id: u32, answer: Result<(), ArmyError>) -> bool {
        let is_there = self.model.units.contains_key(&id);
        let done = self.told(answer, !is_there);
        assert!(done.is_none() || is_there, "no unit {id}");
        done.is_some()
    }

    /// Takes the answer of a call for a group, which is refused for one that is not there.
    pub(crate) fn of_group<T>(
        &mut self,
        group: GroupId,
        answer: Result<T, impl Display>,
        may_fail: bool,
    ) -> Option<T> {
        let is_there = self.model.groups.contains_key(&group);
        let done = self.told(answer, may_fail || !is_there);
        assert!(done.is_none() || is_there, "no {group}");
        done
    }

    fn add(&mut self, nth: Nth, units: &[Unit]) -> bool {
        let group = self.group(nth);
        let mut is_any = false;
        for &(mut unit) in units {
            if self.army.units().len() >= self.rules.most as usize {
                break;
            }
            unit.group = group;
            let is_taken = self.model.units.contains_key(&unit.id);
            self.before = self.army.state_hash();
            let added = self.army.add(unit);
            if self.of_group(group, added, is_taken).is_some() {
                assert!(!is_taken, "unit {} is there twice", unit.id);
                self.model.add(&unit);
                is_any = true;
            }
        }
        is_any
    }

    fn reinforce(&mut self, nth: Nth, around: [f32; 2], count: usize, unit: &Unit) -> bool {
        let group = self.group(nth);
        let places = self
            .army
            .free_places(&self.world, group, around, unit.radius, count);
        let Some(places) = self.of_group(group, places, false) else {
            return false;
        };
        let mut is_any = false;
        for position in places {
            let room = self
                .army
                .has_room(&self.world, group, position, unit.radius);
            assert_eq!(room, Ok(true), "at {position:?}");
            let mut unit = *unit;
            (unit.id, unit.position) = (self.next_id(), position);
            is_any |= self.add(nth, &[unit]);
        }
        is_any
    }

    /// Removes units: before, a callback that panics at the last leaves everything as it was.
    fn retain(&mut self, of: u32, rest: u32) -> bool {
        let last = self.model.units.keys().next_back().copied();
        let panics = AssertUnwindSafe(|| {
            self.army.retain(|unit| {
                if Some(unit.id) == last {
                    resume_unwind(Box::new("asked for the last"));
                }
                unit.id % of == rest
            });
        });
        assert_eq!(catch_unwind(panics).is_err(), last.is_some());
        assert_eq!(self.army.state_hash(), self.before);
        let before = self.model.units.len();
        self.army.retain(|unit| unit.id % of != rest);
        self.model.units.retain(|id, _| id % of != rest);
        self.model.units.len() < before
    }

    fn set_group(&mut self, id: u32, nth: Nth) -> bool {
        let group = self.group(nth);
        self.before = self.army.state_hash();
        let set = self.army.set_group(id, group);
        let is_there = self.model.units.contains_key(&id);
        let set = self.of_group(group, set, !is_there);
        assert!(set.is_none() || is_there, "no unit {id}");
        if set.is_some() {
            self.model.set_group(id, group);
        }
        set.is_some()
    }

    /// Makes units groups of their own; nothing else of them changes.
    fn split(&mut self, ids: &[u32]) -> bool {
        let states = |army: &Army| -> Vec<_> {
            let units = ids.iter().filter_map(|&id| army.get(id));
            let units = units.map(|unit| (unit.position, unit.velocity, unit.state));
            units.collect()
        };
        let were = states(&self.army);
        let is_known = were.len() == ids.len();
        let parts = self.army.split(ids.iter().copied().rev());
        let parts = self.told(parts, !is_known);
        assert_eq!(states(&self.army), were);
        let Some(parts) = parts else {
            return false;
        };
        assert!(is_known);
        assert_eq!(parts.len(), self.model.split(ids, &parts));
        !parts.is_empty()
    }

    /// Makes calls that are refused and change nothing.
    fn call_in_vain(&mut self) {
        self.model.check_gone(&mut self.army);
        if let Some(&group) = self.model.groups.keys().next() {
            let nowhere = Target::Point([f32::NAN, 3.0]);
            assert!(self.army.send(group, nowhere.clone()).is_err());
            assert!(self.army.patrol(group, [Target::Hold]).is_err());
            assert!(self.army.patrol(group, [] as [Target; 0]).is_err());
            assert!(self.army.add_group(nowhere, Reading::Ahead).is_err());
            let far = Chase::default().with_leash(-1.0);
            assert!(self.army.send(group, Target::Pursue(1, far)).is_err());
        }
        if let Some(&id) = self.model.units.keys().next() {
            assert!(self.army.set_position(id, [f32::NAN, 3.0]).is_err());
            assert!(self.army.set_radius(id, 17.0).is_err());
            assert!(self.army.set_speed(id, -1.0).is_err());
            assert!(self.army.set_weight(id, 0.0).is_err());
            let turning = Turning {
                rate: f32::NAN,
                on_the_spot: true,
            };
            assert!(self.army.set_turning(id, turning).is_err());
        }
        let off = CellRect::new(-1, 0, 1, 1);
        assert!(self.world.edit(off, Cost::WALL).is_err());
        assert_eq!(self.army.state_hash(), self.before);
    }

    /// Puts units out of walls: those that overlap one, and no others.
    fn put_out_of_walls(&mut self) -> bool {
        let before: Vec<Unit> = self.army.units().to_vec();
        let moved = self.army.put_out_of_walls(&self.world);
        let mut count = 0;
        for was in &before {
            let unit = self.army.get(was.id).expect("the same units");
            if unit.position != was.position {
                let ground = self.ground(self.layer_of(unit.group));
                assert!(ground.is_hit(was, 2e-4), "{was:?}");
                assert!(!ground.is_hit(unit, -1e-3), "{unit:?}");
                count += 1;
            }
        }
        assert_eq!(moved, count);
        moved > 0
    }
}
