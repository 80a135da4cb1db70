//! Map files of every format: written and read back, recorded texts, and one table of
//! refusals for each. Damaged files are made by `fuzz`.

#[path = "../../../../tests/oracle/bench.rs"]
mod bench;
#[cfg(feature = "png")]
#[path = "../../../../tests/chunks/mod.rs"]
mod chunks;
mod drawn;
#[path = "../../../../tests/draws/mod.rs"]
mod draws;
mod flow_maps;
#[cfg(feature = "png")]
mod height_maps;
#[cfg(feature = "ldtk")]
mod ldtk_maps;
mod movingai;
mod names;
#[cfg(feature = "png")]
mod pictures;
mod refusals;
mod round_trips;
mod scenarios;
mod texts;
#[cfg(feature = "tiled")]
mod tiled_maps;
