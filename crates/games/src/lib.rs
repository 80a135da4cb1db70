//! Drawn games: calls of every kind on a world and an army, and after each of them all that must
//! hold is checked.
//!
//! ```text
//!   seed, or bytes ─▶ Random ─▶ draw ─▶ Call ─▶ Game::apply ─▶ world and army
//!                                        │           │              ║
//!                      a failing game:   │           └─▶ model ═════╝ must be equal
//!                      fewer calls ◀─────┘
//! ```
//!
//! The [`Game`] panics where something does not hold: an army that is not as the plain model of
//! it says, a unit in a wall, a direction that leads into one, a derived part that is not what
//! would be built anew. `flowtiles soak`, the fuzz target `crowds` and the tests of this crate play
//! such games; [`play`] prints the few calls that make a game fail.

mod apply;
mod ask;
mod call;
mod draw;
mod game;
mod ground;
mod groups;
mod judge;
mod model;
mod move_on;
mod random;
mod shrink;
#[allow(dead_code, reason = "numbers are made plain by others")]
#[path = "../../../tests/draws/tries.rs"]
mod tries;

pub use call::{Aim, Call, Mission, Nth, Setting};
pub use draw::draw;
pub use game::{Game, Kind, Rules};
pub use random::{Bytes, Random};
pub use shrink::play;
