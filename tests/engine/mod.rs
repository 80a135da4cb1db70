//! The engine, compared with referees that share no code with it.
//!
//! All files compare with the same [`oracle`](crate::oracle): the naive model, the whole-map
//! Dijkstra, and the drawn maps.

mod builds;
mod cases;
mod clusters;
mod edits;
mod fields;
mod fog;
mod goals;
mod inspect;
mod layers;
mod limits;
mod link_cases;
mod linked;
mod links;
mod living;
mod memory;
mod obstacles;
mod orders;
mod paths;
mod policies;
mod polygons;
mod portals;
mod provisional;
mod quality;
mod questions;
mod referees;
mod refusals;
mod rock;
mod routes;
mod rows;
mod saves;
mod scenarios;
mod sight;
mod slices;
mod sources;
mod stamps;
mod steps;
mod storms;
mod strays;
mod surcharges;
#[cfg(feature = "rayon")]
mod threads;
mod transitions;
