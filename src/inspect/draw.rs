//! Drawing a part of the map, overlay by overlay.

use std::collections::BTreeSet;

use super::{Detail, DrawList, Figure, Overlay, Subject, fields, graph, ground, paths};
use crate::grid::CellRect;

/// Draws overlays of a part of the map, in the order of [`Overlay::ALL`] and not
/// that of `overlays`. Parts of the view off the map are left out.
///
/// # Panics
/// If an order belongs to another world.
#[must_use]
pub fn draw(
    subject: &Subject<'_>,
    view: CellRect,
    overlays: &[Overlay],
    detail: Detail,
) -> DrawList {
    let costs = subject.costs();
    let map = CellRect::new(0, 0, costs.width(), costs.height());
    let mut list = DrawList::new(map.intersection(view));
    if list.view.is_empty() {
        return list;
    }
    for overlay in Overlay::ALL {
        if !overlays.contains(&overlay) {
            continue;
        }
        match overlay {
            Overlay::Cost => ground::cost(&mut list, subject, detail),
            Overlay::Islands => ground::islands(&mut list, subject, detail),
            Overlay::Clearance => ground::clearance(&mut list, subject, detail),
            Overlay::Integration => fields::integration(&mut list, subject, detail),
            Overlay::Density => ground::density(&mut list, subject, detail),
            Overlay::Loaded => fields::loaded(&mut list, subject),
            Overlay::Sight => fields::sight(&mut list, subject, detail),
            Overlay::Sectors => graph::sectors(&mut list, detail),
            Overlay::Portals => graph::portals(&mut list, subject, detail),
            Overlay::Graph => graph::edges(&mut list, subject, detail),
            Overlay::Flow => fields::flow(&mut list, subject, detail),
            Overlay::Paths => paths::paths(&mut list, subject),
            Overlay::Units => paths::units(&mut list, subject),
        }
    }
    labels_last(&mut list);
    list
}

/// Moves text behind all other shapes, so that nothing is painted over it. If
/// several overlays have a label at one point, only that of the uppermost stays.
fn labels_last(list: &mut DrawList) {
    let is_label = |shape: &Figure| matches!(shape, Figure::Label { .. });
    list.primitives
        .sort_by_key(|primitive| is_label(&primitive.figure));
    let mut written = BTreeSet::new();
    let mut is_seen: Vec<bool> = list
        .primitives
        .iter()
        .rev()
        .map(|primitive| match primitive.figure {
            Figure::Label { at: [x, y], .. } => written.insert((x.to_bits(), y.to_bits())),
            _ => true,
        })
        .collect();
    list.primitives.retain(|_| is_seen.pop().unwrap_or(true));
}
