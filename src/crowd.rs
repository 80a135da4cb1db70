//! Continuum Crowds: density, flow and prediction in the sectors with a crowd.
//!
//! A flow field leads every unit along the cheapest path, as if it were alone.
//! Where many units go, another path is cheaper: around a jam, with a stream of
//! units and not against it, through the second door. This module implements
//! the method of Treuille, Cooper and Popović ("Continuum Crowds", 2006): units
//! become a density and a flow, both raise the cost of steps, and one solve for
//! each destination finds the cheapest path in that crowd, over all angles.
//!
//! ```text
//!   units ─▶ density, flow, discomfort ─▶ costs ─▶ potential ─▶ directions
//!            shared by all streams        one set for each stream, by its α, β, γ
//! ```
//!
//! The method runs only where there is a crowd: in the sectors with a group's
//! units and in a margin around them. At their rim the order's own cost-to-go
//! is the boundary condition, so the cost of a solve does not depend on the
//! size of the map. Elsewhere units follow the order's flow field.
//!
//! An [`Army`](crate::steer::Army) does all of this for groups that read
//! [`Reading::Crowd`](crate::steer::Reading::Crowd). For units that the game
//! moves itself, a [`Crowd`] takes [`CrowdUnit`]s and returns [the direction to
//! go](Crowd::direction):
//!
//! ```
//! use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit};
//! use flowtiles::{Budget, Cell, CostMap, FlowWorld};
//!
//! let mut world = FlowWorld::new(CostMap::open(60, 30)?);
//! let order = world.order(Cell::new(50, 15), &[Cell::new(5, 15)])?;
//! while !world.tick(Budget::cells(4_000)).is_done() {}
//!
//! let mut crowd = Crowd::new(CrowdSettings::default())?;
//! let mut places: Vec<[f32; 2]> = (0..20).map(|at| [5.5, 5.5 + at as f32]).collect();
//! for _ in 0..100 {
//!     let stream = crowd.join(&world, &order, &Conduct::default(), 4.0)?;
//!     let walkers: Vec<CrowdUnit> = places
//!         .iter()
//!         .map(|&position| CrowdUnit {
//!             position,
//!             velocity: [0.0, 0.0],
//!             stream: Some(stream),
//!             stands: false,
//!         })
//!         .collect();
//!     crowd.step(&world, &walkers, 0.05);
//!     for place in &mut places {
//!         if let Some([x, y]) = crowd.direction(stream, *place) {
//!             *place = [place[0] + 0.2 * x, place[1] + 0.2 * y];
//!         }
//!     }
//! }
//! assert!(places.iter().all(|[x, _]| *x > 20.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From the order's costs to the potential
//!
//! The order counts costs in fifths of a straight step, times the cost of the
//! ground. Here a step of length 1 over free ground of cost c costs c·(α + β):
//! the ground multiplies both the length and the time of a path. So the order's
//! cost-to-go, divided by 5 and times α + β, *is* the potential at the rim, for
//! any α, except that the order's paths have only eight directions. Where the
//! game gives heights, the true potential lies between this value and 1 / `uphill`
//! times it.
//!
//! # The same on every machine
//!
//! The solver uses only + − × ÷ and √, like [`steer`](mod@crate::steer). Each
//! stream is solved by itself, within a quota of work that is fixed before the
//! solves start, so the number of threads makes no difference.

mod conduct;
mod domain;
mod eikonal;
mod fields;
mod goals;
mod ground;
mod heights;
mod layout;
mod marching;
mod numbering;
mod paint;
mod pricing;
mod quota;
mod rounds;
mod stream;
#[cfg(test)]
mod tests;
mod views;

pub use conduct::{Conduct, CrowdError, CrowdSettings};
pub use heights::Heights;
#[cfg(feature = "steer")]
pub(crate) use heights::Levels;
pub use marching::FastMarching;
pub use paint::Danger;
#[cfg(feature = "steer")]
pub(crate) use paint::PaintedSector;
#[cfg(feature = "steer")]
pub(crate) use rounds::CrowdGiven;
pub use rounds::{Crowd, CrowdUnit, StreamId};
pub use stream::SolveStage;
pub use views::CrowdStats;
