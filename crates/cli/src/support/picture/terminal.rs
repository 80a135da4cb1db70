//! Pictures as text: two cells of colour in every character.

use std::fmt::Write;

use flowtiles::Cell;

use super::{Colour, Picture};

/// The picture in `columns` characters across, each an upper half block whose
/// own colour is the upper pixel and whose background is the lower one.
pub fn half_blocks(picture: &Picture, columns: i32) -> String {
    let (width, height) = (picture.colours.width(), picture.colours.height());
    let columns = columns.clamp(1, width);
    let rows = (height * columns / width / 2).max(1);
    let mut text = String::new();
    for row in 0..rows {
        for column in 0..columns {
            let [ur, ug, ub] = average(picture, (column, columns), (row * 2, rows * 2));
            let [lr, lg, lb] = average(picture, (column, columns), (row * 2 + 1, rows * 2));
            // Writing to a string cannot fail.
            let _ = write!(text, "\x1b[38;2;{ur};{ug};{ub};48;2;{lr};{lg};{lb}m▀");
        }
        text.push_str("\x1b[0m\n");
    }
    text
}

/// The mean colour of one column and row, each given as its number and count.
fn average(picture: &Picture, column: (i32, i32), row: (i32, i32)) -> Colour {
    let span = |(at, of): (i32, i32), length: i32| {
        let from = at * length / of;
        from..((at + 1) * length / of).max(from + 1)
    };
    let mut sums = [0u32; 3];
    let mut count = 0;
    for y in span(row, picture.colours.height()) {
        for x in span(column, picture.colours.width()) {
            if let Some(colour) = picture.colours.get(Cell::new(x, y)) {
                count += 1;
                for (sum, band) in sums.iter_mut().zip(colour) {
                    *sum += u32::from(*band);
                }
            }
        }
    }
    sums.map(|sum| (sum / count.max(1)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles_scenes::raster::Raster;

    #[test]
    fn two_pixels_share_a_character() {
        let picture = Picture {
            colours: Raster::from_cells(2, 2, |cell| if cell.y == 0 { [9; 3] } else { [7; 3] }),
        };
        let text = half_blocks(&picture, 80);
        let upper_lower = "\x1b[38;2;9;9;9;48;2;7;7;7m▀";
        assert_eq!(text, format!("{upper_lower}{upper_lower}\x1b[0m\n"));
    }
}
