//! A session with worlds of [flowtiles], as `flowtiles inspect` and a page in the browser
//! hold one: stages with bands of units, time, undo, recordings, replays, files.
//!
//! ```text
//!   page ─▶ View ─▶ requests ─▶ Session ─▶ Play: stages, history, selection
//!     ▲       ▲                    │         │
//!     ╰───────┴────── shown ◀──────╯         ╰─▶ Recording ─▶ replay ─▶ Playback
//! ```
//!
//! The host calls [`Session::picture`] some thirty times a second, makes the stages that
//! the session [wants](Session::wanted), and passes files to [`Session::answer`]. There
//! are no sockets, files or clocks here, so it runs in a browser as well.

#![allow(missing_docs)]

mod aim;
pub mod begin;
mod brushes;
mod clock;
mod copied_test;
mod country;
mod crowd;
mod discomfort;
mod fields;
pub mod files;
mod ghosts;
mod history;
mod inquiry;
mod life;
mod paths;
pub mod play;
mod reach;
pub mod recording;
pub mod replay;
mod session;
mod spent;
pub mod stage;
mod start;
mod terrain;
mod timed_order;
mod ways;

pub use clock::Clock;
pub use files::{Answered, ReadMap};
pub use play::Play;
pub use recording::Playback;
pub use session::{Host, Session};
pub use start::Start;
