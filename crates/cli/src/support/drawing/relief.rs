//! The ground in light from the north-west: walls stand above it, with light and dark edges,
//! and throw a shadow.

use flowtiles::inspect::{Figure, Paint, Primitive};
use flowtiles::{Cell, CellRect};
use flowtiles_country::raster::Raster;

use super::colours::{SHADE, ink};
use super::{Form, Ink, Surface, Zoom};

/// How far a shadow reaches, in cells: it is darker near the wall.
const SHADOWS: [f32; 2] = [0.84, 0.42];
/// From this many pixels a cell on, walls have edges.
const EDGED: f32 = 3.0;

/// The light on the edges of a wall, by the step to the cell beyond.
const EDGES: [([i32; 2], Ink); 4] = [
    ([0, -1], ([255; 3], 55)),
    ([-1, 0], ([255; 3], 38)),
    ([0, 1], ([0; 3], 74)),
    ([1, 0], ([0; 3], 58)),
];

/// How wide the edges of walls are, in pixels.
fn edge(pixels: f32) -> f32 {
    2.2_f32.clamp(0.06 * pixels, 0.3 * pixels)
}

/// Draws the cells of the ground.
pub fn draw(surface: &mut impl Surface, zoom: Zoom, view: CellRect, ground: &[Primitive]) {
    let areas = ground
        .iter()
        .filter_map(|primitive| match primitive.figure {
            Figure::Fill(area) => Some((area, primitive.paint)),
            _ => None,
        });
    let is_wall = |paint: Paint| matches!(paint, Paint::Ground { walls: 8.., .. });
    let (walls, open): (Vec<_>, Vec<_>) = areas.partition(|(_, paint)| is_wall(*paint));
    let mut fill = |area: CellRect, by: f32, ink| {
        let at = zoom.place([area.x as f32 + by, area.y as f32 + by]);
        let size = [area.width, area.height].map(|cells| cells as f32 * zoom.pixels);
        surface.put(Form::Rect(at, size), ink);
    };
    open.iter()
        .for_each(|&(area, paint)| fill(area, 0.0, ink(paint)));
    if zoom.pixels >= 1.0 {
        for reach in SHADOWS {
            walls.iter().for_each(|&(area, _)| fill(area, reach, SHADE));
        }
    }
    walls
        .iter()
        .for_each(|&(area, paint)| fill(area, 0.0, ink(paint)));
    if zoom.pixels >= EDGED {
        let mut raised = Raster::filled(view.width as i32, view.height as i32, false);
        for cell in walls.iter().flat_map(|(area, _)| area.cells()) {
            if let Some(raised) = raised.get_mut(Cell::new(cell.x - view.x, cell.y - view.y)) {
                *raised = true;
            }
        }
        draw_edges(surface, zoom, view, &raised);
    }
}

fn draw_edges(surface: &mut impl Surface, zoom: Zoom, view: CellRect, raised: &Raster<bool>) {
    let edge = edge(zoom.pixels);
    for ([dx, dy], ink) in EDGES {
        for cell in raised.cells().filter(|&cell| raised[cell]) {
            // Beyond the view, walls go on.
            if *raised
                .get(Cell::new(cell.x + dx, cell.y + dy))
                .unwrap_or(&true)
            {
                continue;
            }
            let [x, y] = zoom.place([(cell.x + view.x) as f32, (cell.y + view.y) as f32]);
            let side = zoom.pixels;
            let far = |step: i32| if step > 0 { side - edge } else { 0.0 };
            let size = [dx, dy].map(|step| if step == 0 { side } else { edge });
            surface.put(Form::Rect([x + far(dx), y + far(dy)], size), ink);
        }
    }
}
