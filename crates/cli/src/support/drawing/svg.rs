//! Pictures as SVG text.

use std::fmt::Write;

use super::surface::{Ink, Pixel, Surface};
use crate::support::font;

/// A picture as SVG. Successive rectangles of one ink share a path.
pub struct Svg {
    size: [u32; 2],
    body: String,
    /// The rectangles that are not written yet.
    path: Option<(Ink, String)>,
}

impl Svg {
    /// An empty picture.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            size: [width, height],
            body: String::new(),
            path: None,
        }
    }

    /// The whole file.
    pub fn finish(mut self) -> String {
        self.flush();
        let [width, height] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n{}</svg>\n",
            self.body
        )
    }

    fn flush(&mut self) {
        if let Some((ink, path)) = self.path.take() {
            self.tag(format_args!("<path d=\"{path}\" {}/>", paint("fill", ink)));
        }
    }

    /// Adds a line to the file. Writing to a string cannot fail.
    fn tag(&mut self, tag: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{tag}");
    }
}

fn paint(attribute: &str, ink: Ink) -> String {
    let [r, g, b] = ink.colour;
    let colour = format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\"");
    match ink.strength {
        255 => colour,
        part => {
            let part = Number(f32::from(part) / 255.0);
            format!("{colour} {attribute}-opacity=\"{part}\"")
        }
    }
}

/// A number with at most two decimals, without trailing zeros.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

impl Surface for Svg {
    fn rect(&mut self, at: Pixel, size: [f32; 2], ink: Ink) {
        if self.path.as_ref().is_some_and(|(before, _)| *before != ink) {
            self.flush();
        }
        let (_, path) = self.path.get_or_insert_with(|| (ink, String::new()));
        let ([x, y], [width, height]) = (at.map(Number), size.map(Number));
        let _ = write!(path, "M{x} {y}h{width}v{height}H{x}z");
    }

    fn line(&mut self, from: Pixel, to: Pixel, width: f32, ink: Ink) {
        self.flush();
        let ([x1, y1], [x2, y2]) = (from.map(Number), to.map(Number));
        let (width, stroke) = (Number(width), paint("stroke", ink));
        self.tag(format_args!(
            "<path d=\"M{x1} {y1}L{x2} {y2}\" {stroke} stroke-width=\"{width}\" \
             stroke-linecap=\"round\"/>"
        ));
    }

    fn triangle(&mut self, corners: [Pixel; 3], ink: Ink) {
        self.flush();
        let [a, b, c] = corners.map(|[x, y]| format!("{} {}", Number(x), Number(y)));
        self.tag(format_args!(
            "<path d=\"M{a}L{b}L{c}z\" {}/>",
            paint("fill", ink)
        ));
    }

    fn disc(&mut self, middle: Pixel, radius: f32, ink: Ink) {
        self.flush();
        let ([x, y], radius) = (middle.map(Number), Number(radius));
        let fill = paint("fill", ink);
        self.tag(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {fill}/>"
        ));
    }

    fn ring(&mut self, middle: Pixel, radius: f32, width: f32, ink: Ink) {
        self.flush();
        let ([x, y], radius) = (middle.map(Number), Number(radius));
        let (width, stroke) = (Number(width), paint("stroke", ink));
        self.tag(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" {stroke} \
             stroke-width=\"{width}\"/>"
        ));
    }

    fn text(&mut self, at: Pixel, size: u32, text: &str, ink: Ink) {
        self.flush();
        let across = font::width(text) * size;
        let base = Number(at[1] + 7.0 * size as f32);
        let (x, high, fill) = (Number(at[0]), 9 * size, paint("fill", ink));
        let text = escaped(text);
        self.tag(format_args!(
            "<text x=\"{x}\" y=\"{base}\" font-family=\"monospace\" font-size=\"{high}\" \
             textLength=\"{across}\" {fill}>{text}</text>"
        ));
    }
}

/// Text escaped for XML and HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if letter.is_control() && letter != '\n' => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_of_one_ink_are_one_path_and_text_is_escaped() {
        let mut svg = Svg::new(30, 20);
        let red = Ink::solid([255, 0, 0]);
        svg.rect([0.0, 0.0], [10.0, 5.5], red);
        svg.rect([10.0, 5.0], [2.25, 1.0], red);
        svg.rect([0.0, 9.0], [1.0, 1.0], Ink::thin([0, 0, 16], 51));
        svg.text([3.0, 4.0], 1, "a<b", red);
        assert_eq!(
            svg.finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\" \
             viewBox=\"0 0 30 20\">\n\
             <path d=\"M0 0h10v5.5H0zM10 5h2.25v1H10z\" fill=\"#ff0000\"/>\n\
             <path d=\"M0 9h1v1H0z\" fill=\"#000010\" fill-opacity=\"0.2\"/>\n\
             <text x=\"3\" y=\"11\" font-family=\"monospace\" font-size=\"9\" \
             textLength=\"17\" fill=\"#ff0000\">a&lt;b</text>\n</svg>\n"
        );
    }
}
