//! Plain methods, without any hierarchy, as well made as we can: what an
//! engine must beat to be worth its while.

mod astar;
mod field;
mod optimum;
mod queue;
mod steps;

pub use astar::Astar;
pub use field::Field;
pub use optimum::optima;
pub use queue::{Buckets, Heap, Queue};
