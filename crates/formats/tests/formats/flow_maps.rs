//! The project's own format: bodies that lie, and maps over a source.

use flowtiles::build::{CostSource, SectorCosts};
use flowtiles::inspect::Digest;
use flowtiles::{Cost, CostMap, Sector};
use flowtiles_formats::{Place, read_flow, write_flow};

/// The bytes before a body.
const HEAD: usize = 20;

/// Returns a file with a body that the writer would not write.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = b"FLOWCOST\x01\0\0\0".to_vec();
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    let mut digest = Digest::new();
    digest.bytes(&bytes);
    bytes.extend(digest.finish().to_le_bytes());
    bytes
}

#[test]
fn sealed_bodies_that_lie_are_refused_by_their_place() {
    let read = |body: &[u8]| read_flow(&sealed(body), 1000);
    assert!(read(&[10, 10, 0, 100, 1]).is_ok());
    assert!(read(&[2, 1, 7, 255]).is_ok());
    for (body, at) in [
        (&[10][..], 1),
        (&[10, 10, 0, 99, 1], 5),
        (&[10, 10, 0, 101, 1], 5),
        (&[10, 10, 0, 100, 0], 5),
        (&[10, 10, 0, 0, 1], 5),
        (&[10, 10, 0, 100, 1, 1], 5),
        (&[0xFF; 12], 9),
        (&[0, 1, 0, 1], 0),
        (&[0xFF, 0xFF, 3, 0xFF, 0xFF, 3, 0, 1], 0),
    ] {
        assert_eq!(
            read(body).unwrap_err().at,
            Place::Byte(HEAD + at),
            "{body:?}"
        );
    }
}

#[test]
fn a_map_over_a_source_is_written_whole() {
    struct Chequers;
    impl CostSource for Chequers {
        fn size(&self) -> (u32, u32) {
            (37, 21)
        }
        fn sector(&self, sector: Sector) -> SectorCosts {
            let is_odd = (sector.x + sector.y) % 2 == 1;
            SectorCosts::Even(if is_odd { Cost::WALL } else { Cost::OPEN })
        }
    }
    let map = CostMap::from_source(Chequers).unwrap();
    let read = read_flow(&write_flow(&map), 1000).unwrap();
    assert_eq!(read.source_digest(), None);
    assert_eq!(read.to_rows(), map.to_rows());
}
