//! Round trips: written maps are read back unchanged.

use flowtiles::{Cell, CellRect, Cost, CostMap};
use flowtiles_formats::{Format, Lack, MapReader, MapWriter, Terrain};

use crate::drawn;

/// Returns the formats that this build reads and writes.
pub fn built() -> Vec<Format> {
    let mut features = vec![None];
    features.extend(cfg!(feature = "png").then_some(Some("png")));
    features.extend(cfg!(feature = "tiled").then_some(Some("tiled")));
    let is_built = |format: &Format| features.contains(&format.feature()) && format.is_written();
    Format::ALL.into_iter().filter(is_built).collect()
}

/// Returns a table with a letter for each cost from 1 to 90, and for walls.
fn ninety_letters() -> Terrain {
    let letters = b'"'..=b'{';
    let costs = letters.filter_map(|letter| Some((letter, Cost::new(letter - b'!').ok()?)));
    costs
        .fold(Terrain::empty(), |terrain, (letter, cost)| {
            terrain.with(letter, cost)
        })
        .with(b'!', Cost::WALL)
}

#[test]
fn every_format_gives_drawn_maps_back() {
    for format in built() {
        for seed in 0..200 {
            let kinds = [1, 2, 5, 30, 80, 400][seed as usize % 6];
            let map = drawn::map(seed, kinds);
            let (mut reader, mut writer) = (MapReader::new(), MapWriter::new());
            if format == Format::MovingAi {
                // There are fewer printable letters than costs.
                if map
                    .to_rows()
                    .iter()
                    .any(|&cost| !matches!(cost, 1..=90 | 255))
                {
                    continue;
                }
                let terrain = ninety_letters();
                reader = reader.with_kinds(terrain.clone());
                writer = writer.with_kinds(terrain);
            }
            let written = writer.write(format, &map).expect("lossless");
            assert_eq!(written.losses, []);
            assert_eq!(
                Format::of_bytes(&written.bytes),
                Some(format),
                "seed {seed}"
            );
            let read = reader.read(format, &written.bytes);
            assert_eq!(
                read.expect("what was written"),
                map,
                ".{format}, seed {seed}"
            );
            let again = writer.write(format, &map).expect("lossless").bytes;
            assert_eq!(again, written.bytes, "equal maps have equal bytes");
        }
    }
}

#[test]
fn formats_are_known_by_bytes_and_then_by_names() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats-door");
    std::fs::create_dir_all(&folder).expect("a folder");
    let map = drawn::map(7, 2);
    for format in built() {
        let bytes = MapWriter::new()
            .write(format, &map)
            .expect("two costs")
            .bytes;
        let named = folder.join(format!("map.{format}"));
        let unnamed = folder.join(format!("unnamed-{format}"));
        let misnamed = folder.join(format!("{format}.map"));
        for path in [&named, &unnamed, &misnamed] {
            std::fs::write(path, &bytes).expect("a file");
            let loaded = MapReader::new().read_file(path).expect("a map");
            assert_eq!((loaded.format, loaded.costs), (format, map.clone()));
        }
        std::fs::write(&named, b"\x00").expect("a file");
        let refused = MapReader::new().read_file(&named).expect_err("no map");
        assert_ne!(refused.lacks, Some(Lack::Format), "{refused}");
    }
    let unknown = folder.join("unknown");
    std::fs::write(&unknown, b"\x00").expect("a file");
    let refused = MapReader::new().read_file(&unknown).expect_err("no map");
    assert_eq!(refused.lacks, Some(Lack::Format));
    let told = "the format of the map is unknown: give the file the extension .map .txt .flow .png \
                .tmx .tmj .ldtk, or name the format";
    assert_eq!(
        refused.to_string(),
        format!("{}: {told}", unknown.display())
    );
    let reader = MapReader::new().with_format(Format::Flow);
    let refused = reader.read_file(&unknown).expect_err("no map");
    assert!(
        refused.to_string().contains("/unknown: byte 0: "),
        "{refused}"
    );
    let missing = folder.join("missing.map");
    let refused = MapReader::new().read_file(&missing).expect_err("no file");
    let told = format!("{}: cannot be read (", missing.display());
    assert!(refused.to_string().starts_with(&told), "{refused}");
}

/// Returns a file in each format that this build reads, all but that of LDtk with one map.
fn samples() -> Vec<(Format, Vec<u8>)> {
    let mut map = CostMap::open(23, 11).expect("a map");
    let wall = CellRect::new(4, 3, 2, 7);
    map.edit(wall, Cost::WALL).expect("on the map");
    let hard = Cost::new(3).expect("a cost");
    map.edit(CellRect::new(12, 0, 9, 5), hard)
        .expect("on the map");
    let written = |format| {
        MapWriter::new()
            .write(format, &map)
            .expect("three costs")
            .bytes
    };
    let mut samples: Vec<_> = built()
        .into_iter()
        .map(|format| (format, written(format)))
        .collect();
    if cfg!(feature = "ldtk") {
        samples.push((Format::Ldtk, include_bytes!("data/template.ldtk").to_vec()));
    }
    samples
}

#[test]
fn no_map_that_is_cut_off_anywhere_is_another_map() {
    let reader = MapReader::new();
    for (format, bytes) in samples() {
        let whole = reader.read(format, &bytes).expect("the whole");
        for end in 0..bytes.len() {
            match reader.read(format, &bytes[..end]) {
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
fn claims_over_the_limit_are_refused() {
    let at_most = |cells| MapReader::new().with_cells_max(cells);
    for (format, bytes) in samples() {
        if [Format::Flow, Format::Png].contains(&format) {
            let error = at_most(252).read(format, &bytes).expect_err("253 cells");
            assert!(error.to_string().contains("limit of 252 cells"), "{error}");
            assert!(at_most(253).read(format, &bytes).is_ok());
        }
    }
}

#[test]
fn unwritable_costs_are_refused_or_reported() {
    let mut map = CostMap::open(12, 3).expect("a map");
    let cost = |value| Cost::new(value).expect("a cost");
    for (x, value) in [(1, 2), (2, 3), (3, 254), (4, 255), (5, 2)] {
        map.edit(Cell::new(x, 1), cost(value)).expect("on the map");
    }
    let refused = MapWriter::new().write(Format::MovingAi, &map);
    let refused = refused.expect_err("cost 2 has no letter");
    assert_eq!(refused.cost, Some(cost(2)));
    let told = "the cell (1, 1) costs 2, for which there is no letter: give that cost one";
    assert_eq!(refused.to_string(), told);
    let written = MapWriter::new()
        .lossy()
        .write(Format::MovingAi, &map)
        .expect("lossy");
    let losses: Vec<_> = written.losses.iter().map(ToString::to_string).collect();
    let expected = [
        "2 cells of cost 2 written as 1",
        "1 cell of cost 254 written as 3",
    ];
    assert_eq!(losses, expected);
    let read = MapReader::new()
        .read(Format::MovingAi, &written.bytes)
        .expect("a map");
    assert_eq!(read.to_rows()[12..18], [1, 1, 3, 3, 255, 1]);
    // A table without an open letter has no replacement.
    let walls = Terrain::empty().with(b'@', Cost::WALL);
    let writer = MapWriter::new().lossy().with_kinds(walls);
    assert!(writer.write(Format::MovingAi, &map).is_err());
}
