//! Surfaces to draw on, in pixels from the north-west corner.

use crate::support::picture::Colour;

/// A colour and its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// The colour.
    pub colour: Colour,
    /// The opacity, of 255.
    pub strength: u8,
}

impl Ink {
    /// An opaque colour.
    pub const fn solid(colour: Colour) -> Self {
        Self {
            colour,
            strength: 255,
        }
    }

    /// A translucent colour.
    pub const fn thin(colour: Colour, strength: u8) -> Self {
        Self { colour, strength }
    }
}

/// A position in a picture, in pixels.
pub type Pixel = [f32; 2];

/// A surface to draw on.
pub trait Surface {
    /// Fills a rectangle.
    fn rect(&mut self, at: Pixel, size: [f32; 2], ink: Ink);
    /// Draws a straight line.
    fn line(&mut self, from: Pixel, to: Pixel, width: f32, ink: Ink);
    /// Fills a triangle.
    fn triangle(&mut self, corners: [Pixel; 3], ink: Ink);
    /// Fills a disc.
    fn disc(&mut self, middle: Pixel, radius: f32, ink: Ink);
    /// Draws a ring around a middle line of this radius.
    fn ring(&mut self, middle: Pixel, radius: f32, width: f32, ink: Ink);
    /// Writes a line of text that begins at this corner; `size` is in pixels of
    /// the font's pixels.
    fn text(&mut self, at: Pixel, size: u32, text: &str, ink: Ink);
}
