//! Orders, as messages.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter, Messages};
use bevy_ecs::system::{Local, Query, Res, ResMut};
use flowtiles::error::{GateError, StampError, SurchargeError, TemplateError};
use flowtiles::steer::{Army, ArmyError, Chase, GroupId, Line, Sending, Sent, Target};
use flowtiles::{FlowWorld, Goal, LayerId, Order};

use crate::battle::{Books, Registry};
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

impl Whom {
    const fn units(&self) -> &[Entity] {
        match self {
            Self::Units(units) => units.as_slice(),
            Self::Group(_) => &[],
        }
    }
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

/// Where units are sent.
#[derive(Clone, Debug)]
enum Way {
    Goal(Goal),
    Patrol(Vec<Goal>),
    Line(Line),
}

impl Way {
    fn send(
        &self,
        groups: &[Sent],
        how: Sending,
        map: &mut FlowWorld,
        army: &mut Army,
    ) -> Result<(), ArmyError> {
        match self {
            Self::Goal(goal) => army.send_all(map, groups, goal.clone(), how),
            Self::Patrol(goals) => army.patrol_all(map, groups, goals.iter().cloned(), how),
            Self::Line(line) => army.draw_up(map, groups, *line, how),
        }
    }
}

#[derive(Clone, Debug)]
enum What {
    Send(Way, Sending),
    Target(Target),
    /// An order of the map, which was taken.
    Taken,
}

impl What {
    /// Returns what stays behind. Bevy keeps messages for some frames, and on each machine for
    /// other ones: what stays there must not claim an order of the map.
    fn without_claim(&self) -> Self {
        match self {
            Self::Target(target) if order_of(target).is_some() => Self::Taken,
            _ => self.clone(),
        }
    }
}

/// What an order says, in whichever battle.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    whom: Whom,
    what: What,
    /// Of units that have a chase of their own.
    chases: BTreeMap<Entity, Chase>,
}

impl Command {
    pub(crate) fn take(&mut self) -> Self {
        let left = self.what.without_claim();
        Self {
            whom: self.whom.clone(),
            what: std::mem::replace(&mut self.what, left),
            chases: self.chases.clone(),
        }
    }

    /// Replaces entities.
    pub(crate) fn rename(&mut self, name: impl Fn(Entity) -> Entity) {
        if let Whom::Units(units) = &mut self.whom {
            units.iter_mut().for_each(|unit| *unit = name(*unit));
        }
        let chases = std::mem::take(&mut self.chases).into_iter();
        self.chases = chases.map(|(unit, chase)| (name(unit), chase)).collect();
    }

    /// Makes an order of one map the same of its copy.
    pub(crate) fn bind(&mut self, from: &FlowWorld, to: &FlowWorld) {
        if let What::Target(Target::Order(order) | Target::AttackMove(order, _)) = &mut self.what
            && is_of(from, order)
            && let Some(bound) = to.order_with_number(order.number())
        {
            *order = bound;
        }
    }
}

/// An order to units or a group; carried out at the beginning of the next tick, in the order
/// in which orders were written, and after units were taken in that were spawned before. Without
/// a [`FlowMap`] it waits until there is one.
///
/// What cannot be done is answered by a [`FlowRefused`]; those units of a selection for which it
/// can be done go.
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
    pub(crate) command: Command,
    battle: PhantomData<B>,
}

impl<B: Battle> Clone for FlowOrder<B> {
    fn clone(&self) -> Self {
        Self {
            command: self.command.clone(),
            battle: PhantomData,
        }
    }
}

impl<B: Battle> FlowOrder<B> {
    const fn of(whom: Whom, what: What) -> Self {
        Self {
            command: Command {
                whom,
                what,
                chases: BTreeMap::new(),
            },
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
        Self::of(whom.into(), What::Send(Way::Goal(goal.into()), how))
    }

    /// Returns the order to stop side by side on a line, as wide as it is, and to look ahead; in
    /// rows behind it if it is too short.
    pub fn draw_up(whom: impl Into<Whom>, line: Line) -> Self {
        Self::draw_up_as(whom, line, Sending::default())
    }

    /// Returns the order to draw up on a line in a certain way: together, queued.
    pub fn draw_up_as(whom: impl Into<Whom>, line: Line, how: Sending) -> Self {
        Self::of(whom.into(), What::Send(Way::Line(line), how))
    }

    /// Returns the order to go from goal to goal, again and again; with one goal, between it and
    /// where the units are.
    pub fn patrol(whom: impl Into<Whom>, goals: impl IntoIterator<Item = impl Into<Goal>>) -> Self {
        Self::patrol_as(whom, goals, Sending::default())
    }

    /// Returns the order to patrol in a certain way: together, attacking.
    pub fn patrol_as(
        whom: impl Into<Whom>,
        goals: impl IntoIterator<Item = impl Into<Goal>>,
        how: Sending,
    ) -> Self {
        let goals = goals.into_iter().map(Into::into).collect();
        Self::of(whom.into(), What::Send(Way::Patrol(goals), how))
    }

    /// Returns the order to [patrol](Self::patrol), and to attack foes on the way.
    pub fn attack_patrol(
        whom: impl Into<Whom>,
        goals: impl IntoIterator<Item = impl Into<Goal>>,
        chase: Chase,
    ) -> Self {
        let mut how = Sending::default();
        how.attack = Some(chase);
        Self::patrol_as(whom, goals, how)
    }

    /// Gives some of the order's units a chase of their own: they become groups of their own, and
    /// attack foes on the way so, whatever the order says of the others. An order to a whole group,
    /// or for another target, has no use for it.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_flowtiles::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Archer;
    ///
    /// fn attack(
    ///     all: Query<Entity, With<FlowUnit>>,
    ///     archers: Query<Entity, With<Archer>>,
    ///     mut orders: MessageWriter<FlowOrder>,
    /// ) {
    ///     let far = Chase::default().with_range(6.0).with_sight(12.0);
    ///     let all: Vec<Entity> = all.iter().collect();
    ///     let order = FlowOrder::attack(all, Cell::new(90, 40), Chase::default());
    ///     orders.write(order.with_chase(&archers, far));
    /// }
    /// # bevy_ecs::system::assert_is_system(attack);
    /// ```
    #[must_use]
    pub fn with_chase(mut self, units: impl IntoIterator<Item = Entity>, chase: Chase) -> Self {
        let chases = units.into_iter().map(|unit| (unit, chase));
        self.command.chases.extend(chases);
        self
    }

    /// Returns the order for any other target: to hold, to follow, to flee.
    pub fn target(whom: impl Into<Whom>, target: impl Into<Target>) -> Self {
        Self::of(whom.into(), What::Target(target.into()))
    }
}

/// The answer to an order that could not be carried out for some or all of its units, or to a
/// unit or an obstacle that cannot be taken in or changed.
///
/// A unit that is not taken in is never asked about again: despawn it, and spawn it as it should
/// be.
#[derive(Message, Debug)]
pub struct FlowRefused<B: Battle = Main> {
    /// The order, if it is one, for those alone for whom it is refused. Once the reason is gone
    /// it can be written again, but for one with an order of the map as its target, which is
    /// made anew.
    pub order: Option<FlowOrder<B>>,
    /// The units that are refused, or the obstacle; of a refused order to a group, none.
    pub units: Vec<Entity>,
    /// What is wrong, and what to do.
    pub error: FlowError,
}

impl<B: Battle> FlowRefused<B> {
    pub(crate) fn unit(unit: Entity, error: impl Into<FlowError>) -> Self {
        Self {
            order: None,
            units: vec![unit],
            error: error.into(),
        }
    }
}

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FlowError {
    /// The order names entities that are no units, or no entity.
    NoUnits {
        /// The number of these.
        none: usize,
        /// The number of all that it names.
        named: usize,
    },
    /// The group of the order has no unit.
    EmptyGroup {
        /// The group.
        group: GroupId,
    },
    /// The unit has no `Transform`.
    NoTransform,
    /// The unit was spawned off the map.
    OffMap {
        /// Where, in cells.
        position: [f32; 2],
        /// The size of the map.
        size: [u32; 2],
    },
    /// An order is of another map than the present one.
    OtherMap {
        /// The group that follows it, or was to.
        group: GroupId,
    },
    /// The order was for an order of the map, and is a copy of one that was read before.
    Taken,
    /// The army or its world refused it.
    Army(ArmyError),
    /// The corners of an obstacle make no polygon that can be stamped.
    Template(TemplateError),
    /// The map refused the building of an obstacle.
    Stamp(StampError),
    /// The map refused the gate of an obstacle.
    Gate(GateError),
    /// The map refused the danger of an obstacle.
    Danger(SurchargeError),
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUnits { named: 0, .. } => {
                f.write_str("the order is for no entity: select at least one")
            }
            Self::NoUnits { none, named } => write!(
                f,
                "of the {named} entities of the order, {none} are no units: they were despawned, \
                 or have no `FlowUnit`"
            ),
            Self::NoTransform => f.write_str(
                "the unit has no `Transform`, which says where it stands: spawn it with one",
            ),
            Self::OffMap {
                position: [x, y],
                size: [width, height],
            } => write!(
                f,
                "the unit's `Transform` lies at ({x}, {y}) in cells, off the map of \
                 {width}×{height}: spawn it at a place that `FlowPlane::to_scene` returns"
            ),
            Self::OtherMap { group } => write!(
                f,
                "an order of group {group} is of another map than the present `FlowMap`, so the \
                 group does not follow it: send it to a goal of this map. For a new level, \
                 insert a new `FlowArmy` too"
            ),
            Self::EmptyGroup { group } => write!(
                f,
                "group {group} has no unit that the order could be for: spawn units with \
                 `InGroup(Some(group))` before, or forget the group"
            ),
            Self::Taken => f.write_str(
                "this is a copy of a `FlowOrder` that was read before, which does not keep the \
                 order of the map: write a new one with `FlowOrder::target`",
            ),
            Self::Army(error) => error.fmt(f),
            Self::Template(error) => error.fmt(f),
            Self::Stamp(error) => error.fmt(f),
            Self::Gate(error) => error.fmt(f),
            Self::Danger(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FlowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Army(error) => Some(error),
            Self::Template(error) => Some(error),
            Self::Stamp(error) => Some(error),
            Self::Gate(error) => Some(error),
            Self::Danger(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ArmyError> for FlowError {
    fn from(error: ArmyError) -> Self {
        Self::Army(error)
    }
}

impl From<TemplateError> for FlowError {
    fn from(error: TemplateError) -> Self {
        Self::Template(error)
    }
}

impl From<StampError> for FlowError {
    fn from(error: StampError) -> Self {
        Self::Stamp(error)
    }
}

impl From<GateError> for FlowError {
    fn from(error: GateError) -> Self {
        Self::Gate(error)
    }
}

impl From<SurchargeError> for FlowError {
    fn from(error: SurchargeError) -> Self {
        Self::Danger(error)
    }
}

/// Whether this is an order of this map, and not of one that it has replaced.
fn is_of(map: &FlowWorld, order: &Order) -> bool {
    map.order_with_number(order.number()).as_ref() == Some(order)
}

const fn order_of(target: &Target) -> Option<&Order> {
    match target {
        Target::Order(order) | Target::AttackMove(order, _) => Some(order),
        _ => None,
    }
}

/// Makes groups stand whose orders are of a map that was there before.
pub(crate) fn check_map<B: Battle>(
    mut map: ResMut<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    registry: Res<Registry<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
) {
    if map.1 {
        return;
    }
    map.1 = true;
    let is_stale = |&group: &GroupId| {
        army.group(group).is_some_and(|group| {
            let given = group.queue().iter().filter_map(order_of);
            let mut orders = given.chain(group.order());
            orders.any(|order| !is_of(&map, order))
        })
    };
    let stale: Vec<GroupId> = army.groups().filter(is_stale).collect();
    for group in stale {
        let stood = army.send(group, Target::Stand);
        refused.write(FlowRefused {
            order: None,
            units: registry.members(&army, group).collect(),
            error: stood.map_or_else(FlowError::Army, |()| FlowError::OtherMap { group }),
        });
    }
}

/// Keeps orders until there is a map, and says once that they wait, or units do.
pub(crate) fn wait_for_map<B: Battle>(
    mut messages: ResMut<Messages<FlowOrder<B>>>,
    mut registry: ResMut<Registry<B>>,
    mut warned: Local<bool>,
) {
    registry.collect(&mut messages);
    let books = &registry.books;
    let waits = !books.arrivals.is_empty() || !books.orders.is_empty();
    if waits && !*warned {
        *warned = true;
        tracing::warn!(
            "units and orders wait, since nothing moves without a map: insert a `FlowMap` as a \
             resource"
        );
    }
}

/// Takes in the orders of a frame, in which the plugin's schedule need not run.
pub(crate) fn collect<B: Battle>(
    mut messages: ResMut<Messages<FlowOrder<B>>>,
    mut registry: ResMut<Registry<B>>,
) {
    registry.collect(&mut messages);
}

/// For whom something is refused, and why.
type Refusals = Vec<(Whom, FlowError)>;

pub(crate) fn carry_out<B: Battle>(
    mut messages: ResMut<Messages<FlowOrder<B>>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    mut map: ResMut<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    mut registry: ResMut<Registry<B>>,
    mut units: Query<(&FlowUnit<B>, &mut InGroup)>,
) {
    registry.collect(&mut messages);
    for command in std::mem::take(&mut registry.books.orders) {
        let Command { whom, what, chases } = &command;
        let id_of = |entity| units.get(entity).ok().map(|(unit, _)| unit.id);
        let (groups, mut refusals) = find(&mut army, whom, chases, id_of);
        for &Sent { group, .. } in &groups {
            let mut is_new = registry.books.is_idle_no_more(group);
            for entity in registry.members(&army, group) {
                if let Ok((_, mut in_group)) = units.get_mut(entity) {
                    is_new |= in_group.set_if_neq(InGroup(Some(group)));
                }
            }
            if is_new {
                registry.books.made.insert(group);
            }
        }
        for (groups, error) in give_order(what, &groups, &mut map, &mut army) {
            let whom = match whom {
                Whom::Group(group) => Whom::Group(*group),
                Whom::Units(_) => {
                    let members = |sent: &Sent| registry.members(&army, sent.group);
                    Whom::Units(groups.iter().flat_map(members).collect())
                }
            };
            refusals.push((whom, error));
        }
        refused.write_batch(refusals.into_iter().map(|(whom, error)| {
            let units = whom.units().to_vec();
            let mut order = FlowOrder::of(whom, what.without_claim());
            order.command.chases.clone_from(chases);
            FlowRefused {
                order: Some(order),
                units,
                error,
            }
        }));
    }
    let Books { made, .. } = &mut registry.books;
    made.retain(|&group| {
        let stays = army.members(group).next().is_some();
        if !stays {
            // A group that the game has removed is gone already.
            let _ = army.remove_group(group);
        }
        stays
    });
}

/// Returns the groups for which an order is, and for whom of those that it names it cannot be.
fn find(
    army: &mut Army,
    whom: &Whom,
    chases: &BTreeMap<Entity, Chase>,
    id_of: impl Fn(Entity) -> Option<u32>,
) -> (Vec<Sent>, Refusals) {
    let entities = match whom {
        Whom::Units(entities) => entities,
        Whom::Group(group) => {
            let group = *group;
            let error = match army.group(group) {
                None => ArmyError::NoGroup { group }.into(),
                Some(found) if found.members().next().is_none() => FlowError::EmptyGroup { group },
                Some(_) => return (vec![group.into()], Vec::new()),
            };
            return (Vec::new(), vec![(group.into(), error)]);
        }
    };
    let mut refusals = Vec::new();
    // By the bits of the chase: in an order that is the same on every machine.
    let mut parts: BTreeMap<Option<[u32; 3]>, Vec<(Entity, u32)>> = BTreeMap::new();
    let mut strangers = Vec::new();
    for &entity in entities {
        match id_of(entity) {
            None => strangers.push(entity),
            Some(unit) if army.get(unit).is_none() => {
                refusals.push((vec![entity].into(), ArmyError::NoUnit { unit }.into()));
            }
            Some(unit) => {
                let own = chases.get(&entity);
                let bits = own.map(|own| [own.range, own.leash, own.sight].map(f32::to_bits));
                parts.entry(bits).or_default().push((entity, unit));
            }
        }
    }
    if entities.is_empty() || !strangers.is_empty() {
        let (none, named) = (strangers.len(), entities.len());
        refusals.push((strangers.into(), FlowError::NoUnits { none, named }));
    }
    let mut sent = Vec::new();
    for part in parts.into_values() {
        let attack = chases.get(&part[0].0).copied();
        let (entities, ids): (Vec<Entity>, Vec<u32>) = part.into_iter().unzip();
        match army.split(ids) {
            Ok(groups) => sent.extend(groups.into_iter().map(|group| Sent { group, attack })),
            Err(error) => refusals.push((entities.into(), error.into())),
        }
    }
    (sent, refusals)
}

/// Gives groups an order; returns those that cannot have it.
fn give_order<B: Battle>(
    what: &What,
    groups: &[Sent],
    map: &mut FlowMap<B>,
    army: &mut FlowArmy<B>,
) -> Vec<(Vec<Sent>, FlowError)> {
    let each = |give: &mut dyn FnMut(GroupId) -> Result<(), FlowError>| {
        let refused = |&sent: &Sent| Some((vec![sent], give(sent.group).err()?));
        groups.iter().filter_map(refused).collect()
    };
    match what {
        What::Send(way, how) => send(way, *how, groups, map, army),
        What::Target(target) => each(&mut |group| {
            if order_of(target).is_some_and(|order| !is_of(map, order)) {
                return Err(FlowError::OtherMap { group });
            }
            Ok(army.send(group, target.clone())?)
        }),
        What::Taken => each(&mut |_| Err(FlowError::Taken)),
    }
}

/// Sends groups together: those of all layers on which the order can be given.
fn send(
    way: &Way,
    how: Sending,
    groups: &[Sent],
    map: &mut FlowWorld,
    army: &mut Army,
) -> Vec<(Vec<Sent>, FlowError)> {
    let mut going = groups.to_vec();
    let mut refused = Vec::new();
    while !going.is_empty() {
        let Err(error) = way.send(&going, how, map, army) else {
            break;
        };
        let mut layers: BTreeMap<LayerId, Vec<Sent>> = BTreeMap::new();
        for &sent in &going {
            let layer = army.settings(sent.group).map(|settings| settings.layer);
            layers
                .entry(layer.unwrap_or_default())
                .or_default()
                .push(sent);
        }
        // A copy is asked on which layers it cannot.
        let on_a_copy = |part: &[Sent]| {
            let (mut map, mut army) = army.fork(map).ok()?;
            way.send(part, how, &mut map, &mut army).err()
        };
        let only = layers.len() == 1;
        let parts = layers.into_values();
        let failed: Vec<_> = parts
            .filter_map(|part| {
                let error = if only { Some(error) } else { on_a_copy(&part) };
                Some((part, FlowError::Army(error?)))
            })
            .collect();
        if failed.is_empty() {
            refused.push((going, error.into()));
            break;
        }
        going.retain(|group| !failed.iter().any(|(part, _)| part.contains(group)));
        refused.extend(failed);
    }
    refused
}
