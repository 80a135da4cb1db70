//! The inputs of a replay, and the file that holds them.

use std::fmt;

use flowtiles::{Cell, CellRect, Cost, StampTemplate, Turn};

use super::goal_text::GoalText;
use super::group_input::GroupInput;
use super::hashes::Hashes;
use super::seal::{Sealed, unsealed};
use super::words::{Cells, Hex, Words, unhex};

const TITLE: &str = "flowtiles replay ";
const VERSION: u32 = 3;
/// The first version that is read. It has no groups.
const FIRST_VERSION: u32 = 2;
/// Bytes of the world on one line.
pub const LINE: usize = 64;

/// An input of a battle.
#[derive(Clone, Debug)]
pub enum Input {
    /// The ground of an area changes.
    Edit(CellRect, Cost),
    /// A template is stamped.
    Stamp(StampTemplate, Cell, Turn),
    /// The stamp with this number is removed.
    Unstamp(u64),
    /// A blocker is put on a cell.
    Block(Cell),
    /// A blocker is removed from a cell.
    Unblock(Cell),
    /// A new army is ordered to a goal.
    Order(GoalText, Vec<Cell>),
    /// A new army is ordered to several goals, one after the other.
    Tour(Vec<GoalText>, Vec<Cell>),
    /// The army with this number gets another goal.
    Aim(u32, GoalText),
    /// The army with this number pursues a target.
    Pursue(u32, Cell),
    /// The order of the army with this number covers a cell.
    Cover(u32, Cell),
    /// The claims of the army with this number are dropped, and its units removed.
    Drop(u32),
    /// A unit of the army with this number is put elsewhere.
    Shove(u32, usize, Cell),
    /// The groups of steered units change, or take a step.
    Groups(GroupInput),
    /// The engine gets a budget of this many cells.
    Tick(u64),
    /// Every unit takes a step, or asks to be covered.
    Walk,
    /// World and groups are saved once nothing waits, and replaced by the loaded ones.
    Save,
    /// The state must have these hashes.
    Check(Hashes),
}

/// An input, and its line in the file.
pub struct Line {
    pub number: usize,
    pub input: Input,
}

/// A replay.
pub struct Log {
    /// The save of the world at the start.
    pub start: Vec<u8>,
    pub lines: Vec<Line>,
}

const TURNS: [&str; 4] = ["none", "quarter", "half", "three-quarters"];

impl Log {
    /// The replay as text.
    pub fn write(start: &[u8], inputs: &[Input]) -> String {
        let mut text = Sealed::new(TITLE, VERSION);
        for bytes in start.chunks(LINE) {
            text.line(format_args!("start {}", Hex(bytes)));
        }
        for input in inputs {
            text.line(input);
        }
        text.into_text()
    }

    /// Reads the text of a replay.
    ///
    /// # Errors
    /// With the line and the fault in it.
    pub fn read(text: &str) -> Result<Self, String> {
        let (version, lines) = unsealed(text, TITLE, FIRST_VERSION..=VERSION)?;
        let mut log = Self {
            start: Vec::new(),
            lines: Vec::new(),
        };
        for (number, line) in lines {
            let read = match line.strip_prefix("start ") {
                Some(hex) => unhex(hex).map(|bytes| log.start.extend(bytes)),
                None => {
                    Input::read(line, version).map(|input| log.lines.push(Line { number, input }))
                }
            };
            read.ok_or_else(|| format!("line {number}: `{line}` is no input"))?;
        }
        Ok(log)
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edit(area, cost) => {
                let CellRect {
                    x,
                    y,
                    width,
                    height,
                } = area;
                write!(f, "edit {x} {y} {width} {height} {}", cost.value())
            }
            Self::Stamp(template, at, turn) => {
                let (width, height) = (template.width(), template.height());
                let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
                let costs = cells.map(|(x, y)| template.get(x, y).map_or(0, Cost::value));
                let costs: Vec<u8> = costs.collect();
                let turn = TURNS[*turn as usize];
                let Cell { x, y } = at;
                write!(f, "stamp {x} {y} {turn} {width} {height} {}", Hex(&costs))
            }
            Self::Unstamp(number) => write!(f, "unstamp {number}"),
            Self::Block(Cell { x, y }) => write!(f, "block {x} {y}"),
            Self::Unblock(Cell { x, y }) => write!(f, "unblock {x} {y}"),
            Self::Order(asked, units) => write!(f, "order {asked}{}", Cells(units)),
            Self::Tour(goals, units) => {
                write!(f, "tour {}", goals.len())?;
                goals.iter().try_for_each(|goal| write!(f, " {goal}"))?;
                write!(f, "{}", Cells(units))
            }
            Self::Aim(army, asked) => write!(f, "aim {army} {asked}"),
            Self::Pursue(army, Cell { x, y }) => write!(f, "pursue {army} {x} {y}"),
            Self::Cover(army, Cell { x, y }) => write!(f, "cover {army} {x} {y}"),
            Self::Drop(army) => write!(f, "drop {army}"),
            Self::Shove(army, unit, Cell { x, y }) => write!(f, "shove {army} {unit} {x} {y}"),
            Self::Groups(input) => input.fmt(f),
            Self::Tick(cells) => write!(f, "tick {cells}"),
            Self::Walk => f.write_str("walk"),
            Self::Save => f.write_str("save"),
            Self::Check(hashes) => write!(f, "check {hashes}"),
        }
    }
}

impl Input {
    /// Reads a line; `None` if it is not an input of this version of the format.
    pub fn read(line: &str, version: u32) -> Option<Self> {
        let mut words = Words::of(line);
        let words = &mut words;
        let name = words.word()?;
        let input = match name {
            "edit" => Self::Edit(words.area()?, Cost::new(words.number()?).ok()?),
            "stamp" => stamp_of(words)?,
            "unstamp" => Self::Unstamp(words.number()?),
            "block" => Self::Block(words.cell()?),
            "unblock" => Self::Unblock(words.cell()?),
            "order" => Self::Order(GoalText::read(words)?, words.cells()?),
            "tour" => {
                let count: std::num::NonZeroU32 = words.number()?;
                let goals = (0..count.get()).map(|_| GoalText::read(words));
                Self::Tour(goals.collect::<Option<_>>()?, words.cells()?)
            }
            "aim" => Self::Aim(words.number()?, GoalText::read(words)?),
            "pursue" => Self::Pursue(words.number()?, words.cell()?),
            "cover" => Self::Cover(words.number()?, words.cell()?),
            "drop" => Self::Drop(words.number()?),
            "shove" => Self::Shove(words.number()?, words.number()?, words.cell()?),
            "tick" => Self::Tick(words.number()?),
            "walk" => Self::Walk,
            "save" => Self::Save,
            "check" => Self::Check(Hashes::read(words, version)?),
            _ if version > FIRST_VERSION => Self::Groups(GroupInput::read(name, words)?),
            _ => return None,
        };
        words.are_over().then_some(input)
    }
}

fn stamp_of(words: &mut Words<'_>) -> Option<Input> {
    let (at, turn) = (words.cell()?, words.word()?);
    let turn = Turn::ALL[TURNS.iter().position(|&name| name == turn)?];
    let (width, height) = (words.number()?, words.number()?);
    let costs = unhex(words.word()?)?;
    let costs: Vec<_> = costs.into_iter().map(|cost| Cost::new(cost).ok()).collect();
    Some(Input::Stamp(
        StampTemplate::new(width, height, &costs).ok()?,
        at,
        turn,
    ))
}

#[cfg(test)]
mod tests {
    use super::Input;

    #[test]
    fn every_line_of_groups_is_read_as_it_was_written() {
        let goal = "nearest exact cells 2 3 4 0 7 8 40";
        let targets = [
            "nowhere".to_owned(),
            "stand".to_owned(),
            "hold".to_owned(),
            "point -3 700".to_owned(),
            format!("order {goal}"),
            format!("attack {goal} 50 2400 1000"),
            "follow 7".to_owned(),
            "pursue 7 50 2400 4294967295".to_owned(),
            "flee foes 2000".to_owned(),
            "flee 9 2000".to_owned(),
        ];
        let mut whole = vec![
            "form 2 none".to_owned(),
            "form 2 wedge 110".to_owned(),
            "keep 0 width".to_owned(),
            "keep 0 pace".to_owned(),
            "keep 0 nothing".to_owned(),
            "speed 4294967295 400".to_owned(),
            "radius 3 49".to_owned(),
            "place 3 -1 5".to_owned(),
            "ungroup 5".to_owned(),
            "steer 50".to_owned(),
            format!("patrol 1 2 {} {}", targets[4], targets[3]),
        ];
        for target in &targets {
            whole.extend(["send 3", "queue 3"].map(|name| format!("{name} {target}")));
        }
        for line in &whole {
            let read = Input::read(line, 3).map(|input| input.to_string());
            assert_eq!(read.as_ref(), Some(line));
            assert!(Input::read(line, 2).is_none(), "{line} in version 2");
            for other in [format!("{line} 1"), format!("{line} x"), format!("{line} ")] {
                assert!(Input::read(&other, 3).is_none(), "{other}");
            }
            if let Some((short, _)) = line.rsplit_once(' ') {
                assert!(Input::read(short, 3).is_none(), "{short}");
            }
        }
        // Lines that end with a list.
        let mut lists = vec![
            "team 1 2 0 7".to_owned(),
            "join 4 1 2 3".to_owned(),
            "remove 1 2".to_owned(),
        ];
        lists.extend(targets.map(|target| format!("group {target} 1 2 3 4")));
        for line in &lists {
            let read = Input::read(line, 3).map(|input| input.to_string());
            assert_eq!(read.as_ref(), Some(line));
            assert!(Input::read(line, 2).is_none(), "{line} in version 2");
            assert!(Input::read(&format!("{line} x"), 3).is_none(), "{line} x");
        }
        for line in [
            "group",
            "group hold 1",
            "group hold 1 2.5",
            "group march 1 2",
            "send 0 pursue -1 1 1 1",
            "send 0 flee nobody 5",
            "team 0 1 8",
            "team 0 256",
            "form 0 circle 100",
            "form 0 line 1.5",
            "keep 0 calm",
            "patrol 0 4294967295 hold",
            "speed 0 -1",
            "steer -50",
        ] {
            assert!(Input::read(line, 3).is_none(), "{line}");
        }
    }
}
