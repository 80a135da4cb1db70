//! What can go wrong, one type for each kind of call. Every error says what is wrong with
//! which value, and what to do; nothing has changed then.

pub use crate::cost::{CostMapError, LayerError, OffMap, TemplateError, ZeroCost};
pub use crate::grid::SizeError;
pub use crate::order::OrderError;
pub use crate::world::{
    BlockError, FogError, GateError, LinkError, LoadError, RowsError, StampError, SurchargeError,
};
