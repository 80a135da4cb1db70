//! A small bitmap font for these pictures: five pixels wide, seven high and one
//! below the line.

/// The pixels from one letter to the next.
pub const ADVANCE: u32 = 6;
/// The height of a letter in pixels, with its tail.
pub const HEIGHT: u32 = 8;

/// Rows of letters with their shapes: `#` is ink. Each letter takes five columns,
/// with one between.
const SHEETS: &[(&str, [&str; 8])] = &[
    (
        "0123456789",
        [
            " ###    #    ###   ###     #  #####  ##   #####  ###   ### ",
            "#   #  ##   #   # #   #   ##  #     #         # #   # #   #",
            "#  ##   #       #     #  # #  ####  #        #  #   # #   #",
            "# # #   #      #    ##  #  #      # ####    #    ###   ####",
            "##  #   #     #       # #####     # #   #  #    #   #     #",
            "#   #   #    #    #   #    #  #   # #   #  #    #   #    # ",
            " ###   ###  #####  ###     #   ###   ###   #     ###   ##  ",
            "                                                           ",
        ],
    ),
    (
        "ABCDEFGHI",
        [
            " ###  ####   ###  ####  ##### #####  ###  #   #  ### ",
            "#   # #   # #   # #   # #     #     #   # #   #   #  ",
            "#   # #   # #     #   # #     #     #     #   #   #  ",
            "##### ####  #     #   # ####  ####  #  ## #####   #  ",
            "#   # #   # #     #   # #     #     #   # #   #   #  ",
            "#   # #   # #   # #   # #     #     #   # #   #   #  ",
            "#   # ####   ###  ####  ##### #      ###  #   #  ### ",
            "                                                     ",
        ],
    ),
    (
        "JKLMNOPQR",
        [
            "    # #   # #     #   # #   #  ###  ####   ###  #### ",
            "    # #  #  #     ## ## ##  # #   # #   # #   # #   #",
            "    # # #   #     # # # # # # #   # #   # #   # #   #",
            "    # ##    #     # # # #  ## #   # ####  #   # #### ",
            "    # # #   #     #   # #   # #   # #     # # # # #  ",
            "#   # #  #  #     #   # #   # #   # #     #  #  #  # ",
            " ###  #   # ##### #   # #   #  ###  #      ## # #   #",
            "                                                     ",
        ],
    ),
    (
        "STUVWXYZ",
        [
            " #### ##### #   # #   # #   # #   # #   # #####",
            "#       #   #   # #   # #   # #   # #   #     #",
            "#       #   #   # #   # #   #  # #   # #     # ",
            " ###    #   #   # #   # # # #   #     #     #  ",
            "    #   #   #   # #   # # # #  # #    #    #   ",
            "    #   #   #   #  # #  ## ## #   #   #   #    ",
            "####    #    ###    #   #   # #   #   #   #####",
            "                                               ",
        ],
    ),
    (
        "abcdefghi",
        [
            "      #               #         ##        #       #  ",
            "      #               #        #          #          ",
            " ###  # ##   ###   ## #  ###  ####   #### # ##   ##  ",
            "    # ##  # #   # #  ## #   #  #    #   # ##  #   #  ",
            " #### #   # #     #   # #####  #    #   # #   #   #  ",
            "#   # #   # #   # #   # #      #     #### #   #   #  ",
            " #### ####   ###   ####  ###   #        # #   #  ### ",
            "                                     ###             ",
        ],
    ),
    (
        "jklmnopqr",
        [
            "   #  #      ##                                      ",
            "      #       #                                      ",
            "  ##  #  #    #   ## #  # ##   ###  # ##   ## # # ## ",
            "   #  # #     #   # # # ##  # #   # ##  # #  ## ##  #",
            "   #  ##      #   # # # #   # #   # #   # #   # #    ",
            "   #  # #     #   # # # #   # #   # ####   #### #    ",
            "#  #  #  #   ###  #   # #   #  ###  #         # #    ",
            " ##                                 #         #      ",
        ],
    ),
    (
        "stuvwxyz",
        [
            "       #                                       ",
            "       #                                       ",
            " #### ####  #   # #   # #   # #   # #   # #####",
            "#      #    #   # #   # #   #  # #  #   #    # ",
            " ###   #    #   # #   # # # #   #   #   #   #  ",
            "    #  #  # #  ##  # #  # # #  # #   ####  #   ",
            "####    ##   ## #   #    # #  #   #     # #####",
            "                                     ###       ",
        ],
    ),
    (
        ".,:;-+/()",
        [
            "                                        #    #   #   ",
            "              ##    ##          #       #   #     #  ",
            "              ##    ##          #      #   #       # ",
            "                        ##### #####   #    #       # ",
            "              ##    ##          #    #     #       # ",
            "  ##    ##    ##    ##          #   #       #     #  ",
            "  ##    ##         ##               #        #   #   ",
            "       ##                                            ",
        ],
    ),
    (
        "[]<>=%_'*",
        [
            " ###   ###     #   #          ##  #         #        ",
            " #       #    #     #         ##  #         #     #  ",
            " #       #   #       #  #####    #         #    # # #",
            " #       #  #         #         #                ### ",
            " #       #   #       #  #####  #                # # #",
            " #       #    #     #         #  ##               #  ",
            " ###   ###     #   #          #  ## #####            ",
            "                                                     ",
        ],
    ),
    (
        "#!?&@|\"~×",
        [
            " # #    #    ###   ##    ###    #    # #             ",
            " # #    #   #   # #  #  #   #   #    # #        #   #",
            "#####   #       #  ##   # ###   #          #  #  # # ",
            " # #    #      #   ## # # # #   #         # # #   #  ",
            "#####   #     #   #  #  # ###   #         #  #   # # ",
            " # #              #  #  #       #               #   #",
            " # #    #     #    ## #  ###    #                    ",
            "                                #                    ",
        ],
    ),
];

/// Returns the rows of a letter from the top: five pixels each, the leftmost in the
/// highest of the low five bits. Unknown letters are a box.
fn rows(letter: char) -> [u8; HEIGHT as usize] {
    if letter == ' ' {
        return [0; HEIGHT as usize];
    }
    for (letters, art) in SHEETS {
        let Some(place) = letters.chars().position(|other| other == letter) else {
            continue;
        };
        let first = place * ADVANCE as usize;
        return art.map(|row| {
            let pixels = &row.as_bytes()[first..first + 5];
            let bits = pixels.iter().map(|&pixel| u8::from(pixel == b'#'));
            bits.fold(0, |row, bit| row << 1 | bit)
        });
    }
    [
        0b11111, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11111, 0,
    ]
}

/// Returns the pixels of a text, as columns and rows from its upper left one.
pub fn pixels(text: &str) -> impl Iterator<Item = (i32, i32)> + use<'_> {
    (0..).zip(text.chars()).flat_map(|(place, letter)| {
        let left = place * ADVANCE as i32;
        (0..).zip(rows(letter)).flat_map(move |(row, bits)| {
            let inked = (0..5).filter(move |column| bits >> (4 - column) & 1 == 1);
            inked.map(move |column| (left + column, row))
        })
    })
}

/// Returns the width of a text in pixels, at size one.
pub fn width(text: &str) -> u32 {
    (text.chars().count() as u32 * ADVANCE).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_letter_has_its_place_and_a_look_of_its_own() {
        let mut looks = BTreeSet::new();
        for (letters, art) in SHEETS {
            let count = letters.chars().count();
            for row in art {
                assert_eq!(
                    row.len(),
                    count * ADVANCE as usize - 1,
                    "{letters}: `{row}`"
                );
                let gaps = (1..count).map(|letter| letter * ADVANCE as usize - 1);
                assert!(
                    gaps.into_iter().all(|gap| row.as_bytes()[gap] == b' '),
                    "{row}"
                );
            }
            for letter in letters.chars() {
                assert!(looks.insert(rows(letter)), "{letter} looks like another");
            }
        }
        let printable = (0x21..0x7f_u8).map(char::from);
        let missing: String = printable.filter(|&c| rows(c) == rows('\u{7f}')).collect();
        assert_eq!(missing, "$\\^`{}");
        assert_eq!((width(""), width("ab")), (0, 11));
        let inked: BTreeSet<(i32, i32)> = pixels("1-").collect();
        assert!(inked.contains(&(2, 0)) && inked.contains(&(6, 3)));
        assert!(!inked.contains(&(0, 0)) && inked.iter().all(|&(x, _)| x < 11));
    }
}
