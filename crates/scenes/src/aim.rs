//! The aim of a band, and the events that change it and the map.

use flowtiles::steer::Chase;
use flowtiles::{Cell, CellRect, Cost, Teams};
use serde::{Deserialize, Deserializer};

use crate::words::{attack, pursuit, teams};

/// The plane of walkers, and that of aircraft.
pub const GROUND: u8 = 0b01;
pub const AIR: u8 = 0b10;

/// The aim of a band. Other bands are named by their numbers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// No target: it flocks.
    #[default]
    Flock,
    /// Straight to a point.
    Point([f32; 2]),
    /// To the goal of an order.
    Goal(Cell),
    /// Each unit stays where it is, and makes room.
    Stand,
    /// Each unit comes back to its place.
    Hold,
    /// After the first unit of a band.
    Follow(usize),
    /// To one goal after the other.
    Tour(Vec<Cell>),
    /// From goal to goal, again and again.
    Patrol(Vec<Cell>),
    /// After the first unit of a band, along orders of the army's own.
    #[serde(deserialize_with = "pursuit")]
    Pursue(usize, Chase),
    /// To a goal, with a turn to every foe in sight.
    #[serde(deserialize_with = "attack")]
    Attack(Cell, Chase),
    /// Away from all foes, until they are this far off.
    Flee(f32),
}

impl Aim {
    /// The goals to which the band goes, in their order.
    pub fn goals(&self) -> &[Cell] {
        match self {
            Self::Goal(goal) | Self::Attack(goal, _) => std::slice::from_ref(goal),
            Self::Tour(stops) | Self::Patrol(stops) => stops,
            _ => &[],
        }
    }

    /// Whether a band with this aim arrives in the end, or stays where it is.
    pub const fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Point(_) | Self::Goal(_) | Self::Hold | Self::Tour(_) | Self::Attack(..)
        )
    }

    /// Whether a band with this aim never comes to rest by itself.
    pub const fn is_endless(&self) -> bool {
        matches!(self, Self::Follow(_) | Self::Patrol(_) | Self::Pursue(..))
    }
}

/// Something that happens during a scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScriptedEvent {
    /// An area gets another cost.
    Edit(CellRect, Cost),
    /// A band gets another aim.
    Send(usize, Aim),
    /// One of the scene's gates is opened to these teams alone.
    Gate(usize, #[serde(deserialize_with = "teams")] Teams),
}

pub fn incidents<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(u32, ScriptedEvent)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        tick: u32,
        what: ScriptedEvent,
    }
    let incidents = Vec::<Text>::deserialize(from)?.into_iter();
    Ok(incidents.map(|Text { tick, what }| (tick, what)).collect())
}
