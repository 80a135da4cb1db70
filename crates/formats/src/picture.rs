//! Maps as PNG pictures, one pixel for each cell.
//!
//! Without a palette a pixel is grey; lighter ground costs less:
//!
//! | grey | cost |
//! | --- | --- |
//! | 255 (white) | 1, open ground |
//! | 254 … 2 | 2 … 254: 256 minus the grey |
//! | 1, 0 (black) | 255, a wall; the writer uses 0 |
//!
//! With a [`Palette`] every colour is a kind of ground. The size is read from
//! the header and checked before anything is decoded, and rows are decoded one
//! at a time. Pixel data after the last row are refused.

mod error;
mod palette;
mod surplus;

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Limits, Reader, Transformations};

use super::rows::{check_size, map_from_rows};
pub use error::{Colour, NoColour, PictureError};
use flowtiles::Cell;
use flowtiles::{Cost, CostMap};
pub use palette::{Palette, PaletteError};

/// The bytes that the decoder may allocate: several rows of the widest map.
const DECODER_BYTES: usize = 16 << 20;

/// Reads a picture of at most `cells_max` pixels: by the palette if there is
/// one, else by its greys.
///
/// The picture may have 1, 2, 4 or 8 bits a sample, be grey or coloured, with
/// or without opacity. Pictures of 16 bits a sample, interlaced and animated
/// ones are refused. Without a palette every pixel must be grey and opaque. The
/// pixels of an indexed picture must be in its table of colours.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles_formats::{MAX_FILE_CELLS, read_png, write_png};
///
/// let mut map = CostMap::open(30, 20)?;
/// map.edit(Cell::new(4, 5), Cost::WALL)?;
/// let bytes = write_png(&map, None)?;
/// assert_eq!(read_png(&bytes, None, MAX_FILE_CELLS)?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the bytes are not a picture of this kind, if the size is over the limit,
/// for the first pixel whose colour has no cost, and for pixel data after the
/// last row.
pub fn read_png(
    bytes: &[u8],
    palette: Option<&Palette>,
    cells_max: u64,
) -> Result<CostMap, PictureError> {
    let limits = Limits {
        bytes: DECODER_BYTES,
    };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let fault = |place: &str| {
        let place = place.to_owned();
        move |error| PictureError::decoding(place, &error, bytes.len())
    };
    let info = decoder.read_header_info().map_err(fault("the header"))?;
    let (width, height, kind) = (info.width, info.height, info.color_type);
    let row_bytes = info.raw_row_length() as u64;
    check_size(width, height, cells_max).map_err(PictureError::Size)?;
    if info.interlaced {
        return Err(PictureError::Interlaced);
    }
    if info.bit_depth == BitDepth::Sixteen {
        return Err(PictureError::SixteenBits);
    }
    // Indices stay indices, so that one past the end of the table is detected.
    decoder.set_transformations(match kind {
        ColorType::Indexed => Transformations::IDENTITY,
        _ => Transformations::EXPAND,
    });
    let mut reader = decoder
        .read_info()
        .map_err(fault("before the first pixel"))?;
    if reader.info().animation_control.is_some() {
        return Err(PictureError::Animated);
    }
    let pixels = Pixels::of(&reader);
    let map = map_from_rows(width, height, |y, row| {
        let read = reader.next_row();
        let read = read.map_err(|error| fault(&format!("row {y}"))(error))?;
        let bytes = read.ok_or(PictureError::Ended { row: y })?;
        read_row(&pixels, bytes.data(), palette, y, row)
    })?;
    // The data after the last row must be valid too.
    reader.finish().map_err(fault("after the last row"))?;
    surplus::check_end(bytes, row_bytes * u64::from(height))?;
    Ok(map)
}

/// How the bytes of a row are divided into pixels.
enum Pixels {
    /// The number of bytes in each pixel.
    Samples(usize),
    /// The number of bits in each pixel, which is an index into these colours.
    Indices { bits: usize, colours: Vec<Colour> },
}

impl Pixels {
    fn of(reader: &Reader<Cursor<&[u8]>>) -> Self {
        let info = reader.info();
        let (kind, bits) = reader.output_color_type();
        if kind != ColorType::Indexed {
            return Self::Samples(kind.samples());
        }
        let opacities = info.trns.as_deref().unwrap_or_default().iter();
        let opacities = opacities.copied().chain(std::iter::repeat(u8::MAX));
        let colours = info.palette.as_deref().unwrap_or_default().as_chunks().0;
        Self::Indices {
            bits: bits as usize,
            colours: colours
                .iter()
                .zip(opacities)
                .map(|(&[red, green, blue], opacity)| Colour([red, green, blue, opacity]))
                .collect(),
        }
    }

    /// Returns the colour of a pixel, or the index without one.
    fn colour(&self, row: &[u8], x: usize) -> Result<Colour, u8> {
        match self {
            Self::Samples(samples) => Ok(Colour::of_samples(&row[x * samples..][..*samples])),
            Self::Indices { bits, colours } => {
                // The first pixel is in the highest bits.
                let low = 8 - bits - x * bits % 8;
                let index = row[x * bits / 8] >> low & (u8::MAX >> (8 - bits));
                colours.get(usize::from(index)).copied().ok_or(index)
            }
        }
    }

    /// Returns the number of colours in the table of an indexed picture.
    fn indexed(&self) -> usize {
        match self {
            Self::Samples(_) => 0,
            Self::Indices { colours, .. } => colours.len(),
        }
    }
}

/// Converts one row of pixels to costs.
fn read_row(
    pixels: &Pixels,
    bytes: &[u8],
    palette: Option<&Palette>,
    y: u32,
    row: &mut [u8],
) -> Result<(), PictureError> {
    let mut known: Option<(Colour, u8)> = None;
    for (x, to) in row.iter_mut().enumerate() {
        let cell = Cell::new(x as i32, y as i32);
        let colour = pixels.colour(bytes, x);
        let colour = colour.map_err(|index| PictureError::Index {
            cell,
            index,
            colours: pixels.indexed(),
        })?;
        // Neighbouring pixels are mostly equal.
        if let Some((_, cost)) = known.filter(|(before, _)| *before == colour) {
            *to = cost;
            continue;
        }
        let cost = match palette {
            Some(palette) => palette.cost(colour).map(Cost::value),
            None => colour.grey().map(cost_of_grey),
        };
        let Some(cost) = cost else {
            return Err(PictureError::Colour {
                cell,
                colour,
                has_palette: palette.is_some(),
            });
        };
        known = Some((colour, cost));
        *to = cost;
    }
    Ok(())
}

fn cost_of_grey(grey: u8) -> u8 {
    match grey {
        0 => Cost::WALL.value(),
        grey => 0_u8.wrapping_sub(grey),
    }
}

const fn grey_of_cost(cost: u8) -> u8 {
    match cost {
        u8::MAX => 0,
        cost => 0_u8.wrapping_sub(cost),
    }
}

/// Writes a map as a picture: with a palette, each cost as the first colour
/// that has it; otherwise as lossless greys of 8 bits.
///
/// # Errors
/// For the first cell whose cost has no colour in the palette.
pub fn write_png(map: &CostMap, palette: Option<&Palette>) -> Result<Vec<u8>, NoColour> {
    let rows = map.to_rows();
    let (kind, pixels) = match palette {
        Some(palette) => coloured(map, &rows, palette)?,
        None => {
            let greys = rows.iter().map(|&cost| grey_of_cost(cost)).collect();
            (ColorType::Grayscale, greys)
        }
    };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, map.width(), map.height());
    encoder.set_color(kind);
    encoder.set_depth(BitDepth::Eight);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels).map(|()| writer))
        .and_then(png::Writer::finish);
    written.expect("memory takes all that is written, and the pixels are as the header says");
    Ok(bytes)
}

/// Returns the pixels of all cells, with opacity only if the palette has some.
fn coloured(
    map: &CostMap,
    rows: &[u8],
    palette: &Palette,
) -> Result<(ColorType, Vec<u8>), NoColour> {
    let colours = palette.colours();
    let is_opaque = colours
        .iter()
        .flatten()
        .all(|colour| colour.0[3] == u8::MAX);
    let (kind, samples) = if is_opaque {
        (ColorType::Rgb, 3)
    } else {
        (ColorType::Rgba, 4)
    };
    let mut pixels = Vec::with_capacity(rows.len() * samples);
    for (at, &cost) in rows.iter().enumerate() {
        let Some(colour) = colours[usize::from(cost)] else {
            let width = map.width() as usize;
            let cell = Cell::new((at % width) as i32, (at / width) as i32);
            return Err(NoColour { cell, cost });
        };
        pixels.extend_from_slice(&colour.0[..samples]);
    }
    Ok((kind, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cost_has_a_grey_of_its_own() {
        for cost in 1..=u8::MAX {
            assert_eq!(cost_of_grey(grey_of_cost(cost)), cost);
        }
        assert_eq!((grey_of_cost(1), grey_of_cost(2)), (255, 254));
        assert_eq!((grey_of_cost(254), grey_of_cost(255)), (2, 0));
        assert_eq!((cost_of_grey(1), cost_of_grey(0)), (255, 255));
    }
}
