//! Costs: the engine's only input.
//!
//! A cell costs 1 (open ground) to 254, or is a wall (255). Costs are stored by
//! sector. On most maps most sectors are entirely open or entirely wall. They
//! need no storage of their own: all sectors of a single cost share one tile. A
//! write to a shared tile makes a copy first, and a tile that has a single cost
//! again is shared again. Costs that a game stores elsewhere stay there
//! (`source.rs`): a sector of such a map is read when needed, and stored once
//! it is written to.
//!
//! Links (`links.rs`) join cells that do not lie beside each other.
//!
//! Stamps and blockers (`stamps.rs`) lie over the ground. The cost map holds
//! the result, and the rest of the engine sees nothing else. Surcharges (`surcharges.rs`) lie
//! over the costs of a layer, and fog (`fog.rs`) before what a team knows. Some kinds of ground may
//! be opaque (`opaque.rs`).
//!
//! The price of a step is defined by the step rule of
//! [`kernel`](crate::kernel), which multiplies the cost by the weight of the
//! step.

mod deriving;
mod edition;
mod fog;
mod layer;
mod links;
mod made;
mod map;
mod opaque;
mod packed;
mod polygon;
mod refusal;
mod sector_change;
mod sectors_digest;
mod source;
mod stamps;
mod surcharges;
mod template;
mod tile;
mod tiles;
mod value;

pub(crate) use deriving::{Deriving, WallRows};
#[cfg(feature = "steer")]
pub(crate) use edition::Edition;
pub(crate) use fog::Fog;
pub use layer::{LayerError, LayerId, MAX_SIZE, MAX_TEAMS, Movement, Teams};
pub(crate) use links::{CellLink, Links, MAX_AREA};
pub use links::{Link, LinkId, MAX_LINK_CELLS};
pub use map::CostMap;
pub(crate) use opaque::Opaque;
pub use refusal::{CostMapError, OffMap};
pub(crate) use sector_change::SectorChange;
pub use source::{CostSource, SectorCosts};
pub(crate) use stamps::{Gate, PlacedStamp, Stamps};
pub use stamps::{GateId, MAX_GATE_CELLS, StampId};
pub(crate) use surcharges::{SetBy, Surcharges};
pub use template::{StampTemplate, TemplateError, Turn};
pub(crate) use tile::{CostTile, TileWalls};
pub(crate) use tiles::TileRef;
pub use value::{Cost, ZeroCost};
