//! Pictures as text: two cells of colour in every character.

use std::fmt::Write;

use flowtiles::Cell;
use flowtiles_country::Colour;
use flowtiles_country::picture::Picture;

/// The picture in `columns` characters across, each an upper half block whose
/// own colour is the upper pixel and whose background is the lower one.
pub fn half_blocks(picture: &Picture, columns: i32) -> String {
    let (width, height) = (picture.colours.width(), picture.colours.height());
    let columns = columns.clamp(1, width);
    let rows = (height * columns / width / 2).max(1);
    let span = |part: i32, parts: i32, length: i32| {
        let from = part * length / parts;
        from..((part + 1) * length / parts).max(from + 1)
    };
    // The mean of the pixels that become one.
    let mean = |column: i32, row: i32| -> Colour {
        let under = span(row, 2 * rows, height)
            .flat_map(|y| span(column, columns, width).map(move |x| Cell::new(x, y)));
        let (mut count, mut sums) = (0, [0; 3]);
        for colour in under.filter_map(|cell| picture.colours.get(cell)) {
            count += 1;
            sums = std::array::from_fn(|band| sums[band] + u32::from(colour[band]));
        }
        sums.map(|sum| (sum / count.max(1)) as u8)
    };
    let mut text = String::new();
    for row in 0..rows {
        for column in 0..columns {
            let [ur, ug, ub] = mean(column, 2 * row);
            let [lr, lg, lb] = mean(column, 2 * row + 1);
            // Writing to a string cannot fail.
            let _ = write!(text, "\x1b[38;2;{ur};{ug};{ub};48;2;{lr};{lg};{lb}m▀");
        }
        text.push_str("\x1b[0m\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles_country::raster::Raster;

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
