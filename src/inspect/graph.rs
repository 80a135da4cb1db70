//! The overlays of the portal graph: sector borders, windows, edges.

use std::collections::BTreeSet;

use super::{Detail, DrawList, Figure, Key, Overlay, Paint, Point, Subject};
use crate::grid::{Cell, SECTOR_SIDE};
use crate::portal::{Portal, PortalId};

pub(super) fn sectors(list: &mut DrawList, detail: Detail) {
    if matches!(detail, Detail::Blocks(_)) {
        return;
    }
    let view = list.view;
    let (west, north) = (view.x as f32, view.y as f32);
    let (east, south) = (west + view.width as f32, north + view.height as f32);
    for x in borders(view.x, view.width) {
        let line = Figure::Line {
            from: [x, north],
            to: [x, south],
        };
        list.add(Overlay::Sectors, Paint::SectorLine, line);
    }
    for y in borders(view.y, view.height) {
        let line = Figure::Line {
            from: [west, y],
            to: [east, y],
        };
        list.add(Overlay::Sectors, Paint::SectorLine, line);
    }
    if list.has(Overlay::Sectors, Paint::SectorLine) {
        let text = format!("sectors of {SECTOR_SIDE}x{SECTOR_SIDE} cells");
        list.explain(Overlay::Sectors, Key::Line(Paint::SectorLine), text);
    }
}

/// Returns the borders inside a row of cells.
fn borders(from: i32, length: u32) -> impl Iterator<Item = f32> {
    let end = i64::from(from) + i64::from(length);
    let first = (i64::from(from).div_euclid(i64::from(SECTOR_SIDE)) + 1) * i64::from(SECTOR_SIDE);
    (first..end)
        .step_by(SECTOR_SIDE as usize)
        .map(|at| at as f32)
}

/// Returns the middle of a portal's crossing, on the border of the two sectors.
pub(super) fn crossing(portal: &Portal) -> Point {
    let [a, b] = portal.crossing;
    let middle = |a: i32, b: i32| (a as f32 + b as f32) / 2.0 + 0.5;
    [middle(a.x, b.x), middle(a.y, b.y)]
}

fn routes(subject: &Subject<'_>) -> BTreeSet<PortalId> {
    subject
        .orders()
        .iter()
        .flat_map(|order| subject.world().inspect().route(order))
        .collect()
}

/// Where cells are single pixels, portals off the routes are shown only up to
/// this number of cells: the wide ones would cover open ground with a grid.
const NARROW: u32 = 3;

/// Draws the windows of the portals: all of them; or those on routes and the
/// narrow ones; or, at the detail of blocks, only those on routes.
pub(super) fn portals(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let graph = subject.inside().portal_graph();
    let on_route = routes(subject);
    if matches!(detail, Detail::Blocks(_)) {
        let portals = on_route.iter().filter_map(|&id| graph.portal(id));
        for portal in portals {
            let [x, y] = crossing(&portal);
            if list.view.contains(Cell::new(x as i32, y as i32)) {
                let dot = Figure::Dot {
                    at: [x, y],
                    radius: 0.5,
                };
                list.add(Overlay::Portals, Paint::RouteWindow, dot);
            }
        }
    } else {
        for portal in graph.portals_in(list.view) {
            let paint = match on_route.contains(&portal.id) {
                true => Paint::RouteWindow,
                false if detail == Detail::Cells && portal.width() > NARROW => continue,
                false => Paint::Window,
            };
            add_window(list, &portal, paint);
            if detail == Detail::Numbers {
                let text = portal.id.to_string();
                let at = crossing(&portal);
                list.add(Overlay::Portals, Paint::Text, Figure::Label { at, text });
            }
        }
    }
    let sample = |paint| match detail {
        Detail::Blocks(_) => Key::Dot(paint),
        _ => Key::Line(paint),
    };
    if list.has(Overlay::Portals, Paint::RouteWindow) {
        let text = "portals on the order's routes";
        list.explain(Overlay::Portals, sample(Paint::RouteWindow), text);
    }
    if list.has(Overlay::Portals, Paint::Window) {
        let text = match detail {
            Detail::Cells => format!("portals of up to {NARROW} cells"),
            _ => "portals".to_owned(),
        };
        list.explain(Overlay::Portals, sample(Paint::Window), text);
    }
}

/// Draws a bar along the border, slightly shorter than the window, so that
/// neighbouring windows stay separate.
fn add_window(list: &mut DrawList, portal: &Portal, paint: Paint) {
    let [here, _] = portal.windows;
    let [a, b] = portal.crossing;
    let (west, north) = (here.x as f32, here.y as f32);
    let (width, height) = (here.width as f32, here.height as f32);
    let short = 0.2;
    let (from, to) = if b.x > a.x {
        (
            [west + 1.0, north + short],
            [west + 1.0, north + height - short],
        )
    } else {
        (
            [west + short, north + 1.0],
            [west + width - short, north + 1.0],
        )
    };
    list.add(Overlay::Portals, paint, Figure::Line { from, to });
}

/// Draws the edges between the crossings of portals, one line for both ways.
pub(super) fn edges(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    if matches!(detail, Detail::Cells | Detail::Blocks(_)) {
        return;
    }
    let graph = subject.inside().portal_graph();
    let around: Vec<Portal> = graph.portals_in(list.view).collect();
    let mut drawn: BTreeSet<(PortalId, PortalId)> = BTreeSet::new();
    for portal in &around {
        for (other, _) in graph.edges(portal.id) {
            let pair = (portal.id.min(other), portal.id.max(other));
            if let Some(other) = graph.portal(other).filter(|_| drawn.insert(pair)) {
                let (from, to) = (crossing(portal), crossing(&other));
                list.add(Overlay::Graph, Paint::Edge, Figure::Line { from, to });
            }
        }
    }
    for portal in &around {
        let dot = Figure::Dot {
            at: crossing(portal),
            radius: 0.25,
        };
        list.add(Overlay::Graph, Paint::Edge, dot);
    }
    if list.has(Overlay::Graph, Paint::Edge) {
        list.explain(
            Overlay::Graph,
            Key::Line(Paint::Edge),
            "edges of the portal graph",
        );
        let nodes = "its nodes, one for each portal";
        list.explain(Overlay::Graph, Key::Dot(Paint::Edge), nodes);
    }
}
