//! The overlays of an order's field: cost-to-go, line of sight, directions,
//! loaded sectors.

use super::blocks::{fill, part, stepped};
use super::ground::{label, most_frequent};
use super::{Detail, DrawList, Figure, Key, Overlay, Paint, Ramp, Subject};
use crate::grid::{Cell, CellRect, Direction, SECTOR_SIDE, Sector};
use crate::world::Sample;

/// The number of colours of the ramp of costs-to-go.
const STEPS: u8 = 32;

/// Returns the sectors that overlap a view, row by row.
pub(super) fn sectors(view: CellRect) -> impl Iterator<Item = Sector> {
    let span = |from: i32, length: u32| {
        let last = from as i64 + i64::from(length) - 1;
        from.div_euclid(SECTOR_SIDE)..=(last.div_euclid(i64::from(SECTOR_SIDE)) as i32)
    };
    let rows = span(view.y, view.height);
    let columns = span(view.x, view.width);
    rows.flat_map(move |y| columns.clone().map(move |x| Sector::new(x, y)))
}

pub(super) const fn area(sector: Sector) -> CellRect {
    let side = SECTOR_SIDE as u32;
    CellRect::new(sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE, side, side)
}

pub(super) const fn sector_of(cell: Cell) -> Sector {
    Sector::new(
        cell.x.div_euclid(SECTOR_SIDE),
        cell.y.div_euclid(SECTOR_SIDE),
    )
}

/// Draws the cost-to-go of each cell, by the first order that has loaded it.
pub(super) fn integration(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let world = subject.world();
    let orders = subject.orders();
    let cost_to_go = |cell| {
        orders
            .iter()
            .find_map(|order| world.cost_to_go(order, cell))
    };
    integrated(list, detail, cost_to_go, |_| true);
}

/// Draws the shown cells by their cost-to-go. The colours do not depend on which
/// cells are shown.
pub(super) fn integrated(
    list: &mut DrawList,
    detail: Detail,
    cost_to_go: impl Fn(Cell) -> Option<u64>,
    is_shown: impl Fn(Cell) -> bool,
) {
    let mut cells = list.view.cells().filter_map(&cost_to_go);
    let Some(first) = cells.next() else { return };
    let (low, high) = cells.fold((first, first), |(low, high), cost| {
        (low.min(cost), high.max(cost))
    });
    fill(list, Overlay::Integration, detail.block(), |block| {
        let shown = block.cells().filter(|&cell| is_shown(cell));
        let cost = shown.filter_map(&cost_to_go).min()?;
        let step = stepped(part(cost, low, high), STEPS);
        Some(Paint::Value(Ramp::Integration, step))
    });
    if detail == Detail::Numbers {
        for cell in list.view.cells().filter(|&cell| is_shown(cell)) {
            if let Some(cost) = cost_to_go(cell) {
                label(list, Overlay::Integration, cell, compact(cost));
            }
        }
    }
    let ramp = Ramp::Integration;
    let (sample, value) = if low == high {
        (Key::Fill(Paint::Value(ramp, 0)), format!(" {low}"))
    } else {
        (Key::Ramp { ramp, low, high }, String::new())
    };
    let text = format!("cost-to-go{value}, 5 for an open straight step");
    list.explain(Overlay::Integration, sample, text);
}

/// Writes a cost in at most four characters; thousands and above are truncated.
fn compact(cost: u64) -> String {
    match cost {
        0..10_000 => cost.to_string(),
        10_000..1_000_000 => format!("{}k", cost / 1000),
        1_000_000..1_000_000_000 => format!("{}M", cost / 1_000_000),
        _ => format!("{}G", cost / 1_000_000_000),
    }
}

/// Draws the sectors that orders have loaded, and a line around them.
pub(super) fn loaded(list: &mut DrawList, subject: &Subject<'_>) {
    let (world, orders) = (subject.world(), subject.orders());
    let is_loaded = |sector| {
        orders
            .iter()
            .any(|order| world.inspect().is_loaded(order, sector))
    };
    outline(list, &is_loaded);
    if list.has(Overlay::Loaded, Paint::Loaded) {
        list.explain(Overlay::Loaded, Key::Fill(Paint::Loaded), "loaded sectors");
    }
}

/// Fills the sectors of the view that are `inside`, and draws a line around
/// them.
pub(super) fn outline(list: &mut DrawList, inside: &impl Fn(Sector) -> bool) {
    for sector in sectors(list.view).filter(|&sector| inside(sector)) {
        let area = list.view.intersection(area(sector));
        list.add(Overlay::Loaded, Paint::Loaded, Figure::Fill(area));
        let (west, north) = (area.x as f32, area.y as f32);
        let (east, south) = (west + area.width as f32, north + area.height as f32);
        let edges = [
            (0, -1, [west, north], [east, north]),
            (-1, 0, [west, north], [west, south]),
            (1, 0, [east, north], [east, south]),
            (0, 1, [west, south], [east, south]),
        ];
        for (dx, dy, from, to) in edges {
            if !inside(Sector::new(sector.x + dx, sector.y + dy)) {
                let line = Figure::Line { from, to };
                list.add(Overlay::Loaded, Paint::LoadedEdge, line);
            }
        }
    }
}

/// Returns the sample of the first order that leads a cell, if any does.
fn sample(subject: &Subject<'_>, cell: Cell) -> Option<Sample> {
    subject.orders().iter().find_map(|order| {
        // In other sectors a sample may need a search.
        let is_loaded = subject.world().inspect().is_loaded(order, sector_of(cell));
        let sample = is_loaded.then(|| subject.world().sample(order, cell))?;
        (sample.direction().is_some() || sample == Sample::Arrived).then_some(sample)
    })
}

fn direction(subject: &Subject<'_>, cell: Cell) -> Option<Direction> {
    let cost = subject.costs().get(cell)?;
    match sample(subject, cell)? {
        _ if cost.is_wall() => None,
        sample => sample.direction(),
    }
}

pub(super) fn sight(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    let world = subject.world();
    let in_sight = |cell| {
        let mut orders = subject.orders().iter();
        orders.any(|order| world.sees_goal(order, cell).is_some())
    };
    fill(list, Overlay::Sight, detail.block(), |block| {
        block.cells().any(in_sight).then_some(Paint::Sight)
    });
    if list.has(Overlay::Sight, Paint::Sight) {
        list.explain(
            Overlay::Sight,
            Key::Fill(Paint::Sight),
            "the goal is in sight",
        );
    }
}

/// Draws an arrow in each cell, or one in each sector.
pub(super) fn flow(list: &mut DrawList, subject: &Subject<'_>, detail: Detail) {
    match detail {
        Detail::Numbers | Detail::Arrows => {
            for cell in list.view.cells() {
                if let Some(direction) = direction(subject, cell) {
                    // The numbers take the upper part of the cell.
                    let (low, length) = match detail {
                        Detail::Numbers => (0.64, 0.5),
                        _ => (0.5, 0.7),
                    };
                    let at = [cell.x as f32 + 0.5, cell.y as f32 + low];
                    arrow(list, at, direction, length);
                }
            }
            explain_arrows(list, "the step to take");
        }
        Detail::Sectors => {
            for sector in sectors(list.view) {
                let area = list.view.intersection(area(sector));
                let most = most_frequent(area, |cell| direction(subject, cell));
                if let Some(direction) = most {
                    let middle = |from: i32, length: u32| from as f32 + length as f32 / 2.0;
                    let at = [middle(area.x, area.width), middle(area.y, area.height)];
                    arrow(
                        list,
                        at,
                        direction,
                        0.6 * area.width.min(area.height) as f32,
                    );
                }
            }
            explain_arrows(list, "the step that most cells of a sector take");
        }
        Detail::Cells | Detail::Blocks(_) => {}
    }
}

fn arrow(list: &mut DrawList, at: [f32; 2], direction: Direction, length: f32) {
    let shape = Figure::Arrow {
        at,
        direction,
        length,
    };
    list.add(Overlay::Flow, Paint::Arrow, shape);
}

fn explain_arrows(list: &mut DrawList, text: &str) {
    if list.has(Overlay::Flow, Paint::Arrow) {
        list.explain(Overlay::Flow, Key::Arrow(Paint::Arrow), text);
    }
}
