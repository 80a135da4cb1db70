//! Maps as text: faults with their place, and costs of any set.

use flowtiles::CostMap;
use flowtiles_formats::{Format, read_text, write_text};

#[test]
fn faults_are_told_with_their_place() {
    let refused = |text: &str, told: &str| {
        let found = read_text(text.as_bytes()).unwrap_err().to_string();
        assert!(found.starts_with(told), "{found}, not {told}");
    };
    refused("", "line 1, column 1: a map of 0×1 cells has no cells");
    refused(
        "\n..\n",
        "line 1, column 1: a map of 0×1 cells has no cells",
    );
    refused(
        "..\n.q\n",
        "line 2, column 2: the character `q` has no cost",
    );
    refused(".0", "line 1, column 2: the character `0` has no cost");
    refused(".\t", "line 1, column 2: the byte 0x09 has no cost");
    refused(
        "..\n...\n",
        "line 2, column 4: the row has 3 cells and the first has 2",
    );
    refused(
        "..\n\n \n ..",
        "line 4, column 2: text follows after a blank line",
    );
    let header = |rest: &str, told: &str| refused(&format!("flowtiles map\n{rest}"), told);
    header("", "line 2, column 1: this is not a header line");
    header(
        "cost ab 3\nmap\n.",
        "line 2, column 1: this is not a header line",
    );
    header(
        "cost a 256\nmap\n.",
        "line 2, column 8: the cost is not a whole number",
    );
    header(
        "cost a 0\nmap\n.",
        "line 2, column 8: the cost is not a whole number",
    );
    header(
        "hex\ncost a 3\nmap\n.",
        "line 3, column 1: this is not a header line",
    );
    header(
        "hex\nmap\n01ff0\n",
        "line 4, column 5: expected two hexadecimal digits",
    );
    header(
        "hex\nmap\n0100\n",
        "line 4, column 3: expected two hexadecimal digits",
    );
    header(
        "hex\nmap\n+101\n",
        "line 4, column 1: expected two hexadecimal digits",
    );
    header("map\n", "line 3, column 1: a map of 0×1 cells has no cells");
}

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
