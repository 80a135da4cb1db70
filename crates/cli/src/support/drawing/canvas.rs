//! Pictures of pixels with opacity.

use std::borrow::Cow;
use std::io;

use super::surface::{Ink, Pixel, Surface};
use crate::support::font;
use crate::support::picture::{Colour, Picture, mixed};
use flowtiles_scenes::raster::Raster;

/// Sub-pixels across a pixel at the edge of a triangle.
const FINE: i32 = 4;

/// A picture of pixels, each with an opacity; clear at first.
pub struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    /// A clear picture.
    pub fn new(width: u32, height: u32) -> Self {
        let count = width as usize * height as usize;
        Self {
            width: width as i32,
            height: height as i32,
            pixels: vec![[0; 4]; count],
        }
    }

    /// The picture on paper of this colour.
    pub fn on(&self, paper: Colour) -> Picture {
        let pixel = |at: usize| {
            let [r, g, b, strength] = self.pixels[at];
            mixed(paper, [r, g, b], strength)
        };
        let width = self.width;
        Picture {
            colours: Raster::from_cells(width, self.height, |cell| {
                pixel((cell.y * width + cell.x) as usize)
            }),
        }
    }

    /// The bytes of a PNG file, clear where nothing was drawn. It has a table of
    /// colours if there are few enough.
    ///
    /// # Errors
    /// If the encoder refuses the size.
    pub fn to_png(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let table = self.table();
        let data: Cow<'_, [u8]> = if let Some(table) = table {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(
                table
                    .iter()
                    .flat_map(|[r, g, b, _]| [*r, *g, *b])
                    .collect::<Vec<u8>>(),
            );
            encoder.set_trns(table.iter().map(|pixel| pixel[3]).collect::<Vec<u8>>());
            let place = |pixel| table.binary_search(pixel).unwrap_or(0) as u8;
            self.pixels.iter().map(place).collect::<Vec<u8>>().into()
        } else {
            encoder.set_color(png::ColorType::Rgba);
            self.pixels.as_flattened().into()
        };
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer.write_image_data(&data).map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)?;
        Ok(bytes)
    }

    /// The colours of the picture in order, if there are at most 256.
    fn table(&self) -> Option<Vec<[u8; 4]>> {
        let mut table: Vec<[u8; 4]> = Vec::new();
        let mut last = None;
        for pixel in &self.pixels {
            if last == Some(pixel) {
                continue;
            }
            last = Some(pixel);
            if let Err(place) = table.binary_search(pixel) {
                if table.len() == 256 {
                    return None;
                }
                table.insert(place, *pixel);
            }
        }
        Some(table)
    }

    /// Lays ink over a pixel, of which the part `cover` is covered.
    fn lay(&mut self, x: i32, y: i32, ink: Ink, cover: f32) {
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return;
        }
        let over = f32::from(ink.strength) / 255.0 * cover.clamp(0.0, 1.0);
        let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
        let [r, g, b, below] = *pixel;
        let below = f32::from(below) / 255.0 * (1.0 - over);
        let all = over + below;
        if all <= 0.0 {
            return;
        }
        let blend = |above: u8, under: u8| {
            ((f32::from(above) * over + f32::from(under) * below) / all).round() as u8
        };
        let [ir, ig, ib] = ink.colour;
        *pixel = [
            blend(ir, r),
            blend(ig, g),
            blend(ib, b),
            (all * 255.0).round() as u8,
        ];
    }

    /// Lays ink over the pixels of a box. `inside` returns how far the middle of a
    /// pixel is inside the edge of a shape.
    fn lay_by(&mut self, low: Pixel, high: Pixel, ink: Ink, inside: impl Fn(Pixel) -> f32) {
        let (left, right) = span(low[0], high[0], self.width);
        let (top, bottom) = span(low[1], high[1], self.height);
        for y in top..bottom {
            for x in left..right {
                let cover = inside([x as f32 + 0.5, y as f32 + 0.5]) + 0.5;
                if cover > 0.0 {
                    self.lay(x, y, ink, cover);
                }
            }
        }
    }
}

/// The pixels of the picture between two positions.
fn span(low: f32, high: f32, length: i32) -> (i32, i32) {
    let first = (low.floor() as i32 - 1).clamp(0, length);
    let end = (high.ceil() as i32 + 1).clamp(first, length);
    (first, end)
}

/// The distance of a position from a line.
fn distance(at: Pixel, from: Pixel, to: Pixel) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let (px, py) = (at[0] - from[0], at[1] - from[1]);
    let square = dx * dx + dy * dy;
    let part = match square > 0.0 {
        true => ((px * dx + py * dy) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    let (away_x, away_y) = (px - dx * part, py - dy * part);
    (away_x * away_x + away_y * away_y).sqrt()
}

impl Surface for Canvas {
    fn rect(&mut self, at: Pixel, size: [f32; 2], ink: Ink) {
        let edge = |at: f32, length: i32| (at.round() as i32).clamp(0, length);
        let (left, right) = (edge(at[0], self.width), edge(at[0] + size[0], self.width));
        let (top, bottom) = (edge(at[1], self.height), edge(at[1] + size[1], self.height));
        for y in top..bottom {
            for x in left..right {
                self.lay(x, y, ink, 1.0);
            }
        }
    }

    fn line(&mut self, from: Pixel, to: Pixel, width: f32, ink: Ink) {
        // A thin line along the pixels stays sharp.
        if width <= 1.0 && (from[0] == to[0] || from[1] == to[1]) {
            let at = [from[0].min(to[0]).round(), from[1].min(to[1]).round()];
            let along = |from: f32, to: f32| (from - to).abs().max(1.0);
            self.rect(at, [along(from[0], to[0]), along(from[1], to[1])], ink);
            return;
        }
        let half = width / 2.0;
        let low = [from[0].min(to[0]) - half, from[1].min(to[1]) - half];
        let high = [from[0].max(to[0]) + half, from[1].max(to[1]) + half];
        self.lay_by(low, high, ink, |at| half - distance(at, from, to));
    }

    fn triangle(&mut self, [a, b, c]: [Pixel; 3], ink: Ink) {
        let side = |p: Pixel, q: Pixel, at: Pixel| {
            (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0])
        };
        let turn = if side(a, b, c) < 0.0 { -1.0 } else { 1.0 };
        let is_inside = |at: Pixel| {
            let mut sides = [(a, b), (b, c), (c, a)].into_iter();
            sides.all(|(p, q)| side(p, q, at) * turn >= 0.0)
        };
        let lowest = |band: usize| a[band].min(b[band]).min(c[band]);
        let highest = |band: usize| a[band].max(b[band]).max(c[band]);
        let (left, right) = span(lowest(0), highest(0), self.width);
        let (top, bottom) = span(lowest(1), highest(1), self.height);
        for y in top..bottom {
            for x in left..right {
                let fine = |at: i32, part: i32| at as f32 + (part as f32 + 0.5) / FINE as f32;
                let parts = (0..FINE).flat_map(|v| (0..FINE).map(move |u| (u, v)));
                let inside = parts.filter(|&(u, v)| is_inside([fine(x, u), fine(y, v)]));
                let cover = inside.count() as f32 / (FINE * FINE) as f32;
                if cover > 0.0 {
                    self.lay(x, y, ink, cover);
                }
            }
        }
    }

    fn disc(&mut self, middle: Pixel, radius: f32, ink: Ink) {
        let (low, high) = (middle.map(|at| at - radius), middle.map(|at| at + radius));
        self.lay_by(low, high, ink, |at| radius - distance(at, middle, middle));
    }

    fn ring(&mut self, middle: Pixel, radius: f32, width: f32, ink: Ink) {
        let reach = radius + width;
        let (low, high) = (middle.map(|at| at - reach), middle.map(|at| at + reach));
        self.lay_by(low, high, ink, |at| {
            width / 2.0 - (distance(at, middle, middle) - radius).abs()
        });
    }

    fn text(&mut self, at: Pixel, size: u32, text: &str, ink: Ink) {
        let (left, top) = (at[0].round() as i32, at[1].round() as i32);
        let size = size as i32;
        for (column, row) in font::pixels(text) {
            let (x, y) = (left + column * size, top + row * size);
            for (dx, dy) in (0..size).flat_map(|dy| (0..size).map(move |dx| (dx, dy))) {
                self.lay(x + dx, y + dy, ink, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(canvas: &Canvas, x: i32, y: i32) -> [u8; 4] {
        canvas.pixels[(y * canvas.width + x) as usize]
    }

    #[test]
    fn shapes_cover_their_middles_and_leave_the_rest_clear() {
        let red = Ink::solid([200, 0, 0]);
        let mut canvas = Canvas::new(40, 20);
        canvas.rect([2.0, 2.0], [3.0, 3.0], red);
        canvas.disc([12.0, 10.0], 4.0, red);
        canvas.ring([25.0, 10.0], 5.0, 2.0, red);
        canvas.triangle([[34.0, 4.0], [39.0, 16.0], [32.0, 16.0]], red);
        let opaque = [200, 0, 0, 255];
        for (x, y) in [(2, 2), (4, 4), (12, 10), (29, 10), (35, 12)] {
            assert_eq!(at(&canvas, x, y), opaque, "{x},{y}");
        }
        for (x, y) in [(1, 2), (5, 4), (12, 15), (25, 10), (32, 5), (0, 19)] {
            assert_eq!(at(&canvas, x, y), [0; 4], "{x},{y}");
        }
    }

    #[test]
    fn ink_over_ink_mixes_and_nothing_is_drawn_outside() {
        let mut canvas = Canvas::new(4, 4);
        canvas.rect([-5.0, -5.0], [50.0, 50.0], Ink::solid([0, 100, 200]));
        canvas.rect([0.0, 0.0], [2.0, 4.0], Ink::thin([200, 100, 0], 51));
        assert_eq!(at(&canvas, 0, 0), [40, 100, 160, 255]);
        assert_eq!(at(&canvas, 3, 3), [0, 100, 200, 255]);
        canvas.line([-9.0, 1.5], [99.0, 1.5], 1.0, Ink::solid([1, 2, 3]));
        canvas.text([-30.0, 0.0], 2, "ABCDEF", Ink::solid([9; 3]));
        assert_eq!(canvas.on([255; 3]).colours.width(), 4);
    }
}
