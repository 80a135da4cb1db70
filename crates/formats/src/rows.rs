//! Sizes that files claim, and maps built from rows that arrive one by one.
//!
//! Only ten rows are in memory at a time. A sector in which all cells cost the
//! same stores no cells of its own, so a large plain map stays small.

use std::fmt;

use flowtiles::{CostMap, MAX_SIDE, SECTOR_SIDE, Sector, SectorCosts, SizeError};

const SECTOR_CELLS: usize = (SECTOR_SIDE * SECTOR_SIDE) as usize;

/// The most cells that a map file may claim unless the caller allows more: 2²⁸,
/// a square with sides of 16,384 cells.
pub const MAX_FILE_CELLS: u64 = 1 << 28;

/// The reason for which the size that a file claims is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeFault {
    /// The size is zero or over [`MAX_SIDE`].
    Size(SizeError),
    /// The size has more cells than the reader allows.
    Cells {
        /// The width that the file claims.
        width: u32,
        /// The height that the file claims.
        height: u32,
        /// The number of cells that is allowed.
        limit: u64,
    },
}

impl fmt::Display for SizeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Cells {
                width,
                height,
                limit,
            } => write!(
                f,
                "{width}×{height} cells are over the limit of {limit} cells in one file: \
                 cut the map into several (a program can allow more: \
                 `MapReader::with_cells_max`)"
            ),
        }
    }
}

/// Checks a size that a file claims, before anything is allocated for it.
pub(super) fn check_size(width: u32, height: u32, limit: u64) -> Result<(), SizeFault> {
    if let Err(fault) = check_sides(width, height) {
        return Err(SizeFault::Size(fault));
    }
    if u64::from(width) * u64::from(height) > limit {
        return Err(SizeFault::Cells {
            width,
            height,
            limit,
        });
    }
    Ok(())
}

/// Checks that a map can have this size.
pub(super) fn check_sides(width: u32, height: u32) -> Result<(), SizeError> {
    if [width, height]
        .iter()
        .all(|side| (1..=MAX_SIDE).contains(side))
    {
        return Ok(());
    }
    CostMap::open(width, height).map(drop)
}

/// Builds a map of a checked size, sector by sector. No cost may be 0.
pub(super) fn map_from_sectors<E>(
    width: u32,
    height: u32,
    mut read: impl FnMut(Sector) -> Result<SectorCosts, E>,
) -> Result<CostMap, E> {
    let mut failed = None;
    let map = CostMap::from_sectors(width, height, |sector| {
        if failed.is_none() {
            match read(sector) {
                Ok(costs) => return costs,
                Err(error) => failed = Some(error),
            }
        }
        SectorCosts::WALLS
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(map.expect("the size and every cost were checked by the caller")),
    }
}

/// Builds a map of a checked size. `read_row` is called for each row in order
/// and writes its costs, none of which may be 0.
pub(super) fn map_from_rows<E>(
    width: u32,
    height: u32,
    mut read_row: impl FnMut(u32, &mut [u8]) -> Result<(), E>,
) -> Result<CostMap, E> {
    let side = SECTOR_SIDE as usize;
    let row_cells = width as usize;
    let mut band = vec![1; row_cells * side.min(height as usize)];
    map_from_sectors(width, height, |sector: Sector| {
        if sector.x == 0 {
            let first = sector.y as u32 * SECTOR_SIDE as u32;
            let rows = band.chunks_exact_mut(row_cells);
            for (y, row) in (first..height).zip(rows) {
                read_row(y, row)?;
            }
        }
        Ok(cut_sector(&band, row_cells, sector.x as usize * side))
    })
}

/// Returns the costs of the sector that begins at column `left` of a band of
/// ten rows.
fn cut_sector(band: &[u8], row_cells: usize, left: usize) -> SectorCosts {
    let side = SECTOR_SIDE as usize;
    let run = side.min(row_cells - left);
    let mut costs = [u8::MAX; SECTOR_CELLS];
    for (to, row) in costs
        .chunks_exact_mut(side)
        .zip(band.chunks_exact(row_cells))
    {
        to[..run].copy_from_slice(&row[left..][..run]);
    }
    SectorCosts::Cells(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_make_the_same_map_as_all_rows() {
        for (width, height) in [(1, 1), (1, 25), (23, 1), (10, 10), (37, 41)] {
            let cells = width as usize * height as usize;
            let rows: Vec<u8> = (0..cells).map(|at| (at * 7 % 255 + 1) as u8).collect();
            let made = map_from_rows(width, height, |y, row| {
                row.copy_from_slice(&rows[y as usize * width as usize..][..width as usize]);
                Ok::<(), ()>(())
            });
            assert_eq!(made, Ok(CostMap::from_rows(width, height, &rows).unwrap()));
        }
    }

    #[test]
    fn no_row_is_asked_for_after_one_that_failed() {
        let mut asked = 0;
        let made = map_from_rows(30, 95, |y, _| {
            asked += 1;
            if y == 12 { Err(y) } else { Ok(()) }
        });
        assert_eq!((made, asked), (Err(12), 13));
    }

    #[test]
    fn sizes_are_checked_against_both_limits() {
        assert_eq!(check_size(20, 5, 100), Ok(()));
        let (width, height, limit) = (21, 5, 100);
        let cells = SizeFault::Cells {
            width,
            height,
            limit,
        };
        assert_eq!(check_size(width, height, limit), Err(cells));
        assert!(check_size(65_535, 65_535, u64::MAX).is_ok());
        assert!(matches!(check_size(0, 1, 9), Err(SizeFault::Size(_))));
        assert!(matches!(
            check_size(65_536, 1, u64::MAX),
            Err(SizeFault::Size(_))
        ));
    }
}
