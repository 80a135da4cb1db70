//! Text in a picture, placed without overlap.
//!
//! The numbers of cells have fixed places. The ids of portals come after them, light on
//! dark, each between the numbers beside its crossing if there is room, otherwise some cells
//! away. An id without room nearby is left out.

use std::collections::BTreeMap;

use flowtiles::inspect::{Figure, Overlay, Primitive};

use super::colours::{PAPER, ink};
use super::{Form, Ink, Pixel, Surface, Zoom};
use crate::support::font::{self, Size};

/// The height of a label in pixels, with a pixel of paper around it.
const HIGH: f32 = 11.0;
/// How many cells a label may lie off its crossing.
const OFF: [[f32; 2]; 9] = [
    [0.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [-1.0, 0.0],
    [1.0, 0.0],
    [0.0, -2.0],
    [0.0, 2.0],
    [-2.0, 0.0],
    [2.0, 0.0],
];
/// The paper below an id, and its text.
const ID: [Ink; 2] = [([22, 32, 44], 235), ([190, 246, 250], 255)];

/// The left and right ends of the labels in each row of pixels.
type Taken = BTreeMap<i32, Vec<[f32; 2]>>;

/// Writes all labels.
pub fn write_all(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) -> Taken {
    let mut taken = Taken::new();
    let is_fixed = |primitive: &&Primitive| primitive.overlay != Overlay::Portals;
    let fixed = primitives.iter().filter(is_fixed);
    let ids = primitives.iter().filter(|shape| !is_fixed(shape));
    for primitive in fixed.chain(ids) {
        let Figure::Label { at, text } = &primitive.figure else {
            continue;
        };
        let across = font::width(text, Size::Small) as f32 + 4.0;
        let step = zoom.pixels.max(HIGH);
        let place = |[dx, dy]: [f32; 2]| {
            let [x, y] = zoom.place(if is_fixed(&primitive) {
                *at
            } else {
                // Between the numbers of this row of cells and of the next.
                [at[0].round(), (at[1] - 0.01).floor() + 0.8]
            });
            [x + dx * step, y + dy * step]
        };
        let mut corners = OFF.iter().map(|off| corner(zoom, place(*off), across));
        let free = if is_fixed(&primitive) {
            corners.next()
        } else {
            corners.find(|&[left, top]| {
                let mut spans = rows(top).filter_map(|row| taken.get(&row)).flatten();
                spans.all(|&[from, to]| left + across <= from || left >= to)
            })
        };
        let Some([left, top]) = free else { continue };
        let [plate, letters] = if is_fixed(&primitive) {
            [(PAPER, 190), ink(primitive.paint)]
        } else {
            ID
        };
        surface.put(Form::Rect([left, top], [across, HIGH]), plate);
        let at = [left + 2.0, top + 1.0];
        surface.put(Form::Text(at, Size::Small, text), letters);
        for row in rows(top) {
            taken.entry(row).or_default().push([left, left + across]);
        }
    }
    taken
}

fn rows(top: f32) -> std::ops::Range<i32> {
    top as i32..(top + HIGH) as i32
}

/// The north-west corner of a label around a point, moved onto the map.
fn corner(zoom: Zoom, middle: Pixel, across: f32) -> Pixel {
    let size = [across, HIGH];
    std::array::from_fn(|axis| {
        let low = zoom.at[axis];
        let high = (low + zoom.size[axis] - size[axis]).max(low);
        (middle[axis] - size[axis] / 2.0).clamp(low, high).round()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::drawing::svg::Svg;
    use flowtiles::inspect::Paint;

    #[test]
    fn waiting_labels_avoid_others_and_stay_on_the_map() {
        let label = |layer, x: f32, text: &str| Primitive {
            overlay: layer,
            paint: Paint::Text,
            figure: Figure::Label {
                at: [
                    x,
                    if layer == Overlay::Portals {
                        50.0
                    } else {
                        49.8
                    },
                ],
                text: text.to_owned(),
            },
        };
        let ids = [0.0, 40.0, 55.0, 60.0, 61.0, 199.0];
        let mut labels: Vec<_> = ids.map(|x| label(Overlay::Portals, x, "12.4e0")).into();
        labels.push(label(Overlay::Cost, 60.0, "217"));
        let zoom = Zoom {
            corner: [0.0; 2],
            at: [0.0; 2],
            pixels: 1.0,
            size: [200.0, 100.0],
        };
        let mut taken = write_all(&mut Svg::default(), zoom, &labels);
        for spans in taken.values_mut() {
            spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let apart = |two: &[[f32; 2]]| two[0][1] <= two[1][0];
            assert!(spans.windows(2).all(apart), "{spans:?}");
            assert!(spans.iter().all(|span| span[0] >= 0.0 && span[1] <= 200.0));
        }
        let written: usize = taken.values().map(Vec::len).sum();
        assert_eq!(written, 7 * HIGH as usize);
    }
}
