//! Orders, as messages.

use std::fmt;
use std::marker::PhantomData;

use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageReader, MessageWriter};
use bevy_ecs::system::{Query, ResMut};
use flowtiles::steer::{ArmyError, Chase, GroupId, Sending, Target};
use flowtiles::{Cell, Goal};

use crate::battle::Registry;
use crate::{Battle, FlowArmy, FlowMap, FlowUnit, InGroup, Main};

/// For whom an order is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// These units, whatever their groups: those of one group become a group of their own, and
    /// keep what was set of it.
    Units(Vec<Entity>),
    /// A whole group.
    Group(GroupId),
}

impl From<Vec<Entity>> for Whom {
    fn from(units: Vec<Entity>) -> Self {
        Self::Units(units)
    }
}

impl From<GroupId> for Whom {
    fn from(group: GroupId) -> Self {
        Self::Group(group)
    }
}

#[derive(Clone, Debug)]
enum What {
    Send(Goal, Sending),
    Patrol(Vec<Goal>),
    Target(Target),
}

/// An order to units or a group; carried out at the beginning of the next tick, in the order
/// in which orders were written. One that cannot be carried out is answered by a
/// [`FlowRefused`].
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_flowtiles::prelude::*;
///
/// fn all_to_the_hill(units: Query<Entity, With<FlowUnit>>, mut orders: MessageWriter<FlowOrder>) {
///     orders.write(FlowOrder::send(units.iter().collect::<Vec<_>>(), Cell::new(90, 40)));
/// }
/// # bevy_ecs::system::assert_is_system(all_to_the_hill);
/// ```
#[derive(Message, Debug)]
pub struct FlowOrder<B: Battle = Main> {
    whom: Whom,
    what: What,
    battle: PhantomData<B>,
}

impl<B: Battle> Clone for FlowOrder<B> {
    fn clone(&self) -> Self {
        Self::of(self.whom.clone(), self.what.clone())
    }
}

impl<B: Battle> FlowOrder<B> {
    const fn of(whom: Whom, what: What) -> Self {
        Self {
            whom,
            what,
            battle: PhantomData,
        }
    }

    /// Returns the order to go to a goal; each class of units on its own layer.
    pub fn send(whom: impl Into<Whom>, goal: impl Into<Goal>) -> Self {
        Self::send_as(whom, goal, Sending::default())
    }

    /// Returns the order to go to a goal after all others.
    pub fn queue(whom: impl Into<Whom>, goal: impl Into<Goal>) -> Self {
        let mut how = Sending::default();
        how.queued = true;
        Self::send_as(whom, goal, how)
    }

    /// Returns the order to go to a goal, and to attack foes on the way.
    pub fn attack(whom: impl Into<Whom>, goal: impl Into<Goal>, chase: Chase) -> Self {
        let mut how = Sending::default();
        how.attack = Some(chase);
        Self::send_as(whom, goal, how)
    }

    /// Returns the order to go to a goal in a certain way: together, in a formation.
    pub fn send_as(whom: impl Into<Whom>, goal: impl Into<Goal>, how: Sending) -> Self {
        Self::of(whom.into(), What::Send(goal.into(), how))
    }

    /// Returns the order to go from goal to goal, again and again.
    pub fn patrol(whom: impl Into<Whom>, goals: impl IntoIterator<Item = impl Into<Goal>>) -> Self {
        let goals = goals.into_iter().map(Into::into).collect();
        Self::of(whom.into(), What::Patrol(goals))
    }

    /// Returns the order for any other target: to hold, to follow, to flee.
    pub fn target(whom: impl Into<Whom>, target: impl Into<Target>) -> Self {
        Self::of(whom.into(), What::Target(target.into()))
    }
}

/// The answer to an order that could not be carried out, or to a unit that the army cannot
/// take in or change.
#[derive(Message, Debug)]
pub struct FlowRefused<B: Battle = Main> {
    /// The order, if it is one.
    pub order: Option<FlowOrder<B>>,
    /// The unit, if it is one.
    pub unit: Option<Entity>,
    /// What is wrong, and what to do.
    pub error: FlowError,
}

impl<B: Battle> FlowRefused<B> {
    pub(crate) const fn unit(unit: Entity, error: ArmyError) -> Self {
        Self {
            order: None,
            unit: Some(unit),
            error: FlowError::Army(error),
        }
    }
}

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FlowError {
    /// The order names entities, but no unit.
    NoUnits {
        /// The number of entities.
        named: usize,
    },
    /// The group of the order has no unit.
    EmptyGroup {
        /// The group.
        group: GroupId,
    },
    /// The army or its world refused it.
    Army(ArmyError),
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnits { named: 0 } => {
                f.write_str("the order is for no entity: select at least one")
            }
            Self::NoUnits { named } => write!(
                f,
                "of the {named} entities of the order, none is a unit: they were despawned, or \
                 have no `FlowUnit`"
            ),
            Self::EmptyGroup { group } => write!(
                f,
                "group {group} has no unit that the order could be for: spawn units with \
                 `InGroup(Some(group))` before, or forget the group"
            ),
            Self::Army(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FlowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Army(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ArmyError> for FlowError {
    fn from(error: ArmyError) -> Self {
        Self::Army(error)
    }
}

pub(crate) fn carry_out<B: Battle>(
    mut orders: MessageReader<FlowOrder<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    mut map: ResMut<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    mut registry: ResMut<Registry<B>>,
    mut units: Query<(&FlowUnit<B>, &mut InGroup)>,
) {
    for order in orders.read() {
        let groups = match &order.whom {
            Whom::Group(group) => match army.group(*group) {
                None => Err(ArmyError::NoGroup { group: *group }.into()),
                Some(_) if army.members(*group).next().is_none() => {
                    Err(FlowError::EmptyGroup { group: *group })
                }
                Some(_) => Ok(vec![*group]),
            },
            Whom::Units(entities) => {
                let ids = entities.iter().filter_map(|&entity| units.get(entity).ok());
                let ids: Vec<u32> = ids.map(|(unit, _)| unit.id).collect();
                let named = entities.len();
                match ids.len() {
                    0 => Err(FlowError::NoUnits { named }),
                    _ => army.split(ids).map_err(FlowError::Army),
                }
            }
        };
        let done = groups.and_then(|groups| {
            for &group in &groups {
                let members = army.members(group);
                let entities = members.filter_map(|unit| registry.entities.get(&unit.id));
                let mut is_new = false;
                for &entity in entities {
                    if let Ok((_, mut in_group)) = units.get_mut(entity)
                        && in_group.0 != Some(group)
                    {
                        in_group.0 = Some(group);
                        is_new = true;
                    }
                }
                if is_new {
                    registry.made.insert(group);
                }
            }
            Ok(tell(&order.what, &groups, &mut map, &mut army)?)
        });
        if let Err(error) = done {
            let order = Some(order.clone());
            let unit = match error {
                FlowError::Army(ArmyError::NoUnit { unit }) => registry.entities.get(&unit),
                _ => None,
            };
            let unit = unit.copied();
            refused.write(FlowRefused { order, unit, error });
        }
    }
    let gone: Vec<GroupId> = registry
        .made
        .iter()
        .copied()
        .filter(|&group| army.members(group).next().is_none())
        .collect();
    for group in gone {
        registry.made.remove(&group);
        // A group that the game has removed is gone already.
        let _ = army.remove_group(group);
    }
}

fn tell<B: Battle>(
    what: &What,
    groups: &[GroupId],
    map: &mut FlowMap<B>,
    army: &mut FlowArmy<B>,
) -> Result<(), ArmyError> {
    match what {
        What::Send(goal, how) => army.send_all(&mut map.0, groups, goal.clone(), *how),
        What::Target(target) => groups
            .iter()
            .try_for_each(|&group| army.send(group, target.clone())),
        What::Patrol(goals) => groups.iter().try_for_each(|&group| {
            let layer = army.group(group).map(|group| group.layer());
            let layer = layer.ok_or(ArmyError::NoGroup { group })?;
            let mut targets = Vec::new();
            for goal in goals {
                let goal = goal.clone().on(layer);
                targets.push(Target::Order(map.order(goal, &[] as &[Cell])?));
            }
            army.patrol(group, targets)
        }),
    }
}
