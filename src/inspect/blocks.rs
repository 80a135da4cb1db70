//! Filling a view: squares of one or more cells, and runs of squares with the
//! same colour.

use super::{DrawList, Figure, Overlay, Paint};
use crate::grid::CellRect;

/// Divides a view into squares of `side` cells, row by row; those at its
/// eastern and southern edges may be smaller.
pub(super) fn blocks(view: CellRect, side: u32) -> impl Iterator<Item = CellRect> {
    let rows = (0..view.height).step_by(side as usize);
    rows.flat_map(move |dy| {
        let columns = (0..view.width).step_by(side as usize);
        columns.map(move |dx| {
            let (width, height) = (side.min(view.width - dx), side.min(view.height - dy));
            CellRect::new(view.x + dx as i32, view.y + dy as i32, width, height)
        })
    })
}

/// Fills the blocks of the list's view that have a colour; neighbours in a row
/// with the same colour become one shape.
pub(super) fn fill(
    list: &mut DrawList,
    layer: Overlay,
    side: u32,
    mut paint: impl FnMut(CellRect) -> Option<Paint>,
) {
    let mut run: Option<(Paint, CellRect)> = None;
    for block in blocks(list.view, side) {
        let here = paint(block);
        match (&mut run, here) {
            (Some((paint, area)), Some(here)) if *paint == here && continues(*area, block) => {
                area.width += block.width;
            }
            _ => {
                if let Some((paint, area)) = run.take() {
                    list.add(layer, paint, Figure::Fill(area));
                }
                run = here.map(|here| (here, block));
            }
        }
    }
    if let Some((paint, area)) = run {
        list.add(layer, paint, Figure::Fill(area));
    }
}

/// Whether a block directly follows the run, in the same row.
pub(super) const fn continues(run: CellRect, block: CellRect) -> bool {
    run.y == block.y && run.x as i64 + run.width as i64 == block.x as i64
}

/// Returns the position of a value between two others, in parts of 255.
pub(super) fn part(value: u64, low: u64, high: u64) -> u8 {
    let (over, range) = (value.saturating_sub(low), high.saturating_sub(low));
    match range {
        0 => 0,
        range => (u128::from(over.min(range)) * 255 / u128::from(range)) as u8,
    }
}

/// Returns the position rounded to a number of even steps, so that neighbours
/// with similar values become one shape.
pub(super) fn stepped(part: u8, steps: u8) -> u8 {
    let step = u16::from(part) * u16::from(steps) / 256;
    (step * 255 / u16::from(steps - 1)) as u8
}
