//! Armies as a game handles them: units and groups that come, change and go.

mod errands;
mod fog;
mod handling;
mod jams;
mod lines;
mod links;
mod plain_jams;
mod planes;
mod queries;
mod saves;
mod sending;
mod sleep;
mod split;
mod targets;
