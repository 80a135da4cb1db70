//! A picture as a sheet: a title, the map with rulers, and the key below.

use flowtiles::inspect::{DrawList, Key, KeyEntry, Scale};

use super::canvas::Canvas;
pub use super::colours::PAPER;
use super::colours::{INK, ink, on_ramp};
use super::marks::{self, Zoom};
use super::surface::{Ink, Pixel, Surface};
use super::svg::Svg;
use crate::support::font;

/// The space to the left and right of the map, and the least width of a sheet.
const MARGIN: u32 = 40;
const RIGHT: u32 = 12;
const NARROW: u32 = 360;
/// The least distance between the numbers of a ruler, in pixels.
const RULER: f32 = 56.0;

/// The layout of a sheet.
pub struct Sheet<'a> {
    list: &'a DrawList,
    scale: Scale,
    title: Vec<String>,
    /// The size of letters.
    size: u32,
    width: u32,
    height: u32,
    map: [u32; 2],
    key: Vec<(Pixel, &'a KeyEntry)>,
}

/// The pixels of the map of a view.
pub fn map_size(view: [u32; 2], scale: Scale) -> [u64; 2] {
    view.map(|cells| match scale {
        Scale::PixelsPerCell(pixels) => u64::from(cells) * u64::from(pixels),
        Scale::CellsPerPixel(side) => u64::from(cells.div_ceil(side)),
    })
}

/// Pixels a cell.
pub fn pixels(scale: Scale) -> f32 {
    match scale {
        Scale::PixelsPerCell(pixels) => pixels as f32,
        Scale::CellsPerPixel(side) => 1.0 / side as f32,
    }
}

impl<'a> Sheet<'a> {
    /// Lays out a list under a title.
    pub fn new(list: &'a DrawList, scale: Scale, title: &str) -> Self {
        let map = map_size([list.view.width, list.view.height], scale).map(|length| length as u32);
        let width = (MARGIN + map[0] + RIGHT).max(NARROW);
        let size = if width >= 760 { 2 } else { 1 };
        let title = wrapped(title, (width - RIGHT) / (font::ADVANCE * size));
        let mut sheet = Self {
            list,
            scale,
            title,
            size,
            width,
            height: 0,
            map,
            key: Vec::new(),
        };
        sheet.lay_out_key();
        sheet
    }

    /// The number of lines of the title.
    pub const fn title_lines(&self) -> usize {
        self.title.len()
    }

    /// The same, with at least this many lines for the title.
    pub fn with_title_lines(mut self, lines: usize) -> Self {
        self.title
            .resize(lines.max(self.title.len()), String::new());
        self.key.clear();
        self.lay_out_key();
        self
    }

    /// The same, with at least this height; the space below the key stays empty.
    pub fn with_height(self, height: u32) -> Self {
        Self {
            height: height.max(self.height),
            ..self
        }
    }

    /// The size of the sheet in pixels.
    pub const fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    const fn line(&self) -> u32 {
        (font::HEIGHT + 4) * self.size
    }

    /// The pixel at which the map begins.
    fn corner(&self) -> Pixel {
        let title = self.title.len() as u32 * self.line();
        [MARGIN as f32, (6 + title + self.line() + 2) as f32]
    }

    /// Arranges the entries of the key in rows.
    fn lay_out_key(&mut self) {
        let (mut x, mut y) = (RIGHT, self.corner()[1] as u32 + self.map[1] + 10);
        for entry in &self.list.key {
            let across = self.sample_width(&entry.sample) + 6 * self.size;
            let across = across + (font::width(&entry.text) + 14) * self.size;
            if x > RIGHT && x + across > self.width {
                (x, y) = (RIGHT, y + self.line() + 2);
            }
            self.key.push(([x as f32, y as f32], entry));
            x += across;
        }
        let rows = if self.key.is_empty() { 0 } else { self.line() };
        self.height = y + rows + 6;
    }

    fn sample_width(&self, sample: &Key) -> u32 {
        let unit = 8 * self.size;
        match sample {
            Key::Ramp { low, high, .. } => {
                let numbers = format!("{low}{high}");
                8 * unit + (font::width(&numbers) + 10) * self.size
            }
            Key::Line(_) | Key::Arrow(_) => 2 * unit,
            Key::Fill(_) | Key::Dot(_) | Key::Ring(_) => unit + 4,
        }
    }

    /// Draws the whole sheet.
    fn draw(&self, surface: &mut impl Surface) {
        let paper = Ink::solid(PAPER);
        surface.rect([0.0, 0.0], [self.width as f32, self.height as f32], paper);
        self.draw_map(surface);
        // The margin covers what extends over the edge of the map.
        let ([x, y], [width, height]) = (self.corner(), self.map.map(|length| length as f32));
        let (all, high) = (self.width as f32, self.height as f32);
        for (at, size) in [
            ([0.0, 0.0], [all, y]),
            ([0.0, y], [x, height]),
            ([x + width, y], [all - x - width, height]),
            ([0.0, y + height], [all, high - y - height]),
        ] {
            surface.rect(at, size, paper);
        }
        for (row, title) in self.title.iter().enumerate() {
            let at = [RIGHT as f32, (6 + row as u32 * self.line()) as f32];
            surface.text(at, self.size, title, Ink::solid(INK));
        }
        self.draw_rulers(surface);
        for (at, entry) in &self.key {
            self.draw_entry(surface, *at, entry);
        }
    }

    fn draw_map(&self, surface: &mut impl Surface) {
        let (view, at) = (self.list.view, self.corner());
        let zoom = Zoom {
            corner: [view.x as f32, view.y as f32],
            at,
            pixels: pixels(self.scale),
            size: self.map.map(|length| length as f32),
        };
        marks::draw_all(surface, zoom, &self.list.primitives);
    }

    /// Numbers of columns and rows along the map, and a line around it.
    fn draw_rulers(&self, surface: &mut impl Surface) {
        let ([left, top], [width, height]) = (self.corner(), self.map.map(|length| length as f32));
        let ink = Ink::solid([90, 94, 104]);
        let (right, bottom) = (left + width, top + height);
        for (from, to) in [
            ([left - 1.0, top - 1.0], [right, top - 1.0]),
            ([left - 1.0, bottom], [right + 1.0, bottom]),
            ([left - 1.0, top - 1.0], [left - 1.0, bottom]),
            ([right, top - 1.0], [right, bottom]),
        ] {
            surface.line(from, to, 1.0, ink);
        }
        let (view, scale) = (self.list.view, self.scale);
        let tall = font::HEIGHT as f32;
        for (cell, at) in ticks(view.x, view.width, scale) {
            let text = cell.to_string();
            surface.line([left + at, top - 5.0], [left + at, top - 1.0], 1.0, ink);
            surface.text([left + at + 2.0, top - tall - 2.0], 1, &text, ink);
        }
        for (cell, at) in ticks(view.y, view.height, scale) {
            let text = cell.to_string();
            let across = font::width(&text) as f32;
            surface.line([left - 5.0, top + at], [left - 1.0, top + at], 1.0, ink);
            surface.text([left - 4.0 - across, top + at + 2.0], 1, &text, ink);
        }
    }

    fn draw_entry(&self, surface: &mut impl Surface, [x, y]: Pixel, entry: &KeyEntry) {
        let unit = (8 * self.size) as f32;
        let (middle, half) = ([x + unit / 2.0, y + unit / 2.0], unit / 2.0);
        match &entry.sample {
            Key::Fill(paint) => {
                let edge = Ink::solid([120, 124, 134]);
                surface.rect([x, y], [unit, unit], edge);
                let (at, size) = ([x + 1.0, y + 1.0], [unit - 2.0, unit - 2.0]);
                surface.rect(at, size, Ink::solid(PAPER));
                surface.rect(at, size, ink(*paint));
            }
            Key::Line(paint) => {
                marks::line(surface, [x, y + half], [x + 2.0 * unit, y + half], *paint);
            }
            Key::Arrow(paint) => {
                let middle = [x + unit, y + half];
                marks::arrow(surface, middle, [unit * 0.8, 0.0], ink(*paint));
            }
            Key::Dot(paint) => marks::dot(surface, middle, half - 1.0, *paint),
            Key::Ring(paint) => marks::ring(surface, middle, half - 1.0, *paint),
            Key::Ramp { ramp, low, high } => {
                let (low, high) = (low.to_string(), high.to_string());
                surface.text([x, y], self.size, &low, Ink::solid(INK));
                let from = x + (font::width(&low) * self.size) as f32 + 4.0;
                for part in 0..32_u8 {
                    let at = [from + f32::from(part) * unit / 4.0, y];
                    let colour = Ink::solid(on_ramp(*ramp, part * 8));
                    surface.rect(at, [unit / 4.0, unit], colour);
                }
                let after = [from + 8.0 * unit + 4.0, y];
                surface.text(after, self.size, &high, Ink::solid(INK));
            }
        }
        let text = x + (self.sample_width(&entry.sample) + 6 * self.size) as f32;
        surface.text([text, y], self.size, &entry.text, Ink::solid(INK));
    }

    /// The sheet in pixels.
    pub fn to_canvas(&self) -> Canvas {
        let mut canvas = Canvas::new(self.width, self.height);
        self.draw(&mut canvas);
        canvas
    }

    /// The sheet as an SVG file.
    pub fn to_svg(&self) -> String {
        let mut svg = Svg::new(self.width, self.height);
        self.draw(&mut svg);
        svg.finish()
    }
}

/// The cells of a ruler with a number, and their pixels from its start.
fn ticks(from: i32, length: u32, scale: Scale) -> Vec<(i64, f32)> {
    let pixels = pixels(scale);
    let apart = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000,
    ];
    let enough = apart
        .into_iter()
        .find(|&cells| cells as f32 * pixels >= RULER);
    let step = enough.unwrap_or(50_000_i64);
    let (from, end) = (i64::from(from), i64::from(from) + i64::from(length));
    let first = (from + step - 1).div_euclid(step) * step;
    (first..end)
        .step_by(step as usize)
        .map(|cell| (cell, (cell - from) as f32 * pixels))
        .collect()
}

/// The lines of a text, each of at most this many letters, broken at spaces.
fn wrapped(text: &str, letters: u32) -> Vec<String> {
    text.lines()
        .flat_map(|line| wrapped_line(line, letters))
        .collect()
}

fn wrapped_line(text: &str, letters: u32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let fits =
            |line: &String| line.chars().count() + 1 + word.chars().count() <= letters as usize;
        match lines.last_mut() {
            Some(line) if fits(line) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
