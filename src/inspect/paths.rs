//! The overlays of units: their paths, positions and goals.

use std::collections::BTreeSet;

use super::{DrawList, Figure, Key, Overlay, Paint, Subject};
use crate::grid::{Cell, Direction};
use crate::order::Order;
use crate::world::{FlowWorld, Sample};

/// With more goal cells than this in view, each is drawn as a filled cell
/// instead of a ring.
const RINGS: usize = 64;

/// Draws the path of each unit that an order serves, as far as it leads. A path
/// that meets one drawn before ends there, since both continue alike.
pub(super) fn paths(list: &mut DrawList, subject: &Subject<'_>) {
    for order in subject.orders() {
        let mut walked = BTreeSet::new();
        for &unit in subject.world().inspect().units(order) {
            path(list, subject.world(), order, unit, &mut walked);
        }
    }
    if list.has(Overlay::Paths, Paint::Path) {
        list.explain(
            Overlay::Paths,
            Key::Line(Paint::Path),
            "the path from a start",
        );
    }
}

/// Walks a path and draws a line for each of its straight parts.
fn path(
    list: &mut DrawList,
    world: &FlowWorld,
    order: &Order,
    from: Cell,
    walked: &mut BTreeSet<Cell>,
) {
    let (mut cell, mut start) = (from, from);
    let mut heading: Option<Direction> = None;
    loop {
        let sample = if walked.insert(cell) {
            world.sample(order, cell)
        } else {
            Sample::Arrived
        };
        let next = sample.direction();
        if next != heading {
            if heading.is_some() {
                add_part(list, start, cell);
            }
            start = cell;
        }
        let Some(direction) = next else {
            // A link is drawn as a line to where the path goes on.
            let Some(exit) = through_link(world, sample, cell) else {
                return;
            };
            add_part(list, cell, exit);
            cell = exit;
            start = exit;
            heading = None;
            continue;
        };
        heading = next;
        cell = cell.step(direction);
    }
}

/// Returns the cell to which a path goes on through a link.
fn through_link(world: &FlowWorld, sample: Sample, cell: Cell) -> Option<Cell> {
    let Sample::Link(link) = sample else {
        return None;
    };
    world.link(link)?.end_of(cell)
}

/// Draws a straight part of a path, if it overlaps the view.
fn add_part(list: &mut DrawList, from: Cell, to: Cell) {
    let view = list.view;
    let beside = |a: i32, b: i32, start: i32, length: u32| {
        let end = i64::from(start) + i64::from(length);
        a.max(b) < start || i64::from(a.min(b)) >= end
    };
    let away =
        beside(from.x, to.x, view.x, view.width) || beside(from.y, to.y, view.y, view.height);
    if !away {
        let (from, to) = (from.centre(), to.centre());
        list.add(Overlay::Paths, Paint::Path, Figure::Line { from, to });
    }
}

/// Draws units, the cells from which orders start, and goals.
pub(super) fn units(list: &mut DrawList, subject: &Subject<'_>) {
    let world = subject.world();
    let view = list.view;
    for &[x, y] in subject.units() {
        if view.contains(Cell::new(x.floor() as i32, y.floor() as i32)) {
            let (at, radius) = ([x, y], 0.35);
            list.add(Overlay::Units, Paint::Unit, Figure::Dot { at, radius });
        }
    }
    for order in subject.orders() {
        let starts = world.inspect().units(order).iter().copied();
        starts_and_goals(list, starts, order.goal().cells());
    }
    explain_marks(list);
}

/// Draws a disc for each start, and a ring for each goal.
pub(super) fn starts_and_goals(
    list: &mut DrawList,
    starts: impl Iterator<Item = Cell>,
    goals: impl Iterator<Item = Cell>,
) {
    let view = list.view;
    for cell in starts.filter(|&cell| view.contains(cell)) {
        let (at, radius) = (cell.centre(), 0.35);
        list.add(Overlay::Units, Paint::Start, Figure::Dot { at, radius });
    }
    let goals: Vec<Cell> = goals.filter(|&cell| view.contains(cell)).collect();
    for &cell in &goals {
        let (at, radius) = (cell.centre(), 0.45);
        let shape = match goals.len() {
            ..=RINGS => Figure::Ring { at, radius },
            _ => Figure::Fill(cell.into()),
        };
        list.add(Overlay::Units, Paint::Goal, shape);
    }
}

pub(super) fn explain_marks(list: &mut DrawList) {
    let marks = [
        (Paint::Unit, Key::Dot(Paint::Unit), "a unit"),
        (Paint::Start, Key::Dot(Paint::Start), "start"),
        (Paint::Goal, Key::Ring(Paint::Goal), "goal"),
    ];
    for (paint, sample, text) in marks {
        if list.has(Overlay::Units, paint) {
            list.explain(Overlay::Units, sample, text);
        }
    }
}
