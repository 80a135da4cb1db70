//! Drawing a part of the map, layer by layer.

use std::collections::BTreeSet;

use super::{Detail, DrawList, Layer, Shape, Subject, fields, graph, ground, paths};
use crate::grid::CellRect;

/// Draws layers of a part of the map, in the order of [`Layer::ALL`] and not
/// that of `layers`. Parts of the view off the map are left out.
///
/// # Panics
/// If an order belongs to another world.
#[must_use]
pub fn draw(subject: &Subject<'_>, view: CellRect, layers: &[Layer], detail: Detail) -> DrawList {
    let costs = subject.costs();
    let map = CellRect::new(0, 0, costs.width(), costs.height());
    let mut list = DrawList::new(map.intersection(view));
    if list.view.is_empty() {
        return list;
    }
    for layer in Layer::ALL {
        if !layers.contains(&layer) {
            continue;
        }
        match layer {
            Layer::Cost => ground::cost(&mut list, subject, detail),
            Layer::Islands => ground::islands(&mut list, subject, detail),
            Layer::Clearance => ground::clearance(&mut list, subject, detail),
            Layer::Integration => fields::integration(&mut list, subject, detail),
            Layer::Density => ground::density(&mut list, subject, detail),
            Layer::Loaded => fields::loaded(&mut list, subject),
            Layer::Sight => fields::sight(&mut list, subject, detail),
            Layer::Sectors => graph::sectors(&mut list, detail),
            Layer::Portals => graph::portals(&mut list, subject, detail),
            Layer::Graph => graph::edges(&mut list, subject, detail),
            Layer::Flow => fields::flow(&mut list, subject, detail),
            Layer::Paths => paths::paths(&mut list, subject),
            Layer::Units => paths::units(&mut list, subject),
        }
    }
    labels_last(&mut list);
    list
}

/// Moves text behind all other shapes, so that nothing is painted over it. If
/// several layers have a label at one point, only that of the uppermost stays.
fn labels_last(list: &mut DrawList) {
    let is_label = |shape: &Shape| matches!(shape, Shape::Label { .. });
    list.primitives
        .sort_by_key(|primitive| is_label(&primitive.shape));
    let mut written = BTreeSet::new();
    let mut is_seen: Vec<bool> = list
        .primitives
        .iter()
        .rev()
        .map(|primitive| match primitive.shape {
            Shape::Label { at: [x, y], .. } => written.insert((x.to_bits(), y.to_bits())),
            _ => true,
        })
        .collect();
    list.primitives.retain(|_| is_seen.pop().unwrap_or(true));
}
