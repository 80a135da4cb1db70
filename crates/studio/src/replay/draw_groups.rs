//! Draws the inputs of groups.

use flowtiles::{Cell, CostMap, Goal, Quality};

use super::battle::Battle;
use super::draw::{Drawing, cell};
use super::input::{ChaseInput, GroupInput, Kept, ShapeInput, TargetInput};

const GROUPS_MAX: usize = 7;
/// The most cells of the way to a goal, so that groups arrive in a short battle.
const WAY: i32 = 24;

impl Drawing {
    /// Draws a change of the groups, if it is time for one.
    pub fn change_groups(&mut self, battle: &Battle) -> Option<GroupInput> {
        let groups = battle.groups().by_number().len();
        if groups < 3 || groups < GROUPS_MAX && self.chance(12) {
            return Some(self.add_group(battle));
        }
        if self.chance(3) {
            return self.change_group(battle);
        }
        None
    }

    /// Draws a step of all steered units.
    pub fn steer(&mut self) -> GroupInput {
        GroupInput::Steer([50, 50, 100, 33][self.random.below(4) as usize])
    }

    fn add_group(&mut self, battle: &Battle) -> GroupInput {
        let costs = battle.world().costs();
        // Near another group as a rule, so that they meet.
        let camp = match self.unit(battle) {
            Some((_, at)) if !self.chance(4) => self.near(costs, at, 14),
            _ => cell(costs, &mut self.random),
        };
        let count = self.random.between(2, 12);
        let units = (0..count).map(|_| self.near(costs, camp, 4)).collect();
        let target = self.target(battle, camp);
        GroupInput::Add { target, units }
    }

    /// Draws an input for a group that exists, or for a unit.
    fn change_group(&mut self, battle: &Battle) -> Option<GroupInput> {
        let groups = battle.groups();
        let group = self.group(battle)?;
        let (unit, at) = self.unit(battle)?;
        let hundredths = self.random.between(10, 100) as u32;
        Some(match self.random.below(24) {
            0..5 => GroupInput::Send {
                group,
                target: self.target(battle, at),
            },
            5..8 => GroupInput::Queue {
                group,
                target: self.target(battle, at),
            },
            8..10 => {
                let stops = self.random.between(1, 4);
                let targets = (0..stops).map(|_| self.stop(battle, at)).collect();
                GroupInput::Patrol { group, targets }
            }
            10..13 => {
                let team = self.random.below(3) as u8;
                let foes = vec![(team + 1) % 3];
                GroupInput::Team { group, team, foes }
            }
            13 => {
                use ShapeInput::{Box, Column, Line, Wedge};
                let shape = [Line, Wedge, Box, Column][self.random.below(4) as usize];
                if self.chance(4) {
                    return Some(GroupInput::Disband(group));
                }
                let spacing = 50 + hundredths;
                GroupInput::Form {
                    group,
                    shape,
                    spacing,
                }
            }
            14..16 => {
                let kept = [Kept::Nothing, Kept::Width, Kept::Pace];
                let kept = kept[self.random.below(3) as usize];
                GroupInput::Keep { group, kept }
            }
            16..18 => {
                let from = groups.by_number()[&self.group(battle)?];
                let members = groups.army().members(from).map(|unit| unit.id);
                let units = members.take(4).collect();
                GroupInput::Join { group, units }
            }
            18 => GroupInput::Speed {
                unit,
                speed: 12 * hundredths,
            },
            19 => GroupInput::Radius {
                unit,
                radius: hundredths.min(49),
            },
            20 => GroupInput::Place {
                unit,
                cell: self.near(battle.world().costs(), at, 12),
            },
            21 | 22 => {
                let other = self.unit(battle)?.0;
                GroupInput::Remove(vec![unit, other])
            }
            _ => GroupInput::Ungroup(group),
        })
    }

    /// A target of a group near a cell.
    fn target(&mut self, battle: &Battle, near: Cell) -> TargetInput {
        let quarry = self.unit(battle).map(|(unit, _)| unit);
        match (self.random.below(12), quarry) {
            (0, _) => TargetInput::Hold,
            (1, _) => TargetInput::Stand,
            (2, _) => TargetInput::Flock,
            (3, Some(unit)) => TargetInput::Follow(unit),
            (4 | 5, Some(unit)) => TargetInput::Pursue {
                unit,
                chase: self.chase(),
            },
            (6, unit) => {
                let from = if unit.is_some() && self.chance(2) {
                    unit
                } else {
                    None
                };
                TargetInput::Flee {
                    from,
                    safe: self.random.between(500, 2500) as u32,
                }
            }
            _ => self.stop(battle, near),
        }
    }

    /// A target at which a patrol can stop.
    fn stop(&mut self, battle: &Battle, near: Cell) -> TargetInput {
        let costs = battle.world().costs();
        match self.random.below(6) {
            0 => TargetInput::Point(self.near(costs, near, 6)),
            1..4 => TargetInput::Attack {
                goal: self.way(costs, near),
                chase: self.chase(),
            },
            _ => TargetInput::Order(self.way(costs, near)),
        }
    }

    /// A goal a short way from a cell, or beside it. Units always have a way there, so
    /// no order of several is refused after others were given.
    fn way(&mut self, costs: &CostMap, near: Cell) -> Goal {
        let goal = self.near(costs, near, WAY);
        let quality = [Quality::Corridor, Quality::Corridor, Quality::Exact];
        let quality = quality[self.random.below(3) as usize];
        Goal::at(goal).or_nearest().with_quality(quality)
    }

    fn chase(&mut self) -> ChaseInput {
        ChaseInput {
            range: self.random.between(20, 300) as u32,
            leash: self.random.between(500, 4000) as u32,
            sight: self.random.between(500, 3000) as u32,
        }
    }

    /// The number of a group.
    fn group(&mut self, battle: &Battle) -> Option<u32> {
        let groups = battle.groups().by_number();
        let which = self.random.below(groups.len().max(1) as i32) as usize;
        groups.keys().nth(which).copied()
    }

    /// A steered unit and its cell, on the map.
    fn unit(&mut self, battle: &Battle) -> Option<(u32, Cell)> {
        let units = battle.groups().army().units();
        let which = self.random.below(units.len().max(1) as i32) as usize;
        let unit = units.get(which)?;
        let [x, y] = unit.position.map(|along| along.floor() as i32);
        Some((
            unit.id,
            self.near(battle.world().costs(), Cell::new(x, y), 0),
        ))
    }
}
