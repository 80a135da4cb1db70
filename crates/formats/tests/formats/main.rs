//! Map files of every format: written and read back, recorded texts, and
//! malicious files.

#[cfg(feature = "png")]
#[path = "../../../../tests/chunks/mod.rs"]
mod chunks;
mod drawn;
#[path = "../../../../tests/draws/mod.rs"]
mod draws;
#[cfg(feature = "png")]
mod height_maps;
mod hostile;
#[cfg(feature = "ldtk")]
mod ldtk_maps;
#[cfg(feature = "png")]
mod pictures;
mod round_trips;
#[cfg(feature = "tiled")]
mod tiled_maps;
