//! The shapes of a draw list, each by itself, on any surface.

use flowtiles::inspect::{Paint, Primitive, Shape};

use super::colours::{INK, RIM, ink};
use super::{Form, Ink, Pixel, Surface, labels};

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
    pub fn place(self, point: [f32; 2]) -> Pixel {
        std::array::from_fn(|axis| self.at[axis] + (point[axis] - self.corner[axis]) * self.pixels)
    }
}

/// Draws all shapes. The rims of paths and of portals on routes are drawn before the
/// shapes themselves, so that no rim cuts another shape. The ids of portals come
/// last, beside the numbers of cells.
pub fn draw_all(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) {
    let mut rimmed: Vec<Paint> = Vec::new();
    for &Primitive {
        paint, ref shape, ..
    } in primitives
    {
        if has_shared_rims(paint) && !rimmed.contains(&paint) {
            rimmed.push(paint);
            for other in primitives.iter().filter(|other| other.paint == paint) {
                match other.shape {
                    Shape::Line { from, to } if paint == Paint::Path => {
                        let line = Form::Line(zoom.place(from), zoom.place(to), 4.5);
                        surface.put(line, (RIM, u8::MAX));
                    }
                    Shape::Dot { at, radius } => {
                        rim(surface, zoom.place(at), radius * zoom.pixels, paint);
                    }
                    _ => {}
                }
            }
        }
        draw(surface, zoom, paint, shape);
    }
    labels::write_all(surface, zoom, primitives);
}

/// Whether many shapes of a class meet, so that all their rims are drawn first.
const fn has_shared_rims(paint: Paint) -> bool {
    matches!(paint, Paint::Path | Paint::RouteWindow)
}

/// Draws one shape, unless it is text.
fn draw(surface: &mut impl Surface, zoom: Zoom, paint: Paint, shape: &Shape) {
    match *shape {
        Shape::Fill(area) => {
            let at = zoom.place([area.x as f32, area.y as f32]);
            let size = [area.width, area.height].map(|cells| cells as f32 * zoom.pixels);
            surface.put(Form::Rect(at, size), ink(paint));
        }
        Shape::Line { from, to } => {
            let bar = (zoom.pixels * 0.4).clamp(zoom.pixels.min(2.0), 7.0);
            line(surface, zoom.place(from), zoom.place(to), bar, paint);
        }
        Shape::Arrow {
            at,
            direction: way,
            length,
        } => {
            let half =
                <[i32; 2]>::from(way.offset()).map(|d| d as f32 * length * zoom.pixels / 2.0);
            arrow(surface, zoom.place(at), half, ink(paint));
        }
        Shape::Dot { at, radius } => {
            let (at, radius) = (zoom.place(at), radius * zoom.pixels);
            if has_shared_rims(paint) {
                surface.put(Form::Disc(at, seen(radius, paint)), ink(paint));
            } else {
                dot(surface, at, radius, paint);
            }
        }
        Shape::Ring { at, radius } => ring(surface, zoom.place(at), radius * zoom.pixels, paint),
        Shape::Label { .. } => {}
    }
}

/// Draws a line in the style of its class: windows, which are horizontal or vertical,
/// as a bar of this width.
pub fn line(surface: &mut impl Surface, from: Pixel, to: Pixel, bar: f32, paint: Paint) {
    let width = match paint {
        Paint::Window | Paint::RouteWindow => {
            let long = |axis: usize| (to[axis] - from[axis]).abs();
            let size = [0, 1].map(|axis| if long(axis) > 0.0 { long(axis) } else { bar });
            let at = [0, 1].map(|axis| (from[axis] + to[axis]) / 2.0 - size[axis] / 2.0);
            return surface.put(Form::Rect(at, size), ink(paint));
        }
        Paint::Path => 2.2,
        Paint::LoadedEdge => 2.0,
        _ => 1.0,
    };
    surface.put(Form::Line(from, to, width), ink(paint));
}

/// Draws an arrow around its middle; `half` leads from the middle to the point.
pub fn arrow(surface: &mut impl Surface, middle: Pixel, [dx, dy]: [f32; 2], ink: Ink) {
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
    surface.put(Form::Line(at(-1.0, 0.0), at(0.35, 0.0), width), ink);
    let head = [at(1.0, 0.0), at(-0.05, 0.62), at(-0.05, -0.62)];
    surface.put(Form::Triangle(head), ink);
}

/// Draws a disc with a rim, large enough to be visible.
pub fn dot(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    rim(surface, at, radius, paint);
    surface.put(Form::Disc(at, seen(radius, paint)), ink(paint));
}

/// Draws the rim of a disc and its inside.
fn rim(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    let colour = match paint {
        Paint::Frontier | Paint::Value(..) => INK,
        _ => RIM,
    };
    surface.put(Form::Disc(at, seen(radius, paint) + 1.0), (colour, 220));
}

/// Returns the drawn radius of a disc: large enough to be visible, and not larger
/// than necessary.
const fn seen(radius: f32, paint: Paint) -> f32 {
    let (least, most) = match paint {
        Paint::Unit | Paint::Start => (RING - 1.0, 9.0),
        Paint::Edge => (DOT, 3.0),
        _ => (DOT, 9.0),
    };
    radius.min(most).max(least)
}

/// Draws a ring with rims, large enough to be visible.
pub fn ring(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    let radius = radius.clamp(RING, 14.0);
    surface.put(Form::Ring(at, radius, 5.0), (RIM, 230));
    surface.put(Form::Ring(at, radius, 2.6), ink(paint));
    surface.put(Form::Disc(at, 2.2), ink(paint));
}
