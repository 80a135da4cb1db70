//! A recorded battle on the stage, played input by input. At its end it becomes a
//! stage like any other, and can be continued.

use std::collections::{BTreeMap, VecDeque};

use flowtiles::steer::{Reading, Target};
use flowtiles::{Cell, FlowWorld, Goal, Order};
use flowtiles_inspector::{Mark, Shown, ShownOrder, UnitPath};

use crate::clock::Clock;
use crate::paths::Walks;
use crate::replay::{Battle, Fault, Input, Kind, Line, Manner, Saved};
use crate::replayed_groups::{STEERED, banner, group_banner, group_marks, group_orders};
use crate::spent::Spent;
use crate::stage::{Stage, spread};
use crate::timed_order::{TimedOrder, is_ready};

/// The most inputs of one step. A step ends when units have walked.
const INPUTS_MAX: usize = 200;
/// The most orders whose fields are shown.
const ORDERS_MAX: usize = 24;

/// A battle that is played again.
pub struct Replay {
    battle: Battle,
    steps: VecDeque<Vec<Line>>,
    /// The step after which it ends.
    pub ends: u32,
    title: String,
    tick: u32,
    pub clock: Clock,
    serial: u32,
    map_revision: u64,
    /// When each order was given and ready, by number.
    known: BTreeMap<u64, (u32, Option<u32>)>,
    spent: Spent,
    paths: Vec<UnitPath>,
    /// The tick in which the paths were walked.
    walked: u32,
    /// Whether a result differs from the recorded one, or an input failed.
    pub is_wrong: bool,
}

impl Replay {
    /// Begins to play.
    ///
    /// # Errors
    /// In words, if it is not of a battle, or does not start with a world.
    pub fn new(name: &str, saved: Saved) -> Result<Self, String> {
        if saved.kind != Kind::Battle {
            return Err(
                "line 1: this is no battle: give a replay of `flowtiles record`".to_owned(),
            );
        }
        let battle = Battle::begin(&saved.start)?;
        let steps = cut(saved.lines);
        Ok(Self {
            battle,
            ends: steps.len() as u32,
            steps,
            title: format!("replay {name}"),
            tick: 0,
            clock: Clock::default(),
            serial: 0,
            map_revision: 0,
            known: BTreeMap::new(),
            spent: Spent::default(),
            paths: Vec::new(),
            walked: 0,
            is_wrong: false,
        })
    }

    /// Gives it a serial number, so that the page shows a new world.
    pub const fn set_serial(&mut self, serial: u32) {
        self.serial = serial;
    }

    /// Whether all of it has been played.
    pub fn is_over(&self) -> bool {
        self.steps.is_empty()
    }

    /// Plays until units have walked.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn step(&mut self) -> Result<(), String> {
        for line in self.steps.pop_front().unwrap_or_default() {
            if let Err(fault) = self.tell(&line.input) {
                self.is_wrong = true;
                return Err(format!("line {}: {fault}", line.number));
            }
        }
        self.tick += 1;
        self.spent.ticks += 1;
        self.note_orders();
        Ok(())
    }

    /// Walks the paths again if the tick has changed since: each begins where its unit is now.
    pub fn walk_paths(&mut self) {
        if std::mem::replace(&mut self.walked, self.tick) == self.tick {
            return;
        }
        let mut walks = Walks::new(self.battle.world());
        for (&number, army) in self.battle.armies() {
            for order in &army.orders {
                walks.band(order, &army.followers(order), banner(number));
            }
        }
        for (order, banner, cells) in group_orders(self.battle.groups()) {
            walks.band(order, &cells, banner);
        }
        self.paths = walks.paths;
    }

    /// Records which orders are new, and which are ready.
    fn note_orders(&mut self) {
        let (tick, world) = (self.tick, self.battle.world());
        let armies = self.battle.armies().values();
        let orders = armies.flat_map(|army| &army.orders);
        let steered = group_orders(self.battle.groups()).map(|(order, ..)| order);
        for order in orders.chain(steered) {
            let (_, ready) = self.known.entry(order.number()).or_insert((tick, None));
            if ready.is_none() && is_ready(world, order) {
                *ready = Some(tick);
            }
        }
    }

    fn tell(&mut self, input: &Input) -> Result<(), Fault> {
        if let Input::Check(recorded) = input {
            let checked = self.battle.hashes().check(recorded);
            return checked.map_err(Fault::Differs);
        }
        let changes = [
            matches!(
                input,
                Input::Edit { .. } | Input::Stamp { .. } | Input::Unstamp(_)
            ),
            matches!(input, Input::Block(_) | Input::Unblock(_)),
        ];
        self.map_revision += u64::from(changes.contains(&true));
        let (before, begin) = (self.battle.worked().cells, self.clock.now());
        self.battle.tell(input, Manner::PLAIN)?;
        match input {
            Input::Tick(_) => self.spent.world += self.clock.now().saturating_sub(begin),
            Input::Walk | Input::Groups(_) => {
                self.spent.army += self.clock.now().saturating_sub(begin)
            }
            _ => {}
        }
        let worked = self.battle.worked();
        self.spent.cells += worked.cells - before;
        self.spent.waiting = worked.waiting;
        Ok(())
    }

    /// Figures for the page's counters.
    pub fn figures(&mut self) -> [f64; 12] {
        let armies = self.battle.armies().values();
        let units: usize = armies.map(|army| army.units.len()).sum();
        let units = units + self.battle.groups().army().units().len();
        let arrived = self.battle.arrived();
        self.spent.figures(self.battle.world(), units, arrived)
    }

    /// Returns the goal of an order and the cells of its units.
    pub fn asked(&self, number: u64) -> Option<(Goal, Vec<Cell>)> {
        let of_army = self.battle.armies().values().find_map(|army| {
            let mut orders = army.orders.iter();
            let order = orders.find(|order| order.number() == number)?;
            Some((order.goal().clone(), army.followers(order)))
        });
        of_army.or_else(|| {
            let mut orders = group_orders(self.battle.groups());
            let (order, _, cells) = orders.find(|(order, ..)| order.number() == number)?;
            Some((order.goal().clone(), cells))
        })
    }

    /// Returns the present state of the battle as a stage. Groups and armies become
    /// bands, and the units of a tour go to the goal of their current leg.
    pub fn into_stage(self) -> Stage {
        let (world, armies, groups) = self.battle.into_parts();
        let mut stage = Stage::new(world, self.title);
        stage.tick = self.tick;
        stage.map_revision = self.map_revision;
        // The fields are read again.
        stage.field_revision = u64::from(self.tick) + 1;
        let (army, by_number, next_id) = groups.into_parts();
        let bands = by_number.into_iter();
        stage.take_army(
            army,
            bands.map(|(number, group)| (group, group_banner(number))),
            next_id,
        );
        for band in &mut stage.bands {
            if let Some(timed) = &mut band.timed {
                let known = self.known.get(&timed.order.number());
                (timed.given, timed.ready) = known.copied().unwrap_or((self.tick, None));
            }
        }
        for (number, army) in armies {
            for order in &army.orders {
                let cells = army.followers(order);
                if cells.is_empty() {
                    continue;
                }
                let band = stage.new_band(Reading::Ahead);
                stage.bands[band].banner = banner(number);
                for (place, cell) in cells.into_iter().enumerate() {
                    stage.add_unit(band, spread(cell, place), |unit| unit);
                }
                let (order, goal) = (order.clone(), order.goal().cell());
                let known = self.known.get(&order.number());
                let &(given, ready) = known.unwrap_or(&(self.tick, None));
                stage.bands[band].timed = Some(TimedOrder {
                    order: order.clone(),
                    goal,
                    given,
                    ready,
                });
                let group = stage.bands[band].group;
                let sent = stage.army.send(group, Target::Order(order));
                sent.expect("the group of a band");
            }
        }
        stage.army.put_out_of_walls(&stage.world);
        stage
    }

    /// Returns the world.
    pub const fn world(&self) -> &FlowWorld {
        self.battle.world()
    }

    /// Returns the units as the page draws them.
    pub fn marks(&self) -> Vec<Mark> {
        let armies = self.battle.armies().iter();
        let marks = armies.flat_map(|(&number, army)| {
            let units = (0..).zip(army.cells());
            units.map(move |(unit, cell)| {
                Mark::at(number << 16 & !STEERED | unit, cell).with_banner(banner(number))
            })
        });
        marks.chain(group_marks(self.battle.groups())).collect()
    }

    /// Returns the newest planned orders, each once, with the banners of their
    /// armies.
    fn claims(&self) -> Vec<(&Order, u8, u32)> {
        let mut claims: Vec<(&Order, u8, u32)> = Vec::new();
        for (order, banner, cells) in group_orders(self.battle.groups()) {
            if claims.len() < ORDERS_MAX / 2 {
                claims.push((order, banner, cells.len() as u32));
            }
        }
        for (&number, army) in self.battle.armies().iter().rev() {
            for order in &army.orders {
                if claims.len() < ORDERS_MAX && !claims.iter().any(|known| known.0 == order) {
                    claims.push((order, banner(number), army.followers(order).len() as u32));
                }
            }
        }
        claims.reverse();
        claims
    }

    /// Returns the orders with their goals.
    pub fn orders(&self) -> Vec<ShownOrder<'_>> {
        let claims = self.claims().into_iter();
        let shown = claims.map(|(order, banner, units)| {
            let known = self.known.get(&order.number());
            let &(given, ready) = known.unwrap_or(&(self.tick, None));
            ShownOrder {
                banner,
                units,
                revision: Some(u64::from(self.tick)),
                given,
                ready,
                ..ShownOrder::new(order, order.goal().cell())
            }
        });
        shown.collect()
    }

    /// Returns what the page shows.
    pub fn shown<'a>(&'a self, orders: &'a [ShownOrder<'a>], marks: &'a [Mark]) -> Shown<'a> {
        Shown {
            orders,
            marks,
            paths: &self.paths,
            tick: self.tick,
            serial: self.serial,
            title: &self.title,
            map_revision: Some(self.map_revision),
            ..Shown::new(self.battle.world())
        }
    }
}

/// The inputs step by step.
fn cut(lines: Vec<Line>) -> VecDeque<Vec<Line>> {
    let mut steps = VecDeque::new();
    let mut step = Vec::new();
    for line in lines {
        let ends = matches!(line.input, Input::Walk) || step.len() + 1 == INPUTS_MAX;
        step.push(line);
        if ends {
            steps.push_back(std::mem::take(&mut step));
        }
    }
    if !step.is_empty() {
        steps.push_back(step);
    }
    steps
}

#[cfg(test)]
mod tests {
    use flowtiles::CostMap;

    use super::*;
    use crate::replay::Hashes;
    use crate::start::Start;

    /// The replay of these inputs on open ground.
    fn replay(inputs: &[Input]) -> Replay {
        let world = FlowWorld::new(CostMap::open(60, 40).unwrap());
        let start = Start::World(String::new(), world.save());
        let text = Saved::write(Kind::Battle, &start, inputs).unwrap();
        Replay::new("a.replay", Saved::read(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn a_replay_is_played_to_its_end_and_a_wrong_one_is_told() {
        let inputs = [
            Input::Edit {
                area: flowtiles::CellRect::new(30, 0, 1, 30),
                cost: flowtiles::Cost::WALL,
            },
            Input::Tick(5000),
            Input::Walk,
            Input::Walk,
        ];
        let mut right = replay(&inputs);
        assert_eq!(right.ends, 2);
        right.step().unwrap();
        assert_eq!((right.map_revision, right.is_over()), (1, false));
        right.step().unwrap();
        assert!(right.is_over());

        let hashes = right.battle.hashes();
        let other = Hashes {
            units: hashes.units ^ 1,
            ..hashes
        };
        let mut wrong = replay(&[Input::Check(other), Input::Walk]);
        let told = wrong.step().unwrap_err();
        assert!(told.starts_with("line 3: costs, "), "{told}");
        assert!(told.contains("not as recorded"), "{told}");
        assert!(wrong.is_wrong);
    }

    #[test]
    fn a_battle_has_figures_and_orders_and_becomes_a_stage_at_its_end() {
        let units = |x| (0..5).map(|y| Cell::new(x, y)).collect::<Vec<_>>();
        let goal = |x, y| Goal::at(Cell::new(x, y));
        // An order, and a tour of two goals.
        let mut inputs = vec![
            Input::Order {
                goal: goal(55, 30),
                units: units(3),
            },
            Input::Tour {
                goals: vec![goal(30, 20), goal(2, 35)],
                units: units(9),
            },
        ];
        inputs.extend((0..9).flat_map(|_| [Input::Tick(5000), Input::Walk]));
        let mut replay = replay(&inputs);
        while !replay.is_over() {
            replay.step().unwrap();
        }
        let figures = replay.figures();
        assert!(figures[2] > 0.0, "cells of work");
        assert_eq!((figures[8], figures[9]), (10.0, 0.0));
        let parts = replay.battle.hashes();
        let orders = replay.orders();
        let before: Vec<(u64, u32)> = orders
            .iter()
            .map(|order| (order.order.number(), order.given))
            .collect();
        assert_eq!(before.len(), 3, "an order, and a tour's two legs");
        assert!(before.iter().all(|order| order.1 == 1));
        drop(orders);
        let (_, cells) = replay.asked(before[0].0).unwrap();
        assert_eq!(cells.len(), 5);

        let mut stage = replay.into_stage();
        let world = stage.world.inspect().state_parts();
        assert_eq!((world.costs, world.stamps), (parts.costs, parts.stamps));
        assert_eq!(stage.tick, 9);
        assert_eq!(stage.cells_of(0), cells, "units stand where they stood");
        let goals: Vec<Cell> = stage.orders().iter().map(|order| order.goal).collect();
        assert_eq!(goals, [Cell::new(55, 30), Cell::new(30, 20)]);
        for _ in 0..900 {
            stage.step(20_000);
        }
        assert_eq!(stage.figures()[9], 10.0, "all arrive");
    }
}
