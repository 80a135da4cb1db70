//! Looking at movement: what a world holds as lists of shapes, and answers to
//! "why does this unit go there?".
//!
//! People find faults in movement by looking. This module turns a world, its
//! orders and their units into [`DrawList`]s: filled cells, lines, arrows, dots
//! and labels in cell coordinates, each with a class of colour. It draws no
//! pixel and knows no engine, so a game, a web page and the `flowtiles` command
//! draw the same lists with their own means.
//!
//! ```
//! use flowtiles::inspect::{Detail, Layer, Subject, draw};
//! use flowtiles::{Budget, Cell, CostMap, FlowWorld, Rect};
//!
//! let mut world = FlowWorld::new(CostMap::open(200, 200)?);
//! let order = world.order(Cell::new(190, 190), &[Cell::new(5, 5)])?;
//! world.tick(Budget::UNLIMITED);
//! let subject = Subject::of(&world).with_orders(std::slice::from_ref(&order));
//! let view = Rect::new(0, 0, 40, 30);
//! let list = draw(&subject, view, &[Layer::Cost, Layer::Flow], Detail::Arrows);
//! assert!(list.primitives.iter().any(|shape| shape.layer == Layer::Flow));
//!
//! let answer = flowtiles::inspect::explain(&world, &order, Cell::new(5, 5));
//! println!("{answer}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`draw()`] makes a list of a part of the map. It reads the cells of the view,
//!   so it costs as much as the view is large, however large the map is. Three
//!   layers cost what orders hold instead: [`Layer::Integration`] what they have
//!   loaded, [`Layer::Ways`] their units' ways, [`Layer::Units`] their units and
//!   goals.
//! - [`Detail`] adapts a list to the size at which it is shown: no arrows in
//!   cells of two pixels, no cells in pixels of ten cells.
//! - [`clearance()`] and [`density()`] are two of the layers as plain numbers.
//! - [`explain()`] says in words what an order tells a unit at a cell, and why.
//! - [`steps()`] watches an order being made and keeps what each tick did;
//!   [`draw_step`] draws one of them.
//!
//! All of it reads; only [`steps()`] and [`free`] tick the world, as a game would.

mod blocks;
mod clearance;
mod density;
mod detail;
mod draw;
mod explain;
mod fields;
mod graph;
mod ground;
mod json;
mod layer;
mod list;
mod step_picture;
mod steps;
mod subject;
mod values;
mod ways;
mod words;

pub use clearance::{CLEARANCE_MAX, clearance};
pub use density::density;
pub use detail::{Detail, Scale};
pub use draw::draw;
pub use explain::{Answer, Exit, Explanation, explain};
pub use layer::{Layer, UnknownLayer};
pub use list::{DrawList, Key, KeyEntry, Paint, Point, Primitive, Ramp, Shape};
pub use step_picture::draw_step;
pub use steps::{Step, StepStage, free, steps};
pub use subject::Subject;
pub use values::CellValues;
