//! Continuum Crowds: density, flow and foresight inside the tiles.
//!
//! A flow field leads every unit by the cheapest way, as if it were alone. Where
//! many go, the cheapest way is another: round a jam, with a stream and not
//! against it, through the second door. This module is the method of Treuille,
//! Cooper and Popović ("Continuum Crowds", 2006): units become a density and a
//! flow, these make ways dearer, and one solve for each destination finds the
//! way that is cheapest in that crowd, for all angles.
//!
//! ```text
//!   units ─▶ density, flow, discomfort ─▶ costs ─▶ potential ─▶ directions
//!            shared by all streams        of each stream: where α, β, γ go
//! ```
//!
//! It is solved only where there is a crowd: the sectors with a group's units
//! and a margin. At their rim the order's own cost-to-go is the boundary
//! condition, so the size of the map does not matter. Elsewhere units follow the
//! plain field.
//!
//! An [`Army`](crate::steer::Army) does all of this for groups that read
//! [`Reading::Crowd`](crate::steer::Reading::Crowd). For units that a game moves
//! itself, a [`Crowd`] takes [`Walker`]s and says [where to
//! go](Crowd::way):
//!
//! ```
//! use std::num::NonZeroUsize;
//! use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, Walker};
//! use flowtiles::{Budget, Cell, CostMap, FlowWorld};
//!
//! let mut world = FlowWorld::new(CostMap::open(60, 30)?);
//! let order = world.order(Cell::new(50, 15), &[Cell::new(5, 15)])?;
//! while world.tick(Budget::cells(4_000)).waiting > 0 {}
//!
//! let mut crowd = Crowd::new(CrowdSettings::default())?;
//! let mut places: Vec<[f32; 2]> = (0..20).map(|at| [5.5, 5.5 + at as f32]).collect();
//! for _ in 0..100 {
//!     let stream = crowd.join(&world, &order, &Conduct::default(), 4.0)?;
//!     let walkers: Vec<Walker> = places
//!         .iter()
//!         .map(|&position| Walker {
//!             position,
//!             velocity: [0.0, 0.0],
//!             stream: Some(stream),
//!             stands: false,
//!         })
//!         .collect();
//!     crowd.step(&world, &walkers, 0.05, NonZeroUsize::MIN);
//!     for place in &mut places {
//!         if let Some([x, y]) = crowd.way(stream, *place) {
//!             *place = [place[0] + 0.2 * x, place[1] + 0.2 * y];
//!         }
//!     }
//! }
//! assert!(places.iter().all(|[x, _]| *x > 20.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Prices become potential
//!
//! The order's prices are fifths of a straight step, times the cost of the
//! ground. A step of length 1 over free ground of cost c costs c·(α + β) here:
//! both the length and the time of a way are multiplied by the ground. So the
//! order's cost-to-go divided by 5 and times α + β *is* the potential at the
//! rim, for any α, but for what eight directions make of a way. Where the game
//! gives heights it is a lower bound: the true one is at most 1 / `uphill` times
//! as high.
//!
//! # The same on every machine
//!
//! Only + − × ÷ and √, as in [`steer`](mod@crate::steer). Streams are solved
//! each by itself, by quotas of work shared out beforehand, so the number of
//! threads makes no difference.

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
pub use marching::Marching;
pub use paint::Danger;
pub use rounds::{Crowd, StreamId, Walker};
pub use stream::SolveStage;
pub use views::CrowdStats;
