//! What the demo of [flowtiles] and its command share: a country with armies, drawn from a
//! seed, and what it takes to look at it and to check what the engine answers there.
//!
//! ```text
//!   random ─▶ landscape ─▶ armies     a country, and the armies in it
//!   raster ─▶ picture ─▶ daylight     how it looks, as PNG
//!   referee ─▶ walk                   paths, judged by code of its own
//!   numbers, whole_file               figures for people, files written whole
//! ```
//!
//! Countries are drawn from whole numbers, so a seed gives the same one on every machine.

#![allow(missing_docs)]

pub mod any_angle;
pub mod armies;
pub mod daylight;
pub mod landscape;
pub mod numbers;
pub mod picture;
pub mod random;
pub mod raster;
pub mod referee;
pub mod walk;
pub mod whole_file;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// The colours of bands, as on the inspector's page: blue, red, gold, violet.
pub const BANNERS: [Colour; 4] = [
    [41, 112, 219],
    [222, 69, 41],
    [250, 199, 51],
    [148, 69, 209],
];
