//! What a game may ask of a world and an army.

use std::fmt::Debug;

use flowtiles::crowd::{Conduct, CrowdSettings, Danger, Heights};
use flowtiles::steer::{Chase, Line, Pace, Reading, Sending, Settings, Shape, Turning, Unit};
use flowtiles::{Cell, CellRect, Cost, Goal, LayerId, Link, Quality, Teams, Turn};

/// Which of the groups, links, claims and so on there are: one by its number, counted round and
/// round, so that a call means something whatever calls were left out before it. Of groups, a
/// number from [`FORGED`](Self::FORGED) on is an id as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Nth(pub u64);

impl Nth {
    /// From here on a number is an id that no army has given.
    pub const FORGED: u64 = 1 << 16;

    pub(crate) const fn of(self, count: usize) -> Option<usize> {
        if count == 0 {
            return None;
        }
        Some(self.0 as usize % count)
    }
}

/// A target, and for some the order that has to be given for it.
#[derive(Clone, Debug)]
pub enum Aim {
    /// [`Target::Flock`](flowtiles::steer::Target::Flock), and so on.
    Flock,
    /// Where it is.
    Stand,
    /// Held in place.
    Hold,
    /// To a point.
    Point([f32; 2]),
    /// After a unit.
    Follow(u32),
    /// After a foe.
    Pursue(u32, Chase),
    /// From a unit or from all foes, so far.
    Flee(Option<u32>, f32),
    /// To a goal.
    Order(Mission),
    /// To a goal, and at the foes on the way.
    Attack(Mission, Chase),
}

/// An order that is to be given.
#[derive(Clone, Debug)]
pub struct Mission {
    /// Where to.
    pub goal: Goal,
    /// Which paths.
    pub quality: Quality,
    /// From where.
    pub units: Vec<Cell>,
    /// Whether the game keeps a claim of its own.
    pub is_claimed: bool,
}

/// One of the settings of a group.
#[derive(Clone, Debug)]
#[allow(
    missing_docs,
    reason = "they are named after the fields of `GroupSettings`"
)]
pub enum Setting {
    Layer(LayerId),
    Team(u8, Teams),
    Planes(u8),
    Rank(u8),
    Pace(Pace),
    Reading(Reading),
    KeepsWidth(bool),
    Conduct(Conduct),
}

/// A call, with all its arguments.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "they are named after the calls that they make")]
pub enum Call {
    // Units.
    Add(Nth, Vec<Unit>),
    /// Units like this one where there is room.
    Reinforce(Nth, [f32; 2], usize, Unit),
    Remove(u32),
    RemoveAll(Vec<u32>),
    /// Without the units whose ids leave the second number when divided by the first.
    Retain(u32, u32),
    SetPosition(u32, [f32; 2]),
    SetRadius(u32, f32),
    SetSpeed(u32, f32),
    SetWeight(u32, f32),
    SetTurning(u32, Turning),
    SetGroup(Vec<u32>, Nth),
    Split(Vec<u32>),
    // Groups.
    AddGroup(Aim, Reading),
    RemoveGroup(Nth),
    RemoveEmptyGroups,
    Send(Nth, Aim),
    Queue(Nth, Aim),
    Patrol(Nth, [Aim; 2]),
    SendAll([Nth; 2], Goal, Sending),
    DrawUp([Nth; 2], Line, Sending),
    /// Gives a group's order another goal.
    AimGroup(Nth, Cell),
    Form(Nth, Shape, f32),
    Disband(Nth),
    Configure(Nth, Setting),
    // The army.
    NoteJams,
    PutOutOfWalls,
    /// Another army, if this one has no units.
    NewArmy(Settings),
    SetCrowd(CrowdSettings),
    SetDangers([Danger; 2]),
    Paint(CellRect, f32),
    SetHeights(Heights),
    // The world.
    Edit(CellRect, Cost),
    Block(Cell),
    Unblock(Nth),
    Stamp(Nth, Cell, Turn),
    Unstamp(Nth),
    AddGate(CellRect, Teams),
    SetGate(Nth, Teams),
    RemoveGate(Nth),
    AddLink(Link),
    RemoveLink(Nth),
    Surcharge(LayerId, CellRect, u8),
    FreeLayer(LayerId),
    /// Gives a claim another goal.
    Aim(Nth, Cell),
    Drop(Nth),
    // Both.
    /// A tick with a budget, and a step of so many seconds.
    Step(u64, f32),
    /// Goes on with what was saved and loaded.
    Load,
    /// Goes on with a fork.
    Fork,
    /// Calls that are refused.
    Vain,
    /// Questions drawn from a seed, the answers to which are held to a scan of all units.
    Ask(u64),
    /// Looks at the directions of an order in all cells.
    Directions(Nth),
    /// Holds what is derived to a world built anew, in cells drawn from a seed.
    BuildAnew(u64),
    /// Finishes all orders, and holds one to a Dijkstra, in cells drawn from a seed.
    Judge(Nth, u64),
}

/// The name of a call, a target or an event.
pub(crate) fn name(of: &impl Debug) -> String {
    let text = format!("{of:?}");
    let end = text.find(|letter: char| !letter.is_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}
