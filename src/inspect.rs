//! Inspecting movement: the contents of a world as lists of shapes, and answers
//! to "why does this unit go there?".
//!
//! People find faults in movement by looking. This module turns a world, its
//! orders and their units into [`DrawList`]s: filled cells, lines, arrows, dots
//! and labels in cell coordinates, each with a class of colour. It draws no
//! pixels and depends on no engine, so a game, a web page and the `flowtiles`
//! command can draw the same lists in their own ways.
//!
//! ```
//! use flowtiles::inspect::{Detail, Overlay, Subject, draw};
//! use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld};
//!
//! let mut world = FlowWorld::new(CostMap::open(200, 200)?);
//! let order = world.order(Cell::new(190, 190), &[Cell::new(5, 5)])?;
//! world.tick(Budget::UNLIMITED);
//! let subject = Subject::of(&world).with_orders(std::slice::from_ref(&order));
//! let view = CellRect::new(0, 0, 40, 30);
//! let list = draw(&subject, view, &[Overlay::Cost, Overlay::Flow], Detail::Arrows);
//! assert!(list.primitives.iter().any(|shape| shape.overlay == Overlay::Flow));
//!
//! let answer = flowtiles::inspect::explain(&world, &order, Cell::new(5, 5));
//! println!("{answer}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`draw()`] makes a list for a part of the map. It reads the cells of the
//!   view, so its time depends on the size of the view and not of the map. For
//!   three overlays it depends on the orders instead: [`Overlay::Integration`] on
//!   their loaded sectors, [`Overlay::Paths`] on their units' paths,
//!   [`Overlay::Units`] on their units and goals.
//! - [`Detail`] adapts a list to the size at which it is shown: no arrows in
//!   cells of two pixels, no cells in pixels of ten cells.
//! - [`clearance()`] and [`density()`] return two of the overlays as plain
//!   numbers.
//! - [`explain()`] explains in words the direction that an order gives a unit
//!   at a cell.
//! - [`steps()`] watches an order being computed and records what each tick
//!   did; [`draw_step`] draws one of these steps.
//!
//! Only [`steps()`] and [`free`] tick the world, as a game would; everything
//! else only reads it.

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
mod list;
mod overlay;
mod paths;
mod step_picture;
mod steps;
mod subject;
mod values;
mod words;

pub use clearance::{CLEARANCE_MAX, clearance};
pub use density::density;
pub use detail::{Detail, Scale};
pub use draw::draw;
pub use explain::{Answer, Exit, Explanation, explain};
pub use list::{DrawList, Figure, Key, KeyEntry, Paint, Point, Primitive, Ramp};
pub use overlay::{Overlay, UnknownOverlay};
pub use step_picture::draw_step;
pub use steps::{Step, StepStage, free, steps};
pub use subject::Subject;
pub use values::CellValues;

pub use crate::bytes::Digest;
pub use crate::world::{Inspection, Integration, OrderStage, StateParts, Stats, Watch};
