//! Moving AI files: letters, line ends, and the known properties of the benchmark maps, where
//! these are available.

use flowtiles::Cost;
use flowtiles_formats::{Terrain, read_movingai, read_scenario, write_movingai};

use crate::bench::benchmark_file;

/// Name, size, open cells, entries, entries without a path, longest length
/// (rounded).
type Known = (&'static str, (u32, u32), usize, usize, usize, f64);

const KNOWN: [Known; 9] = [
    ("TheFrozenSea", (1024, 1024), 754_304, 3700, 0, 1484.0),
    ("JungleSiege", (768, 768), 319_373, 3340, 0, 1339.0),
    ("icecrown", (512, 512), 176_566, 1277, 0, 512.0),
    ("orz900d", (1491, 656), 96_603, 7015, 0, 2836.0),
    ("lak203d", (112, 146), 3331, 340, 10, 136.0),
    ("Berlin_1_1024", (1024, 1024), 799_311, 3920, 0, 1568.0),
    ("maze512-4-0", (512, 512), 209_263, 9730, 0, 3895.0),
    ("32room_000", (512, 512), 240_671, 1900, 0, 764.0),
    ("random512-35-0", (512, 512), 161_541, 2150, 0, 863.0),
];

#[test]
fn the_benchmark_files_read_as_they_are_known_to_be() {
    for (name, size, open, entries, unreachable, longest) in KNOWN {
        let Some(map) = benchmark_file(&format!("{name}.map")) else {
            continue;
        };
        let costs = read_movingai(&map, &Terrain::benchmark()).expect(name);
        assert_eq!((costs.width(), costs.height()), size, "{name}");
        let rows = costs.to_rows();
        let found = rows.iter().filter(|&&cost| cost == 1).count();
        assert_eq!(found, open, "{name}");
        let Some(scenario) = benchmark_file(&format!("{name}.map.scen")) else {
            continue;
        };
        let list = read_scenario(&scenario).expect(name);
        assert_eq!(list.len(), entries, "{name}");
        let cut_off = list.iter().filter(|entry| entry.says_unreachable());
        assert_eq!(cut_off.count(), unreachable, "{name}");
        let mut found = 0.0_f64;
        for entry in &list {
            assert_eq!((entry.width, entry.height), size, "{name}");
            assert_eq!(entry.map_name(), format!("{name}.map"));
            found = found.max(entry.length);
            let ends = [entry.start, entry.goal].map(|cell| costs.get(cell));
            assert_eq!(ends, [Some(Cost::OPEN); 2], "{name}, line {}", entry.line);
        }
        assert_eq!(found.round(), longest, "{name}");
    }
}

#[test]
fn weighted_letters_read_only_by_the_callers_table() {
    let Some(map) = benchmark_file("Map1.map") else {
        return;
    };
    let refused =
        read_movingai(&map, &Terrain::game()).expect_err("`A` to `P` are no game letters");
    assert!(refused.to_string().starts_with("line 5, "), "{refused}");
    let mut table = Terrain::empty();
    for letter in b'A'..=b'P' {
        table = table.with(letter, Cost::new(letter - b'A' + 5).expect("5 to 20"));
    }
    let costs = read_movingai(&map, &table).expect("Map1");
    assert_eq!((costs.width(), costs.height()), (2048, 2048));
    let rows = costs.to_rows();
    let count = |cost: u8| rows.iter().filter(|&&found| found == cost).count();
    assert_eq!(
        (count(11), count(19)),
        (365_664, 138_960),
        "G and O are ground"
    );
}

#[test]
fn both_line_ends_and_trailing_blank_lines_are_read() {
    let unix = b"type octile\nheight 2\nwidth 2\nmap\n.S\nW@";
    let unix = read_movingai(unix, &Terrain::game());
    let dos = b"type octile\r\nheight\t2 \r\nwidth  2\r\nmap\r\n.S\r\nW@\r\n\r\n \t\r\n";
    assert_eq!(unix, read_movingai(dos, &Terrain::game()));
    assert_eq!(unix.unwrap().to_rows(), [1, 3, 255, 255]);
}

#[test]
fn benchmark_table_closes_letters_but_not_all_bytes() {
    let text = b"type octile\nheight 1\nwidth 6\nmap\n.GSWq@\n";
    let costs = read_movingai(text, &Terrain::benchmark()).unwrap();
    assert_eq!(costs.to_rows(), [1, 1, 1, 255, 255, 255]);
    let binary = b"type octile\nheight 1\nwidth 1\nmap\n\x00\n";
    assert!(read_movingai(binary, &Terrain::benchmark()).is_err());
}

#[test]
fn kinds_of_ground_keep_their_letters() {
    let rows = ".SWT@\n@TWS.\n";
    let text = format!("type octile\nheight 2\nwidth 5\nmap\n{rows}");
    let kinds = read_movingai(text.as_bytes(), &Terrain::kinds()).unwrap();
    let mut found = kinds.to_rows();
    assert_eq!(write_movingai(&kinds, &Terrain::kinds()), Ok(text.clone()));
    // For units that only walk, what is no ground is a wall.
    for kind in &mut found {
        if [Terrain::WATER, Terrain::TREES]
            .map(Cost::value)
            .contains(kind)
        {
            *kind = Cost::WALL.value();
        }
    }
    let costs = read_movingai(text.as_bytes(), &Terrain::game()).unwrap();
    assert_eq!(costs.to_rows(), found);
}
