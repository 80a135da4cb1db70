//! The faults of a picture of a map.

use std::fmt;
use std::io::ErrorKind;

use crate::rows::SizeFault;
use flowtiles::Cell;

/// Red, green, blue and opacity, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub [u8; 4]);

impl Colour {
    /// Returns an opaque colour.
    #[must_use]
    pub const fn opaque(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, u8::MAX])
    }

    /// Returns the colour of a pixel with 1 to 4 samples: grey; grey and
    /// opacity; three colours; three colours and opacity.
    pub(super) const fn of_samples(pixel: &[u8]) -> Self {
        match *pixel {
            [grey] => Self::opaque(grey, grey, grey),
            [grey, opacity] => Self([grey, grey, grey, opacity]),
            [red, green, blue] => Self::opaque(red, green, blue),
            [red, green, blue, opacity, ..] => Self([red, green, blue, opacity]),
            [] => Self([0; 4]),
        }
    }

    /// Returns the brightness of an opaque grey; `None` for any other colour.
    pub(super) const fn grey(self) -> Option<u8> {
        match self.0 {
            [red, green, blue, u8::MAX] if red == green && green == blue => Some(red),
            _ => None,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue, opacity] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")?;
        if opacity < u8::MAX {
            write!(f, "{opacity:02x}")?;
        }
        Ok(())
    }
}

/// The reasons for which a picture is not a map.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureError {
    /// The size in the header is refused.
    Size(SizeFault),
    /// The rows are interlaced.
    Interlaced,
    /// Samples have 16 bits.
    SixteenBits,
    /// The picture is animated.
    Animated,
    /// The pixels end before the last row.
    Ended {
        /// The first missing row.
        row: u32,
    },
    /// A pixel's colour has no cost.
    Colour {
        /// The first such pixel.
        cell: Cell,
        /// The colour of the pixel.
        colour: Colour,
        /// Whether a palette was given.
        has_palette: bool,
    },
    /// A pixel is an index beyond the picture's own table of colours.
    Index {
        /// The first such pixel.
        cell: Cell,
        /// The index.
        index: u8,
        /// The number of colours in the table.
        colours: usize,
    },
    /// The pixel data continue after the last row.
    Surplus {
        /// The first surplus byte, as an offset in the file.
        byte: usize,
    },
    /// The bytes are not a PNG picture, or a damaged one.
    Decoding {
        /// A row, a byte, or a part of the file.
        place: String,
        /// The decoder's message.
        what: String,
    },
}

impl PictureError {
    /// Converts an error of the decoder for a file with this many bytes.
    pub(super) fn decoding(place: String, error: &png::DecodingError, length: usize) -> Self {
        let is_cut = matches!(error, png::DecodingError::IoError(error)
            if error.kind() == ErrorKind::UnexpectedEof);
        let what = match is_cut {
            true => format!("the file is cut off after {length} bytes"),
            false => error.to_string(),
        };
        Self::Decoding { place, what }
    }
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(fault) => write!(f, "the header: {fault}"),
            Self::Interlaced => {
                f.write_str("the header: the picture is interlaced: save it without interlacing")
            }
            Self::SixteenBits => {
                f.write_str("the header: samples have 16 bits: save the picture with 8 bits")
            }
            Self::Animated => {
                f.write_str("the header: the picture is animated: save one frame of it")
            }
            Self::Ended { row } => write!(
                f,
                "row {row}: the pixels end here: take another copy of the picture"
            ),
            Self::Colour {
                cell,
                colour,
                has_palette: true,
            } => write!(
                f,
                "pixel {cell}: the colour {colour} has no cost: add it to the palette"
            ),
            Self::Colour { cell, colour, .. } => write!(
                f,
                "pixel {cell}: the colour {colour} is no opaque grey: give a palette that says \
                 what each colour costs"
            ),
            Self::Index {
                cell,
                index,
                colours,
            } => write!(
                f,
                "pixel {cell}: it has the colour {index} of the picture's own table, which has \
                 only {colours} (the first is 0): save the picture as PNG again, without a table \
                 (RGB or grey)"
            ),
            Self::Surplus { byte } => write!(
                f,
                "byte {byte}: the pixel data go on after the last row: take another copy, or save \
                 the picture as PNG again"
            ),
            Self::Decoding { place, what } => write!(
                f,
                "{place}: the picture cannot be decoded ({what}): take another copy, or save it \
                 as PNG again"
            ),
        }
    }
}

impl std::error::Error for PictureError {}

/// A cell whose cost has no colour in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoColour {
    /// The first such cell.
    pub cell: Cell,
    /// Its cost.
    pub cost: u8,
}

impl fmt::Display for NoColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the cell {0} costs {1}, for which the palette has no colour: add a line `#rrggbb {1}`",
            self.cell, self.cost
        )
    }
}

impl std::error::Error for NoColour {}
