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
    /// The size of the map in pixels.
    pub size: [f32; 2],
}

impl Zoom {
    fn place(self, point: [f32; 2]) -> Pixel {
        let along = |axis: usize| self.at[axis] + (point[axis] - self.corner[axis]) * self.pixels;
        [along(0), along(1)]
    }
}

/// Draws all shapes. The rims of paths and of portals on routes are drawn before the
/// shapes themselves, so that no rim cuts another shape. The ids of portals come
/// last, beside the numbers of cells.
pub fn draw_all(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) {
    let mut rimmed: Vec<Paint> = Vec::new();
    let mut labels = Labels::within(zoom.at, zoom.size);
    for Primitive {
        layer,
        paint,
        shape,
    } in primitives
    {
        if let Shape::Label { at, text } = shape {
            let (at, ink) = (zoom.place(*at), ink(*paint));
            match layer {
                Layer::Portals => labels.wait(at, text, ink),
                _ => labels.write(surface, at, text, ink),
            }
            continue;
        }
        if has_shared_rims(*paint) && !rimmed.contains(paint) {
            rimmed.push(*paint);
            draw_rims(surface, zoom, primitives, *paint);
        }
        draw(surface, zoom, *paint, shape);
    }
    labels.write_waiting(surface);
}

/// Whether many shapes of a class meet, so that all their rims are drawn first.
const fn has_shared_rims(paint: Paint) -> bool {
    matches!(paint, Paint::Path | Paint::RouteWindow)
}

fn draw_rims(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive], paint: Paint) {
    for primitive in primitives.iter().filter(|shape| shape.paint == paint) {
        match &primitive.shape {
            Shape::Line { from, to } if paint == Paint::Path => {
                let (from, to) = (zoom.place(*from), zoom.place(*to));
                surface.line(from, to, 4.5, Ink::solid(RIM));
            }
            Shape::Dot { at, radius } => rim(surface, zoom.place(*at), radius * zoom.pixels, paint),
            _ => {}
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
        Shape::Dot { at, radius } if has_shared_rims(paint) => {
            let radius = seen(radius * zoom.pixels, paint);
            surface.disc(zoom.place(*at), radius, ink(paint));
        }
        Shape::Dot { at, radius } => dot(surface, zoom.place(*at), radius * zoom.pixels, paint),
        Shape::Ring { at, radius } => ring(surface, zoom.place(*at), radius * zoom.pixels, paint),
        Shape::Label { .. } => {}
    }
}

/// Draws a line in the style of its class.
pub fn line(surface: &mut impl Surface, from: Pixel, to: Pixel, paint: Paint) {
    match paint {
        Paint::Path => surface.line(from, to, 2.2, ink(paint)),
        Paint::Window | Paint::RouteWindow => bar(surface, from, to, 4.0, paint),
        Paint::LoadedEdge => surface.line(from, to, 2.0, ink(paint)),
        _ => surface.line(from, to, 1.0, ink(paint)),
    }
}

/// Draws a window: a horizontal or vertical bar.
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

/// Draws an arrow around its middle; `half` leads from the middle to the point.
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

/// Draws a disc with a rim, large enough to be visible.
pub fn dot(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    rim(surface, at, radius, paint);
    surface.disc(at, seen(radius, paint), ink(paint));
}

/// Draws the rim of a disc and its inside.
fn rim(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    let colour = match paint {
        Paint::Frontier | Paint::Value(..) => colours::INK,
        _ => RIM,
    };
    surface.disc(at, seen(radius, paint) + 1.0, Ink::thin(colour, 220));
}

/// Returns the drawn radius of a disc: large enough to be visible, and not larger
/// than necessary.
const fn seen(radius: f32, paint: Paint) -> f32 {
    let least = match paint {
        Paint::Unit | Paint::Start => RING - 1.0,
        _ => DOT,
    };
    let most = if matches!(paint, Paint::Edge) {
        3.0
    } else {
        9.0
    };
    radius.min(most).max(least)
}

/// Draws a ring with rims, large enough to be visible.
pub fn ring(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    let radius = radius.clamp(RING, 14.0);
    surface.ring(at, radius, 5.0, Ink::thin(RIM, 230));
    surface.ring(at, radius, 2.6, ink(paint));
    surface.disc(at, 2.2, ink(paint));
}
