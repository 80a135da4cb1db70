//! Code shared by several commands: reading maps, drawing pictures, drawn
//! countries and scenes, replays, checks of the engine's answers. Nothing here
//! names a command, and no two modules name each other.

pub mod asked;
pub mod daylight;
pub mod drawing;
pub mod failure;
pub mod figures;
pub mod font;
pub mod host;
pub mod judge;
pub mod map_file;
pub mod memory;
pub mod numbers;
pub mod output;
pub mod picture;
pub mod pictured;
pub mod referee;
pub mod span_log;
pub mod threads;
pub mod viewport;
pub mod walk;
pub mod whole_file;
