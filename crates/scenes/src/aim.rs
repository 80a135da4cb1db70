//! The aim of a band, and what it means to an army.

use flowtiles::steer::{Army, Chase, GroupId, Target};
use flowtiles::{Cell, FlowWorld, Goal, LayerId};
use serde::Deserialize;

use crate::words::{attack, pursuit};

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

/// Gives groups their targets.
pub struct Orders<'a> {
    pub world: &'a mut FlowWorld,
    pub army: &'a mut Army,
    /// The group of each band.
    pub groups: &'a [GroupId],
}

impl Orders<'_> {
    /// Gives a group on a layer, with units in these cells, the targets of an aim.
    ///
    /// # Errors
    /// If an order or a target is refused. If it is the first, the group continues as
    /// before.
    pub fn give(
        &mut self,
        group: GroupId,
        aim: &Aim,
        layer: LayerId,
        cells: &[Cell],
    ) -> Result<(), String> {
        let targets = self.targets(aim, layer, cells)?;
        let given = if matches!(aim, Aim::Patrol(_)) {
            self.army.patrol(group, targets)
        } else {
            let mut targets = targets.into_iter();
            let first = targets.next().unwrap_or_default();
            let sent = self.army.send(group, first);
            targets.fold(sent, |given, next| {
                given.and_then(|()| self.army.queue(group, next))
            })
        };
        given.map_err(|error| error.to_string())
    }

    fn targets(
        &mut self,
        aim: &Aim,
        layer: LayerId,
        cells: &[Cell],
    ) -> Result<Vec<Target>, String> {
        let only = match *aim {
            Aim::Flock => Target::Flock,
            Aim::Point(point) => Target::Point(point),
            Aim::Stand => Target::Stand,
            Aim::Hold => Target::Hold,
            Aim::Follow(band) => Target::Follow(self.leader(band)?),
            Aim::Pursue(band, chase) => Target::Pursue(self.leader(band)?, chase),
            Aim::Flee(safe) => Target::Flee { from: None, safe },
            Aim::Attack(..) | Aim::Goal(_) | Aim::Tour(_) | Aim::Patrol(_) => {
                return self.orders(aim, layer, cells);
            }
        };
        Ok(vec![only])
    }

    /// The first unit of a band.
    fn leader(&self, band: usize) -> Result<u32, String> {
        let group = self.groups.get(band);
        let units = group.and_then(|&group| self.army.members(group).map(|unit| unit.id).min());
        units.ok_or_else(|| format!("band {band} has no units"))
    }

    /// An order to each goal of an aim, from the units' cells and the goals before it.
    fn orders(&mut self, aim: &Aim, layer: LayerId, cells: &[Cell]) -> Result<Vec<Target>, String> {
        let goals = aim.goals();
        let mut from = cells.to_vec();
        if goals.len() > 1 {
            from.extend(goals);
        }
        let order = |&goal: &Cell| {
            let order = self.world.order(Goal::at(goal).on(layer), &from);
            let order = order.map_err(|error| error.to_string())?;
            Ok(match aim {
                Aim::Attack(_, chase) => Target::AttackMove(order, *chase),
                _ => Target::Order(order),
            })
        };
        goals.iter().map(order).collect()
    }
}
