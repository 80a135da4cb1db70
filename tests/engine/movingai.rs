//! Reading Moving AI files: any bytes give a result, never a panic; and the
//! benchmark maps, where available, have their known properties.

use crate::oracle::bench::benchmark_file;
use crate::oracle::draw::Rng;
use flowtiles::{Cell, Cost};
use flowtiles_formats::{
    Place, ScenarioEntry, Terrain, read_movingai, read_scenario, write_movingai,
};

/// Changes a text in one of the ways in which files get damaged.
fn mutate(text: &mut Vec<u8>, rng: &mut Rng) {
    const PIECES: [&[u8]; 12] = [
        b"\n",
        b"\r\n",
        b"\t",
        b" ",
        b"map\n",
        b"65535",
        b"0",
        b"-1",
        b"99999999999999999999",
        b"\xff\xfe",
        b"1e308",
        b"height 4294967295\n",
    ];
    let at = rng.below(text.len() as i32 + 1) as usize;
    let until = (at + rng.below(12) as usize).min(text.len());
    match rng.below(6) {
        0 if at < text.len() => text[at] = rng.word() as u8,
        1 => drop(text.drain(at..until)),
        2 => text.truncate(at),
        3 => drop(text.splice(at..at, rng.pick(&PIECES).iter().copied())),
        4 => drop(text.splice(at..until, rng.pick(&PIECES).iter().copied())),
        _ => {
            let copy = text[at..until].to_vec();
            drop(text.splice(at..at, copy));
        }
    }
}

#[test]
fn no_text_makes_the_map_reader_panic() {
    let whole = b"type octile\nheight 4\nwidth 5\nmap\n..@..\n.TSW.\nO..G.\n.....\n";
    let mut read = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let mut text = whole.to_vec();
        for _ in 0..=rng.below(3) {
            mutate(&mut text, &mut rng);
        }
        for terrain in [Terrain::game(), Terrain::benchmark(), Terrain::empty()] {
            match read_movingai(&text, &terrain) {
                Ok(costs) => {
                    read += 1;
                    let cells = costs.width() as usize * costs.height() as usize;
                    assert!(cells <= text.len(), "seed {seed}: cells out of nothing");
                    let written =
                        write_movingai(&costs, &terrain).expect("each cost came by a letter");
                    assert_eq!(read_movingai(written.as_bytes(), &terrain), Ok(costs));
                }
                Err(error) => {
                    let lines = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
                    let Place::Line { line, column } = error.at else {
                        panic!("{error}");
                    };
                    assert!(line <= lines + 4 && column >= 1, "{error}");
                }
            }
        }
    }
    assert!(
        read > 500,
        "most drawn texts are broken, but not all: {read}"
    );
}

#[test]
fn no_text_makes_the_scenario_reader_panic() {
    let whole = b"version 1\n3\tmaps/a b.map\t64\t32\t1\t2\t63\t31\t77.4264\n\
                  0 c.map 64 32 1 2 1 2 0\r\n0\tc.map\t64\t32\t1\t2\t5\t2\t4.0000\n";
    let mut read = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let mut text = whole.to_vec();
        for _ in 0..=rng.below(4) {
            mutate(&mut text, &mut rng);
        }
        match read_scenario(&text) {
            Ok(entries) => {
                read += 1;
                for entry in entries {
                    check_entry(&entry);
                }
            }
            Err(error) => assert!(error.to_string().starts_with("line "), "{error}"),
        }
    }
    assert!(
        read > 1000,
        "most drawn texts are broken, but not all: {read}"
    );
}

fn check_entry(entry: &ScenarioEntry) {
    for Cell { x, y } in [entry.start, entry.goal] {
        assert!(x >= 0 && y >= 0);
        assert!((x as u32) < entry.width && (y as u32) < entry.height);
    }
    assert!(entry.length.is_finite() && entry.length >= 0.0);
    assert!(entry.tolerance() >= 0.0);
}

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
fn a_map_of_weighted_letters_reads_by_the_callers_table_only() {
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
