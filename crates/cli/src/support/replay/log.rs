//! The inputs of a replay, and the file that holds them.

use std::fmt;

use flowtiles::{Cell, CellRect, Cost, StampTemplate, Turn};

use super::goal_text::GoalText;
use super::seal::{Sealed, unsealed};
use super::words::{Cells, Hex, Words, unhex};

const TITLE: &str = "flowtiles replay ";
const VERSION: u32 = 2;
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
    /// The engine gets a budget of this many cells.
    Tick(u64),
    /// Every unit takes a step, or asks to be covered.
    Walk,
    /// The world is saved once nothing waits, and replaced by the loaded one.
    Save,
    /// The state must have these hashes.
    Check(Parts),
}

/// Hashes of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    pub costs: u64,
    pub stamps: u64,
    pub orders: u64,
    pub units: u64,
}

impl Parts {
    /// Reads them.
    pub fn read(words: &mut Words<'_>) -> Option<Self> {
        Some(Self {
            costs: words.hash()?,
            stamps: words.hash()?,
            orders: words.hash()?,
            units: words.hash()?,
        })
    }

    /// The names of the hashes that differ from `other`.
    pub fn differing(&self, other: &Self) -> String {
        let pairs = [
            ("costs", self.costs == other.costs),
            ("stamps and blockers", self.stamps == other.stamps),
            ("orders and fields", self.orders == other.orders),
            ("units", self.units == other.units),
        ];
        let differ = pairs.iter().filter(|(_, same)| !same);
        differ.map(|&(name, _)| name).collect::<Vec<_>>().join(", ")
    }
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
        let lines = unsealed(text, TITLE, VERSION)?;
        let mut log = Self {
            start: Vec::new(),
            lines: Vec::new(),
        };
        for (number, line) in lines {
            let read = match line.strip_prefix("start ") {
                Some(hex) => unhex(hex).map(|bytes| log.start.extend(bytes)),
                None => Input::read(line).map(|input| log.lines.push(Line { number, input })),
            };
            read.ok_or_else(|| format!("line {number}: `{line}` is no input"))?;
        }
        Ok(log)
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = [self.costs, self.stamps, self.orders, self.units];
        write!(f, "{a:016x} {b:016x} {c:016x} {d:016x}")
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
            Self::Tick(cells) => write!(f, "tick {cells}"),
            Self::Walk => f.write_str("walk"),
            Self::Save => f.write_str("save"),
            Self::Check(parts) => write!(f, "check {parts}"),
        }
    }
}

impl Input {
    /// Reads a line; `None` if it is not an input.
    pub fn read(line: &str) -> Option<Self> {
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
            "check" => Self::Check(Parts::read(words)?),
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
