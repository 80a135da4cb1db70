//! Forms drawn over the pixels of a picture, with soft edges.

use flowtiles::Cell;
use flowtiles_country::picture::Picture;

use super::{Form, Ink, Pixel, Surface};
use crate::support::font;

impl Surface for Picture {
    fn put(&mut self, form: Form<'_>, ink: Ink) {
        match form {
            Form::Rect([x, y], [width, height]) => {
                let columns = x.round().max(0.0) as i32..(x + width).round() as i32;
                let rows = y.round().max(0.0) as i32..(y + height).round() as i32;
                for y in rows.start..rows.end.min(self.colours.height()) {
                    for x in columns.start..columns.end.min(self.colours.width()) {
                        self.lay(Cell::new(x, y), ink.0, ink.1);
                    }
                }
            }
            // A thin line along the pixels stays sharp.
            Form::Line(from, to, width)
                if width <= 1.0 && (from[0] == to[0] || from[1] == to[1]) =>
            {
                let at = [0, 1].map(|axis| from[axis].min(to[axis]).round());
                let size = [0, 1].map(|axis| (from[axis] - to[axis]).abs().max(1.0));
                self.put(Form::Rect(at, size), ink);
            }
            Form::Line(from, to, width) => cover(self, &[from, to], width / 2.0, ink, |at| {
                width / 2.0 - distance(at, from, to)
            }),
            Form::Disc(at, radius) => self.put(Form::Line(at, at, 2.0 * radius), ink),
            Form::Ring(at, radius, width) => cover(self, &[at], radius + width, ink, |pixel| {
                width / 2.0 - (distance(pixel, at, at) - radius).abs()
            }),
            Form::Triangle(corners @ [a, b, c]) => {
                let turn = side(c, a, b).signum();
                cover(self, &corners, 0.0, ink, |at| {
                    let sides = [side(at, a, b), side(at, b, c), side(at, c, a)];
                    sides
                        .iter()
                        .fold(f32::MAX, |least, side| least.min(side * turn))
                });
            }
            Form::Text([x, y], size, text) => {
                for ([column, row], cover) in font::pixels(text, size) {
                    let cell = Cell::new(x.round() as i32 + column, y.round() as i32 + row);
                    let strength = u16::from(ink.1) * u16::from(cover) / 255;
                    self.lay(cell, ink.0, strength as u8);
                }
            }
        }
    }
}

/// Lays ink over the pixels within `reach` of these points. `inside` returns how far
/// the middle of a pixel is inside the edge of a form.
fn cover(
    picture: &mut Picture,
    points: &[Pixel],
    reach: f32,
    ink: Ink,
    inside: impl Fn(Pixel) -> f32,
) {
    let span = |axis: usize, length: i32| {
        let along = || points.iter().map(|point| point[axis]);
        let low = along().fold(f32::MAX, f32::min) - reach - 1.0;
        let high = along().fold(f32::MIN, f32::max) + reach + 1.0;
        (low as i32).max(0)..(high as i32 + 1).min(length)
    };
    let (width, height) = (picture.colours.width(), picture.colours.height());
    for y in span(1, height) {
        for x in span(0, width) {
            let cover = inside([x as f32 + 0.5, y as f32 + 0.5]) + 0.5;
            if cover > 0.0 {
                let strength = f32::from(ink.1) * cover.min(1.0);
                picture.lay(Cell::new(x, y), ink.0, strength.round() as u8);
            }
        }
    }
}

/// The distance of a pixel from a line that ends at its ends.
fn distance(at: Pixel, from: Pixel, to: Pixel) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let (px, py) = (at[0] - from[0], at[1] - from[1]);
    let square = (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
    let part = ((px * dx + py * dy) / square).clamp(0.0, 1.0);
    (px - dx * part).hypot(py - dy * part)
}

/// The distance of a pixel from a line without ends, below 0 on its other side.
fn side(at: Pixel, from: Pixel, to: Pixel) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    (dx * (at[1] - from[1]) - dy * (at[0] - from[0])) / dx.hypot(dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::font::Size;

    #[test]
    fn forms_cover_their_middles_and_leave_the_rest() {
        let ink = ([200, 0, 0], u8::MAX);
        let mut picture = Picture::filled(40, 20, [255; 3]);
        picture.put(Form::Rect([-9.0, 2.0], [14.0, 3.0]), ink);
        picture.put(Form::Disc([12.0, 10.0], 4.0), ink);
        picture.put(Form::Ring([25.0, 10.0], 5.0, 2.0), ink);
        let corners = [[34.0, 4.0], [39.0, 16.0], [32.0, 16.0]];
        picture.put(Form::Triangle(corners), ink);
        picture.put(Form::Line([-9.0, 18.0], [99.0, 18.0], 1.0), ink);
        picture.put(Form::Text([-30.0, -30.0], Size::Large, "ABC"), ink);
        for (x, y) in [(2, 2), (4, 4), (12, 10), (29, 10), (35, 12), (39, 18)] {
            assert_eq!(picture.colours[Cell::new(x, y)], ink.0, "{x},{y}");
        }
        for (x, y) in [(39, 2), (5, 19), (12, 15), (25, 10), (32, 5), (0, 19)] {
            assert_eq!(picture.colours[Cell::new(x, y)], [255; 3], "{x},{y}");
        }
        picture.put(Form::Rect([0.0, 0.0], [40.0, 20.0]), ([0, 100, 200], 51));
        assert_eq!(picture.colours[Cell::new(2, 2)], [160, 20, 40]);
    }
}
