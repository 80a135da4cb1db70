//! Small letters for pictures: three pixels wide, five high.

use flowtiles::Cell;

use super::{Colour, Picture};

/// Pixels from a letter to the next, before it is enlarged.
const ADVANCE: i32 = 4;
/// Rows of a letter.
pub const HIGH: i32 = 5;

/// The rows of a letter from the top, three bits each, the left one highest.
const fn rows(letter: char) -> [u8; HIGH as usize] {
    match letter {
        '0' => [0b111, 0b101, 0b101, 0b101, 0b111],
        '1' => [0b010, 0b110, 0b010, 0b010, 0b111],
        '2' => [0b111, 0b001, 0b111, 0b100, 0b111],
        '3' => [0b111, 0b001, 0b111, 0b001, 0b111],
        '4' => [0b101, 0b101, 0b111, 0b001, 0b001],
        '5' => [0b111, 0b100, 0b111, 0b001, 0b111],
        '6' => [0b111, 0b100, 0b111, 0b101, 0b111],
        '7' => [0b111, 0b001, 0b010, 0b010, 0b010],
        '8' => [0b111, 0b101, 0b111, 0b101, 0b111],
        '9' => [0b111, 0b101, 0b111, 0b001, 0b111],
        '.' => [0b000, 0b000, 0b000, 0b000, 0b010],
        'a' => [0b010, 0b101, 0b111, 0b101, 0b101],
        'b' => [0b110, 0b101, 0b110, 0b101, 0b110],
        'c' => [0b011, 0b100, 0b100, 0b100, 0b011],
        'd' => [0b110, 0b101, 0b101, 0b101, 0b110],
        'e' => [0b111, 0b100, 0b110, 0b100, 0b111],
        'f' => [0b111, 0b100, 0b110, 0b100, 0b100],
        'g' => [0b011, 0b100, 0b101, 0b101, 0b011],
        'h' => [0b101, 0b101, 0b111, 0b101, 0b101],
        'i' => [0b111, 0b010, 0b010, 0b010, 0b111],
        'l' => [0b100, 0b100, 0b100, 0b100, 0b111],
        'm' => [0b101, 0b111, 0b111, 0b101, 0b101],
        'n' => [0b110, 0b101, 0b101, 0b101, 0b101],
        'o' => [0b010, 0b101, 0b101, 0b101, 0b010],
        'p' => [0b110, 0b101, 0b110, 0b100, 0b100],
        'r' => [0b110, 0b101, 0b110, 0b101, 0b101],
        's' => [0b011, 0b100, 0b010, 0b001, 0b110],
        't' => [0b111, 0b010, 0b010, 0b010, 0b010],
        'u' => [0b101, 0b101, 0b101, 0b101, 0b111],
        'v' => [0b101, 0b101, 0b101, 0b101, 0b010],
        'w' => [0b101, 0b101, 0b101, 0b111, 0b101],
        'x' => [0b101, 0b101, 0b010, 0b101, 0b101],
        'y' => [0b101, 0b101, 0b010, 0b010, 0b010],
        _ => [0; HIGH as usize],
    }
}

/// Pixels across a text.
pub fn width(text: &str, enlarged: i32) -> i32 {
    (text.chars().count() as i32 * ADVANCE - 1) * enlarged
}

/// Writes digits, points and the small letters of the names of layers and
/// parameters, from the upper left pixel. Others are left blank.
pub fn write(picture: &mut Picture, from: Cell, text: &str, enlarged: i32, colour: Colour) {
    for (place, letter) in (0..).zip(text.chars()) {
        for (row, bits) in (0..).zip(rows(letter)) {
            for column in (0..3).filter(|column| bits & (0b100 >> column) != 0) {
                let x = from.x + (place * ADVANCE + column) * enlarged;
                let y = from.y + row * enlarged;
                for (dx, dy) in (0..enlarged).flat_map(|dy| (0..enlarged).map(move |dx| (dx, dy))) {
                    picture.lay(Cell::new(x + dx, y + dy), colour, 255);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::raster::Raster;

    #[test]
    fn a_text_is_as_wide_as_it_says_and_reads_as_drawn() {
        let mut picture = Picture {
            colours: Raster::filled(20, 7, [0; 3]),
        };
        write(&mut picture, Cell::new(1, 1), "1.7", 1, [255; 3]);
        let drawn: Vec<String> = (0..7)
            .map(|y| {
                let inked = |x| picture.colours[Cell::new(x, y)] != [0; 3];
                (0..20).map(|x| if inked(x) { '#' } else { ' ' }).collect()
            })
            .collect();
        let lines: Vec<&str> = drawn.iter().map(|line| line.trim_end()).collect();
        let wanted = [
            "",
            "  #      ###",
            " ##        #",
            "  #       #",
            "  #       #",
            " ###  #   #",
            "",
        ];
        assert_eq!(lines, wanted);
        assert_eq!(width("1.7", 1), 11);
        assert_eq!(width("1.7", 2), 22);
    }
}
