//! The inputs of battles and sessions; each is a line of JSON in a replay.
//!
//! Distances, spacings, radii and speeds are whole numbers of hundredths of a cell.

use flowtiles::steer::{Chase, Shape};
use flowtiles::{Cell, CellRect, Cost, Goal};
use flowtiles_inspector::Request;
use serde::{Deserialize, Serialize};

use super::file::Kind;
use super::hashes::Hashes;

/// An event of a battle or of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Input {
    /// The state must have these hashes.
    Check(Hashes),

    /// A page has changed something in a session.
    Page(Request),
    /// This many ticks of a session were done.
    Ticks(u32),

    /// The ground of an area changes.
    Edit { area: CellRect, cost: Cost },
    /// A template is stamped, after this many quarter turns.
    Stamp {
        at: Cell,
        turns: u8,
        width: u32,
        height: u32,
        costs: Vec<Option<Cost>>,
    },
    /// The stamp with this number is removed.
    Unstamp(u64),
    /// A blocker is put on a cell.
    Block(Cell),
    /// A blocker is removed from a cell.
    Unblock(Cell),
    /// A new army is ordered to a goal.
    Order { goal: Goal, units: Vec<Cell> },
    /// A new army is ordered to several goals, one after the other.
    Tour { goals: Vec<Goal>, units: Vec<Cell> },
    /// An army gets another goal.
    Aim { army: u32, goal: Goal },
    /// An army pursues a target.
    Pursue { army: u32, to: Cell },
    /// The order of an army covers a cell.
    Cover { army: u32, cell: Cell },
    /// The claims of the army with this number are dropped, and its units removed.
    Drop(u32),
    /// A unit of an army is put elsewhere.
    Shove { army: u32, unit: usize, to: Cell },
    /// The groups of steered units change, or take a step.
    Groups(GroupInput),
    /// The engine gets a budget of this many cells.
    Tick(u64),
    /// Every unit of an army takes a step, or asks to be covered.
    Walk,
    /// World and groups are saved once nothing waits, and replaced by the loaded ones.
    Save,
}

/// An input of the groups of steered units. Groups have numbers, and so have steered
/// units; both count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum GroupInput {
    /// A new group gets a target, and a unit in each of these cells.
    Add {
        target: TargetInput,
        units: Vec<Cell>,
    },
    /// A group gets another target.
    Send { group: u32, target: TargetInput },
    /// A group gets one more target, for when it has reached all others.
    Queue { group: u32, target: TargetInput },
    /// A group goes from target to target and round again.
    Patrol {
        group: u32,
        targets: Vec<TargetInput>,
    },
    /// A group gets a team, and foes.
    Team { group: u32, team: u8, foes: Vec<u8> },
    /// A group takes a formation.
    Form {
        group: u32,
        shape: ShapeInput,
        spacing: u32,
    },
    /// A group leaves its formation.
    Disband(u32),
    /// What a group keeps on its way.
    Keep { group: u32, kept: Kept },
    /// Units go to a group.
    Join { group: u32, units: Vec<u32> },
    /// A unit gets a speed, in hundredths of a cell a second.
    Speed { unit: u32, speed: u32 },
    /// A unit gets a radius.
    Radius { unit: u32, radius: u32 },
    /// A unit is put into the middle of a cell.
    Place { unit: u32, cell: Cell },
    /// Units are removed.
    Remove(Vec<u32>),
    /// A group is removed with its units.
    Ungroup(u32),
    /// All steered units take a step of this many milliseconds.
    Steer(u32),
}

/// The target of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TargetInput {
    Flock,
    Stand,
    Hold,
    /// Straight to the middle of a cell.
    Point(Cell),
    /// Along an order.
    Order(Goal),
    /// Along an order, and after foes on the way.
    Attack {
        goal: Goal,
        chase: ChaseInput,
    },
    /// Straight to the steered unit with this number.
    Follow(u32),
    /// To a steered unit, wherever it goes.
    Pursue {
        unit: u32,
        chase: ChaseInput,
    },
    /// From a steered unit, or from all foes.
    Flee {
        from: Option<u32>,
        safe: u32,
    },
}

/// A [`Chase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChaseInput {
    pub range: u32,
    pub leash: u32,
    pub sight: u32,
}

/// A [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeInput {
    Line,
    Wedge,
    Box,
    Column,
}

/// What a group keeps on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    Nothing,
    /// As many units abreast as before.
    Width,
    /// The pace of its slowest unit.
    Pace,
}

impl Input {
    /// Whether a replay of this kind may hold it, and its values may come from a page.
    pub const fn fits(&self, kind: Kind) -> bool {
        match self {
            Self::Check(_) => true,
            Self::Page(request) => matches!(kind, Kind::Session) && request.is_allowed(),
            Self::Ticks(_) => matches!(kind, Kind::Session),
            _ => matches!(kind, Kind::Battle),
        }
    }
}

impl TargetInput {
    /// The steered unit that it names.
    pub const fn unit(&self) -> Option<u32> {
        match self {
            Self::Follow(unit) | Self::Pursue { unit, .. } => Some(*unit),
            Self::Flee { from, .. } => *from,
            _ => None,
        }
    }
}

impl From<ChaseInput> for Chase {
    fn from(chase: ChaseInput) -> Self {
        let [range, leash, sight] = [chase.range, chase.leash, chase.sight].map(of_hundredths);
        let chase = Self::default().with_range(range);
        chase.with_leash(leash).with_sight(sight)
    }
}

impl From<ShapeInput> for Shape {
    fn from(shape: ShapeInput) -> Self {
        match shape {
            ShapeInput::Line => Self::Line,
            ShapeInput::Wedge => Self::Wedge,
            ShapeInput::Box => Self::Box,
            ShapeInput::Column => Self::Column,
        }
    }
}

/// Returns a number of hundredths.
pub fn of_hundredths(number: u32) -> f32 {
    number as f32 / 100.0
}
