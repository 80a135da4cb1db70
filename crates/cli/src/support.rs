//! Code shared by several commands: reading maps, drawing pictures, figures, messages.
//! Nothing here names a command, and no two modules name each other.

pub mod animation;
pub mod asked;
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
pub mod pictured;
pub mod span_log;
pub mod threads;
pub mod viewport;
