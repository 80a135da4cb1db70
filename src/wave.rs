//! The step rule, and the kernels that settle one tile by it.
//!
//! The rule stands in `step`: which neighbour a unit may enter, and at what
//! price. A kernel is the same rule for all hundred cells of a tile at once,
//! with the ring of cells around it as its frame.
//!
//! ```text
//!   settle   one tile from the values around it       walks   costs inside one
//!     │                                                 │      tile
//!   halo, ground    what goes in and comes out          │
//!     │                                                 │
//!   sweep, flow, border    the stages ──────────────────┤
//!     │                                                 │
//!   prices, row    the rule, a row at a time         abreast   a lane a walk
//!     │                                                 │
//!   lanes ── arrays, sse2    vectors ───────────────────┘
//!
//!   light, beam    what of a tile sees the goal        sight    one line
//!
//!   frame, kernel, wide    the rule, a cell at a time, for values of any size
//! ```

mod abreast;
#[cfg(any(test, portable_lanes, not(target_arch = "x86_64")))]
mod arrays;
mod beam;
mod better;
mod border;
mod bound;
mod fast;
mod flow;
mod frame;
mod ground;
mod halo;
mod kernel;
mod lanes;
mod light;
mod prices;
mod row;
mod settle;
mod sight;
mod span;
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
mod sse2;
mod step;
mod sweep;
#[cfg(test)]
mod tests;
mod threshold;
mod walkers;
mod walks;
mod wide;

pub(crate) use better::{better, better_wide};
pub(crate) use bound::Bound;
pub(crate) use frame::{Frame, UNREACHED, Values};
pub(crate) use ground::{Costs, Ground, Walls};
pub(crate) use halo::{Borders, CLOSED_SIDE, Halo, NO_WAY, Seed, Side, Wake};
pub(crate) use light::{Incoming, Light, TEN, rows_inside, shine};
pub(crate) use settle::settle;
pub use sight::{FINE, Sight};
pub(crate) use span::{FAR_OFF, LANDMARKS, Prices, Span};
pub(crate) use step::{DIAGONAL, STRAIGHT, octile, price_among, step_price, weight};
pub(crate) use threshold::Threshold;
pub(crate) use walks::{is_half, walks_between, walks_between_in_two, walks_over, walks_to};
