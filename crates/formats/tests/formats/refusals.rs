//! Files with a fault: the table of `refusals.txt`.

use flowtiles_formats::{ReadError, Terrain, read_movingai, read_scenario, read_text};

type Read = fn(&[u8]) -> Result<(), ReadError>;

/// Returns the reader of a section, if it is built.
fn reader(name: &str) -> Option<Read> {
    Some(match name {
        "map" => |text| read_movingai(text, &Terrain::game()).map(drop),
        "txt" => |text| read_text(text).map(drop),
        "scen" => |text| read_scenario(text).map(drop),
        #[cfg(feature = "png")]
        "palette" => |text| flowtiles_formats::Palette::read(text).map(drop),
        #[cfg(feature = "tiled")]
        "tmx" => |text| flowtiles_formats::read_tmx(text, None).map(drop),
        #[cfg(feature = "tiled")]
        "tmj" => |text| flowtiles_formats::read_tmj(text, None).map(drop),
        #[cfg(feature = "ldtk")]
        "ldtk" => |text| {
            use flowtiles_formats::{LdtkChoice, Names, read_ldtk};
            read_ldtk(text, &Names::usual(), &LdtkChoice::default(), None).map(drop)
        },
        _ => return None,
    })
}

#[test]
fn faults_are_told_with_their_place() {
    let (mut count, mut others) = (0, Vec::new());
    for section in include_str!("refusals.txt").split("\n== ").skip(1) {
        let (head, faults) = section.split_once("\n--\n").expect("faults");
        let (name, whole) = head.split_once('\n').expect("a file");
        let Some(read) = reader(name) else { continue };
        read(whole.as_bytes()).unwrap_or_else(|error| panic!(".{name}: {error}"));
        let lines: Vec<&str> = faults.lines().collect();
        for pair in lines.chunks_exact(2) {
            let change = pair[0].replace("\\n", "\n").replace("\\t", "\t");
            let (from, to) = change.split_once(" => ").expect("a change");
            let from = if from == "*" { whole } else { from };
            assert!(whole.contains(from), ".{name} has no {from}");
            let error = read(whole.replacen(from, to, 1).as_bytes()).expect_err(pair[0]);
            let told = error.to_string();
            if !told.starts_with(pair[1]) {
                others.push(format!("{}: {told}", pair[0]));
            }
            count += 1;
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    assert!(count > 40, "only {count} are tried");
}
