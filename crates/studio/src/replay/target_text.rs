//! Targets of groups in the text of a replay. Distances are in hundredths of a cell.
//!
//! ```text
//!   hold                                                stand where they are
//!   point 12 40                                         straight to the middle of a cell
//!   order strict corridor cells 1 14 3 0                where an order leads
//!   attack nearest exact area 5 60 8 2 50 2400 1000     the same, with a chase: range,
//!                                                       leash and sight
//!   pursue 7 50 2400 1000                               after unit 7
//!   flee foes 2000                                      from foes within 20 cells
//! ```

use std::fmt;

use flowtiles::Cell;
use flowtiles::steer::Chase;

use super::goal_text::GoalText;
use super::words::Words;

/// The target of a group, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetText {
    Nowhere,
    Stand,
    Hold,
    /// Straight to the middle of a cell.
    Point(Cell),
    /// Along an order.
    Order(GoalText),
    /// Along an order, and after foes on the way.
    Attack(GoalText, ChaseText),
    /// Straight to the steered unit with this number.
    Follow(u32),
    /// To the steered unit with this number, wherever it goes.
    Pursue(u32, ChaseText),
    /// From the steered unit with this number, or from all foes.
    Flee(Option<u32>, u32),
}

/// Range, leash and sight of a chase, in hundredths of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChaseText(pub [u32; 3]);

impl ChaseText {
    /// Returns the chase.
    pub fn chase(self) -> Chase {
        let [range, leash, sight] = self.0.map(of_hundredths);
        let chase = Chase::default().with_range(range);
        chase.with_leash(leash).with_sight(sight)
    }

    fn read(words: &mut Words<'_>) -> Option<Self> {
        Some(Self([words.number()?, words.number()?, words.number()?]))
    }
}

/// Returns a number of hundredths.
pub fn of_hundredths(number: u32) -> f32 {
    number as f32 / 100.0
}

impl TargetText {
    /// Reads a target; `None` if the words are not one.
    pub fn read(words: &mut Words<'_>) -> Option<Self> {
        Some(match words.word()? {
            "nowhere" => Self::Nowhere,
            "stand" => Self::Stand,
            "hold" => Self::Hold,
            "point" => Self::Point(words.cell()?),
            "order" => Self::Order(GoalText::read(words)?),
            "attack" => Self::Attack(GoalText::read(words)?, ChaseText::read(words)?),
            "follow" => Self::Follow(words.number()?),
            "pursue" => Self::Pursue(words.number()?, ChaseText::read(words)?),
            "flee" => {
                let from = match words.word()? {
                    "foes" => None,
                    unit => Some(unit.parse().ok()?),
                };
                Self::Flee(from, words.number()?)
            }
            _ => return None,
        })
    }

    /// The steered unit that it names.
    pub const fn unit(&self) -> Option<u32> {
        match self {
            Self::Follow(unit) | Self::Pursue(unit, _) => Some(*unit),
            Self::Flee(from, _) => *from,
            _ => None,
        }
    }
}

impl fmt::Display for ChaseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [range, leash, sight] = self.0;
        write!(f, "{range} {leash} {sight}")
    }
}

impl fmt::Display for TargetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => f.write_str("nowhere"),
            Self::Stand => f.write_str("stand"),
            Self::Hold => f.write_str("hold"),
            Self::Point(Cell { x, y }) => write!(f, "point {x} {y}"),
            Self::Order(goal) => write!(f, "order {goal}"),
            Self::Attack(goal, chase) => write!(f, "attack {goal} {chase}"),
            Self::Follow(unit) => write!(f, "follow {unit}"),
            Self::Pursue(unit, chase) => write!(f, "pursue {unit} {chase}"),
            Self::Flee(None, safe) => write!(f, "flee foes {safe}"),
            Self::Flee(Some(unit), safe) => write!(f, "flee {unit} {safe}"),
        }
    }
}
