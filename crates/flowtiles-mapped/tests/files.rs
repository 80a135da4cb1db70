//! Files of costs: valid ones round-trip, and all others are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flowtiles::build::{CostSource, SectorCosts};
use flowtiles::error::LoadError;
use flowtiles::inspect::Digest;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Sector};
use flowtiles_mapped::{MappedCosts, OpenError, write};

/// Returns a folder for one test, initially empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder for the test");
    path
}

/// Draws a sector: even, or with costs of its own.
fn drawn(Sector { x, y }: Sector) -> SectorCosts {
    let number = (x as u32).wrapping_mul(2_654_435_761) ^ (y as u32).wrapping_mul(40_503);
    match number >> 7 & 7 {
        0..4 => SectorCosts::OPEN,
        4 => SectorCosts::WALLS,
        5 => SectorCosts::Even(Cost::new(7).expect("not 0")),
        _ => SectorCosts::Cells(std::array::from_fn(|slot| {
            [1, 1, 1, 2, 255][(slot * 7 + number as usize) % 5]
        })),
    }
}

fn refused(path: &Path) -> String {
    MappedCosts::open(path).expect_err("refused").to_string()
}

#[test]
fn a_written_map_is_read_unchanged() {
    let path = folder("told").join("map.costs");
    for (width, height) in [(1, 1), (10, 10), (237, 121)] {
        write(&path, width, height, drawn).expect("it can be written");
        let source = MappedCosts::open(&path).expect("a good file");
        assert_eq!(source.size(), (width, height));
        let told = CostMap::from_sectors(width, height, drawn).expect("good costs");
        let read = CostMap::from_source(source).expect("good costs");
        assert!(read == told);
        // In a file of a small map, the header and the digest are the larger
        // part.
        assert!(width < 100 || read.bytes() < told.bytes());
    }
    assert_eq!(names_in(&path), ["map.costs"]);
}

#[test]
fn a_world_over_a_file_is_played_saved_and_loaded() {
    let path = folder("played").join("map.costs");
    write(&path, 400, 300, |sector| match sector.y {
        12 if sector.x < 38 => SectorCosts::WALLS,
        _ => drawn(Sector::new(sector.x, sector.y)),
    })
    .expect("it can be written");
    let under = || CostMap::from_source(MappedCosts::open(&path).expect("good")).expect("good");
    let mut world = FlowWorld::new(under());
    world
        .edit(CellRect::new(0, 0, 60, 300), Cost::OPEN)
        .expect("on the map");
    let unit = Cell::new(5, 5);
    let order = world
        .order(Cell::new(5, 290), &[unit])
        .expect("they are joined");
    world.tick(Budget::UNLIMITED);
    let mut here = unit;
    while let Some(direction) = world.sample(&order, here).direction() {
        here = here.step(direction);
    }
    assert_eq!(here, Cell::new(5, 290));

    let save = world.save();
    let (mut loaded, _orders) = FlowWorld::load_over(&save, under()).expect("a good save");
    loaded.tick(Budget::UNLIMITED);
    assert_eq!(loaded.state_hash(), world.state_hash());
    assert!(matches!(FlowWorld::load(&save), Err(LoadError::OverSource)));

    // A new file replaces the mapped one, whose map stays as it is.
    write(&path, 400, 300, |_| SectorCosts::OPEN).expect("it can be written");
    world
        .edit(Cell::new(300, 200), Cost::OPEN)
        .expect("on the map");
    assert!(matches!(
        FlowWorld::load_over(&save, under()),
        Err(LoadError::OtherSource { .. })
    ));
}

#[test]
fn a_file_changed_in_any_byte_is_refused() {
    let path = folder("changed").join("map.costs");
    write(&path, 45, 31, drawn).expect("it can be written");
    let bytes = fs::read(&path).expect("it is there");
    for at in 0..bytes.len() {
        for change in [1, 0x80] {
            let mut other = bytes.clone();
            other[at] ^= change;
            fs::write(&path, &other).expect("it can be written");
            let told = refused(&path);
            let right = match at {
                0..8 => told.contains("does not begin with FLOWCOST"),
                8..12 => told.contains("version"),
                12..20 => {
                    told.contains("cannot have")
                        || told.contains("should have")
                        || told.contains("digest")
                }
                20..24 => told.contains("should have"),
                _ => told.contains("digest"),
            };
            assert!(right, "byte {at}: {told}");
            assert!(told.contains("map.costs"), "{told}");
        }
    }
}

#[test]
fn a_file_cut_off_or_added_to_is_refused() {
    let path = folder("cut").join("map.costs");
    write(&path, 45, 31, drawn).expect("it can be written");
    let mut bytes = fs::read(&path).expect("it is there");
    for length in (0..bytes.len()).rev() {
        fs::write(&path, &bytes[..length]).expect("it can be written");
        let told = refused(&path);
        assert!(
            told.contains(if length == 0 { "FLOWCOST" } else { "cut off" }),
            "{length}: {told}"
        );
    }
    bytes.push(0);
    fs::write(&path, &bytes).expect("it can be written");
    assert!(refused(&path).contains("added to"));
    assert!(matches!(
        MappedCosts::open(path.with_extension("none")),
        Err(OpenError::File { .. })
    ));
}

#[test]
fn words_out_of_range_are_refused_despite_the_digest() {
    let path = folder("forged").join("map.costs");
    for word in [0_u32, 256, u32::MAX] {
        let mut head = b"FLOWCOST".to_vec();
        for number in [1_u32, 10, 10, 0] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        let mut digest = Digest::new();
        digest.bytes(&word.to_le_bytes());
        digest.bytes(&head);
        head.extend_from_slice(&word.to_le_bytes());
        head.extend_from_slice(&digest.finish().to_le_bytes());
        fs::write(&path, &head).expect("it can be written");
        assert!(refused(&path).contains("sector 0"), "{word}");
    }
}

#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let path = folder("kept").join("map.costs");
    write(&path, 45, 31, drawn).expect("it can be written");
    let before = fs::read(&path).expect("it is there");
    let mut zero = [1; 100];
    zero[99] = 0;
    let told = |width, height, costs| {
        let error = write(&path, width, height, |_| SectorCosts::Cells(costs));
        error.expect_err("refused").to_string()
    };
    assert!(told(10, 10, zero).contains("(9, 9)"));
    assert!(told(0, 10, zero).contains("0×10"));
    assert!(told(10, 70_000, zero).contains("65535"));
    assert_eq!(fs::read(&path).expect("it is there"), before);
    assert_eq!(names_in(&path), ["map.costs"]);
    // Off the map any cost is allowed.
    write(&path, 9, 9, |_| SectorCosts::Cells(zero)).expect("it can be written");
    let nowhere = path.with_file_name("none").join("map.costs");
    assert!(write(nowhere, 9, 9, drawn).is_err());
}

/// The names of all files beside one, and its own.
fn names_in(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().expect("a folder")).expect("its files");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn writers_at_once_never_show_half_a_file() {
    let path = folder("at-once").join("map.costs");
    write(&path, 60, 60, drawn).expect("it can be written");
    let left = AtomicUsize::new(4);
    std::thread::scope(|scope| {
        for number in 0..4_u32 {
            let (path, left) = (&path, &left);
            scope.spawn(move || {
                for round in 0..60 {
                    let side = 60 + 10 * ((number + round) % 5);
                    write(path, side, side, drawn).expect("it can be written");
                }
                left.fetch_sub(1, Ordering::Relaxed);
            });
        }
        while left.load(Ordering::Relaxed) > 0 {
            let source = MappedCosts::open(&path).expect("a whole file");
            assert!((60..=100).contains(&source.size().0));
        }
    });
    assert_eq!(names_in(&path), ["map.costs"]);
}
