//! The overlays that depend on the costs alone (ground, islands, clearance), and
//! the density of units.

use super::blocks::{blocks, fill, part, stepped};
use super::{
    CLEARANCE_MAX, CellValues, Detail, DrawList, Figure, Key, Overlay, Paint, Ramp, Subject,
};
use crate::cost::CostMap;
use crate::grid::{Cell, CellRect};

/// The number of colours of a ramp with few values.
const STEPS: u8 = 16;

/// Draws the ground by its cost, and walls.
pub(super) fn cost(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let costs = subject.costs();
    fill(list, Overlay::Cost, detail.block(), |block| {
        let (mut open, mut walls, mut sum) = (0_u64, 0_u64, 0_u64);
        for cell in block.cells() {
            match costs.get(cell) {
                Some(cost) if !cost.is_wall() => {
                    open += 1;
                    sum += u64::from(cost.value());
                }
                _ => walls += 1,
            }
        }
        Some(Paint::Ground {
            cost: (sum + open / 2).checked_div(open).unwrap_or(1) as u8,
            walls: eighths(walls, walls + open),
        })
    });
    if detail == Detail::Numbers {
        label_costs(list, subject.costs());
    }
    explain_ground(list);
}

fn label_costs(list: &mut DrawList, costs: &CostMap) {
    for cell in list.view.cells() {
        let cost = costs.get(cell).map(|cost| cost.value());
        if let Some(cost @ 2..=254) = cost {
            label(list, Overlay::Cost, cell, cost.to_string());
        }
    }
}

/// Draws a small number in the north-west of a cell, clear of arrows.
pub(super) fn label(list: &mut DrawList, layer: Overlay, cell: Cell, text: String) {
    let at = [cell.x as f32 + 0.5, cell.y as f32 + 0.2];
    list.add(layer, Paint::Text, Figure::Label { at, text });
}

/// Returns how many eighths of a block are shown as wall: 0 only if no cell is
/// a wall, and 8 only if all are. Other blocks show 3 to 6 eighths, so that
/// neither a wall nor a gap of one cell disappears in a large block.
const fn eighths(walls: u64, cells: u64) -> u8 {
    match walls {
        0 => 0,
        _ if walls == cells => 8,
        _ => 3 + (walls * 4 / cells) as u8,
    }
}

fn explain_ground(list: &mut DrawList) {
    let (mut lowest, mut highest) = (u8::MAX, 0);
    let (mut has_mixed, mut has_walls) = (false, false);
    for primitive in &list.primitives {
        let (Overlay::Cost, Paint::Ground { cost, walls }) = (primitive.overlay, primitive.paint)
        else {
            continue;
        };
        match walls {
            0 => (lowest, highest) = (lowest.min(cost), highest.max(cost)),
            8 => has_walls = true,
            _ => has_mixed = true,
        }
    }
    let ground = |cost, walls| Key::Fill(Paint::Ground { cost, walls });
    if lowest == 1 {
        list.explain(Overlay::Cost, ground(1, 0), "open ground, cost 1");
    }
    if highest > 1 {
        let text = format!("harder ground, here up to {highest}");
        list.explain(Overlay::Cost, ground(highest, 0), text);
    }
    if has_mixed {
        list.explain(Overlay::Cost, ground(1, 4), "walls and open ground");
    }
    if has_walls {
        list.explain(Overlay::Cost, ground(1, 8), "wall");
    }
}

/// Draws the island of each open cell, by colour.
pub(super) fn islands(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let inside = subject.inside();
    fill(list, Overlay::Islands, detail.block(), |block| {
        let island = most_frequent(block, |cell| inside.island(cell))?;
        Some(Paint::Island((island % Paint::ISLANDS) as u8))
    });
    let first = list
        .primitives
        .iter()
        .find(|shape| shape.overlay == Overlay::Islands);
    if let Some(first) = first {
        let sample = Key::Fill(first.paint);
        list.explain(
            Overlay::Islands,
            sample,
            "an island: a colour for each, 8 in turn",
        );
    }
}

/// Returns the most frequent value of a block's cells, the lowest of equally
/// frequent ones. Cells without a value do not count.
pub(super) fn most_frequent<T: Ord + Copy>(
    block: CellRect,
    value: impl Fn(Cell) -> Option<T>,
) -> Option<T> {
    let mut values: Vec<T> = block.cells().filter_map(value).collect();
    values.sort_unstable();
    let mut best: Option<(usize, T)> = None;
    for same in values.chunk_by(|a, b| a == b) {
        if best.is_none_or(|(count, _)| same.len() > count) {
            best = Some((same.len(), same[0]));
        }
    }
    best.map(|(_, value)| value)
}

/// Draws the clearance of each cell; of a block, the greatest.
pub(super) fn clearance(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let clearance = super::clearance(subject.costs(), list.view);
    let highest = CLEARANCE_MAX.min(clearance.iter().copied().max().unwrap_or(0));
    let (low, high) = (1, u64::from(highest.max(2)));
    fill(list, Overlay::Clearance, detail.block(), |block| {
        let widest = block.cells().filter_map(|cell| clearance.get(cell)).max()?;
        let share = part(u64::from(*widest), low, high);
        (*widest > 0).then_some(Paint::Value(Ramp::Clearance, stepped(share, STEPS)))
    });
    if detail == Detail::Numbers {
        for cell in list.view.cells() {
            match clearance.get(cell) {
                None | Some(0) => {}
                Some(side) => label(list, Overlay::Clearance, cell, side.to_string()),
            }
        }
    }
    if highest > 0 {
        let ramp = Ramp::Clearance;
        let open = clearance.iter().copied().filter(|&side| side > 0);
        let (sample, text) = match open.min() {
            Some(lowest) if lowest == highest => {
                let step = stepped(part(u64::from(highest), low, high), STEPS);
                let sample = Key::Fill(Paint::Value(ramp, step));
                (sample, format!("clearance in cells: {highest}"))
            }
            _ => {
                let sample = Key::Ramp { ramp, low, high };
                (sample, "clearance in cells".to_owned())
            }
        };
        let text = match highest {
            CLEARANCE_MAX => format!("{text}, {CLEARANCE_MAX} for all above"),
            _ => text,
        };
        list.explain(Overlay::Clearance, sample, text);
    }
}

/// Draws the number of units on each cell; of a block, their sum.
pub(super) fn density(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let density = super::density(subject.units(), list.view);
    let high = blocks(list.view, detail.block())
        .map(|block| units_in(&density, block))
        .max()
        .unwrap_or(0);
    if high == 0 {
        return;
    }
    fill(list, Overlay::Density, detail.block(), |block| {
        let units = units_in(&density, block);
        let share = part(units, 0, high);
        (units > 0).then_some(Paint::Value(Ramp::Density, stepped(share, STEPS)))
    });
    let ramp = Ramp::Density;
    let block = match detail.block() {
        1 => "a cell".to_owned(),
        side => format!("{side}x{side} cells"),
    };
    let (sample, text) = match high {
        1 => (
            Key::Fill(Paint::Value(ramp, u8::MAX)),
            format!("a unit on {block}"),
        ),
        _ => (
            Key::Ramp { ramp, low: 1, high },
            format!("units on {block}"),
        ),
    };
    list.explain(Overlay::Density, sample, text);
}

fn units_in(density: &CellValues<u32>, block: CellRect) -> u64 {
    let counts = block.cells().filter_map(|cell| density.get(cell));
    counts.map(|&count| u64::from(count)).sum()
}
