//! Why an army refuses what a game asks.

use std::fmt;

use super::ids::GroupId;
use crate::cost::LayerId;
#[cfg(feature = "crowd")]
use crate::crowd::CrowdError;
use crate::order::OrderError;

/// Why an [`Army`](crate::steer::Army) refused a call. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ArmyError {
    /// The army has a unit with this id already.
    UnitExists {
        /// The id.
        unit: u32,
    },
    /// The army has no unit with this id.
    NoUnit {
        /// The id.
        unit: u32,
    },
    /// The army has no group of this number any more, or never had.
    NoGroup {
        /// The group.
        group: GroupId,
    },
    /// A call for several groups names none.
    NoGroups,
    /// A call for several groups names one twice.
    GroupTwice {
        /// The group.
        group: GroupId,
    },
    /// The group follows an order on another layer than the one to set.
    OtherLayer {
        /// The group.
        group: GroupId,
        /// The layer of its order.
        layer: LayerId,
    },
    /// The layer to set is not derived: units would walk on it as on the ground.
    NotDerived {
        /// The layer.
        layer: LayerId,
    },
    /// An order for the ground was given to a group on another layer.
    GroundOrder {
        /// The group.
        group: GroupId,
        /// Its layer.
        layer: LayerId,
    },
    /// The world refused an order, or has no such layer.
    Order(OrderError),
    /// A value of a unit cannot be used.
    Unit {
        /// The unit's id.
        unit: u32,
        /// The name of the field.
        field: &'static str,
        /// The value that was given.
        value: f32,
        /// The values that are allowed.
        wanted: &'static str,
    },
    /// A value of a group's target or formation cannot be used.
    Group {
        /// What the value is.
        field: &'static str,
        /// The value that was given.
        value: f32,
        /// The values that are allowed.
        wanted: &'static str,
    },
    /// A setting of the army cannot be used.
    Setting {
        /// The name of the field.
        field: &'static str,
        /// The value that was given.
        value: f32,
        /// The values that are allowed.
        wanted: &'static str,
    },
    /// A patrol needs targets that can be reached.
    Patrol,
    /// The army has as many groups as it can have.
    TooManyGroups,
    /// The crowd refused a parameter.
    #[cfg(feature = "crowd")]
    Crowd(CrowdError),
}

impl fmt::Display for ArmyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnitExists { unit } => write!(
                f,
                "the army has a unit {unit} already: give the new unit another id, \
                 or remove the old one first"
            ),
            Self::NoUnit { unit } => write!(
                f,
                "the army has no unit {unit}: it was removed or never added"
            ),
            Self::NoGroup { group } => write!(
                f,
                "the army has no group {group}: it was removed, or belongs to another army; \
                 use an id that `add_group` of this army returned"
            ),
            Self::NoGroups => f.write_str("no group is named: give at least one"),
            Self::GroupTwice { group } => {
                write!(f, "group {group} is named twice: name each group once")
            }
            Self::OtherLayer { group, layer } => write!(
                f,
                "group {group} follows an order on {layer}: send it to a target without an \
                 order first, or give it an order on the layer that it is to have"
            ),
            Self::NotDerived { layer } => write!(
                f,
                "{layer} is not derived, so units would walk on it as on the ground: call \
                 `FlowWorld::derive_layer` with it first"
            ),
            Self::GroundOrder { group, layer } => write!(
                f,
                "group {group} is on {layer}, and the order is for the ground: make it with \
                 `Goal::on` for the group's layer, or set the group's layer to the ground's first"
            ),
            Self::Order(error) => error.fmt(f),
            Self::Unit {
                unit,
                field,
                value,
                wanted,
            } => write!(
                f,
                "the {field} of unit {unit} cannot be {value}: set it to {wanted}"
            ),
            Self::Group {
                field,
                value,
                wanted,
            } => write!(f, "the {field} cannot be {value}: set it to {wanted}"),
            Self::Setting {
                field,
                value,
                wanted,
            } => write!(
                f,
                "the setting `{field}` cannot be {value}: set it to {wanted}"
            ),
            Self::Patrol => f.write_str(
                "a patrol needs targets that can be reached: give at least one, \
                 and only orders and points",
            ),
            Self::TooManyGroups => f.write_str(
                "the army has 268,435,456 groups, and cannot number more: remove some first",
            ),
            #[cfg(feature = "crowd")]
            Self::Crowd(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ArmyError {}

impl From<OrderError> for ArmyError {
    fn from(error: OrderError) -> Self {
        Self::Order(error)
    }
}

#[cfg(feature = "crowd")]
impl From<CrowdError> for ArmyError {
    fn from(error: CrowdError) -> Self {
        Self::Crowd(error)
    }
}
