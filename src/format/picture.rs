//! Maps as PNG pictures, one pixel a cell.
//!
//! Without a palette a pixel is grey, and the lighter it is the easier:
//!
//! | grey | cost |
//! | --- | --- |
//! | 255 (white) | 1, open ground |
//! | 254 … 2 | 2 … 254: 256 less the grey |
//! | 1, 0 (black) | 255, a wall; the writer takes 0 |
//!
//! With a [`Palette`] every colour is a kind of ground. The size is read from
//! the header and checked before anything is decoded, and rows are decoded one
//! at a time.

mod error;
mod palette;

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Limits, Reader, Transformations};

use super::rows::{check_size, map_from_rows};
use crate::cost::{Cost, CostMap};
use crate::grid::Cell;
pub use error::{Colour, NoColour, PictureError};
pub use palette::{Palette, PaletteError};

/// Bytes that the decoder may allocate: several rows of the widest map.
const DECODER_BYTES: usize = 16 << 20;

/// Reads a picture of at most `cells_max` pixels: by the palette if there is
/// one, else by its greys.
///
/// Pictures of 1, 2, 4 and 8 bits a sample are read, grey or coloured, with
/// opacity or without; those of 16 bits, interlaced and animated ones are
/// refused. Without a palette a coloured pixel must be grey and opaque.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap};
/// use flowtiles::format::{MAX_FILE_CELLS, read_png, write_png};
///
/// let mut map = CostMap::open(30, 20)?;
/// map.fill(Cell::new(4, 5), Cost::WALL)?;
/// let bytes = write_png(&map, None)?;
/// assert_eq!(read_png(&bytes, None, MAX_FILE_CELLS)?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// For bytes that are no such picture, for a size over the limit, and for the
/// first pixel whose colour has no cost.
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
    decoder.set_transformations(Transformations::EXPAND);
    let info = decoder.read_header_info().map_err(PictureError::decoding)?;
    let (width, height) = (info.width, info.height);
    check_size(width, height, cells_max).map_err(PictureError::Size)?;
    if info.interlaced {
        return Err(PictureError::Interlaced);
    }
    if info.bit_depth == BitDepth::Sixteen {
        return Err(PictureError::SixteenBits);
    }
    let mut reader = decoder.read_info().map_err(PictureError::decoding)?;
    if reader.info().animation_control.is_some() {
        return Err(PictureError::Animated);
    }
    let samples = reader.output_color_type().0.samples();
    let map = map_from_rows(width, height, |y, row| {
        read_row(&mut reader, samples, palette, y, row)
    })?;
    // What follows the last row must be whole, too.
    reader.finish().map_err(PictureError::decoding)?;
    Ok(map)
}

/// Decodes one row of pixels into costs.
fn read_row(
    reader: &mut Reader<Cursor<&[u8]>>,
    samples: usize,
    palette: Option<&Palette>,
    y: u32,
    row: &mut [u8],
) -> Result<(), PictureError> {
    let pixels = reader.next_row().map_err(PictureError::decoding)?;
    let pixels = pixels.ok_or(PictureError::Ended { row: y })?;
    let mut known: Option<(Colour, u8)> = None;
    let pixels = pixels.data().chunks_exact(samples);
    for (x, (to, pixel)) in row.iter_mut().zip(pixels).enumerate() {
        let colour = Colour::of_samples(pixel);
        // Neighbours are mostly the same.
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
                cell: Cell::new(x as i32, y as i32),
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

/// Writes a map as a picture: with a palette each cost by the first colour
/// that has it, else in greys of 8 bits, which lose nothing.
///
/// # Errors
/// For a cell whose cost has no colour in the palette.
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

/// The pixels of all cells, with opacity only where the palette has some.
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
