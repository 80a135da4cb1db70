//! Sector flow fields for armies on very large maps: deterministic,
//! near-optimal, engine-neutral.
//!
//! A map is divided into sectors of 10×10 cells, each cell with a cost. The
//! open windows between sectors are portals, the nodes of a graph. An order
//! (move these units to that goal) searches the graph, loads only the sectors
//! on its route, integrates them from the goal outward, and keeps one direction
//! per cell. Any number of units read their direction in nanoseconds. When the
//! last claim on the order is dropped, its sectors are freed.
//!
//! ```
//! use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Sample};
//!
//! let mut map = CostMap::open(300, 200)?;
//! map.edit(CellRect::new(100, 0, 1, 150), Cost::WALL)?;
//! let mut world = FlowWorld::new(map);
//!
//! let mut unit = Cell::new(5, 5);
//! let order = world.order(Cell::new(240, 20), &[unit])?;
//! world.tick(Budget::cells(100_000));
//! while let Some(direction) = world.sample(&order, unit).direction() {
//!     unit = unit.step(direction);
//! }
//! assert_eq!(world.sample(&order, unit), Sample::Arrived);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The sectors that an order for two units has loaded, and their paths:
//!
#![doc = include_str!("../docs/front.svg")]
//!
//! # Where to begin
//!
//! | I want to … | call |
//! | --- | --- |
//! | make a map | [`CostMap::open`], [`CostMap::from_rows`]; from a file: the crate `flowtiles-formats`; a very large one: [`build`] |
//! | make a world of it, save it, load it | [`FlowWorld::new`], [`save`](FlowWorld::save), [`load`](FlowWorld::load) |
//! | lead units to a goal | [`order`](FlowWorld::order), [`tick`](FlowWorld::tick), [`sample`](FlowWorld::sample) |
//! | read what an order says to a whole area | [`sample_rows`](FlowWorld::sample_rows), [`cost_to_go_rows`](FlowWorld::cost_to_go_rows) |
//! | say what holds if the goal cannot be reached, and how good paths must be | [`Goal`], [`Quality`] |
//! | change the ground, put up a building | [`edit`](FlowWorld::edit), [`stamp`](FlowWorld::stamp), [`block`](FlowWorld::block) |
//! | have gates by team, teleporters, ferries | [`add_gate`](FlowWorld::add_gate), [`add_link`](FlowWorld::add_link) |
//! | have classes of units, and several widths | [`Movement`], [`add_layer`](FlowWorld::add_layer) |
//! | ask without an order | [`reachable`](FlowWorld::reachable), [`travel_cost`](FlowWorld::travel_cost), [`nearest_of`](FlowWorld::nearest_of), [`nearest_free_for`](FlowWorld::nearest_free_for) |
//! | move units with positions, bodies and groups | [`steer::Army`]: [`send_all`](steer::Army::send_all), [`tick`](steer::Army::tick) |
//! | let groups avoid crowds | [`crowd`] |
//! | have cells of another size or place in the game | [`MapTransform`] |
//! | go back to an earlier moment, compare machines | [`fork`](FlowWorld::fork), [`state_hash`](FlowWorld::state_hash) |
//! | look at the graph of portals, with petgraph's algorithms | [`graph`] |
//! | draw a world, explain an answer | [`inspect`] |
//! | know what can go wrong | [`error`] |
//!
//! # Guarantees
//!
//! - **One step rule.** Eight neighbours; a diagonal step needs both cells
//!   beside it open; a step costs the cost of the cell it leaves, times 5 if
//!   straight, times 7 if diagonal.
//! - **Reachable means reached.** Every step lowers the cost-to-go, so a unit
//!   never circles. A unit that cannot reach a goal is reported at once, by a
//!   look-up.
//! - **Reading changes nothing.** Sampling takes `&self` and may be done from
//!   any number of threads.
//! - **Same inputs, same world.** No float, no clock and no hash-map order in
//!   any decision; work is budgeted in cells, not in time.
//!
//! # Features
//!
//! | feature | default | adds | crates |
//! | --- | --- | --- | --- |
//! | `steer` | yes | [`steer`]: units with positions, speeds and bodies, armies, formations | pathfinding |
//! | `crowd` | yes | [`crowd`]: paths that avoid crowds, and `Reading::Crowd` for armies | |
//! | `serde` | | reading and writing of [`Cell`], [`CellRect`], [`Sector`], [`Cost`], [`Goal`], [`Quality`], [`MapTransform`], [`Limits`] and the settings of `steer` and `crowd` | serde |
//! | `mint` | | conversions of cells, positions and velocities to mint's points and vectors | mint |
//! | `rayon` | | builds, ticks, armies and crowds on the threads of the rayon pool that the caller is in | rayon |
//!
//! Without any of them the library depends on petgraph, ahash, parking_lot, tracing
//! and wide. `FlowWorld`, orders, saves and [`inspect`] are always
//! there.
//!
//! # Machines
//!
//! Every 64-bit machine and wasm32, little-endian; the result is the same, byte for byte.
//! x86-64, aarch64 and wasm32 with `-C target-feature=+simd128` have vectors. Without
//! that flag a sector takes a browser twenty times as long. `wasm32-unknown-unknown` is
//! asked for no clock, file or thread.
//!
//! The layers of the code are drawn in `docs/ARCHITECTURE.md`.

// Same inputs, same world: no clock, no iteration over a hash map, and no float where
// the engine decides.
#![deny(clippy::disallowed_types, clippy::float_arithmetic)]

mod arrays;
mod budget;
pub mod build;
mod bytes;
mod clusters;
mod cost;
#[cfg(feature = "crowd")]
#[allow(clippy::float_arithmetic, reason = "IEEE 754 alone, in a fixed order")]
pub mod crowd;
#[cfg(doctest)]
mod doctests;
#[cfg(test)]
mod draws;
pub mod error;
mod field;
pub mod graph;
mod grid;
mod heuristic;
#[allow(clippy::float_arithmetic, reason = "pictures decide nothing")]
pub mod inspect;
#[cfg(feature = "mint")]
mod interop;
mod islands;
mod kernel;
mod lanes;
mod map;
mod order;
mod portal;
mod queue;
mod route;
mod sight;
#[cfg(feature = "steer")]
#[allow(clippy::float_arithmetic, reason = "IEEE 754 alone, in a fixed order")]
pub mod steer;
mod threads;
#[cfg(any(feature = "crowd", feature = "steer"))]
#[allow(clippy::float_arithmetic, reason = "IEEE 754 alone, in a fixed order")]
mod vector;
mod world;

pub use budget::Budget;
pub use cost::{
    Cost, CostMap, GateId, LayerId, Link, LinkId, MAX_GATE_CELLS, MAX_LINK_CELLS, MAX_SIZE,
    MAX_TEAMS, Movement, StampId, StampTemplate, Teams, Turn,
};
pub use grid::{Cell, CellRect, Direction, MAX_SIDE, MapTransform, SECTOR_SIDE, Sector};
pub use order::{Goal, MAX_GOAL_CELLS, MAX_START_COST, Order, Quality};
pub use world::{
    EditReport, FlowWorld, LayerView, Limits, Progress, Sample, SharedWorld, SurchargeReport,
    Waypoint,
};

/// The version of petgraph whose traits [`graph::PortalGraph`] implements, re-exported
/// so that games can use the same one.
pub use ::petgraph;
