//! Text in a picture, placed without overlap.
//!
//! The numbers of cells have fixed places. The ids of portals come after them, each
//! at its crossing if there is room, otherwise as near as possible. An id without room
//! nearby is left out.

use std::collections::BTreeMap;

use super::colours::RIM;
use super::surface::{Ink, Pixel, Surface};
use crate::support::font;

/// The height of a label in pixels, with a pixel of paper around it.
const HIGH: f32 = 9.0;
/// The places of a label relative to its crossing: in heights of a label down, and in
/// halves of its width aside.
const PLACES: [[f32; 2]; 15] = [
    [0.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [0.0, -2.0],
    [0.0, 2.0],
    [-1.1, 0.0],
    [1.1, 0.0],
    [-1.1, -1.0],
    [1.1, -1.0],
    [-1.1, 1.0],
    [1.1, 1.0],
    [-1.1, -2.0],
    [1.1, -2.0],
    [-1.1, 2.0],
    [1.1, 2.0],
];

/// The labels of a map.
pub struct Labels<'a> {
    corner: Pixel,
    size: [f32; 2],
    /// The left and right ends of the labels in each row of pixels.
    rows: BTreeMap<i32, Vec<[f32; 2]>>,
    waiting: Vec<(Pixel, &'a str, Ink)>,
}

impl<'a> Labels<'a> {
    /// Returns no labels, for a map that begins at a corner.
    pub const fn within(corner: Pixel, size: [f32; 2]) -> Self {
        Self {
            corner,
            size,
            rows: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    /// Writes a label around a point.
    pub fn write(&mut self, surface: &mut impl Surface, middle: Pixel, text: &str, ink: Ink) {
        let [left, top] = self.box_of(middle, text);
        let across = wide(text);
        surface.rect([left, top], [across, HIGH], Ink::thin(RIM, 150));
        surface.text([left + 1.0, top + 1.0], 1, text, ink);
        for row in top as i32..(top + HIGH) as i32 {
            self.rows
                .entry(row)
                .or_default()
                .push([left, left + across]);
        }
    }

    /// Keeps a label until all labels with fixed places are written.
    pub fn wait(&mut self, middle: Pixel, text: &'a str, ink: Ink) {
        self.waiting.push((middle, text, ink));
    }

    /// Writes the waiting labels where there is room.
    pub fn write_waiting(&mut self, surface: &mut impl Surface) {
        for (middle, text, ink) in std::mem::take(&mut self.waiting) {
            let across = wide(text);
            let places = PLACES
                .map(|[aside, along]| [middle[0] + aside * across / 2.0, middle[1] + along * HIGH]);
            let free = places.into_iter().find(|&place| self.is_free(place, text));
            if let Some(place) = free {
                self.write(surface, place, text, ink);
            }
        }
    }

    /// The north-west corner of a label around a point, moved onto the map.
    fn box_of(&self, middle: Pixel, text: &str) -> Pixel {
        let size = [wide(text), HIGH];
        let along = |axis: usize| {
            let low = self.corner[axis];
            let high = (low + self.size[axis] - size[axis]).max(low);
            (middle[axis] - size[axis] / 2.0).clamp(low, high).round()
        };
        [along(0), along(1)]
    }

    fn is_free(&self, middle: Pixel, text: &str) -> bool {
        let [left, top] = self.box_of(middle, text);
        let right = left + wide(text);
        (top as i32..(top + HIGH) as i32).all(|row| {
            let mut taken = self.rows.get(&row).into_iter().flatten();
            taken.all(|&[from, to]| right <= from || left >= to)
        })
    }
}

/// The width of a label in pixels.
fn wide(text: &str) -> f32 {
    font::width(text) as f32 + 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::drawing::canvas::Canvas;

    #[test]
    fn labels_that_wait_lie_beside_the_others_and_on_the_map() {
        let mut canvas = Canvas::new(200, 100);
        let ink = Ink::solid([0, 0, 0]);
        let mut labels = Labels::within([0.0, 0.0], [200.0, 100.0]);
        labels.write(&mut canvas, [60.0, 50.0], "217", ink);
        for x in [0.0, 40.0, 55.0, 60.0, 61.0, 199.0] {
            labels.wait([x, 50.0], "12.4e0", ink);
        }
        labels.write_waiting(&mut canvas);
        let mut written = 0;
        for spans in labels.rows.values() {
            let mut spans = spans.clone();
            spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
            written += spans.len();
            assert!(
                spans.windows(2).all(|two| two[0][1] <= two[1][0]),
                "{spans:?}"
            );
            assert!(spans.iter().all(|span| span[0] >= 0.0 && span[1] <= 200.0));
        }
        assert_eq!(written, 7 * HIGH as usize);
    }
}
