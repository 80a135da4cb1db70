//! Pictures: colours in memory, written as PNG or drawn into a terminal.

pub mod animation;
pub mod terminal;

use std::io;
use std::path::Path;

use flowtiles::Cell;

use crate::support::drawing::{Form, Ink, Pixel, Surface};
use crate::support::font::{self, Size};
use crate::support::whole_file::write_whole;
use flowtiles_scenes::raster::Raster;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// A picture, one colour a cell.
pub struct Picture {
    /// The colours.
    pub colours: Raster<Colour>,
}

impl Picture {
    /// Lays a colour over a cell, `strength` of 255 opaque. Cells outside are
    /// left out.
    pub fn lay(&mut self, cell: Cell, colour: Colour, strength: u8) {
        if let Some(below) = self.colours.get_mut(cell) {
            *below = mixed(*below, colour, strength);
        }
    }

    /// Fills a disc.
    pub fn disc(&mut self, centre: Cell, radius: i32, colour: Colour, strength: u8) {
        for (cell, _) in self.colours.disc(centre, radius) {
            self.lay(cell, colour, strength);
        }
    }

    /// Draws a ring, `thick` cells inward from `radius`.
    pub fn ring(&mut self, centre: Cell, radius: i32, thick: i32, colour: Colour, strength: u8) {
        let inner = (radius - thick) * (radius - thick);
        for (cell, square) in self.colours.disc(centre, radius) {
            if square > inner {
                self.lay(cell, colour, strength);
            }
        }
    }

    /// Writes a text from its upper left pixel.
    pub fn write_text(&mut self, from: Cell, text: &str, size: Size, colour: Colour) {
        let at = [from.x as f32, from.y as f32];
        self.put(Form::Text(at, size, text), (colour, u8::MAX));
    }

    /// Lays ink over the pixels within `reach` of these points. `inside` returns how far
    /// the middle of a pixel is inside the edge of a form.
    fn cover(&mut self, points: &[Pixel], reach: f32, ink: Ink, inside: impl Fn(Pixel) -> f32) {
        let span = |axis: usize, length: i32| {
            let along = || points.iter().map(|point| point[axis]);
            let low = along().fold(f32::MAX, f32::min) - reach - 1.0;
            let high = along().fold(f32::MIN, f32::max) + reach + 1.0;
            (low as i32).max(0)..(high as i32 + 1).min(length)
        };
        let (width, height) = (self.colours.width(), self.colours.height());
        for y in span(1, height) {
            for x in span(0, width) {
                let cover = inside([x as f32 + 0.5, y as f32 + 0.5]) + 0.5;
                if cover > 0.0 {
                    let strength = f32::from(ink.1) * cover.min(1.0);
                    self.lay(Cell::new(x, y), ink.0, strength.round() as u8);
                }
            }
        }
    }

    /// Writes a PNG file.
    ///
    /// # Errors
    /// If the file cannot be written; then it is as it was before.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.to_png()?)
    }

    /// The bytes of a PNG file, which has a table of colours if there are few enough.
    ///
    /// # Errors
    /// If the encoder refuses the size.
    pub fn to_png(&self) -> io::Result<Vec<u8>> {
        let (width, height) = (self.colours.width(), self.colours.height());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
        encoder.set_compression(png::Compression::Balanced);
        let pixels: Vec<Colour> = self.colours.iter().copied().collect();
        let runs = pixels.chunk_by(Colour::eq).map(|run| run[0]);
        let mut table: Vec<Colour> = Vec::new();
        for colour in runs {
            if let Err(place) = table.binary_search(&colour) {
                table.insert(place, colour);
                if table.len() > 256 {
                    break;
                }
            }
        }
        let mut places = Vec::new();
        let data = if table.len() > 256 {
            encoder.set_color(png::ColorType::Rgb);
            pixels.as_flattened()
        } else {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(table.as_flattened());
            let place = |colour| table.binary_search(colour).unwrap_or(0) as u8;
            places.extend(pixels.iter().map(place));
            &places
        };
        let mut writer = encoder.write_header()?;
        writer.write_image_data(data)?;
        writer.finish()?;
        Ok(bytes)
    }
}

impl Surface for Picture {
    fn put(&mut self, form: Form<'_>, ink: Ink) {
        match form {
            Form::Rect([x, y], [width, height]) => {
                let columns = x.round().max(0.0) as i32..(x + width).round() as i32;
                let rows = y.round().max(0.0) as i32..(y + height).round() as i32;
                for y in rows.start..rows.end.min(self.colours.height()) {
                    for x in columns.start..columns.end.min(self.colours.width()) {
                        self.lay(Cell::new(x, y), ink.0, ink.1);
                    }
                }
            }
            // A thin line along the pixels stays sharp.
            Form::Line(from, to, width)
                if width <= 1.0 && (from[0] == to[0] || from[1] == to[1]) =>
            {
                let at = [0, 1].map(|axis| from[axis].min(to[axis]).round());
                let size = [0, 1].map(|axis| (from[axis] - to[axis]).abs().max(1.0));
                self.put(Form::Rect(at, size), ink);
            }
            Form::Line(from, to, width) => self.cover(&[from, to], width / 2.0, ink, |at| {
                width / 2.0 - distance(at, from, to)
            }),
            Form::Disc(at, radius) => self.put(Form::Line(at, at, 2.0 * radius), ink),
            Form::Ring(at, radius, width) => self.cover(&[at], radius + width, ink, |pixel| {
                width / 2.0 - (distance(pixel, at, at) - radius).abs()
            }),
            Form::Triangle(corners @ [a, b, c]) => {
                let turn = side(c, a, b).signum();
                self.cover(&corners, 0.0, ink, |at| {
                    let sides = [side(at, a, b), side(at, b, c), side(at, c, a)];
                    sides
                        .iter()
                        .fold(f32::MAX, |least, side| least.min(side * turn))
                });
            }
            Form::Text([x, y], size, text) => {
                for ([column, row], cover) in font::pixels(text, size) {
                    let cell = Cell::new(x.round() as i32 + column, y.round() as i32 + row);
                    let strength = u16::from(ink.1) * u16::from(cover) / 255;
                    self.lay(cell, ink.0, strength as u8);
                }
            }
        }
    }
}

/// The distance of a pixel from a line that ends at its ends.
fn distance(at: Pixel, from: Pixel, to: Pixel) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let (px, py) = (at[0] - from[0], at[1] - from[1]);
    let square = (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
    let part = ((px * dx + py * dy) / square).clamp(0.0, 1.0);
    (px - dx * part).hypot(py - dy * part)
}

/// The distance of a pixel from a line without ends, below 0 on its other side.
fn side(at: Pixel, from: Pixel, to: Pixel) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    (dx * (at[1] - from[1]) - dy * (at[0] - from[0])) / dx.hypot(dy)
}

/// `strength` of 255 parts of `over`, the rest of `below`.
pub fn mixed(below: Colour, over: Colour, strength: u8) -> Colour {
    let strength = i32::from(strength);
    std::array::from_fn(|band| {
        let (below, over) = (i32::from(below[band]), i32::from(over[band]));
        (below + (over - below) * strength / 255) as u8
    })
}

/// Returns the colour with `light` added to each band, or subtracted if below 0.
pub fn lit(colour: Colour, light: i32) -> Colour {
    colour.map(|band| (i32::from(band) + light).clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_reads_back_as_it_was_drawn() {
        let mut picture = Picture {
            colours: Raster::filled(30, 20, [10, 20, 30]),
        };
        picture.disc(Cell::new(0, 0), 5, [200, 100, 0], 255);
        picture.ring(Cell::new(28, 18), 6, 2, [0, 0, 0], 128);
        let bytes = picture.to_png().unwrap();
        let mut decoder = png::Decoder::new(io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let drawn: Vec<u8> = picture.colours.iter().flatten().copied().collect();
        assert!(pixels == drawn);
        assert_eq!(drawn[..3], [200, 100, 0]);
    }

    #[test]
    fn forms_cover_their_middles_and_leave_the_rest() {
        let ink = ([200, 0, 0], u8::MAX);
        let mut picture = Picture {
            colours: Raster::filled(40, 20, [255; 3]),
        };
        picture.put(Form::Rect([-9.0, 2.0], [14.0, 3.0]), ink);
        picture.put(Form::Disc([12.0, 10.0], 4.0), ink);
        picture.put(Form::Ring([25.0, 10.0], 5.0, 2.0), ink);
        let corners = [[34.0, 4.0], [39.0, 16.0], [32.0, 16.0]];
        picture.put(Form::Triangle(corners), ink);
        picture.put(Form::Line([-9.0, 18.0], [99.0, 18.0], 1.0), ink);
        picture.put(Form::Text([-30.0, -30.0], Size::Large, "ABC"), ink);
        for (x, y) in [(2, 2), (4, 4), (12, 10), (29, 10), (35, 12), (39, 18)] {
            assert_eq!(picture.colours[Cell::new(x, y)], ink.0, "{x},{y}");
        }
        for (x, y) in [(39, 2), (5, 19), (12, 15), (25, 10), (32, 5), (0, 19)] {
            assert_eq!(picture.colours[Cell::new(x, y)], [255; 3], "{x},{y}");
        }
        picture.put(Form::Rect([0.0, 0.0], [40.0, 20.0]), ([0, 100, 200], 51));
        assert_eq!(picture.colours[Cell::new(2, 2)], [160, 20, 40]);
    }

    #[test]
    fn mixing_ends_at_its_two_colours() {
        let (one, two) = ([0, 100, 255], [255, 50, 0]);
        assert_eq!(mixed(one, two, 0), one);
        assert_eq!(mixed(one, two, 255), two);
        assert_eq!(lit(one, 300), [255; 3]);
    }
}
