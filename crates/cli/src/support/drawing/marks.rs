//! The shapes of a draw list, each by itself, on any surface.

use flowtiles::inspect::{DrawList, Figure, Overlay, Paint, Primitive};

use super::colours::{DARK, direction_ink, ink};
use super::{Form, Ink, Pixel, Surface, Zoom, labels, relief};

/// The least radius of dots and rings, in pixels.
const DOT: f32 = 2.5;
const RING: f32 = 5.0;

/// Draws all shapes. The rims of paths and of portals on routes are drawn before the
/// shapes themselves, so that no rim cuts another shape. The ids of portals come
/// last, beside the numbers of cells.
pub fn draw_all(surface: &mut impl Surface, zoom: Zoom, list: &DrawList) {
    let primitives = &list.primitives;
    let is_ground = |primitive: &&Primitive| {
        primitive.overlay == Overlay::Cost && matches!(primitive.figure, Figure::Fill(_))
    };
    let ground = primitives.iter().take_while(is_ground).count();
    relief::draw(surface, zoom, list.view, &primitives[..ground]);
    let mut rimmed: Vec<Paint> = Vec::new();
    let mut is_tinted = is_tinted(primitives);
    for &Primitive {
        overlay,
        paint,
        ref figure,
    } in &primitives[ground..]
    {
        // Over the fields and below the lines.
        if !is_tinted && overlay >= Overlay::Sectors {
            is_tinted = true;
            tint_all(surface, zoom, primitives);
        }
        if has_shared_rims(paint) && !rimmed.contains(&paint) {
            rimmed.push(paint);
            for other in primitives.iter().filter(|other| other.paint == paint) {
                match other.figure {
                    Figure::Line { from, to } if paint == Paint::Path => {
                        let line = Form::Line(zoom.place(from), zoom.place(to), 5.0);
                        surface.put(line, (DARK, 190));
                    }
                    Figure::Dot { at, radius } => {
                        rim(surface, zoom.place(at), radius * zoom.pixels, paint);
                    }
                    _ => {}
                }
            }
        }
        draw(surface, zoom, paint, figure);
    }
    labels::write_all(surface, zoom, primitives);
}

/// Whether cells have other colours than those of the ground.
fn is_tinted(primitives: &[Primitive]) -> bool {
    primitives.iter().any(|primitive| {
        matches!(primitive.paint, Paint::Value(..) | Paint::Loaded)
            && matches!(primitive.figure, Figure::Fill(_))
    })
}

/// Fills the cells and sectors of the flow field with the colours of their directions.
fn tint_all(surface: &mut impl Surface, zoom: Zoom, primitives: &[Primitive]) {
    for primitive in primitives {
        if let (
            Overlay::Flow,
            Figure::Arrow {
                at,
                direction,
                length,
            },
        ) = (primitive.overlay, &primitive.figure)
        {
            let side = if *length < 1.0 { 1.0 } else { length / 0.6 };
            let corner = if *length < 1.0 {
                at.map(f32::floor)
            } else {
                at.map(|middle| middle - side / 2.0)
            };
            let size = [side * zoom.pixels; 2];
            surface.put(
                Form::Rect(zoom.place(corner), size),
                direction_ink(*direction),
            );
        }
    }
}

/// Whether many shapes of a class meet, so that all their rims are drawn first.
const fn has_shared_rims(paint: Paint) -> bool {
    matches!(paint, Paint::Path | Paint::RouteWindow)
}

/// Draws one shape, unless it is text.
fn draw(surface: &mut impl Surface, zoom: Zoom, paint: Paint, shape: &Figure) {
    match *shape {
        Figure::Fill(area) => {
            let at = zoom.place([area.x as f32, area.y as f32]);
            let size = [area.width, area.height].map(|cells| cells as f32 * zoom.pixels);
            surface.put(Form::Rect(at, size), ink(paint));
        }
        Figure::Line { from, to } => {
            let bar = (zoom.pixels * 0.4).clamp(zoom.pixels.min(2.0), 7.0);
            line(surface, zoom.place(from), zoom.place(to), bar, paint);
        }
        Figure::Arrow {
            at,
            direction: way,
            length,
        } => {
            let half =
                <[i32; 2]>::from(way.offset()).map(|d| d as f32 * length * zoom.pixels / 2.0);
            arrow(surface, zoom.place(at), half, ink(paint));
        }
        Figure::Dot { at, radius } => {
            let (at, radius) = (zoom.place(at), radius * zoom.pixels);
            if has_shared_rims(paint) {
                surface.put(Form::Disc(at, seen(radius, paint)), ink(paint));
            } else {
                dot(surface, at, radius, paint);
            }
        }
        Figure::Ring { at, radius } => ring(surface, zoom.place(at), radius * zoom.pixels, paint),
        Figure::Label { .. } => {}
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
            if bar >= 2.0 {
                let (at, size) = (at.map(|at| at - 1.0), size.map(|side| side + 2.0));
                surface.put(Form::Rect(at, size), (DARK, 190));
            }
            return surface.put(Form::Rect(at, size), ink(paint));
        }
        Paint::Path => 2.6,
        Paint::LoadedEdge => 2.0,
        Paint::Island(_) | Paint::Waiting => 1.6,
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
    let head @ [point, left, right] = [at(1.0, 0.0), at(-0.05, 0.62), at(-0.05, -0.62)];
    let [from, to] = [at(-1.0, 0.0), at(0.35, 0.0)];
    let dark = (DARK, 200);
    surface.put(Form::Line(from, to, width + 2.0), dark);
    for (from, to) in [(point, left), (left, right), (right, point)] {
        surface.put(Form::Line(from, to, 2.0), dark);
    }
    surface.put(Form::Line(from, to, width), ink);
    surface.put(Form::Triangle(head), ink);
}

/// Draws a disc with a rim, large enough to be visible.
pub fn dot(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    rim(surface, at, radius, paint);
    surface.put(Form::Disc(at, seen(radius, paint)), ink(paint));
}

/// Draws the rim of a disc and its inside.
fn rim(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    surface.put(Form::Disc(at, seen(radius, paint) + 1.2), (DARK, 220));
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

/// Draws a goal that is large enough to be visible.
pub fn ring(surface: &mut impl Surface, at: Pixel, radius: f32, paint: Paint) {
    goal(surface, at, radius.clamp(RING, 14.0), ink(paint));
}

/// Draws a goal: a ring around a dot.
pub fn goal(surface: &mut impl Surface, at: Pixel, radius: f32, ink: Ink) {
    surface.put(Form::Ring(at, radius, 4.5), (DARK, 200));
    surface.put(Form::Ring(at, radius, 2.4), ink);
    surface.put(Form::Disc(at, radius * 0.42 + 1.2), (DARK, 200));
    surface.put(Form::Disc(at, radius * 0.42), ([255; 3], u8::MAX));
    surface.put(Form::Disc(at, radius * 0.24), ink);
}
