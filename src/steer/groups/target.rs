//! What a group is about.
//!
//! A new target needs four things: here its variant and what it is; what units do about it, in
//! `motion::decide`; its bytes in a save, in `army::packed`; and if it makes orders or looks
//! for foes, its errand in `motion::errands` and `army::errand_orders`.

use super::errand::Errand;
use crate::cost::LayerId;
use crate::order::Order;
use crate::steer::units::{ArmyError, GroupId, MOST, UnitState};

/// The target of a group.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// No target: the units flock, and keep the velocity that they get. Nothing
    /// brakes them, so units that have pushed each other drift.
    #[default]
    Flock,
    /// Every unit's present position: units stand, make room for others, and
    /// stop again. For units without an order.
    Stand,
    /// The place at which each unit got this target, or to which it was
    /// [put](crate::steer::Army::set_position): the unit makes room for others that go
    /// past, and comes back. It counts as arrived, without an event.
    Hold,
    /// Straight to a point, whatever is in between; the units settle around it.
    Point([f32; 2]),
    /// The unit with this id: straight toward it, and then along with it. A unit
    /// whose way there is blocked follows the wall at best; for long ways
    /// [pursue](Self::Pursue) it. If there is no such unit, the same as
    /// [`Stand`](Self::Stand).
    Follow(u32),
    /// The unit with this id, wherever it goes: the army makes an order to it and re-aims
    /// it in [`cover_strays`](crate::steer::Army::cover_strays), on the layer of the group's last
    /// order. Units that see it go straight to it and stop within range. The pursuit ends
    /// with [`Lost`](crate::steer::ArmyEvent::Lost) once the unit is gone, or farther than the
    /// leash from where the group was when it began.
    Pursue(u32, Chase),
    /// As [`Order`](Self::Order); but a unit that sees a foe of its group's
    /// [team](crate::steer::GroupSettings::foes) goes straight to it and stops within range, until the
    /// foe is gone, out of sight, or farther than the leash from where the unit left the
    /// march. Then it takes the march up again, and goes for the same foe again only within
    /// that leash, or once it is itself farther away from there. Units that have arrived do the
    /// same, and come back.
    AttackMove(Order, Chase),
    /// Away from a unit, or from all foes of the group's [team](crate::steer::GroupSettings::foes):
    /// to a place that the group can reach sooner than they, chosen anew by
    /// [`cover_strays`](crate::steer::Army::cover_strays) as they come. The group has arrived once
    /// none of them is within the distance that is safe.
    Flee {
        /// The id of the unit from which to flee; `None` for the nearest foe.
        from: Option<u32>,
        /// The distance from the group's middle that is safe, in cells.
        safe: f32,
    },
    /// The goal of an order: a unit goes to the goal cell to which the order
    /// leads it, and settles around it. After
    /// [`FlowWorld::aim`](crate::FlowWorld::aim), which redirects one claim
    /// only, set the group's target again.
    Order(Order),
}

impl From<Order> for Target {
    fn from(order: Order) -> Self {
        Self::Order(order)
    }
}

impl Target {
    /// Checks that a point is on a map of any size, and that distances are.
    pub(crate) fn check(&self) -> Result<(), ArmyError> {
        let point = match self {
            Self::Point(point) => point,
            Self::Pursue(_, chase) | Self::AttackMove(_, chase) => return chase.check(),
            Self::Flee { safe, .. } => return check_distance("safe distance", *safe),
            _ => return Ok(()),
        };
        match point.iter().find(|at| !(-MOST..=MOST).contains(*at)) {
            None => Ok(()),
            Some(&value) => Err(ArmyError::Group {
                field: "target point",
                value,
                wanted: "two numbers from -1,000,000 to 1,000,000",
            }),
        }
    }

    /// The unit whose place and velocity the units of the group read.
    pub(crate) const fn leader(&self) -> Option<u32> {
        match self {
            Self::Follow(unit) | Self::Pursue(unit, _) => Some(*unit),
            Self::Flock
            | Self::Stand
            | Self::Hold
            | Self::Point(_)
            | Self::AttackMove(..)
            | Self::Flee { .. }
            | Self::Order(_) => None,
        }
    }

    /// Whether units stand where they are.
    pub(crate) fn stands(&self) -> bool {
        *self == Self::Stand
    }

    /// Whether units keep a place of their own, to which they come back.
    pub(crate) fn holds(&self) -> bool {
        *self == Self::Hold
    }

    /// The state in which units set out for the target.
    pub(crate) const fn first_state(&self) -> UnitState {
        match self {
            Self::Hold => UnitState::Arrived,
            _ => UnitState::Marching,
        }
    }

    /// Whether a group can have arrived, so that its next target follows.
    pub(crate) const fn ends(&self) -> bool {
        self.is_stop() || matches!(self, Self::Pursue(..) | Self::Flee { .. })
    }

    /// Whether units go elsewhere for it, so that they can be cut off.
    pub(crate) const fn leads_away(&self) -> bool {
        !matches!(self, Self::Flock | Self::Stand | Self::Hold)
    }

    pub(crate) const fn is_stop(&self) -> bool {
        matches!(self, Self::Point(_) | Self::Order(_) | Self::AttackMove(..))
    }

    /// Whether the group remembers more for it than its units do.
    pub(super) const fn is_errand(&self) -> bool {
        matches!(
            self,
            Self::Pursue(..) | Self::AttackMove(..) | Self::Flee { .. }
        )
    }

    /// Returns what a group with this target begins with.
    pub(crate) fn errand(&self) -> Option<Box<Errand>> {
        self.is_errand().then(Box::default)
    }

    /// Returns the order that the game gave.
    pub(crate) const fn order(&self) -> Option<&Order> {
        match self {
            Self::Order(order) | Self::AttackMove(order, _) => Some(order),
            _ => None,
        }
    }

    /// Returns the same, to bind it to another world.
    pub(super) const fn order_mut(&mut self) -> Option<&mut Order> {
        match self {
            Self::Order(order) | Self::AttackMove(order, _) => Some(order),
            _ => None,
        }
    }

    pub(crate) fn layer(&self) -> Option<LayerId> {
        self.order().map(|order| order.goal().layer())
    }

    /// Checks that none of these targets, one after the other, takes a group from a layer to the
    /// ground: the game has most likely named no layer.
    pub(crate) fn check_layers<'t>(
        group: GroupId,
        mut layer: LayerId,
        targets: impl IntoIterator<Item = &'t Self>,
    ) -> Result<(), ArmyError> {
        for next in targets.into_iter().filter_map(Self::layer) {
            if next == LayerId::GROUND && layer != next {
                return Err(ArmyError::GroundOrder { group, layer });
            }
            layer = next;
        }
        Ok(())
    }

    /// Returns a mark that targets have in common if their units settle
    /// together.
    pub(crate) fn mark(&self) -> Option<[u64; 3]> {
        if let Self::Point([x, y]) = self {
            return Some([2, x.to_bits().into(), y.to_bits().into()]);
        }
        let order = self.order()?;
        let cell = order.goal().cell();
        match order.goal().cells().nth(1) {
            None => Some([0, cell.x as u64, cell.y as u64]),
            Some(_) => Some([1, order.number(), 0]),
        }
    }
}

/// How units chase: where they stop, and when they give up.
///
/// ```
/// use flowtiles::steer::Chase;
///
/// let archers = Chase::default().with_range(6.0).with_sight(12.0);
/// assert_eq!((archers.range, archers.sight, archers.leash), (6.0, 12.0, 24.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chase {
    /// The gap between the bodies at which a unit stops, if the straight line to its quarry
    /// is free of walls. From 0 to 1,000,000 cells, as the other two.
    pub range: f32,
    /// How far from where the chase began the quarry may be: of a group that
    /// [pursues](crate::steer::Target::Pursue), or of a unit that left its
    /// [march](crate::steer::Target::AttackMove).
    pub leash: f32,
    /// How far a unit on an attack sees foes. It goes for those within the leash, once the
    /// straight line there is free and no longer than 32 cells.
    pub sight: f32,
}

impl Default for Chase {
    /// Returns a chase to a gap of 0.5 cells, with a leash of 24 cells and a sight of 10.
    fn default() -> Self {
        Self {
            range: 0.5,
            leash: 24.0,
            sight: 10.0,
        }
    }
}

impl Chase {
    /// Returns the chase with another range.
    #[must_use]
    pub const fn with_range(mut self, range: f32) -> Self {
        self.range = range;
        self
    }

    /// Returns the chase with another leash.
    #[must_use]
    pub const fn with_leash(mut self, leash: f32) -> Self {
        self.leash = leash;
        self
    }

    /// Returns the chase with another sight.
    #[must_use]
    pub const fn with_sight(mut self, sight: f32) -> Self {
        self.sight = sight;
        self
    }

    pub(crate) fn check(&self) -> Result<(), ArmyError> {
        let Self {
            range,
            leash,
            sight,
        } = *self;
        check_distance("range of a chase", range)?;
        check_distance("leash of a chase", leash)?;
        check_distance("sight of a chase", sight)
    }

    pub(crate) const fn amounts(&mut self) -> [&mut f32; 3] {
        [&mut self.range, &mut self.leash, &mut self.sight]
    }
}

pub(super) fn check_distance(field: &'static str, value: f32) -> Result<(), ArmyError> {
    if (0.0..=MOST).contains(&value) {
        return Ok(());
    }
    Err(ArmyError::Group {
        field,
        value,
        wanted: "a number from 0 to 1,000,000 cells",
    })
}
