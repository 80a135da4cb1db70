//! The step rule, and the kernels that settle one tile by it.
//!
//! `step` has the rule: which neighbour a unit may enter, and at what price. A
//! kernel applies the rule to all hundred cells of a tile at once. Tile and
//! halo together are its *frame*.
//!
//! ```text
//!   settle   one tile from the values around it       walks   costs inside one
//!     │                                                 │      tile
//!   halo, ground, units    inputs and outputs           │
//!     │                                                 │
//!   sweep, flow, border    the stages ──────────────────┤
//!     │                                                 │
//!   prices, row    the rule, row by row              abreast   a walk per lane
//!     │                                                 │
//!   lanes    vectors ──────────────────────────────────┘
//!
//!   frame, scalar, wide    the rule, cell by cell, for values of any size
//! ```

mod abreast;
mod border;
mod flow;
mod frame;
mod ground;
mod halo;
mod lanes;
mod prices;
mod row;
mod scalar;
mod settle;
mod step;
mod sweep;
#[cfg(test)]
mod tests;
mod threshold;
mod units;
mod walkers;
mod walks;
mod wide;

pub(crate) use flow::{HERE, NO_DIRECTION};
pub(crate) use frame::{Frame, UNREACHED};
pub(crate) use ground::{Costs, Ground, Walls};
pub(crate) use halo::{Borders, CLOSED_SIDE, Halo, NO_PATH, Seed, Settling, SideValues, Wake};
pub(crate) use settle::settle;
pub(crate) use step::{DIAGONAL, STRAIGHT, octile, price_among, step_price, weight};
pub(crate) use threshold::Threshold;
pub(crate) use walks::{is_half, walks_between, walks_between_in_two, walks_to};
