//! A picture as a sheet: a title, the map with rulers, and the key below.

use flowtiles::inspect::{DrawList, Key, KeyEntry, Scale};
use flowtiles_country::picture::Picture;

use super::colours::{INK, PAPER, SOFT, ink, on_ramp};
use super::marks;
use super::svg::Svg;
use super::{Form, Ink, Pixel, Surface, Zoom};
use crate::support::font::{self, Size};

/// The space to the left and right of the map, and the least width of a sheet.
const MARGIN: u32 = 40;
const RIGHT: u32 = 12;
const NARROW: u32 = 360;
/// The least distance between the numbers of a ruler, in pixels.
const RULER: f32 = 56.0;

const TEXT: Ink = (INK, u8::MAX);
const PLAIN: Ink = (PAPER, u8::MAX);

/// The layout of a sheet.
pub struct Sheet<'a> {
    list: &'a DrawList,
    scale: Scale,
    title: Vec<String>,
    size: Size,
    width: u32,
    map: [u32; 2],
    /// The entries of the key, from the south-west corner of the map.
    key: Vec<([u32; 2], &'a KeyEntry)>,
    /// The pixels below the map.
    below: u32,
}

/// The pixels of the map of a view.
pub fn map_size(view: [u32; 2], scale: Scale) -> [u64; 2] {
    view.map(|cells| match scale {
        Scale::PixelsPerCell(pixels) => u64::from(cells) * u64::from(pixels),
        Scale::CellsPerPixel(side) => u64::from(cells.div_ceil(side)),
    })
}

/// Gives sheets of one map the size of the largest.
pub fn align(sheets: &mut [Sheet<'_>]) {
    let lines = sheets.iter().map(|sheet| sheet.title.len()).max();
    let below = sheets.iter().map(|sheet| sheet.below).max();
    for sheet in sheets {
        sheet.title.resize(lines.unwrap_or(0), String::new());
        sheet.below = below.unwrap_or(0);
    }
}

impl<'a> Sheet<'a> {
    /// Lays out a list under a title.
    pub fn new(list: &'a DrawList, scale: Scale, title: &str) -> Self {
        let map = map_size([list.view.width, list.view.height], scale).map(|length| length as u32);
        let width = (MARGIN + map[0] + RIGHT).max(NARROW);
        let size = if width >= 760 {
            Size::Large
        } else {
            Size::Small
        };
        let mut sheet = Self {
            list,
            scale,
            title: wrapped(title, width - 2 * RIGHT, size),
            size,
            width,
            map,
            key: Vec::new(),
            below: 16,
        };
        let (mut x, mut y) = (RIGHT, 10);
        for entry in &list.key {
            let text = font::width(&entry.text, size) + sheet.gap();
            let across = sheet.sample_width(&entry.sample) + text;
            if x > RIGHT && x + across + RIGHT > width {
                (x, y) = (RIGHT, y + sheet.line());
            }
            sheet.key.push(([x, y], entry));
            sheet.below = y + sheet.line() + 6;
            x += across + 3 * sheet.gap();
        }
        sheet
    }

    /// The size of the sheet in pixels.
    pub const fn size(&self) -> [u32; 2] {
        [self.width, self.top() + self.map[1] + self.below]
    }

    const fn line(&self) -> u32 {
        self.size.height() + 8
    }

    /// The space between a sample and its text.
    const fn gap(&self) -> u32 {
        self.size.height() / 2
    }

    /// The row of pixels at which the map begins.
    const fn top(&self) -> u32 {
        14 + self.title.len() as u32 * self.line() + Size::Small.height()
    }

    fn sample_width(&self, sample: &Key) -> u32 {
        let unit = self.size.base();
        match sample {
            Key::Ramp { low, high, .. } => {
                8 * unit + font::width(&format!("{low}{high}"), self.size) + 8
            }
            Key::Line(_) | Key::Arrow(_) => 2 * unit,
            Key::Fill(_) | Key::Dot(_) | Key::Ring(_) => unit + 4,
        }
    }

    /// Draws the whole sheet.
    fn draw(&self, surface: &mut impl Surface) {
        let [all, high] = self.size().map(|length| length as f32);
        let [x, y] = [MARGIN, self.top()].map(|length| length as f32);
        let size @ [width, height] = self.map.map(|length| length as f32);
        surface.put(Form::Rect([0.0, 0.0], [all, high]), PLAIN);
        let view = self.list.view;
        let zoom = Zoom {
            corner: [view.x as f32, view.y as f32],
            at: [x, y],
            pixels: pixels(self.scale),
            size,
        };
        marks::draw_all(surface, zoom, self.list);
        // The margin covers what extends over the edge of the map.
        for (at, size) in [
            ([0.0, 0.0], [all, y]),
            ([0.0, y], [x, height]),
            ([x + width, y], [all - x - width, height]),
            ([0.0, y + height], [all, high - y - height]),
        ] {
            surface.put(Form::Rect(at, size), PLAIN);
        }
        for (title, row) in self.title.iter().zip(0..) {
            let at = [RIGHT, 10 + row * self.line()].map(|length| length as f32);
            surface.put(Form::Text(at, self.size, title), TEXT);
        }
        self.draw_rulers(surface, [x, y], size);
        for ([x, down], entry) in &self.key {
            self.draw_entry(surface, [*x as f32, y + height + *down as f32], entry);
        }
    }

    /// Numbers of columns and rows along the map, and a line around it.
    fn draw_rulers(&self, surface: &mut impl Surface, [left, top]: Pixel, [width, height]: Pixel) {
        let ink = (SOFT, u8::MAX);
        let (right, bottom) = (left + width, top + height);
        let mut line = |from, to| surface.put(Form::Line(from, to, 1.0), ink);
        line([left - 1.0, top - 1.0], [right, top - 1.0]);
        line([left - 1.0, bottom], [right + 1.0, bottom]);
        line([left - 1.0, top - 1.0], [left - 1.0, bottom]);
        line([right, top - 1.0], [right, bottom]);
        let view = self.list.view;
        for (text, at) in ticks(view.x, view.width, self.scale) {
            let (x, y) = (left + at, top - Size::Small.height() as f32 - 2.0);
            surface.put(Form::Line([x, top - 5.0], [x, top - 1.0], 1.0), ink);
            surface.put(Form::Text([x + 3.0, y], Size::Small, &text), ink);
        }
        for (text, at) in ticks(view.y, view.height, self.scale) {
            let across = font::width(&text, Size::Small) as f32;
            let (x, y) = (left - 5.0 - across, top + at);
            surface.put(Form::Line([left - 5.0, y], [left - 1.0, y], 1.0), ink);
            surface.put(Form::Text([x, y + 3.0], Size::Small, &text), ink);
        }
    }

    fn draw_entry(&self, surface: &mut impl Surface, [x, y]: Pixel, entry: &KeyEntry) {
        let unit = self.size.base() as f32;
        let half = unit / 2.0;
        let middle = [x + half, y + half];
        match entry.sample {
            Key::Fill(paint) => {
                let edge = Form::Rect([x, y], [unit, unit]);
                let inside = Form::Rect([x + 1.0, y + 1.0], [unit - 2.0, unit - 2.0]);
                surface.put(edge, (SOFT, u8::MAX));
                surface.put(inside, PLAIN);
                surface.put(inside, ink(paint));
            }
            Key::Line(paint) => {
                let to = [x + 2.0 * unit, y + half];
                marks::line(surface, [x, y + half], to, 4.0, paint);
            }
            Key::Arrow(paint) => {
                marks::arrow(surface, [x + unit, y + half], [unit * 0.8, 0.0], ink(paint));
            }
            Key::Dot(paint) => marks::dot(surface, middle, half - 1.0, paint),
            Key::Ring(paint) => marks::ring(surface, middle, half - 1.0, paint),
            Key::Ramp { ramp, low, high } => {
                let (low, high) = (low.to_string(), high.to_string());
                surface.put(Form::Text([x, y], self.size, &low), TEXT);
                let from = x + font::width(&low, self.size) as f32 + 4.0;
                for part in 0..32_u8 {
                    let at = [from + f32::from(part) * unit / 4.0, y];
                    let colour = on_ramp(ramp, part * 8);
                    surface.put(Form::Rect(at, [unit / 4.0, unit]), (colour, u8::MAX));
                }
                let after = [from + 8.0 * unit + 4.0, y];
                surface.put(Form::Text(after, self.size, &high), TEXT);
            }
        }
        let x = x + (self.sample_width(&entry.sample) + self.gap()) as f32;
        surface.put(Form::Text([x, y], self.size, &entry.text), TEXT);
    }

    /// The sheet in pixels.
    pub fn to_picture(&self) -> Picture {
        let [width, height] = self.size().map(|length| length as i32);
        let mut picture = Picture::filled(width, height, PAPER);
        self.draw(&mut picture);
        picture
    }

    /// The sheet as an SVG file.
    pub fn to_svg(&self) -> String {
        let mut svg = Svg::default();
        self.draw(&mut svg);
        svg.finish(self.size())
    }
}

/// Pixels a cell.
fn pixels(scale: Scale) -> f32 {
    match scale {
        Scale::PixelsPerCell(pixels) => pixels as f32,
        Scale::CellsPerPixel(side) => 1.0 / side as f32,
    }
}

/// The numbers of a ruler, and their pixels from its start.
fn ticks(from: i32, length: u32, scale: Scale) -> impl Iterator<Item = (String, f32)> {
    let pixels = pixels(scale);
    let mut steps = (0..).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_i64.pow(zeros)));
    let step = steps
        .find(|&cells| cells as f32 * pixels >= RULER)
        .unwrap_or(1);
    let (from, end) = (i64::from(from), i64::from(from) + i64::from(length));
    let first = (from + step - 1).div_euclid(step) * step;
    let cells = (first..end).step_by(step as usize);
    cells.map(move |cell| (cell.to_string(), (cell - from) as f32 * pixels))
}

/// The lines of a text, each of at most this many pixels, broken at spaces.
fn wrapped(text: &str, across: u32, size: Size) -> Vec<String> {
    let length = |text: &str| font::width(text, size);
    let mut lines: Vec<String> = Vec::new();
    for text in text.lines() {
        let first = lines.len();
        for word in text.split(' ') {
            match lines[first..].last_mut() {
                Some(line) if length(&format!("{line} {word}")) <= across => {
                    *line += " ";
                    *line += word;
                }
                _ => lines.push(word.to_owned()),
            }
        }
    }
    lines
}
