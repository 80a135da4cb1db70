//! Draws the inputs of groups.

use flowtiles::steer::Shape;
use flowtiles::{Cell, CostMap, Quality, Teams};

use super::battle::Battle;
use super::draw::{Drawing, cell};
use super::goal_text::{GoalCells, GoalText};
use super::group_input::{GroupInput, Kept};
use super::target_text::{ChaseText, TargetText};

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
        GroupInput::Add(self.target(battle, camp), units)
    }

    /// Draws an input for a group that exists, or for a unit.
    fn change_group(&mut self, battle: &Battle) -> Option<GroupInput> {
        let groups = battle.groups();
        let group = self.group(battle)?;
        let (unit, at) = self.unit(battle)?;
        let hundredths = self.random.between(10, 100) as u32;
        Some(match self.random.below(24) {
            0..5 => GroupInput::Send(group, self.target(battle, at)),
            5..8 => GroupInput::Queue(group, self.target(battle, at)),
            8..10 => {
                let stops = self.random.between(1, 4);
                let stops = (0..stops).map(|_| self.stop(battle, at));
                GroupInput::Patrol(group, stops.collect())
            }
            10..13 => {
                let team = self.random.below(3);
                let foes = Teams::NONE.with((team as u8 + 1) % 3);
                GroupInput::Team(group, team as u8, foes)
            }
            13 => {
                let shapes = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column];
                let shape = shapes[self.random.below(4) as usize];
                let spacing = 50 + hundredths;
                GroupInput::Form(group, (!self.chance(4)).then_some((shape, spacing)))
            }
            14..16 => {
                let kept = [Kept::Nothing, Kept::Width, Kept::Pace];
                GroupInput::Keep(group, kept[self.random.below(3) as usize])
            }
            16..18 => {
                let from = groups.by_number()[&self.group(battle)?];
                let members = groups.army().members(from).map(|unit| unit.id);
                GroupInput::Join(group, members.take(4).collect())
            }
            18 => GroupInput::Speed(unit, 12 * hundredths),
            19 => GroupInput::Radius(unit, hundredths.min(49)),
            20 => GroupInput::Place(unit, self.near(battle.world().costs(), at, 12)),
            21 | 22 => {
                let other = self.unit(battle)?.0;
                GroupInput::Remove(vec![unit, other])
            }
            _ => GroupInput::Ungroup(group),
        })
    }

    /// A target of a group near a cell.
    fn target(&mut self, battle: &Battle, near: Cell) -> TargetText {
        let quarry = self.unit(battle).map(|(unit, _)| unit);
        match (self.random.below(12), quarry) {
            (0, _) => TargetText::Hold,
            (1, _) => TargetText::Stand,
            (2, _) => TargetText::Nowhere,
            (3, Some(unit)) => TargetText::Follow(unit),
            (4 | 5, Some(unit)) => TargetText::Pursue(unit, self.chase()),
            (6, unit) => {
                let from = unit.filter(|_| self.chance(2));
                TargetText::Flee(from, self.random.between(500, 2500) as u32)
            }
            _ => self.stop(battle, near),
        }
    }

    /// A target at which a patrol can stop.
    fn stop(&mut self, battle: &Battle, near: Cell) -> TargetText {
        let costs = battle.world().costs();
        match self.random.below(6) {
            0 => TargetText::Point(self.near(costs, near, 6)),
            1..4 => TargetText::Attack(self.way(costs, near), self.chase()),
            _ => TargetText::Order(self.way(costs, near)),
        }
    }

    /// A goal a short way from a cell, or beside it. Units always have a way there, so
    /// no order of several is refused after others were given.
    fn way(&mut self, costs: &CostMap, near: Cell) -> GoalText {
        let goal = self.near(costs, near, WAY);
        let quality = [Quality::Corridor, Quality::Corridor, Quality::Exact];
        GoalText {
            place: GoalCells::Cells(vec![(goal, 0)]),
            nearest: true,
            quality: quality[self.random.below(3) as usize],
        }
    }

    fn chase(&mut self) -> ChaseText {
        let range = self.random.between(20, 300) as u32;
        let leash = self.random.between(500, 4000) as u32;
        ChaseText([range, leash, self.random.between(500, 3000) as u32])
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
