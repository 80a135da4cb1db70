//! The letters of pictures, with soft edges: Roboto, under the Apache licence, drawn once by
//! `.ci/page_drive/letters.mjs`. Letters that it lacks are question marks.

use std::io::Cursor;
use std::sync::LazyLock;

const FILE: &[u8] = include_bytes!("font/letters.png");
/// After the letters of ASCII and of Latin-1.
const MORE: &str = "–—’…−≤≥→";
/// The sides of a letter's cell in the file, and how far the letter is right of its edge.
const WIDE: usize = 20;
const INSET: i32 = 1;

/// How large letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Small,
    Large,
}

impl Size {
    /// The rows of a letter's cell.
    const fn rows(self) -> usize {
        match self {
            Self::Small => 15,
            Self::Large => 21,
        }
    }

    /// The row of a cell on whose upper edge letters stand.
    const fn line(self) -> i32 {
        match self {
            Self::Small => 11,
            Self::Large => 15,
        }
    }

    /// The first row in the file.
    const fn first(self) -> usize {
        match self {
            Self::Small => 0,
            Self::Large => Self::Small.rows() + 1,
        }
    }

    /// The pixels of a letter above its line.
    pub const fn base(self) -> u32 {
        match self {
            Self::Small => 9,
            Self::Large => 12,
        }
    }

    /// The height of a letter in pixels, with its tail.
    pub const fn height(self) -> u32 {
        match self {
            Self::Small => 12,
            Self::Large => 16,
        }
    }

    /// The size of the same letters in a font of outlines.
    pub const fn points(self) -> u32 {
        match self {
            Self::Small => 12,
            Self::Large => 17,
        }
    }
}

/// The file, as shades and pixels across.
static LETTERS: LazyLock<(Vec<u8>, usize)> = LazyLock::new(|| {
    let read = || {
        let mut reader = png::Decoder::new(Cursor::new(FILE)).read_info().ok()?;
        let mut shades = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut shades).ok()?;
        Some((shades, info.width as usize))
    };
    read().expect("the letters are a picture")
});

/// The place of a letter in the file.
fn place(letter: char) -> usize {
    match letter {
        ' '..='~' => letter as usize - 0x20,
        '¡'..='ÿ' => letter as usize - 0xa1 + 95,
        _ => match MORE.chars().position(|more| more == letter) {
            Some(nth) => 190 + nth,
            None => place('?'),
        },
    }
}

fn shade(letter: usize, column: usize, row: usize) -> u8 {
    let (shades, across) = &*LETTERS;
    shades[row * across + letter * WIDE + column]
}

/// The way from a letter to the next, in eighths of a pixel.
fn advance(letter: usize, size: Size) -> i32 {
    shade(letter, 0, size.first()).into()
}

/// Returns the pixels of a text, as columns and rows from its upper left corner, with how
/// much of each is covered, of 255.
pub fn pixels(text: &str, size: Size) -> impl Iterator<Item = ([i32; 2], u8)> + use<'_> {
    let above = size.base() as i32 - size.line();
    let mut eighths = 0;
    text.chars().map(place).flat_map(move |letter| {
        let left = (eighths + 4) / 8 - INSET;
        eighths += advance(letter, size);
        let all = (0..size.rows()).flat_map(move |y| (0..WIDE).map(move |x| (x, y)));
        all.filter_map(move |(x, y)| match shade(letter, x, size.first() + 1 + y) {
            0 => None,
            cover => Some(([left + x as i32, above + y as i32], cover)),
        })
    })
}

/// Returns the width of a text in pixels.
pub fn width(text: &str, size: Size) -> u32 {
    let eighths = text.chars().map(|letter| advance(place(letter), size));
    (eighths.sum::<i32>() as u32).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_differ_and_keep_to_their_width() {
        for size in [Size::Small, Size::Large] {
            let looks = |letter: char| pixels(&letter.to_string(), size).collect::<Vec<_>>();
            let latin = ('¡'..='ÿ').filter(|letter| *letter != '\u{ad}');
            for letter in ('!'..='~').chain(latin).chain(MORE.chars()) {
                let other = if letter == '?' { '!' } else { '?' };
                assert_ne!(looks(letter), looks(other), "{letter}");
            }
            assert_eq!(looks('\u{2603}'), looks('?'));
            let right = width("ab", size) as i32;
            let low = size.height() as i32;
            assert!(pixels("ab", size).all(|([x, y], _)| x <= right && y >= -1 && y < low));
        }
        assert_eq!(width("", Size::Small), 0);
    }
}
