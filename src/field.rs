//! Fields: the loaded sectors of an order, integrated and turned into
//! directions.
//!
//! A [`Region`] integrates: it settles the loaded sectors, from the goals
//! outward, until every loaded cell holds the price of the best way that stays
//! in loaded sectors. Then a lamp is lit at the goal, to see which cells lie in
//! sight of it. A [`FlowField`] is what is kept: a byte a cell, and the costs-to-go
//! of each tile's border. From a field a region may go on, with more sectors.

mod far;
mod flow;
mod light;
mod loaded;
mod near;
mod nine;
mod octant;
mod patch;
mod region;
mod sources;
#[cfg(test)]
mod tests;

pub(crate) use flow::{Flow, FlowField};
pub(crate) use region::{Growth, Region, TileState};
