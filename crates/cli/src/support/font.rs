//! The letters of pictures: the fixed fonts of X11, as pixels.

use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_10X20};
use embedded_graphics::pixelcolor::BinaryColor;

/// The most pixels from one letter to the next, at size one.
pub const ADVANCE: u32 = 6;
/// The height of a letter in pixels, with its tail, at size one.
pub const HEIGHT: u32 = 8;
/// The pixels above the line, at size one.
pub const BASE: u32 = 7;

/// Returns the pixels of a text, as columns and rows from its upper left corner.
pub fn pixels(text: &str, size: u32) -> impl Iterator<Item = [i32; 2]> + use<'_> {
    let font = if size > 1 { FONT_10X20 } else { FONT_6X10 };
    let [across, down] = [font.character_size.width, font.character_size.height].map(|n| n as i32);
    let columns = font.image.size().width as i32 / across;
    let above = (BASE * size) as i32 - 1 - font.baseline as i32;
    (0..).zip(text.chars()).flat_map(move |(place, letter)| {
        let glyph = font.glyph_mapping.index(letter) as i32;
        let (left, top) = (glyph % columns * across, glyph / columns * down);
        let all = (0..down).flat_map(move |y| (0..across).map(move |x| [x, y]));
        let inked = all.filter(move |[x, y]| {
            font.image.pixel(Point::new(left + x, top + y)) == Some(BinaryColor::On)
        });
        inked.map(move |[x, y]| [place * across + x, above + y])
    })
}

/// Returns the most width of a text in pixels, at size one.
pub fn width(text: &str) -> u32 {
    (text.chars().count() as u32 * ADVANCE).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_looks_of_their_own_and_keep_to_their_width() {
        for size in [1, 2] {
            let looks = |letter: char| pixels(&letter.to_string(), size).collect::<Vec<_>>();
            for letter in (0x21..0x7f_u8).map(char::from).chain(['×']) {
                let other = if letter == '?' { '!' } else { '?' };
                assert_ne!(looks(letter), looks(other), "{letter}");
            }
            let right = (width("ab") * size) as i32;
            assert!(pixels("ab", size).all(|[x, y]| x < right && y >= -2));
        }
        assert_eq!((width(""), width("ab")), (0, 11));
    }
}
