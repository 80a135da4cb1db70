//! The inputs of groups of steered units.

use std::fmt;

use flowtiles::steer::Shape;
use flowtiles::{Cell, Teams};

use super::target_text::TargetText;
use super::words::{Cells, Words};

/// An input of the groups of steered units. Groups have numbers, and so have steered
/// units; both count from 0.
#[derive(Clone, Debug)]
pub enum GroupInput {
    /// A new group gets a target, and a unit in each of these cells.
    Add(TargetText, Vec<Cell>),
    /// A group gets another target.
    Send(u32, TargetText),
    /// A group gets one more target, for when it has reached all others.
    Queue(u32, TargetText),
    /// A group goes from target to target and round again.
    Patrol(u32, Vec<TargetText>),
    /// A group gets a team, and foes.
    Team(u32, u8, Teams),
    /// A group takes a formation, with a spacing in hundredths of a cell, or leaves it.
    Form(u32, Option<(Shape, u32)>),
    /// What a group keeps on its way.
    Keep(u32, Kept),
    /// Units go to a group.
    Join(u32, Vec<u32>),
    /// A unit gets a speed, in hundredths of a cell a second.
    Speed(u32, u32),
    /// A unit gets a radius, in hundredths of a cell.
    Radius(u32, u32),
    /// A unit is put into the middle of a cell.
    Place(u32, Cell),
    /// Units are removed.
    Remove(Vec<u32>),
    /// A group is removed with its units.
    Ungroup(u32),
    /// All steered units take a step of this many milliseconds.
    Steer(u32),
}

/// What a group keeps on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Nothing,
    /// As many units abreast as before.
    Width,
    /// The pace of its slowest unit.
    Pace,
}

const SHAPES: [(&str, Shape); 4] = [
    ("line", Shape::Line),
    ("wedge", Shape::Wedge),
    ("box", Shape::Box),
    ("column", Shape::Column),
];
const KEPT: [(&str, Kept); 3] = [
    ("nothing", Kept::Nothing),
    ("width", Kept::Width),
    ("pace", Kept::Pace),
];
/// The number of teams.
const TEAMS: u8 = 8;

impl GroupInput {
    /// Reads an input; `None` if there is no such one.
    pub fn read(name: &str, words: &mut Words<'_>) -> Option<Self> {
        Some(match name {
            "group" => Self::Add(TargetText::read(words)?, words.cells()?),
            "send" => Self::Send(words.number()?, TargetText::read(words)?),
            "queue" => Self::Queue(words.number()?, TargetText::read(words)?),
            "patrol" => {
                let (group, count): (_, u32) = (words.number()?, words.number()?);
                let targets = (0..count).map(|_| TargetText::read(words));
                Self::Patrol(group, targets.collect::<Option<_>>()?)
            }
            "team" => {
                let (group, team) = (words.number()?, words.number()?);
                let foes = words.numbers::<u8>()?;
                let are_teams = foes.iter().all(|&foe| foe < TEAMS);
                let foes = foes.into_iter().fold(Teams::NONE, Teams::with);
                are_teams.then_some(Self::Team(group, team, foes))?
            }
            "form" => {
                let (group, shape) = (words.number()?, words.word()?);
                let form = match named(&SHAPES, shape) {
                    Some(shape) => Some((shape, words.number()?)),
                    None if shape == "none" => None,
                    None => return None,
                };
                Self::Form(group, form)
            }
            "keep" => Self::Keep(words.number()?, named(&KEPT, words.word()?)?),
            "join" => Self::Join(words.number()?, words.numbers()?),
            "speed" => Self::Speed(words.number()?, words.number()?),
            "radius" => Self::Radius(words.number()?, words.number()?),
            "place" => Self::Place(words.number()?, words.cell()?),
            "remove" => Self::Remove(words.numbers()?),
            "ungroup" => Self::Ungroup(words.number()?),
            "steer" => Self::Steer(words.number()?),
            _ => return None,
        })
    }
}

fn named<T: Copy>(names: &[(&str, T)], wanted: &str) -> Option<T> {
    let found = names.iter().find(|(name, _)| *name == wanted);
    found.map(|&(_, value)| value)
}

fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], wanted: T) -> &'static str {
    let found = names.iter().find(|&&(_, value)| value == wanted);
    found.map_or("none", |(name, _)| name)
}

/// Numbers after other words.
struct Numbers<'a>(&'a [u32]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|number| write!(f, " {number}"))
    }
}

impl fmt::Display for GroupInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(target, units) => write!(f, "group {target}{}", Cells(units)),
            Self::Send(group, target) => write!(f, "send {group} {target}"),
            Self::Queue(group, target) => write!(f, "queue {group} {target}"),
            Self::Patrol(group, targets) => {
                write!(f, "patrol {group} {}", targets.len())?;
                targets.iter().try_for_each(|target| write!(f, " {target}"))
            }
            Self::Team(group, team, foes) => {
                write!(f, "team {group} {team}")?;
                let mut foes = (0..TEAMS).filter(|&foe| foes.has(foe));
                foes.try_for_each(|foe| write!(f, " {foe}"))
            }
            Self::Form(group, None) => write!(f, "form {group} none"),
            Self::Form(group, Some((shape, spacing))) => {
                write!(f, "form {group} {} {spacing}", name_of(&SHAPES, *shape))
            }
            Self::Keep(group, kept) => write!(f, "keep {group} {}", name_of(&KEPT, *kept)),
            Self::Join(group, units) => write!(f, "join {group}{}", Numbers(units)),
            Self::Speed(unit, speed) => write!(f, "speed {unit} {speed}"),
            Self::Radius(unit, radius) => write!(f, "radius {unit} {radius}"),
            Self::Place(unit, Cell { x, y }) => write!(f, "place {unit} {x} {y}"),
            Self::Remove(units) => write!(f, "remove{}", Numbers(units)),
            Self::Ungroup(group) => write!(f, "ungroup {group}"),
            Self::Steer(milliseconds) => write!(f, "steer {milliseconds}"),
        }
    }
}
