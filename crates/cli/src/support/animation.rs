//! Pictures one after the other, as GIF.

use std::io;

use flowtiles_country::Colour;
use flowtiles_country::picture::Picture;

/// The number of frames from which the colours are chosen.
const SOURCES: usize = 8;
/// The place in the table of colours that stands for none.
const CLEAR: u8 = u8::MAX;

/// A picture and its time.
pub struct Frame<'a> {
    /// The picture; all of an animation have one size.
    pub picture: &'a Picture,
    /// Hundredths of a second.
    pub hundredths: u16,
}

/// Returns the bytes of an animation that repeats. Each frame holds only changes.
///
/// # Errors
/// If there is no frame, or the encoder fails.
pub fn to_gif(frames: &[Frame<'_>]) -> io::Result<Vec<u8>> {
    encoded(frames).map_err(io::Error::other)
}

fn encoded(frames: &[Frame<'_>]) -> Result<Vec<u8>, gif::EncodingError> {
    let Some(first) = frames.first() else {
        return Err(io::Error::other("an animation without a frame").into());
    };
    let sources = frames.iter().step_by(frames.len().div_ceil(SOURCES));
    let colours = sources.flat_map(|frame| frame.picture.colours.iter().copied());
    let (table, nearest) = palette(colours);
    let size = &first.picture.colours;
    let (width, height) = (size.width() as u16, size.height() as u16);
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, table.as_flattened())?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    let across = usize::from(width);
    let mut shown = vec![CLEAR; across * usize::from(height)];
    for frame in frames {
        let nearest = |colour: &Colour| nearest[key(*colour)];
        let places: Vec<u8> = frame.picture.colours.iter().map(nearest).collect();
        let changed = |(&place, before): (&u8, &u8)| if place == *before { CLEAR } else { place };
        let drawn: Vec<u8> = places.iter().zip(&shown).map(changed).collect();
        let row = |pixel: Option<usize>| pixel.unwrap_or(0) / across;
        let top = row(drawn.iter().position(|place| *place != CLEAR));
        let bottom = row(drawn.iter().rposition(|place| *place != CLEAR));
        let changes = gif::Frame {
            delay: frame.hundredths,
            top: top as u16,
            width,
            height: (bottom + 1 - top) as u16,
            transparent: Some(CLEAR),
            buffer: drawn[top * across..(bottom + 1) * across].into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&changes)?;
        shown = places;
    }
    drop(encoder);
    Ok(bytes)
}

/// The upper five bits of each band, in one number.
fn key(colour: Colour) -> usize {
    colour
        .iter()
        .fold(0, |key, band| key << 5 | usize::from(band >> 3))
}

/// Returns a table of the most common of these colours, and the place of the nearest of
/// them for any key.
fn palette(colours: impl Iterator<Item = Colour>) -> ([Colour; 256], Vec<u8>) {
    let mut seen = vec![(0, [0_u32; 3]); 1 << 15];
    for colour in colours {
        let (count, sums) = &mut seen[key(colour)];
        *count += 1;
        *sums = std::array::from_fn(|band| sums[band] + u32::from(colour[band]));
    }
    seen.sort_unstable_by(|one, two| two.cmp(one));
    seen.truncate(usize::from(CLEAR));
    seen.retain(|(count, _)| *count > 0);
    let mut table = [[0; 3]; 256];
    for (colour, (count, sums)) in table.iter_mut().zip(&seen) {
        *colour = sums.map(|sum| (sum / count) as u8);
    }
    let difference = |key: usize, [r, g, b]: Colour| {
        let band = |shift: usize, band: u8| {
            let wanted = (key >> shift & 31) * 8 + 4;
            wanted.abs_diff(usize::from(band)).pow(2)
        };
        band(10, r) + band(5, g) + band(0, b)
    };
    let nearest = |key| (0..seen.len()).min_by_key(|&place| difference(key, table[place]));
    let nearest = (0..1 << 15).map(|key| nearest(key).unwrap_or(0) as u8);
    (table, nearest.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_colours_are_kept_and_others_map_to_nearest() {
        let shown = [[10, 20, 30]; 5].into_iter().chain([[250, 0, 0]; 3]);
        let (table, nearest) = palette(shown);
        let drawn = |colour| table[usize::from(nearest[key(colour)])];
        assert_eq!(drawn([10, 20, 30]), [10, 20, 30]);
        assert_eq!(drawn([200, 40, 40]), [250, 0, 0]);
    }
}
