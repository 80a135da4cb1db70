//! Draw lists as pictures: pixels or SVG, with rulers and a key.

pub mod canvas;
mod colours;
mod labels;
mod marks;
pub mod seen;
pub mod sheet;
mod surface;
pub mod svg;
