//! Map files, scenarios and palettes of any bytes.

use std::fs;
use std::path::Path;
use std::process;

use flowtiles::CostMap;
use flowtiles::inspect::Digest;
use flowtiles_formats::{
    Format, Heights, LdtkChoice, MapReader, MapWriter, Palette, read_scenario, write_scenario,
};
use flowtiles_mapped::MappedCosts;

use crate::{accepted, files, print_if_asked};

/// The most cells that `.flow` maps and pictures may claim. Editors' maps have a limit of
/// their own.
const CELLS: u64 = 1 << 16;

/// Gives the bytes to every reader.
pub fn formats(data: &[u8]) {
    let reader = MapReader::new().with_cells_max(CELLS);
    accepted(reader.format_of(Path::new("map"), data));
    for format in Format::ALL {
        let bytes = match format {
            Format::Flow => files::sealed(b"FLOWCOST", 1, files::content(data)),
            Format::Png => files::png(data),
            _ => data.to_vec(),
        };
        if let Some(map) = accepted(reader.read(format, &bytes)) {
            print_if_asked(|| format!(".{format}: {}×{}", map.width(), map.height()));
            assert_written(&map);
        }
    }
    let first = LdtkChoice {
        level: Some("0".to_owned()),
        layer: Some("a".to_owned()),
    };
    accepted(reader.clone().with_choice(first).read(Format::Ldtk, data));
    let heights = reader.with_kinds(Heights::new(1.0, 0.1).with_water(3.0));
    accepted(heights.read(Format::Png, &files::png(data)));
    accepted(Palette::read(data));
    scenario(data);
    mapped(data);
}

/// Checks that a map comes back from every format that can hold it.
fn assert_written(map: &CostMap) {
    let cells = u64::from(map.width()) * u64::from(map.height());
    for format in Format::ALL {
        // The others are slow.
        if cells > CELLS && format != Format::Flow {
            continue;
        }
        let Some(written) = accepted(MapWriter::new().write(format, map)) else {
            continue;
        };
        let read = MapReader::new().read(format, &written.bytes);
        assert!(read.as_ref() == Ok(map), ".{format}: {:?}", read.err());
    }
}

fn scenario(data: &[u8]) {
    let Some(entries) = accepted(read_scenario(data)) else {
        return;
    };
    print_if_asked(|| format!("{entries:?}"));
    let Some(text) = accepted(write_scenario(&entries)) else {
        return;
    };
    let read = read_scenario(text.as_bytes()).expect("what was written");
    assert_eq!(read.len(), entries.len());
    for (read, entry) in read.iter().zip(&entries) {
        assert_eq!(
            (&read.map, read.start, read.goal),
            (&entry.map, entry.start, entry.goal)
        );
        assert!(
            (read.length - entry.length).abs() <= entry.tolerance(),
            "{read:?}, {entry:?}"
        );
    }
}

/// Opens the bytes as a mapped file of costs.
fn mapped(data: &[u8]) {
    let Some(bytes) = files::mapped(data).filter(|_| data.starts_with(b"FLOWCOST")) else {
        return;
    };
    let mut digest = Digest::new();
    digest.bytes(data);
    let name = format!("flowtiles-fuzz-{}-{:x}", process::id(), digest.finish());
    let path = std::env::temp_dir().join(name);
    fs::write(&path, bytes).expect("a folder for passing files");
    let opened = accepted(MappedCosts::open(&path));
    if let Some(map) = opened.and_then(|costs| accepted(CostMap::from_source(costs)))
        && u64::from(map.width()) * u64::from(map.height()) <= CELLS
    {
        let rows = CostMap::from_rows(map.width(), map.height(), &map.to_rows());
        assert!(rows.as_ref() == Ok(&map));
    }
    fs::remove_file(&path).expect("it was written");
}
