//! Draws the country and the inputs of a battle from a seed.

use flowtiles::error::SizeError;
use flowtiles::{Cell, CellRect, Cost, CostMap, Goal, Quality};
use flowtiles_country::random::Random;

use super::battle::Battle;
use super::input::Input;

/// Columns and rows of a drawn country.
const COUNTRY: (u32, u32) = (240, 180);
const ARMIES_MAX: usize = 8;
const STAMPS_MAX: usize = 40;
const BLOCKED_MAX: usize = 60;

/// A country with fields, woods and walls.
///
/// # Errors
/// Never for the size it has.
pub fn country(random: &mut Random) -> Result<CostMap, SizeError> {
    let (width, height) = COUNTRY;
    let mut map = CostMap::open(width, height)?;
    for round in 0..180 {
        let side = if round < 60 { 30 } else { 12 };
        let area = area(&map, side, random);
        let cost = [3, 6, 1, 255, 255][random.below(5) as usize];
        // The area is on the map, and the cost is not 0.
        if let Ok(cost) = Cost::new(cost) {
            let _ = map.edit(area, cost);
        }
    }
    Ok(map)
}

/// A rectangle on a map, at most `side` cells a side.
fn area(map: &CostMap, side: i32, random: &mut Random) -> CellRect {
    let at = cell(map, random);
    let width = 1 + random.below(side.min(map.width() as i32 - at.x));
    let height = 1 + random.below(side.min(map.height() as i32 - at.y));
    CellRect::new(at.x, at.y, width as u32, height as u32)
}

pub fn cell(map: &CostMap, random: &mut Random) -> Cell {
    let x = random.below(map.width() as i32);
    Cell::new(x, random.below(map.height() as i32))
}

/// Draws the inputs of a battle.
pub struct Drawing {
    pub(super) random: Random,
    /// The cells on which it has put a blocker.
    blocked: Vec<Cell>,
}

impl Drawing {
    /// The drawing of a seed.
    pub const fn new(random: Random) -> Self {
        Self {
            random,
            blocked: Vec::new(),
        }
    }

    /// The inputs before one tick.
    pub fn turn(&mut self, battle: &Battle) -> Vec<Input> {
        let mut inputs = Vec::new();
        let armies = battle.armies().len();
        if armies < 3 || armies < ARMIES_MAX && self.chance(12) {
            inputs.push(self.muster(battle));
        }
        if armies > 0 && self.chance(80) {
            let which = self.random.below(armies as i32) as usize;
            inputs.extend(battle.armies().keys().nth(which).map(|&n| Input::Drop(n)));
        } else if armies > 0 && self.chance(6) {
            inputs.extend(self.shove(battle));
        } else if armies > 0 && self.chance(5) {
            inputs.extend(self.direct(battle));
        }
        if self.chance(10) {
            let area = area(battle.world().costs(), 8, &mut self.random);
            let cost = [1, 1, 4, 255][self.random.below(4) as usize];
            inputs.extend(Cost::new(cost).ok().map(|cost| Input::Edit { area, cost }));
        }
        self.change_stamps(battle, &mut inputs);
        self.change_blockers(battle, &mut inputs);
        inputs.extend(self.change_groups(battle).map(Input::Groups));
        let budget = [500, 2000, 4000, 20_000][self.random.below(4) as usize];
        let steer = Input::Groups(self.steer());
        inputs.extend([Input::Tick(budget), steer, Input::Walk]);
        inputs
    }

    /// True once in `times` draws, on average.
    pub(super) const fn chance(&mut self, times: i32) -> bool {
        self.random.below(times) == 0
    }

    /// A new army: with a goal, or with several one after the other.
    fn muster(&mut self, battle: &Battle) -> Input {
        let costs = battle.world().costs();
        let camp = cell(costs, &mut self.random);
        let count = self.random.between(2, 12);
        let units = (0..count).map(|_| self.near(costs, camp, 6)).collect();
        if self.chance(3) {
            let goals = self.random.between(2, 5);
            // Units that go on from a goal must be able to.
            let goals = (0..goals).map(|_| self.goal(costs).or_nearest()).collect();
            return Input::Tour { goals, units };
        }
        let goal = self.goal(costs);
        Input::Order { goal, units }
    }

    /// A cell, a few cells, or an area.
    fn goal(&mut self, costs: &CostMap) -> Goal {
        let quality = [Quality::Corridor, Quality::Corridor, Quality::Exact];
        let goal = match self.random.below(6) {
            0 => {
                let area = area(costs, 5, &mut self.random);
                Goal::within(area).unwrap_or_else(|| Goal::at(Cell::new(area.x, area.y)))
            }
            1 => {
                let others = self.random.between(1, 4);
                let first = self.priced(costs);
                let goal = Goal::at(first.0).with_start_cost(first.1);
                (0..others).fold(goal, |goal, _| {
                    let (cell, start_cost) = self.priced(costs);
                    goal.or_at(cell, start_cost)
                })
            }
            _ => Goal::at(cell(costs, &mut self.random)),
        };
        let is_nearest = self.chance(2);
        let goal = goal.with_quality(quality[self.random.below(3) as usize]);
        if is_nearest { goal.or_nearest() } else { goal }
    }

    /// A cell with a start cost.
    fn priced(&mut self, costs: &CostMap) -> (Cell, u64) {
        let start_cost = 40 * self.random.below(8) as u64;
        (cell(costs, &mut self.random), start_cost)
    }

    /// Draws an input for an existing army: another goal, a moving target, or a cell
    /// to cover.
    fn direct(&mut self, battle: &Battle) -> Option<Input> {
        let costs = battle.world().costs();
        let which = self.random.below(battle.armies().len() as i32) as usize;
        let (&number, army) = battle.armies().iter().nth(which)?;
        let near = army.cells().first().copied()?;
        Some(match self.random.below(4) {
            0 if army.has_one_goal() => Input::Aim {
                army: number,
                goal: self.goal(costs),
            },
            1 | 2 if army.has_one_goal() => Input::Pursue {
                army: number,
                to: self.near(costs, near, 40),
            },
            _ => Input::Cover {
                army: number,
                cell: self.near(costs, near, 25),
            },
        })
    }

    /// A cell of the map near another.
    pub(super) fn near(&mut self, costs: &CostMap, cell: Cell, away: i32) -> Cell {
        let x = cell.x + self.random.between(-away, away + 1);
        let y = cell.y + self.random.between(-away, away + 1);
        Cell::new(
            x.clamp(0, costs.width() as i32 - 1),
            y.clamp(0, costs.height() as i32 - 1),
        )
    }

    /// A unit is pushed off its path.
    fn shove(&mut self, battle: &Battle) -> Option<Input> {
        let which = self.random.below(battle.armies().len() as i32) as usize;
        let (&number, army) = battle.armies().iter().nth(which)?;
        let unit = self.random.below(army.units.len() as i32) as usize;
        let to = self.near(battle.world().costs(), army.units.get(unit)?.cell, 25);
        Some(Input::Shove {
            army: number,
            unit,
            to,
        })
    }

    fn change_stamps(&mut self, battle: &Battle, inputs: &mut Vec<Input>) {
        let stamps: Vec<u64> = battle
            .world()
            .inspect()
            .stamps()
            .map(|id| id.number())
            .collect();
        if stamps.len() < STAMPS_MAX && self.chance(8) {
            let costs = battle.world().costs();
            // Square, so that it stays on the map however it is turned.
            let area = area(costs, 7, &mut self.random);
            let side = area.width.min(area.height);
            let looks = [None, Some(Cost::OPEN), Some(Cost::WALL), Some(Cost::WALL)];
            let costs = (0..side * side).map(|_| looks[self.random.below(4) as usize]);
            inputs.push(Input::Stamp {
                costs: costs.collect(),
                turns: self.random.below(4) as u8,
                at: Cell::new(area.x, area.y),
                width: side,
                height: side,
            });
        }
        if !stamps.is_empty() && self.chance(12) {
            let which = self.random.below(stamps.len() as i32) as usize;
            inputs.push(Input::Unstamp(stamps[which]));
        }
    }

    fn change_blockers(&mut self, battle: &Battle, inputs: &mut Vec<Input>) {
        if self.blocked.len() < BLOCKED_MAX && self.chance(4) {
            let cell = cell(battle.world().costs(), &mut self.random);
            self.blocked.push(cell);
            inputs.push(Input::Block(cell));
        }
        if !self.blocked.is_empty() && self.chance(6) {
            let which = self.random.below(self.blocked.len() as i32) as usize;
            inputs.push(Input::Unblock(self.blocked.swap_remove(which)));
        }
    }
}
