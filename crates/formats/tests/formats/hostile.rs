//! Files that are cut off, damaged, or malicious: always an error, never a
//! panic, and never more cells than the file supports.

use flowtiles::{CellRect, CostMap};
use flowtiles_formats::{Format, MapReader, MapWriter};

use crate::drawn::{self, Rng};
use crate::round_trips::built;

/// Pieces that are inserted into files.
const PIECES: [&[u8]; 18] = [
    b"\n",
    b"\t",
    b"0",
    b"-1",
    b"65535",
    b"99999999999999999999",
    b"\xff\xfe",
    b"hex\n",
    b"map\n",
    b"cost a 7\n",
    b"<data>",
    b"\"",
    b"<!--",
    b"&lt;",
    b"]]>",
    b"{}",
    b"1e308",
    b"IDAT",
];

fn reader() -> MapReader {
    // A low limit, so that a wrong size is detected.
    MapReader::new().with_cells_max(10_000)
}

/// Returns the formats that this build reads.
fn read() -> Vec<Format> {
    let mut formats = built();
    formats.extend(cfg!(feature = "ldtk").then_some(Format::Ldtk));
    formats
}

/// An LDtk project with its level inside.
const LDTK: &str = r##"{"__header__":{},"worldLayout":"Free","defs":{"layers":[{"uid":1,
 "intGridValues":[{"value":1,"identifier":"wall"},{"value":2,"identifier":"mud"}]}]},"levels":[
 {"identifier":"A","worldX":0,"worldY":-16,"layerInstances":[
 {"__identifier":"spawn","__type":"Entities","__cWid":3,"__cHei":2,"__gridSize":8,
  "layerDefUid":2,"entityInstances":[{"__identifier":"a","__grid":[1,1]}]},
 {"__identifier":"G","__type":"IntGrid","__cWid":3,"__cHei":2,"__gridSize":8,
  "__pxTotalOffsetX":0,"layerDefUid":1,"intGridCsv":[0,1,2,0,1,1]}]},
 {"identifier":"B","worldX":24,"worldY":0,"layerInstances":[
 {"__identifier":"G","__type":"IntGrid","__cWid":1,"__cHei":1,"__gridSize":8,
  "layerDefUid":1,"intGridCsv":[2]}]}]}"##;

fn sample(format: Format) -> Vec<u8> {
    if format == Format::Ldtk {
        return LDTK.as_bytes().to_vec();
    }
    let mut map = CostMap::open(23, 11).expect("a map");
    let wall = flowtiles::Cost::WALL;
    map.edit(CellRect::new(4, 3, 2, 7), wall)
        .expect("on the map");
    let hard = flowtiles::Cost::new(3).expect("a cost");
    map.edit(CellRect::new(12, 0, 9, 5), hard)
        .expect("on the map");
    MapWriter::new()
        .write(format, &map)
        .expect("three costs")
        .bytes
}

#[test]
fn no_map_that_is_cut_off_anywhere_is_another_map() {
    for format in read() {
        let bytes = sample(format);
        let whole = reader().read(format, &bytes).expect("the whole");
        for end in 0..bytes.len() {
            match reader().read(format, &bytes[..end]) {
                Err(error) => assert!(!error.to_string().is_empty()),
                // A text has no stated height: the remaining whole rows are a
                // valid map.
                Ok(map) if format == Format::Text => assert!(map.height() <= whole.height()),
                Ok(map) => assert_eq!(map, whole, ".{format} cut at {end} of {}", bytes.len()),
            }
        }
    }
}

#[test]
fn no_damage_makes_a_reader_panic() {
    for format in read() {
        let mut read = 0;
        for seed in 0..4_000 {
            let mut rng = Rng::new(seed);
            let mut bytes = sample(format);
            for _ in 0..=rng.index(3) {
                drawn::damage(&mut bytes, &mut rng, &PIECES);
            }
            match reader().read(format, &bytes) {
                Ok(map) => {
                    read += 1;
                    // A limit of its own, since levels may lie far from each other.
                    let limit = if format == Format::Ldtk {
                        1 << 24
                    } else {
                        10_000
                    };
                    assert!(u64::from(map.width()) * u64::from(map.height()) <= limit);
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        assert!(read < 4_000, ".{format}: damage is seen");
        assert!(read > 0, ".{format}: none was read");
    }
}

#[test]
fn any_bytes_are_answered_by_every_reader() {
    for format in Format::ALL {
        for seed in 0..500 {
            let mut rng = Rng::new(seed);
            let length = rng.index(300);
            let bytes: Vec<u8> = (0..length).map(|_| rng.word() as u8).collect();
            assert!(
                reader().read(format, &bytes).is_err(),
                ".{format}, seed {seed}"
            );
        }
    }
}

#[test]
fn claims_over_the_limit_are_refused() {
    let small = MapReader::new().with_cells_max(252);
    for format in [Format::Flow, Format::Png] {
        if built().contains(&format) {
            let error = small.read(format, &sample(format)).expect_err("253 cells");
            assert!(error.to_string().contains("limit of 252 cells"), "{error}");
            let enough = MapReader::new().with_cells_max(253);
            assert!(enough.read(format, &sample(format)).is_ok());
        }
    }
}

#[cfg(feature = "tiled")]
mod tiled_bombs {
    use std::io::Write;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use flowtiles_formats::{read_tmj, read_tmx};

    fn tmx(size: &str, layers: &str) -> String {
        format!(
            "<map orientation=\"orthogonal\" {size} tilewidth=\"8\" tileheight=\"8\">\
             <tileset firstgid=\"1\" tilecount=\"4294967295\" name=\"t\"><tile id=\"0\"><properties>\
             <property name=\"cost\" value=\"1\"/></properties></tile></tileset>{layers}</map>"
        )
    }

    const NESTED: &str = "elements are nested too deeply or are too many";

    fn refused(text: &str, told: &str) {
        let error = read_tmx(text.as_bytes(), None).expect_err("a bomb");
        assert!(error.what.contains(told), "{error}, not {told}");
    }

    #[test]
    fn layer_that_unpacks_to_too_many_cells_is_refused() {
        let zeros = vec![0; 64 << 20];
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
        zlib.write_all(&zeros).expect("memory");
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&zeros).expect("memory");
        let packed = [
            ("zlib", zlib.finish().expect("memory")),
            ("gzip", gzip.finish().expect("memory")),
        ];
        for (compression, bytes) in packed {
            let size = "width=\"3\" height=\"2\"";
            let text = STANDARD.encode(bytes);
            let layer = format!(
                "<layer name=\"l\" {size}><data encoding=\"base64\" compression=\"{compression}\">\
                 {text}</data></layer>"
            );
            let told = "there are more than the 6 tiles of its size";
            refused(&tmx(size, &layer), told);
        }
    }

    #[test]
    fn claimed_sizes_are_refused_before_allocation() {
        let limit = "over the limit of";
        for size in [
            "width=\"65535\" height=\"65535\"",
            "width=\"4294967295\" height=\"1\"",
        ] {
            let layer = format!("<layer name=\"l\" {size}><data encoding=\"csv\">1</data></layer>");
            refused(&tmx(size, &layer), limit);
        }
        let chunk = |x: i64, width: u32| {
            format!("<chunk x=\"{x}\" y=\"0\" width=\"{width}\" height=\"4\">1</chunk>")
        };
        let infinite = |chunks: String, told: &str| {
            let layer = format!(
                "<layer name=\"l\" width=\"1\" height=\"1\"><data encoding=\"csv\">{chunks}</data>\
                 </layer>"
            );
            refused(
                &tmx("width=\"1\" height=\"1\" infinite=\"1\"", &layer),
                told,
            );
        };
        infinite(chunk(0, u32::MAX), limit);
        let apart = chunk(i64::from(i32::MIN), 1) + &chunk(i64::from(i32::MAX), u32::MAX);
        infinite(apart, limit);
        infinite(String::new(), "has no cells");
        // The same cells again and again: each piece is small, but their sum is
        // not.
        let many = "<chunk x=\"0\" y=\"0\" width=\"4000\" height=\"4000\"></chunk>".repeat(5);
        infinite(many, "the layers up to here have more than 67108864 cells");
    }

    #[test]
    fn entities_and_depth_are_refused() {
        let size = "width=\"1\" height=\"1\"";
        let entities = "<?xml version=\"1.0\"?><!DOCTYPE map [<!ENTITY a \"aaaaaaaaaa\">\
            <!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>";
        refused(
            &format!("{entities}{}", tmx(size, "&b;&c;")),
            "remove <!DOCTYPE …>",
        );
        for (begin, end, times) in [
            ("<group>", "</group>", 66),
            ("<group>", "</group>", 200_000),
            ("<group>", "", 2_000_000),
            ("<layer/>", "", 600_000),
            ("<", "", 1 << 24),
            ("<a b=''/>", "", 1 << 20),
            ("<a b='=========='/>", "", 1 << 17),
        ] {
            refused(
                &tmx(size, &(begin.repeat(times) + &end.repeat(times))),
                NESTED,
            );
        }
        let many = |name: &str, count: usize, end: &str| -> String {
            (0..count)
                .map(|at| format!("{name}{at}='x'{end}"))
                .collect()
        };
        refused(&tmx(size, &format!("<a{}/>", many(" a", 257, ""))), NESTED);
        refused(&tmx(size, &many("<a xmlns:b", 65, ">")), NESTED);
        let deep = "[".repeat(1 << 20);
        assert!(read_tmj(deep.as_bytes(), None).is_err());
        let deep = "{\"layers\":[".repeat(1000);
        assert!(read_tmj(deep.as_bytes(), None).is_err());
        let many = format!("{{\"layers\":[{}]}}", "{},".repeat(1 << 19));
        let error = read_tmj(many.as_bytes(), None).expect_err("too many");
        assert!(error.what.starts_with(NESTED), "{error}");
        let large = vec![b' '; (32 << 20) + 1];
        let error = read_tmx(&large, None).expect_err("too large");
        assert!(
            error
                .what
                .starts_with("up to here there are more than 33554432"),
            "{error}"
        );
    }
}
