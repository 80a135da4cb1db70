//! The command, run as a user does.

mod bad_input;
mod bench;
mod big;
mod check;
mod command;
mod convert;
mod explain;
mod graph;
#[cfg(target_os = "linux")]
mod hostile;
mod inspect;
mod log;
mod page;
mod people;
mod pictures;
mod scen;
mod show;
mod sim;
mod sim_crowd;
mod soak;
mod targets;
