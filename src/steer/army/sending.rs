//! One click of a player for several groups.

use std::collections::{BTreeMap, BTreeSet};

use super::Army;
use super::command::check_spacing;
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::order::{Goal, Order};
use crate::steer::formation::{Line, Shape};
use crate::steer::groups::{Chase, Group, Pace, Target};
use crate::steer::units::{ArmyError, GroupId};
use crate::vector::{cell_of, mean};
use crate::world::FlowWorld;

/// How groups are [sent](Army::send_all) to a goal together. The default is a plain click: at
/// once, past foes, each group at its own pace.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Sending {
    /// Whether they go [after](Army::queue) all that they have to reach.
    pub queued: bool,
    /// How they turn to foes on an [attack on the move](Target::AttackMove), but for groups that are
    /// [sent](Sent) with a chase of their own.
    pub attack: Option<Chase>,
    /// Whether they [share a pace](Pace::Shared).
    pub together: bool,
    /// The shape of one [formation](Army::form) of them all, and its spacing.
    pub formation: Option<(Shape, f32)>,
}

/// A group that is [sent](Army::send_all) with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sent {
    /// The group.
    pub group: GroupId,
    /// How it turns to foes, if not as the others do.
    pub attack: Option<Chase>,
}

impl From<GroupId> for Sent {
    fn from(group: GroupId) -> Self {
        let attack = None;
        Self { group, attack }
    }
}

impl From<(GroupId, Chase)> for Sent {
    fn from((group, chase): (GroupId, Chase)) -> Self {
        let attack = Some(chase);
        Self { group, attack }
    }
}

impl Sending {
    /// The layer on which a group will be when it sets out.
    fn layer_of(&self, group: &Group) -> LayerId {
        if self.queued {
            group.last_layer()
        } else {
            group.settings.layer
        }
    }
}

impl Army {
    /// Sends several groups to one goal, as one click for units of several classes. Each gets an
    /// order on its own [layer](crate::steer::GroupSettings::layer), whatever that of the goal is:
    /// on the one of its last order if it has [queued](Self::queue) others.
    ///
    /// A pace that a group shared since an earlier call ends, unless all are to go together.
    /// A part of an earlier formation marches around its own middle, unless all form anew.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Sending, Target, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Movement};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let wide = world.add_layer(Movement::new().with_size(2)?)?;
    /// let mut army = Army::default();
    /// let men = army.add_group(Target::Hold, Reading::Ahead)?;
    /// let tanks = army.add_group(Target::Hold, Reading::Ahead)?;
    /// world.derive_layer(wide)?;
    /// let mut settings = *army.settings(tanks).expect("it was added");
    /// settings.layer = wide;
    /// army.configure(tanks, settings, &world)?;
    /// army.add(Unit::new(0, men, [5.5, 10.5]))?;
    /// army.add(Unit::new(1, tanks, [6.0, 20.0]).with_radius(0.9).with_speed(2.0))?;
    /// let mut how = Sending::default();
    /// how.together = true;
    /// army.send_all(&mut world, &[men, tanks], Cell::new(50, 15), how)?;
    /// while !army.is_settled() {
    ///     army.tick(&mut world, Budget::cells(4_000), 0.05);
    /// }
    /// assert!(army.units().iter().all(|unit| unit.position[0] > 45.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no group is given, one twice, or one that the army has not; if the world refuses
    /// an order; or if a distance of the attack or the spacing cannot be used. Then nothing has
    /// changed.
    pub fn send_all(
        &mut self,
        world: &mut FlowWorld,
        groups: &[impl Copy + Into<Sent>],
        goal: impl Into<Goal>,
        how: Sending,
    ) -> Result<(), ArmyError> {
        let groups: Vec<Sent> = groups.iter().map(|&group| group.into()).collect();
        let goals = [goal.into()];
        self.send_along(world, &groups, &goals, None, how)
    }

    /// Sends several groups to a line, as by a drag of the mouse: their units stop on it side by
    /// side, as far apart as it is wide, and look ahead. Those for whom it is too short stop in
    /// rows behind it, and each [rank](crate::steer::GroupSettings::rank) and layer in rows of its
    /// own. Formations dissolve. Where the middle of the line is a wall, the goal is the nearest
    /// open cell; places that are out of sight of the goal and of what is behind the line stay empty.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Line, Reading, Sending, Target, Unit};
    /// use flowtiles::{Budget, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let mut army = Army::default();
    /// let guards = army.add_group(Target::Hold, Reading::Ahead)?;
    /// for id in 0..5 {
    ///     army.add(Unit::new(id, guards, [5.5, 10.5 + id as f32]))?;
    /// }
    /// let line = Line::new([40.5, 14.5], [40.5, 26.5]); // southward: they look east
    /// army.draw_up(&mut world, &[guards], line, Sending::default())?;
    /// while !army.is_settled() {
    ///     army.tick(&mut world, Budget::cells(4_000), 0.05);
    /// }
    /// for (unit, y) in army.units().iter().zip([14.5, 17.5, 20.5, 23.5, 26.5]) {
    ///     let [dx, dy] = [unit.position[0] - 40.5, unit.position[1] - y];
    ///     assert!(dx.hypot(dy) < 0.1 && unit.heading() == Some([1.0, 0.0]));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`send_all`](Self::send_all); and if the ends of the line are one point or off any map, or
    /// if a formation is asked for.
    pub fn draw_up(
        &mut self,
        world: &mut FlowWorld,
        groups: &[impl Copy + Into<Sent>],
        line: Line,
        how: Sending,
    ) -> Result<(), ArmyError> {
        line.check()?;
        if let Some((_, value)) = how.formation {
            return Err(ArmyError::Group {
                field: "formation on a line",
                value,
                wanted: "none: the line gives the places",
            });
        }
        let groups: Vec<Sent> = groups.iter().map(|&group| group.into()).collect();
        let goals = [Goal::at(cell_of(line.middle())).or_nearest()];
        self.send_along(world, &groups, &goals, Some(line), how)?;
        for sent in groups {
            self.disband(sent.group)?;
        }
        Ok(())
    }

    /// Sends several groups from goal to goal as [`send_all`](Self::send_all) does to one, and
    /// after the last again to the first. With one goal they go between it and the middle of where
    /// they are now.
    ///
    /// # Errors
    /// As [`send_all`](Self::send_all); and if there are no goals, or if the patrol is to be
    /// queued.
    pub fn patrol_all(
        &mut self,
        world: &mut FlowWorld,
        groups: &[impl Copy + Into<Sent>],
        goals: impl IntoIterator<Item = impl Into<Goal>>,
        how: Sending,
    ) -> Result<(), ArmyError> {
        let groups: Vec<Sent> = groups.iter().map(|&group| group.into()).collect();
        let mut goals: Vec<Goal> = goals.into_iter().map(Into::into).collect();
        if goals.len() == 1 {
            let stands = groups.iter().flat_map(|sent| self.members(sent.group));
            let middle = mean(stands.map(|unit| unit.position));
            goals.extend(middle.map(|middle| Goal::at(cell_of(middle)).or_nearest()));
        }
        if goals.is_empty() || how.queued {
            return Err(ArmyError::Patrol);
        }
        self.send_along(world, &groups, &goals, None, how)?;
        for sent in groups {
            self.groups.get_mut_quietly(sent.group)?.patrols = true;
        }
        Ok(())
    }

    /// Sends groups to goals, one after the other.
    fn send_along(
        &mut self,
        world: &mut FlowWorld,
        groups: &[Sent],
        goals: &[Goal],
        line: Option<Line>,
        how: Sending,
    ) -> Result<(), ArmyError> {
        let attack = |sent: &Sent| sent.attack.or(how.attack);
        let mut chases = groups.iter().filter_map(attack);
        chases.try_for_each(|chase| chase.check())?;
        let spacing = how.formation.map(|(_, spacing)| spacing);
        spacing.map_or(Ok(()), check_spacing)?;
        let mut named = BTreeSet::new();
        for &Sent { group, .. } in groups {
            self.groups.get(group)?;
            if !named.insert(group.index) {
                return Err(ArmyError::GroupTwice { group });
            }
        }
        if groups.is_empty() {
            return Err(ArmyError::NoGroups);
        }
        let given = world.try_deriving(|world| {
            let mut starts: BTreeMap<LayerId, Vec<Cell>> = BTreeMap::new();
            for sent in groups {
                let found = self.groups.get(sent.group)?;
                let layer = how.layer_of(found);
                // A layer that is not in the world is refused by the order.
                let _ = world.derive_layer(layer);
                let cells = self.cells_of(world, found);
                starts.entry(layer).or_default().extend(cells);
            }
            let wanted: Vec<(Goal, Vec<Cell>)> = goals
                .iter()
                .flat_map(|goal| {
                    let on = |(&layer, cells): (&LayerId, &Vec<Cell>)| {
                        (goal.clone().on(layer), cells.clone())
                    };
                    starts.iter().map(on)
                })
                .collect();
            Ok::<_, ArmyError>(world.orders(&wanted)?)
        })?;
        let layers = given.len() / goals.len();
        let orders: Vec<BTreeMap<LayerId, Order>> = given
            .chunks(layers)
            .map(|orders| {
                let by_layer = orders
                    .iter()
                    .map(|order| (order.goal().layer(), order.clone()));
                by_layer.collect()
            })
            .collect();
        let shared = Pace::Shared(self.groups.free_pace(&named));
        for sent in groups {
            let group = sent.group;
            let found = self.groups.get(group)?;
            let pace = match found.settings.pace {
                _ if how.together => shared,
                Pace::Shared(_) => Pace::Own,
                own => own,
            };
            let layer = how.layer_of(found);
            self.groups.get_mut(group)?.settings.pace = pace;
            for (at, orders) in orders.iter().enumerate() {
                let order = orders[&layer].clone();
                let target = match attack(sent) {
                    Some(chase) => Target::AttackMove(order, chase),
                    None => Target::Order(order),
                };
                if how.queued || at > 0 {
                    self.queue_leg(group, (target, line))?;
                } else {
                    self.send_leg(group, (target, line))?;
                }
            }
        }
        let groups: Vec<GroupId> = groups.iter().map(|sent| sent.group).collect();
        how.formation.map_or(Ok(()), |(shape, spacing)| {
            self.form_all(&groups, shape, spacing, world)
        })
    }
}
