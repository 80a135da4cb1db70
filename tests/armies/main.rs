//! Armies as a game handles them: units and groups that come, change and go.

#[allow(dead_code, reason = "the march of the tests of steering")]
#[path = "../crowd/mod.rs"]
mod crowd;

#[allow(dead_code, reason = "of other suites")]
#[path = "../draws/mod.rs"]
mod draws;

mod battle;
mod errands;
mod fewer;
mod handling;
mod jams;
mod links;
mod plain_jams;
mod planes;
mod queries;
mod saves;
mod sending;
mod sleep;
mod split;
mod targets;
