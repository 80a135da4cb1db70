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
//! With a [`Palette`] every colour is a kind of ground, and with [`Heights`] a grey is the
//! height of a cell, whose slope has the cost. The size is read from
//! the header and checked before anything is decoded, and rows are decoded one
//! at a time. Pixel data after the last row are refused.

mod heights;
mod palette;

use std::fmt::Display;
use std::io::{self, Cursor, ErrorKind, Read};

use flate2::bufread::ZlibDecoder;
use flowtiles::{Cell, Cost, CostMap};
use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, Limits, Reader, Transformations};

use crate::rows::{check_size, map_from_rows, signs_of};
use crate::{Lack, Place, ReadError, WriteError};
pub use heights::{Heights, read_heights};
pub use palette::{Colour, Palette};

/// The bytes that the decoder may allocate: several rows of the widest map.
const DECODER_BYTES: usize = 16 << 20;
/// The bytes before the first chunk, before the data of a chunk (length and
/// name), and after them (the checksum).
const SIGNATURE: usize = 8;
const HEAD: usize = 8;
const CHECKSUM: usize = 4;

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
) -> Result<CostMap, ReadError> {
    let mut picture = Picture::open(bytes, cells_max, |kind, depth| match (kind, depth) {
        (_, BitDepth::Sixteen) => Err("has samples of 16 bits: save it with 8 bits"),
        // Indices stay indices, so that one past the end of the table is detected.
        (ColorType::Indexed, _) => Ok(Transformations::IDENTITY),
        _ => Ok(Transformations::EXPAND),
    })?;
    let (width, height) = picture.size;
    let pixels = Pixels::of(&picture.reader);
    let map = map_from_rows(width, height, |y, row| {
        read_row(&pixels, picture.row(y)?, palette, y, row)
    })?;
    picture.end()?;
    Ok(map)
}

/// A picture of which the rows are decoded one after the other.
struct Picture<'a> {
    bytes: &'a [u8],
    reader: Reader<Cursor<&'a [u8]>>,
    size: (u32, u32),
    row_bytes: u64,
}

impl<'a> Picture<'a> {
    /// Reads all before the first pixel. `kind` says how pixels of its kind are decoded, or
    /// why they are refused.
    fn open(
        bytes: &'a [u8],
        cells_max: u64,
        kind: impl FnOnce(ColorType, BitDepth) -> Result<Transformations, &'static str>,
    ) -> Result<Self, ReadError> {
        let limits = Limits {
            bytes: DECODER_BYTES,
        };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let header = |what: String| Place::Part("the header".to_owned()).fault(what);
        let refused = |what: &str| header(format!("the picture {what}"));
        let info = decoder.read_header_info();
        let info = info.map_err(|error| undecoded_at(bytes, "the header", error))?;
        let (size, row_bytes) = ((info.width, info.height), info.raw_row_length() as u64);
        check_size(size.0, size.1, cells_max).map_err(header)?;
        if info.interlaced {
            return Err(refused("is interlaced: save it without interlacing"));
        }
        let decoded = kind(info.color_type, info.bit_depth).map_err(refused)?;
        decoder.set_transformations(decoded);
        let reader = decoder.read_info();
        let reader =
            reader.map_err(|error| undecoded_at(bytes, "before the first pixel", error))?;
        if reader.info().animation_control.is_some() {
            return Err(refused("is animated: save one frame of it"));
        }
        Ok(Self {
            bytes,
            reader,
            size,
            row_bytes,
        })
    }

    /// Decodes the next row, which is `y`.
    fn row(&mut self, y: u32) -> Result<&[u8], ReadError> {
        let row = self.reader.next_row();
        let row = row.map_err(|error| undecoded_at(self.bytes, &format!("row {y}"), error))?;
        let row = row.ok_or_else(|| {
            let what = "the pixels end here: take another copy of the picture";
            Place::Part(format!("row {y}")).fault(what)
        })?;
        Ok(row.data())
    }

    /// Checks the data after the last row, which must be valid too.
    fn end(mut self) -> Result<(), ReadError> {
        let finished = self.reader.finish();
        finished.map_err(|error| undecoded_at(self.bytes, "after the last row", error))?;
        check_end(self.bytes, self.row_bytes * u64::from(self.size.1))
    }
}

/// Checks that the pixel data of a decoded picture unpack to exactly `unpacked`
/// bytes.
///
/// The decoder stops at the last requested row and skips any data after it in the same chunks. A
/// picture with more data than its header claims was damaged or written wrongly, so its pixels
/// may be shifted.
fn check_end(bytes: &[u8], unpacked: u64) -> Result<(), ReadError> {
    // The data of all chunks with pixels, and where each begins: in these data,
    // and in the file.
    let (mut data, mut begins, mut at) = (Vec::new(), Vec::new(), SIGNATURE);
    while let Some((head, rest)) = bytes.get(at..).and_then(|rest| rest.split_first_chunk()) {
        let [a, b, c, d, name @ ..]: &[u8; HEAD] = head;
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        if name == b"IDAT" {
            begins.push((data.len(), at + HEAD));
            data.extend_from_slice(&rest[..length.min(rest.len())]);
        }
        at = at.saturating_add(length).saturating_add(HEAD + CHECKSUM);
    }
    let mut unpacker = ZlibDecoder::new(&data[..]);
    let seen = io::copy(&mut unpacker.by_ref().take(unpacked + 1), &mut io::sink());
    let used = unpacker.total_in() as usize;
    let begin = begins.iter().rfind(|(begin, _)| *begin <= used);
    let at = Place::Byte(begin.map_or(0, |(begin, in_file)| in_file + used - begin));
    match seen {
        Ok(seen) if seen == unpacked && used == data.len() => Ok(()),
        Ok(_) => Err(at.fault(
            "the pixel data go on after the last row: take another copy, or save the picture as \
             PNG again",
        )),
        Err(error) => Err(undecoded(at, &error)),
    }
}

fn undecoded_at(bytes: &[u8], place: &str, error: DecodingError) -> ReadError {
    let at = Place::Part(place.to_owned());
    match error {
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            let length = bytes.len();
            undecoded(at, &format!("the file is cut off after {length} bytes"))
        }
        error => undecoded(at, &error),
    }
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

    /// Returns the colour of a pixel, or the index without one and the number of
    /// colours.
    fn colour(&self, row: &[u8], x: usize) -> Result<Colour, (u8, usize)> {
        match self {
            Self::Samples(samples) => Ok(Colour::of_samples(&row[x * samples..][..*samples])),
            Self::Indices { bits, colours } => {
                // The first pixel is in the highest bits.
                let low = 8 - bits - x * bits % 8;
                let index = row[x * bits / 8] >> low & (u8::MAX >> (8 - bits));
                let colour = colours.get(usize::from(index)).copied();
                colour.ok_or((index, colours.len()))
            }
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
) -> Result<(), ReadError> {
    let mut known: Option<(Colour, u8)> = None;
    for (x, to) in row.iter_mut().enumerate() {
        let at = || Place::Part(format!("pixel {}", Cell::new(x as i32, y as i32)));
        let colour = pixels.colour(bytes, x).map_err(|(index, colours)| {
            at().fault(format!(
                "it has the colour {index} of the picture's own table, which has only {colours} \
                 (the first is 0): save the picture as PNG again, without a table (RGB or grey)"
            ))
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
        *to = cost.ok_or_else(|| {
            let what = match palette {
                Some(_) => "has no cost: add it to the palette",
                None => "is no opaque grey: give a palette that says what each colour costs",
            };
            let error = at().fault(format!("the colour {colour} {what}"));
            error.lacking(Lack::Colour(colour))
        })?;
        known = Some((colour, *to));
    }
    Ok(())
}

fn undecoded(at: Place, why: &dyn Display) -> ReadError {
    at.fault(format!(
        "the picture cannot be decoded ({why}): take another copy, or save it as PNG again"
    ))
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
pub fn write_png(map: &CostMap, palette: Option<&Palette>) -> Result<Vec<u8>, WriteError> {
    let (kind, pixels) = match palette {
        Some(palette) => coloured(map, palette)?,
        None => (
            ColorType::Grayscale,
            map.to_rows().into_iter().map(grey_of_cost).collect(),
        ),
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
fn coloured(map: &CostMap, palette: &Palette) -> Result<(ColorType, Vec<u8>), WriteError> {
    let colours = palette.colours();
    let remedy = "the palette has no colour: add a line `#rrggbb $`";
    let cells = signs_of(map, &colours, remedy)?;
    let mut known = colours.iter().flatten();
    if known.all(|colour| colour.0[3] == u8::MAX) {
        let samples = cells.into_iter().flat_map(|Colour([r, g, b, _])| [r, g, b]);
        Ok((ColorType::Rgb, samples.collect()))
    } else {
        let samples = cells.into_iter().flat_map(|colour| colour.0);
        Ok((ColorType::Rgba, samples.collect()))
    }
}
