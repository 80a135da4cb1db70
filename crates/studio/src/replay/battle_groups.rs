//! The groups of a battle: an army of steered units.

use std::collections::BTreeMap;

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army, GroupId, Pace, Reading, Target, Unit};
use flowtiles::{Cell, FlowWorld, Teams};

use super::fault::{Fault, differs, refused};
use super::input::{GroupInput, Kept, TargetInput, of_hundredths};

/// The longest step, in milliseconds.
const STEP_MAX: u32 = 1000;

/// Groups of steered units, by their numbers.
#[derive(Default)]
pub struct BattleGroups {
    army: Army,
    by_number: BTreeMap<u32, GroupId>,
    /// The numbers of the next group and of the next unit.
    next: u32,
    next_unit: u32,
}

impl BattleGroups {
    /// The steered units.
    pub const fn army(&self) -> &Army {
        &self.army
    }

    /// The groups by number.
    pub const fn by_number(&self) -> &BTreeMap<u32, GroupId> {
        &self.by_number
    }

    /// The steered units, their groups by number, and the number of the next unit.
    pub fn into_parts(self) -> (Army, BTreeMap<u32, GroupId>, u32) {
        (self.army, self.by_number, self.next_unit)
    }

    /// Returns the cells of a group's units.
    pub fn cells(&self, group: GroupId) -> Vec<Cell> {
        let units = self.army.members(group);
        units.map(|unit| anchor(1, unit.position)).collect()
    }

    /// Runs an input. One that is refused changes no group.
    ///
    /// # Errors
    /// If the input cannot be carried out.
    pub fn tell(&mut self, world: &mut FlowWorld, input: &GroupInput) -> Result<(), Fault> {
        match input {
            GroupInput::Add { target, units } => self.add(world, target, units),
            GroupInput::Send { group, target } => {
                let (group, target) = self.aimed(world, *group, target)?;
                self.army.send(group, target).map_err(refused)
            }
            GroupInput::Queue { group, target } => {
                let (group, target) = self.aimed(world, *group, target)?;
                self.army.queue(group, target).map_err(refused)
            }
            GroupInput::Patrol { group, targets } => {
                let group = self.group(*group)?;
                let cells = self.cells_on_map(world, group);
                let targets = targets.iter();
                let targets = targets.map(|target| self.target(world, target, &cells));
                let targets = targets.collect::<Result<Vec<_>, _>>()?;
                self.army.patrol(group, targets).map_err(refused)
            }
            GroupInput::Team { group, team, foes } => {
                let group = self.group(*group)?;
                if let Some(foe) = foes.iter().find(|&&foe| !Teams::ALL.has(foe)) {
                    return Err(refused(format_args!("there is no team {foe}")));
                }
                let foes = foes.iter().copied().fold(Teams::NONE, Teams::with);
                self.army.set_team(group, *team, foes).map_err(refused)
            }
            GroupInput::Form {
                group,
                shape,
                spacing,
            } => {
                let (group, spacing) = (self.group(*group)?, of_hundredths(*spacing));
                let formed = self.army.form(group, (*shape).into(), spacing, world);
                formed.map_err(refused)
            }
            GroupInput::Disband(number) => {
                let group = self.group(*number)?;
                self.army.disband(group).map_err(refused)
            }
            GroupInput::Keep { group, kept } => self.keep(*group, *kept),
            GroupInput::Join { group, units } => {
                let group = self.group(*group)?;
                self.check_units(units)?;
                let mut joined = units.iter().map(|&unit| self.army.set_group(unit, group));
                joined.try_for_each(|joined| joined.map_err(refused))
            }
            GroupInput::Speed { unit, speed } => {
                self.check_units(&[*unit])?;
                let set = self.army.set_speed(*unit, of_hundredths(*speed));
                set.map_err(refused)
            }
            GroupInput::Radius { unit, radius } => {
                self.check_units(&[*unit])?;
                let set = self.army.set_radius(*unit, of_hundredths(*radius));
                set.map_err(refused)
            }
            GroupInput::Place { unit, cell } => {
                self.check_units(&[*unit])?;
                check_on_map(world, &[*cell])?;
                let set = self.army.set_position(*unit, cell.centre());
                set.map_err(refused)
            }
            GroupInput::Remove(units) => {
                self.check_units(units)?;
                self.army.remove_all(units.iter().copied());
                Ok(())
            }
            GroupInput::Ungroup(number) => {
                let group = self.group(*number)?;
                self.by_number.remove(number);
                self.army.remove_group(group).map(drop).map_err(refused)
            }
            GroupInput::Steer(milliseconds) => self.steer(world, *milliseconds),
        }
    }

    fn add(
        &mut self,
        world: &mut FlowWorld,
        target: &TargetInput,
        cells: &[Cell],
    ) -> Result<(), Fault> {
        check_on_map(world, cells)?;
        let target = self.target(world, target, cells)?;
        let group = self.army.add_group(target, Reading::Ahead);
        let group = group.map_err(refused)?;
        self.by_number.insert(self.next, group);
        self.next += 1;
        for &cell in cells {
            let unit = Unit::new(self.next_unit, group, cell.centre());
            self.army.add(unit).map_err(refused)?;
            self.next_unit += 1;
        }
        Ok(())
    }

    fn keep(&mut self, number: u32, kept: Kept) -> Result<(), Fault> {
        let group = self.group(number)?;
        let pace = match kept {
            Kept::Pace => Pace::Slowest,
            Kept::Nothing | Kept::Width => Pace::Own,
        };
        self.army.set_pace(group, pace).map_err(refused)?;
        let width = self.army.keep_width(group, kept == Kept::Width);
        width.map_err(refused)
    }

    fn steer(&mut self, world: &mut FlowWorld, milliseconds: u32) -> Result<(), Fault> {
        if !(1..=STEP_MAX).contains(&milliseconds) {
            return Err(refused(format_args!(
                "a step cannot take {milliseconds} milliseconds: give 1 to {STEP_MAX}"
            )));
        }
        self.army.step(world, milliseconds as f32 / 1000.0);
        self.army.cover_strays(world);
        Ok(())
    }

    /// Returns a group, and a target for it.
    fn aimed(
        &self,
        world: &mut FlowWorld,
        number: u32,
        target: &TargetInput,
    ) -> Result<(GroupId, Target), Fault> {
        let group = self.group(number)?;
        let cells = self.cells_on_map(world, group);
        Ok((group, self.target(world, target, &cells)?))
    }

    /// Returns a target; gives its order for units in these cells.
    fn target(
        &self,
        world: &mut FlowWorld,
        asked: &TargetInput,
        cells: &[Cell],
    ) -> Result<Target, Fault> {
        if let Some(unit) = asked.unit() {
            self.check_units(&[unit])?;
        }
        Ok(match asked {
            TargetInput::Flock => Target::Flock,
            TargetInput::Stand => Target::Stand,
            TargetInput::Hold => Target::Hold,
            TargetInput::Point(cell) => Target::Point(cell.centre()),
            TargetInput::Order(goal) => {
                Target::Order(world.order(goal.clone(), cells).map_err(refused)?)
            }
            TargetInput::Attack { goal, chase } => {
                let order = world.order(goal.clone(), cells).map_err(refused)?;
                Target::AttackMove(order, (*chase).into())
            }
            TargetInput::Follow(unit) => Target::Follow(*unit),
            TargetInput::Pursue { unit, chase } => Target::Pursue(*unit, (*chase).into()),
            TargetInput::Flee { from, safe } => Target::Flee {
                from: *from,
                safe: of_hundredths(*safe),
            },
        })
    }

    fn group(&self, number: u32) -> Result<GroupId, Fault> {
        let group = self.by_number.get(&number).copied();
        group.ok_or_else(|| {
            refused(format_args!(
                "there is no group {number}: name one that is added before and not removed"
            ))
        })
    }

    fn check_units(&self, units: &[u32]) -> Result<(), Fault> {
        let missing = units.iter().find(|&&unit| self.army.get(unit).is_none());
        missing.map_or(Ok(()), |unit| {
            Err(refused(format_args!(
                "there is no steered unit {unit}: name one that is added before and not removed"
            )))
        })
    }

    /// Returns the cells of a group's units that are on the map.
    fn cells_on_map(&self, world: &FlowWorld, group: GroupId) -> Vec<Cell> {
        let mut cells = self.cells(group);
        cells.retain(|&cell| world.costs().get(cell).is_some());
        cells
    }

    /// Saves and loads, for a world that was saved and loaded; then continues with the
    /// loaded army, or with its own, bound to the loaded world.
    ///
    /// # Errors
    /// If the loaded army differs.
    pub fn save(&mut self, loaded_world: &FlowWorld, continues: Continued) -> Result<(), Fault> {
        let bytes = self.army.save();
        let loaded = Army::load(&bytes, loaded_world).map_err(differs)?;
        if loaded.state_hash() != self.army.state_hash() {
            return Err(differs("groups differ after a load"));
        }
        if loaded.save() != bytes {
            return Err(differs("the save of loaded groups has other bytes"));
        }
        match continues {
            Continued::Loaded => self.army = loaded,
            Continued::Bound => self.army.bind(loaded_world).map_err(differs)?,
        }
        Ok(())
    }
}

/// With which army a battle continues after a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continued {
    /// With the loaded one.
    Loaded,
    /// With the one that was saved, bound to the loaded world.
    Bound,
}

fn check_on_map(world: &FlowWorld, cells: &[Cell]) -> Result<(), Fault> {
    for &cell in cells {
        if world.costs().get(cell).is_none() {
            return Err(refused(format_args!(
                "{cell} is off the map: put the unit on it"
            )));
        }
    }
    Ok(())
}
