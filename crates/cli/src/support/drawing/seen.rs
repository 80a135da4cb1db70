//! Removes covered colours from the key of a draw list.

use std::collections::BTreeSet;

use flowtiles::inspect::{DrawList, Key, Layer, Paint, Shape};

use super::colours::ink;

/// Removes from the key the colours of cells that are covered everywhere.
pub fn keep_what_is_seen(list: &mut DrawList) {
    let seen = seen(list);
    list.key.retain(|entry| {
        let mut of_layer = seen.iter().filter(|(layer, _)| *layer == entry.layer);
        match &entry.sample {
            Key::Fill(sample) if covers(*sample) => {
                of_layer.any(|(_, paint)| is_explained(*sample, *paint))
            }
            Key::Ramp { ramp, .. } if entry.layer != Layer::Portals => {
                of_layer.any(|(_, paint)| matches!(paint, Paint::Value(of, _) if of == ramp))
            }
            _ => true,
        }
    });
}

/// Whether a colour hides what is below it.
fn covers(paint: Paint) -> bool {
    ink(paint).strength == u8::MAX
}

/// Whether a sample in the key stands for a colour.
fn is_explained(sample: Paint, paint: Paint) -> bool {
    match (sample, paint) {
        (
            Paint::Ground { cost, walls: 0 },
            Paint::Ground {
                cost: here,
                walls: 0,
            },
        ) => (cost == 1) == (here == 1),
        (Paint::Ground { walls, .. }, Paint::Ground { walls: here, .. }) => {
            let amount = |walls: u8| (walls > 0, walls == 8);
            amount(walls) == amount(here)
        }
        (Paint::Island(_), Paint::Island(_)) => true,
        _ => sample == paint,
    }
}

/// The colours of cells that are not covered everywhere, with their layers.
fn seen(list: &DrawList) -> BTreeSet<(Layer, Paint)> {
    let view = list.view;
    let mut is_covered = vec![0_u64; (view.width as usize * view.height as usize).div_ceil(64)];
    let mut seen = BTreeSet::new();
    for primitive in list.primitives.iter().rev() {
        let Shape::Fill(area) = primitive.shape else {
            continue;
        };
        if !covers(primitive.paint) {
            continue;
        }
        let area = view.intersection(area);
        let mut is_seen = false;
        for row in 0..area.height {
            let y = (area.y - view.y) as usize + row as usize;
            let first = y * view.width as usize + (area.x - view.x) as usize;
            for cell in first..first + area.width as usize {
                let bit = 1 << (cell % 64);
                is_seen |= is_covered[cell / 64] & bit == 0;
                is_covered[cell / 64] |= bit;
            }
        }
        if is_seen {
            seen.insert((primitive.layer, primitive.paint));
        }
    }
    seen
}
