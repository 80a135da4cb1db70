//! A replay on the stage: a recorded battle, input by input, as it was.

use std::collections::VecDeque;

use flowtiles::Order;
use flowtiles_inspector::{Mark, Shown, ShownOrder};

use crate::support::replay::{Battle, Fault, Input, Line, Log, Manner};

/// How the first line of a replay begins.
const TITLE: &[u8] = b"flowtiles replay ";
/// Inputs of one step, at most; a step ends where units have walked.
const INPUTS_MAX: usize = 200;
/// Orders whose fields are shown.
const ORDERS_MAX: usize = 24;

/// A battle that is played again.
pub struct Replay {
    battle: Battle,
    lines: VecDeque<Line>,
    title: String,
    tick: u32,
    serial: u32,
    map_revision: u64,
    /// What came out otherwise than it was recorded, or cannot be.
    fault: Option<String>,
}

impl Replay {
    /// Whether a file is a replay.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(TITLE)
    }

    /// Reads a replay.
    ///
    /// # Errors
    /// With the place and what is wrong there.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|_| format!("{name}: line 1: a replay is plain text"))?;
        let log = Log::read(text).map_err(|fault| format!("{name}: {fault}"))?;
        let battle = Battle::new(&log.start).map_err(|error| format!("{name}: {error}"))?;
        Ok(Self {
            battle,
            lines: log.lines.into(),
            title: format!("replay {name}"),
            tick: 0,
            serial: 0,
            map_revision: 0,
            fault: None,
        })
    }

    /// Shows it as another world than any before.
    pub const fn set_serial(&mut self, serial: u32) {
        self.serial = serial;
    }

    /// Plays on until units have walked; what is to be told, if anything is.
    pub fn step(&mut self) -> Option<String> {
        if self.fault.is_some() {
            return None;
        }
        for _ in 0..INPUTS_MAX {
            let line = self.lines.pop_front()?;
            if let Err(fault) = self.tell(&line.input) {
                let told = format!("line {}: {fault}", line.number);
                self.fault = Some(told.clone());
                return Some(told);
            }
            if self.lines.is_empty() {
                return Some(format!("the replay ends after {} steps", self.tick + 1));
            }
            if matches!(line.input, Input::Walk) {
                break;
            }
        }
        self.tick += 1;
        None
    }

    fn tell(&mut self, input: &Input) -> Result<(), Fault> {
        if let Input::Check(parts) = input {
            let now = self.battle.parts();
            if now != *parts {
                let differ = now.differing(parts);
                return Err(Fault::Differs(format!("{differ} are not as recorded")));
            }
            return Ok(());
        }
        let changes = [
            matches!(
                input,
                Input::Edit(..) | Input::Stamp(..) | Input::Unstamp(_)
            ),
            matches!(input, Input::Block(_) | Input::Unblock(_)),
        ];
        self.map_revision += u64::from(changes.contains(&true));
        self.battle.tell(input, Manner::PLAIN)
    }

    /// Units as the page draws them.
    pub fn marks(&self) -> Vec<Mark> {
        let armies = self.battle.armies().iter();
        let marks = armies.flat_map(|(&number, army)| {
            let units = (0..).zip(army.cells());
            units.map(move |(at, cell)| {
                let banner = (number % 8) as u8;
                Mark::at(number << 16 | at, cell).with_banner(banner)
            })
        });
        marks.collect()
    }

    /// The newest orders that are planned, each once, with the banners of their
    /// armies.
    fn claims(&self) -> Vec<(&Order, u8, u32)> {
        let mut claims: Vec<(&Order, u8, u32)> = Vec::new();
        for (&number, army) in self.battle.armies().iter().rev() {
            for order in army.orders() {
                if claims.len() < ORDERS_MAX && !claims.iter().any(|known| known.0 == order) {
                    claims.push((order, (number % 8) as u8, army.units.len() as u32));
                }
            }
        }
        claims.reverse();
        claims
    }

    /// The orders, with their goals.
    pub fn orders(&self) -> Vec<ShownOrder<'_>> {
        let claims = self.claims().into_iter();
        let shown = claims.map(|(order, banner, units)| ShownOrder {
            banner,
            units,
            revision: Some(u64::from(self.tick)),
            ready: Some(0),
            ..ShownOrder::new(order, order.goal().cell())
        });
        shown.collect()
    }

    /// What the page shows of it.
    pub fn shown<'a>(&'a self, orders: &'a [ShownOrder<'a>], marks: &'a [Mark]) -> Shown<'a> {
        Shown {
            orders,
            marks,
            tick: self.tick,
            serial: self.serial,
            title: &self.title,
            map_revision: Some(self.map_revision),
            ..Shown::new(self.battle.world())
        }
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{CostMap, FlowWorld};

    use super::*;

    #[test]
    fn a_replay_is_played_to_its_end_and_a_wrong_one_is_told() {
        let start = FlowWorld::new(CostMap::open(60, 40).unwrap()).save();
        let inputs = [
            Input::Edit(flowtiles::Rect::new(30, 0, 1, 30), flowtiles::Cost::WALL),
            Input::Tick(5000),
            Input::Walk,
            Input::Walk,
        ];
        let text = Log::write(&start, &inputs);
        assert!(Replay::is_one(text.as_bytes()));
        let mut replay = Replay::read("a.replay", text.as_bytes()).unwrap();
        assert_eq!(replay.step(), None);
        assert_eq!(replay.map_revision, 1);
        let end = replay.step().unwrap();
        assert!(end.contains("ends after 2 steps"), "{end}");
        let cut = &text[..text.len() - 9];
        assert!(Replay::read("a.replay", cut.as_bytes()).is_err());

        let parts = replay.battle.parts();
        let other = crate::support::replay::Parts {
            units: parts.units ^ 1,
            ..parts
        };
        let wrong = Log::write(&start, &[Input::Check(other), Input::Walk]);
        let mut replay = Replay::read("b.replay", wrong.as_bytes()).unwrap();
        let told = replay.step().unwrap();
        assert!(told.contains("not as recorded"), "{told}");
        assert_eq!(replay.step(), None, "it does not go on");
    }
}
