//! Sizes that files claim, maps built from rows that arrive one by one, and
//! cells written as the letters and colours of their costs.

use flowtiles::build::SectorCosts;
use flowtiles::{Cell, Cost, CostMap, MAX_SIDE, SECTOR_SIDE, Sector};

use crate::WriteError;

const SIDE: usize = SECTOR_SIDE as usize;

/// The most cells that a map file may claim unless the caller allows more: 2²⁸,
/// a square with sides of 16,384 cells.
pub const MAX_FILE_CELLS: u64 = 1 << 28;

/// Checks a size that a file claims, before anything is allocated for it.
pub(crate) fn check_size(width: u32, height: u32, limit: u64) -> Result<(), String> {
    if [width, height]
        .iter()
        .any(|side| !(1..=MAX_SIDE).contains(side))
    {
        return CostMap::open(width, height)
            .map(drop)
            .map_err(|error| error.to_string());
    }
    if u64::from(width) * u64::from(height) <= limit {
        return Ok(());
    }
    Err(format!(
        "{width}×{height} cells are over the limit of {limit} cells in one file: cut the map \
         into several"
    ))
}

/// Builds a map of a checked size. `read_row` is called for each row in order
/// and writes its costs, none of which may be 0. Only ten rows are in memory at
/// a time; sectors in which all cells cost the same share theirs.
pub(crate) fn map_from_rows<E>(
    width: u32,
    height: u32,
    mut read_row: impl FnMut(u32, &mut [u8]) -> Result<(), E>,
) -> Result<CostMap, E> {
    let row_cells = width as usize;
    let mut band = vec![1; row_cells * SIDE.min(height as usize)];
    let mut read = Ok(());
    let map = CostMap::from_sectors(width, height, |sector: Sector| {
        if sector.x == 0 && read.is_ok() {
            let mut rows = (sector.y as u32 * SECTOR_SIDE as u32..height)
                .zip(band.chunks_exact_mut(row_cells));
            read = rows.try_for_each(|(y, row)| read_row(y, row));
        }
        if read.is_err() {
            return SectorCosts::WALLS;
        }
        let left = sector.x as usize * SIDE;
        let run = SIDE.min(row_cells - left);
        let mut costs = [u8::MAX; SIDE * SIDE];
        for (to, row) in costs
            .chunks_exact_mut(SIDE)
            .zip(band.chunks_exact(row_cells))
        {
            to[..run].copy_from_slice(&row[left..][..run]);
        }
        SectorCosts::Cells(costs)
    });
    read.map(|()| map.expect("the size and every cost were checked by the caller"))
}

/// Returns the sign of each cell, row by row. The error for a cost without one
/// ends in `remedy`, in which `$` stands for the cost.
pub(crate) fn signs_of<T: Copy>(
    map: &CostMap,
    signs: &[Option<T>; 256],
    remedy: &str,
) -> Result<Vec<T>, WriteError> {
    let width = map.width() as usize;
    let signs = map.to_rows().into_iter().enumerate().map(|(at, cost)| {
        signs[usize::from(cost)].ok_or_else(|| {
            let cell = Cell::new((at % width) as i32, (at / width) as i32);
            let remedy = remedy.replace('$', &cost.to_string());
            WriteError {
                what: format!("the cell {cell} costs {cost}, for which {remedy}"),
                cost: Cost::new(cost).ok(),
            }
        })
    });
    signs.collect()
}

/// Returns the costs that occur in rows of cells, in ascending order.
pub(crate) fn costs_in(rows: &[u8]) -> Vec<u8> {
    let mut is_used = [false; 256];
    for &cost in rows {
        is_used[usize::from(cost)] = true;
    }
    let costs = 0..=u8::MAX;
    costs.filter(|&cost| is_used[usize::from(cost)]).collect()
}
