//! Pictures: colours in memory, written as PNG.

use std::io;
use std::path::Path;

use flowtiles::Cell;

use crate::Colour;
use crate::raster::Raster;
use crate::whole_file::write_whole;

/// A picture, one colour a cell.
pub struct Picture {
    /// The colours.
    pub colours: Raster<Colour>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: i32, height: i32, colour: Colour) -> Self {
        Self {
            colours: Raster::filled(width, height, colour),
        }
    }

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
        let mut picture = Picture::filled(30, 20, [10, 20, 30]);
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
    fn mixing_ends_at_its_two_colours() {
        let (one, two) = ([0, 100, 255], [255, 50, 0]);
        assert_eq!(mixed(one, two, 0), one);
        assert_eq!(mixed(one, two, 255), two);
        assert_eq!(lit(one, 300), [255; 3]);
    }
}
