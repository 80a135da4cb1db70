//! Pictures as SVG text.

use std::fmt::{self, Write};

use super::{Form, Ink, Pixel, Surface};
use crate::support::font;

/// A picture as SVG. Successive rectangles of one ink share a path.
#[derive(Default)]
pub struct Svg {
    body: String,
    /// The rectangles that are not written yet.
    path: Option<(Ink, String)>,
}

impl Svg {
    /// The whole file of a picture of this size.
    pub fn finish(mut self, [width, height]: [u32; 2]) -> String {
        self.flush();
        let body = self.body;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n{body}</svg>\n"
        )
    }

    fn flush(&mut self) {
        if let Some((ink, path)) = self.path.take() {
            self.line(format_args!("<path d=\"{path}\" {}/>", paint("fill", ink)));
        }
    }

    /// Adds a line to the file. Writing to a string cannot fail.
    fn line(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{line}");
    }
}

impl Surface for Svg {
    fn put(&mut self, form: Form<'_>, ink: Ink) {
        if let Form::Rect(at, size) = form {
            if self.path.as_ref().is_some_and(|(before, _)| *before != ink) {
                self.flush();
            }
            let (_, path) = self.path.get_or_insert_with(|| (ink, String::new()));
            let ([x, y], [width, height]) = (at.map(Number), size.map(Number));
            let _ = write!(path, "M{x} {y}h{width}v{height}H{x}z");
            return;
        }
        self.flush();
        let point = |[x, y]: Pixel| format!("{} {}", Number(x), Number(y));
        let round = |[x, y]: Pixel, radius| {
            let (x, y, radius) = (Number(x), Number(y), Number(radius));
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")
        };
        let (fill, stroke) = (paint("fill", ink), paint("stroke", ink));
        match form {
            Form::Rect(..) => {}
            Form::Line(from, to, width) => self.line(format_args!(
                "<path d=\"M{}L{}\" {stroke} stroke-width=\"{}\" stroke-linecap=\"round\"/>",
                point(from),
                point(to),
                Number(width)
            )),
            Form::Triangle(corners) => {
                let corners = corners.map(point).join("L");
                self.line(format_args!("<path d=\"M{corners}z\" {fill}/>"));
            }
            Form::Disc(middle, radius) => {
                self.line(format_args!("{} {fill}/>", round(middle, radius)));
            }
            Form::Ring(middle, radius, width) => {
                let (circle, width) = (round(middle, radius), Number(width));
                self.line(format_args!(
                    "{circle} fill=\"none\" {stroke} stroke-width=\"{width}\"/>"
                ));
            }
            Form::Text([x, y], size, text) => self.line(format_args!(
                "<text x=\"{}\" y=\"{}\" font-family=\"Roboto, sans-serif\" font-size=\"{}\" \
                 textLength=\"{}\" {fill}>{}</text>",
                Number(x),
                Number(y + size.base() as f32),
                size.points(),
                font::width(text, size),
                escaped(text)
            )),
        }
    }
}

fn paint(attribute: &str, ([r, g, b], strength): Ink) -> String {
    let colour = format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\"");
    if strength == u8::MAX {
        return colour;
    }
    let part = Number(f32::from(strength) / 255.0);
    format!("{colour} {attribute}-opacity=\"{part}\"")
}

/// A number with at most two decimals, without trailing zeros.
struct Number(f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
        .replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_of_one_ink_join_and_text_is_escaped() {
        let mut svg = Svg::default();
        let red = ([255, 0, 0], 255);
        svg.put(Form::Rect([0.0, 0.0], [10.0, 5.5]), red);
        svg.put(Form::Rect([10.0, 5.0], [2.25, 1.0]), red);
        svg.put(Form::Rect([0.0, 9.0], [1.0, 1.0]), ([0, 0, 16], 51));
        svg.put(Form::Text([3.0, 4.0], font::Size::Small, "a<b"), red);
        assert_eq!(
            svg.finish([30, 20]),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\" \
             viewBox=\"0 0 30 20\">\n\
             <path d=\"M0 0h10v5.5H0zM10 5h2.25v1H10z\" fill=\"#ff0000\"/>\n\
             <path d=\"M0 9h1v1H0z\" fill=\"#000010\" fill-opacity=\"0.2\"/>\n\
             <text x=\"3\" y=\"13\" font-family=\"Roboto, sans-serif\" font-size=\"12\" \
             textLength=\"20\" fill=\"#ff0000\">a&lt;b</text>\n</svg>\n"
        );
    }
}
