//! Draw lists as pictures: pixels or SVG, with rulers and a key.

pub mod base64;
pub mod canvas;
mod colours;
mod labels;
mod marks;
pub mod seen;
pub mod sheet;
mod surface;
pub mod svg;

pub use colours::{ink, on_ramp};
