#![doc = include_str!("../README.md")]

mod battle;
mod class;
mod envelope;
#[cfg(feature = "gizmos")]
mod gizmos;
mod obstacle;
mod orders;
mod plane;
mod plugin;
mod restore;
mod sight;
mod steps;
mod unit;

pub use battle::{Battle, FlowArmy, FlowMap, FlowUnits, Main, unit_entity};
pub use class::{FlowLayer, FlowTeam};
#[cfg(feature = "gizmos")]
pub use gizmos::{FlowGizmosPlugin, FlowOverlays};
pub use obstacle::{FlowObstacle, FlowShape};
pub use orders::{FlowError, FlowOrder, FlowRefused, Whom};
pub use plane::{FlowPlane, Lie};
pub use plugin::{FlowtilesPlugin, FlowtilesSystems};
pub use restore::{FlowLoadError, FlowSnapshot, load, next_level, rollback, save, snapshot};
pub use sight::FlowSight;
pub use steps::FlowEvent;
pub use unit::{FlowDrive, FlowMotion, FlowUnit, InGroup};

/// The engine itself.
pub use flowtiles;

/// What most games name.
pub mod prelude {
    pub use crate::{
        FlowArmy, FlowDrive, FlowEvent, FlowLayer, FlowMap, FlowMotion, FlowObstacle, FlowOrder,
        FlowPlane, FlowRefused, FlowShape, FlowSight, FlowTeam, FlowUnit, FlowUnits,
        FlowtilesPlugin, FlowtilesSystems, InGroup, Lie,
    };
    #[cfg(feature = "gizmos")]
    pub use crate::{FlowGizmosPlugin, FlowOverlays};
    pub use flowtiles::steer::{ArmyEvent, Chase, GroupId, Line, Sending, Target, UnitState};
    pub use flowtiles::{
        Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, MapTransform, Movement,
        Teams,
    };
}
