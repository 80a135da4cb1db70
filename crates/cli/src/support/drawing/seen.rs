//! Removes covered colours from the key of a draw list.

use std::collections::BTreeSet;

use flowtiles::inspect::{DrawList, Key, Layer, Paint, Shape};

use super::colours::ink;

/// Removes from the key the colours of cells that are covered everywhere.
pub fn keep_what_is_seen(list: &mut DrawList) {
    let seen = seen(list);
    list.key.retain(|entry| match entry.sample {
        Key::Fill(sample) if covers(sample) => seen.contains(&(entry.layer, class(sample))),
        Key::Ramp { ramp, .. } if entry.layer != Layer::Portals => {
            seen.contains(&(entry.layer, Paint::Value(ramp, 0)))
        }
        _ => true,
    });
}

/// Whether a colour hides what is below it.
fn covers(paint: Paint) -> bool {
    ink(paint).1 == u8::MAX
}

/// One colour for all that the same sample in the key stands for.
fn class(paint: Paint) -> Paint {
    match paint {
        Paint::Ground { cost, walls: 0 } => Paint::Ground {
            cost: cost.min(2),
            walls: 0,
        },
        Paint::Ground { walls, .. } => Paint::Ground {
            cost: 1,
            walls: walls / 8 + 1,
        },
        Paint::Island(_) => Paint::Island(0),
        Paint::Value(ramp, _) => Paint::Value(ramp, 0),
        other => other,
    }
}

/// The classes of colours of cells that are not covered everywhere, with their layers.
fn seen(list: &DrawList) -> BTreeSet<(Layer, Paint)> {
    let (view, across) = (list.view, list.view.width as usize);
    let mut is_bare = vec![true; across * view.height as usize];
    let mut seen = BTreeSet::new();
    for primitive in list.primitives.iter().rev() {
        let Shape::Fill(area) = primitive.shape else {
            continue;
        };
        if !covers(primitive.paint) {
            continue;
        }
        let area = view.intersection(area);
        let (left, top) = ((area.x - view.x) as usize, (area.y - view.y) as usize);
        let (wide, high) = (area.width as usize, area.height as usize);
        let mut is_seen = false;
        for row in is_bare.chunks_mut(across).skip(top).take(high) {
            for bare in &mut row[left..left + wide] {
                is_seen |= std::mem::take(bare);
            }
        }
        if is_seen {
            seen.insert((primitive.layer, class(primitive.paint)));
        }
    }
    seen
}
