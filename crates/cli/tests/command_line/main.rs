//! The command, run as a user does.

mod check;
mod command;
mod inspect;
#[cfg(unix)]
mod limits;
mod people;
mod pictures;
mod scen;
mod sim;
mod sim_crowd;
mod soak;
mod targets;
#[cfg(unix)]
mod transcripts;
