//! Maps as text: faults with their place, and costs of any set.

use flowtiles::CostMap;
use flowtiles_formats::{Format, read_text, write_text};

#[test]
fn a_header_may_give_any_character_another_cost() {
    let text = b"flowtiles map\r\ncost # 7\r\ncost \xC2 3\r\nmap\r\n#\r\n";
    assert!(read_text(text).is_err(), "only ASCII");
    let text = b"flowtiles map\r\ncost # 7\r\nmap\r\n#.\r\n\r\n";
    assert_eq!(read_text(text).unwrap().to_rows(), [7, 1]);
}

#[test]
fn every_set_of_costs_comes_back() {
    for kinds in [1, 2, 9, 10, 11, 62, 63, 64, 255_usize] {
        let rows: Vec<u8> = (0..17 * 23).map(|at| (255 - at % kinds) as u8).collect();
        let map = CostMap::from_rows(17, 23, &rows).unwrap();
        let text = write_text(&map);
        assert_eq!(read_text(text.as_bytes()), Ok(map), "{kinds}");
        assert_eq!(Format::of_bytes(text.as_bytes()), Some(Format::Text));
    }
}

#[test]
fn recorded_texts_are_written_and_read_as_they_were() {
    let all: Vec<u8> = (1..=255).collect();
    let hex = all.chunks(15).map(|row| {
        let digits = row.iter().map(|cost| format!("{cost:02x}"));
        digits.collect::<String>() + "\n"
    });
    let hex = format!("flowtiles map\nhex\nmap\n{}", hex.collect::<String>());
    let headed = "flowtiles map\ncost a 12\ncost b 40\ncost c 254\nmap\n.b#b\na.c9\n";
    for (width, costs, text) in [
        (
            4,
            &[1, 1, 255, 3, 9, 1, 255, 1, 1, 1, 1, 2][..],
            "..#3\n9.#.\n...2\n",
        ),
        (4, &[1, 40, 255, 40, 12, 1, 254, 9], headed),
        (15, &all, &hex),
    ] {
        let map = CostMap::from_rows(width, costs.len() as u32 / width, costs).unwrap();
        assert_eq!(write_text(&map), text);
        assert_eq!(read_text(text.as_bytes()), Ok(map));
    }
}
