//! Text in a picture, placed without overlap.
//!
//! The numbers of cells have fixed places. The ids of portals come after them, each
//! at its crossing if there is room, otherwise as near as possible. An id without room
//! nearby is left out.

use std::collections::BTreeMap;

use flowtiles::inspect::{Layer, Primitive, Shape};

use super::colours::{RIM, ink};
use super::marks::Zoom;
use super::{Form, Pixel, Surface};
use crate::support::font;

/// The height of a label in pixels, with a pixel of paper around it.
const HIGH: f32 = 9.0;
/// How many heights a label may lie below its crossing.
const ALONG: [f32; 5] = [0.0, -1.0, 1.0, -2.0, 2.0];

/// The left and right ends of the labels in each row of pixels.
type Taken = BTreeMap<i32, Vec<[f32; 2]>>;

/// Writes all labels.
pub fn write_all(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) -> Taken {
    let mut taken = Taken::new();
    let is_fixed = |primitive: &&Primitive| primitive.layer != Layer::Portals;
    let fixed = primitives.iter().filter(is_fixed);
    let ids = primitives.iter().filter(|shape| !is_fixed(shape));
    for primitive in fixed.chain(ids) {
        let Shape::Label { at, text } = &primitive.shape else {
            continue;
        };
        let ([x, y], across) = (zoom.place(*at), font::width(text) as f32 + 2.0);
        let aside = across * 0.55;
        let below = ALONG.map(|along| [x, y + along * HIGH]);
        let beside = below.map(|[x, y]| [[x - aside, y], [x + aside, y]]);
        let places = below.iter().chain(beside.as_flattened());
        let mut corners = places.map(|&place| corner(zoom, place, across));
        let free = if is_fixed(&primitive) {
            corners.next()
        } else {
            corners.find(|&[left, top]| {
                let mut spans = rows(top).filter_map(|row| taken.get(&row)).flatten();
                spans.all(|&[from, to]| left + across <= from || left >= to)
            })
        };
        let Some([left, top]) = free else { continue };
        surface.put(Form::Rect([left, top], [across, HIGH]), (RIM, 150));
        let at = [left + 1.0, top + 1.0];
        surface.put(Form::Text(at, 1, text), ink(primitive.paint));
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
    fn labels_that_wait_lie_beside_the_others_and_on_the_map() {
        let label = |layer, x: f32, text: &str| Primitive {
            layer,
            paint: Paint::Text,
            shape: Shape::Label {
                at: [x, 50.0],
                text: text.to_owned(),
            },
        };
        let ids = [0.0, 40.0, 55.0, 60.0, 61.0, 199.0];
        let mut labels: Vec<_> = ids.map(|x| label(Layer::Portals, x, "12.4e0")).into();
        labels.push(label(Layer::Cost, 60.0, "217"));
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
