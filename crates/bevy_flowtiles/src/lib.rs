#![doc = include_str!("../README.md")]

mod battle;
#[cfg(feature = "gizmos")]
mod gizmos;
mod orders;
mod plane;
mod plugin;
mod restore;
mod steps;
mod unit;

pub use battle::{Battle, FlowArmy, FlowMap, Main};
#[cfg(feature = "gizmos")]
pub use gizmos::{FlowGizmosPlugin, FlowOverlays};
pub use orders::{FlowError, FlowOrder, FlowRefused, Whom};
pub use plane::{FlowPlane, Lie};
pub use plugin::{FlowtilesPlugin, FlowtilesSystems};
pub use restore::{FlowLoadError, FlowSnapshot, load, rollback, save, snapshot};
pub use steps::FlowEvent;
pub use unit::{FlowMotion, FlowUnit, InGroup};

/// The engine itself.
pub use flowtiles;

/// What most games name.
pub mod prelude {
    pub use crate::{
        FlowArmy, FlowEvent, FlowMap, FlowMotion, FlowOrder, FlowPlane, FlowRefused, FlowUnit,
        FlowtilesPlugin, FlowtilesSystems, InGroup, Lie,
    };
    #[cfg(feature = "gizmos")]
    pub use crate::{FlowGizmosPlugin, FlowOverlays};
    pub use flowtiles::steer::{ArmyEvent, Chase, GroupId, Line, Sending, Target, UnitState};
    pub use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, MapTransform};
}
