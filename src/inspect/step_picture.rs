//! A picture of one step in the computation of an order.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{continues, part, stepped};
use super::graph::crossing;
use super::paths::{explain_marks, starts_and_goals};
use super::steps::{Step, StepStage};
use super::{Detail, DrawList, Figure, Key, Overlay, Paint, Point, Ramp, Subject, fields};
use crate::grid::{Cell, CellRect, Sector};
use crate::order::Order;
use crate::portal::PortalId;
use crate::world::{FlowWorld, Inspection, OrderStage};

/// Draws the state after the step with the number `at`, over the ground: the
/// portals that the search has taken and seen, the loaded sectors, and the
/// settled sectors with their costs-to-go. `steps` must be everything that
/// [`steps`](fn@super::steps) returned for this order, so that a colour has the
/// same meaning in the picture of each step.
///
/// Settled sectors show their final costs-to-go, even if a later step settles
/// them again.
///
/// # Panics
/// If the order belongs to another world, or if the step does not exist.
#[must_use]
pub fn draw_step(
    world: &FlowWorld,
    order: &Order,
    steps: &[Step],
    at: usize,
    view: CellRect,
    detail: Detail,
) -> DrawList {
    let high = steps
        .iter()
        .flat_map(|step| &step.taken)
        .map(|priced| priced.cost)
        .max()
        .unwrap_or(0);
    let (steps, last) = (&steps[..=at], &steps[at]);
    let orders = [order.clone()];
    let subject = Subject::of(world).with_orders(&orders);
    let mut list = super::draw(&subject, view, &[Overlay::Cost], detail);
    draw_sectors(&mut list, world, order, steps, detail);
    super::graph::sectors(&mut list, detail);
    if matches!(
        last.stage,
        StepStage::At(OrderStage::Search | OrderStage::Load)
    ) {
        draw_search(&mut list, subject.inside(), steps, high, detail);
    }
    let starts = world.inspect().units(order).iter().copied();
    starts_and_goals(&mut list, starts, order.goal().cells());
    explain_marks(&mut list);
    list
}

/// Draws the loaded, waiting and settled sectors.
fn draw_sectors(
    list: &mut DrawList,
    world: &FlowWorld,
    order: &Order,
    steps: &[Step],
    detail: Detail,
) {
    let all = |of: fn(&Step) -> &Vec<Sector>| -> BTreeSet<Sector> {
        steps.iter().flat_map(of).copied().collect()
    };
    let (loaded, settled) = (all(|step| &step.loaded), all(|step| &step.settled));
    if !settled.is_empty() {
        fields::integrated(
            list,
            detail,
            |cell| world.cost_to_go(order, cell),
            |cell| settled.contains(&fields::sector_of(cell)),
        );
    }
    fields::outline(list, &|sector| loaded.contains(&sector));
    if list.has(Overlay::Loaded, Paint::Loaded) {
        list.explain(Overlay::Loaded, Key::Fill(Paint::Loaded), "loaded sectors");
    }
    let waiting = steps.last().map_or(&[][..], |step| &step.waiting);
    for &(sector, _) in waiting {
        let area = list.view.intersection(fields::area(sector));
        if !area.is_empty() {
            list.add(Overlay::Loaded, Paint::Waiting, Figure::Fill(area));
        }
    }
    if list.has(Overlay::Loaded, Paint::Waiting) {
        let sample = Key::Fill(Paint::Waiting);
        list.explain(Overlay::Loaded, sample, "sectors that wait to be settled");
    }
}

/// Draws the portals that the search has taken, by their prices, and those that
/// it has seen: as dots, or where sectors are small, as the sectors that own
/// them.
fn draw_search(
    list: &mut DrawList,
    inside: Inspection<'_>,
    steps: &[Step],
    high: u64,
    detail: Detail,
) {
    let taken = steps.iter().flat_map(|step| &step.taken).map(|priced| {
        let step = stepped(part(priced.cost, 0, high), 16);
        (priced.portal, Paint::Value(Ramp::Search, step))
    });
    let seen = steps
        .last()
        .into_iter()
        .flat_map(|step| &step.frontier)
        .map(|priced| (priced.portal, Paint::Frontier));
    let is_coarse = matches!(detail, Detail::Cells | Detail::Blocks(_));
    if is_coarse {
        fill_sectors(list, inside, taken.chain(seen));
    } else {
        for (portal, paint) in taken.chain(seen) {
            add_portal(list, inside, portal, paint);
        }
    }
    if high > 0 {
        let ramp = Ramp::Search;
        let sample = Key::Ramp { ramp, low: 0, high };
        let text = "portals taken, by the price to the goal";
        list.explain(Overlay::Portals, sample, text);
    }
    if list.has(Overlay::Portals, Paint::Frontier) {
        let sample = if is_coarse {
            Key::Fill(Paint::Frontier)
        } else {
            Key::Dot(Paint::Frontier)
        };
        list.explain(Overlay::Portals, sample, "portals seen and not taken");
    }
}

/// Fills the sectors that own these portals, each in the colour of its last
/// portal; neighbours in a row with the same colour become one shape.
fn fill_sectors(
    list: &mut DrawList,
    inside: Inspection<'_>,
    portals: impl Iterator<Item = (PortalId, Paint)>,
) {
    // Sorted by row, then by column.
    let mut paints: BTreeMap<(i32, i32), Paint> = BTreeMap::new();
    for (id, paint) in portals {
        if let Some(portal) = inside.portal_graph().portal(id) {
            let [owner, _] = portal.sectors;
            paints.insert((owner.y, owner.x), paint);
        }
    }
    let mut run: Option<(Paint, CellRect)> = None;
    for ((y, x), paint) in paints {
        let area = list.view.intersection(fields::area(Sector::new(x, y)));
        if area.is_empty() {
            continue;
        }
        match &mut run {
            Some((same, before)) if *same == paint && continues(*before, area) => {
                before.width += area.width;
            }
            _ => {
                if let Some((paint, area)) = run.replace((paint, area)) {
                    list.add(Overlay::Portals, paint, Figure::Fill(area));
                }
            }
        }
    }
    if let Some((paint, area)) = run {
        list.add(Overlay::Portals, paint, Figure::Fill(area));
    }
}

fn add_portal(list: &mut DrawList, inside: Inspection<'_>, id: PortalId, paint: Paint) {
    // An edit may have removed the portal.
    let Some(portal) = inside.portal_graph().portal(id) else {
        return;
    };
    let at: Point = crossing(&portal);
    if list.view.contains(Cell::new(at[0] as i32, at[1] as i32)) {
        let radius = 0.7;
        list.add(Overlay::Portals, paint, Figure::Dot { at, radius });
    }
}
