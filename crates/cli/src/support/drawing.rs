//! Draw lists as pictures: pixels or SVG, with rulers and a key.

pub mod colours;
mod labels;
pub mod marks;
mod pixels;
mod relief;
pub mod seen;
pub mod sheet;
mod svg;

use flowtiles::Cell;
use flowtiles_country::Colour;

use crate::support::font::Size;

/// A colour and its opacity, of 255.
pub type Ink = (Colour, u8);

/// A position in a picture, in pixels from the north-west corner.
pub type Pixel = [f32; 2];

/// From cells to pixels.
#[derive(Clone, Copy)]
pub struct Zoom {
    /// The cell at the north-west corner.
    pub corner: [f32; 2],
    /// The pixel there.
    pub at: Pixel,
    /// Pixels a cell.
    pub pixels: f32,
    /// The size of the map in pixels.
    pub size: [f32; 2],
}

impl Zoom {
    pub fn place(self, point: [f32; 2]) -> Pixel {
        std::array::from_fn(|axis| self.at[axis] + (point[axis] - self.corner[axis]) * self.pixels)
    }
}

/// A shape in pixels.
#[derive(Clone, Copy)]
pub enum Form<'a> {
    /// The north-west corner, and the size.
    Rect(Pixel, [f32; 2]),
    /// Both ends, and the width.
    Line(Pixel, Pixel, f32),
    Triangle([Pixel; 3]),
    /// The middle, and the radius.
    Disc(Pixel, f32),
    /// The middle, and the radius and width of the line around it.
    Ring(Pixel, f32, f32),
    /// The north-west corner of a line of text, and the size of its letters.
    Text(Pixel, Size, &'a str),
}

/// What forms are drawn on.
pub trait Surface {
    /// Draws a form over what is there.
    fn put(&mut self, form: Form<'_>, ink: Ink);

    /// Writes a text from its upper left pixel.
    fn write_text(&mut self, from: Cell, text: &str, size: Size, colour: Colour) {
        let at = [from.x as f32, from.y as f32];
        self.put(Form::Text(at, size, text), (colour, u8::MAX));
    }
}
