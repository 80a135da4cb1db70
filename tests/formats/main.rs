//! Map files of every format: written and read back, recorded texts, and files
//! that mean harm.

mod drawn;
mod hostile;
#[cfg(feature = "png")]
mod pictures;
mod round_trips;
#[cfg(feature = "tiled")]
mod tiled_maps;
