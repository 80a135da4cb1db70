//! The subcommands: `flowtiles NAME` is `commands/NAME.rs`, with the files of its
//! folder below it. A command names `support` and no other command. (`inspect`
//! is beside this folder.)

pub mod bench;
pub mod check;
pub mod convert;
pub mod explain;
pub mod graph;
pub mod page;
pub mod render;
pub mod scen;
pub mod show;
pub mod sim;
pub mod soak;
pub mod steps;
pub mod verify;
