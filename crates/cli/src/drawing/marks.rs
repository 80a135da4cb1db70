//! The shapes of a draw list, each by itself, on any surface.

use flowtiles::inspect::{Layer, Paint, Primitive, Shape};

use super::colours::{self, RIM, ink};
use super::labels::Labels;
use super::surface::{Ink, Pixel, Surface};

/// The least radius of dots and rings, in pixels.
const DOT: f32 = 2.5;
const RING: f32 = 5.0;

/// From cells to pixels.
#[derive(Clone, Copy)]
pub struct Zoom {
    /// The cell at the north-west corner.
    pub corner: [f32; 2],
    /// The pixel there.
    pub at: Pixel,
    /// Pixels a cell.
    pub pixels: f32,
    /// The pixels that the map takes.
    pub size: [f32; 2],
}

impl Zoom {
    fn place(self, point: [f32; 2]) -> Pixel {
        let along = |axis: usize| self.at[axis] + (point[axis] - self.corner[axis]) * self.pixels;
        [along(0), along(1)]
    }
}

/// Draws all shapes. The rims of ways come before the ways: where they meet,
/// none cuts another. The ids of portals come last, beside the numbers of cells.
pub fn draw_all(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) {
    let mut have_rims = false;
    let mut labels = Labels::within(zoom.at, zoom.size);
    for primitive in primitives {
        if let Shape::Label { at, text } = &primitive.shape {
            let (at, ink) = (zoom.place(*at), ink(primitive.paint));
            match primitive.layer {
                Layer::Portals => labels.wait(at, text, ink),
                _ => labels.write(surface, at, text, ink),
            }
            continue;
        }
        if primitive.paint == Paint::Way && !have_rims {
            have_rims = true;
            draw_rims(surface, zoom, primitives);
        }
        draw(surface, zoom, primitive.paint, &primitive.shape);
    }
    labels.write_waiting(surface);
}

fn draw_rims(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) {
    for primitive in primitives {
        if let (Paint::Way, Shape::Line { from, to }) = (primitive.paint, &primitive.shape) {
            let (from, to) = (zoom.place(*from), zoom.place(*to));
            surface.line(from, to, 4.5, Ink::solid(RIM));
        }
    }
}

/// Draws one shape, unless it is text.
fn draw(surface: &mut impl Surface, zoom: Zoom, paint: Paint, shape: &Shape) {
    match shape {
        Shape::Fill(area) => {
            let at = zoom.place([area.x as f32, area.y as f32]);
            let size = [area.width, area.height].map(|cells| cells as f32 * zoom.pixels);
            surface.rect(at, size, ink(paint));
        }
        Shape::Line { from, to } => {
            let (from, to) = (zoom.place(*from), zoom.place(*to));
            match paint {
                Paint::Window | Paint::RouteWindow => {
                    let width = (zoom.pixels * 0.4).clamp(zoom.pixels.min(2.0), 7.0);
                    bar(surface, from, to, width, paint);
                }
                _ => line(surface, from, to, paint),
            }
        }
        Shape::Arrow {
            at,
            direction,
            length,
        } => {
            let (dx, dy) = direction.offset();
            let half = length * zoom.pixels / 2.0;
            arrow(
                surface,
                zoom.place(*at),
                [dx as f32 * half, dy as f32 * half],
                ink(paint),
            );
        }
        Shape::Dot { at, radius } => dot(surface, zoom.place(*at), radius * zoom.pixels, paint),
        Shape::Ring { at, radius } => ring(surface, zoom.place(*at), radius * zoom.pixels, paint),
        Shape::Label { .. } => {}
    }
}

/// A line as its class is drawn.
pub fn line(surface: &mut impl Surface, from: Pixel, to: Pixel, paint: Paint) {
    match paint {
        Paint::Way => surface.line(from, to, 2.2, ink(paint)),
        Paint::Window | Paint::RouteWindow => bar(surface, from, to, 4.0, paint),
        Paint::LoadedEdge => surface.line(from, to, 2.0, ink(paint)),
        _ => surface.line(from, to, 1.0, ink(paint)),
    }
}

/// A window: a bar along or down.
fn bar(surface: &mut impl Surface, from: Pixel, to: Pixel, width: f32, paint: Paint) {
    let reach = |axis: usize| {
        let long = (to[axis] - from[axis]).abs();
        if long > 0.0 { long } else { width }
    };
    let size = [reach(0), reach(1)];
    let middle = |axis: usize| (from[axis] + to[axis]) / 2.0;
    let at = [middle(0) - size[0] / 2.0, middle(1) - size[1] / 2.0];
    surface.rect(at, size, ink(paint));
}

/// An arrow around its middle; `half` leads from there to its point.
pub fn arrow(surface: &mut impl Surface, middle: Pixel, half: [f32; 2], ink: Ink) {
    let [dx, dy] = half;
    let long = (dx * dx + dy * dy).sqrt();
    if long <= 0.0 {
        return;
    }
    // Diagonal arrows are as long as straight ones.
    let reach = dx.abs().max(dy.abs());
    let (ux, uy) = (dx / long, dy / long);
    let at = |along: f32, aside: f32| {
        [
            middle[0] + (ux * along - uy * aside) * reach,
            middle[1] + (uy * along + ux * aside) * reach,
        ]
    };
    let width = (reach * 0.26).clamp(1.0, 3.0);
    surface.line(at(-1.0, 0.0), at(0.35, 0.0), width, ink);
    surface.triangle([at(1.0, 0.0), at(-0.05, 0.62), at(-0.05, -0.62)], ink);
}

/// A disc with a rim, large enough to be seen.
pub fn dot(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    let least = match paint {
        Paint::Unit | Paint::Start => RING - 1.0,
        _ => DOT,
    };
    let most = if paint == Paint::Edge { 3.0 } else { 9.0 };
    let radius = radius.min(most).max(least);
    let rim = match paint {
        Paint::Frontier | Paint::Value(..) => colours::INK,
        _ => RIM,
    };
    surface.disc(at, radius + 1.0, Ink::thin(rim, 220));
    surface.disc(at, radius, ink(paint));
}

/// A ring with rims, large enough to be seen.
pub fn ring(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    let radius = radius.clamp(RING, 14.0);
    surface.ring(at, radius, 5.0, Ink::thin(RIM, 230));
    surface.ring(at, radius, 2.6, ink(paint));
    surface.disc(at, 2.2, ink(paint));
}
