//! Fields: the loaded sectors of an order, integrated and turned into
//! directions.
//!
//! A [`Region`] integrates: it settles the loaded sectors, from the goals
//! outward, until every loaded cell holds the cost of the cheapest path that
//! stays in loaded sectors. A [`FlowField`] is what remains: a byte a cell, and the
//! costs-to-go of each tile's border. A region can continue a field with more
//! sectors.

mod far;
mod flow;
mod loaded;
mod near;
mod nine;
mod patch;
mod region;
mod region_links;
mod sources;
#[cfg(test)]
mod tests;
mod tile_costs;

pub(crate) use flow::{Flow, FlowField};
pub(crate) use region::{Growth, Region};
pub(crate) use tile_costs::{in_u32, tile_costs};
