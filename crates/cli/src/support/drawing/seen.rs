//! Removes covered colours from the key of a draw list.

use std::collections::BTreeSet;

use flowtiles::inspect::{DrawList, Figure, Key, Overlay, Paint};

use super::colours::ink;

/// Removes from the key the colours of cells that are covered everywhere.
pub fn keep_what_is_seen(list: &mut DrawList) {
    let seen = seen(list);
    list.key.retain(|entry| match entry.sample {
        Key::Fill(sample) if covers(sample) => seen.contains(&(entry.overlay, class(sample))),
        Key::Ramp { ramp, .. } if entry.overlay != Overlay::Portals => {
            seen.contains(&(entry.overlay, Paint::Value(ramp, 0)))
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
fn seen(list: &DrawList) -> BTreeSet<(Overlay, Paint)> {
    let (view, across) = (list.view, list.view.width as usize);
    let mut is_bare = vec![true; across * view.height as usize];
    let mut seen = BTreeSet::new();
    for primitive in list.primitives.iter().rev() {
        let Figure::Fill(area) = primitive.figure else {
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
            seen.insert((primitive.overlay, class(primitive.paint)));
        }
    }
    seen
}
